// Translates arithmetic and functions to operands. The handling of nil, overflow and division by zero follows
// evaluation: see Condition.isNull and Truth.swift. Comparisons with constants use Ranges.swift where possible.

extension Lowering {
    /// What has only constants is computed first, so that no later pass meets a comparison of two constants.
    func folded(_ body: () throws(EvaluationFault) -> PredicateValue) throws(Unsupported) -> Target {
        .constant(Constant(try Self.folded(body)))
    }

    // MARK: Operators

    func binary(_ op: BinaryOperator, _ left: Target, _ right: Target) throws(Unsupported) -> Target {
        if case .choice(let condition, let one, let other) = left {
            return .choice(condition, try binary(op, one, right), try binary(op, other, right))
        }
        if case .choice(let condition, let one, let other) = right {
            return .choice(condition, try binary(op, left, one), try binary(op, left, other))
        }
        if case .constant(let one) = left, case .constant(let other) = right {
            return try folded { () throws(EvaluationFault) in try rules.apply(op, one.fixed(), other.fixed()) }
        }
        if op.isSetOperator { throw Unsupported("sets are combined in memory") }
        if op == .shiftLeft || op == .shiftRight { throw Unsupported("databases shift bits differently") }
        for (side, other) in [(left, right), (right, left)] {
            guard side.isNil else { continue }
            guard case .value(let operand) = other, operand.mayFail else { return .constant(Constant(.null)) }
            throw Unsupported("it may fail, or be nil")
        }
        if let target = try dates(op, left, right) { return target }
        let one = try number(left)
        let two = try number(right)
        if one.depth + two.depth > 4 { throw Unsupported("its arithmetic is nested too deeply") }
        if op.isBitwise {
            guard one.type == .integer, two.type == .integer else { throw Unsupported("bit operators need integers") }
            return .value(.call(.bits(op), [one, two], .integer))
        }
        switch (one.type, two.type) {
        case (.integer, .integer) where op == .power:
            return .value(.call(.doubles(op), [one.asDouble, two.asDouble], .double))
        case (.integer, .integer): return .value(.call(.integers(op), [one, two], .integer))
        case (.decimal, .double), (.double, .decimal): return .value(.call(.decimals(op), [one, two], .double))
        case (.decimal, _), (_, .decimal): return .value(.call(.decimals(op), [one, two], .decimal))
        default: return .value(.call(.doubles(op), [one.asDouble, two.asDouble], .double))
        }
    }

    func negation(_ target: Target) throws(Unsupported) -> Target {
        if case .choice(let condition, let one, let other) = target {
            return .choice(condition, try negation(one), try negation(other))
        }
        if case .constant(let constant) = target {
            return try folded { () throws(EvaluationFault) in try rules.negate(constant.fixed()) }
        }
        let operand = try number(target)
        switch operand.type {
        case .integer: return .value(.call(.negativeInteger, [operand], .integer))
        case .double: return .value(.call(.negative, [operand], .double))
        default: return .value(.call(.decimals(.subtract), [.constant(.integer(0), .integer), operand], .decimal))
        }
    }

    /// Converts the target to a numeric operand. A Boolean is 0 or 1.
    private func number(_ target: Target) throws(Unsupported) -> Operand {
        switch try computingYears(target) {
        // Each template may repeat its operand, so the size grows exponentially with the depth.
        case .value(let operand) where operand.depth > 4: throw Unsupported("its arithmetic is nested too deeply")
        case .value(let operand) where operand.mayFail && !operand.isComputed:
            throw Unsupported("a sum that may overflow can only be compared")
        case .value(let column) where column.type == .boolean: return .call(.asInteger, [column], .integer)
        case .value(let column) where column.type.isNumber: return column
        case .count(let many) where !many.owner.isNullable: return try count(many)
        case .extreme(let many, let isGreatest): return try number(.value(try extreme(many, isGreatest)))
        case .total: throw .total
        case .constant(let constant):
            let value = constant.fixed()
            switch value {
            case .integer, .bool: return .constant(.integer(value.exactInteger ?? 0), .integer)
            case .double, .float: return .constant(.double(value.doubleValue ?? 0), .double)
            case .decimal: return .constant(value, .decimal)
            default: throw Unsupported("it is not a number")
            }
        default: throw Unsupported("the schema does not say that it is a number")
        }
    }

    // MARK: Functions

    /// Translates a function or method call. A function that SQL does not compute has no intrinsic, or one without a
    /// case here.
    func callFunction(
        _ function: PredicateFunction?, _ name: String, _ arguments: [Target]
    ) throws(Unsupported) -> Target {
        let constants = arguments.compactMap { if case .constant(let constant) = $0 { constant.fixed() } else { nil } }
        if let function, !function.isVolatile, constants.count == arguments.count {
            var context = FunctionContext(rules: rules, clock: { 0 })
            return try folded { () throws(EvaluationFault) in try function.call(constants, &context) }
        }
        guard let intrinsic = function?.intrinsic, function?.arity == arguments.count else {
            throw Unsupported("the function \(name) is evaluated in memory")
        }
        switch intrinsic {
        case .count: return try counted(arguments[0])
        case .modulus:
            let (one, two) = (try number(arguments[0]), try number(arguments[1]))
            guard one.type == .integer, two.type == .integer else {
                throw Unsupported("a remainder needs integers")
            }
            return .value(.call(.remainder, [one, two], .integer))
        // Any other clock has replaced the call by its instant.
        case .now, .today: throw Unsupported("its clock is read in memory")
        case .step: throw Unsupported("a step is constant")
        case .binary, .element, .cast: throw Unsupported("the function \(name) is evaluated in memory")
        default: return try callWithOne(intrinsic, name, arguments[0])
        }
    }

    /// Translates a function of one value, or a method without arguments.
    private func callWithOne(
        _ function: PredicateFunction.Intrinsic, _ name: String, _ argument: Target
    ) throws(Unsupported) -> Target {
        switch argument {
        case .choice(let condition, let one, let other):
            return .choice(condition, try callWithOne(function, name, one), try callWithOne(function, name, other))
        case .constant(let constant) where constant.isNil: return .constant(Constant(.null))
        case .value(let operand) where operand.type == .text: return try callOnText(function, name, operand)
        case .value(let operand) where function == .seconds:
            if let seconds = operand.seconds { return .value(seconds) }
        default: break
        }
        switch function {
        case .datePart(let part): return try self.part(part, of: argument)
        case .same: return argument
        case .magnitude, .floor, .ceiling, .truncate, .squareRoot, .onesComplement, .double:
            return .value(try callOnNumber(function, name, try number(argument)))
        default: throw Unsupported("the function \(name) is evaluated in memory")
        }
    }

    private func callOnText(
        _ function: PredicateFunction.Intrinsic, _ name: String, _ text: Operand
    ) throws(Unsupported) -> Target {
        switch function {
        case .same, .text: return .value(text)
        case .length: return .value(.call(.length, [text], .integer))
        case .uppercase: return .value(.call(.uppercase, [text], .text))
        case .lowercase: return .value(.call(.lowercase, [text], .text))
        default: throw Unsupported("the function \(name) is evaluated in memory")
        }
    }

    private func callOnNumber(
        _ function: PredicateFunction.Intrinsic, _ name: String, _ number: Operand
    ) throws(Unsupported) -> Operand {
        switch (function, number.type) {
        case (.magnitude, .integer): return .call(.absoluteInteger, [number], .integer)
        case (.magnitude, .double): return .call(.absolute, [number], .double)
        case (.floor, .integer), (.ceiling, .integer), (.truncate, .integer): return number
        case (.floor, let type): return .call(.floor, [number], type)
        case (.ceiling, let type): return .call(.ceiling, [number], type)
        case (.truncate, let type): return .call(.truncate, [number], type)
        case (.squareRoot, .integer), (.squareRoot, .double):
            return .call(.squareRoot, [number.asDouble], .double)
        case (.double, .integer), (.double, .double): return number.asDouble
        case (.onesComplement, .integer): return .call(.onesComplement, [number], .integer)
        default: throw Unsupported("the function \(name) of a decimal is evaluated in memory")
        }
    }

    /// Translates `CAST`, if no conversion is needed.
    func cast(_ target: Target, _ type: String) throws(Unsupported) -> Target {
        switch target {
        case .choice(let condition, let one, let other):
            return .choice(condition, try cast(one, type), try cast(other, type))
        case .constant(let constant):
            let value = constant.fixed()
            return try folded { () throws(EvaluationFault) in try Conversions.cast(value, to: type) }
        case .year: return try cast(try computingYears(target), type)
        case .value(let column):
            switch (column.type, CastType(rawValue: type)) {
            case (.integer, .number), (.double, .number), (.decimal, .number), (.boolean, .number), (.text, .text),
                (.date, .date), (.decimal, .decimal):
                return target
            case (.date, .number): return column.seconds.map(Target.value) ?? target
            case (.double, .date) where column.isPlain && !column.mayBeNaN:
                return .value(Operand(kind: column.kind, type: .date, isNullable: column.isNullable))
            default: throw Unsupported("databases convert values differently")
            }
        default: throw Unsupported("databases convert values differently")
        }
    }

    // MARK: What the dialect supports

    /// Throws unless the dialect has a template for every part of the operand, or if its text is too long.
    func requireSupport(_ operand: Operand) throws(Unsupported) {
        try requireTemplates(operand)
        if case .column = operand.kind { return }
        let extent = extent(of: operand)
        mostHeight = max(mostHeight, extent.height)
        try reserve(extent.length)
    }

    private func requireTemplates(_ operand: Operand) throws(Unsupported) {
        switch operand.kind {
        case .column:
            let needsScale = !dialect.decimals.areStored || dialect.decimals.areBoundAsText
            if operand.type == .decimal, operand.encoding == nil, needsScale {
                throw Unsupported("the schema does not give the scale of the decimals", column: operand.name)
            }
        case .element, .constant: return
        case .call(let scalar, let arguments):
            guard dialect.template(scalar) != nil else { throw Unsupported(scalar.absence) }
            if !dialect.numbers.storesInfinity, arguments.contains(where: { $0.mayBeUnstorable }) {
                throw Unsupported("the database has no infinity")
            }
            for argument in arguments { try requireTemplates(argument) }
        case .aggregate: return
        }
    }

    /// Makes a condition partial if evaluating its operands may fail.
    func guarded(_ condition: Condition, _ operands: [Operand]) -> Condition {
        guard operands.contains(where: { $0.mayFail }), !condition.isPartial else { return condition }
        if operands.count == 1, case .leaf(.compare(let order, let sum, let number), negated: false) = condition,
            sum.isWideSum
        {
            return wide(order, sum, number)
        }
        let successes = operands.filter { $0.mayFail }.map(Condition.succeeds)
        // An operand that fails is NULL, except for a wide sum.
        if case .leaf(.compare, negated: false) = condition, !operands.contains(where: { $0.isWideSum }) {
            return .partial(whenTrue: condition, whenFalse: .every(successes + [.not(condition)]))
        }
        return .partial(whenTrue: .every(successes + [condition]), whenFalse: .every(successes + [.not(condition)]))
    }

    /// Compares a wide sum with a 64-bit constant. The comparison with the constant bounds the sum on one side, so only
    /// the other side needs a range check.
    private func wide(_ order: Order, _ sum: Operand, _ number: Operand) -> Condition {
        let (low, high) = (Condition.fits(sum, .greaterOrEqual), Condition.fits(sum, .lessOrEqual))
        // A sum is never nil.
        let condition = Condition.compare(order, sum, number)
        let opposite = Condition.compare(order.complement, sum, number)
        switch order {
        case .less, .lessOrEqual:
            return .partial(whenTrue: .every([low, condition]), whenFalse: .every([high, opposite]))
        case .greater, .greaterOrEqual:
            return .partial(whenTrue: .every([high, condition]), whenFalse: .every([low, opposite]))
        case .equal, .different: return .partial(whenTrue: condition, whenFalse: .every([low, high, opposite]))
        }
    }

    /// A decimal constant with a scale, in the form that the engine accepts.
    func decimal(_ value: PredicateValue, _ scale: Int) -> Operand {
        guard dialect.decimals.areBoundAsText, case .decimal(let number) = value else {
            return .constant(value, .decimal)
        }
        return .call(.decimalOfText(scale), [.constant(.string(number.description), .text)], .decimal)
    }

    /// The number of a collection's rows as an operand.
    func count(_ many: Many) throws(Unsupported) -> Operand {
        guard many.isFound(by: dialect) else {
            throw Unsupported("this count can be compared only with constants")
        }
        return Operand(kind: .aggregate(.count, nil, many.scope, many.filter), type: .integer, isNullable: false)
    }
}

extension Scalar {
    var absence: String {
        switch self {
        case .length, .uppercase, .lowercase: "the database computes lengths and cases of texts differently"
        case .decimals: "the database computes decimals differently"
        case .asMoment: "the database reads timestamps in the time zone of the session"
        case .seconds: "the column stores dates in another form"
        case .part(let part): "the \(part.rawValue) of a date is computed in memory"
        case .monthsLater: "steps of months and years are computed in memory"
        case .doubles(.power): "the database computes powers with other last bits"
        case .doubles: "the database may have no infinity where evaluation has one"
        default: "the database computes it differently"
        }
    }
}

extension BinaryOperator {
    fileprivate var isBitwise: Bool { self == .bitwiseAnd || self == .bitwiseOr || self == .bitwiseXor }
}

extension Operand {
    /// The nesting of templates, each of which may repeat its operands.
    var depth: Int {
        guard case .call(let scalar, let arguments) = kind else { return 0 }
        if case .seconds = scalar { return 0 }
        let inner = arguments.map { $0.depth }.max() ?? 0
        return [.asDouble, .asInteger, .asMoment, .element].contains(scalar) ? inner : inner + 1
    }
}

extension Operand {
    /// Whether it may be an infinity or NaN.
    fileprivate var mayBeUnstorable: Bool {
        mayBeInfinite || constant.map { $0.isNumber && !$0.satisfies(.isFinite) } ?? false
    }
}
