// Converts values, properties, optionals, arithmetic and collections of #Predicate.
import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Value: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        .expression(try reader.value(value))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.NilLiteral: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        .expression(ExpressionNode(.value(.null)))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Variable: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        .expression(try reader.node(of: key))
    }
}

// MARK: Properties

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.KeyPath: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        if kind == .collectionIsEmpty {
            let base = try reader.expression(root)
            guard Root.Output.self is any StringProtocol.Type else { return PredicateTreeReader.count(base, .equal) }
            return .predicate(PredicateTreeReader.comparison(base, .equal, ExpressionNode(.value(.string("")))))
        }
        if kind == .collectionCount, Root.Output.self is any StringProtocol.Type {
            throw reader.error("the language counts the UTF-16 units of a text, not its characters")
        }
        let path = try path(reader)
        if let rest = path.rest {
            let type = type(of: rest).rootType
            guard type is any Queryable.Type else { throw reader.error("\(type) publishes no keys") }
            throw reader.error("\(rest) is not a published key of \(type)")
        }
        return .expression(path.base)
    }

    /// Returns the named steps and the properties after them that are not named yet. They are kept because one key may
    /// refer to a key path with several properties.
    func path(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> (
        base: ExpressionNode, rest: AnyKeyPath?
    ) {
        var (base, rest): (ExpressionNode, AnyKeyPath?)
        if let inner = root as? any SteppedExpression {
            (base, rest) = try inner.steps(reader)
        } else {
            (base, rest) = (try reader.expression(root), nil)
        }
        if rest == nil, let known = collectionKey(base) { return (known, nil) }
        let whole = rest.map { $0.appending(path: keyPath) ?? $0 } ?? keyPath
        guard let type = Swift.type(of: whole).rootType as? any Queryable.Type, let name = type.name(of: whole) else {
            return (base, whole)
        }
        return (PredicateTreeReader.step(base, [name]), nil)
    }

    /// The collection operator for a property of a collection, such as `count`; nil for other properties.
    private func collectionKey(_ base: ExpressionNode) -> ExpressionNode? {
        guard !(Root.Output.self is any StringProtocol.Type), let kind else { return nil }
        switch kind {
        case .collectionCount: return PredicateTreeReader.aggregate(base, .count)
        case .collectionIsEmpty: return nil
        case .collectionFirst: return ExpressionNode(.index(base, ExpressionNode(.indexSymbol(.first))))
        case .bidirectionalCollectionLast: return ExpressionNode(.index(base, ExpressionNode(.indexSymbol(.last))))
        @unknown default: return nil
        }
    }
}

/// A property of another property.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
private protocol SteppedExpression {
    func steps(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> (ExpressionNode, AnyKeyPath?)
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.KeyPath: SteppedExpression {
    fileprivate func steps(
        _ reader: PredicateTreeReader
    ) throws(PredicateConversionError) -> (ExpressionNode, AnyKeyPath?) {
        let path = try path(reader)
        return (path.base, path.rest)
    }
}

// MARK: Optionals

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateTreeReader {
    private static func isNotNil(_ node: ExpressionNode) -> PredicateNode {
        comparison(node, .notEqual, ExpressionNode(.value(.null)))
    }

    fileprivate func unlessNil(_ node: ExpressionNode, else other: ExpressionNode) -> PredicateTree {
        .expression(ExpressionNode(.ternary(Self.isNotNil(node), node, other)))
    }

    fileprivate func flatMap(
        _ wrapped: Any, _ variable: PredicateExpressions.VariableID, _ transform: Any
    ) throws(PredicateConversionError) -> PredicateTree {
        let value = try at("?.").expression(wrapped)
        let answer = try at("?.").binding(variable, to: value).expression(transform)
        if Self.isNil(answer, ifNil: value) { return .expression(answer) }
        return .expression(ExpressionNode(.ternary(Self.isNotNil(value), answer, ExpressionNode(.value(.null)))))
    }

    /// Whether an expression is certainly nil if a part of it is nil. A key of nil, and arithmetic with nil, give nil.
    private static func isNil(_ node: ExpressionNode, ifNil value: ExpressionNode) -> Bool {
        if node == value { return true }
        switch node.kind {
        case .keyPath(let keys):
            guard case .keyPath(let first) = value.kind else { return value.kind == .selfObject }
            return keys.starts(with: first) && !keys.contains { $0.hasPrefix("@") }
        case .member(let base, _), .negation(let base): return isNil(base, ifNil: value)
        case .binary(_, let left, let right): return isNil(left, ifNil: value) || isNil(right, ifNil: value)
        default: return false
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.OptionalFlatMap: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        try reader.flatMap(wrapped, variable.key, transform)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.NilCoalesce: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let inner = reader.at("??")
        return inner.unlessNil(try inner.expression(lhs), else: try inner.expression(rhs))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.ForcedUnwrap: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        try reader.at("!").read(inner)
    }
}

// MARK: Arithmetic

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateTreeReader {
    fileprivate func arithmetic(
        _ operation: BinaryOperator, _ left: Any, _ right: Any
    ) throws(PredicateConversionError) -> PredicateTree {
        let inner = at(operation.spelling)
        return .expression(
            ExpressionNode(.binary(operation, try inner.expression(left), try inner.expression(right))))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Arithmetic: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        switch op {
        case .add: try reader.arithmetic(.add, lhs, rhs)
        case .subtract: try reader.arithmetic(.subtract, lhs, rhs)
        case .multiply: try reader.arithmetic(.multiply, lhs, rhs)
        #if canImport(ObjectiveC)
            @unknown default: throw reader.error("unknown arithmetic")
        #endif
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.IntDivision: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        try reader.arithmetic(.divide, lhs, rhs)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.FloatDivision: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        try reader.arithmetic(.divide, lhs, rhs)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.IntRemainder: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let inner = reader.at("%")
        let name = FunctionCatalog.standard(.modulus)?.name ?? ""
        return .expression(
            ExpressionNode(.call(name, [try inner.expression(lhs), try inner.expression(rhs)])))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.UnaryMinus: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let operand = try reader.at("-").expression(wrapped)
        switch operand.kind {
        case .value(.integer(let number)) where number != .min:
            return .expression(ExpressionNode(.value(.integer(-number))))
        case .value(.double(let number)): return .expression(ExpressionNode(.value(.double(-number))))
        default: return .expression(ExpressionNode(.negation(operand)))
        }
    }
}

// MARK: Collections

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateTreeReader {
    fileprivate func subquery(
        _ name: String, _ sequence: Any, _ variable: PredicateExpressions.VariableID, _ test: Any, negated: Bool = false
    ) throws(PredicateConversionError) -> ExpressionNode {
        let inner = at(name)
        let collection = try inner.expression(sequence)
        let variableName = freshVariable
        let condition = try inner.binding(variable, to: ExpressionNode(.variable(variableName))).predicate(test)
        return ExpressionNode(
            .subquery(
                collection, variable: variableName, negated ? PredicateNode(.not(condition)) : condition))
    }

    fileprivate static func count(
        _ node: ExpressionNode, _ operation: ComparisonOperator
    ) -> PredicateTree {
        .predicate(comparison(aggregate(node, .count), operation, ExpressionNode(.value(.integer(0)))))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateTreeReader {
    fileprivate func search(_ element: ExpressionNode, inOptionals list: ExpressionNode) -> PredicateNode {
        let found = Self.comparison(element, .in, list)
        if case .value(let value) = element.kind, !value.isNil { return found }
        if case .value(.array(let values)) = list.kind {
            guard values.contains(where: \.isNil) else { return found }
            let others = Self.comparison(
                element, .in, ExpressionNode(.value(.array(values.filter { !$0.isNil }))))
            return PredicateNode(.or([Self.comparison(element, .equal, ExpressionNode(.value(.null))), others]))
        }
        let equal = Self.comparison(ExpressionNode(.variable(freshVariable)), .equal, element)
        let same = ExpressionNode(.subquery(list, variable: freshVariable, equal))
        let count = Self.aggregate(same, .count)
        return Self.comparison(count, .greaterThan, ExpressionNode(.value(.integer(0))))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceContains: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let inner = reader.at("contains")
        let (element, list) = (try inner.expression(element), try inner.expression(sequence))
        // In Swift a list of optionals may contain nil, in the language nothing contains nil.
        guard RHS.Output.self is any ValueBox.Type else {
            return .predicate(PredicateTreeReader.comparison(element, .in, list))
        }
        return .predicate(inner.search(element, inOptionals: list))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceContainsWhere: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let found = try reader.subquery("contains(where:)", sequence, variable.key, test)
        return PredicateTreeReader.count(found, .greaterThan)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceAllSatisfy: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let exceptions = try reader.subquery("allSatisfy", sequence, variable.key, test, negated: true)
        return PredicateTreeReader.count(exceptions, .equal)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.Filter: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        .expression(try reader.subquery("filter", sequence, variable.key, filter))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceMaximum: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        .expression(PredicateTreeReader.aggregate(try reader.at("max()").expression(elements), .maximum))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.SequenceMinimum: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        .expression(PredicateTreeReader.aggregate(try reader.at("min()").expression(elements), .minimum))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.CollectionIndexSubscript: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let inner = reader.at("[]")
        return .expression(ExpressionNode(.index(try inner.expression(wrapped), try inner.expression(index))))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.CollectionRangeSubscript: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        throw reader.at("[]").error("the language has no part of a list or text")
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.DictionaryKeySubscript: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let inner = reader.at("[]")
        return .expression(ExpressionNode(.index(try inner.expression(wrapped), try inner.expression(key))))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ReadableExpression {
    func read(_ reader: PredicateTreeReader) throws(PredicateConversionError) -> PredicateTree {
        let inner = reader.at("[default:]")
        let entry = ExpressionNode(.index(try inner.expression(wrapped), try inner.expression(key)))
        return inner.unlessNil(entry, else: try inner.expression(self.default))
    }
}
