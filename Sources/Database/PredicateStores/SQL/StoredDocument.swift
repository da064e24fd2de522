// Reads attributes inside JSON columns from what an engine returns: the whole document, if the engine does not read
// values inside JSON itself, and lists. SQL has the same rules (PredicateSQL/Dialects/JSONSupport.swift).
import PredicateRecords

/// A value at a path of a JSON document. A class, so that the kind of a column stays small.
final class StoredDocument: Sendable {
    private let path: JSONPath
    private let type: ExpressionType.Kind

    init(_ path: JSONPath, _ type: ExpressionType.Kind) {
        self.path = path
        self.type = type
    }

    /// nil for a text that is not JSON, a missing value, JSON's null, a value of another kind, and a text with U+0000.
    func value(of stored: PredicateValue) -> PredicateValue {
        switch stored {
        case .string(let text): value(ofBytes: Array(text.utf8))
        case .data(let bytes): value(ofBytes: bytes)
        case .array: typed(stored, type)
        default: .null
        }
    }

    private func value(ofBytes bytes: [UInt8]) -> PredicateValue {
        guard var value = try? JSON.parse(bytes) else { return .null }
        for step in path.steps {
            switch (step, value) {
            case (.key(let key), .dictionary(let members)): value = members[key] ?? .null
            case (.index(let index), .array(let elements)) where index < elements.count: value = elements[index]
            default: return .null
            }
        }
        return typed(value, type)
    }

    private func typed(_ value: PredicateValue, _ type: ExpressionType.Kind) -> PredicateValue {
        switch (type, value) {
        case (.string, .string(let text)) where text.utf8.contains(0): .null
        case (.string, .string), (.boolean, .bool), (.integer, .integer), (.double, .double): value
        case (.double, .integer(let number)): .double(Double(number))
        case (.double, .decimal(let number)): Double(number.description).map { .double($0) } ?? .null
        case (.collection(_, let element), .array(let elements)):
            .array(elements.map { typed($0, element.kind) })
        default: .null
        }
    }
}
