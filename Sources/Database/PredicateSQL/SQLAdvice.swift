// Advice for faster queries: columns with folded texts, for comparisons with `[c]`, `[d]` or `[cd]`, and indexes on
// foreign keys
// and on values inside JSON columns.

/// A column or an index that would make a query faster.
package struct SQLAdvice: Sendable, Equatable, CustomStringConvertible {
    /// `[c]`, `[d]` or `[cd]`; nil for an index without a new column.
    package let options: ComparisonOptions?
    /// The reason, then the statements that add the column and its index, in the query's dialect. For a column also the
    /// entry for the attribute in a schema file: `"folded": {"cd": "name_cd"}`.
    package let description: String

    /// The column with folded texts of another column.
    init(_ table: String, _ column: String, _ options: ComparisonOptions, _ dialect: SQLDialect) {
        self.options = options
        let letters = Relation(.equal, options).letters
        let folded = "\(column)_\(letters)"
        let type = dialect.texts.foldedColumnType
        let statement: SQLFragment = "ALTER TABLE \(name: table) ADD COLUMN \(name: folded) \(sql: type);"
        let reason = "no index is used for [\(letters)] on \(table).\(column); add a column with the folded text"
        description =
            ([reason, statement.text(in: dialect)]
            + (dialect.selection.hasIndexes ? [Self.index(table, [folded], dialect)] : [])
            + ["\"folded\": {\"\(letters)\": \"\(folded)\"}"]).joined(separator: "\n")
    }

    /// The index on a foreign key.
    init(_ table: String, key columns: [String], _ dialect: SQLDialect) {
        options = nil
        description =
            "no index serves the foreign key \(table).\(columns.first ?? "")\n" + Self.index(table, columns, dialect)
    }

    /// The index on a column for a comparison that reads the whole table.
    package init(_ table: String, _ column: String, of comparison: String, _ dialect: SQLDialect) {
        options = nil
        description = "no index serves \(comparison); this one would:\n" + Self.index(table, [column], dialect)
    }

    /// The index on a value inside a JSON column. Only a condition with exactly this expression uses it.
    init(_ table: String, _ document: JSONColumn, _ dialect: SQLDialect) {
        options = nil
        let letters = document.name.utf8.map { $0.isOfWord ? $0 : UInt8(ascii: "_") }
        let name = "\(table)_\(String(decoding: letters, as: UTF8.self))"
        let value = dialect.value(document, of: nil).parenthesized
        let statement: SQLFragment = "CREATE INDEX \(name: name) ON \(name: table) (\(value));"
        description = "no index is known for \(document.name) of \(table)\n" + statement.text(in: dialect)
    }

    private static func index(_ table: String, _ columns: [String], _ dialect: SQLDialect) -> String {
        let name = ([table] + columns).joined(separator: "_")
        let statement: SQLFragment = "CREATE INDEX \(name: name) ON \(name: table) (\(names: columns));"
        return statement.text(in: dialect)
    }
}

extension ComparisonOptions {
    /// The text for a folded column: `[.caseInsensitive].folded("Élodie")` is `élodie`, decomposed.
    public func folded(_ text: String) -> String { StringFold.fold(text, self) }
}
