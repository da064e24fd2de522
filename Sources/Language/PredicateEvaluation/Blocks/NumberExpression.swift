// Arithmetic expressions, computed for the rows of a block or for one object. Rows for which the expression would throw
// become doubtful. The dynamic plan then evaluates them and throws the error.

struct NumberExpression: Sendable {
    typealias Block = @Sendable (Rows, RowMask, inout BlockRun) -> Lanes
    /// Computes the number of one object; nil if it has no value.
    typealias Row = @Sendable (UnsafeRawPointer, inout RowRun) -> UInt64?

    /// The type of the values in a lane of 64 bits: integer, double or date. A Boolean is an integer here.
    private(set) var kind: Field.Kind
    private(set) var cost: Int
    private(set) var mayRaise = false
    private(set) var runsCode = false
    private(set) var constant: PredicateValue?
    let block: Block
    /// nil if there is no form for single objects.
    let row: Row?

    /// nil if the constant is not an integer, a double or a date.
    init?(constant: PredicateValue) {
        let lane: UInt64
        switch constant {
        case .bool, .integer: (kind, lane) = (.integer, (constant.exactInteger ?? 0).lane)
        case .float, .double: (kind, lane) = (.double, (constant.doubleValue ?? 0).lane)
        case .date(let seconds): (kind, lane) = (.date, seconds.lane)
        default: return nil
        }
        self.constant = constant
        cost = 0
        block = { rows, live, run in
            let scratch = run.scratch.take()
            scratch.storeBytes(of: lane, as: UInt64.self)
            return Lanes(scratch, stride: 0, count: rows.count, present: live)
        }
        row = { _, _ in lane }
    }

    /// - Parameters:
    ///   - node: a node that reads numbers.
    ///   - place: the offset in the object at which the numbers can be used in place, if possible.
    init(_ kind: Field.Kind, _ node: BlockNode, inPlace place: Int? = nil) {
        self.kind = kind
        cost = node.cost
        mayRaise = node.mayRaise
        runsCode = node.runsCode
        if let place {
            block = { rows, live, _ in Lanes(rows, at: place, present: live) }
        } else {
            let read = node.block
            block = { rows, live, run in
                let scratch = run.scratch.take()
                run.lanes = scratch
                return Lanes(scratch, count: rows.count, present: read(rows, live, &run))
            }
        }
        guard let test = node.row?.test else {
            row = nil
            return
        }
        row = { object, run in test(object, &run) ? run.lane : nil }
    }

    /// The result of a rule for two expressions.
    private init?<Rule: NumberRule>(
        _ rule: Rule.Type, _ kind: Field.Kind, _ a: NumberExpression, _ b: NumberExpression, cost: Int = 1
    ) {
        // Code of the app must not run for rows whose other operand throws, so the dynamic plan evaluates this.
        if a.mayRaise, b.runsCode { return nil }
        self.kind = kind
        self.cost = a.cost + b.cost + cost
        mayRaise = a.mayRaise || b.mayRaise || Rule.mayRaise
        runsCode = a.runsCode || b.runsCode
        let (left, right) = (a.block, b.block)
        block = { rows, live, run in
            let a = left(rows, live, &run)
            return Lanes.apply(Rule.self, a, right(rows, live, &run), &run)
        }
        guard let (one, other) = Self.rows(a, b) else {
            row = nil
            return
        }
        row = { object, run in
            // Evaluate both, because either may throw.
            let (a, b) = (one(object, &run), other(object, &run))
            guard let a, let b else { return nil }
            return Self.result(Rule.self, a, b, &run)
        }
    }

    /// The result of a rule for one expression.
    private init<Rule: NumberRule>(_ rule: Rule.Type, _ kind: Field.Kind, of operand: NumberExpression) {
        self.kind = kind
        cost = operand.cost + 1
        mayRaise = operand.mayRaise || Rule.mayRaise
        runsCode = operand.runsCode
        let read = operand.block
        block = { rows, live, run in
            let lanes = read(rows, live, &run)
            return Lanes.apply(Rule.self, lanes, lanes, &run)
        }
        guard let operand = operand.row else {
            row = nil
            return
        }
        row = { object, run in
            guard let value = operand(object, &run) else { return nil }
            return Self.result(Rule.self, value, value, &run)
        }
    }

    private static func result<Rule: NumberRule>(
        _ rule: Rule.Type, _ a: UInt64, _ b: UInt64, _ run: inout RowRun
    ) -> UInt64? {
        let result = Rule.apply(Rule.Input(lane: a), Rule.Input(lane: b))
        if !result.raises { return result.value.lane }
        run.isDoubtful = true
        return nil
    }

    private static func rows(_ a: NumberExpression, _ b: NumberExpression) -> (Row, Row)? {
        guard let a = a.row, let b = b.row else { return nil }
        return (a, b)
    }

    // MARK: Operators and functions

    /// nil for operators that only the dynamic plan evaluates.
    static func binary(_ operator: BinaryOperator, _ a: NumberExpression, _ b: NumberExpression) -> NumberExpression? {
        switch `operator` {
        case .add: binary(IntegerSum.self, DoubleSum.self, a, b)
        case .subtract: binary(IntegerDifference.self, DoubleDifference.self, a, b)
        case .multiply: binary(IntegerProduct.self, DoubleProduct.self, a, b)
        case .divide: binary(IntegerQuotient.self, DoubleQuotient.self, a, b, costs: (3, 2))
        default: nil
        }
    }

    /// Applies the rule for integers if both operands are integers, else the rule for doubles. nil for dates.
    @inline(__always) private static func binary<Integers: NumberRule, Doubles: NumberRule>(
        _ integers: Integers.Type, _ doubles: Doubles.Type, _ a: NumberExpression, _ b: NumberExpression,
        costs: (integers: Int, doubles: Int) = (1, 1)
    ) -> NumberExpression? {
        switch (a.kind, b.kind) {
        case (.date, _), (_, .date): nil
        case (.integer, .integer): NumberExpression(integers, .integer, a, b, cost: costs.integers)
        default: NumberExpression(doubles, .double, a.asDouble, b.asDouble, cost: costs.doubles)
        }
    }

    /// A function that a kernel computes; nil for others.
    static func call(_ function: PredicateFunction.Intrinsic, _ arguments: [NumberExpression]) -> NumberExpression? {
        guard let first = arguments.first, first.kind != .date else { return nil }
        let isInteger = first.kind == .integer
        switch function {
        case .modulus:
            guard isInteger, arguments[1].kind == .integer else { return nil }
            return NumberExpression(IntegerRemainder.self, .integer, first, arguments[1], cost: 3)
        case .magnitude:
            return isInteger
                ? NumberExpression(IntegerMagnitude.self, .integer, of: first)
                : NumberExpression(DoubleMagnitude.self, .double, of: first)
        case .floor: return isInteger ? first : NumberExpression(DoubleFloor.self, .double, of: first)
        case .ceiling: return isInteger ? first : NumberExpression(DoubleCeiling.self, .double, of: first)
        case .truncate: return isInteger ? first : NumberExpression(DoubleTruncation.self, .double, of: first)
        case .squareRoot: return NumberExpression(SquareRoot.self, .double, of: first.asDouble)
        case .binary(let op): return binary(op, first, arguments[1])
        default: return nil
        }
    }

    var negated: NumberExpression? {
        switch kind {
        case .integer:
            NumberExpression(constant: .integer(0)).flatMap {
                NumberExpression(IntegerDifference.self, .integer, $0, self)
            }
        case .double: NumberExpression(DoubleNegation.self, .double, of: self)
        default: nil
        }
    }

    /// The expression `CAST(a, type)`; nil for other types.
    func cast(to type: String) -> NumberExpression? {
        switch CastType(rawValue: type) {
        case .number: return kind == .date ? typed(.double) : self
        case .date: return asDouble.typed(.date)
        default: return nil
        }
    }

    private func typed(_ kind: Field.Kind) -> NumberExpression {
        var copy = self
        copy.kind = kind
        copy.constant = nil
        return copy
    }

    @inline(never)
    private var asDouble: NumberExpression {
        guard kind == .integer else { return self }
        if let known = constant?.doubleValue, let constant = NumberExpression(constant: .double(known)) {
            return constant
        }
        return NumberExpression(IntegerAsDouble.self, .double, of: self)
    }

    // MARK: Comparisons

    /// A field that describes the computed numbers as rows.
    private var field: Field {
        Field(kind == .integer ? Int64.self : kind == .date ? StoredDate.self : Double.self)
    }

    /// Compares with a constant. nil if blocks cannot evaluate the comparison.
    func compared(_ prepared: PreparedComparison) -> BlockNode? {
        guard let comparison = FieldComparison(field, prepared), let node = comparison.node() else { return nil }
        let (block, compare, ifNil) = (block, node.block, comparison.ifNil)
        let test: BlockTest = { rows, live, run in
            let lanes = block(rows, live, &run)
            let selected = compare(lanes.rows, lanes.present, &run)
            lanes.giveBack(to: &run)
            return ifNil ? selected.union(live.subtracting(lanes.present)) : selected
        }
        var row: RowNode?
        if let number = self.row, let test = node.row?.test {
            row = RowNode(
                test: { object, run in
                    guard let lane = number(object, &run) else { return ifNil }
                    return withUnsafePointer(to: lane) { test(UnsafeRawPointer($0), &run) }
                }, cost: cost + node.cost, mayRaise: mayRaise, runsCode: runsCode)
        }
        return .test(test, cost: cost + node.cost, mayRaise: mayRaise, runsCode: runsCode, row: row)
    }

    /// Compares with another expression. nil if blocks cannot evaluate the comparison.
    func compared(_ comparison: Comparison, _ other: NumberExpression) -> BlockNode? {
        if mayRaise, other.runsCode { return nil }
        if (kind == .date) != (other.kind == .date) { return nil }
        if kind == .integer, other.kind == .integer { return node(comparison, other, Int64.self) }
        return asDouble.node(comparison, other.asDouble, Double.self)
    }

    private func node<Number: Lane>(
        _ comparison: Comparison, _ other: NumberExpression, _ type: Number.Type
    ) -> BlockNode? {
        switch comparison.operator {
        case .equal: node(NumbersEqual<Number>.self, comparison, self, other, negated: false)
        case .notEqual: node(NumbersEqual<Number>.self, comparison, self, other, negated: true)
        case .lessThan: node(NumberLess<Number>.self, comparison, self, other, negated: false)
        case .greaterThan: node(NumberLess<Number>.self, comparison, other, self, negated: false)
        case .lessThanOrEqual: node(NumberNotGreater<Number>.self, comparison, self, other, negated: false)
        case .greaterThanOrEqual: node(NumberNotGreater<Number>.self, comparison, other, self, negated: false)
        default: nil
        }
    }

    /// - Parameter negated: whether the comparison is the negation of the relation for two numbers.
    @inline(never)
    private func node<Relation: NumberRelation>(
        _ relation: Relation.Type, _ comparison: Comparison, _ a: NumberExpression, _ b: NumberExpression,
        negated: Bool
    ) -> BlockNode? {
        guard let ifNil = try? comparison.test(.null, .null), let ifOneNil = try? comparison.test(.null, field.sample)
        else { return nil }
        let (cost, mayRaise, runsCode) = (a.cost + b.cost + 1, a.mayRaise || b.mayRaise, a.runsCode || b.runsCode)
        let (one, other) = (a.block, b.block)
        let test: BlockTest = { rows, live, run in
            let a = one(rows, live, &run)
            let b = other(rows, live, &run)
            var selected = Lanes.select(a, b, as: Relation.Number.self, Relation.holds)
            a.giveBack(to: &run)
            b.giveBack(to: &run)
            let both = a.present.intersection(b.present)
            if negated { selected = both.subtracting(selected) }
            if both.words == live.words { return selected }
            let some = a.present.union(b.present)
            if ifOneNil { selected = selected.union(some.subtracting(both)) }
            return ifNil ? selected.union(live.subtracting(some)) : selected
        }
        var row: RowNode?
        if let (one, other) = Self.rows(a, b) {
            let test: StoredTest = { object, run in
                switch (one(object, &run), other(object, &run)) {
                case (let a?, let b?): Relation.holds(.init(lane: a), .init(lane: b)) != negated
                case (nil, nil): ifNil
                default: ifOneNil
                }
            }
            row = RowNode(test: test, cost: cost, mayRaise: mayRaise, runsCode: runsCode)
        }
        return .test(test, cost: cost, mayRaise: mayRaise, runsCode: runsCode, row: row)
    }
}

private protocol NumberRelation: SendableMetatype {
    associatedtype Number: Lane
    static func holds(_ a: Number, _ b: Number) -> Bool
}

private enum NumbersEqual<Number: Lane>: NumberRelation {
    @inline(__always) static func holds(_ a: Number, _ b: Number) -> Bool { a == b }
}
private enum NumberLess<Number: Lane>: NumberRelation {
    @inline(__always) static func holds(_ a: Number, _ b: Number) -> Bool { a < b }
}
private enum NumberNotGreater<Number: Lane>: NumberRelation {
    @inline(__always) static func holds(_ a: Number, _ b: Number) -> Bool { a <= b }
}
