// Paths of attributes inside JSON columns, and the names under which such attributes are read. A path becomes SQL text,
// so its keys contain nothing that ends a quoted name or a literal.

/// The place of a value in a JSON document: `$.meta.theme`, `$.tags[0]`, `$."a b"`.
package struct JSONPath: Sendable, Equatable {
    package enum Step: Sendable, Equatable {
        case key(String)
        case index(Int)
    }

    package let steps: [Step]

    /// nil for any other text. A key without quotation marks consists of letters, digits and `_`; one in quotation
    /// marks has none of `"`, `\`, `*` and control characters.
    package init?(_ text: String) {
        var rest = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "$"), !rest.isEmpty else { return nil }
        var steps: [Step] = []
        while let mark = rest.popFirst() {
            let quote = UInt8(ascii: "\"")
            if mark == UInt8(ascii: "[") {
                let digits = rest.prefix { (0x30...0x39).contains($0) }
                guard digits.count < 10, let index = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
                rest = rest.dropFirst(digits.count)
                guard rest.popFirst() == UInt8(ascii: "]") else { return nil }
                steps.append(.index(index))
                continue
            }
            guard mark == UInt8(ascii: ".") else { return nil }
            let isQuoted = rest.first == quote
            if isQuoted { rest = rest.dropFirst() }
            let key = rest.prefix { isQuoted ? $0 != quote : $0.isOfWord || $0 >= 0x80 }
            rest = rest.dropFirst(key.count)
            if isQuoted, rest.popFirst() == nil { return nil }
            if key.isEmpty || key.contains(where: { $0 < 0x20 || $0 == 0x7F || "\\*".utf8.contains($0) }) { return nil }
            steps.append(.key(String(decoding: key, as: UTF8.self)))
        }
        self.steps = steps
    }

    /// The document itself.
    package static let root = JSONPath()

    private init() { steps = [] }

    /// The path as engines read it. A key is in quotation marks unless it is a plain name.
    package var text: String {
        steps.reduce("$") { text, step in
            switch step {
            case .index(let index): return text + "[\(index)]"
            case .key(let key):
                let isPlain = key.utf8.allSatisfy { $0.isOfWord } && !(0x30...0x39).contains(key.utf8.first ?? 0x30)
                return text + (isPlain ? ".\(key)" : ".\"\(key)\"")
            }
        }
    }
}

/// An attribute inside a JSON column, as SQL reads it.
package struct JSONColumn: Sendable {
    package let column: String
    package let path: JSONPath
    package let type: ExpressionType.Kind
    /// The attribute's name, which is the name of the column of a result.
    package let name: String
}

extension JSONColumn {
    package init?(_ attribute: PredicateSchema.Attribute) {
        guard let path = attribute.json.flatMap({ JSONPath($0) }) else { return nil }
        self.init(column: attribute.column, path: path, type: attribute.type, name: attribute.name)
    }

    /// The name under which conditions and rows have the value. It cannot be the name of another attribute's column,
    /// because it ends with a path and a type: `meta$.theme string`.
    package var place: String { column + path.text + " " + type.shown }

    /// The element of a list, in a row that an engine makes for it.
    package static func element(_ type: ExpressionType.Kind) -> JSONColumn {
        JSONColumn(column: "value", path: .root, type: type, name: "value")
    }

    /// The types that SQL reads.
    static let types: [ExpressionType.Kind] = [.string, .integer, .double, .boolean]
}

extension ExpressionType.Kind {
    /// Whether an attribute inside a JSON column can have the type.
    var isInJSON: Bool {
        if case .collection(.list, let element) = self { return JSONColumn.types.contains(element.kind) }
        return JSONColumn.types.contains(self)
    }
}

extension PredicateSchema.Attribute {
    /// The column; for an attribute inside a JSON column, its place there.
    package var place: String { json == nil ? column : JSONColumn(self)?.place ?? column }
}
