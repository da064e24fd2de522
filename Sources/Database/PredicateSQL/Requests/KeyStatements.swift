// Statements for rows with known keys: reading related objects, and writing rows that were selected in memory.

/// A column of a table, by its names in the database.
package struct SQLColumn: Hashable, Sendable {
    package let table: String
    package let column: String

    package init(table: String, column: String) {
        self.table = table
        self.column = column
    }
}

extension SQLDialect {
    /// Selects the rows with given values in some columns, ordered by key. The columns with the given values follow
    /// after the row's own columns, and then those of a join table that refer to the rows.
    ///
    /// - Parameters:
    ///   - types: the types of the values.
    ///   - keys: the number of lists of values; a row must have the values of one list.
    ///   - pairs: a join table. The values are compared with its `from` columns, and its `to` columns are the row's
    ///     key. A pair that refers to no such row has a row of NULLs.
    ///   - codes: the allowed values of the discriminator column; they are bound before the other values.
    ///   - documents: the schema's attributes inside JSON columns.
    package func selectRows(
        of table: String, _ names: [String], where wanted: [String], types: [SQLType], keys: Int = 1,
        pairs: (table: String, from: [String], to: [String])?, orderedBy order: [String],
        codes: (column: String, codes: [PredicateValue])? = nil, documents: [String: JSONColumn] = [:]
    ) -> String {
        func columns(_ names: [String], of alias: Int) -> [SQLFragment] { names.map { .column(alias, $0) } }
        func equations(_ one: [SQLFragment], _ other: [SQLFragment]) -> SQLFragment {
            .joined(zip(one, other).map { "\($0) = \($1)" }, " AND ")
        }
        let kind = codes.map { (column, codes) -> SQLFragment in
            "\(.column(0, column)) IN (\(codes.map { .binding($0, SQLType($0) ?? .integer) }))"
        }
        let bound = pairs.map { columns($0.from, of: 1) } ?? columns(wanted, of: 0)
        let others = pairs.map { columns($0.to, of: 1) } ?? []
        var from: SQLFragment = "\(name: table) AS \(.alias(0))"
        if let pairs {
            let link = [equations(columns(wanted, of: 0), others)] + (kind.map { [$0] } ?? [])
            from = "\(name: pairs.table) AS \(.alias(1)) LEFT JOIN \(from) ON \(link, " AND ")"
        }
        let places = types.map { SQLFragment.binding(.null, $0) }
        let isSought: SQLFragment =
            bound.count == 1
            ? "\(bound) IN (\(Array(repeating: places, count: keys).flatMap { $0 }))"
            : "(\(Array(repeating: equations(bound, places).parenthesized, count: keys), " OR "))"
        // A pair with a NULL refers to nothing.
        let conditions = (pairs == nil ? kind.map { [$0] } ?? [] : []) + [isSought] + others.map { "\($0) IS NOT NULL" }
        let selected = [self.columns(names, of: 0, documents, named: false)] + bound + others
        let sort = pairs == nil ? columns(order, of: 0) : others
        let statement: SQLFragment = "SELECT \(selected) FROM \(from) WHERE \(conditions, " AND ")"
        return (sort.isEmpty ? statement : "\(statement) ORDER BY \(sort)").text(in: self)
    }

    /// `UPDATE "person" SET "employer_id" = ? WHERE "id" = ?`, or `DELETE FROM "person" WHERE "id" = ?` if nothing is set.
    ///
    /// - Parameters:
    ///   - empty: the columns to set to NULL.
    ///   - keys: the columns that must have these values.
    package func change(
        _ table: String, set columns: [StoredColumn] = [], emptying empty: [String] = [], where keys: [StoredColumn]
    ) -> String {
        let changes = columns.map { $0.equation(self) } + empty.map { "\(name: $0) = NULL" }
        let start: SQLFragment = changes.isEmpty ? "DELETE FROM \(name: table)" : "UPDATE \(name: table) SET \(changes)"
        let statement: SQLFragment = "\(start) WHERE \(keys.map { $0.equation(self) }, " AND ")"
        return statement.text(in: self)
    }
}
