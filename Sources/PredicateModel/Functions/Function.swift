// What a function of the catalogue is and what it may see while it runs. The table is FunctionCatalog.swift.
public import PredicateSyntax

/// A function that predicates may call, or a method that FUNCTION may name (its first argument is then the target).
///
///     catalog.add(Function("area:by:", arity: 2, signature: "area:by:(width, height)", summary: "their product") {
///         (arguments, context) throws(EvaluationFault) in
///         try context.rules.apply(.multiply, arguments[0], arguments[1])
///     })
public struct Function: Sendable {
    public typealias Body =
        @Sendable (_ arguments: [Value], _ context: inout FunctionContext) throws(EvaluationFault) -> Value

    /// The whole selector, colons included: `sum:`, `now`.
    public let name: String
    /// How many arguments it takes, a method's target included.
    public let arity: Int
    /// As help shows it: `sum:(collection)`.
    public let signature: String
    /// What it yields, in one line.
    public let summary: String
    /// Whether equal arguments may give different results: never folded (LANGUAGE C 8).
    public let isVolatile: Bool
    /// Whether the body sees nil arguments. Otherwise any nil argument gives nil (LANGUAGE C 4).
    public let takesNil: Bool
    let body: Body
    /// Whether it is the catalogue's own, whose meaning plans know; a host's of the same name is only called.
    package internal(set) var isStandard = false

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

    /// Calls it; a body may rely on the number of arguments.
    public func call(_ arguments: [Value], _ context: inout FunctionContext) throws(EvaluationFault) -> Value {
        guard arguments.count == arity else {
            throw EvaluationFault(.functionArguments, name, Self.count(arity), "\(arguments.count)")
        }
        if !takesNil, arguments.contains(where: \.isNil) { return .null }
        return try body(arguments, &context)
    }

    /// A name as people write it: `sum` for `sum:`; names of several parts stay whole.
    public static func shown(_ name: String) -> String {
        name.hasSuffix(":") && !name.dropLast().contains(":") ? String(name.dropLast()) : name
    }

    /// `one argument`, `2 arguments`
    public static func count(_ arity: Int) -> String {
        switch arity {
        case 0: "no arguments"
        case 1: "one argument"
        default: "\(arity) arguments"
        }
    }
}

/// What a function may see: the rules of the operators, a clock and a generator. One per evaluation, or per run over
/// many objects, so that `now()` is one instant for all of them, as in SQL.
public struct FunctionContext: Sendable {
    public let rules: OperatorRules
    private let clock: @Sendable () -> Double
    private var instant: Double?
    private var state: UInt64?

    /// - Parameters:
    ///   - rules: the meaning of the operators.
    ///   - clock: seconds since 2001-01-01 00:00 UTC; asked once, and only by `now()`.
    ///   - seed: makes `random()` and `randomn()` repeatable: SplitMix64 from this state. nil: the system's generator.
    public init(rules: OperatorRules = .standard, clock: @escaping @Sendable () -> Double, seed: UInt64? = nil) {
        self.rules = rules
        self.clock = clock
        state = seed
    }

    /// Goes on to another evaluation, which has an instant and random numbers of its own.
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
