// Runs every golden case that can be evaluated with all plans, and compares the results. The object is a value, a
// dictionary, a struct and a class instance with the keys of the case.

import Foundation
import GoldenCases
import PredicateEvaluation
import PredicateTestSupport
import Testing

@Suite struct EveryPlanTests {
    @Test(.cases) func everyPlanAgreesOnEveryCase() {
        forEachCase(GoldenTests.files) { path in
            let file = try GoldenFile(Project.text(path))
            let runner = try GoldenRunner(path: path, schema: file.schema)
            for golden in TestDepth.some(file.cases, every: 10) {
                let subject = try GoldenSubject(golden)
                guard subject.parses else { continue }
                for object in subject.input.map({ [$0] }) ?? [.null] + (runner.world?.rows.map(\.object) ?? []) {
                    PlanComparison(subject, object, "\(path): \(golden.title)").run()
                }
            }
        }
    }

    /// Checks that most cases have typed keys, so that the comparison covers the typed plans.
    @Test func casesReachEveryPlan() throws {
        var structs = 0
        for path in GoldenTests.files {
            for golden in try GoldenFile(Project.text(path)).cases {
                let subject = try GoldenSubject(golden)
                guard subject.parses, let input = subject.input else { continue }
                if PlanComparison(subject, input, path).runsOverObjects { structs += 1 }
            }
        }
        #expect(structs > 100)
    }
}

/// Runs one predicate for one object through every plan.
struct PlanComparison {
    private let predicate: FormatPredicate
    private let variables: PredicateVariables
    private let settings = PredicateRun(clock: { 700_000_000 }, seed: 1)
    private let object: PredicateValue
    private let name: String

    init(_ subject: GoldenSubject, _ object: PredicateValue, _ name: String) {
        self.object = object
        self.name = name
        variables = subject.variables
        let environment = PredicateEnvironment(language: subject.environment.language, localeIdentifier: "en_US")
        switch subject.tree {
        case .predicate(let node): predicate = FormatPredicate(node, source: subject.format, in: environment)
        case .expression(let node):
            // An expression becomes an operand of a comparison with its own value, or with 0 if it throws.
            let value =
                (try? FormatExpression(node, source: subject.format, in: environment).evaluate(
                    object, variables: variables, run: settings)) ?? .integer(0)
            let comparison = ComparisonNode(node, .equal, ExpressionNode(.value(value)))
            predicate = FormatPredicate(PredicateNode(.comparison(comparison)), source: subject.format, in: environment)
        }
    }

    func run() {
        let meaning = answer { () throws(PredicateFailure) in
            try predicate.evaluate(object, variables: variables, run: settings)
        }
        check("a value", meaning, object) { () throws(PredicateFailure) in
            try predicate.compiled(variables: variables, run: settings)
        }
        guard case .dictionary(let dictionary) = object else { return }
        let pairs = zip(dictionary.keys, dictionary.values).sorted { $0.0 < $1.0 }
        let sorted = answer { () throws(PredicateFailure) in
            try predicate.evaluate(.dictionary(ValueDictionary(pairs)), variables: variables, run: settings)
        }
        let row = Dictionary(uniqueKeysWithValues: pairs)
        check("[String: Value]", sorted, row) { () throws(PredicateFailure) in
            try predicate.compiled(for: [String: PredicateValue].self, variables: variables, run: settings)
        }
        check("[String: Any]", sorted, row.mapValues(Self.any)) { () throws(PredicateFailure) in
            try predicate.compiled(for: [String: Any].self, variables: variables, run: settings)
        }
        guard let slots = GoldenSlots(keys, of: dictionary) else { return }
        GoldenSlots.$places.withValue(slots.places) {
            check(slots.slots)
            check(GoldenObject(slots.slots))
        }
    }

    var runsOverObjects: Bool {
        guard case .dictionary(let dictionary) = object, let slots = GoldenSlots(keys, of: dictionary) else {
            return false
        }
        return GoldenSlots.$places.withValue(slots.places) {
            (try? predicate.compiled(for: GoldenSlots.Slots.self, variables: variables, run: settings)) != nil
        }
    }

    private func check<Root: Queryable>(_ root: Root) {
        let meaning = answer { () throws(PredicateFailure) in
            try predicate.evaluate(root, variables: variables, run: settings)
        }
        check("\(Root.self)", meaning, root) { () throws(PredicateFailure) in
            try predicate.compiled(for: Root.self, variables: variables, run: settings)
        }
    }

    /// Compares the throwing call with the other calls, and arrays of one block with arrays of several blocks.
    private func check<Root>(
        _ kind: String, _ meaning: String, _ root: Root,
        _ compile: () throws(PredicateFailure) -> PredicateMatcher<Root>
    ) {
        let matcher: PredicateMatcher<Root>
        do throws(PredicateFailure) {
            matcher = try compile()
        } catch {
            // Here these errors are found by compiling, elsewhere by evaluating.
            let ids = Set(error.diagnostics.map(\.id))
            if ids.isSubset(of: [.unboundVariable, .unknownKey]) { return }
            #expect(meaning == "\(error)", "\(name), \(kind)")
            return
        }
        let clock = ContinuousClock()
        let start = clock.now
        let tested = answer { () throws(PredicateFailure) in try matcher.test(root) }
        // A case that runs into a limit is slow; test it with a single object.
        let isSlow = clock.now - start > .milliseconds(20)
        #expect(tested == meaning, "\(name), \(kind), test")
        // Random results differ from call to call.
        if predicate.description.contains("random") { return }
        let isSelected = meaning == "true"
        #expect(matcher.matches(root) == isSelected, "\(name), \(kind), matches")
        for count in isSlow ? [1] : [1, 300] {
            let roots = [Root](repeating: root, count: count)
            #expect(roots.count(matching: matcher) == (isSelected ? count : 0), "\(name), \(kind), count")
            #expect(roots.filter(matcher).count == (isSelected ? count : 0), "\(name), \(kind), filter")
            #expect(roots.contains(matching: matcher) == isSelected, "\(name), \(kind), contains")
        }
        let sequence = [root].lazy.map(\.self)
        #expect(sequence.indices(matching: matcher).count == (isSelected ? 1 : 0), "\(name), \(kind), sequence")
    }

    private func answer(_ body: () throws(PredicateFailure) -> Bool) -> String {
        do throws(PredicateFailure) {
            return "\(try body())"
        } catch {
            return "\(error)"
        }
    }

    /// The first keys of all paths.
    private var keys: Set<String> {
        var keys: Set<String> = []
        PredicateWalker(expression: { node in
            if case .keyPath(let path) = node.kind, let first = path.first { keys.insert(first) }
        }).walk(predicate.root)
        return keys
    }

    private static func any(_ value: PredicateValue) -> Any {
        switch value {
        case .null: Int?.none as Any
        case .nsNull: NSNull()
        case .bool(let answer): answer
        case .integer(let number): Int(number)
        case .double(let number): number
        case .string(let text): text
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .array(let elements): elements.map(any)
        default: value
        }
    }
}

/// A struct and a class with the keys of a case. Each key stores a value of the given type.
struct GoldenSlots {
    struct Slots: Queryable {
        var texts = ("", "", "", "")
        var integers = (0, 0, 0, 0)
        var doubles = (0.0, 0.0, 0.0)
        var answers = (false, false)
        var dates = (Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 0))
        var lists: ([String], [String]) = ([], [])
        var nils: (String?, Int?, Double?) = (nil, nil, nil)
        var values: [PredicateValue] = []

        static var keys: KeyTable<Slots> {
            KeyTable(GoldenSlots.places.map { name, place in GoldenSlots.key(name, place, \Slots.self, \.values) })
        }
    }

    enum Place: Sendable {
        case text(Int)
        case integer(Int)
        case double(Int)
        case answer(Int)
        case date(Int)
        case list(Int)
        case null(Int)
        case value(Int)
    }

    @TaskLocal static var places: [String: Place] = [:]

    var slots = Slots()
    var places: [String: Place] = [:]
    private var counts: [String: Int] = [:]

    static let texts: [any WritableKeyPath<Slots, String> & Sendable] = [\.texts.0, \.texts.1, \.texts.2, \.texts.3]
    static let integers: [any WritableKeyPath<Slots, Int> & Sendable] = [
        \.integers.0, \.integers.1, \.integers.2, \.integers.3,
    ]
    static let doubles: [any WritableKeyPath<Slots, Double> & Sendable] = [\.doubles.0, \.doubles.1, \.doubles.2]
    static let answers: [any WritableKeyPath<Slots, Bool> & Sendable] = [\.answers.0, \.answers.1]
    static let dates: [any WritableKeyPath<Slots, Date> & Sendable] = [\.dates.0, \.dates.1]
    static let lists: [any WritableKeyPath<Slots, [String]> & Sendable] = [\.lists.0, \.lists.1]

    /// - Returns: nil if a key cannot be published: `@count`, `a.b`, or a key that every object has.
    init?(_ keys: Set<String>, of dictionary: ValueDictionary) {
        for key in keys.union(dictionary.keys).sorted() {
            if key == "self" || key.isEmpty || key.hasPrefix("@") || key.contains(".") { return nil }
            place(key, dictionary[key] ?? .null)
        }
    }

    private mutating func place(_ key: String, _ value: PredicateValue) {
        switch value {
        case .string(let text):
            if let free = take("text", Self.texts.count) {
                slots[keyPath: Self.texts[free]] = text
                places[key] = .text(free)
                return
            }
        case .integer(let number):
            if let free = take("integer", Self.integers.count) {
                slots[keyPath: Self.integers[free]] = Int(number)
                places[key] = .integer(free)
                return
            }
        case .double(let number):
            if let free = take("double", Self.doubles.count) {
                slots[keyPath: Self.doubles[free]] = number
                places[key] = .double(free)
                return
            }
        case .bool(let answer):
            if let free = take("answer", Self.answers.count) {
                slots[keyPath: Self.answers[free]] = answer
                places[key] = .answer(free)
                return
            }
        case .date(let seconds):
            if let free = take("date", Self.dates.count) {
                slots[keyPath: Self.dates[free]] = Date(timeIntervalSinceReferenceDate: seconds)
                places[key] = .date(free)
                return
            }
        case .array(let elements):
            let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
            if texts.count == elements.count, let free = take("list", Self.lists.count) {
                slots[keyPath: Self.lists[free]] = texts
                places[key] = .list(free)
                return
            }
        case .null:
            if let free = take("null", 3) {
                places[key] = .null(free)
                return
            }
        default: break
        }
        slots.values.append(value)
        places[key] = .value(slots.values.count - 1)
    }

    private mutating func take(_ kind: String, _ limit: Int) -> Int? {
        let count = counts[kind, default: 0]
        guard count < limit else { return nil }
        counts[kind] = count + 1
        return count
    }

    /// A key of a struct, or of a class that contains the struct.
    fileprivate static func key<Root>(
        _ name: String, _ place: Place, _ slots: any KeyPath<Root, Slots> & Sendable,
        _ values: any KeyPath<Slots, [PredicateValue]> & Sendable
    ) -> PublishedKey<Root> {
        switch place {
        case .text(let index): .key(name, joined(slots, texts[index]))
        case .integer(let index): .key(name, joined(slots, integers[index]))
        case .double(let index): .key(name, joined(slots, doubles[index]))
        case .answer(let index): .key(name, joined(slots, answers[index]))
        case .date(let index): .key(name, joined(slots, dates[index]))
        case .list(let index): .key(name, joined(slots, lists[index]))
        case .null(0): .key(name, joined(slots, \Slots.nils.0))
        case .null(1): .key(name, joined(slots, \Slots.nils.1))
        case .null: .key(name, joined(slots, \Slots.nils.2))
        case .value(let index): .key(name, joined(slots, \Slots.values[index]))
        }
    }

    private static func joined<Root, V>(
        _ slots: any KeyPath<Root, Slots> & Sendable, _ path: any KeyPath<Slots, V> & Sendable
    ) -> any KeyPath<Root, V> & Sendable {
        // Both parts are literals without captures, so the result is safe to share.
        unsafeBitCast(slots.appending(path: path), to: (any KeyPath<Root, V> & Sendable).self)
    }
}

final class GoldenObject: Queryable {
    let slots: GoldenSlots.Slots
    init(_ slots: GoldenSlots.Slots) { self.slots = slots }

    static var keys: KeyTable<GoldenObject> {
        KeyTable(GoldenSlots.places.map { name, place in GoldenSlots.key(name, place, \GoldenObject.slots, \.values) })
    }
}
