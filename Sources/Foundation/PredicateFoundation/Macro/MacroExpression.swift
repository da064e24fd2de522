// Foundation's expression types of #Predicate, each described by what it does with its parts. PredicateTreeReader converts
// the descriptions to our language.
import Foundation

/// An expression type of #Predicate that can be converted.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
protocol MacroExpression: PredicateExpression {
    var operation: MacroOperation { get }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension MacroExpression {
    /// The value of an expression that reads no variable.
    /// - Throws: Foundation's error, for example for nil that is unwrapped.
    func capturedValue() throws -> Any { try evaluate(PredicateBindings()) }
}

/// An operation and its parts, which are other expressions of #Predicate.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
enum MacroOperation {
    typealias VariableID = PredicateExpressions.VariableID

    case constant(Any?)
    case variable(VariableID)
    case property(MacroProperty)
    /// An operation that is made of the values of its parts; the text is its step in the position of an error.
    case values(String, [Any], ([ExpressionNode]) -> PredicateTree)
    /// The same for an operation that has a value without an object if its parts have one.
    case captured(String, [Any], ([ExpressionNode]) -> PredicateTree)
    /// `&&` or `||`
    case compound(String, Any, Any)
    case not(Any)
    case conditional(Any, Any, Any)
    case inRange(Any, Any, type: Any.Type)
    case range(lower: Any, upper: Any, isClosed: Bool, isReversed: Bool = false)
    case flatMap(Any, VariableID, Any)
    /// The elements for which a test holds, or does not hold. The result is the list of them, or compares their number with
    /// 0.
    case filter(String, Any, VariableID, Any, isNegated: Bool = false, count: ComparisonOperator? = nil)
    /// Whether a list of optionals contains a value, which may be nil.
    case search(Any, forOptional: Any)
    /// An operation without an equivalent, and the reason. It has a value if its parts have one.
    case unsupported(String?, String, parts: [Any]? = nil)

    static func comparison(
        _ left: Any, _ operation: ComparisonOperator, _ right: Any, options: ComparisonOptions = [],
        step: String? = nil
    ) -> MacroOperation {
        .values(step ?? operation.spelling, [left, right]) {
            .predicate(PredicateNode(.comparison(ComparisonNode($0[0], operation, $0[1], options: options))))
        }
    }

    /// A search in a text, or in a list if `type` is one. In Swift every text contains the empty text and begins with it, in
    /// the language none does.
    static func search(
        _ text: Any, _ type: Any.Type, _ operation: ComparisonOperator, _ part: Any, _ step: String
    ) -> MacroOperation {
        guard type is any StringProtocol.Type else {
            return .unsupported(step, "the language cannot search for a list in a list")
        }
        return .values(operation.spelling, [text, part]) {
            let found = PredicateTreeReader.comparison($0[0], operation, $0[1])
            if case .value(let constant) = $0[1].kind {
                return .predicate(constant == .string("") ? PredicateNode(.constant(true)) : found)
            }
            return .predicate(PredicateNode(.or([PredicateTreeReader.isEmpty(text: $0[1]), found])))
        }
    }

    static func arithmetic(_ operation: BinaryOperator, _ left: Any, _ right: Any) -> MacroOperation {
        .values(operation.spelling, [left, right]) { .expression(ExpressionNode(.binary(operation, $0[0], $0[1]))) }
    }

    static func extreme(_ step: String, _ list: Any, _ kind: CollectionOperator.Kind) -> MacroOperation {
        .values(step, [list]) { .expression(PredicateTreeReader.aggregate($0[0], kind)) }
    }

    static func element(of base: Any, at index: Any) -> MacroOperation {
        .captured("[]", [base, index]) { .expression(ExpressionNode(.index($0[0], $0[1]))) }
    }

    /// The parts of an operation that has a value without an object if its parts have one; nil for other operations.
    var capturedParts: [Any]? {
        switch self {
        case .constant: []
        case .property(let property): [property.root]
        case .captured(_, let parts, _): parts
        case .flatMap(let value, _, let transform): [value, transform]
        // Foundation ends the process for reversed bounds.
        case .range(let lower, let upper, _, let isReversed): isReversed ? nil : [lower, upper]
        case .unsupported(_, _, let parts): parts
        case .variable, .values, .compound, .not, .conditional, .inRange, .filter, .search: nil
        }
    }
}

/// A property of an expression's value.
struct MacroProperty {
    enum OfCollection { case count, isEmpty, first, last }

    let root: Any
    let path: AnyKeyPath
    /// The property if it is one of those that collections have; nil for others.
    let ofCollection: OfCollection?
    let isOfText: Bool
}

// MARK: Values and properties

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Value: MacroExpression {
    var operation: MacroOperation { .constant(value) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.NilLiteral: MacroExpression {
    var operation: MacroOperation { .constant(nil) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Variable: MacroExpression {
    var operation: MacroOperation { .variable(key) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.KeyPath: MacroExpression {
    var operation: MacroOperation {
        let known: MacroProperty.OfCollection? =
            switch kind {
            case .collectionCount: .count
            case .collectionIsEmpty: .isEmpty
            case .collectionFirst: .first
            case .bidirectionalCollectionLast: .last
            case nil: nil
            @unknown default: nil
            }
        let isOfText = Root.Output.self is any StringProtocol.Type
        return .property(MacroProperty(root: root, path: keyPath, ofCollection: known, isOfText: isOfText))
    }
}

// MARK: Conditions

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Conjunction: MacroExpression {
    var operation: MacroOperation { .compound("&&", lhs, rhs) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Disjunction: MacroExpression {
    var operation: MacroOperation { .compound("||", lhs, rhs) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Negation: MacroExpression {
    var operation: MacroOperation { .not(wrapped) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Equal: MacroExpression {
    var operation: MacroOperation { .comparison(lhs, .equal, rhs) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.NotEqual: MacroExpression {
    var operation: MacroOperation { .comparison(lhs, .notEqual, rhs) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Comparison: MacroExpression {
    var operation: MacroOperation {
        switch op {
        case .lessThan: .comparison(lhs, .lessThan, rhs)
        case .lessThanOrEqual: .comparison(lhs, .lessThanOrEqual, rhs)
        case .greaterThan: .comparison(lhs, .greaterThan, rhs)
        case .greaterThanOrEqual: .comparison(lhs, .greaterThanOrEqual, rhs)
        #if canImport(ObjectiveC)
            @unknown default: .unsupported(nil, "an unknown comparison")
        #endif
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Conditional: MacroExpression {
    var operation: MacroOperation { .conditional(test, trueBranch, falseBranch) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.CollectionContainsCollection: MacroExpression {
    var operation: MacroOperation { .search(base, Base.Output.self, .contains, other, "contains") }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceStartsWith: MacroExpression {
    var operation: MacroOperation { .search(base, Base.Output.self, .beginsWith, prefix, "starts(with:)") }
}

#if canImport(ObjectiveC)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension PredicateExpressions.StringLocalizedStandardContains: MacroExpression {
        var operation: MacroOperation {
            .comparison(
                root, .contains, other, options: [.caseInsensitive, .diacriticInsensitive],
                step: "localizedStandardContains")
        }
    }
#endif

// MARK: Ranges

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.RangeExpressionContains: MacroExpression {
    var operation: MacroOperation { .inRange(range, element, type: RangeExpression.Output.self) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Range: MacroExpression {
    var operation: MacroOperation { .range(lower: lower, upper: upper, isClosed: false) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.ClosedRange: MacroExpression {
    var operation: MacroOperation {
        let none = PredicateBindings()
        let bounds = (try? lower.evaluate(none), try? upper.evaluate(none))
        let isReversed = if case let (low?, high?) = bounds { low > high } else { false }
        return .range(lower: lower, upper: upper, isClosed: true, isReversed: isReversed)
    }
}

/// A range type of the standard library.
protocol BoundedRange {
    var ends: (lower: Any?, upper: Any?, isClosed: Bool) { get }
}

extension Range: BoundedRange {
    var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, false) }
}
extension ClosedRange: BoundedRange {
    var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, true) }
}
extension PartialRangeFrom: BoundedRange {
    var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, nil, true) }
}
extension PartialRangeThrough: BoundedRange {
    var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, true) }
}
extension PartialRangeUpTo: BoundedRange {
    var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, false) }
}

// MARK: Optionals

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.OptionalFlatMap: MacroExpression {
    var operation: MacroOperation { .flatMap(wrapped, variable.key, transform) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.NilCoalesce: MacroExpression {
    var operation: MacroOperation {
        .captured("??", [lhs, rhs]) { .expression(PredicateTreeReader.unlessNil($0[0], $0[0], else: $0[1])) }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.ForcedUnwrap: MacroExpression {
    var operation: MacroOperation { .captured("!", [inner]) { .expression($0[0]) } }
}

// MARK: Arithmetic

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Arithmetic: MacroExpression {
    var operation: MacroOperation {
        switch op {
        case .add: .arithmetic(.add, lhs, rhs)
        case .subtract: .arithmetic(.subtract, lhs, rhs)
        case .multiply: .arithmetic(.multiply, lhs, rhs)
        #if canImport(ObjectiveC)
            @unknown default: .unsupported(nil, "unknown arithmetic")
        #endif
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.IntDivision: MacroExpression {
    var operation: MacroOperation { .arithmetic(.divide, lhs, rhs) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.FloatDivision: MacroExpression {
    var operation: MacroOperation { .arithmetic(.divide, lhs, rhs) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.IntRemainder: MacroExpression {
    var operation: MacroOperation {
        .values("%", [lhs, rhs]) {
            .expression(ExpressionNode(.call(FunctionCatalog.standard(.modulus)?.name ?? "", $0)))
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.UnaryMinus: MacroExpression {
    var operation: MacroOperation {
        .values("-", [wrapped]) {
            switch $0[0].kind {
            case .value(.integer(let number)) where number != .min:
                .expression(ExpressionNode(.value(.integer(-number))))
            case .value(.double(let number)): .expression(ExpressionNode(.value(.double(-number))))
            default: .expression(ExpressionNode(.negation($0[0])))
            }
        }
    }
}

// MARK: Collections

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceContains: MacroExpression {
    var operation: MacroOperation {
        if RHS.Output.self is any ValueBox.Type { return .search(sequence, forOptional: element) }
        return .values("contains", [element, sequence]) {
            .predicate(PredicateTreeReader.comparison($0[0], .in, $0[1]))
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceContainsWhere: MacroExpression {
    var operation: MacroOperation { .filter("contains(where:)", sequence, variable.key, test, count: .greaterThan) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceAllSatisfy: MacroExpression {
    var operation: MacroOperation {
        .filter("allSatisfy", sequence, variable.key, test, isNegated: true, count: .equal)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Filter: MacroExpression {
    var operation: MacroOperation { .filter("filter", sequence, variable.key, filter) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceMaximum: MacroExpression {
    var operation: MacroOperation { .extreme("max()", elements, .maximum) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceMinimum: MacroExpression {
    var operation: MacroOperation { .extreme("min()", elements, .minimum) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.CollectionIndexSubscript: MacroExpression {
    var operation: MacroOperation { .element(of: wrapped, at: index) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.CollectionRangeSubscript: MacroExpression {
    var operation: MacroOperation {
        .unsupported("[]", "the language has no part of a list or text", parts: [wrapped, range])
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.DictionaryKeySubscript: MacroExpression {
    var operation: MacroOperation { .element(of: wrapped, at: key) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: MacroExpression {
    var operation: MacroOperation {
        .captured("[default:]", [wrapped, key, self.default]) {
            let entry = ExpressionNode(.index($0[0], $0[1]))
            return .expression(PredicateTreeReader.unlessNil(entry, entry, else: $0[2]))
        }
    }
}
