// Translates the extension `dates` (LANGUAGE C 17 a). An expression without a key is computed here and bound. With a key
// `+` and `-` are arithmetic of seconds, and the year of a date is compared as a range of dates. The rest is left to
// memory.
import PredicateModel
import PredicateSyntax

extension Lowering {
    private var zone: PredicateTimeZone { rules.environment.zone }

    /// `+` or `-` with a date; nil for other operands.
    func dates(_ op: BinaryOperator, _ left: Target, _ right: Target) throws(Unsupported) -> Target? {
        guard rules.environment.language.contains(.dates), op == .add || op == .subtract else { return nil }
        if case .constant(let one) = left, case .constant(let other) = right {
            guard one.type == .date || other.type == .date else { return nil }
            let result = try Self.folded { () throws(EvaluationFault) in try rules.apply(op, one.value, other.value) }
            return .constant(Constant(result))
        }
        let (one, other) = (try Self.seconds(left), try Self.seconds(right))
        if let one, let other { return .value(.call(.doubles(op), [one, other], .double)) }
        guard let date = one ?? other else { return nil }
        if date.constant?.isNil ?? false { return .constant(Constant(.null)) }
        return .value(try moved(op, date, by: one == nil ? left : right))
    }

    private func moved(_ op: BinaryOperator, _ date: Operand, by step: Target) throws(Unsupported) -> Operand {
        let seconds: Operand
        switch step {
        case .constant(let constant):
            guard let number = try self.seconds(of: constant.value), number.isFinite else {
                throw Unsupported("the number of seconds is not finite")
            }
            seconds = .constant(.double(number), .double)
        case .value(let column) where column.type == .integer && column.encoding == nil && !column.mayFail:
            seconds = column.asDouble
        default: throw Unsupported("only a whole number of seconds is added to a date in SQL")
        }
        let sum = Operand.call(.doubles(op), [date, seconds], .double)
        return Operand(kind: sum.kind, type: .date, isNullable: sum.isNullable, mayBeNaN: sum.mayBeNaN)
    }

    /// The seconds of a number or of a step of days.
    private func seconds(of step: PredicateValue) throws(Unsupported) -> Double? {
        guard let step = CalendarStep.of(step) else { return step.doubleValue }
        switch step.unit {
        case .days where zone.fixedOffset != nil, .weeks where zone.fixedOffset != nil:
            return Double(step.count) * (step.unit == .weeks ? 604_800 : 86_400)
        case .days, .weeks: throw Unsupported("days have different lengths in the time zone \(zone)")
        case .months, .years: throw Unsupported("steps of \(step.unit.rawValue) are computed in memory")
        }
    }

    /// A date as a double; nil for another type.
    private static func seconds(_ target: Target) throws(Unsupported) -> Operand? {
        switch target {
        case .value(let column) where column.type == .date || column.encoding?.isOfDates ?? false:
            if column.encoding != nil {
                throw Unsupported("the column stores dates in another form", column: column.name)
            }
            return Operand(
                kind: column.kind, type: .double, isNullable: column.isNullable, mayBeNaN: column.mayBeNaN)
        case .constant(let constant):
            if case .date(let seconds) = constant.value { return .constant(.double(seconds), .double) }
            return nil
        default: return nil
        }
    }

    /// Both sides as doubles if one is a computed date; nil otherwise.
    func secondsOfComputed(_ left: Target, _ right: Target) throws(Unsupported) -> (Target, Target)? {
        func isComputed(_ target: Target) -> Bool {
            guard case .value(let operand) = target else { return false }
            return operand.type == .date && operand.isComputed && operand.encoding == nil
        }
        guard isComputed(left) || isComputed(right) else { return nil }
        func seconds(_ target: Target) throws(Unsupported) -> Target {
            if let operand = try Self.seconds(target) {
                return operand.constant.map(Target.constant) ?? .value(operand)
            }
            if target.isNil { return target }
            var doubles: [PredicateValue] = []
            guard case .constant(let constant) = target, case .array(let elements) = constant.value else {
                throw Unsupported("a computed date is compared only with dates in SQL")
            }
            for element in elements {
                guard case .date(let seconds) = element else {
                    throw Unsupported("a computed date is compared only with dates in SQL")
                }
                doubles.append(.double(seconds))
            }
            return .constant(Constant(.array(doubles)))
        }
        return (try seconds(left), try seconds(right))
    }

    /// A part of a date.
    func part(_ part: DatePart, of argument: Target) throws(Unsupported) -> Target {
        switch argument {
        case .constant(let constant):
            guard case .date(let date) = constant.value else { return .constant(Constant(.null)) }
            return .constant(Constant(zone.part(part, of: date).map(PredicateValue.integer) ?? .null))
        case .value(let date) where part == .year && (date.type == .date || date.encoding?.isOfDates ?? false):
            return .value(Operand(kind: .call(.year, [date]), type: .integer, isNullable: true))
        default: throw Unsupported("the \(part.rawValue) of a date is computed in memory")
        }
    }

    /// The comparison of a year with a constant as a range of dates; nil for other operands.
    func years(_ relation: Relation, _ left: Target, _ right: Target) throws(Unsupported) -> Condition? {
        if case .constant = left, case .value(let operand) = right, case .call(.year, _) = operand.kind,
            let order = Order(relation.operator)
        {
            let mirrored = Relation(order.mirrored.comparison, relation.written, nilsMatch: relation.nilsMatch)
            return try years(mirrored, right, left)
        }
        guard case .value(let operand) = left, case .call(.year, let dates) = operand.kind else { return nil }
        guard case .constant(let constant) = right, !constant.isNil else {
            throw Unsupported("the year of a date is computed in memory")
        }
        if relation.operator == .in {
            var parts: [Condition] = []
            for value in constant.value.elements ?? [] where !value.isNil {
                parts.append(try years(Relation(.equal, []), left, .constant(Constant(value))) ?? .constant(false))
            }
            return .some(parts)
        }
        let bounds = relation.operator == .between ? constant.value.elements ?? [] : [constant.value, constant.value]
        guard bounds.count == 2, let low = bounds[0].exactInteger, let high = bounds[1].exactInteger else {
            throw Unsupported("a year is compared with whole numbers in SQL")
        }
        let limits = PredicateTimeZone.years
        let (least, most) = (max(low, limits.lowerBound), min(high, limits.upperBound))
        switch relation.operator {
        case .equal, .between: return try within(least, most, dates[0])
        case .notEqual: return .not(try within(least, most, dates[0]))
        case .lessThan: return try within(limits.lowerBound, min(max(low, .min + 1) - 1, limits.upperBound), dates[0])
        case .lessThanOrEqual: return try within(limits.lowerBound, most, dates[0])
        case .greaterThan:
            return try within(max(min(low, .max - 1) + 1, limits.lowerBound), limits.upperBound, dates[0])
        case .greaterThanOrEqual: return try within(least, limits.upperBound, dates[0])
        default: throw Unsupported("the year of a date is computed in memory")
        }
    }

    private func within(_ first: Int64, _ last: Int64, _ date: Operand) throws(Unsupported) -> Condition {
        if first > last { return .constant(false) }
        func compare(_ operator: ComparisonOperator, _ year: Int64) throws(Unsupported) -> Condition {
            let beginning = Constant(.date(zone.beginning(ofYear: Int(year))))
            return try compareExactly(Relation(`operator`, []), .value(date), .constant(beginning))
        }
        return .every([try compare(.greaterThanOrEqual, first), try compare(.lessThan, last + 1)])
    }
}

extension Encoding {
    fileprivate var isOfDates: Bool { if case .dates = self { true } else { false } }
}
