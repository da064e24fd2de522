// A predicate bound to a type once, for many objects.
public import PredicateModel
public import PredicateSyntax

/// A predicate compiled for the objects of one type.
///
///     let matcher = try FormatPredicate("age >= 21").compiled(for: Person.self)
///     people.filter(matcher)
///
/// Its methods do not throw: an object whose evaluation raises is not selected, also under NOT; `test` tells why.
/// Sendable: the plans are immutable, and each call or run has a state of its own.
public struct Matcher<Root>: Sendable {
    /// The meaning, and what the other plans ask where they cannot tell.
    let plan: DynamicPlan
    /// For one object at a time. Not an optional: looking into one counts references.
    let rows: RowPlan
    /// For many objects one after the other in memory, where some comparison reads a stored property.
    let blocks: BlockPlan?
    let states: StatePool
    /// The object at an address as a value.
    let load: RowPlan.Load
    /// What was compiled.
    public let predicate: FormatPredicate
    /// What was found and is no error: what reading the text warned of, and with a published type comparisons whose outcome
    /// no object can change.
    ///
    ///     try FormatPredicate("age == 'old'").compiled(for: Person.self).warnings
    ///     // this is always false: an integer never equals a text
    public let warnings: [Diagnostic]

    private init(
        _ predicate: FormatPredicate, _ plan: DynamicPlan, _ warnings: [Diagnostic], load: @escaping RowPlan.Load,
        leaf: @escaping RowPlan.Leaf, field: (([String]) -> Field?)? = nil
    ) {
        self.init(
            predicate, plan, warnings, rows: RowPlan(plan, load: load, leaf: leaf),
            blocks: field.flatMap { BlockPlan(plan, field: $0) }, load: load)
    }

    private init(
        _ predicate: FormatPredicate, _ plan: DynamicPlan, _ warnings: [Diagnostic], rows: RowPlan,
        blocks: BlockPlan?, load: @escaping RowPlan.Load
    ) {
        self.predicate = predicate
        self.warnings = warnings
        self.plan = plan
        self.rows = rows
        self.blocks = blocks
        self.load = load
        states = StatePool(plan)
    }

    /// The same, for which `now()` is one instant however many runs there are.
    func atOneInstant() -> Matcher {
        guard plan.asksClock else { return self }
        let plan = plan.atOneInstant()
        return Matcher(
            predicate, plan, warnings, rows: rows, blocks: blocks.map { BlockPlan($0, over: plan) }, load: load)
    }

    /// Nanoseconds for one object, roughly.
    var cost: Int { blocks?.cost ?? rows.root.cost }

    /// Whether the object satisfies the predicate; false also where its evaluation raises.
    ///
    /// - Complexity: some nanoseconds for each comparison of a class's property. A struct is handed over as a copy, which
    ///   costs about five nanoseconds for each property that is counted (texts, arrays, objects): the methods of
    ///   sequences copy none.
    @inlinable public func matches(_ object: Root) -> Bool {
        withUnsafePointer(to: object) { matches($0) }
    }

    /// Whether the object satisfies the predicate.
    /// - Throws: why it cannot be told: operands of the wrong kind, division by zero …
    public func test(_ object: Root) throws(PredicateFailure) -> Bool {
        do throws(EvaluationFault) {
            return try withUnsafePointer(to: object) { (object) throws(EvaluationFault) in
                if !rows.root.mayRaise { return matches(object) }
                let state = states.take()
                defer { states.give(state) }
                return try evaluate(UnsafeRawPointer(object), state)
            }
        } catch {
            throw PredicateFailure(error.diagnostic, source: predicate.source)
        }
    }

    @usableFromInline func matches(_ object: UnsafePointer<Root>) -> Bool {
        if !rows.root.needsState {
            var run = RowRun(state: nil)
            let answer = rows.root.test(UnsafeRawPointer(object), &run)
            if !run.isDoubtful { return answer }
        }
        let state = states.take()
        defer { states.give(state) }
        return matches(UnsafeRawPointer(object), state)
    }

    func matches(_ object: UnsafeRawPointer, _ state: EvaluationState) -> Bool {
        state.isLoaded = false
        var run = RowRun(state: state)
        let answer = rows.root.test(object, &run)
        if !run.isDoubtful { return answer }
        return (try? evaluate(object, state)) ?? false
    }

    private func evaluate(_ object: UnsafeRawPointer, _ state: EvaluationState) throws(EvaluationFault) -> Bool {
        state.context.begin(try load(object))
        return try plan.test(&state.context)
    }
}

extension Matcher where Root: Queryable {
    init(
        _ predicate: FormatPredicate, variables: PredicateVariables, options: EvaluationOptions
    ) throws(PredicateFailure) {
        let (plan, warnings) = try TypedBinding(Root.self, variables: variables, options: options)
            .plan(predicate, isStrict: true)
        let field: ([String]) -> Field? = { Field.find($0[...], in: Root.self) }
        self.init(
            predicate, plan, warnings, load: ObjectRows.load(plan, Root.self),
            leaf: { leaf in
                var compiler = BlockCompiler(field: field, catalog: plan.options.functions)
                return compiler.leaf(leaf)?.row
            }, field: field)
    }
}

extension Matcher where Root == Value {
    init(
        _ predicate: FormatPredicate, variables: PredicateVariables, options: EvaluationOptions
    ) throws(PredicateFailure) {
        let plan = try DynamicPlan(predicate, variables: variables, options: options)
        self.init(
            predicate, plan, predicate.warnings, load: { $0.assumingMemoryBound(to: Value.self).pointee },
            leaf: RecordRows.leaf)
    }
}

extension Matcher {
    init<Row: DictionaryRow>(
        _ predicate: FormatPredicate, variables: PredicateVariables, options: EvaluationOptions, _ row: Row.Type
    ) throws(PredicateFailure) where Root == [String: Row.Entry] {
        let plan = try DynamicPlan(predicate, variables: variables, options: options)
        self.init(
            predicate, plan, predicate.warnings, load: Row.load(plan), leaf: { Row.leaf($0, plan.options.functions) })
    }
}

extension DynamicPlan {
    /// A plan for many objects: a variable that nothing binds is an error at once.
    fileprivate init(
        _ predicate: FormatPredicate, variables: PredicateVariables, options: EvaluationOptions
    ) throws(PredicateFailure) {
        try self.init(predicate, variables: variables.mapValues(\.argument), options: options, isStrict: true)
    }
}

extension FormatPredicate {
    /// Binds the predicate to a published type.
    ///
    ///     let matcher = try FormatPredicate("age >= 21").compiled(for: Person.self)
    ///     people.filter(matcher)
    ///
    /// The types of the keys are checked as `TypeChecker` checks them with `Schema(of: Person.self)`; what is legal and hardly
    /// meant is in the matcher's `warnings`.
    /// - Throws: every unknown key, with a suggestion, every operand of a type that its operator does not take, every unbound
    ///   variable and every refused construct, all at once; `key-table` where the type publishes a key twice, or one that no
    ///   predicate can name.
    /// - Complexity: linear in the predicate; do it once for many objects. The first time for a type, its table and those of
    ///   the types that it refers to are read.
    public func compiled<Root: Queryable>(
        for type: Root.Type, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Matcher<Root> {
        try Matcher(self, variables: variables, options: options)
    }

    /// Compiles the predicate for values: dictionaries of unknown keys, texts, numbers.
    ///
    /// - Throws: every unbound variable and every refused construct, all at once.
    public func compiled(
        for type: Value.Type = Value.self, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Matcher<Value> {
        try Matcher(self, variables: variables, options: options)
    }
}
