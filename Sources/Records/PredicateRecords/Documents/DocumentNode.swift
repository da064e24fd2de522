// A common tree type for property lists, JSON and YAML, in which DocumentRules.swift finds predicates.

/// A value of a document. Texts keep their positions in the file.
package indirect enum DocumentNode {
    case mapping([(key: String, value: DocumentNode)])
    case list([DocumentNode])
    case text(SourcedText)
    /// A number, a date or another value that cannot be a predicate.
    case other

    package subscript(key: String) -> DocumentNode? {
        guard case .mapping(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    package var string: String? {
        guard case .text(let text) = self else { return nil }
        return text.text
    }

    /// Reads an XML property list.
    package static func propertyList(_ bytes: [UInt8]) throws(DocumentProblem) -> DocumentNode {
        let root = try MarkupElement.parse(bytes)
        if root.name == "document" {
            // An interface file: `<string key="NSPredicateFormat">…</string>`
            var texts: [(key: String, value: DocumentNode)] = []
            func collect(_ element: MarkupElement) {
                if let key = element["key"], element.name == "string" { texts.append((key, .text(element.text))) }
                element.children.forEach(collect)
            }
            collect(root)
            return .mapping(texts)
        }
        return root.name == "plist"
            ? root.children.first.map(Self.init(propertyList:)) ?? .other : Self(propertyList: root)
    }

    /// Recursive; `MarkupElement` limits the depth.
    private init(propertyList element: MarkupElement) {
        switch element.name {
        case "string": self = .text(element.text)
        case "array": self = .list(element.children.map(Self.init(propertyList:)))
        case "dict":
            var members: [(key: String, value: DocumentNode)] = []
            var key: String?
            for child in element.children {
                if child.name == "key" {
                    key = child.text.text
                } else if let name = key {
                    members.append((name, Self(propertyList: child)))
                    key = nil
                }
            }
            self = .mapping(members)
        default: self = .other
        }
    }

    /// The values of a binary property list. Their texts have no line or column, so each text is its own source.
    package init(_ value: PredicateValue) {
        switch value {
        case .string(let text):
            self = .text(SourcedText(Array(text.utf8), 0..<text.utf8.count))
        case .array(let values): self = .list(values.map(Self.init))
        case .dictionary(let fields): self = .mapping(zip(fields.keys, fields.values).map { ($0, Self($1)) })
        default: self = .other
        }
    }
}
