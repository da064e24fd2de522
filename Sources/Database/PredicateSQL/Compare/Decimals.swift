// Arithmetic of decimals. Evaluation computes with 38 digits and rounds longer results. So SQL gives the same result
// only if no result can have more than 38 digits. The digits of the operands limit those of the result; the schema
// gives the scale and the range of a column. A quotient can have any number of digits, so a mean is compared without a
// division.

/// Upper bounds for the number of digits of a decimal: of all digits, and of those after the point. Zeros after the
/// point count, so 0.001 has three digits.
struct DecimalDigits: Hashable {
    let all: Int
    let scale: Int
    /// The number of digits with which evaluation computes.
    static let most = 38

    var whole: Int { all - scale }

    init(all: Int, scale: Int) {
        self.all = max(all, scale, 1)
        self.scale = scale
    }

    init(_ number: DecimalNumber) {
        let digits = number.coefficient.magnitude.description.utf8.count
        self.init(all: digits + max(0, min(number.exponent, 100)), scale: max(0, -number.exponent))
    }

    /// The digits of integers.
    init(_ range: ClosedRange<Int64>) {
        self.init(all: String(max(range.lowerBound.magnitude, range.upperBound.magnitude)).count, scale: 0)
    }

    /// A range of integers that contains all numbers with these digits; nil if it exceeds 64 bits.
    var range: ClosedRange<Int64>? {
        guard whole <= 18 else { return nil }
        let power = (0..<max(0, whole)).reduce(Int64(1)) { power, _ in power * 10 }
        return -power...power
    }

    /// The digits of a sum and of a product. Spark gives a product one more digit.
    func adding(_ other: DecimalDigits) -> DecimalDigits {
        let scale = max(scale, other.scale)
        return DecimalDigits(all: max(whole, other.whole) + scale + 1, scale: scale)
    }

    func multiplied(by other: DecimalDigits) -> DecimalDigits {
        DecimalDigits(all: all + other.all + 1, scale: scale + other.scale)
    }
}

extension Operand {
    /// Whether it contains decimal arithmetic that was not converted to the engine's form yet.
    var hasDecimals: Bool { contains { if case .call(.decimals, _) = $0.kind { true } else { false } } }

    /// Whether it is a mean of decimals, which is only compared with constants.
    var isDecimalMean: Bool { if case .aggregate(.average(.decimal), _, _, _) = kind { true } else { false } }
}

extension Lowering {
    /// The operand with its decimal arithmetic in the form that the engine computes exactly.
    func computed(_ operand: Operand) throws(Unsupported) -> Operand {
        guard operand.hasDecimals, case .call(let scalar, let arguments) = operand.kind else { return operand }
        var sides: [Operand] = []
        for argument in arguments { sides.append(try computed(argument)) }
        switch scalar {
        case .decimals(let op) where operand.type == .double:
            return .call(.doubles(op), [try double(sides[0]), try double(sides[1])], .double)
        case .decimals(let op): return try computeDecimals(op, sides[0], sides[1])
        case .asDouble: return try double(sides[0])
        case .floor where operand.type == .decimal, .ceiling where operand.type == .decimal,
            .truncate where operand.type == .decimal:
            throw Unsupported("engines round decimals differently")
        default: return .call(scalar, sides, operand.type)
        }
    }

    private func computeDecimals(_ op: BinaryOperator, _ one: Operand, _ two: Operand) throws(Unsupported) -> Operand {
        guard op == .add || op == .subtract || op == .multiply else {
            throw Unsupported("engines divide decimals differently")
        }
        let digits = (try digits(one), try digits(two))
        let isSum = op != .multiply
        let result = isSum ? digits.0.adding(digits.1) : digits.0.multiplied(by: digits.1)
        // In memory the operands of a sum are aligned within the 38 digits.
        let isAligned = !isSum || result.all - 1 <= DecimalDigits.most
        guard isAligned, result.scale <= DecimalDigits.most, !isWide(digits.0, one), !isWide(digits.1, two) else {
            throw Unsupported("the result may have more digits than evaluation computes with")
        }
        let scale = isSum ? result.scale : nil
        let sides = [try written(one, digits.0, at: scale), try written(two, digits.1, at: scale)]
        let found = Operand(
            kind: .call(.plainDecimals(op), sides), type: .decimal, isNullable: one.isNullable || two.isNullable,
            encoding: .scaled(result.scale), range: result.range)
        guard dialect.decimals.keepsWide || result.all <= DecimalDigits.most else {
            throw Unsupported("the schema does not limit the digits of the result", column: one.name ?? two.name)
        }
        return found
    }

    /// Whether the engine or evaluation may have rounded the result.
    private func isWide(_ digits: DecimalDigits, _ operand: Operand) -> Bool {
        operand.isComputed && digits.all > mostDigits
    }

    /// Units of a store without decimals have 64 bits.
    private var mostDigits: Int { dialect.decimals.areStored ? DecimalDigits.most : 18 }

    private func digits(_ operand: Operand) throws(Unsupported) -> DecimalDigits {
        if operand.mayFail { throw Unsupported("an integer beside a decimal may overflow") }
        if let number = operand.constant?.fixedDecimal() { return DecimalDigits(number) }
        switch (operand.kind, operand.encoding) {
        case (.call(.plainDecimals(.multiply), let sides), _):
            return try digits(sides[0]).multiplied(by: digits(sides[1]))
        case (.call(.plainDecimals, let sides), _): return try digits(sides[0]).adding(digits(sides[1]))
        case (.call(.decimalOfDigits(let digits), _), _): return digits
        case (_, .scaled(let scale)) where operand.type == .decimal && !operand.isDecimalMean:
            guard let range = operand.range else {
                return DecimalDigits(all: dialect.decimals.areStored ? DecimalDigits.most : 19, scale: scale)
            }
            return DecimalDigits(all: DecimalDigits(range).all + scale, scale: scale)
        default:
            if operand.type == .integer, let range = operand.integers {
                let digits = DecimalDigits(range)
                // A constant that `written` or `power` has converted to units.
                guard operand.constant != nil, case .scaled(let scale) = operand.encoding else { return digits }
                return DecimalDigits(all: digits.all, scale: scale)
            }
            throw Unsupported("the schema does not give the scale of the decimals", column: operand.name)
        }
    }

    /// Converts an operand of decimal arithmetic. `scale` is the scale of a sum in a store without decimals, whose
    /// operands must have the same unit.
    private func written(
        _ operand: Operand, _ digits: DecimalDigits, at scale: Int?
    ) throws(Unsupported) -> Operand {
        var operand = operand
        if dialect.decimals.areStored {
            guard dialect.decimals.cast != nil, !operand.isDecimalResult else { return operand }
            if dialect.decimals.areBoundAsText, let number = operand.constant?.fixedDecimal() {
                operand = .constant(.string(number.description), .text)
            }
            return Operand(
                kind: .call(.decimalOfDigits(digits), [operand]), type: .decimal, isNullable: operand.isNullable,
                encoding: .scaled(digits.scale))
        }
        if let constant = operand.constant {
            let units = Encoding.scaled(scale ?? digits.scale).stored(constant.fixed())
            guard let units else { throw Unsupported("the constant has too many digits") }
            return Operand(
                kind: .constant(Constant(.integer(units))), type: .integer, isNullable: false,
                encoding: .scaled(scale ?? digits.scale))
        }
        guard let scale, scale > digits.scale else { return operand }
        guard digits.all + scale - digits.scale <= mostDigits, let power = Self.power(scale - digits.scale) else {
            throw Unsupported("the schema does not limit the digits of the result", column: operand.name)
        }
        return Operand(
            kind: .call(.plainDecimals(.multiply), [operand, power]), type: .decimal, isNullable: operand.isNullable,
            encoding: .scaled(scale))
    }

    /// A power of ten with the same number of decimal places, so that multiplying by it changes the unit but not the
    /// value.
    private static func power(_ exponent: Int) -> Operand? {
        let units = Encoding.scaled(exponent).stored(.integer(1))
        return units.map {
            Operand(
                kind: .constant(Constant(.integer($0))), type: .integer, isNullable: false, encoding: .scaled(exponent),
                range: $0...$0)
        }
    }

    /// The nearest double of an integer or a decimal.
    func double(_ operand: Operand) throws(Unsupported) -> Operand {
        guard operand.type == .decimal else { return operand.asDouble }
        if let constant = operand.constant { return .constant(.double(constant.fixed().doubleValue ?? 0), .double) }
        let digits = try digits(operand)
        // The quotient of two integers up to 2^53 is rounded once.
        let isShort = digits.all <= 15 && digits.scale <= 22
        guard isShort || dialect.decimals.convertsLong else {
            throw Unsupported("engines round long decimals to doubles differently", column: operand.name)
        }
        if dialect.decimals.areStored { return .call(.asDouble, [operand], .double) }
        let units = Operand(
            kind: operand.kind, type: .integer, isNullable: operand.isNullable,
            range: -1_000_000_000_000_000...1_000_000_000_000_000)
        let power = (0..<digits.scale).reduce(1.0) { power, _ in power * 10 }
        return .call(.plainDoubles(.divide), [units.asDouble, .constant(.double(power), .double)], .double)
    }

    // MARK: Comparisons

    /// Compares computed decimals with a constant; nil if the constant has too many digits.
    func compareComputedDecimals(
        _ order: Order, _ computed: Operand, _ value: PredicateValue
    ) throws(Unsupported) -> Condition? {
        let digits = try digits(computed)
        guard value.isNumber, let size = value.doubleValue?.magnitude, size.isFinite else { return nil }
        let whole = min(mostDigits, DecimalDigits.most) - digits.scale - 1
        let limit = (0..<max(0, whole)).reduce(1.0) { power, _ in power * 10 }
        return size < limit ? ranges(order, computed, value) : nil
    }

    /// Converts decimals and integers to a form in which the engine compares them. If one was rounded, it is so large
    /// that it exceeds the other anyway.
    func comparable(_ one: Operand, _ two: Operand) throws(Unsupported) -> (Operand, Operand) {
        let digits = (try digits(one), try digits(two))
        let scale = max(digits.0.scale, digits.1.scale)
        func isBounded(_ digits: DecimalDigits, by wide: DecimalDigits) -> Bool {
            digits.all <= mostDigits && digits.whole <= mostDigits - wide.scale
        }
        let isSafe: Bool
        if dialect.decimals.keepsWide {
            let (isWide, isOtherWide) = (digits.0.all > mostDigits, digits.1.all > mostDigits)
            isSafe =
                !(isWide && isOtherWide) && (!isWide || isBounded(digits.1, by: digits.0))
                && (!isOtherWide || isBounded(digits.0, by: digits.1))
        } else {
            isSafe = max(digits.0.whole, digits.1.whole) + scale <= DecimalDigits.most
        }
        guard isSafe else { throw Unsupported("the schema does not limit the digits of both sides", column: one.name) }
        if dialect.decimals.areStored { return (one, two) }
        return (try written(one, digits.0, at: scale), try written(two, digits.1, at: scale))
    }

    /// Compares a mean of decimals with a constant, without a division: `SUM(x) - c * COUNT(*) > 0`. Evaluation
    /// divides with 38 digits, which are enough to separate the mean of up to 10^10 numbers from a short constant.
    func mean(_ order: Order, _ mean: Operand, _ value: PredicateValue) throws(Unsupported) -> Condition {
        guard case .aggregate(_, let element?, let scope, let filter) = mean.kind else { return .constant(false) }
        let constant: DecimalNumber
        switch value {
        case .decimal(let number): constant = number
        case .integer, .bool: constant = DecimalNumber(value.exactInteger ?? 0)
        default: throw Unsupported("a mean of decimals and a double are compared in memory")
        }
        let digits = (try digits(element), DecimalDigits(constant))
        let scale = max(digits.0.scale, digits.1.scale)
        guard digits.1.whole + 2 * scale <= 24 else { throw Unsupported("the constant has too many digits") }
        if dialect.decimals.cast != nil, digits.0.all > 24 || digits.1.all > 16 {
            throw Unsupported("the schema does not limit the digits of the sum", column: element.name)
        }
        if !dialect.decimals.areStored, digits.1.scale > digits.0.scale || digits.1.whole + scale > 8 {
            throw Unsupported("the constant has more digits than the column", column: element.name)
        }
        let bound = try written(
            .constant(.decimal(constant), .decimal), digits.1, at: dialect.decimals.areStored ? nil : scale)
        let summand = dialect.decimals.areStored ? try written(element, digits.0, at: nil) : element
        let excess = Operand(
            kind: .aggregate(.excess(over: bound), summand, scope, filter), type: .decimal, isNullable: true,
            encoding: .scaled(scale))
        return .compare(order, excess, .constant(.integer(0), .integer))
    }
}

extension Operand {
    /// Whether it was already computed with decimals, so that its type is known.
    fileprivate var isDecimalResult: Bool {
        switch kind {
        case .call(.plainDecimals, _), .call(.decimalOfDigits, _): true
        default: false
        }
    }
}
