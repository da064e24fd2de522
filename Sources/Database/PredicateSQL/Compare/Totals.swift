// `@sum` and `@avg` in SQL. Sums of integers and decimals are exact. Sums of doubles depend on the order of addition,
// which engines do not guarantee, so comparisons with them become bounds (SQL of each construct: Paths and
// collections).

extension Lowering {
    /// The total of a value of each row. A total of doubles is not an operand, because it can only be compared.
    func totalTarget(_ many: Many, _ name: String, isSum: Bool) throws(Unsupported) -> Target {
        if case .value(let element) = many.element, element.type == .double { return .total(many, isSum: isSum) }
        return .value(try total(many, name, isSum: isSum))
    }

    /// `@sum` and `@avg` of numbers whose result does not depend on the order of addition. Those of decimals are exact as
    /// long as the sum has at most 38 digits, on engines with decimals.
    func total(_ many: Many, _ name: String, isSum: Bool) throws(Unsupported) -> Operand {
        guard case .value(let element) = many.element, element.type == .decimal || element.type == .integer else {
            throw .total
        }
        try requireSupport(element)
        let isDecimal = element.type == .decimal
        let canSumDecimals =
            element.encoding != nil && (dialect.decimals.areStored || dialect.numbers.checkedSum != nil)
        let width = try isDecimal ? .decimal : self.width(of: element, name)
        guard !isDecimal || canSumDecimals, many.isFound(by: dialect), !many.scope.isLambda else {
            throw Unsupported("\(name) of these values is computed in memory")
        }
        return Operand(
            kind: .aggregate(isSum ? .sum(width) : .average(width), element, many.scope, many.filter),
            type: isDecimal ? .decimal : isSum ? .integer : .double, isNullable: !isSum,
            mayFail: isSum && (width == .wide || width == .checked), encoding: isDecimal ? element.encoding : nil)
    }

    /// The type in which integers are summed.
    private func width(of element: Operand, _ name: String) throws(Unsupported) -> SumWidth {
        let small = -(Int64(1) << 31)...Int64(1) << 31
        if let range = element.range, small.contains(range.lowerBound), small.contains(range.upperBound) {
            return .narrow
        }
        if dialect.numbers.checkedSum != nil { return .checked }
        guard dialect.numbers.integers.wide != nil else { throw Unsupported("\(name) may overflow") }
        return .wide
    }

    // MARK: Doubles

    /// Compares a total of doubles with a finite number, by an upper and a lower bound.
    func compareTotal(_ order: Order, _ many: Many, isSum: Bool, _ other: Target) throws(Unsupported) -> Condition {
        if order == .different { return .not(try compareTotal(.equal, many, isSum: isSum, other)) }
        guard case .value(let element) = many.element, element.isPlain, many.isFound(by: dialect),
            !many.scope.isLambda, let (number, isModerate) = try moderate(other)
        else { throw .total }
        try requireSupport(element)
        func bound(isUpper: Bool) -> Operand {
            let width = SumWidth.bound(isUpper: isUpper)
            return Operand(
                kind: .aggregate(isSum ? .sum(width) : .average(width), element, many.scope, many.filter),
                type: .double, isNullable: !isSum)
        }
        func compare(_ order: Order, isUpper: Bool) -> Condition { .compare(order, bound(isUpper: isUpper), number) }
        let (over, under): (Condition, Condition)
        switch order {
        case .greater, .greaterOrEqual: (over, under) = (compare(order, isUpper: true), compare(order, isUpper: false))
        case .less, .lessOrEqual: (over, under) = (compare(order, isUpper: false), compare(order, isUpper: true))
        case .equal, .different:
            over = .every([compare(.greaterOrEqual, isUpper: true), compare(.lessOrEqual, isUpper: false)])
            under = .constant(false)
        }
        // A number that is extremely large is compared in memory.
        return bounded(over: .some([.not(isModerate), over]), under: .every([isModerate, under]), .total)
    }

    /// A number as a double, and the condition that it is below the limit for totals with large elements; nil for other
    /// values.
    private func moderate(_ target: Target) throws(Unsupported) -> (number: Operand, isModerate: Condition)? {
        let limit = 1e280
        switch target {
        case .constant(let constant):
            guard let number = constant.deriving(.double), number.satisfies(.isSmaller(than: limit)) else { return nil }
            return (.constant(number, .double), .constant(true))
        case .value(let operand):
            guard operand.type == .integer || operand.type == .double, operand.isPlain, operand.encoding == nil
            else { return nil }
            try requireSupport(operand)
            let size = Operand.call(.absolute, [operand.asDouble], .double)
            return (operand.asDouble, .compare(.less, size, .constant(.double(limit), .double)))
        default: return nil
        }
    }
}

extension Unsupported {
    static var total: Unsupported {
        Unsupported("the last digits of a sum or a mean of doubles depend on the order of the elements")
    }
}
