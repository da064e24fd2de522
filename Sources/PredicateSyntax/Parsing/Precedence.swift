/// How tightly an operator binds: the whole of LANGUAGE 3.2 as one table. Higher binds tighter; all infix operators
/// associate to the left.
enum Precedence: Int, Comparable {
    case or, and, not, quantifier, comparison, assignment
    case set, bitwiseOr, bitwiseXor, bitwiseAnd, shift, additive, multiplicative, power
    case negation, dot

    static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }

    static func of(_ operator: BinaryOperator) -> Precedence {
        switch `operator` {
        case .union, .intersect, .minus: .set
        case .bitwiseOr: .bitwiseOr
        case .bitwiseXor: .bitwiseXor
        case .bitwiseAnd: .bitwiseAnd
        case .shiftLeft, .shiftRight: .shift
        case .add, .subtract: .additive
        case .multiply, .divide: .multiplicative
        case .power: .power
        }
    }
}
