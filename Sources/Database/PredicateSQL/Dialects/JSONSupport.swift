// Attributes inside JSON columns, as engines read them: each is an expression of its column that is NULL unless the
// value has the declared type. Dialects/ has the templates of an engine.

/// How an engine reads JSON documents.
struct JSONSupport: Sendable {
    /// By type: the value at the path {1} of the document {0}; NULL for a value of another kind. The path is inside a
    /// literal.
    var values: [SQLType: SQLTemplate]
    /// The array at the path {1} of the document {0}; NULL for another value.
    var list: SQLTemplate
    /// The elements of the array {0} as rows {1} with a column `value`.
    var rows: SQLTemplate
    /// By type: the element in the row {0}; nil if its column `value` is a document for `values`.
    var elements: [SQLType: SQLTemplate]?
    /// Whether an index on an expression serves conditions.
    var hasIndexes = true
}

extension SQLDialect {
    /// Whether the engine itself reads values inside JSON columns. If not, rows have the whole documents.
    package var readsJSON: Bool { json != nil }

    /// A column, or the value of an attribute inside a JSON column.
    ///
    /// - Parameter alias: the alias of the table; nil for an index.
    func value(_ document: JSONColumn, of alias: Int?) -> SQLFragment {
        let column = alias.map { SQLFragment.column($0, document.column) } ?? .identifier(document.column)
        guard let json else { return column }
        let path = SQLFragment(document.path.text.replacing("'", with: "''"))
        guard let type = SQLType(document.type) else { return json.list(column, path) }
        if document.path.steps.isEmpty, let alias, let element = json.elements?[type] { return element(.alias(alias)) }
        return json.values[type]?(column, path) ?? column
    }

    /// The columns of rows, as a list for SELECT. Lists inside JSON columns are texts.
    func columns(
        _ names: [String], of alias: Int, _ documents: [String: JSONColumn], named: Bool
    ) -> SQLFragment {
        var columns = SQLFragment(capacity: 2 * names.count)
        for (index, name) in names.enumerated() {
            if index > 0 { columns += ", " }
            guard let document = documents[name] else {
                columns.append(column: name, of: alias)
                if named { columns += " AS \(name: name)" as SQLFragment }
                continue
            }
            let value = value(document, of: alias)
            columns += readsJSON && SQLType(document.type) == nil ? "CAST(\(value) AS TEXT)" : value
            if readsJSON || named { columns += " AS \(name: document.name)" as SQLFragment }
        }
        return columns
    }

    /// Whether an index on the value can serve conditions.
    func indexes(_ document: JSONColumn) -> Bool {
        SQLType(document.type) != nil && !document.path.steps.isEmpty && json?.hasIndexes ?? false
    }

    /// The expression of an index, as the database shows it in the definition of the index.
    package func indexed(_ document: JSONColumn) -> String { value(document, of: nil).text(in: self) }
}
