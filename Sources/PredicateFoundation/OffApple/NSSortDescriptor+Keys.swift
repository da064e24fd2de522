// NSSortDescriptor by key, with Foundation's comparison methods selected by name.
#if !canImport(ObjectiveC)
    public import Foundation
    import PredicateEvaluation
    import PredicateModel
    import PredicateSyntax

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

        /// The key path; nil for the objects themselves.
        public var key: String? { (self as? KeySortDescriptor)?.name }

        /// The comparison method; nil for a closure.
        public var selector: Selector? {
            switch (self as? KeySortDescriptor)?.order {
            case .selector(let selector): selector
            case .values: "compare:"
            default: nil
            }
        }
    }

    /// A sort descriptor with a key.
    private final class KeySortDescriptor: NSSortDescriptor {
        enum Order {
            case values
            case selector(Selector?)
            case closure(Comparator)
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
            super.init(keyPath: \Any.self, ascending: ascending, comparator: { _, _ in .orderedSame })
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
            let (one, other) = (value(of: object1), value(of: object2))
            let order = order(one, other)
            return ascending ? order : ComparisonResult(rawValue: -order.rawValue) ?? .orderedSame
        }

        private func order(_ one: PredicateValue, _ other: PredicateValue) -> ComparisonResult {
            if case .closure(let comparator) = order {
                return comparator(HostValue.object(one) ?? NSNull(), HostValue.object(other) ?? NSNull())
            }
            if let texts, case .string(let one) = one, case .string(let other) = other { return texts(one, other) }
            return ComparisonResult(rawValue: ValueOrder.compare(one, other).signum()) ?? .orderedSame
        }

        private func value(of object: Any) -> PredicateValue {
            Trap.unlessThrown("NSSortDescriptor.compare(_:to:)", instead: "SortKey") {
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
                throw PredicateFailure(
                    Diagnostic(
                        .unknownKey, at: .none, reference.object.typeName, key,
                        suggestion: Suggestions.nearest(to: key, in: reference.object.publishedKeys)))
            default:
                // For key paths such as `name.length`.
                return try FormatExpression.key(key).evaluate(value)
            }
        }

        override var reversedSortDescriptor: Any { KeySortDescriptor(name, !ascending, order) }
        override func copy(with zone: NSZone? = nil) -> Any { self }
    }
#endif
