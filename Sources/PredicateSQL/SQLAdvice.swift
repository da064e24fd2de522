// Advice for faster queries: columns with folded texts, for comparisons with `[c]`, `[d]` or `[cd]`, and indexes on
// foreign keys.
import PredicateModel
public import PredicateSyntax

/// A column or an index that would make a query faster.
package struct SQLAdvice: Sendable, Equatable, CustomStringConvertible {
    let table: String
    /// The column; of a foreign key with several columns, the first.
    let column: String
    /// `[c]`, `[d]` or `[cd]`; nil for an index on a foreign key.
    package let options: ComparisonOptions?
    /// The statements that add the column and its index, in the query's dialect.
    let statements: [String]
    /// The entry for the attribute in a schema file, which names the column: `"folded": {"cd": "name_cd"}`.
    let schemaEntry: String?

    init(_ table: String, _ column: String, _ options: ComparisonOptions, _ dialect: SQLDialect) {
        self.table = table
        self.column = column
        self.options = options
        let letters = Relation(.equal, options).letters
        let folded = "\(column)_\(letters)"
        let type = dialect.foldedColumnType
        let column: SQLFragment = "ALTER TABLE \(name: table) ADD COLUMN \(name: folded) \(sql: type);"
        let index = dialect.hasIndexes ? [Self.index(table, [folded], dialect)] : []
        statements = [column.text(in: dialect)] + index
        schemaEntry = "\"folded\": {\"\(letters)\": \"\(folded)\"}"
    }

    /// The index on a foreign key.
    init(_ table: String, key columns: [String], _ dialect: SQLDialect) {
        self.table = table
        column = columns.first ?? ""
        options = nil
        statements = [Self.index(table, columns, dialect)]
        schemaEntry = nil
    }

    private static func index(_ table: String, _ columns: [String], _ dialect: SQLDialect) -> String {
        let name = ([table] + columns).joined(separator: "_")
        let statement: SQLFragment = "CREATE INDEX \(name: name) ON \(name: table) (\(names: columns));"
        return statement.text(in: dialect)
    }

    package var description: String {
        let reason =
            options.map {
                "no index is used for [\(Relation(.equal, $0).letters)] on \(table).\(column); add a column "
                    + "with the folded text"
            } ?? "no index serves the foreign key \(table).\(column)"
        return ([reason] + statements + (schemaEntry.map { [$0] } ?? [])).joined(separator: "\n")
    }
}

extension ComparisonOptions {
    /// The text for a folded column: `[.caseInsensitive].folded("Élodie")` is `élodie`, decomposed.
    public func folded(_ text: String) -> String { StringFold.fold(text, self) }
}
