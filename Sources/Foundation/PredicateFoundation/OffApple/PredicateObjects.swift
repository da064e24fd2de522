// The objects that NSPredicate(format:) returns: comparisons are NSComparisonPredicates, and AND, OR and NOT are
// NSCompoundPredicates, as on Apple's platforms.
#if !canImport(ObjectiveC)
    public import Foundation

    /// A predicate object of this module.
    protocol PredicateObject: NSPredicate {
        /// nil for a compound with a part that has no format, such as a block.
        var runtime: PredicateRuntime? { get }
        var uncounted: Unmanaged<PredicateRuntime>? { get }
    }

    extension PredicateObject {
        /// The result for an object of the first tested class; nil for other objects, and for errors. Does no reference
        /// counting.
        @inline(__always) func known(_ object: Any?) -> Bool? {
            uncounted?._withUnsafeGuaranteedRef { $0.known(object) }
        }

        func matches(_ object: Any?, _ variables: [String: Any]?) -> Bool? {
            guard let runtime else { return nil }
            return Trap.unlessThrown("evaluate(with:)", instead: "evaluate(checking:)") {
                () throws(PredicateFailure) in try runtime.test(object, variables: variables)
            }
        }

        func isSame(as other: Any?) -> Bool? {
            guard let runtime else { return nil }
            guard let other = HostValue.reference(other, as: NSPredicate.self) else { return false }
            return runtime.formula.root == BlockFormula.predicate(other).root
        }
    }

    /// Creates predicate objects.
    enum PredicateObjects {
        static func make(_ formula: BlockFormula<FormatPredicate>) -> NSPredicate {
            switch formula.root.root.kind {
            case .constant(let value): NSPredicate(value: value)
            case .comparison, .error: comparison(formula)
            case .and(let parts): compound(formula, .and, parts)
            case .or(let parts): compound(formula, .or, parts)
            case .not(let part): compound(formula, .not, [part])
            }
        }

        private static func compound(
            _ formula: BlockFormula<FormatPredicate>, _ type: NSCompoundPredicate.LogicalType, _ parts: [PredicateNode]
        ) -> NSPredicate {
            let source = formula.root.source
            let parts = parts.map { make(BlockFormula(FormatPredicate($0, source: source), formula.blocks)) }
            let object = CompoundBody(PredicateRuntime(formula), type, parts)
            reclassify(object, as: CompoundPredicate.self)
            return object
        }

        private static func comparison(_ formula: BlockFormula<FormatPredicate>) -> NSPredicate {
            let object = ComparisonBody(PredicateRuntime(formula))
            reclassify(object, as: comparisonClass)
            return object
        }

        private static let comparisonClass: AnyClass = (ComparisonObjects() as any ClassSource).type
        private static let classes = (
            comparison: unsafeBitCast(comparisonClass, to: UInt.self),
            compound: unsafeBitCast(CompoundPredicate.self as AnyClass, to: UInt.self)
        )

        /// The result for an object of the first tested class; nil for other objects, for errors, and for predicates of
        /// other classes. Does no reference counting.
        static func known(_ predicate: NSPredicate, _ object: AnyObject) -> Bool? {
            // A cast would search the superclasses, and would fail for an object with a changed class.
            let address = Unmanaged.passUnretained(predicate).toOpaque()
            let type = address.load(as: UInt.self)
            let runtime: Unmanaged<PredicateRuntime>?
            if type == classes.comparison {
                runtime = Unmanaged<ComparisonBody>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.uncounted }
            } else if type == classes.compound {
                runtime = Unmanaged<CompoundPredicate>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.uncounted }
            } else {
                return nil
            }
            return runtime?._withUnsafeGuaranteedRef { $0.known(reference: object) }
        }
    }

    /// A comparison object before its class is set.
    private final class ComparisonBody: NSPredicate {
        let runtime: PredicateRuntime?
        /// The same reference, for reading without reference counting.
        let uncounted: Unmanaged<PredicateRuntime>?

        init(_ runtime: PredicateRuntime) {
            self.runtime = runtime
            uncounted = .passUnretained(runtime)
            super.init(value: false)
        }
    }

    /// A compound object before its class is set. Its stored properties are the same as those of `CompoundPredicate`. An
    /// initialiser of that class would be one that apps cannot see, so their subclasses would not inherit the others.
    private final class CompoundBody: NSCompoundPredicate {
        let runtime: PredicateRuntime?
        let uncounted: Unmanaged<PredicateRuntime>?

        init(_ runtime: PredicateRuntime, _ type: NSCompoundPredicate.LogicalType, _ parts: [NSPredicate]) {
            self.runtime = runtime
            uncounted = .passUnretained(runtime)
            super.init(type: type, subpredicates: parts)
        }
    }

    /// Creates a deprecated class. The indirection avoids mentioning it, which would be a warning.
    protocol ClassSource {
        var type: AnyClass { get }
    }

    private struct ComparisonObjects: ClassSource {
        @available(*, deprecated) var type: AnyClass { ComparisonObject.self }
    }

    /// A comparison. Its stored properties are the same as those of `ComparisonBody`.
    @available(*, deprecated)
    private final class ComparisonObject: NSComparisonPredicate, PredicateObject {
        let runtime: PredicateRuntime? = nil
        let uncounted: Unmanaged<PredicateRuntime>? = nil

        override func evaluate(with object: Any?) -> Bool { known(object) ?? matches(object, nil) ?? false }

        override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
            matches(object, bindings) ?? false
        }

        override var predicateFormat: String { runtime?.formula.text ?? "" }
        override var description: String { runtime?.formula.text ?? "" }
        override var hash: Int { runtime?.formula.root.hashValue ?? 0 }
        override func isEqual(_ object: Any?) -> Bool { isSame(as: object) ?? false }
        override func copy(with zone: NSZone? = nil) -> Any { self }
    }

    /// An NSCompoundPredicate with a format.
    ///
    /// `NSPredicate(format:)` returns this class for AND, OR and NOT. Foundation's own NSCompoundPredicate can also
    /// evaluate predicates with formats, but its `predicateFormat`, `isEqual`, `hash` and `copy` ignore the parts. In a
    /// file that imports `PredicateCompatibility` in place of Foundation, `NSCompoundPredicate` is this class. An app
    /// that imports Foundation adds one line:
    ///
    ///     typealias NSCompoundPredicate = CompoundPredicate
    open class CompoundPredicate: NSCompoundPredicate, PredicateObject {
        let runtime: PredicateRuntime?
        /// The same reference, for reading without reference counting.
        let uncounted: Unmanaged<PredicateRuntime>?

        /// A compound of predicates, including blocks.
        public override init(type: NSCompoundPredicate.LogicalType, subpredicates: [NSPredicate]) {
            let parts = subpredicates.map(BlockFormula.predicate)
            let isUniform = Set(parts.map(\.blocks.isPublishedOnly)).count < 2
            let hasForms = isUniform && parts.allSatisfy(\.blocks.isEmpty) && (type != .not || parts.count == 1)
            runtime = hasForms ? PredicateRuntime(BlockFormula.compound(type, parts)) : nil
            uncounted = runtime.map(Unmanaged.passUnretained)
            super.init(type: type, subpredicates: subpredicates)
        }

        open override func evaluate(with object: Any?) -> Bool {
            known(object) ?? matches(object, nil) ?? super.evaluate(with: object, substitutionVariables: nil)
        }

        open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
            matches(object, bindings) ?? super.evaluate(with: object, substitutionVariables: bindings)
        }

        open override var predicateFormat: String { BlockFormula.predicate(self).text }
        open override var description: String { predicateFormat }
        open override var hash: Int { runtime?.formula.root.hashValue ?? subpredicates.count }
        open override func isEqual(_ object: Any?) -> Bool { isSame(as: object) ?? hasSameParts(as: object) }
        open override func copy(with zone: NSZone? = nil) -> Any { self }

        /// For a compound with blocks, which are equal only to themselves.
        private func hasSameParts(as object: Any?) -> Bool {
            guard let other = HostValue.reference(object, as: NSCompoundPredicate.self) else { return false }
            return other.compoundPredicateType == compoundPredicateType
                && other.subpredicates.elementsEqual(subpredicates) { $0 === $1 || $0.isEqual($1) }
        }
    }
#endif
