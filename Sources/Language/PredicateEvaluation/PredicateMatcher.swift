// A predicate compiled once for many objects of a type.

/// A predicate compiled for the objects of one type.
///
///     let matcher = try FormatPredicate("age >= 21").compiled(for: Person.self)
///     people.filter(matcher)
///
/// Its methods do not throw: an object whose evaluation throws does not match, even under NOT, and neither does an object
/// whose key could not be read (`failed-read`). Use `test` to get the error; `filter` with a predicate throws
/// `failed-read`. Sendable: the plans are immutable, and each call or run has its own state.
public struct PredicateMatcher<Root>: Sendable {
    /// The test of one object, with the plans.
    package let single: ObjectTest

    /// The compiled predicate.
    public var predicate: FormatPredicate { single.predicate }
    /// The warnings of parsing and, for a published type, of the type checker: comparisons whose result does not depend
    /// on the object. Other advice is in `hints(for:)` of PredicateRules.
    ///
    ///     try FormatPredicate("age == 'old'").compiled(for: Person.self).warnings
    ///     // this is always false: an integer never equals a text
    /// - Complexity: checks the predicate at each call, because compiling looks only for errors.
    public var warnings: [PredicateDiagnostic] { single.binding.warnings(of: predicate) }

    var plan: DynamicPlan { single.plan }
    /// The keys of an object that the expression reads; nil if it also reads the object as a whole, for example with
    /// SELF.
    package var rootKeys: Set<String>? { plan.rootKeys }
    var blocks: BlockPlan? { single.blocks }
    var states: StatePool { single.states }

    init(_ single: ObjectTest) { self.single = single }

    /// The same matcher for one run in several parts, with a fixed `now()`.
    func atOneInstant() -> PredicateMatcher { PredicateMatcher(single.atOneInstant()) }

    /// The approximate number of nanoseconds per object.
    var cost: Int { blocks?.node.cost ?? single.row.cost }

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

/// Tests one object at an address, independent of the object's type. A class, so that copying a matcher counts one
/// reference.
package final class ObjectTest: Sendable {
    let predicate: FormatPredicate
    let binding: Binding
    /// The reference plan; the fast plans fall back to it.
    let plan: DynamicPlan
    /// The fast plan for contiguous objects; nil if no comparison reads a stored property.
    let blocks: BlockPlan?
    /// The fast plan for one object. Not optional, because reading an optional counts references.
    let row: RowNode
    /// The same with terms in an order that hides no error.
    private let strict: RowNode
    let states: StatePool

    private init(
        _ predicate: FormatPredicate, _ binding: Binding, _ plan: DynamicPlan, _ blocks: BlockPlan?,
        _ row: RowNode, strict: RowNode, _ states: StatePool
    ) {
        self.predicate = predicate
        self.binding = binding
        self.plan = plan
        self.blocks = blocks
        self.row = row
        self.strict = strict
        self.states = states
    }

    /// A test of objects.
    /// - Parameter field: finds how to read a key path from memory.
    convenience init(
        _ predicate: FormatPredicate, _ binding: Binding, field: @escaping ([String]) -> Field?,
        makeLoader: @escaping StatePool.MakeLoader
    ) throws(PredicateFailure) {
        let plan = try binding.plan(predicate, isStrict: true)
        self.init(predicate, binding, plan, StatePool(plan, makeLoader: makeLoader), hasFields: true) {
            BlockCompiler(plan, field: field)
        }
    }

    /// A test of objects without fields, such as dictionaries.
    /// - Parameter leaf: compiles a leaf.
    convenience init(
        _ predicate: FormatPredicate, _ binding: Binding, leaf: @escaping (any PredicatePlan) -> RowNode?,
        makeLoader: @escaping StatePool.MakeLoader
    ) throws(PredicateFailure) {
        let plan = try binding.plan(predicate, isStrict: true)
        self.init(predicate, binding, plan, StatePool(plan, makeLoader: makeLoader), hasFields: false) {
            BlockCompiler(plan, leaf: leaf, field: { _ in nil })
        }
    }

    /// A test of objects that another module reads.
    /// - Parameters:
    ///   - key: the loader of a key; nil if only whole objects can be converted.
    ///   - load: makes the function that converts the object at an address, from the keys that the predicate reads; nil
    ///     stands for the object as a whole.
    package convenience init(
        _ predicate: FormatPredicate, key: @escaping (String) -> HostKeyLoader?,
        load:
            @escaping @Sendable (Set<String>?)
            -> @Sendable (UnsafeRawPointer) throws(PredicateFailure) -> PredicateValue
    ) throws(PredicateFailure) {
        try self.init(predicate, Binding(), leaf: { RecordRows.leaf($0, key) }) { plan in
            let load = load(plan.rootKeys)
            return { (object) throws(EvaluationFault) in
                do throws(PredicateFailure) { return try load(object) } catch { throw EvaluationFault(error) }
            }
        }
    }

    private convenience init(
        _ predicate: FormatPredicate, _ binding: Binding, _ plan: DynamicPlan, _ states: StatePool,
        hasFields: Bool, compiler: () -> BlockCompiler
    ) {
        let blocks = BlockPlan(plan, compiler())
        let row = blocks.row
        // The order of a single term is that of the text.
        let strict = row.mayRaise && blocks.leaves > 1 ? BlockPlan(plan, mayReorder: false, compiler()).row : row
        self.init(
            predicate, binding, plan, hasFields && blocks.isUseful ? blocks : nil, row, strict: strict, states)
    }

    /// The same test with a fixed `now()`.
    func atOneInstant() -> ObjectTest {
        let plan = plan.atOneInstant()
        return ObjectTest(
            predicate, binding, plan, blocks.map { BlockPlan($0, over: plan) }, row, strict: strict,
            StatePool(plan, makeLoader: states.makeLoader))
    }

    /// Returns whether the object at an address matches.
    /// - Throws: the error of its evaluation.
    package func test(_ object: UnsafeRawPointer) throws(PredicateFailure) -> Bool {
        if !row.mayRaise { return matches(object) }
        let held = strict.needsState ? states.take() : nil
        defer { if let held { states.give(held) } }
        held?.isLoaded = false
        var run = RowRun(state: held)
        let answer = strict.test(object, &run)
        if !run.isDoubtful, !plan.isOver { return answer }
        let state = held ?? states.take()
        defer { if held == nil { states.give(state) } }
        do throws(EvaluationFault) {
            return try evaluate(object, state)
        } catch {
            throw error.failure(source: predicate.source)
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
        do throws(EvaluationFault) {
            return try evaluate(object, state)
        } catch {
            plan.note(error)
            return false
        }
    }

    private func evaluate(_ object: UnsafeRawPointer, _ state: EvaluationState) throws(EvaluationFault) -> Bool {
        state.context.begin(try state.load(object))
        return try plan.test(&state.context)
    }
}

extension PlanRun {
    package init(_ matcher: PredicateMatcher<PredicateValue>) { self.init(matcher.plan, matcher.predicate.source) }
}

extension PredicateMatcher where Root: QueryableValue {
    /// Creates a matcher for one run. It may contain objects that may not be Sendable.
    init(
        _ predicate: FormatPredicate, variables: PredicateVariables, run: PredicateRun
    ) throws(PredicateFailure) {
        if let type = Root.self as? any Queryable.Type {
            single = try type.test(predicate, Binding(type, variables: variables, run: run))
        } else if Root.self == PredicateValue.self {
            let binding = Binding(variables: variables, run: run)
            single = try ObjectTest(predicate, binding, leaf: RecordRows.leaf) { _ in
                { $0.assumingMemoryBound(to: PredicateValue.self).pointee }
            }
        } else if Root.self == [String: PredicateValue].self {
            single = try ObjectTest(predicate, variables: variables, run: run, ValueEntries.self)
        } else {
            let binding = Binding(values: Root.self, variables: variables, run: run)
            single = try ObjectTest(predicate, binding, field: { Field.find($0[...], in: Root.self) }) { _ in
                { $0.assumingMemoryBound(to: Root.self).pointee.queryValue }
            }
        }
    }
}

extension Queryable {
    /// A test of the type's objects.
    static func test(_ predicate: FormatPredicate, _ binding: Binding) throws(PredicateFailure) -> ObjectTest {
        try ObjectTest(predicate, binding, field: field) { ObjectRows.load($0, Self.self) }
    }
}

extension ObjectTest {
    /// A test of dictionaries.
    convenience init<Row: DictionaryRow>(
        _ predicate: FormatPredicate, variables: PredicateVariables, run: PredicateRun, _ row: Row.Type
    ) throws(PredicateFailure) {
        try self.init(
            predicate, Binding(variables: variables, run: run),
            leaf: { Row.leaf($0, predicate.environment.functions) },
            makeLoader: Row.load)
    }
}

extension PredicateMatcher {
    /// Returns the matcher; throws if other threads must not use it.
    static func sendable(
        _ matcher: PredicateMatcher, _ variables: PredicateVariables
    ) throws(PredicateFailure) -> PredicateMatcher {
        try FormatArgument.requireSendable(variables.arguments.values, source: matcher.predicate.source)
        return matcher
    }
}

extension FormatPredicate {
    /// Compiles the predicate for a published type, or for texts, numbers, dates and collections, which are `SELF`. By
    /// default for values of any type: dictionaries with any keys, texts, numbers.
    ///
    ///     let matcher = try FormatPredicate("age >= 21").compiled(for: Person.self)
    ///     people.filter(matcher)
    ///
    /// The predicate is checked against the types of the keys, like `TypeChecker` does with `PredicateSchema(of:
    /// Person.self)`.
    /// - Throws: `PredicateFailure` with every unknown key (and a suggestion), every operand whose type does not fit
    ///   its operator, every unbound variable, and every construct that evaluation refuses; `key-table` if the type
    ///   publishes a key twice, or a key that no predicate can name; `argument-type` for a variable whose object may
    ///   not be Sendable.
    /// - Complexity: linear in the predicate. Compile once for many objects. The first call for a type also reads its
    ///   key table and those of the types that it refers to.
    public func compiled<Root: QueryableValue>(
        for type: Root.Type = PredicateValue.self, variables: PredicateVariables = [:],
        run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> PredicateMatcher<Root> {
        try .sendable(PredicateMatcher(self, variables: variables, run: run), variables)
    }
}
