// The type of a catalogue function, and the context in which it runs. FunctionCatalog.swift lists the
// functions.

/// A function for predicates, or a method for FUNCTION, whose first argument is the target.
///
///     functions.add(PredicateFunction("length:", arity: 1, signature: "length:(text)", summary: "its characters") {
///         (arguments, context) throws(EvaluationFault) in
///         guard let text = arguments[0].stringValue else { throw EvaluationFault(.operandType, "length:", "no text") }
///         return .integer(Int64(text.count))
///     })
public struct PredicateFunction: Sendable {
    /// Computes the result. `arguments` has `arity` values; a method's target is the first of them.
    public typealias Body =
        @Sendable (_ arguments: [PredicateValue], _ context: inout FunctionContext) throws(EvaluationFault) ->
        PredicateValue

    /// The whole selector with its colons: `sum:`, `now`.
    package let name: String
    /// The number of arguments, including a method's target.
    package let arity: Int
    /// The form for help texts: `sum:(collection)`.
    package let signature: String
    /// A description of the result in one line.
    package let summary: String
    /// Whether equal arguments may give different results, so that calls are never folded (LANGUAGE C 8).
    package let isVolatile: Bool
    /// Whether the body receives nil arguments. Otherwise any nil argument gives nil (LANGUAGE C 4).
    package let takesNil: Bool
    let body: Body
    let identity = DefinitionIdentity()
    /// The types of the arguments and the result; nil for a function added by the app, which takes and returns any
    /// value.
    private(set) var types: Signature?
    /// A computation that plans and SQL may use instead of calling the function; nil if they must call it. A function
    /// added by the app has none, even if it replaces a standard function.
    package private(set) var intrinsic: Intrinsic?

    /// Creates a function. The parameters correspond to the properties with the same names.
    public init(
        _ name: String, arity: Int, signature: String, summary: String, isVolatile: Bool = false,
        takesNil: Bool = false, body: @escaping Body
    ) {
        self.name = name
        self.arity = arity
        self.signature = signature
        self.summary = summary
        self.isVolatile = isVolatile
        self.takesNil = takesNil
        self.body = body
    }

    /// Creates a function of the standard catalogue. Its name, types, description and computation are defined here
    /// only.
    ///
    /// - Parameters:
    ///   - arguments: the arguments in the form for help texts: `a, b`.
    ///   - types: the types of the arguments and of the result.
    // Not inlined, because the catalogue has some sixty calls.
    @inline(never)
    init(
        _ name: String, _ arguments: String, _ types: Signature, _ summary: String, _ intrinsic: Intrinsic? = nil,
        isVolatile: Bool = false, takesNil: Bool = false, body: @escaping Body
    ) {
        self.init(
            name, arity: types.parameters.count, signature: "\(name)(\(arguments))", summary: summary,
            isVolatile: isVolatile, takesNil: takesNil, body: body)
        self.types = types
        self.intrinsic = intrinsic
    }

    /// Creates a method of the standard catalogue. Its target is the first argument.
    @inline(never)
    init(
        method name: String, of target: String, _ types: Signature, _ summary: String, _ intrinsic: Intrinsic? = nil,
        takesNil: Bool = false, body: @escaping Body
    ) {
        let more = target == "text" ? ", …" : ""
        self.init(
            name, arity: types.parameters.count, signature: "FUNCTION(\(target), '\(name)'\(more))", summary: summary,
            takesNil: takesNil, body: body)
        self.types = types
        self.intrinsic = intrinsic
    }

    /// Calls the function after checking the number of arguments.
    package func call(_ arguments: [PredicateValue], _ context: inout FunctionContext) throws(EvaluationFault)
        -> PredicateValue
    {
        guard arguments.count == arity else {
            throw EvaluationFault(.functionArguments, name, Self.count(arity), "\(arguments.count)")
        }
        if !takesNil, arguments.contains(where: { $0.isNil }) { return .null }
        return try body(arguments, &context)
    }

    /// Whether its only effect is to read the clock of the run.
    var asksClock: Bool { intrinsic?.asksClock ?? false }

    /// Whether the argument with an index may have a type. A function added by the app takes any value.
    package func accepts(_ type: ExpressionType, at index: Int) -> Bool {
        types.map { $0.parameters[index].refuses(type) == nil } ?? true
    }

    /// The name for messages: `sum` for `sum:`. Names with several parts are kept.
    package static func shown(_ name: String) -> String {
        name.hasSuffix(":") && !name.dropLast().contains(":") ? String(name.dropLast()) : name
    }

    /// A number of arguments in words: `one argument`, `2 arguments`.
    package static func count(_ arity: Int) -> String {
        switch arity {
        case 0: "no arguments"
        case 1: "one argument"
        default: "\(arity) arguments"
        }
    }
}

extension PredicateFunction {
    /// The computations of some standard functions. Plans and SQL choose their implementation by this case.
    package enum Intrinsic: Hashable, Sendable {
        /// The same as an infix operator.
        case binary(BinaryOperator)
        case modulus, magnitude, onesComplement, squareRoot
        case floor, ceiling, truncate
        /// The length of a text in UTF-16 units.
        case length
        case uppercase, lowercase
        /// The argument itself; the text of a value; the value as a double.
        case same, text, double
        /// The seconds of a date since 2001-01-01.
        case seconds
        case count
        /// The instant of the evaluation.
        case now
        /// The beginning of its day; a number of steps of the calendar; a part of a date.
        case today
        case step(CalendarStep.Unit)
        case datePart(DatePart)
        /// The same as `a[b]` and `CAST(a, b)`.
        case element, cast

        /// Whether it reads the clock of the run.
        package var asksClock: Bool { self == .now || self == .today }
    }

    /// Whether other syntax has the same meaning: `a + b`, `a[b]`, `CAST(a, b)`.
    package var hasSyntax: Bool {
        switch intrinsic {
        case .binary, .element, .cast: true
        default: false
        }
    }
}

/// The context of a function call: operator rules, clock and random generator. There is one context for an evaluation,
/// or for a run over many objects, so that `now()` is the same instant for all of them, as in SQL.
public struct FunctionContext: Sendable {
    package let rules: OperatorRules
    private let clock: @Sendable () -> Double
    private var instant: Double?
    private var state: UInt64?

    /// - Parameters:
    ///   - rules: the meaning of the operators.
    ///   - clock: returns seconds since 2001-01-01 00:00 UTC. Called at most once, by `now()`.
    ///   - seed: makes `random()` and `randomn()` repeatable (SplitMix64); nil uses the system's generator.
    package init(rules: OperatorRules = .standard, clock: @escaping @Sendable () -> Double, seed: UInt64? = nil) {
        self.rules = rules
        self.clock = clock
        state = seed
    }

    /// Starts a new evaluation, with a new instant and new random numbers.
    package mutating func restart(seed: UInt64?) {
        instant = nil
        state = seed
    }

    /// The instant of this evaluation.
    public mutating func now() -> Double {
        if let instant { return instant }
        let instant = clock()
        self.instant = instant
        return instant
    }

    /// 64 random bits.
    public mutating func random() -> UInt64 {
        guard var next = state else { return .random(in: .min ... .max) }
        next &+= 0x9E37_79B9_7F4A_7C15
        state = next
        next = (next ^ (next >> 30)) &* 0xBF58_476D_1CE4_E5B9
        next = (next ^ (next >> 27)) &* 0x94D0_49BB_1331_11EB
        return next ^ (next >> 31)
    }
}
