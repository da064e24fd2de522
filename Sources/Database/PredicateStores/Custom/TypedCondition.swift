// Conditions on keys with constants of the keys' types, for back ends that cannot compare values of different types.
// CapabilitySplit.swift uses it.

extension KeyCondition {
    /// The same condition with constants of a type; one that never holds if no value of the type fulfils the test. nil if
    /// no such constants have the same result.
    func typed(_ type: ExpressionType.Kind) -> KeyCondition? { test.typed(type).map(with) }
}

extension KeyCondition.Test {
    fileprivate func typed(_ type: ExpressionType.Kind) -> Self? {
        let isText = type == .string || type == .any
        switch self {
        case .isNil: return self
        case .members(let list):
            let found = list.compactMap { type.bound(.equal, $0) }
            return found.count == list.count ? .members(found.flatMap(\.self).uniqued()) : nil
        case .order(let order, let constant):
            return type.bound(order, constant).map { $0.first.map { .order(order, $0) } ?? .members([]) }
        case .range(let low, let high):
            guard let lower = type.bound(.greaterOrEqual, low), let upper = type.bound(.lessOrEqual, high)
            else { return nil }
            guard let lower = lower.first, let upper = upper.first,
                let order = try? lower.order(against: upper, for: "BETWEEN"), order <= 0
            else { return .members([]) }
            return .range(lower, upper)
        case .contains(let constant):
            if case .collection(_, let element) = type {
                return element.kind.bound(.equal, constant).map { $0.first.map(Self.contains) ?? .members([]) }
            }
            guard isText, let text = constant.stringValue else { return type == .any ? self : nil }
            // An empty text is in no text, but may be in a list.
            return text.isEmpty ? type == .any ? nil : .members([]) : self
        case .text(let text, _): return text.isEmpty ? .members([]) : isText ? self : nil
        case .pattern: return isText ? self : nil
        case .part: return nil
        }
    }
}

extension ExpressionType.Kind {
    /// The value of this type with which a comparison has the same result as with a constant. Empty if no value of the
    /// type fulfils it; nil if there is no such value.
    fileprivate func bound(_ order: Order, _ constant: PredicateValue) -> [PredicateValue]? {
        let number = constant.doubleValue
        switch self {
        case .any, .null, .number, .entity: return [constant]
        case .boolean, .integer, .double, .decimal:
            guard let number else { return order == .equal ? [] : nil }
            if number.isNaN { return [] }
        case .collection: return nil
        default:
            if ExpressionType(of: constant).kind != self { return order == .equal ? [] : nil }
            return constant.isNaN ? [] : [constant]
        }
        switch (self, constant) {
        case (.integer, _):
            guard let span = try? IntegerSpan(of: constant) else { return nil }
            guard let range = span.interval(order).range else { return [] }
            if order == .equal { return range.lowerBound == range.upperBound ? [.integer(range.lowerBound)] : nil }
            return (order == .less || order == .greaterOrEqual ? span.first : span.last).map { [.integer($0)] }
        case (.double, _): return number.map { [.double($0)] }
        case (.decimal, .decimal): return [constant]
        case (.decimal, _): return constant.exactInteger.map { [.decimal(DecimalNumber($0))] }
        default:
            let comparison = Comparison(order.comparison)
            let isMet = [false, true].contains { (try? comparison.test(.bool($0), constant)) ?? false }
            if !isMet { return [] }
            return number == 0 || number == 1 ? [.bool(number == 1)] : nil
        }
    }
}
