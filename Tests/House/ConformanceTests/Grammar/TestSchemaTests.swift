// Tests of rules, compared with their JSON Schema, Grammar/tests.schema.json.

import PredicateRecords
import PredicateSyntax
import Testing

@testable import PredicateCheckCommands

@Suite struct TestSchemaTests {
    private static let folder = "Tests/Tool/Sessions/fixtures/"

    @Test func testsFitTheSchema() throws {
        let validator = try JSONSchemaValidator(JSON.parse(Project.text("Grammar/tests.schema.json")))
        for name in ["rules/people.test.json", "rules-wrong/failing.test.json"] {
            #expect(validator.accepts(try JSON.parse(Project.text(Self.folder + name))), "\(name)")
        }
        for name in ["rules/urgent.test.yaml", "rules-wrong/refused.test.yaml"] {
            let bytes = Array(try Project.text(Self.folder + name).utf8)
            #expect(validator.accepts(try DataNode.yaml(bytes).value), "\(name)")
        }
        guard case .array(let wrong) = try JSON.parse(Project.text(Self.folder + "rules-wrong/misspelled.test.json"))
        else { return #expect(Bool(false)) }
        // Whether a rule with an id exists, and the entity of a schema, are not in the schema.
        for (index, one) in wrong.enumerated() where ![2, 5].contains(index) {
            #expect(!validator.accepts(one), "\(index)")
        }
    }

    /// The members that the reader knows are those of the schema.
    @Test func theSchemaHasTheMembers() throws {
        let text = try Project.text("Grammar/tests.schema.json")
        let names = Set(text.matches(of: /"(\w+)": \{/).map { String($0.1) })
        let others: Set = [
            "properties", "items", "test", "ownRule", "ruleOfFile", "case", "objectCase", "objectsCase", "dataCase",
            "answer", "answers",
        ]
        #expect(names.subtracting(others) == Set(TestReader.testFields + TestReader.caseFields))
    }
}
