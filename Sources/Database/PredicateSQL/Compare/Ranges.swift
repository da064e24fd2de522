// In: a comparison of a monotonic function of a column with a constant, `age / 2 > 1`. Out: ranges of the column,
// `age >= 4`. Every engine can execute them, and they can use an index. The encoding of a column (Encoding) is also such
// a function.
//
// MonotonicFunction is the column `age` with the step `/ 2`; ColumnDomain has all its values in order, here
// Int64.min ... Int64.max. ResultOrder is how the result for one of them compares with 1. As the function is monotonic,
// all values with the same ResultOrder are neighbours: `less` ends at 1, `equal` is 2 ... 3, `greater` begins at 4. Binary
// search with the evaluator's own arithmetic finds these bounds.

/// A column and the steps of the computation, innermost first.
struct MonotonicFunction {
    /// A step: an operator with a constant, or a function.
    enum Step {
        /// The column is the left operand: `age / 2`
        case left(BinaryOperator, PredicateValue)
        /// The column is the right operand: `2 - age`
        case right(PredicateValue, BinaryOperator)
        case negation
        case call(PredicateFunction.Intrinsic)
    }

    let column: Operand
    private(set) var steps: [Step] = []

    /// nil for another operand, and if the function is not monotonic.
    init?(_ operand: Operand) {
        switch operand.kind {
        case .column:
            guard [.integer, .double, .date, .decimal].contains(operand.type) else { return nil }
            column = operand
        case .call(.element, _): column = operand
        case .call(.seconds, let arguments): column = arguments[0]
        case .aggregate where operand.encoding != nil && !operand.isDecimalMean: column = operand
        case .call(.plainDecimals, _): column = operand
        case .call(let scalar, let arguments):
            guard let (base, step) = Self.step(scalar, arguments), let inner = MonotonicFunction(base) else {
                return nil
            }
            column = inner.column
            steps = inner.steps
            if let step { steps.append(step) }
            if steps.count > 16 { return nil }
        default: return nil
        }
    }

    private static func step(_ scalar: Scalar, _ arguments: [Operand]) -> (Operand, Step?)? {
        switch scalar {
        case .asDouble: (arguments[0], nil)
        case .negative, .negativeInteger, .plainNegative: (arguments[0], .negation)
        case .floor: (arguments[0], .call(.floor))
        case .ceiling: (arguments[0], .call(.ceiling))
        case .truncate: (arguments[0], .call(.truncate))
        case .squareRoot: (arguments[0], .call(.squareRoot))
        case .integers(let op), .plainIntegers(let op), .doubles(let op), .plainDoubles(let op), .decimals(let op):
            step(op, arguments)
        default: nil
        }
    }

    private static func step(_ op: BinaryOperator, _ arguments: [Operand]) -> (Operand, Step?)? {
        func constant(_ operand: Operand) -> PredicateValue? {
            switch operand.kind {
            case .constant(let constant): constant.fixed()
            case .call(.asDouble, let inner) where inner.count == 1: constant(inner[0])
            default: nil
            }
        }
        if let value = constant(arguments[1]), let number = value.doubleValue, number.isFinite {
            let isMonotonic = op == .add || op == .subtract || (op == .multiply || op == .divide) && number != 0
            return isMonotonic ? (arguments[0], .left(op, value)) : nil
        }
        if let value = constant(arguments[0]), let number = value.doubleValue, number.isFinite {
            let isMonotonic = op == .add || op == .subtract || op == .multiply && number != 0
            return isMonotonic ? (arguments[1], .right(value, op)) : nil
        }
        return nil
    }
}

/// How a result compares with a constant, including results that cannot be computed.
enum ResultOrder: Int, Comparable {
    /// `fails`: evaluation fails for this and all further values. `noNumber`: the result is NaN.
    case failsBelow, noNumberBelow, less, equal, greater, noNumberAbove, failsAbove

    static func < (left: ResultOrder, right: ResultOrder) -> Bool { left.rawValue < right.rawValue }

    var mirrored: ResultOrder { ResultOrder(rawValue: 6 - rawValue) ?? self }
}

extension MonotonicFunction {
    /// Whether the function is decreasing.
    var falls: Bool { steps.reduce(false) { $0 != Self.falls($1) } }

    /// How the result for a column value compares with the constant; nil if they have no order.
    func order(of value: PredicateValue, against constant: PredicateValue) -> ResultOrder? {
        var value = value
        if case .date(let seconds) = value, constant.isNumber { value = .double(seconds) }
        // The end at which a step had no result. Later decreasing steps mirror it.
        var end: ResultOrder?
        for step in steps {
            if let known = end {
                end = Self.falls(step) ? known.mirrored : known
                continue
            }
            guard let next = apply(step, value) else {
                let isAbove = direction(step, value) > 0
                end = isAbove ? .failsAbove : .failsBelow
                continue
            }
            if next.doubleValue?.isNaN ?? false { end = .noNumberBelow }
            value = next
        }
        if let end { return end }
        guard let order = try? value.order(against: constant, for: "<") else { return nil }
        return order < 0 ? .less : order == 0 ? .equal : .greater
    }

    private static func falls(_ step: Step) -> Bool {
        switch step {
        case .left(.multiply, let value), .left(.divide, let value), .right(let value, .multiply):
            value.doubleValue ?? 0 < 0
        case .right(_, .subtract), .negation: true
        default: false
        }
    }

    private func apply(_ step: Step, _ value: PredicateValue) -> PredicateValue? {
        let rules = OperatorRules.standard
        switch step {
        case .left(let op, let constant): return try? rules.apply(op, value, constant)
        case .right(let constant, let op): return try? rules.apply(op, constant, value)
        case .negation: return try? rules.negate(value)
        case .call(let function):
            var context = FunctionContext(clock: { 0 })
            return try? FunctionCatalog.standard(function)?.call([value], &context)
        }
    }

    /// The sign of a result that overflows 64 bits. Of the steps without a constant only a negation can.
    private func direction(_ step: Step, _ value: PredicateValue) -> Double {
        let number = value.doubleValue ?? 0
        switch step {
        case .left(let op, let constant): return Self.rough(op, number, constant.doubleValue ?? 0)
        case .right(let constant, let op): return Self.rough(op, constant.doubleValue ?? 0, number)
        default: return -number
        }
    }

    private static func rough(_ op: BinaryOperator, _ a: Double, _ b: Double) -> Double {
        switch op {
        case .add: a + b
        case .subtract: a - b
        case .multiply: a * b
        default: a / b
        }
    }
}

/// The possible values of a column, numbered in ascending order.
struct ColumnDomain {
    let first: WideInteger
    let last: WideInteger
    let value: (WideInteger) -> PredicateValue
    let operand: (WideInteger) -> Operand

    /// The first index for which a test holds; `last + 1` if there is none.
    func first(where holds: (WideInteger) -> Bool) -> WideInteger {
        var (low, high) = (first, last + 1)
        while low < high {
            let middle = WideInteger.middle(low, high)
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    static var integers: ColumnDomain {
        let value = { (index: WideInteger) in PredicateValue.integer(Int64(bitPattern: index.low)) }
        return Self(first: WideInteger(Int64.min), last: WideInteger(Int64.max), value: value) {
            .constant(value($0), .integer)
        }
    }

    /// All doubles except NaN, ordered by their bits. 0.0 and -0.0 are one value.
    static func doubles(_ type: SQLType, infinities: Bool) -> Self {
        func number(_ index: WideInteger) -> Double {
            let magnitude = Double(bitPattern: index.magnitude.low)
            return index < 0 ? -magnitude : magnitude
        }
        let bound = WideInteger(Double.infinity.bitPattern) - (infinities ? 0 : 1)
        func value(_ index: WideInteger) -> PredicateValue {
            type == .date ? .date(number(index)) : .double(number(index))
        }
        return Self(first: 0 - bound, last: bound, value: value) { .constant(value($0), type) }
    }

    /// The values of an encoded column, which is compared by its integers or timestamps.
    static func encoded(_ encoding: Encoding, as type: SQLType, _ dialect: SQLDialect) -> Self {
        let range = encoding.range(dialect)
        return Self(first: WideInteger(range.lowerBound), last: WideInteger(range.upperBound), value: encoding.value) {
            .constant(encoding.binding(Int64(bitPattern: $0.low), zone: dialect.zoneOfMoments), type)
        }
    }

    /// Decimals with `scale` places and up to 38 digits.
    static func decimals(_ scale: Int, operand: @escaping (PredicateValue) -> Operand) -> Self {
        let value = { (index: WideInteger) in
            PredicateValue.decimal(DecimalNumber(coefficient: index, exponent: -scale))
        }
        return Self(first: 1 - DecimalNumber.bound, last: DecimalNumber.bound - 1, value: value) { operand(value($0)) }
    }
}

extension Lowering {
    private func domain(_ column: Operand) -> ColumnDomain? {
        switch (column.type, column.encoding) {
        case (.decimal, .scaled(let scale)) where dialect.decimals.areStored:
            .decimals(scale) { self.decimal($0, scale) }
        case (_, let encoding?):
            encoding.type(dialect).map { .encoded(encoding, as: $0, dialect) }
        case (.integer, nil): .integers
        case (.double, nil), (.date, nil): .doubles(column.type, infinities: dialect.numbers.storesInfinity)
        default: nil
        }
    }

    /// Compares a function of a column with a constant that can be ordered against it; nil for other operands.
    func ranges(_ order: Order, _ operand: Operand, _ constant: PredicateValue) -> Condition? {
        guard let function = MonotonicFunction(operand), let domain = domain(function.column) else { return nil }
        let falls = function.falls
        func rising(_ index: WideInteger) -> ResultOrder? {
            let found = function.order(of: domain.value(index), against: constant)
            return falls ? found?.mirrored : found
        }
        guard let least = rising(domain.first), let most = rising(domain.last) else { return nil }
        // A sum may exceed all values of its elements.
        if least == most, !function.column.isColumn { return nil }
        // The values with the raw value n are those from starts[n] to the one before starts[n + 1].
        var starts: [WideInteger] = []
        for bound in 0...6 { starts.append(domain.first { (rising($0)?.rawValue ?? 0) >= bound }) }
        starts.append(domain.last + 1)
        func values(where holds: (ResultOrder) -> Bool) -> [Condition] {
            let found = (0...6).filter { index in
                ResultOrder(rawValue: index).map { holds(falls ? $0.mirrored : $0) } ?? false
            }
            return Self.joined(found.map { (starts[$0], starts[$0 + 1]) }).map {
                condition($0, function.column, domain)
            }
        }
        let isNull = Condition.isNull(function.column)
        let isDifferent = order == .different
        let whenTrue = Condition.some(values { $0.satisfies(order) } + (isDifferent ? [isNull] : []))
        let mayFail = starts[0] < starts[1] || starts[6] < starts[7]
        if !mayFail { return whenTrue }
        let others = values { !$0.satisfies(order) && !$0.isFailure }
        return .partial(whenTrue: whenTrue, whenFalse: .some(others + (isDifferent ? [] : [isNull])))
    }

    /// The ranges that are not empty, given by their starts and the starts of the next. Adjacent ones become one.
    private static func joined(_ ranges: [(start: WideInteger, next: WideInteger)]) -> [ClosedRange<WideInteger>] {
        var joined: [ClosedRange<WideInteger>] = []
        for (start, next) in ranges where start < next {
            if let last = joined.last, last.upperBound + 1 == start {
                joined[joined.count - 1] = last.lowerBound...next - 1
            } else {
                joined.append(start...next - 1)
            }
        }
        return joined
    }

    private func condition(_ range: ClosedRange<WideInteger>, _ column: Operand, _ domain: ColumnDomain) -> Condition {
        if range.lowerBound == range.upperBound { return floating(.equal, column, domain.operand(range.lowerBound)) }
        var bounds: [Condition] = []
        if range.lowerBound > domain.first {
            bounds.append(.compare(.greaterOrEqual, column, domain.operand(range.lowerBound)))
        }
        if range.upperBound < domain.last || column.mayBeNaN && dialect.numbers.nanIsGreatest {
            bounds.append(.compare(.lessOrEqual, column, domain.operand(range.upperBound)))
        }
        if !bounds.isEmpty { return .every(bounds) }
        return column.mayBeNaN
            ? .compare(.greaterOrEqual, column, domain.operand(range.lowerBound)) : .isNotNull(column)
    }
}

extension Operand {
    fileprivate var isColumn: Bool {
        switch kind {
        case .column, .call(.element, _): true
        default: false
        }
    }
}

extension ResultOrder {
    var isFailure: Bool { self == .failsBelow || self == .failsAbove }

    func satisfies(_ order: Order) -> Bool {
        switch order {
        case .equal: self == .equal
        case .different: self != .equal && !isFailure
        case .less: self == .less
        case .lessOrEqual: self == .less || self == .equal
        case .greater: self == .greater
        case .greaterOrEqual: self == .greater || self == .equal
        }
    }
}
