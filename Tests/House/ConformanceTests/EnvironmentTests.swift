// A predicate keeps the environment that it was made in: functions of the app, extensions, limits and a locale work
// wherever the predicate, or one that is derived from it, is checked, evaluated, explained or translated.
import Foundation
import PredicateFoundation
import PredicateRules
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct EnvironmentTests {
    private struct Child: Queryable {
        var name = "Ada"
        var age = 36
        static let keys: KeyTable<Child> = [.key("name", \.name), .key("age", \.age)]
    }

    private static func function(_ name: String, _ factor: Double) -> PredicateFunction {
        PredicateFunction(name, arity: 1, signature: name + "(number)", summary: "") { (arguments, _) in
            .double((arguments[0].doubleValue ?? 0) * factor)
        }
    }

    private static func functions(_ change: (inout FunctionCatalog) -> Void) -> FunctionCatalog {
        var functions = FunctionCatalog.standard
        change(&functions)
        return functions
    }

    private static let environment = PredicateEnvironment(
        functions: functions { $0.add(function("half:", 0.5)) }, language: .stringConcatenation)
    private static let schema = Result {
        try PredicateSchema([
            .init(
                "Child", table: "child", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("name", .string), .init("age", .integer)])
        ])
    }

    private let old: [String: Any] = ["age": 36, "name": "Ada"]
    private let young: [String: Any] = ["age": 10, "name": "Bob"]

    // MARK: Use

    @Test func aPredicateIsEvaluatedInItsEnvironment() throws {
        let predicate = try FormatPredicate("half:(age) == %@ AND name + 'x' == 'Adax'", 18, in: Self.environment)
        #expect(predicate.environment === Self.environment)
        #expect(try predicate.evaluate(old) && !predicate.evaluate(young))
        #expect(try predicate.evaluate(Child()))
        #expect(try [Child(), Child(age: 1)].filter(predicate).count == 1)
        #expect(try predicate.compiled(for: Child.self).matches(Child()))
        #expect(try [old, young].filter(predicate.compiled(for: [String: Any].self)).count == 1)
        var builder = PredicateTableBuilder()
        for row in [old, young] { builder.append(try PredicateValue(converting: row)) }
        #expect(try builder.finish().filter(predicate).count == 1)
        let set = try PredicateSet<Int, Child>()
        try set.insert(predicate, for: 1)
        #expect(set.matching(Child()) == [1])
        #expect(try FormatExpression("half:(age)", in: Self.environment).evaluate(old) == .double(18))
        let byName = try FormatExpression("half:(age) * -1", in: Self.environment)
        #expect(try [Child(age: 1), Child()].sorted(by: [PredicateSortKey(byName)]).map(\.age) == [36, 1])
        #expect(predicate.hints().isEmpty)
        let checker = try TypeChecker(schema: Self.schema.get(), entity: "Child", in: Self.environment)
        #expect(checker.check(FormatPredicate.parse("half:(age) == 18 AND name + 'x' == 'y'")).isEmpty)
    }

    @Test func equalityIgnoresTheEnvironmentAndCodingItsFunctions() throws {
        let predicate = try FormatPredicate("half:(age) == 18", in: Self.environment)
        #expect(predicate == FormatPredicate(predicate.root))
        #expect(PredicateSortKey("age", in: Self.environment) == PredicateSortKey("age"))
        let data = try JSONEncoder().encode(predicate)
        let plain = try JSONDecoder().decode(FormatPredicate.self, from: data)
        #expect(plain == predicate && plain.environment.language == Self.environment.language)
        let decoder = JSONDecoder()
        decoder.userInfo[.predicateEnvironment] = Self.environment
        #expect(try decoder.decode(FormatPredicate.self, from: data).evaluate(old))
        let expression = try FormatExpression("half:(age)", in: Self.environment)
        let coded = try JSONEncoder().encode([expression])
        #expect(try decoder.decode([FormatExpression].self, from: coded)[0].evaluate(old) == .double(18))
    }

    /// A decoded predicate means the same; what cannot be made again is an error.
    @Test func codingKeepsTheLanguageAndTheZone() throws {
        let text = "due == '2026-05-01' AND due.hour < 5"
        let bill = Bill(due: Date(timeIntervalSinceReferenceDate: 799_300_000))
        for zone in [PredicateTimeZone(secondsFromUTC: 3600), nil] {
            let environment = PredicateEnvironment(
                language: [.dates, .typedTexts], localeIdentifier: "de", timeZone: zone)
            let predicate = try FormatPredicate(text, in: environment)
            let data = try JSONEncoder().encode(["rule": predicate])
            let decoded = try #require(JSONDecoder().decode([String: FormatPredicate].self, from: data)["rule"])
            #expect(decoded == predicate && decoded.environment.language == environment.language)
            #expect(decoded.environment.timeZone == zone && decoded.environment.localeIdentifier == "de")
            #expect(try decoded.evaluate(bill) && predicate.evaluate(bill))
            let key = try JSONDecoder().decode(
                FormatExpression.self, from: JSONEncoder().encode(FormatExpression("due.hour", in: environment)))
            #expect(try key.evaluate(bill) == FormatExpression("due.hour", in: environment).evaluate(bill))
        }
        let ruled = PredicateTimeZone("Europe/Berlin") { $0 > 0 ? 3600 : 0 }
        let berlin = try FormatPredicate("due.hour == 1", in: PredicateEnvironment(language: [.dates], timeZone: ruled))
        let data = try JSONEncoder().encode(berlin)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FormatPredicate.self, from: data) }
        let decoder = JSONDecoder()
        decoder.userInfo[.predicateEnvironment] = berlin.environment
        #expect(try decoder.decode(FormatPredicate.self, from: data).environment === berlin.environment)
        let unknown = Data(#"{"format": "a == 1", "language": ["datse"]}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(FormatPredicate.self, from: unknown) }
    }

    // MARK: Derived predicates

    @Test func derivedPredicatesKeepTheEnvironment() throws {
        let schema = try Self.schema.get()
        let half = try FormatPredicate("half:(age) == 18 AND age > 1", in: Self.environment)
        let adult = try FormatPredicate("age > 30")
        let expression = try FormatExpression("half:(age)", in: Self.environment)
        let timed = try FormatPredicate("half:(age) == 18 AND now() != nil", in: Self.environment)
        let asked = try FormatPredicate("half:(age) == $x", in: Self.environment)
        let derived: [(String, FormatPredicate)] = [
            ("&&", half && adult), ("&&, right", adult && half), ("a chain of &&", adult && adult && half),
            ("||", half || !adult), ("NOT", !(!half)), ("and", .and([adult, half, adult])), ("or", .or([half])),
            ("a comparison", .comparison(expression, .equal, .value(18))),
            ("an argument", try FormatPredicate("%@ == 18", expression)),
            ("substituting", try asked.substituting(["x": 18])), ("simplified", half.simplified()),
            ("simplified for a schema", half.simplified(for: schema, entity: "Child")),
            ("partial", try half.partial(knowing: ["name": "Ada"]).predicate), ("fixed", timed.fixed(at: .at(0))),
            ("renamed", try half.renamed(from: schema, to: schema, entity: "Child")),
            ("the residual", try #require(try half.sql(.sqlite, entity: "Child", in: schema).residual)),
            (
                "the residual of a back end",
                try #require(CapabilitySplit(StoreRequest("Child", where: half), StoreCapabilities()).residual)
            ),
        ]
        for (name, predicate) in derived {
            #expect((try? predicate.evaluate(old)) == true, "\(name)")
        }
        let wrong = half.simplified()
        #expect(try !wrong.evaluate(young) && wrong.explanation(for: young).description.contains("half:(age)"))
        #if !canImport(ObjectiveC)
            let object = try NSPredicate(half)
            #expect(object.evaluate(with: old) && !object.evaluate(with: young))
            #expect(NSCompoundPredicate(andPredicateWithSubpredicates: [object, object]).evaluate(with: old))
            #expect(try FormatPredicate(object).evaluate(old))
        #endif
    }

    @Test func storesUseTheEnvironmentOfTheRequest() throws {
        let schema = try Self.schema.get()
        let rows = [(1, "Ada", 36), (2, "Bob", 10), (3, "Cid", 20)].map { id, name, age in
            ValueDictionary([
                ("id", PredicateValue.integer(Int64(id))), ("name", .string(name)), ("age", .integer(Int64(age))),
            ])
        }
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
        _ = try database.rows("CREATE TABLE child (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL)")
        let memory = try InMemoryStore(schema, ["Child": rows])
        _ = try database.insert(rows, into: "Child")
        // `abs:` would be SQL if it were the standard function.
        let functions = Self.functions {
            $0.add(Self.function("half:", 0.5))
            $0.add(Self.function("abs:", -1))
        }
        let own = PredicateEnvironment(functions: functions, language: .stringConcatenation)
        for store in [memory, database] as [any PredicateStore] {
            func names(_ text: String, _ sort: [PredicateSortKey] = [PredicateSortKey("id")]) throws -> [PredicateValue]
            {
                try store.fetch(StoreRequest("Child", where: FormatPredicate(text, in: own), sort: sort)).map {
                    $0["name"]
                }
            }
            #expect(try names("half:(age) >= 10 AND age < 30") == [.string("Cid")])
            #expect(try names("abs:(age) == -36") == [.string("Ada")])
            #expect(try names("name + 'x' == 'Bobx'") == [.string("Bob")])
            let key = PredicateSortKey(try FormatExpression("abs:(age)", in: own))
            #expect(try names("TRUEPREDICATE", [key]) == [.string("Ada"), .string("Cid"), .string("Bob")])
            #expect(try store.fetch(StoreRequest("Child", where: FormatPredicate("abs(age) == 36"))).count == 1)
            #expect(try names("abs:(age) == -36") == [.string("Ada")])
        }
    }

    /// A set reads a key once for all predicates, but a key may be the name of a method.
    @Test func setsTestPredicatesWithMethodsOfTheirOwn() throws {
        let method = PredicateFunction("length", arity: 1, signature: "length", summary: "") { (_, _) in .integer(7) }
        let own = PredicateEnvironment(functions: Self.functions { $0.addMethod(method) })
        let set = try PredicateSet<Int, Child>()
        try set.insert(FormatPredicate("name.length == 3"), for: 3)
        try set.insert(FormatPredicate("name.length == 7", in: own), for: 7)
        try set.insert(FormatPredicate("name.length == 8", in: own), for: 8)
        #expect(Set(set.matching(Child())) == [3, 7])
    }

    // MARK: Joining

    @Test func equalEnvironmentsAreShared() throws {
        let standard = try FormatPredicate("age > 1")
        #expect((standard && standard).environment === PredicateEnvironment.standard)
        let half = try FormatPredicate("half:(age) > 1", in: Self.environment)
        #expect((half || half).environment === Self.environment)
    }

    /// So their limits, which are lower, do not count.
    @Test func keysAndConstantsMadeInCodeHaveNoEnvironment() throws {
        var limits = PredicateLimits()
        limits.time = .seconds(60)
        let patient = PredicateEnvironment(limits: limits)
        let double = try FormatExpression("age * 2", in: patient)
        let predicate = FormatPredicate.comparison(.key("size"), .lessThan, double)
        #expect((predicate && .constant(true)).environment === patient)
        #expect(FormatPredicate.comparison(.key("a"), .equal, .value(1)).environment === PredicateEnvironment.standard)
    }

    @Test func joinedEnvironmentsHaveTheLanguageOfBothAndTheLowerLimits() throws {
        var (short, slow) = (PredicateLimits(), PredicateLimits())
        (short.steps, slow.elements) = (10, 20)
        let one = try FormatPredicate("a == 1", in: PredicateEnvironment(language: .stringConcatenation, limits: short))
        let other = try FormatPredicate(
            "größe == 1",
            in: PredicateEnvironment(language: .unicodeIdentifiers, limits: slow, localeIdentifier: "de_DE"))
        let joined = (one && other).environment
        #expect(joined.language == [.stringConcatenation, .unicodeIdentifiers])
        #expect(joined.limits.steps == 10 && joined.limits.elements == 20)
        #expect(joined.localeIdentifier == "de_DE")
    }

    private static func drawing(_ parent: String) -> TypeIdentifiers {
        var types = TypeIdentifiers.standard
        types.add("com.example.drawing", conformingTo: [parent])
        return types
    }

    /// Two environments that define something differently, a text that uses it, and its name in the message.
    private static let conflicts: [(PredicateEnvironment, PredicateEnvironment, String, String)] = [
        (
            environment, PredicateEnvironment(functions: functions { $0.add(function("half:", 0.4)) }),
            "half:(age) == 18", "half"
        ),
        (
            .standard, PredicateEnvironment(functions: functions { $0.add(function("abs:", -1)) }), "abs(age) == 1",
            "abs"
        ),
        (
            .standard, PredicateEnvironment(functions: functions { $0.addMethod(function("length", 2)) }),
            "name.length == 1", "length"
        ),
        (
            PredicateEnvironment(functions: functions { $0.addOperator("near:") { (_, _) in true } }),
            PredicateEnvironment(functions: functions { $0.addOperator("near:") { (_, _) in false } }),
            "name near: 'x'", "near"
        ),
        (
            PredicateEnvironment(localeIdentifier: "de_DE"), PredicateEnvironment(localeIdentifier: "sv_SE"),
            "name <[l] 'x'", "[l]"
        ),
        (
            PredicateEnvironment(typeIdentifiers: drawing("public.image")),
            PredicateEnvironment(typeIdentifiers: drawing("public.text")), "name UTI-CONFORMS-TO 'public.image'",
            "UTI-CONFORMS-TO"
        ),
    ]

    @Test func aNameWithTwoDefinitionsIsAnErrorWhereItIsUsed() throws {
        let schema = try Self.schema.get()
        for (one, other, text, name) in Self.conflicts {
            let parts = try [FormatPredicate(text, in: one), FormatPredicate("age > 1", in: other)]
            let predicate = parts[0] && parts[1]
            func expect(_ what: String, _ body: () throws -> Void) {
                let failure = #expect(throws: PredicateFailure.self, "\(what): \(text)") { try body() }
                let found = failure?.diagnostics.filter { $0.severity == .error } ?? []
                #expect(found.map(\.id) == [.conflictingDefinition], "\(what): \(text)")
                #expect(found.first?.message == "the parts of the predicate define '\(name)' differently")
            }
            expect("evaluate") { _ = try predicate.evaluate(old) }
            expect("compile") { _ = try predicate.compiled(for: Child.self) }
            expect("right part") { _ = try (parts[1] || parts[0]).evaluate(old) }
            expect("SQL") { _ = try predicate.sql(.sqlite, entity: "Child", in: schema) }
            let checker = try TypeChecker(schema: schema, entity: "Child", in: predicate.environment)
            #expect(checker.check(FormatPredicate.parse(text)).contains { $0.id == .conflictingDefinition })
            // Other names may have two definitions.
            #expect(try FormatPredicate("age > 30", in: predicate.environment).evaluate(old))
        }
    }

    private struct Bill: Queryable {
        var due: Date
        static let keys: KeyTable<Bill> = [.key("due", \.due)]
    }

    @Test func aDateAsATextHasOneTimeZone() throws {
        let zones = [PredicateTimeZone(secondsFromUTC: 50_400), nil]
        let parts = try zones.map { zone in
            try FormatPredicate(
                "due == '2026-05-01'", in: PredicateEnvironment(language: [.typedTexts], timeZone: zone))
        }
        let schema = try PredicateSchema(of: Bill.self)
        for joined in [parts[0] || parts[1], parts[1] && parts[0]] {
            let failure = #expect(throws: PredicateFailure.self) { try joined.compiled(for: Bill.self) }
            #expect(failure?.diagnostics.contains { $0.id == .conflictingDefinition } ?? false)
            #expect(throws: PredicateFailure.self) { try joined.sql(.sqlite, entity: "Bill", in: schema) }
        }
        // A part that has no dates as texts has no zone.
        let bill = Bill(due: Date(timeIntervalSinceReferenceDate: 799_243_200))
        for part in parts { #expect(try (part || FormatPredicate("due == nil")).evaluate(bill) == part.evaluate(bill)) }
    }

    /// Claims about predicates of two environments: a function of one is known, and two definitions are refused.
    @Test func claimsJoinEnvironments() throws {
        let other = PredicateEnvironment(functions: Self.functions { $0.add(Self.function("half:", 0.4)) })
        let rule = try FormatPredicate(text: "half(age) > 3 AND name == 'Ada'", in: Self.environment)
        #expect(rule.implies(try FormatPredicate(text: "name != 'Bob'")) == .proven)
        #expect(rule.implies(try FormatPredicate(text: "half(age) > 3", in: Self.environment)) == .proven)
        let claim = rule.implies(try FormatPredicate(text: "half(age) > 3", in: other))
        guard case .unknown(.refused) = claim else { return #expect(Bool(false), "\(claim)") }
    }
}
