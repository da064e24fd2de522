// Statements for rows with known keys: reading related objects, and writing rows that were selected in memory.
package import PredicateModel
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
    ///     key. A pair that refers to no row has a row of NULLs.
    ///   - codes: the allowed values of the discriminator column; they are bound after the other values.
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
        if pairs != nil { statement += SQLFragment(" ON ") + equal(0, wanted, others) }
        statement += SQLFragment(" WHERE ")
        let places = types.map { SQLFragment.binding(.null, $0) }
        if let column = bound.first, bound.count == 1, let place = places.first {
            statement += column + SQLFragment(" IN (")
            statement += .joined(Array(repeating: place, count: keys), ", ") + SQLFragment(")")
        } else {
            let one = SQLFragment.joined(zip(bound, places).map { $0 + SQLFragment(" = ") + $1 }, " AND ")
            let any = Array(repeating: SQLFragment("(") + one + SQLFragment(")"), count: keys)
            statement += SQLFragment("(") + .joined(any, " OR ") + SQLFragment(")")
        }
        if let (column, codes) = codes {
            let places = codes.map { SQLFragment.binding($0, SQLType($0) ?? .integer) }
            let isKind = .column(0, column) + SQLFragment(" IN (") + .joined(places, ", ") + SQLFragment(")")
            let isMissing =
                pairs == nil ? SQLFragment() : SQLFragment(" OR ") + .column(0, wanted[0]) + SQLFragment(" IS NULL")
            statement += SQLFragment(" AND (") + isKind + isMissing + SQLFragment(")")
        }
        // A pair with a NULL refers to nothing.
        for key in others { statement += SQLFragment(" AND ") + key + SQLFragment(" IS NOT NULL") }
        let sort = pairs == nil ? order.map { SQLFragment.column(0, $0) } : others
        if !sort.isEmpty { statement += SQLFragment(" ORDER BY ") + .joined(sort, ", ") }
        return statement.text(in: self)
    }

    /// DELETE of the rows with a key, whose values are bound.
    package func deletingRow(of table: String, key: [(column: String, type: AttributeType)]) -> String {
        (SQLFragment("DELETE FROM ") + .identifier(table) + .matching(key)).text(in: self)
    }

    /// UPDATE that sets columns of the row with a key to NULL.
    package func emptyingRow(
        of table: String, _ columns: [String], key: [(column: String, type: AttributeType)]
    ) -> String {
        let changes = columns.map { SQLFragment.identifier($0) + SQLFragment(" = NULL") }
        return
            (SQLFragment("UPDATE ") + .identifier(table) + SQLFragment(" SET ") + .joined(changes, ", ")
            + .matching(key)).text(in: self)
    }
}

extension SQLFragment {
    /// `WHERE "tenant" = ? AND "id" = ?`
    fileprivate static func matching(_ key: [(column: String, type: AttributeType)]) -> SQLFragment {
        SQLFragment(" WHERE ")
            + .joined(
                key.map { .identifier($0.column) + SQLFragment(" = ") + .binding(.null, SQLType($0.type) ?? .integer) },
                " AND ")
    }
}

extension SQLRequest {
    /// UPDATE or DELETE of the row with a key. The values of the key are bound last. nil for a request that changes
    /// nothing.
    package func byKey(
        _ dialect: SQLDialect, entity: String, in schema: PredicateSchema
    ) throws(PredicateFailure) -> (text: String, bindings: [PredicateValue])? {
        guard schema.entity(entity) != nil else {
            throw PredicateFailure(Diagnostic(.unknownEntity, at: .none, entity))
        }
        let table = schema.table(of: entity)
        var statement: SQLFragment
        switch self {
        case .select, .count, .bounds: return nil
        case .update(let assignments):
            statement = SQLFragment("UPDATE ") + .identifier(table) + SQLFragment(" SET ")
            statement += try schema.assignments(assignments, of: entity, dialect)
        case .delete: statement = SQLFragment("DELETE FROM ") + .identifier(table)
        }
        let bindings = statement.bindings.map(\.value)
        let attributes = schema.lineage(of: entity).flatMap(\.attributes)
        let key = schema.primaryKey(of: entity).map { column in
            (column, attributes.first { $0.column == column }?.type ?? .integer)
        }
        return ((statement + .matching(key)).text(in: dialect), bindings)
    }
}
