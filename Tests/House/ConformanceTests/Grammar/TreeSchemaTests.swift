// The JSON form of trees, compared with its JSON Schema, Grammar/tree.schema.json. JSONSchemaValidator.swift
// has the keywords that the schema uses.

import Foundation
import GoldenCases
import PredicateRecords
import PredicateSyntax
import PredicateTestSupport
import Testing

@Suite struct TreeSchemaTests {
    private static let validator = Result {
        try JSONSchemaValidator(JSON.parse(Project.text("Grammar/tree.schema.json")))
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
                Self.collect(value, &kinds)
                count += 1
                guard count % TestDepth.step(1) == 0 else { continue }
                let read = try JSON.parse(JSON.text(value))
                guard validator.accepts(read) else {
                    Issue.record("\(text)\n\(JSON.text(value))")
                    continue
                }
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
