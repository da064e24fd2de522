// A predicate bound to a type once, for many objects.
public import PredicateModel
public import PredicateSyntax

/// A predicate compiled for the objects of one type.
///
///     let matcher = try FormatPredicate("age >= 21").compiled(for: Person.self)
///     people.filter(matcher)
///
/// Its methods do not throw: an object whose evaluation raises is not selected, also under NOT; `test` tells why.
/// Sendable: the plan is immutable, and each call or run has a state of its own.
public struct Matcher<Root>: Sendable {
    enum Plan: Sendable {
        case dynamic(DynamicPlan)
    }

    let plan: Plan
    /// For arrays of structs, where some comparison reads a stored property.
    let blocks: BlockPlan?
    let value: @Sendable (Root) -> Value
    /// What was compiled.
    public let predicate: FormatPredicate

    init(
        _ predicate: FormatPredicate, variables: PredicateVariables, options: EvaluationOptions,
        field: @escaping ([String]) -> Field? = { _ in nil }, value: @escaping @Sendable (Root) -> Value
    ) throws(PredicateFailure) {
        self.predicate = predicate
        self.value = value
        let variables = variables.mapValues(\.argument)
        let dynamic = try DynamicPlan(predicate, variables: variables, options: options, isStrict: true)
        plan = .dynamic(dynamic)
        blocks = BlockPlan(dynamic, field: field)
    }

    /// Whether the object satisfies the predicate; false also where its evaluation raises.
    public func matches(_ object: Root) -> Bool {
        var run = Run(self)
        return run.matches(object)
    }

    /// Whether the object satisfies the predicate.
    /// - Throws: why it cannot be told: operands of the wrong kind, division by zero …
    public func test(_ object: Root) throws(PredicateFailure) -> Bool {
        var run = Run(self)
        do throws(EvaluationFault) {
            return try run.test(object)
        } catch {
            throw PredicateFailure(error.diagnostic, source: predicate.source)
        }
    }

    /// The state of a run over many objects.
    struct Run {
        private let plan: DynamicPlan
        private let value: @Sendable (Root) -> Value
        private var context: EvaluationContext

        init(_ matcher: Matcher) {
            switch matcher.plan {
            case .dynamic(let plan):
                self.plan = plan
                context = EvaluationContext(object: .null, plan: plan)
            }
            value = matcher.value
        }

        mutating func test(_ object: Root) throws(EvaluationFault) -> Bool {
            context.begin(value(object))
            return try plan.test(&context)
        }

        mutating func matches(_ object: Root) -> Bool { (try? test(object)) ?? false }
    }
}

extension FormatPredicate {
    /// Binds the predicate to a published type.
    ///
    /// - Throws: every unknown key, with a suggestion, every unbound variable and every refused construct, all at once.
    /// - Complexity: linear in the predicate; do it once for many objects.
    public func compiled<Root: Queryable>(
        for type: Root.Type, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Matcher<Root> {
        var diagnostics = KeyChecker.check(root, against: Root.queryType, source: source)
        do throws(PredicateFailure) {
            let matcher = try Matcher<Root>(
                self, variables: variables, options: options, field: { Field.find($0[...], in: Root.self) },
                value: { $0.queryValue })
            if diagnostics.isEmpty { return matcher }
        } catch {
            diagnostics += error.diagnostics
        }
        diagnostics.sort { $0.span.start < $1.span.start }
        throw PredicateFailure(diagnostics, source: source)
    }

    /// Compiles the predicate for values: dictionaries of unknown keys, texts, numbers.
    ///
    /// - Throws: every unbound variable and every refused construct, all at once.
    public func compiled(
        for type: Value.Type = Value.self, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Matcher<Value> {
        try Matcher(self, variables: variables, options: options, value: { $0 })
    }
}
