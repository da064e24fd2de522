// NSSortDescriptor by key, with Foundation's comparison methods selected by name.
#if !canImport(ObjectiveC)
    public import Foundation

    /// The name of a method, for platforms without Objective-C: the comparison method of a sort descriptor.
    ///
    ///     NSSortDescriptor(key: "name", ascending: true, selector: Selector("localizedStandardCompare:"))
    public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        public let description: String
        public init(_ name: String) { description = name }
        public init(stringLiteral name: String) { description = name }
    }

    /// Returns the selector with a name.
    public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

    /// Returns the name of a selector.
    public func NSStringFromSelector(_ selector: Selector) -> String { selector.description }

    extension ObjectFactory where Self == NSSortDescriptor {
        /// Sorts by a key path: nil first, numbers and dates by value, texts by code points.
        public init(key: String?, ascending: Bool) {
            self = KeySortDescriptor(key, ascending, .values)
        }

        /// Sorts by a key path with a comparison method of NSString: `caseInsensitiveCompare:`, `localizedCompare:`,
        /// `localizedCaseInsensitiveCompare:`, `localizedStandardCompare:`; `compare:` and nil sort like
        /// `init(key:ascending:)`. Ends the process for other selectors, which need Objective-C.
        public init(key: String?, ascending: Bool, selector: Selector?) {
            self = KeySortDescriptor(key, ascending, .selector(selector))
        }

        /// Sorts by a key path with a closure that compares the values.
        public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
            self = KeySortDescriptor(key, ascending, .closure(comparator))
        }

        /// Sorts by a sort descriptor of Swift. Its `key` is the property's name, if it has one. Ends the process for an
        /// object of another type.
        public init<Compared>(_ descriptor: SortDescriptor<Compared>) {
            let path = descriptor.keyPath as AnyKeyPath?
            let compare: Comparator = { one, other in
                guard let one = one as? Compared, let other = other as? Compared else {
                    Trap.stop("NSSortDescriptor(_:) sorts objects of the type \(Compared.self) only")
                }
                return descriptor.compare(one, other)
            }
            let order = KeySortDescriptor.Order.descriptor(AnyHashable(descriptor), compare)
            let keys = path.flatMap { KeyPathNames.keys(of: $0) }?.joined(separator: ".")
            self = KeySortDescriptor(keys, descriptor.order == .forward, order)
        }

        /// The key path; nil for the objects themselves.
        public var key: String? { (self as? KeySortDescriptor)?.name }

        /// The comparison method, `compare:` if there is none; nil for a closure and for a descriptor of Swift.
        var method: String? { ((self as? KeySortDescriptor)?.order.identity?.base as? Selector)?.description }

        /// The comparison method; nil for a closure.
        public var selector: Selector? {
            switch (self as? KeySortDescriptor)?.order {
            case .selector(let selector): selector
            case .values: "compare:"
            default: nil
            }
        }
    }

    private final class KeySortDescriptor: NSSortDescriptor {
        enum Order {
            case values
            case selector(Selector?)
            case closure(Comparator)
            /// A descriptor of Swift, which compares whole objects and knows its direction.
            case descriptor(AnyHashable, Comparator)

            /// What two equal descriptors have in common; nil for a closure.
            var identity: AnyHashable? {
                switch self {
                case .values, .selector(nil): Selector("compare:")
                case .selector(let selector?): selector
                case .descriptor(let descriptor, _): descriptor
                case .closure: nil
                }
            }
        }

        let name: String?
        let order: Order
        private let keys: [String]
        private let texts: ((String, String) -> ComparisonResult)?

        init(_ name: String?, _ ascending: Bool, _ order: Order) {
            self.name = name
            self.order = order
            keys = name == nil || name == "self" ? [] : (name ?? "").components(separatedBy: ".")
            if case .selector(let selector?) = order { texts = Self.comparison(selector) } else { texts = nil }
            let comparator: Comparator =
                switch order {
                case .closure(let comparator), .descriptor(_, let comparator): comparator
                case .values, .selector: { [texts] in Self.order($0, $1, texts) }
                }
            super.init(keyPath: \Any.self, ascending: ascending, comparator: comparator)
        }

        private static func comparison(_ selector: Selector) -> ((String, String) -> ComparisonResult)? {
            switch selector {
            case "compare:": nil
            case "caseInsensitiveCompare:": { $0.caseInsensitiveCompare($1) }
            case "localizedCompare:": { $0.localizedCompare($1) }
            case "localizedCaseInsensitiveCompare:": { $0.localizedCaseInsensitiveCompare($1) }
            case "localizedStandardCompare:": { $0.localizedStandardCompare($1) }
            default: Trap.stop("NSSortDescriptor: '\(selector)' needs Objective-C; use a comparator")
            }
        }

        override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
            let order: ComparisonResult
            switch self.order {
            case .descriptor(_, let compare): return compare(object1, object2)
            case .closure(let comparator):
                let (one, other) = (value(of: object1).anyValue, value(of: object2).anyValue)
                order = comparator(one ?? NSNull(), other ?? NSNull())
            case .values, .selector: order = Self.order(value(of: object1), value(of: object2), texts)
            }
            return ascending ? order : ComparisonResult(rawValue: -order.rawValue) ?? .orderedSame
        }

        /// Compares two values of the key, as `comparator` does.
        private static func order(
            _ one: Any, _ other: Any, _ texts: ((String, String) -> ComparisonResult)?
        ) -> ComparisonResult {
            Trap.unlessThrown("NSSortDescriptor.comparator", instead: "PredicateSortKey") {
                () throws(PredicateFailure) in
                order(try HostValue.value(one), try HostValue.value(other), texts)
            }
        }

        private static func order(
            _ one: PredicateValue, _ other: PredicateValue, _ texts: ((String, String) -> ComparisonResult)?
        ) -> ComparisonResult {
            if let texts, case .string(let one) = one, case .string(let other) = other { return texts(one, other) }
            return ComparisonResult(rawValue: ValueOrder.compare(one, other).signum()) ?? .orderedSame
        }

        private func value(of object: Any) -> PredicateValue {
            Trap.unlessThrown("NSSortDescriptor.compare(_:to:)", instead: "PredicateSortKey") {
                () throws(PredicateFailure) in
                var value = try HostValue.value(object)
                for key in keys { value = try Self.value(of: value, forKey: key) }
                return value
            }
        }

        private static func value(of value: PredicateValue, forKey key: String) throws(PredicateFailure)
            -> PredicateValue
        {
            switch value {
            case .null, .nsNull: return .null
            case .dictionary(let dictionary): return dictionary[key] ?? .null
            case .object(let reference):
                if let value = reference.object.value(forKey: key) { return value }
                let others = reference.object.publishedKeys.filter { $0 != key }
                throw PredicateFailure(
                    .unknownKey, reference.object.typeName, key, suggestion: Suggestions.nearest(to: key, in: others))
            default:
                // For key paths such as `name.length`.
                return try FormatExpression.key(key).evaluate(value)
            }
        }

        override var reversedSortDescriptor: Any {
            guard case .descriptor(let identity, let compare) = order else {
                return KeySortDescriptor(name, !ascending, order)
            }
            // Exchanged objects have the reversed order.
            return KeySortDescriptor(name, !ascending, .descriptor(identity, { compare($1, $0) }))
        }

        /// Equal are descriptors with the same key, direction and method; one with a closure equals only itself.
        override func isEqual(_ object: Any?) -> Bool {
            guard let other = HostValue.reference(object, as: KeySortDescriptor.self) else { return false }
            guard let identity = order.identity else { return self === other }
            return name == other.name && ascending == other.ascending && identity == other.order.identity
        }

        override var hash: Int {
            var hasher = Hasher()
            hasher.combine(name)
            hasher.combine(ascending)
            hasher.combine(order.identity)
            return hasher.finalize()
        }
        override func copy(with zone: NSZone? = nil) -> Any { self }
    }
#endif
