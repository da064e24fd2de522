// Evaluates a predicate on objects of any type. The predicate is compiled once for each type of objects, as a Matcher.
#if !canImport(ObjectiveC)
    import Foundation
    import PredicateEvaluation
    import PredicateModel
    import PredicateSyntax
    import Synchronization

    /// A predicate with its plans.
    final class PredicateRuntime: Sendable {
        let formula: Formula<FormatPredicate>

        /// The plan of the first type, which is mostly the only one: reading it takes no lock.
        private let first = AtomicLazyReference<TypePlan>()
        private let others = Mutex<[ObjectIdentifier: TypePlan]>([:])
        /// The predicate with the variables of the last call.
        private let bound = Mutex<(variables: [String: FormatArgument], runtime: PredicateRuntime)?>(nil)

        init(_ formula: Formula<FormatPredicate>) { self.formula = formula }

        /// Returns whether an object matches.
        ///
        /// - Throws: what `FormatPredicate.compiled(for:)` and `Matcher.test` throw.
        func test(_ object: Any?) throws(PredicateFailure) -> Bool {
            guard let object else { return try test(opened: PredicateValue.null) }
            func open<Object>(_ object: Object) -> Result<Bool, PredicateFailure> {
                Result { () throws(PredicateFailure) in try test(opened: object) }
            }
            return try _openExistential(object, do: open).get()
        }

        /// Returns whether an object matches with values for the variables.
        func test(_ object: Any?, variables: [String: Any]?) throws(PredicateFailure) -> Bool {
            guard let variables, !variables.isEmpty else { return try test(object) }
            return try substituting(variables).test(object)
        }

        /// The predicate with its variables replaced. The last one is kept, with its plans.
        func substituting(_ objects: [String: Any]) throws(PredicateFailure) -> PredicateRuntime {
            let variables = try HostValue.variables(objects)
            if let last = bound.withLock({ $0 }), last.variables == variables.arguments { return last.runtime }
            let predicate = try formula.root.substituting(variables)
            let runtime = PredicateRuntime(Formula(predicate, formula.blocks))
            let arguments = variables.arguments
            bound.withLock { $0 = (arguments, runtime) }
            return runtime
        }

        private func test<Object>(opened object: Object) throws(PredicateFailure) -> Bool {
            let type = ObjectIdentifier(Swift.type(of: object as Any))
            if let plan = first.load(), plan.type == type {
                return try withUnsafePointer(to: object) { (pointer) throws(PredicateFailure) in
                    try plan.test(UnsafeRawPointer(pointer))
                }
            }
            let plan = try plan(for: object, type)
            return try withUnsafePointer(to: object) { (pointer) throws(PredicateFailure) in
                try plan.test(UnsafeRawPointer(pointer))
            }
        }

        private func plan<Object>(for object: Object, _ type: ObjectIdentifier) throws(PredicateFailure) -> TypePlan {
            if let plan = others.withLock({ $0[type] }) { return plan }
            let plan = try TypePlan(formula, object, type)
            if first.load() == nil, first.storeIfNil(plan) === plan { return plan }
            others.withLock { $0[type] = plan }
            return plan
        }
    }

    /// A predicate compiled for the objects of one type.
    private final class TypePlan: Sendable {
        let type: ObjectIdentifier
        /// Tests the object at an address.
        let test: @Sendable (UnsafeRawPointer) throws(PredicateFailure) -> Bool

        init<Object>(
            _ formula: Formula<FormatPredicate>, _ object: Object, _ type: ObjectIdentifier
        ) throws(PredicateFailure) {
            self.type = type
            if let published = Swift.type(of: object as Any) as? any Queryable.Type {
                test = try Self.published(formula, published)
            } else {
                test = try Self.read(formula, object)
            }
        }

        private static func published<Root: Queryable>(
            _ formula: Formula<FormatPredicate>, _ type: Root.Type
        ) throws(PredicateFailure) -> @Sendable (UnsafeRawPointer) throws(PredicateFailure) -> Bool {
            let matcher = try formula.root.compiled(for: Root.self, options: formula.options)
            // The object's type was compared: it is a Root, or a reference to one.
            return { (object) throws(PredicateFailure) in
                try matcher.test(object.assumingMemoryBound(to: Root.self).pointee)
            }
        }

        private static func read<Object>(
            _ formula: Formula<FormatPredicate>, _ sample: Object
        ) throws(PredicateFailure) -> @Sendable (UnsafeRawPointer) throws(PredicateFailure) -> Bool {
            let matcher = try formula.root.compiled(for: PredicateValue.self, options: formula.options)
            let reader = TypeReader.of(sample)
            return { (object) throws(PredicateFailure) in
                let value = try reader.value(of: object.assumingMemoryBound(to: Object.self).pointee)
                return try matcher.test(value)
            }
        }
    }
#endif
