// Translates the extension `dates` (LANGUAGE C 17 a). An expression without a key is computed here and bound. With a
// key, arithmetic is that of seconds, and a year is compared as a range of dates where it can be. Steps of months and the
// other parts are computed by the engine (Dialects/DateArithmetic.swift) in UTC or a fixed offset; else in memory.

extension Lowering {
    private var zone: PredicateTimeZone { rules.environment.zone }

    /// `+` or `-` with a date; nil for other operands.
    func dates(_ op: BinaryOperator, _ left: Target, _ right: Target) throws(Unsupported) -> Target? {
        guard rules.environment.language.contains(.dates), op == .add || op == .subtract else { return nil }
        let (one, other) = (Self.seconds(left), Self.seconds(right))
        if let one, let other { return .value(.call(.doubles(op), [one, other], .double)) }
        guard let date = one ?? other else { return nil }
        if date.constant?.isNil ?? false { return .constant(Constant(.null)) }
        return .value(try moved(op, date, by: one == nil ? left : right).asDate)
    }

    private func moved(_ op: BinaryOperator, _ date: Operand, by step: Target) throws(Unsupported) -> Operand {
        switch try computingYears(step) {
        case .constant(let constant):
            if let months = try months(of: constant.fixed(), op) {
                // A step may fail, so SQL tests whether it does. The test contains that of the inner step twice, so it
                // doubles with each step.
                if date.depth > 4 { throw Unsupported("its arithmetic is nested too deeply") }
                let later = Operand.call(
                    .monthsLater, [try local(date), .constant(.integer(months), .integer)], .double)
                return try shifted(.subtract, later)
            }
            guard let number = try self.seconds(of: constant.fixed()), number.isFinite else {
                throw Unsupported("the number of seconds is not finite")
            }
            return .call(.doubles(op), [date, .constant(.double(number), .double)], .double)
        case .value(let column) where column.type == .integer && column.encoding == nil && !column.mayFail:
            return .call(.doubles(op), [date, column.asDouble], .double)
        default: throw Unsupported("only a whole number of seconds is added to a date in SQL")
        }
    }

    /// The seconds of a date as if the clock of the zone were in UTC.
    private func local(_ date: Operand) throws(Unsupported) -> Operand { try shifted(.add, date) }

    private func shifted(_ op: BinaryOperator, _ date: Operand) throws(Unsupported) -> Operand {
        guard let offset = zone.fixedOffset else {
            throw Unsupported("the time zone \(zone) has different offsets at different times")
        }
        return offset == 0 ? date : .call(.doubles(op), [date, .constant(.double(Double(offset)), .double)], .double)
    }

    /// The months of a step of months or years; nil for other steps.
    private func months(of step: PredicateValue, _ op: BinaryOperator) throws(Unsupported) -> Int64? {
        guard let step = CalendarStep.of(step), step.unit == .months || step.unit == .years else { return nil }
        let limit = SQLDialect.mostMonths / (step.unit == .years ? 12 : 1)
        guard (-limit...limit).contains(step.count) else {
            throw Unsupported("a step of more than \(limit) \(step.unit.rawValue) is computed in memory")
        }
        return step.count * (step.unit == .years ? 12 : 1) * (op == .subtract ? -1 : 1)
    }

    /// The seconds of a number or of a step of days.
    private func seconds(of step: PredicateValue) throws(Unsupported) -> Double? {
        guard let step = CalendarStep.of(step) else { return step.doubleValue }
        guard zone.fixedOffset != nil else {
            throw Unsupported("days have different lengths in the time zone \(zone)")
        }
        return Double(step.count) * (step.unit == .weeks ? 604_800 : 86_400)
    }

    /// A date as a double; nil for another type.
    private static func seconds(_ target: Target) -> Operand? {
        switch target {
        case .value(let column): return column.seconds
        case .constant(let constant):
            if case .date(let seconds) = constant.fixed() { return .constant(.double(seconds), .double) }
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
            if let operand = Self.seconds(target) {
                return operand.constant.map(Target.constant) ?? .value(operand)
            }
            if target.isNil { return target }
            if case .constant(let constant) = target, case .array(let elements) = constant.fixed() {
                let doubles = elements.compactMap { element -> PredicateValue? in
                    if case .date(let seconds) = element { .double(seconds) } else { nil }
                }
                if doubles.count == elements.count { return .constant(Constant(.array(doubles))) }
            }
            throw Unsupported("a computed date is compared only with dates in SQL")
        }
        return (try seconds(left), try seconds(right))
    }

    func part(_ part: DatePart, of argument: Target) throws(Unsupported) -> Target {
        switch argument {
        case .value(let date) where date.type == .date:
            return part == .year ? .year(of: date) : .value(try computed(part, of: date))
        default: throw Unsupported("the \(part.rawValue) of a date is computed in memory")
        }
    }

    private func computed(_ part: DatePart, of date: Operand) throws(Unsupported) -> Operand {
        let local = try local(date.seconds ?? date)
        return Operand(
            kind: .call(.part(part), [local]), type: .integer, isNullable: true, mayFail: local.mayFail,
            range: part.values)
    }

    /// The target, with a year as an expression of its date.
    func computingYears(_ target: Target) throws(Unsupported) -> Target {
        if case .year(let date) = target { .value(try computed(.year, of: date)) } else { target }
    }

    /// The comparison of a year with whole numbers as a range of dates; nil for other operands.
    func years(_ relation: Relation, _ left: Target, _ right: Target) throws(Unsupported) -> Condition? {
        var (comparison, left, right) = (relation.operator, left, right)
        if case .year = right, let order = Order(comparison) {
            (comparison, left, right) = (order.mirrored.comparison, right, left)
        }
        guard case .year(let date) = left, case .constant(let constant) = right, !constant.isNil else { return nil }
        if comparison == .in {
            var parts: [Condition] = []
            for value in constant.fixed().elements ?? [] where !value.isNil {
                guard let part = try years(Relation(.equal, []), left, .constant(Constant(value))) else { return nil }
                parts.append(part)
            }
            return .some(parts)
        }
        let bounds = comparison == .between ? constant.fixed().elements ?? [] : [constant.fixed(), constant.fixed()]
        guard bounds.count == 2, let one = bounds[0].exactInteger, let other = bounds[1].exactInteger else {
            return nil
        }
        let (low, high) = (min(one, other), max(one, other))
        let limits = PredicateTimeZone.years
        let (least, most) = (max(low, limits.lowerBound), min(high, limits.upperBound))
        switch comparison {
        case .equal, .between: return try within(least, most, date)
        case .notEqual: return .not(try within(least, most, date))
        case .lessThan: return try within(limits.lowerBound, min(max(low, .min + 1) - 1, limits.upperBound), date)
        case .lessThanOrEqual: return try within(limits.lowerBound, most, date)
        case .greaterThan:
            return try within(max(min(low, .max - 1) + 1, limits.lowerBound), limits.upperBound, date)
        case .greaterThanOrEqual: return try within(least, limits.upperBound, date)
        default: return nil
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

extension Operand {
    /// The same seconds as a date.
    fileprivate var asDate: Operand {
        Operand(kind: kind, type: .date, isNullable: isNullable, mayFail: mayFail, mayBeNaN: mayBeNaN)
    }
}

extension DatePart {
    /// The values that a part can have.
    fileprivate var values: ClosedRange<Int64> {
        switch self {
        case .year: PredicateTimeZone.years
        case .month: 1...12
        case .day: 1...31
        case .hour: 0...23
        case .minute: 0...59
        case .weekday: 1...7
        }
    }
}
