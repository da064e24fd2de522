// What CREATE TABLE of an engine needs. PredicateStores/Migration/TableDefinition.swift has the tables of a schema.

/// How an engine with transactions declares tables.
package struct TableSyntax: Sendable {
    /// Where the foreign keys of a table are declared.
    package enum ForeignKeys: Sendable {
        /// In CREATE TABLE, also those to tables that do not exist yet.
        case inTable
        /// With ALTER TABLE, after all tables. `indexed`: whether the engine makes an index for each.
        case afterwards(indexed: Bool)
        /// Nowhere.
        case nowhere
    }

    /// The types of columns.
    let types: TypeNames
    /// The type of a column of any type; nil if there is none.
    var any: String?
    /// Whether a decimal needs a number of digits after the point.
    var needsScale = true
    /// What follows the type of an integer that is the whole primary key, so that the engine makes the keys.
    package let identity: String
    package var booleans = (true: "TRUE", false: "FALSE")
    /// Whether a backslash in a text is doubled.
    package var escapesBackslash = false
    package let foreignKeys: ForeignKeys
    /// Selects the names of all tables.
    package let names: String

    /// The names of tables in `information_schema`.
    static func names(in current: String, _ type: String) -> String {
        "SELECT CAST(table_name AS \(type)) FROM information_schema.tables WHERE table_schema = \(current)"
    }
}

extension SQLDialect {
    /// The type of a new column; nil if the engine has none for all values of the type.
    ///
    /// - Parameters:
    ///   - attribute: nil for a column of a key that has no attribute.
    ///   - isKey: whether the column belongs to a key.
    package func columnType(_ type: ExpressionType.Kind, _ attribute: PredicateSchema.Attribute?, isKey: Bool)
        -> String?
    {
        guard let syntax = tableSyntax else { return nil }
        if let encoding = attribute.flatMap(Encoding.init) {
            if let type = encoding.type(self) { return syntax.types[type] }
            return attribute?.scale.map { "DECIMAL(38, \($0))" }
        }
        switch type {
        case .string, .url: return isKey ? texts.foldedColumnType : syntax.types[.text]
        case .decimal where syntax.needsScale && decimals.areStored: return nil
        case .collection(_, let element):
            // Without arrays, a list is a JSON text.
            guard lists.arrayBrackets != nil else { return syntax.types[.text] }
            return SQLType(element.kind).flatMap { bindings.types[$0] ?? syntax.types[$0] }.map { $0 + "[]" }
        default: return SQLType(type).map { syntax.types[$0] } ?? syntax.any
        }
    }

    /// A name in quotation marks.
    package func quoted(_ name: String) -> String { SQLFragment.identifier(name).text(in: self) }
}
