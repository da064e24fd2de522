// Statements for rows with known keys: reading related objects, and writing rows that were selected in memory.
import PredicateModel
package import PredicateSyntax

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
    /// SQLite with our functions, for a database with text columns that have other collations, or whose declared type
    /// converts texts to numbers.
    package static func sqlite(
        collatedColumns: Set<SQLColumn> = [], numericColumns: [SQLColumn: NumericColumn] = [:],
        unindexedKeys: [String: Set<[String]>] = [:]
    ) -> SQLDialect {
        var dialect = SQLDialect.sqlite
        dialect.collatedColumns = collatedColumns
        dialect.numericColumns = numericColumns
        dialect.unindexedKeys = unindexedKeys
        return dialect
    }

    /// Selects the rows with given values in some columns, ordered by key. The columns with the given values follow
    /// after the row's own columns, and then those of a join table that refer to the rows.
    ///
    /// - Parameters:
    ///   - types: the types of the values.
    ///   - keys: the number of lists of values; a row must have the values of one list.
    ///   - pairs: a join table. The values are compared with its `from` columns, and its `to` columns are the row's
    ///     key. A pair that refers to no such row has a row of NULLs.
    ///   - codes: the allowed values of the discriminator column; they are bound before the other values.
    package func selectRows(
        of table: String, _ columns: [String], where wanted: [String], types: [SQLType], keys: Int = 1,
        pairs: (table: String, from: [String], to: [String])?, orderedBy order: [String],
        codes: (column: String, codes: [PredicateValue])? = nil
    ) -> String {
        func equal(_ alias: Int, _ columns: [String], _ others: [SQLFragment]) -> SQLFragment {
            .joined(zip(columns, others).map { .column(alias, $0) + SQLFragment(" = ") + $1 }, " AND ")
        }
        let bound = (pairs?.from ?? wanted).map { SQLFragment.column(pairs == nil ? 0 : 1, $0) }
        let others = pairs?.to.map { SQLFragment.column(1, $0) } ?? []
        var statement = SQLFragment("SELECT ") + .joined(columns.map { .column(0, $0) } + bound + others, ", ")
        statement += SQLFragment(" FROM ")
        if let pairs {
            statement += .identifier(pairs.table) + SQLFragment(" AS ") + .alias(1) + SQLFragment(" LEFT JOIN ")
        }
        statement += .identifier(table) + SQLFragment(" AS ") + .alias(0)
        let places = types.map { SQLFragment.binding(.null, $0) }
        var kind: [SQLFragment] = []
        if let (column, codes) = codes {
            let places = codes.map { SQLFragment.binding($0, SQLType($0) ?? .integer) }
            kind = [.column(0, column) + SQLFragment(" IN (") + .joined(places, ", ") + SQLFragment(")")]
        }
        var conditions = pairs == nil ? kind : []
        if pairs != nil { statement += SQLFragment(" ON ") + .joined([equal(0, wanted, others)] + kind, " AND ") }
        if let column = bound.first, bound.count == 1, let place = places.first {
            let all = SQLFragment.joined(Array(repeating: place, count: keys), ", ")
            conditions.append(column + SQLFragment(" IN (") + all + SQLFragment(")"))
        } else {
            let one = SQLFragment.joined(zip(bound, places).map { $0 + SQLFragment(" = ") + $1 }, " AND ")
            let any = Array(repeating: SQLFragment("(") + one + SQLFragment(")"), count: keys)
            conditions.append(SQLFragment("(") + .joined(any, " OR ") + SQLFragment(")"))
        }
        // A pair with a NULL refers to nothing.
        conditions += others.map { $0 + SQLFragment(" IS NOT NULL") }
        statement += SQLFragment(" WHERE ") + .joined(conditions, " AND ")
        let sort = pairs == nil ? order.map { SQLFragment.column(0, $0) } : others
        if !sort.isEmpty { statement += SQLFragment(" ORDER BY ") + .joined(sort, ", ") }
        return statement.text(in: self)
    }

    /// `UPDATE "person" SET "employer_id" = ? WHERE "id" = ?`, or `DELETE FROM "person" WHERE "id" = ?` if nothing is set.
    ///
    /// - Parameters:
    ///   - empty: the columns to set to NULL.
    ///   - keys: the columns that must have these values.
    package func change(
        _ table: String, set columns: [StoredColumn] = [], emptying empty: [String] = [], where keys: [StoredColumn]
    ) -> String {
        func equal(_ columns: [StoredColumn]) -> [SQLFragment] {
            columns.map { .identifier($0.column) + SQLFragment(" = ") + $0.place(self) }
        }
        let changes = equal(columns) + empty.map { .identifier($0) + SQLFragment(" = NULL") }
        var statement = SQLFragment(changes.isEmpty ? "DELETE FROM " : "UPDATE ") + .identifier(table)
        if !changes.isEmpty { statement += SQLFragment(" SET ") + .joined(changes, ", ") }
        return (statement + SQLFragment(" WHERE ") + .joined(equal(keys), " AND ")).text(in: self)
    }
}
