// Validates JSON by a JSON Schema of the project.

import Foundation
import PredicateRecords
import PredicateSyntax
import Testing

/// A JSON Schema with `$ref`, `oneOf`, `anyOf`, `type`, `const`, `enum`, `pattern`, `minimum`, `properties`, `required`,
/// `additionalProperties` and `items`.
struct JSONSchemaValidator {
    let root: [String: PredicateValue]

    init(_ json: PredicateValue) throws { root = try #require(Self.object(json)) }

    static func object(_ value: PredicateValue?) -> [String: PredicateValue]? {
        guard case .dictionary(let fields)? = value else { return nil }
        return Dictionary(zip(fields.keys, fields.values)) { $1 }
    }

    static func list(_ value: PredicateValue?) -> [PredicateValue]? {
        if case .array(let values)? = value { values } else { nil }
    }

    func accepts(_ value: PredicateValue) -> Bool { accepts(value, root) }

    private func accepts(_ value: PredicateValue, _ schema: PredicateValue) -> Bool {
        Self.object(schema).map { accepts(value, $0) } ?? false
    }

    private func accepts(_ value: PredicateValue, _ schema: [String: PredicateValue]) -> Bool {
        if case .string(let reference)? = schema["$ref"] {
            let name = String(reference.split(separator: "/").last ?? "")
            return Self.object(root["$defs"])?[name].map { accepts(value, $0) } ?? false
        }
        if let choices = Self.list(schema["oneOf"]), choices.count(where: { accepts(value, $0) }) != 1 {
            return false
        }
        if let choices = Self.list(schema["anyOf"]), !choices.contains(where: { accepts(value, $0) }) {
            return false
        }
        if let constant = schema["const"], constant != value { return false }
        if let choices = Self.list(schema["enum"]), !choices.contains(value) { return false }
        switch (schema["type"], value) {
        case (nil, _), (.string("boolean"), .bool): return true
        case (.string("string"), .string(let text)):
            guard case .string(let pattern)? = schema["pattern"] else { return true }
            return text.range(of: pattern, options: .regularExpression) != nil
        case (.string("integer"), .integer(let number)): return number >= 0
        case (.string("array"), .array(let elements)):
            return schema["items"].map { items in elements.allSatisfy { accepts($0, items) } } ?? true
        case (.string("object"), .dictionary(let fields)):
            let known = Self.object(schema["properties"]) ?? [:]
            let required = Self.list(schema["required"]) ?? []
            return required.allSatisfy { name in fields.keys.contains { .string($0) == name } }
                && zip(fields.keys, fields.values).allSatisfy { name, value in
                    known[name].map { accepts(value, $0) } ?? false
                }
        default: return false
        }
    }
}
