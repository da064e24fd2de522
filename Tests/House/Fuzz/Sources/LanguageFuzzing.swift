// Format strings: checks the invariants of parsing, compares the answers of all plans, and translates to SQL.

import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateSyntax
import PredicateTestSupport

enum LanguageFuzzing {
    private static let objects: [PredicateValue] = [
        People.person(1), People.person(2), People.person(3),
        .dictionary(
            ValueDictionary([("name", .integer(3)), ("age", .string("7")), ("tags", .dictionary(ValueDictionary([])))])),
    ]

    private static let table: PredicateTable = {
        var builder = PredicateTableBuilder()
        for object in objects { builder.append(object) }
        return builder.finish()
    }()

    /// A run that is repeatable.
    static let run = PredicateRun(clock: { 7e8 }, seed: 1)

    /// An environment in which an evaluation is repeatable and ends soon.
    static func environment(_ language: LanguageOptions = []) -> PredicateEnvironment {
        var limits = PredicateLimits()
        limits.steps = 5000
        limits.elements = 5000
        limits.time = .seconds(3600)
        return PredicateEnvironment(language: language, limits: limits, localeIdentifier: "en_US")
    }

    static func complaint(_ text: String) -> String? {
        let language: LanguageOptions = text.utf8.count % 2 == 0 ? [] : [.deviceManagementTerms, .unicodeIdentifiers]
        let environment = environment(language)
        let parsed = FormatPredicate.parse(text, arguments: .unbound, in: environment)
        if let found = Robustness.violation(of: parsed, options: language) { return found }
        guard !parsed.hasErrors, let predicate = predicate(parsed, in: environment) else { return nil }
        let choice = text.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
        if choice % 8 == 0 { translate(predicate, choice: (choice / 8).magnitude) }
        return differenceOfPlans(predicate)
    }

    /// The predicate; nil if it has conversions, which have no values here. Only a text with a % can have them.
    private static func predicate(
        _ parsed: FormatParser.Parsed<PredicateNode>, in environment: PredicateEnvironment
    ) -> FormatPredicate? {
        parsed.source.utf8.contains(UInt8(ascii: "%"))
            ? try? FormatPredicate(text: parsed.source, in: environment)
            : try? FormatPredicate(parsed, in: environment)
    }

    /// Translates for one dialect and entity, which the input chooses. Translates few inputs only, because a
    /// translation takes much longer than the rest.
    private static func translate(_ predicate: FormatPredicate, choice: UInt) {
        let entities = People.schema.entityNames
        let choice = Int(choice % UInt(SQLDialect.all.count * entities.count))
        let dialect = SQLDialect.all[choice / entities.count]
        _ = try? predicate.sql(dialect, entity: entities[choice % entities.count], in: People.schema, clock: .at(7e8))
    }

    /// Compares the answers of the reference plan, of the plan for single values and of the plan for columns. Treats a
    /// nil answer as an error.
    private static func differenceOfPlans(_ predicate: FormatPredicate) -> String? {
        // A run over several objects continues the random numbers; the evaluation of one object begins them again.
        guard !predicate.description.contains("random"),
            let matcher = try? predicate.compiled(run: run)
        else { return nil }
        let selection = try? predicate.compiled(for: table, run: run).selection()
        var run = PlanRun(matcher)
        for (row, object) in objects.enumerated() {
            let expected: Bool?
            do throws(PredicateFailure) {
                expected = try run.test(object)
            } catch {
                // A plan that needs fewer steps may have an answer where another one exceeds a limit.
                let limits: Set<DiagnosticID> = [.limitExceeded, .patternBudget]
                if error.diagnostics.contains(where: { limits.contains($0.id) }) { continue }
                expected = nil
            }
            if (try? matcher.test(object)) != expected {
                return "the plan of values differs for object \(row): \(predicate)"
            }
            if matcher.matches(object) != (expected ?? false) {
                return "matches differs for object \(row): \(predicate)"
            }
            if let selection, selection.contains(row) != (expected ?? false) {
                return "the plan of columns differs for object \(row): \(predicate)"
            }
        }
        return nil
    }
}
