// Converts each operation of #Predicate to our language.
import Foundation

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateTreeReader {
    func convert(_ operation: MacroOperation) throws(PredicateConversionError) -> PredicateTree {
        switch operation {
        case .values(let step, let parts, let make), .captured(let step, let parts, let make):
            return make(try at(step).expressions(parts))
        case .compound(let name, let left, let right): return try compound(name, left, right)
        case .not(let part): return .predicate(PredicateNode(.not(try at("!").predicate(part))))
        default: return try convertOther(operation)
        }
    }

    /// A separate function, so that deep compounds need less stack.
    private func convertOther(_ operation: MacroOperation) throws(PredicateConversionError) -> PredicateTree {
        switch operation {
        case .constant(let constant): return .expression(try value(constant))
        case .variable(let id):
            guard let node = variables[id] else { throw error("a variable of another predicate") }
            return .expression(node)
        case .property(let property): return try read(property)
        case .conditional(let test, let one, let other): return try at("?:").conditional(test, one, other)
        case .inRange(let range, let element, let type): return try at("range").test(element, in: range, type)
        case .range(_, _, let isClosed, _): throw error("the language has no \(isClosed ? "ClosedRange" : "Range")")
        case .flatMap(let wrapped, let variable, let transform):
            return try at("?.").flatMap(wrapped, variable, transform)
        case .filter(let name, let list, let variable, let test, let isNegated, let count):
            return try at(name).filter(list, variable, test, isNegated, count)
        case .search(let list, let element): return try at("contains").search(element, inOptionals: list)
        case .unsupported(let step, let reason, _): throw (step.map { at($0) } ?? self).error(reason)
        case .values, .captured, .compound, .not: return try convert(operation)
        }
    }

    private func expressions(_ parts: [Any]) throws(PredicateConversionError) -> [ExpressionNode] {
        try parts.map { (part) throws(PredicateConversionError) in try expression(part) }
    }

    private static let null = ExpressionNode(.value(.null))

    // MARK: Conditions

    private func compound(
        _ name: String, _ left: Any, _ right: Any
    ) throws(PredicateConversionError) -> PredicateTree {
        let (inner, isAnd) = (at(name), name == "&&")
        // A chain of operators is one node, as in the parser's trees.
        let parts = try inner.predicate(left).terms(isAnd: isAnd) + inner.predicate(right).terms(isAnd: isAnd)
        return .predicate(PredicateNode(isAnd ? .and(parts) : .or(parts)))
    }

    private func conditional(
        _ test: Any, _ one: Any, _ other: Any
    ) throws(PredicateConversionError) -> PredicateTree {
        .expression(ExpressionNode(.ternary(try predicate(test), try expression(one), try expression(other))))
    }

    private func test(
        _ element: Any, in range: Any, _ type: Any.Type
    ) throws(PredicateConversionError) -> PredicateTree {
        let bounds: (lower: ExpressionNode?, upper: ExpressionNode?)
        let isClosed: Bool
        if let ends = (captured(range) as? any BoundedRange)?.ends {
            bounds = (try ends.lower.map(value), try ends.upper.map(value))
            isClosed = ends.isClosed
        } else if case .range(let lower, let upper, let closed, _)? = (range as? any MacroExpression)?.operation {
            bounds = (try expression(lower), try expression(upper))
            isClosed = closed
        } else {
            throw error("the language has no range of the type \(type)")
        }
        let element = try expression(element)
        if let lower = bounds.lower, let upper = bounds.upper, isClosed {
            return .predicate(Self.comparison(element, .between, ExpressionNode(.aggregate([lower, upper]))))
        }
        let lower = bounds.lower.map { Self.comparison(element, .greaterThanOrEqual, $0) }
        let upper = bounds.upper.map { Self.comparison(element, isClosed ? .lessThanOrEqual : .lessThan, $0) }
        let parts = [lower, upper].compactMap { $0 }
        return .predicate(parts.count == 1 ? parts[0] : PredicateNode(.and(parts)))
    }

    static func isEmpty(text: ExpressionNode) -> PredicateNode {
        comparison(text, .equal, ExpressionNode(.value(.string(""))))
    }

    // MARK: Properties

    private func read(_ property: MacroProperty) throws(PredicateConversionError) -> PredicateTree {
        if property.ofCollection == .isEmpty {
            let base = try expression(property.root)
            return .predicate(property.isOfText ? Self.isEmpty(text: base) : Self.count(base, .equal))
        }
        if property.ofCollection == .count, property.isOfText {
            throw error("the language counts the UTF-16 units of a text, not its characters")
        }
        let found = try steps(property)
        guard let rest = found.rest else { return .expression(found.base) }
        let type = type(of: rest).rootType
        guard type is any Queryable.Type else { throw error("\(type) has no keys") }
        throw error("\(rest) is not a published key of \(type)")
    }

    /// Returns the named steps and the properties after them that are not named yet. They are kept because one key may
    /// refer to a key path with several properties.
    private func steps(
        _ property: MacroProperty
    ) throws(PredicateConversionError) -> (base: ExpressionNode, rest: AnyKeyPath?) {
        var (base, rest): (ExpressionNode, AnyKeyPath?)
        if case .property(let inner)? = (property.root as? any MacroExpression)?.operation {
            (base, rest) = try steps(inner)
        } else {
            (base, rest) = (try expression(property.root), nil)
        }
        if rest == nil, !property.isOfText {
            switch property.ofCollection {
            case .count: return (Self.aggregate(base, .count), nil)
            case .first: return (ExpressionNode(.index(base, ExpressionNode(.indexSymbol(.first)))), nil)
            case .last: return (ExpressionNode(.index(base, ExpressionNode(.indexSymbol(.last)))), nil)
            case .isEmpty, nil: break
            }
        }
        let whole = rest.map { $0.appending(path: property.path) ?? $0 } ?? property.path
        guard let type = type(of: whole).rootType as? any Queryable.Type, let name = type.name(of: whole) else {
            return (base, whole)
        }
        return (Self.step(base, [name]), nil)
    }

    // MARK: Optionals

    static func unlessNil(
        _ node: ExpressionNode, _ answer: ExpressionNode, else other: ExpressionNode
    ) -> ExpressionNode {
        ExpressionNode(.ternary(comparison(node, .notEqual, null), answer, other))
    }

    private func flatMap(
        _ wrapped: Any, _ variable: PredicateExpressions.VariableID, _ transform: Any
    ) throws(PredicateConversionError) -> PredicateTree {
        let value = try expression(wrapped)
        let answer = try binding(variable, to: value).expression(transform)
        return .expression(
            Self.isNil(answer, ifNil: value) ? answer : Self.unlessNil(value, answer, else: Self.null))
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

    // MARK: Collections

    private func filter(
        _ list: Any, _ variable: PredicateExpressions.VariableID, _ test: Any, _ isNegated: Bool,
        _ count: ComparisonOperator?
    ) throws(PredicateConversionError) -> PredicateTree {
        let collection = try expression(list)
        let name = freshVariable
        let test = try binding(variable, to: ExpressionNode(.variable(name))).predicate(test)
        let condition = isNegated ? PredicateNode(.not(test)) : test
        let found = ExpressionNode(.subquery(collection, variable: name, condition))
        return count.map { .predicate(Self.count(found, $0)) } ?? .expression(found)
    }

    /// Compares the number of elements with 0.
    private static func count(_ list: ExpressionNode, _ operation: ComparisonOperator) -> PredicateNode {
        comparison(aggregate(list, .count), operation, ExpressionNode(.value(.integer(0))))
    }

    /// In Swift a list of optionals may contain nil, in the language nothing contains nil.
    private func search(_ element: Any, inOptionals list: Any) throws(PredicateConversionError) -> PredicateTree {
        let (element, list) = (try expression(element), try expression(list))
        let found = Self.comparison(element, .in, list)
        if case .value(let value) = element.kind, !value.isNil { return .predicate(found) }
        if case .value(.array(let values)) = list.kind {
            guard values.contains(where: \.isNil) else { return .predicate(found) }
            let others = ExpressionNode(.value(.array(values.filter { !$0.isNil })))
            return .predicate(
                PredicateNode(
                    .or([Self.comparison(element, .equal, Self.null), Self.comparison(element, .in, others)])))
        }
        let equal = Self.comparison(ExpressionNode(.variable(freshVariable)), .equal, element)
        let same = ExpressionNode(.subquery(list, variable: freshVariable, equal))
        return .predicate(Self.count(same, .greaterThan))
    }
}
