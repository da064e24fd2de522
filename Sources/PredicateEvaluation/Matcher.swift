// A predicate compiled once for many objects of a type.
public import PredicateModel
public import PredicateSyntax

/// A predicate compiled for the objects of one type.
///
///     let matcher = try FormatPredicate("age >= 21").compiled(for: Person.self)
///     people.filter(matcher)
///
/// Its methods do not throw: an object whose evaluation throws does not match, even under NOT. Use `test` to get the
/// error. Sendable: the plans are immutable, and each call or run has its own state.
public struct Matcher<Root>: Sendable {
    /// Tests one object.
    package let single: ObjectTest
    /// The fast plan for contiguous objects; nil if no comparison reads a stored property.
    let blocks: BlockPlan?
    /// The warnings of parsing and, for a published type, of the type checker: comparisons whose result does not depend
    /// on the object.
    ///
    ///     try FormatPredicate("age == 'old'").compiled(for: Person.self).warnings
    ///     // this is always false: an integer never equals a text
    public let warnings: [Diagnostic]

    /// The compiled predicate.
    public var predicate: FormatPredicate { single.predicate }
    var plan: DynamicPlan { single.plan }
    var row: RowNode { single.row }
    var states: StatePool { single.states }
    var load: ObjectLoader { single.load }

    /// - Parameter hasFields: whether blocks can read fields of the objects.
    private init(
        _ predicate: FormatPredicate, _ warnings: [Diagnostic], _ blocks: BlockPlan, load: @escaping ObjectLoader,
        hasFields: Bool
    ) {
        self.warnings = warnings
        self.blocks = hasFields && blocks.isUseful ? blocks : nil
        single = ObjectTest(predicate, blocks.plan, blocks.row, load: load)
    }

    /// A matcher for objects without fields.
    private init(
        _ predicate: FormatPredicate, _ plan: DynamicPlan, load: @escaping ObjectLoader,
        leaf: @escaping (any PredicatePlan) -> RowNode?
    ) {
        self.init(
            predicate, predicate.warnings, BlockPlan(plan, BlockCompiler(plan, load: load, leaf: leaf)), load: load,
            hasFields: false)
    }

    private init(_ other: Matcher, over plan: DynamicPlan) {
        warnings = other.warnings
        blocks = other.blocks.map { BlockPlan($0, over: plan) }
        single = ObjectTest(other.predicate, plan, other.row, load: other.load)
    }

    /// The same matcher with a fixed `now()` for several runs.
    func atOneInstant() -> Matcher { plan.asksClock ? Matcher(self, over: plan.atOneInstant()) : self }

    /// The approximate number of nanoseconds per object.
    var cost: Int { blocks?.node.cost ?? row.cost }

    /// Returns whether the object matches the predicate; false if its evaluation throws.
    ///
    /// - Complexity: some nanoseconds for each comparison of a class's property. A struct is passed as a copy,
    ///   which costs about five nanoseconds for each reference-counted property (texts, arrays, objects); the
    ///   methods of sequences do not copy.
    @inlinable public func matches(_ object: Root) -> Bool {
        withUnsafePointer(to: object) { matches($0) }
    }

    /// Returns whether the object matches the predicate.
    /// - Throws: the error of its evaluation, such as operands of the wrong type or division by zero.
    public func test(_ object: Root) throws(PredicateFailure) -> Bool {
        try withUnsafePointer(to: object) { (object) throws(PredicateFailure) in
            try single.test(UnsafeRawPointer(object))
        }
    }

    @usableFromInline func matches(_ object: UnsafePointer<Root>) -> Bool { single.matches(UnsafeRawPointer(object)) }

    func matches(_ object: UnsafeRawPointer, _ state: EvaluationState) -> Bool { single.matches(object, state) }
}

/// Tests one object at an address, independent of the object's type. A class, so that copying a matcher counts few
/// references.
package final class ObjectTest: Sendable {
    let predicate: FormatPredicate
    /// The reference plan; the fast plans fall back to it.
    let plan: DynamicPlan
    /// The fast plan for one object. Not optional, because reading an optional counts references.
    let row: RowNode
    let states: StatePool
    /// Converts the object at an address to a value.
    let load: ObjectLoader

    init(_ predicate: FormatPredicate, _ plan: DynamicPlan, _ row: RowNode, load: @escaping ObjectLoader) {
        (self.predicate, self.plan, self.row, self.load) = (predicate, plan, row, load)
        states = StatePool(plan)
    }

    /// Returns whether the object at an address matches.
    /// - Throws: the error of its evaluation.
    package func test(_ object: UnsafeRawPointer) throws(PredicateFailure) -> Bool {
        if !row.mayRaise { return matches(object) }
        let state = states.take()
        defer { states.give(state) }
        do throws(EvaluationFault) {
            return try evaluate(object, state)
        } catch {
            throw PredicateFailure(error.diagnostic, source: predicate.source)
        }
    }

    /// Returns whether the object at an address matches; false also if its evaluation throws.
    package func matches(_ object: UnsafeRawPointer) -> Bool {
        if !row.needsState {
            var run = RowRun(state: nil)
            let answer = row.test(object, &run)
            if !run.isDoubtful { return answer }
        }
        let state = states.take()
        defer { states.give(state) }
        return matches(object, state)
    }

    func matches(_ object: UnsafeRawPointer, _ state: EvaluationState) -> Bool {
        state.isLoaded = false
        var run = RowRun(state: state)
        let answer = row.test(object, &run)
        if !run.isDoubtful { return answer }
        return (try? evaluate(object, state)) ?? false
    }

    private func evaluate(_ object: UnsafeRawPointer, _ state: EvaluationState) throws(EvaluationFault) -> Bool {
        state.context.begin(try load(object))
        return try plan.test(&state.context)
    }
}

extension Matcher where Root: Queryable {
    fileprivate init(
        objects predicate: FormatPredicate, variables: PredicateVariables, options: EvaluationOptions
    ) throws(PredicateFailure) {
        let (plan, warnings) = try Binding(Root.self, variables: variables, options: options)
            .plan(predicate, isStrict: true)
        self.init(predicate, plan, warnings)
    }

    init(_ predicate: FormatPredicate, _ plan: DynamicPlan, _ warnings: [Diagnostic]) {
        let load = ObjectRows.load(plan, Root.self)
        let compiler = BlockCompiler(plan, load: load, field: Root.field)
        self.init(predicate, warnings, BlockPlan(plan, compiler), load: load, hasFields: true)
    }
}

extension Matcher where Root == PredicateValue {
    fileprivate init(
        anyValues predicate: FormatPredicate, variables: PredicateVariables, options: EvaluationOptions
    ) throws(PredicateFailure) {
        let plan = try Binding(variables: variables, options: options).plan(predicate, isStrict: true).plan
        self.init(
            predicate, plan, load: { $0.assumingMemoryBound(to: PredicateValue.self).pointee },
            leaf: RecordRows.leaf)
    }
}

extension Matcher where Root: QueryableValue {
    /// Creates a matcher for one run. It may contain objects that may not be Sendable.
    init(
        _ predicate: FormatPredicate, variables: PredicateVariables, options: EvaluationOptions
    ) throws(PredicateFailure) {
        if let type = Root.self as? any Queryable.Type {
            func matcher<Object: Queryable>(_ type: Object.Type) throws(PredicateFailure) -> Any {
                try Matcher<Object>(objects: predicate, variables: variables, options: options)
            }
            if let known = try matcher(type) as? Matcher {
                self = known
                return
            }
        }
        if Root.self == PredicateValue.self,
            let known = try Matcher<PredicateValue>(anyValues: predicate, variables: variables, options: options)
                as? Matcher
        {
            self = known
            return
        }
        let (plan, warnings) = try Binding(values: Root.self, variables: variables, options: options)
            .plan(predicate, isStrict: true)
        let load: ObjectLoader = { $0.assumingMemoryBound(to: Root.self).pointee.queryValue }
        let compiler = BlockCompiler(plan, load: load, field: { Field.find($0[...], in: Root.self) })
        self.init(predicate, warnings, BlockPlan(plan, compiler), load: load, hasFields: true)
    }
}

extension Matcher {
    init<Row: DictionaryRow>(
        _ predicate: FormatPredicate, variables: PredicateVariables, options: EvaluationOptions, _ row: Row.Type
    ) throws(PredicateFailure) where Root == [String: Row.Entry] {
        let plan = try Binding(variables: variables, options: options).plan(predicate, isStrict: true).plan
        self.init(predicate, plan, load: Row.load(plan)) { Row.leaf($0, plan.options.functions) }
    }

    /// Returns the matcher; throws if other threads must not use it.
    static func sendable(
        _ matcher: Matcher, _ variables: PredicateVariables
    ) throws(PredicateFailure) -> Matcher {
        try FormatArgument.requireSendable(variables.arguments.values, source: matcher.predicate.source)
        return matcher
    }
}

extension FormatPredicate {
    /// Compiles the predicate for a published type, or for texts, numbers, dates and collections, which are `SELF`.
    ///
    ///     let matcher = try FormatPredicate("age >= 21").compiled(for: Person.self)
    ///     people.filter(matcher)
    ///
    /// The predicate is checked against the types of the keys, like `TypeChecker` does with `PredicateSchema(of:
    /// Person.self)`. The matcher's `warnings` list legal comparisons that are probably mistakes.
    /// - Throws: `PredicateFailure` with every unknown key (and a suggestion), every operand whose type does not fit
    ///   its operator, every unbound variable, and every construct that evaluation refuses; `key-table` if the type
    ///   publishes a key twice, or a key that no predicate can name; `argument-type` for a variable whose object may
    ///   not be Sendable.
    /// - Complexity: linear in the predicate. Compile once for many objects. The first call for a type also reads its key
    ///   table and those of the types that it refers to.
    public func compiled<Root: QueryableValue>(
        for type: Root.Type, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Matcher<Root> {
        try .sendable(Matcher(self, variables: variables, options: options), variables)
    }

    /// Compiles the predicate for values: dictionaries with any keys, texts, numbers.
    ///
    /// - Throws: `PredicateFailure` with every unbound variable and every construct that evaluation refuses;
    ///   `argument-type` for a variable whose object may not be Sendable.
    public func compiled(
        for type: PredicateValue.Type = PredicateValue.self, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Matcher<PredicateValue> {
        try .sendable(Matcher(self, variables: variables, options: options), variables)
    }
}
