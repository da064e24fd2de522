// Evaluates a predicate on objects of any type. The predicate is compiled to a PredicateMatcher once for each type.
#if !canImport(ObjectiveC)
    import Foundation

    /// A predicate with its compiled plans.
    final class PredicateRuntime: Sendable {
        let formula: BlockFormula<FormatPredicate>

        /// The plan for the first type, usually the only one. Reading it takes no lock.
        private let first = AtomicReference<TypePlan>()
        /// The same plan if its type is a class. Reading it does no reference counting.
        private let ofClass = AtomicReference<ClassPlan>()
        private let others = Mutex<[ObjectIdentifier: TypePlan]>([:])
        /// The variables of the last call, and the predicate with these variables replaced.
        private let bound = Mutex<(variables: [String: FormatArgument], runtime: PredicateRuntime)?>(nil)

        init(_ formula: BlockFormula<FormatPredicate>) { self.formula = formula }

        /// Returns whether an object matches.
        ///
        /// - Throws: the errors of `FormatPredicate.compiled(for:)` and `PredicateMatcher.test`.
        func test(_ object: Any?) throws(PredicateFailure) -> Bool {
            if let known = known(object) { return known }
            guard let object else { return try test(opened: PredicateValue.null) }
            func open<Object>(_ object: Object) -> Result<Bool, PredicateFailure> {
                Result { () throws(PredicateFailure) in try test(opened: object) }
            }
            return try _openExistential(object, do: open).get()
        }

        /// The result for an object of the first plan's class; nil for other objects, and for errors.
        @inline(__always) func known(_ object: Any?) -> Bool? {
            guard let plan = ofClass.load() else { return nil }
            return withUnsafePointer(to: object) { object in plan._withUnsafeGuaranteedRef { $0.test(object) } }
        }

        /// The same, for an object whose type is known to be a class.
        @inline(__always) func known(reference object: AnyObject) -> Bool? {
            guard let plan = ofClass.load() else { return nil }
            let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
            return withUnsafePointer(to: address) { object in
                plan._withUnsafeGuaranteedRef { $0.test(reference: object) }
            }
        }

        /// Returns whether an object matches, with values for the variables.
        func test(_ object: Any?, variables: [String: Any]?) throws(PredicateFailure) -> Bool {
            guard let variables, !variables.isEmpty else { return try test(object) }
            return try substituting(variables).test(object)
        }

        /// Returns the predicate with its variables replaced. The last result is cached with its plans.
        func substituting(_ objects: [String: Any]) throws(PredicateFailure) -> PredicateRuntime {
            let variables = try HostValue.variables(objects)
            if let last = bound.withLock({ $0 }), last.variables == variables.arguments { return last.runtime }
            let predicate = try formula.root.substituting(variables)
            let runtime = PredicateRuntime(BlockFormula(predicate, formula.blocks))
            let arguments = variables.arguments
            bound.withLock { $0 = (arguments, runtime) }
            return runtime
        }

        private func test<Object>(opened object: Object) throws(PredicateFailure) -> Bool {
            let type = ObjectIdentifier(Swift.type(of: object as Any))
            if let plan = first.load()?.takeUnretainedValue(), plan.type == type {
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
            if first.fill(plan) {
                if let known = plan.ofClass { _ = ofClass.fill(known) }
                return plan
            }
            others.withLock { $0[type] = plan }
            return plan
        }
    }

    /// A predicate compiled for a class. It relies on the layout of an `Any` that holds an object: a
    /// reference, two unused words, and the type. The first word of an object is its class.
    private final class ClassPlan: Sendable {
        private let type: UInt
        private let dynamicType: UInt
        private let test: ObjectTest

        /// nil for a value that is not an object, or has another layout.
        init?(_ object: Any, _ test: ObjectTest) {
            guard let dynamicType = Swift.type(of: object) as? AnyClass else { return nil }
            self.dynamicType = unsafeBitCast(dynamicType, to: UInt.self)
            let address = UInt(bitPattern: Unmanaged.passUnretained(object as AnyObject).toOpaque())
            // Optional, because passing an `Any` directly would open it.
            let words = withUnsafeBytes(of: Optional(object)) { Array($0.bindMemory(to: UInt.self)) }
            guard words.count == 4, words[0] == address else { return nil }
            type = words[3]
            self.test = test
        }

        /// Tests an object; nil if it has another type, and for an error. Does no reference counting.
        @inline(__always) func test(_ object: UnsafePointer<Any?>) -> Bool? {
            let words = UnsafeRawPointer(object).assumingMemoryBound(to: UInt.self)
            return words[3] == type ? test(reference: words) : nil
        }

        /// Tests the object behind a reference.
        @inline(__always) func test(reference: UnsafePointer<UInt>) -> Bool? {
            guard UnsafePointer<UInt>(bitPattern: reference.pointee)?.pointee == dynamicType else { return nil }
            return try? test.test(UnsafeRawPointer(reference))
        }
    }

    /// A predicate compiled for the objects of one type.
    private final class TypePlan: Sendable {
        let type: ObjectIdentifier
        /// nil if the type is not a class.
        let ofClass: ClassPlan?
        /// Tests the object at an address.
        let test: @Sendable (UnsafeRawPointer) throws(PredicateFailure) -> Bool

        init<Object>(
            _ formula: BlockFormula<FormatPredicate>, _ object: Object, _ type: ObjectIdentifier
        ) throws(PredicateFailure) {
            self.type = type
            // The type was compared before: the pointer refers to an object of that type, or to a reference to one.
            let single =
                if let published = Swift.type(of: object as Any) as? any Queryable.Type {
                    try Self.published(formula, published)
                } else {
                    try Self.stored(formula, object)
                }
            ofClass = ClassPlan(object, single)
            test = { (object) throws(PredicateFailure) in try single.test(object) }
        }

        private static func published<Root: Queryable>(
            _ formula: BlockFormula<FormatPredicate>, _ type: Root.Type
        ) throws(PredicateFailure) -> ObjectTest {
            try formula.root.compiled(for: Root.self).single
        }

        /// A test of objects without a key table: dictionaries, and objects that are read by their stored properties.
        private static func stored<Object>(
            _ formula: BlockFormula<FormatPredicate>, _ object: Object
        ) throws(PredicateFailure) -> ObjectTest {
            let reader = TypeReader.of(object)
            let (published, type) = (formula.blocks.isPublishedOnly, Swift.type(of: object as Any))
            return try ObjectTest(formula.root, key: reader.keyLoaders(of: type, published: published)) { names in
                let names = names?.sorted()
                let read = names.flatMap { reader.keyReader($0, of: type, published: published) }
                let shape = ValueDictionary.Shape(names ?? [])
                return { (object) throws(PredicateFailure) in
                    if let values = try read?(object) {
                        return .dictionary(ValueDictionary(shape: shape, values: values))
                    }
                    let object = object.assumingMemoryBound(to: Object.self).pointee
                    return try reader.value(of: object, published: published)
                }
            }
        }
    }
#endif
