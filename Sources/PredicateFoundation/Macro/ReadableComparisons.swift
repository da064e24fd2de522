// Converts comparisons and compounds of #Predicate.
import Foundation
import PredicateModel
import PredicateSyntax

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateTreeReader {
    fileprivate func compound(
        _ name: String, _ left: Any, _ right: Any, _ kind: ([PredicateNode]) -> PredicateNode.Kind
    ) throws(PredicateConversionError) -> PredicateTree {
        var parts: [PredicateNode] = []
        for part in [left, right] {
            let node = try at(name).predicate(part)
            // A chain of operators is one node, as in the parser's trees.
            switch (node.kind, kind([])) {
            case (.and(let inner), .and), (.or(let inner), .or): parts += inner
            default: parts.append(node)
            }
        }
        return .predicate(PredicateNode(kind(parts)))
    }

    fileprivate func comparison(
        _ left: Any, _ operation: ComparisonOperator, _ right: Any, options: ComparisonOptions = [],
        at step: String? = nil
    ) throws(PredicateConversionError) -> PredicateTree {
        let inner = at(step ?? operation.spelling)
        let (left, right) = (try inner.expression(left), try inner.expression(right))
        return .predicate(PredicateNode(.comparison(ComparisonNode(left, operation, right, options: options))))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Conjunction: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        try reader.compound("&&", lhs, rhs) { .and($0) }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Disjunction: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        try reader.compound("||", lhs, rhs) { .or($0) }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Negation: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        .predicate(PredicateNode(.not(try reader.at("!").predicate(wrapped))))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Equal: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        try reader.comparison(lhs, .equal, rhs)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.NotEqual: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        try reader.comparison(lhs, .notEqual, rhs)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Comparison: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let operation: ComparisonOperator =
            switch op {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqual
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqual
            #if canImport(ObjectiveC)
                @unknown default: throw reader.error("an unknown comparison")
            #endif
            }
        return try reader.comparison(lhs, operation, rhs)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Conditional: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let inner = reader.at("?:")
        return .expression(
            ExpressionNode(
                .ternary(
                    try inner.predicate(test), try inner.expression(trueBranch), try inner.expression(falseBranch))))
    }
}

// MARK: Texts

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateTreeReader {
    /// In Swift every text contains the empty text and begins with it, in the language none does.
    fileprivate func search(
        _ text: Any, _ operation: ComparisonOperator, _ part: Any
    ) throws(PredicateConversionError) -> PredicateTree {
        let inner = at(operation.spelling)
        let (text, part) = (try inner.expression(text), try inner.expression(part))
        let found = Self.comparison(text, operation, part)
        let isEmpty = Self.comparison(part, .equal, ExpressionNode(.value(.string(""))))
        guard case .value(let constant) = part.kind else { return .predicate(PredicateNode(.or([isEmpty, found]))) }
        return .predicate(constant == .string("") ? PredicateNode(.constant(true)) : found)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.CollectionContainsCollection: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        guard Base.Output.self is any StringProtocol.Type else {
            throw reader.at("contains").error("the language cannot search for a list in a list")
        }
        return try reader.search(base, .contains, other)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceStartsWith: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        guard Base.Output.self is any StringProtocol.Type else {
            throw reader.at("starts(with:)").error("the language cannot search for a list in a list")
        }
        return try reader.search(base, .beginsWith, prefix)
    }
}

#if canImport(ObjectiveC)
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension PredicateExpressions.StringLocalizedStandardContains: ReadableExpression {
        func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
            try reader.comparison(
                root, .contains, other, options: [.caseInsensitive, .diacriticInsensitive],
                at: "localizedStandardContains")
        }
    }
#endif

// MARK: Ranges

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.RangeExpressionContains: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let inner = reader.at("range")
        let source = inner.captured(range)?.value as? any ReadableRange ?? range as? any ReadableRange
        guard let bounds = try source?.bounds(inner) else {
            throw inner.error("the language has no range of the type \(RangeExpression.Output.self)")
        }
        let element = try inner.expression(element)
        if let lower = bounds.lower, let upper = bounds.upper, bounds.isClosed {
            let list = ExpressionNode(.aggregate([lower, upper]))
            return .predicate(PredicateTreeReader.comparison(element, .between, list))
        }
        var parts: [PredicateNode] = []
        if let lower = bounds.lower {
            parts.append(PredicateTreeReader.comparison(element, .greaterThanOrEqual, lower))
        }
        if let upper = bounds.upper {
            let operation = bounds.isClosed ? ComparisonOperator.lessThanOrEqual : .lessThan
            parts.append(PredicateTreeReader.comparison(element, operation, upper))
        }
        return .predicate(parts.count == 1 ? parts[0] : PredicateNode(.and(parts)))
    }
}

/// The bounds of a range; nil for an open end.
struct RangeBounds {
    var lower: ExpressionNode?
    var upper: ExpressionNode?
    var isClosed: Bool
}

/// A range, or an expression that creates one.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
protocol ReadableRange {
    func bounds(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> RangeBounds
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Range: ReadableRange {
    func bounds(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> RangeBounds {
        RangeBounds(lower: try reader.expression(lower), upper: try reader.expression(upper), isClosed: false)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.ClosedRange: ReadableRange {
    func bounds(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> RangeBounds {
        RangeBounds(lower: try reader.expression(lower), upper: try reader.expression(upper), isClosed: true)
    }
}

/// A range type of the standard library.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
private protocol BoundedValue: ReadableRange {
    var ends: (lower: Any?, upper: Any?, isClosed: Bool) { get }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension BoundedValue {
    func bounds(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> RangeBounds {
        func node(_ bound: Any?) throws(PredicateConversionError) -> ExpressionNode? {
            guard let bound else { return nil }
            return try reader.value(bound)
        }
        let ends = ends
        return RangeBounds(lower: try node(ends.lower), upper: try node(ends.upper), isClosed: ends.isClosed)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension Range: BoundedValue {
    fileprivate var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, false) }
}
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ClosedRange: BoundedValue {
    fileprivate var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, true) }
}
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PartialRangeFrom: BoundedValue {
    fileprivate var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, nil, true) }
}
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PartialRangeThrough: BoundedValue {
    fileprivate var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, true) }
}
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PartialRangeUpTo: BoundedValue {
    fileprivate var ends: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, false) }
}
