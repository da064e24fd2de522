// Statements about rows whose keys are known: what a store reads when an object is asked for its neighbours, and how it
// writes rows that were chosen in memory.
package import PredicateModel
package import PredicateSyntax

/// A column of a table, by its name in the database.
package struct SQLColumn: Hashable, Sendable {
    package let table: String
    package let column: String

    package init(table: String, column: String) {
        self.table = table
        self.column = column
    }
}

extension Dialect {
    /// SQLite with our functions, over a database in which some columns of texts have a collation of their own, or a type
    /// that makes numbers of texts.
    package static func sqlite(
        collatedColumns: Set<SQLColumn> = [], numericColumns: [SQLColumn: NumericColumn] = [:]
    ) -> Dialect {
        var dialect = Dialect.sqlite
        dialect.collatedColumns = collatedColumns
        dialect.numericColumns = numericColumns
        return dialect
    }

    /// The rows of a table some columns of which are bound values, in the order of their keys.
    ///
    /// - Parameters:
    ///   - pairs: the table of pairs whose `from` are the values instead, and whose `to` is the row's key.
    ///   - codes: what a column must hold, of which the values are bound behind the first.
    package func selectRows(
        of table: String, _ columns: [String], where wanted: [String],
        pairs: (table: String, from: [String], to: [String])?, orderedBy keys: [String],
        codes: (column: String, codes: [Value])? = nil
    ) -> String {
        func equal(_ alias: Int, _ columns: [String], _ others: [SQLFragment]) -> SQLFragment {
            .joined(zip(columns, others).map { .column(alias, $0) + SQLFragment(" = ") + $1 }, " AND ")
        }
        var statement = SQLFragment("SELECT ") + .joined(columns.map { .column(0, $0) }, ", ") + SQLFragment(" FROM ")
        statement += .identifier(table) + SQLFragment(" AS ") + .alias(0)
        if let pairs {
            statement += SQLFragment(" JOIN ") + .identifier(pairs.table) + SQLFragment(" AS ") + .alias(1)
            statement += SQLFragment(" ON ") + equal(1, pairs.to, wanted.map { .column(0, $0) })
        }
        let bound = pairs?.from ?? wanted
        let places = bound.map { _ in SQLFragment.binding(.null, .integer) }
        statement += SQLFragment(" WHERE ") + equal(pairs == nil ? 0 : 1, bound, places)
        if let (column, codes) = codes {
            let places = codes.map { SQLFragment.binding($0, SQLType($0) ?? .integer) }
            statement += SQLFragment(" AND ") + .column(0, column) + SQLFragment(" IN (")
            statement += .joined(places, ", ") + SQLFragment(")")
        }
        if !keys.isEmpty { statement += SQLFragment(" ORDER BY ") + .joined(keys.map { .column(0, $0) }, ", ") }
        return statement.text(in: self)
    }
}

extension SQLRequest {
    /// UPDATE or DELETE of the row with a key, whose values are bound behind the others; nil for what changes nothing.
    package func byKey(
        _ dialect: Dialect, entity: String, in schema: Schema
    ) throws(PredicateFailure) -> (text: String, bindings: [Value])? {
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
        let bindings = statement.bindings
        let keys = schema.primaryKey(of: entity).map {
            SQLFragment.identifier($0) + SQLFragment(" = ") + .binding(.null, .integer)
        }
        return ((statement + SQLFragment(" WHERE ") + .joined(keys, " AND ")).text(in: dialect), bindings)
    }
}
