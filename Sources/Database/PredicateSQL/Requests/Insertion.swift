// INSERT of rows. It may update an existing row that has the same key, and may return values of the new row.

/// How an engine updates a row instead of inserting another one with the same key.
enum Upsert: Sendable {
    /// `ON CONFLICT (id) DO UPDATE SET a = excluded.a`
    case onConflict
    /// `ON DUPLICATE KEY UPDATE a = VALUES(a)`
    case onDuplicateKey
}

/// A column and its value in the form that the column stores.
package struct StoredColumn: Sendable {
    package let column: String
    package var value: PredicateValue
    package let type: SQLType
    /// The element type if the column is an array; the value is then a text.
    private let element: SQLType?

    package init(_ column: String, _ value: PredicateValue, _ type: SQLType) {
        (self.column, self.value, self.type, element) = (column, value, type, nil)
    }

    /// Creates the value for a list: an array of the engine, else its JSON text.
    ///
    /// - Parameter elements: the elements; nil for a list that is nil.
    init(_ column: String, list elements: [PredicateValue]?, of type: ExpressionType.Kind, _ dialect: SQLDialect) {
        let brackets = SQLType(type) == nil ? nil : dialect.lists.arrayBrackets
        (self.column, self.type, element) = (column, .text, brackets == nil ? nil : SQLType(type))
        let text = elements.map { elements in
            brackets.map { $0.open + Self.texts(elements).joined(separator: ",") + $0.close }
                ?? JSONList.stored(.array(elements))
        }
        value = text.map { .string($0) } ?? .null
    }

    /// Whether another row has the same column at this position.
    package func hasPlace(of other: StoredColumn) -> Bool {
        column == other.column && type == other.type && element == other.element
    }

    /// The placeholder of the value.
    func place(_ dialect: SQLDialect) -> SQLFragment {
        let place = SQLFragment.binding(value, type)
        return element.flatMap { dialect.bindings.types[$0] }.map { "CAST(\(place) AS \(sql: $0)[])" } ?? place
    }

    /// `"name" = ?`
    func equation(_ dialect: SQLDialect) -> SQLFragment { "\(name: column) = \(place(dialect))" }

    /// Elements in the array syntax: `1`, `NULL`, `"a \"word\""`.
    private static func texts(_ elements: [PredicateValue]) -> [String] {
        elements.map { element in
            let binding = SQLBinding(element)
            guard let text = binding.postgreSQLText else { return "NULL" }
            switch binding {
            case .text, .data:
                return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
            default: return text
            }
        }
    }
}

extension SQLDialect {
    /// Whether the engine counts each written row once. MariaDB counts an updated row twice, and a row that already has
    /// the values not at all.
    package var countsRows: Bool { if case .onConflict = changes.upsert { true } else { false } }

    /// `INSERT INTO "person" ("id", "name") VALUES (?, ?)`
    ///
    /// - Parameters:
    ///   - key: the columns that identify an existing row, which is then updated; nil only inserts.
    ///   - returned: the columns of the new row that the statement returns.
    /// - Returns: nil if the engine can neither update such a row nor return columns as required.
    package func insert(
        into table: String, _ columns: [StoredColumn], key: [String]? = nil, returning returned: [String] = []
    ) -> String? {
        let values = columns.map { $0.place(self) }
        var statement: SQLFragment =
            columns.isEmpty
            ? "INSERT INTO \(name: table) DEFAULT VALUES"
            : "INSERT INTO \(name: table) (\(names: columns.map { $0.column })) VALUES (\(values))"
        if !returned.isEmpty {
            guard changes.returnsInserted else { return nil }
            statement += " RETURNING \(names: returned)"
        }
        guard let key else { return statement.text(in: self) }
        guard changes.refusal == nil else { return nil }
        // A row that has only its key is not changed.
        let others = columns.map { $0.column }.filter { !key.contains($0) }
        let set = others.isEmpty ? key : others
        switch changes.upsert {
        case .onConflict:
            let changed = set.map { "\(name: $0) = excluded.\(name: $0)" as SQLFragment }
            statement += " ON CONFLICT (\(names: key)) DO UPDATE SET \(changed)"
        case .onDuplicateKey:
            let changed = set.map { "\(name: $0) = VALUES(\(name: $0))" as SQLFragment }
            statement += " ON DUPLICATE KEY UPDATE \(changed)"
        }
        return statement.text(in: self)
    }

    /// The statement that lets the engine generate keys after a key that the app gives; nil if INSERT does so.
    package func movingCounter(
        of table: String, _ column: String, past key: Int64
    ) -> (text: String, values: [PredicateValue], types: [SQLType])? {
        guard let keyCounter = changes.keyCounter else { return nil }
        let statement = keyCounter(
            .binding(.string(quoted(table)), .text), .binding(.string(column), .text), .binding(.integer(key), .integer)
        )
        return (statement.text(in: self), statement.bindings.map { $0.value }, statement.bindings.map { $0.type })
    }
}
