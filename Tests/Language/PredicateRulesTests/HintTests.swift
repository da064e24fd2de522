// Hints: legal text that is probably a mistake. Golden cases show the hint of each rule; here are the others.
import PredicateTestSupport
import Testing

@testable import PredicateRules

struct HintTests {
    private func ids(_ hints: [PredicateDiagnostic]) -> [DiagnosticID] { hints.map(\.id) }

    @Test func hintsAreAskedFor() throws {
        let predicate = try FormatPredicate("name LIKE 'ann%' AND age BETWEEN {5, 1}")
        #expect(predicate.warnings.isEmpty)
        #expect(ids(predicate.hints()) == [.sqlWildcard, .reversedBounds])
        #expect(ids(try FormatExpression("pets.@size").hints()) == [.unknownCollectionOperator])
    }

    /// A decimal may equal 5 and not 5.0, and a double equals all decimals that are rounded to it. So these conditions
    /// do not exclude each other.
    @Test func roundedNumbersDoNotContradict() throws {
        let near = try #require(DecimalNumber("0.1000000000000000000000001"))
        #expect(try FormatPredicate("a == %@ AND a == %@", DecimalNumber("0.1"), near).hints().isEmpty)
        #expect(try FormatPredicate("a == 5 AND a != 5.0").hints().isEmpty)
        #expect(ids(try FormatPredicate("a > %@ AND a < %@", DecimalNumber("0.2"), near).hints()) == [.contradiction])
    }

    /// What the types decide is reported once, with or without a schema.
    @Test(.cases) func typesDecide() {
        let rows: [(String, without: [DiagnosticID], with: [DiagnosticID])] = [
            ("name == Kyle", [.bareKeysCompared], [.bareKeysCompared]), ("name == city", [.bareKeysCompared], []),
            ("age < nil", [.comparisonConstant], [.comparisonConstant]), ("name LIKE 5", [.stringOperand], []),
            ("'a' + age == 1", [.operandType], []), ("1 == 1", [.comparisonConstant], [.comparisonConstant]),
            ("age == 'old'", [], [.comparisonConstant]), ("age BETWEEN 1", [.betweenOperand], []),
            ("serial-number == 1", [.hyphenatedKey], [.hyphenatedKey]),
        ]
        let schema = PredicateSchema.Entity(
            "Person", attributes: [.init("name", .string), .init("city", .string), .init("age", .integer)])
        forEachCase(rows) { row in
            let checker = try TypeChecker(schema: PredicateSchema([schema]), entity: "Person")
            let predicate = try FormatPredicate(row.0)
            #expect(ids(predicate.hints()) == row.without, "\(row.0)")
            #expect(ids(predicate.hints(for: checker)) == row.with, "\(row.0)")
        }
    }

    /// An error has the advice of the hint.
    @Test func errorsHaveAdvice() throws {
        let schema = PredicateSchema.Entity("Person", attributes: [.init("name", .string), .init("age", .integer)])
        let checker = try TypeChecker(schema: PredicateSchema([schema]), entity: "Person")
        let found = checker.check(FormatPredicate.parse("name LIKE 5 AND 'a' + age == 1"))
        #expect(ids(found) == [.stringOperand, .operandType])
        #expect(found.allSatisfy { $0.severity == .error })
        #expect(found[0].fixIts == [.init(SourceSpan(10, 11), "\"5\"")])
        #expect(found[1].message.contains("text"))
    }

    /// Nodes of an argument have one span. Equal hints about them are one hint.
    @Test func equalHintsAreOne() throws {
        let bare = try FormatExpression("pets.@size + dogs.@size")
        let predicate = try FormatPredicate("%@ > 3", bare)
        #expect(predicate.hints().count <= 1)
    }

    /// A search through all SUBQUERYs for each variable would take minutes.
    @Test(.timeLimit(.minutes(1))) func variablesOfManySubqueries() {
        let text = String(repeating: "SUBQUERY(a,$x,$x=1)!=$x||", count: TestDepth.size(24_000)) + "$x=1"
        let found = PredicateTree.predicate(FormatPredicate.parse(text).tree).findings(
            source: text, by: .text(.standard))
        #expect(found.count == PredicateLimits.standard.diagnostics)
        #expect(found.allSatisfy { $0.id == .unboundVariable && $0.severity == .warning })
    }
}
