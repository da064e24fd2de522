// Reads a file of rules for `lint --rules`: JSON with names or lists, JSON Lines as for `match`, or one predicate a
// line.

/// The rules of one file, with their places.
struct RuleFile {
    struct Rule {
        /// The name, or the number as a text.
        let name: String
        let text: SourcedText
        /// The fields of a rule of `match`: its arguments and variables; nil for a text alone.
        var fields: ValueDictionary?
        /// The place of the predicate in the file.
        var span: SourceSpan { text.span }
    }

    let source: String
    private(set) var rules: [Rule] = []

    init(_ bytes: [UInt8], name: String) throws {
        source = String(decoding: bytes, as: UTF8.self)
        // A predicate can begin with a brace, too: {1, 2} CONTAINS age.
        let start = bytes.drop { $0 <= 32 }.prefix(2)
        let isJSON =
            start.first == UInt8(ascii: "[") || start == [UInt8(ascii: "{"), UInt8(ascii: "\"")]
            || start.first == UInt8(ascii: "{") && start.last.map { $0 <= 32 } ?? false
        guard isJSON else {
            let (found, _) = try Linter(environment: .standard).find(.predicates, bytes)
            rules = found.enumerated().map { Rule(name: "\($0 + 1)", text: $1.text) }
            return
        }
        do throws(DocumentProblem) {
            add(try JSON.document(bytes), with: Self.values(bytes))
        } catch {
            let place = TextPosition(of: error.offset, in: bytes)
            throw CommandEnd.failure(.failed, "\(name):\(place.line):\(place.column): cannot be read: \(error.message)")
        }
    }

    /// The values of a JSON document or of JSON Lines.
    private static func values(_ bytes: [UInt8]) -> [PredicateValue] {
        if let value = try? JSON.parse(bytes) { return value.elements ?? [value] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { try? JSON.parse(String($0)) }
    }

    private mutating func add(_ document: DocumentNode, with values: [PredicateValue]) {
        switch document {
        case .mapping(let members) where document["predicate"] == nil:
            for (name, value) in members { add(value, named: name, nil) }
        case .list(let nodes):
            for (index, node) in nodes.enumerated() {
                add(node, named: "\(index + 1)", values.indices.contains(index) ? values[index] : nil)
            }
        default: add(document, named: "1", values.first)
        }
    }

    private mutating func add(_ node: DocumentNode, named name: String, _ value: PredicateValue?) {
        switch node {
        case .text(let text): rules.append(Rule(name: name, text: text))
        case .mapping:
            guard case .text(let text)? = node["predicate"] else { return }
            let fields = if case .dictionary(let fields)? = value { fields } else { nil as ValueDictionary? }
            rules.append(Rule(name: fields?["id"].map { JSON.text($0) } ?? name, text: text, fields: fields))
        case .list, .other: break
        }
    }
}
