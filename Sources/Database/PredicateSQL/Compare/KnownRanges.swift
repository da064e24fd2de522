// Arithmetic whose operands have known bounds. If no result can overflow, become too small or be NaN, SQL uses the
// plain operator without a guard. For example, the sum of a 64-bit integer and a double that is not extreme is never
// infinite, and half of an integer is never too small.

extension Operand {
    /// The possible integer values, except where evaluation fails; nil for other types.
    var integers: ClosedRange<Int64>? {
        if let range { return range }
        switch kind {
        case .constant(let constant): return constant.fixedInteger().map { $0...$0 } ?? nil
        case .call(.length, _), .aggregate(.count, _, _, _): return 0...(.max)
        case .call(.asInteger, _): return 0...1
        default: return type == .integer && encoding == nil ? .min ... .max : nil
        }
    }

    /// The range of an integer result, if the computation never overflows and never divides by zero; else nil.
    static func range(_ scalar: Scalar, _ arguments: [Operand]) -> ClosedRange<Int64>? {
        let sides = arguments.compactMap { $0.integers }
        guard sides.count == arguments.count, let first = sides.first, let last = sides.last else { return nil }
        switch scalar {
        case .integers(let op): return range(op, first, last)
        case .negativeInteger: return range(.subtract, 0...0, first)
        case .absoluteInteger:
            guard let negated = range(.subtract, 0...0, first) else { return nil }
            if first.lowerBound >= 0 { return first }
            return max(0, negated.lowerBound)...max(first.upperBound, negated.upperBound)
        case .remainder:
            // The smallest integer divided by -1 overflows in some engines.
            if last.contains(0) || last.contains(-1) { return nil }
            let most = max(last.lowerBound.magnitude, last.upperBound.magnitude) - 1
            guard let most = Int64(exactly: most) else { return nil }
            return (first.lowerBound < 0 ? -most : 0)...(first.upperBound > 0 ? most : 0)
        case .onesComplement: return (-1 - first.upperBound)...(-1 - first.lowerBound)
        default: return nil
        }
    }

    private static func range(
        _ op: BinaryOperator, _ left: ClosedRange<Int64>, _ right: ClosedRange<Int64>
    ) -> ClosedRange<Int64>? {
        guard [.add, .subtract, .multiply, .divide].contains(op), op != .divide || !right.contains(0) else {
            return nil
        }
        var ends: [Int64] = []
        for one in [left.lowerBound, left.upperBound] {
            for other in [right.lowerBound, right.upperBound] {
                let result = try? OperatorRules.standard.apply(op, .integer(one), .integer(other))
                guard case .integer(let end)? = result else { return nil }
                ends.append(end)
            }
        }
        guard let low = ends.min(), let high = ends.max() else { return nil }
        return low...high
    }

    /// The maximum absolute value of a double; infinity if it is unknown.
    private var magnitude: Double {
        switch kind {
        case .constant(let constant): return constant.fixedDouble()?.magnitude ?? .infinity
        case .call(.asDouble, let arguments):
            guard let range = arguments[0].integers else { return .infinity }
            return max(Double(range.lowerBound).magnitude, Double(range.upperBound).magnitude)
        // The integers of all forms are within 64 bits.
        case .call(.seconds(let storage), _): return storage == .julianDay ? .infinity : 0x1p80
        case .call(.plainDoubles(let op), let arguments):
            let (one, other) = (arguments[0].magnitude, arguments[1].magnitude)
            return op == .multiply ? one * other : op == .divide ? one : one + other
        case .call(.negative, let arguments), .call(.absolute, let arguments): return arguments[0].magnitude
        default: return .infinity
        }
    }

    /// Whether it is an integer converted to a double.
    var isWhole: Bool { if case .call(.asDouble, let inner) = kind { inner[0].type != .decimal } else { false } }

    /// Whether it is 0, or neither extremely large nor extremely small. Integers and decimals always are.
    var isModerate: Bool {
        switch kind {
        case .call(.asDouble, _): true
        case .constant(let constant):
            constant.fixedDouble().map { $0 == 0 || (1e-200...1e200).contains($0.magnitude) } ?? false
        default: false
        }
    }

    /// Whether the plain operator works in all engines and the result is never NaN.
    private static func isPlain(_ op: BinaryOperator, _ one: Operand, _ other: Operand) -> Bool {
        if [one, other].contains(where: { !$0.isPlain || !$0.isFinite }) { return false }
        switch op {
        // 2^970 is half of the distance between the two greatest doubles, so adding less never overflows.
        case .add, .subtract: return min(one.magnitude, other.magnitude) <= 0x1p969
        case .multiply: return one.isModerate && other.isModerate
        case .divide:
            guard one.isModerate, let divisor = other.constant?.fixedDouble() else { return false }
            return divisor.magnitude >= 1 && divisor.magnitude <= 0x1p900
        default: return false
        }
    }

    /// The function without a guard if no guard is needed, else nil.
    static func plain(_ scalar: Scalar, _ arguments: [Operand], in range: ClosedRange<Int64>?) -> Scalar {
        switch scalar {
        case .integers(let op) where range != nil: return .plainIntegers(op)
        case .negativeInteger where range != nil: return .plainNegative
        case .absoluteInteger where range != nil: return .plainAbsolute
        case .remainder where range != nil: return .plainRemainder
        case .doubles(let op) where isPlain(op, arguments[0], arguments[1]): return .plainDoubles(op)
        default: return scalar
        }
    }
}

extension SQLDialect {
    /// Templates of plain operators and of those of bits. `integer64` converts operands to 64-bit integers (see
    /// `BindingSyntax`).
    static func plainArithmetic(
        divide: SQLTemplate = "{0} / {1}",
        and: SQLTemplate = "{0} & {1}", or: SQLTemplate = "{0} | {1}", xor: SQLTemplate
    ) -> [Scalar: SQLTemplate] {
        var templates: [Scalar: SQLTemplate] = [
            .plainIntegers(.divide): divide, .plainNegative: "0 - {0}", .plainAbsolute: "abs({0})",
            .plainRemainder: "{0} % {1}", .bits(.bitwiseAnd): and, .bits(.bitwiseOr): or, .bits(.bitwiseXor): xor,
        ]
        for op in [BinaryOperator.add, .subtract, .multiply] {
            templates[.plainIntegers(op)] = "{0} \(op.spelling) {1}"
            templates[.plainDecimals(op)] = templates[.plainIntegers(op)]
        }
        for op in [BinaryOperator.add, .subtract, .multiply, .divide] {
            templates[.plainDoubles(op)] = "{0} \(op.spelling) {1}"
        }
        return templates
    }

    /// The operands of plain arithmetic that must be cast to 64 bits, so that the result is not a 32-bit integer. One
    /// such operand is enough. A computed operand, and a constant whose placeholder has a type, already have 64 bits.
    func castsToInteger64(_ operands: [Operand]) -> [Bool] {
        if bindings.mayBeUnsigned { return operands.map { !$0.isComputed } }
        let isWide = operands.contains { operand in
            if case .constant = operand.kind { bindings.types[.integer] != nil } else { operand.isComputed }
        }
        let first = operands.firstIndex { if case .constant = $0.kind { false } else { true } }
        return operands.indices.map { !isWide && $0 == first }
    }
}
