// Advice for faster queries: columns with folded texts, for comparisons with `[c]`, `[d]` or `[cd]`.
import PredicateModel
public import PredicateSyntax

/// A column that would let an index serve a comparison with options.
///
///     let query = try FormatPredicate("name BEGINSWITH[cd] 'e'").sql(.sqlite, entity: "Person", in: schema)
///     query.advice.first?.statements  // ALTER TABLE "person" ADD COLUMN "name_cd" TEXT; …
///
/// The app must write the column: `options.folded(name)`.
public struct SQLAdvice: Sendable, Hashable, CustomStringConvertible {
    public let table: String
    public let column: String
    /// `[c]`, `[d]` or `[cd]`.
    package let options: ComparisonOptions
    /// The statements that add the column and its index, in the query's dialect.
    public let statements: [String]
    /// The entry for the attribute in a schema file, which names the column: `"folded": {"cd": "name_cd"}`.
    package let schemaEntry: String

    init(_ table: String, _ column: String, _ options: ComparisonOptions, _ dialect: SQLDialect) {
        self.table = table
        self.column = column
        self.options = options
        let letters = Relation(.equal, options).letters
        let folded = "\(column)_\(letters)"
        var statement = SQLFragment("ALTER TABLE ") + .identifier(table) + SQLFragment(" ADD COLUMN ")
        statement += .identifier(folded) + SQLFragment(" \(dialect.foldedColumnType);")
        var statements = [statement.text(in: dialect)]
        if dialect.hasIndexes {
            statement = SQLFragment("CREATE INDEX ") + .identifier("\(table)_\(folded)") + SQLFragment(" ON ")
            statement += .identifier(table) + SQLFragment(" (") + .identifier(folded) + SQLFragment(");")
            statements.append(statement.text(in: dialect))
        }
        self.statements = statements
        schemaEntry = "\"folded\": {\"\(letters)\": \"\(folded)\"}"
    }

    public var description: String {
        let letters = Relation(.equal, options).letters
        return "no index is used for [\(letters)] on \(table).\(column); add a column with the folded text\n"
            + (statements + [schemaEntry]).joined(separator: "\n")
    }
}

extension ComparisonOptions {
    /// The text for a folded column: `[.caseInsensitive].folded("Élodie")` is `élodie`, decomposed.
    public func folded(_ text: String) -> String { StringFold.fold(text, self) }
}
