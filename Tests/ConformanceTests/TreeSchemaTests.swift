// The JSON form of trees, compared with its JSON Schema, Grammar/tree.schema.json. The tests have their own validator,
// for the keywords that the schema uses.

import Foundation
import GoldenCases
import PredicateRecords
import PredicateSyntax
import Testing

@Suite struct TreeSchemaTests {
    /// A JSON Schema with `$ref`, `oneOf`, `anyOf`, `type`, `const`, `enum`, `pattern`, `minimum`, `properties`, `required`,
    /// `additionalProperties` and `items`.
    private struct Validator {
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

    private static let validator = Result {
        try Validator(JSON.parse(Project.text("Grammar/tree.schema.json")))
    }

    /// Every tree of the golden cases fits, also those of texts with errors and of expressions.
    @Test func everyGoldenTreeFits() throws {
        let validator = try Self.validator.get()
        var kinds: Set<String> = []
        var count = 0
        for text in try GrammarTexts.all() {
            let trees: [PredicateTree] = [
                .predicate(FormatParser.predicate(text, options: .deviceManagementTerms).tree),
                .expression(FormatParser.expression(text).tree),
            ]
            for tree in trees {
                let value = tree.value
                let read = try JSON.parse(JSON.text(value))
                guard validator.accepts(read) else {
                    Issue.record("\(text)\n\(JSON.text(value))")
                    continue
                }
                Self.collect(value, &kinds)
                count += 1
            }
        }
        #expect(count > 500)
        let all = try Self.kinds()
        #expect(all.subtracting(kinds) == [], "no golden case has these kinds")
    }

    private static func collect(_ value: PredicateValue, _ kinds: inout Set<String>) {
        switch value {
        case .dictionary(let fields):
            if case .string(let kind)? = fields["kind"] { kinds.insert(kind) }
            for value in fields.values { collect(value, &kinds) }
        case .array(let elements): for element in elements { collect(element, &kinds) }
        default: break
        }
    }

    /// The kinds in the schema.
    private static func kinds() throws -> Set<String> {
        let text = try Project.text("Grammar/tree.schema.json")
        let parts = text.components(separatedBy: #""kind": {"const": ""#).dropFirst()
        return Set(parts.map { String($0.prefix { $0 != "\"" }) })
    }

    @Test func theValidatorRefusesOtherTrees() throws {
        let validator = try Self.validator.get()
        let good =
            #"{"kind": "not", "start": 0, "end": 9, "child": {"kind": "constant", "start": 4, "end": 9, "value": true}}"#
        #expect(validator.accepts(try JSON.parse(good)))
        for wrong in [
            good.replacing("constant", with: "constnt"), good.replacing("true", with: "1"),
            good.replacing("\"end\": 9, \"child", with: "\"child"),
            good.replacing("\"start\": 0", with: "\"start\": 0, \"more\": 1"),
            good.replacing("\"start\": 0", with: "\"start\": -1"), "[]",
        ] {
            #expect(!validator.accepts(try JSON.parse(wrong)), "\(wrong)")
        }
    }
}
