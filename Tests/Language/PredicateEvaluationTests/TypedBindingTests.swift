// Binding to published types: the schema of a key table, warnings, variables, computed key tables, and a comparison of
// the checker with the evaluator for every pair of keys.
import Foundation
import PredicateTestSupport
import PredicateSQL
import Predicates
import Testing

private struct Sample: Queryable, Sendable {
    enum Mood: String, QueryableValue, Sendable { case calm, loud }

    var text = "a"
    var textOrNil: String?
    var integer = 1
    var integerOrNil: Int?
    var double = 1.5
    var decimal = Decimal(2)
    var large: UInt64 = .max
    var answer = true
    var date = Date(timeIntervalSinceReferenceDate: 5)
    var id = UUID()
    var url = URL(filePath: "/")
    var data = Data([1])
    var mood = Mood.calm
    var texts = ["a", "b"]
    var numbers: Set = [1, 2]
    var gaps: [Int?] = [1, nil]
    var entries = ["k": 1]
    var value = PredicateValue.integer(1)
    var part: Part?
    var parts: [Part] = [Part(), Part()]

    static let keys: KeyTable<Sample> = [
        .key("text", \.text), .key("textOrNil", \.textOrNil), .key("integer", \.integer),
        .key("integerOrNil", \.integerOrNil), .key("double", \.double), .key("decimal", \.decimal),
        .key("large", \.large), .key("answer", \.answer), .key("date", \.date), .key("id", \.id), .key("url", \.url),
        .key("data", \.data), .key("mood", \.mood), .key("texts", \.texts), .key("numbers", \.numbers),
        .key("gaps", \.gaps), .key("entries", \.entries), .key("value", \.value), .key("part", \.part),
        .key("parts", \.parts),
    ]
    static let paths = keys.names + ["part.size", "parts.size", "parts.@count", "part.owner.integer", "texts.length"]

    static let samples = [
        Sample(),
        Sample(
            text: "", textOrNil: "ab", integer: -3, integerOrNil: 7, double: -2, large: 3, answer: false, mood: .loud,
            texts: [], numbers: [], gaps: [], entries: [:], value: .string("a"), part: Part(size: 2), parts: []),
    ]
}

private final class Part: Queryable, Sendable {
    let size: Int?
    let owner: Sample? = nil
    init(size: Int? = nil) { self.size = size }
    static let keys: KeyTable<Part> = [.key("size", \.size), .key("owner", \.owner)]
}

/// Checks the type checker. If it accepts a predicate, evaluation must not fail because of types. If it refuses a
/// predicate, evaluation must fail for every object without nil in these keys. If it calls a comparison constant, the
/// comparison must be constant.
struct TypedBindingSoundnessTests {
    private static let operators: [ComparisonOperator] = [
        .lessThan, .greaterThanOrEqual, .equal, .notEqual, .beginsWith, .like, .matches, .in, .contains, .between,
        .utiConformsTo,
    ]
    private static let constants: [PredicateValue] = [
        .null, .integer(1), .double(0.5), .string("a"), .bool(true), .date(5), .array([]),
        .array([.integer(1), .integer(2)]), .array([.string("a"), .string("b")]), .array([.null, .integer(1)]),
    ]
    private static let typeFaults: Set<DiagnosticID> = [
        .operandType, .stringOperand, .notACollection, .castFailed, .typeMismatch, .unknownKey, .quantifierOverSingle,
    ]

    @Test(.cases) func comparisons() {
        forEachCase(Self.operators) { (op) throws in
            let stride = TestDepth.isQuickest ? 27 : TestDepth.step(9, inCI: 9)
            var counts = (accepted: 0, refused: 0, constant: 0)
            let paths = Sample.paths.map { FormatExpression.key($0) }
            let sides = paths + Self.constants.map { FormatExpression.value($0) }
            for (row, left) in paths.enumerated() {
                for (column, right) in sides.enumerated() {
                    for (plane, modifier) in [ComparisonModifier.direct, .any, .all].enumerated()
                    where (row + column + 3 * plane) % stride == 0 {
                        let predicate = FormatPredicate.comparison(left, op, right, modifier: modifier)
                        do throws(PredicateFailure) {
                            let matcher = try predicate.compiled(for: Sample.self)
                            counts.accepted += 1
                            check(accepted: predicate, matcher, &counts.constant)
                        } catch {
                            counts.refused += 1
                            check(refused: predicate, error)
                        }
                    }
                }
            }
            #expect(counts.accepted > TestDepth.least(2))
            if ![.equal, .notEqual].contains(op) { #expect(counts.refused > TestDepth.least(20)) }
            if op == .equal { #expect(counts.constant > TestDepth.least(20)) }
        }
    }

    private func check(accepted predicate: FormatPredicate, _ matcher: PredicateMatcher<Sample>, _ constants: inout Int)
    {
        let outcome = matcher.warnings.first { $0.id == .comparisonConstant }?.details[0]
        if outcome != nil { constants += 1 }
        for sample in Sample.samples {
            do throws(PredicateFailure) {
                let answer = try matcher.test(sample)
                let fits = outcome == nil || outcome == "\(answer)" || outcome?.hasSuffix("is empty") == true
                if !fits { Issue.record("\(predicate) is \(answer), not \(outcome ?? "")") }
            } catch {
                // Only the object shows the content of a key of any type, and the number of bounds in a list.
                let isOpen = ["value", "BETWEEN", "gaps", "entries"].contains { predicate.description.contains($0) }
                let isTypeFault = error.diagnostics.contains { Self.typeFaults.contains($0.id) }
                if isTypeFault, !isOpen { Issue.record("\(predicate) is accepted, and fails: \(error)") }
            }
        }
    }

    /// Evaluates the refused predicate for the object as a value. Values are not checked before evaluation.
    private func check(refused predicate: FormatPredicate, _ failure: PredicateFailure) {
        if failure.diagnostics.contains(where: { $0.id == .toManyKey || $0.id == .malformedPattern }) { return }
        // nil is valid for every operator, and an empty collection has no element that fails.
        if ["nil", "OrNil", "part", "gaps"].contains(where: { predicate.description.contains($0) }) { return }
        for sample in Sample.samples.prefix(1) {
            guard let answer = try? predicate.evaluate(sample.queryValue) else { continue }
            Issue.record("\(predicate) is refused, and \(answer): \(failure)")
        }
    }
}

struct PublishedSchemaTests {
    @Test func aSchemaOfATable() throws {
        let schema = try PredicateSchema(of: Sample.self)
        #expect(schema.defaultEntity == "Sample")
        #expect(schema.entityNames == ["Sample", "Part"])
        #expect(schema.keys(of: "Part") == ["size", "owner"])
        let sample = try #require(schema.entity("Sample"))
        let types = sample.attributes.map { "\($0.name) \(ExpressionType($0.type, isOptional: $0.isOptional).inWords)" }
        #expect(
            types == [
                "text a text", "textOrNil a text", "integer an integer", "integerOrNil an integer", "double a number",
                "decimal a decimal", "large a number", "answer a Boolean", "date a date", "id a UUID", "url a URL",
                "data data", "mood a text", "texts a list of texts", "numbers a set of integers",
                "gaps a list of integers", "entries a dictionary", "value a value",
            ])
        #expect(sample.attributes.filter(\.isOptional).map(\.name) == ["textOrNil", "integerOrNil", "value"])
        #expect(sample.relationships.map(\.name) == ["part", "parts"])
        #expect(sample.relationships.map(\.target) == ["Part", "Part"])
        #expect(sample.relationships.map(\.isToMany) == [false, true])
        #expect(sample.relationships.map(\.isOptional) == [true, false])
        #expect(try schema == PredicateSchema(of: Sample.self))
    }

    /// A request for a store whose tables and columns have the names of the type and its keys.
    @Test func aSchemaOfATypeTranslates() throws {
        let query = try FormatPredicate("integer > 3").sql(
            .sqlite, entity: "Sample", in: PredicateSchema(of: Sample.self))
        #expect(query.isExact)
    }

    private enum Other {
        struct Part: Queryable {
            var part = FilePart()
            static let keys: KeyTable<Part> = [.key("part", \.part)]
        }
    }

    /// Two types with the same name are two entities.
    @Test func typesWithTheSameNameAreDifferentEntities() throws {
        let schema = try PredicateSchema(of: Other.Part.self)
        #expect(schema.entityNames.count == 3)
        #expect(schema.entityNames[0] == "Part" && schema.entityNames[2] == "Sample")
        #expect(schema.entityNames[1] != "Part" && schema.entityNames[1].hasSuffix("Part"))
        let failure = #expect(throws: PredicateFailure.self) {
            try FormatPredicate("part.sise == 1").compiled(for: Other.Part.self)
        }
        #expect(failure?.diagnostics.first?.suggestion == "size")
    }

    /// A relationship to a class may refer to an object of a subclass.
    @Test func aSubclassIsRelatedToItsClass() throws {
        let matcher = try FormatPredicate("SELF == friend AND ANY others == SELF").compiled(for: Hound.self)
        #expect(matcher.warnings.isEmpty)
        #expect(try PredicateSchema(of: Hound.self).entity("Hound")?.parent == "Creature")
        let failure = #expect(throws: PredicateFailure.self) {
            try FormatPredicate("nam == 'x'").compiled(for: Hound.self)
        }
        #expect(failure?.diagnostics.first?.message == "Hound has no key 'nam'")
    }

    /// The schema of a type that contains itself without end is limited.
    @Test func schemasOfRecursiveGenericTypesAreLimited() throws {
        let schema = try PredicateSchema(of: Nest<Int>.self)
        #expect(schema.entities.count == 65)
        #expect(try FormatPredicate("inner.inner.value > 3").compiled(for: Nest<Int>.self).warnings.isEmpty)
        #expect(throws: PredicateFailure.self) {
            try FormatPredicate("inner.inner.valeu > 3").compiled(for: Nest<Int>.self)
        }
    }

    @TaskLocal private static var name = "one"

    private struct Changing: Queryable {
        var text = ""
        static var keys: KeyTable<Changing> { [.key(PublishedSchemaTests.name, \.text)] }
    }

    /// A computed key table is read again for each evaluation.
    @Test func computedTables() throws {
        #expect(try FormatPredicate("one == ''").evaluate(Changing()))
        #expect(throws: PredicateFailure.self) { try FormatPredicate("two == ''").evaluate(Changing()) }
        Self.$name.withValue("two") {
            #expect(throws: Never.self) { try FormatPredicate("two == ''").evaluate(Changing()) }
            #expect(throws: PredicateFailure.self) { try FormatPredicate("one == ''").evaluate(Changing()) }
        }
    }

    private struct Doubled: Queryable {
        var name = ""
        static let keys: KeyTable<Doubled> = [.key("name", \.name), .key("name", \.name), .key("a.b", \.name)]
    }

    @Test func keysThatCannotBeNamed() throws {
        let error = #expect(throws: SchemaError.self) { try PredicateSchema(of: Doubled.self) }
        #expect(
            error?.description == """
                Doubled publishes the key 'name' more than once
                Doubled publishes the key 'a.b'; no predicate can name it, because a dot separates keys
                """)
        let failure = #expect(throws: PredicateFailure.self) {
            try FormatPredicate("TRUEPREDICATE").evaluate(Doubled())
        }
        #expect(failure?.diagnostics.map(\.id) == [.keyTable, .keyTable])
    }
}

private typealias FilePart = Part

private class Creature: Queryable {
    var name = ""
    var friend: Creature?
    var others: [Creature] = []
    static let keys: KeyTable<Creature> = [.key("name", \.name), .key("friend", \.friend), .key("others", \.others)]
}

private final class Hound: Creature {}

private final class Nest<Value: QueryableValue>: Queryable {
    var inner: Nest<[Value]>?
    var value = 1
    static var keys: KeyTable<Nest<Value>> { [.key("inner", \.inner), .key("value", \.value)] }
}

struct BindingFindingsTests {
    private func findings(_ text: String, _ variables: PredicateVariables = [:]) -> String {
        do throws(PredicateFailure) {
            let found = try FormatPredicate(text).compiled(for: Sample.self, variables: variables).warnings
            return found.map { "\($0.severity) \($0.id.rawValue)" }.joined(separator: ", ")
        } catch { return error.diagnostics.map { "\($0.severity) \($0.id.rawValue)" }.joined(separator: ", ") }
    }

    @Test(.cases) func finds() {
        let cases: [(String, String)] = [
            ("text > 5", "error type-mismatch"), ("integer CONTAINS 'x'", "error not-a-collection"),
            ("id BEGINSWITH 'E'", "error string-operand"), ("ANY text == 'x'", "error quantifier-over-single"),
            ("date < 3", "error type-mismatch"), ("id == 'text'", "warning comparison-constant"),
            ("date == '2024-01-01'", "warning comparison-constant"), ("text == nil", "warning comparison-constant"),
            ("textOrNil == nil", ""), ("text == textOrNil", ""), ("text == teext", "error unknown-key"),
            ("text > 5 AND integer == 'x'", "error type-mismatch, warning comparison-constant"),
            ("large == 18446744073709551615.0", ""),
            ("integer == 18446744073709551615.0", "warning comparison-constant"),
        ]
        forEachCase(cases) { text, expected in #expect(findings(text) == expected, "\(text)") }
    }

    @Test func variablesHaveTypes() throws {
        #expect(findings("integer > $x", ["x": "text"]) == "error type-mismatch")
        #expect(findings("integer > $x", ["x": 3]) == "")
        #expect(findings("$x == nil OR text == $x", ["x": nil]) == "")
        #expect(try findings("text == $x", ["x": FormatExpression("part.size")]) == "warning comparison-constant")
        #expect(try findings("text == $x", ["x": FormatExpression("part.sise")]) == "error unknown-key")
        #expect(findings("text == $x") == "error unbound-variable")
        // The predicate assigns this variable.
        #expect(findings("($x := integer) > 0 AND $x > 0", ["x": "text"]) == "")
        // This variable belongs to the SUBQUERY.
        #expect(findings("SUBQUERY(parts, $x, $x.size > 0).@count > 0", ["x": "text"]) == "")
    }

    /// The functions, methods and operators of the app are accepted, also if the standard catalogue refuses them.
    @Test func functionsOfTheAppAreAccepted() throws {
        var functions = FunctionCatalog.standard
        functions.addOperator("near:") { (_, _) throws(EvaluationFault) in true }
        let environment = PredicateEnvironment(functions: functions)
        #expect(try FormatPredicate("text near: 'x'", in: environment).compiled(for: Sample.self).matches(Sample()))
        let predicate = try FormatPredicate("text near: 'x'")
        #expect(throws: PredicateFailure.self) { try predicate.compiled(for: Sample.self) }
    }

    @Test func treesBuiltInCode() throws {
        let built = FormatPredicate.comparison(.key("text"), .greaterThan, .value(5)) && FormatPredicate.constant(true)
        let failure = #expect(throws: PredicateFailure.self) { try built.compiled(for: Sample.self) }
        #expect(failure?.diagnostics.map(\.id) == [.typeMismatch])
        var high = FormatPredicate.comparison(.key("text"), .equal, .value("a"))
        for _ in 0..<300 { high = !high }
        let tooHigh = #expect(throws: PredicateFailure.self) { try high.compiled(for: Sample.self) }
        #expect(tooHigh?.diagnostics.map(\.id) == [.limitExceeded])
        #expect(throws: PredicateFailure.self) { try high.evaluate(Sample()) }
    }

    @Test func expressionsAreChecked() throws {
        #expect(try FormatExpression("integer + 1").evaluate(Sample()) == .integer(2))
        let failure = #expect(throws: PredicateFailure.self) { try FormatExpression("text + 1").evaluate(Sample()) }
        #expect(failure?.diagnostics.map(\.id) == [.operandType])
    }
}
