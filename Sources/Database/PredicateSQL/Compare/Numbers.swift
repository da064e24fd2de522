// Compares numbers. Constants are converted to the column's type at compile time, with the evaluator's order,
// so that engines never compare different types (SQL of each construct: Numbers). Also compares counts.

extension Lowering {
    /// Compares a Boolean column: evaluates the operator for true, false and nil.
    func truth(_ relation: Relation, _ column: Operand, _ value: PredicateValue) throws(Unsupported) -> Condition {
        let comparison = Comparison(relation.operator)
        func answer(_ left: PredicateValue) throws(Unsupported) -> Bool {
            try Self.folded { () throws(EvaluationFault) in try comparison.test(left, value) }
        }
        let answers = (no: try answer(.bool(false)), yes: try answer(.bool(true)))
        switch answers {
        case (false, false): return .constant(false)
        case (true, true): return .isNotNull(column)
        default: return .compare(.equal, column, .constant(.bool(answers.yes), .boolean))
        }
    }

    /// Compares an integer column with any number. The integers that fulfil the comparison form a range.
    func compareIntegers(_ order: Order, _ column: Operand, _ constant: Constant) throws(Unsupported) -> Condition {
        if constant.isInteger, !column.isLength { return .compare(order, column, .constant(constant, .integer)) }
        let span = try integers(of: constant.fixed())
        func condition(_ order: Order, _ number: Int64) -> Condition {
            emptiness(order, column, number)
                ?? .every(
                    shortness(order, column, number)
                        + [.compare(order, column, .constant(.integer(number), .integer))])
        }
        return span.map { compare(order, $0, otherwise: .isNotNull(column), condition) } ?? .constant(false)
    }

    /// A comparison with a number, by comparisons with the integers next to it.
    ///
    /// - Parameter otherwise: the condition if all integers are less, or if all are greater.
    private func compare(
        _ order: Order, _ span: IntegerSpan, otherwise all: Condition, _ compare: (Order, Int64) -> Condition
    ) -> Condition {
        let none = Condition.constant(false)
        switch order {
        case .equal, .different:
            guard let first = span.first, let last = span.last, first <= last else { return none }
            if first == last { return compare(.equal, first) }
            return .every([compare(.greaterOrEqual, first), compare(.lessOrEqual, last)])
        case .less: return span.first.map { compare(.less, $0) } ?? all
        case .lessOrEqual: return span.last.map { compare(.lessOrEqual, $0) } ?? none
        case .greater: return span.last.map { compare(.greater, $0) } ?? all
        case .greaterOrEqual: return span.first.map { compare(.greaterOrEqual, $0) } ?? none
        }
    }

    /// The integers next to a number; nil for NaN and for values that are not numbers.
    private func integers(of value: PredicateValue) throws(Unsupported) -> IntegerSpan? {
        guard value.doubleValue != nil else { return nil }
        return try Self.folded { () throws(EvaluationFault) in try IntegerSpan(of: value) }
    }

    /// A comparison that only tests whether a text is empty. It compares the text instead of its length, which costs
    /// less and can use an index.
    private func emptiness(_ order: Order, _ length: Operand, _ number: Int64) -> Condition? {
        guard case .call(.length, let arguments) = length.kind, arguments[0].isPlain else { return nil }
        switch (order, number) {
        case (.greater, 0), (.greaterOrEqual, 1):
            return .compare(.different, arguments[0], .constant(.string(""), .text))
        case (.equal, 0), (.lessOrEqual, 0), (.less, 1):
            return .compare(.equal, arguments[0], .constant(.string(""), .text))
        default: return nil
        }
    }

    /// A condition on the number of scalars that follows from a small length, if the engine counts scalars faster than
    /// UTF-16 units.
    private func shortness(_ order: Order, _ length: Operand, _ number: Int64) -> [Condition] {
        guard case .call(.length, let arguments) = length.kind, order == .less || order == .lessOrEqual,
            dialect.template(.scalarCount) != nil
        else { return [] }
        let count = Operand.call(.scalarCount, arguments, .integer)
        return [.compare(order, count, .constant(.integer(number), .integer))]
    }

    func compareDoubles(_ order: Order, _ column: Operand, _ constant: Constant) throws(Unsupported) -> Condition {
        guard let number = constant.deriving(.double) else { return .constant(false) }
        if !column.mayBeInfinite, let answer = infinite(order, column, number) { return answer }
        let condition = floating(order, column, .constant(number, .double))
        let isBelow = order == .equal || order == .less || order == .lessOrEqual
        if isBelow || !column.showsNaN || !dialect.numbers.nanIsGreatest { return condition }
        return .every([condition, .compare(.lessOrEqual, column, .constant(.double(.infinity), .double))])
    }

    /// Compares doubles and dates. If the engine's equality distinguishes 0.0 from -0.0, it uses `>=` and `<=`.
    func floating(_ order: Order, _ left: Operand, _ right: Operand) -> Condition {
        if !dialect.numbers.storesInfinity, left.mayBeInfinite || right.mayBeInfinite {
            return apart(order, left, right)
        }
        guard order == .equal, dialect.numbers.equalitySeparatesZeros, left.hasTwoZeros else {
            return .compare(order, left, right)
        }
        return .every([.compare(.greaterOrEqual, left, right), .compare(.lessOrEqual, left, right)])
    }

    /// Compares for engines without infinities. There, an infinite result is replaced by the greatest double, and a
    /// separate operand has its sign.
    private func apart(_ order: Order, _ left: Operand, _ right: Operand) -> Condition {
        let numbers = Condition.compare(order, left, right.finite)
        if let number = right.constant?.fixedDouble(), abs(number) < .greatestFiniteMagnitude { return numbers }
        let sides = (left.infinity, right.infinity)
        let equal = Condition.every([.compare(.equal, sides.0, sides.1), numbers])
        switch order {
        case .equal, .different: return equal
        case .less, .lessOrEqual: return .some([.compare(.less, sides.0, sides.1), equal])
        case .greater, .greaterOrEqual: return .some([.compare(.greater, sides.0, sides.1), equal])
        }
    }

    /// Compares with an infinity if the column cannot contain one: all values are on the same side of it.
    func infinite(_ order: Order, _ column: Operand, _ constant: Constant) -> Condition? {
        if dialect.numbers.storesInfinity || constant.satisfies(.isFinite) { return nil }
        let number = constant.fixedNumber() ?? 0
        switch order {
        case .less, .lessOrEqual: return number > 0 ? .isNotNull(column) : .constant(false)
        case .greater, .greaterOrEqual: return number < 0 ? .isNotNull(column) : .constant(false)
        case .equal: return .constant(false)
        case .different: return .constant(true)
        }
    }

    func compareDecimals(_ order: Order, _ column: Operand, _ constant: Constant) throws(Unsupported) -> Condition {
        guard dialect.decimals.areStored else { throw Unsupported("the database has no decimals") }
        if constant.type == .decimal { return .compare(order, column, .constant(constant, .decimal)) }
        let value = constant.fixed()
        switch value {
        case .integer, .bool:
            let number = DecimalNumber(value.exactInteger ?? 0)
            return .compare(order, column, .constant(.decimal(number), .decimal))
        default: throw Unsupported("a decimal and a double are compared in memory")
        }
    }

    // MARK: Counts

    /// Compares a count with a constant. The count is nil if the collection is nil.
    func compareCount(_ order: Order, _ many: Many, _ constant: Constant) throws(Unsupported) -> Condition {
        if constant.isNil { return try nilTest(order, many.owner) }
        if order == .different { return .not(try compareCount(.equal, many, constant)) }
        guard constant.isNumber else {
            if order == .equal { return .constant(false) }
            throw Unsupported("the values have no order")
        }
        guard let span = try integers(of: constant.fixed()) else { return .constant(false) }
        let counted = compare(order, span, otherwise: .constant(true)) { order, number in
            switch order {
            case .equal, .different: equals(many, number)
            case .less: .not(atLeast(many, number))
            case .lessOrEqual: number == .max ? .constant(true) : .not(atLeast(many, number + 1))
            case .greater: number == .max ? .constant(false) : atLeast(many, number + 1)
            case .greaterOrEqual: atLeast(many, number)
            }
        }
        return .every([.isNotNull(many.owner), counted])
    }

    private func atLeast(_ many: Many, _ number: Int64) -> Condition {
        if number <= 0 { return .constant(true) }
        return number == 1
            ? .exists(many.scope, many.filter, negated: false)
            : .count(many.scope, many.filter, .greaterOrEqual, number)
    }

    private func equals(_ many: Many, _ number: Int64) -> Condition {
        if number < 0 { return .constant(false) }
        return number == 0
            ? .exists(many.scope, many.filter, negated: true) : .count(many.scope, many.filter, .equal, number)
    }
}

extension Operand {
    fileprivate var isLength: Bool { if case .call(.length, _) = kind { true } else { false } }

    /// Whether the result of finite operands may be infinite.
    var mayBeInfinite: Bool { contains { if case .call(.doubles, _) = $0.kind { true } else { false } } }

    /// The sign of an infinite value: -1, 1, or 0 for a number.
    fileprivate var infinity: Operand {
        switch kind {
        case .call(.doubles(let op), let arguments): return .call(.infinity(op), arguments, .integer)
        case .constant(let constant):
            let number = constant.fixedDouble() ?? 0
            return .constant(.integer(number.isFinite ? 0 : number < 0 ? -1 : 1), .integer)
        default: return .constant(.integer(0), .integer)
        }
    }

    /// The greatest double in place of an infinity.
    fileprivate var finite: Operand {
        guard let number = constant?.fixedDouble(), number.isInfinite else { return self }
        return .constant(.double(number < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude), .double)
    }
}
