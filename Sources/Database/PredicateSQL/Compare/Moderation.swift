// Nested arithmetic for engines without infinities (MariaDB). If operands are not extremely large, and divisors not
// extremely small, no result is infinite, and the engine gives the same results as evaluation. Rows with other operands
// are tested in memory.

/// Clamps operands to a limit below which no result overflows.
struct Moderation {
    /// Rows where some operand is over the limit; NULL never is.
    private(set) var exceptions: [Condition] = []
    /// A power of two. A product with one such factor for each operand does not overflow.
    private let limit: Double

    /// nil if there is no nested arithmetic.
    init?(_ targets: [Target], _ dialect: SQLDialect) {
        let operands = targets.compactMap { if case .value(let operand) = $0 { operand } else { nil } }
        guard dialect.template(.moderate(.add)) != nil, operands.contains(where: { $0.computesOfResults }) else {
            return nil
        }
        let exponent = 1000 / operands.reduce(0) { $0 + $1.leaves }
        // Every integer must be within the limit.
        guard exponent >= 64 else { return nil }
        limit = Double(sign: .plus, exponent: exponent, significand: 1)
    }

    /// nil for operands that are computed in another way.
    mutating func target(_ target: Target) -> Target? {
        guard case .value(let operand) = target, operand.isComputed else { return target }
        return self.operand(operand).map(Target.value)
    }

    private mutating func operand(_ operand: Operand) -> Operand? {
        switch operand.kind {
        // Constants are also clamped, so that the text does not depend on their values.
        case .column, .element, .constant:
            guard operand.type == .double, operand.isPlain, operand.isFinite else { return nil }
            except(operand, .greater, limit)
            return .call(.held, [operand, constant(limit)], .double)
        case .call(.asDouble, let arguments) where !operand.mayFail && !arguments.contains(where: { $0.isComputed }):
            return operand
        case .call(.doubles(let op), let arguments):
            guard let one = self.operand(arguments[0]), let two = self.operand(arguments[1]) else { return nil }
            if op != .divide { return .call(.moderate(op), [one, two], .double) }
            except(two, .less, 1 / limit)
            return .call(.moderate(op), [one, two, constant(1 / limit)], .double)
        case .call(let scalar, let arguments) where scalar == .negative || scalar == .absolute:
            return self.operand(arguments[0]).map { .call(scalar, [$0], .double) }
        default: return nil
        }
    }

    private func constant(_ number: Double) -> Operand { .constant(.double(number), .double) }

    private mutating func except(_ operand: Operand, _ order: Order, _ size: Double) {
        exceptions.append(.compare(order, .call(.absolute, [operand], .double), constant(size)))
    }
}

extension Operand {
    /// Whether it computes with a result that may itself be infinite.
    fileprivate var computesOfResults: Bool {
        guard case .call(_, let arguments) = kind else { return false }
        return arguments.contains { $0.mayBeInfinite || $0.computesOfResults }
    }

    /// Whether a constant is finite. Columns always are.
    var isFinite: Bool { constant?.fixedDouble()?.isFinite ?? true }

    fileprivate var leaves: Int {
        guard case .call(_, let arguments) = kind else { return 1 }
        return arguments.reduce(0) { $0 + $1.leaves }
    }
}
