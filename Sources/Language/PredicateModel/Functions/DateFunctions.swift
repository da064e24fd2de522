// The functions and the keys of dates that the extension `dates` adds to a catalogue (LANGUAGE C 17 a), and its
// arithmetic. PredicateTimeZone.swift has the calendar.

extension FunctionCatalog {
    /// The catalogue with `today`, the steps and the parts of dates. What the app defines under these names stays.
    func addingDates() -> FunctionCatalog {
        var catalog = self
        catalog.addMissing(Self.dateExtension, methods: Self.dateParts)
        return catalog
    }

    /// The names of all functions, methods and keys of the extension.
    static let dateSelectors = Set((dateExtension + dateParts).map { $0.name })

    private static let dateExtension: [PredicateFunction] =
        [
            PredicateFunction(
                "today", "", Signature(yields: .date), "the beginning of the day of the evaluation", .today,
                isVolatile: true
            ) { (_, context) throws(EvaluationFault) in
                .date(context.rules.environment.zone.startOfDay(context.now()))
            }
        ]
        + CalendarStep.Unit.allCases.map { unit in
            let name = unit.rawValue + ":"
            return PredicateFunction(
                name, "n", Signature(.number, yields: .any), "n \(unit.rawValue), beside + or - of a date", .step(unit)
            ) { (arguments, _) throws(EvaluationFault) in
                try unit.step(arguments[0])
            }
        }

    private static let dateParts: [PredicateFunction] = DatePart.allCases.map { part in
        let name = part.rawValue
        return PredicateFunction(
            method: name, of: "date", Signature(.date) { _ in ExpressionType(.integer, isOptional: true) },
            part == .weekday ? "1 for Monday to 7 for Sunday" : "its \(name)", .datePart(part)
        ) { (arguments, context) throws(EvaluationFault) in
            guard case .date(let instant) = arguments[0] else {
                throw EvaluationFault(.operandType, name, arguments[0].typeDescription, at: .argument(0))
            }
            return context.rules.environment.zone.part(part, of: instant).map(PredicateValue.integer) ?? .null
        }
    }
}

extension FormatPredicate {
    /// Whether its meaning depends on the time zone. True also for an object's own key `year`.
    package var asksTimeZone: Bool {
        guard environment.language.contains(.dates) else { return false }
        return tree.contains { node in
            switch node.kind {
            case .call(let name, _): FunctionCatalog.dateSelectors.contains(name)
            case .keyPath(let keys) where keys.count > 1:
                keys.last.map(FunctionCatalog.dateSelectors.contains) ?? false
            default: false
            }
        }
    }
}

extension OperatorRules {
    /// Evaluates `+` or `-` of a date; nil for other operands (LANGUAGE C 17 a).
    func dates(
        _ operator: BinaryOperator, _ left: PredicateValue, _ right: PredicateValue
    ) throws(EvaluationFault) -> PredicateValue? {
        guard environment.language.contains(.dates) else { return nil }
        switch (`operator`, left, right) {
        case (.add, .date(let date), _): return try moved(date, by: right, 1)
        case (.add, _, .date(let date)): return try moved(date, by: left, 1)
        case (.subtract, .date(let date), .date(let other)): return .double(date - other)
        case (.subtract, .date(let date), _): return try moved(date, by: right, -1)
        default: return nil
        }
    }

    private func moved(_ date: Double, by step: PredicateValue, _ sign: Int64) throws(EvaluationFault)
        -> PredicateValue?
    {
        if let step = CalendarStep.of(step) {
            let (count, isTooLarge) = step.count.multipliedReportingOverflow(by: sign)
            guard !isTooLarge, let moved = environment.zone.date(date, adding: count, step.unit) else {
                throw EvaluationFault(.integerOverflow, step.unit.rawValue)
            }
            return .date(moved)
        }
        return step.isNumber ? step.doubleValue.map { .date(date + Double(sign) * $0) } : nil
    }
}

extension CalendarStep.Unit {
    /// The value of a call such as `days(7)`.
    package func step(_ count: PredicateValue) throws(EvaluationFault) -> PredicateValue {
        if count.isNil { return .null }
        return .object(ObjectReference(CalendarStep(try count.integer(for: rawValue), self)))
    }
}
