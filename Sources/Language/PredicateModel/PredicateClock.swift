// The clock of `now()` for a translation to SQL and for a request to a store. Both replace it by one instant before
// they use the predicate, so SQL and the test in memory agree.

/// Which instant `now()` is when a predicate is translated to SQL or fetched.
///
///     try predicate.sql(.sqlite, entity: "Task", in: schema, clock: .at(700_000_000))
///
/// Evaluation in memory reads `PredicateRun.clock`.
public struct PredicateClock: Sendable, Hashable {
    private enum Reading: Sendable, Hashable {
        case now, memory
        case at(Double)
    }

    private let reading: Reading

    /// The system's clock, read once for each use: SQL and the test in memory have the same instant. This is the
    /// default.
    public static let now = PredicateClock(reading: .now)
    /// Leaves `now()` to the test in memory, which reads the clock when it evaluates a row. SQL then returns more rows.
    /// For statements that are kept and run later.
    public static let memory = PredicateClock(reading: .memory)

    /// A fixed instant, in seconds since 2001-01-01 00:00 UTC.
    public static func at(_ seconds: Double) -> PredicateClock { PredicateClock(reading: .at(seconds)) }

    /// Whether every use has the same instant.
    package var isFixed: Bool { if case .at = reading { true } else { false } }

    /// The clock stopped at its instant, for several uses that belong together.
    package var stopped: PredicateClock { instant.map(Self.at) ?? self }

    /// The instant of one use; nil if the test in memory reads the clock.
    package var instant: Double? {
        switch reading {
        case .now: SystemClock.seconds()
        case .at(let seconds): seconds
        case .memory: nil
        }
    }
}

extension FormatPredicate {
    /// Whether the predicate contains `now()` or `today()`.
    package var asksClock: Bool {
        tree.contains { environment.functions.clock($0) != nil }
    }

    /// The predicate with each `now()` and `today()` replaced by the clock's instant.
    package func fixed(at clock: PredicateClock) -> FormatPredicate {
        guard asksClock, let rewriter = clock.rewriter(environment) else { return self }
        return replacingRoot(rewriter.rewrite(root))
    }
}

extension FormatExpression {
    /// The expression with each `now()` and `today()` replaced by the clock's instant.
    package func fixed(at clock: PredicateClock) -> FormatExpression {
        guard let rewriter = clock.rewriter(environment) else { return self }
        return replacingRoot(rewriter.rewrite(root))
    }
}

extension PredicateClock {
    fileprivate func rewriter(_ environment: PredicateEnvironment) -> PredicateRewriter<Never>? {
        instant.map { instant in
            PredicateRewriter(
                expression: { node in
                    guard let function = environment.functions.clock(node) else { return node }
                    let date = function == .now ? instant : environment.zone.startOfDay(instant)
                    return ExpressionNode(.value(.date(date)), span: node.span)
                })
        }
    }
}

extension FunctionCatalog {
    /// The function of `now()` or `today()`; nil for other expressions.
    fileprivate func clock(_ node: ExpressionNode) -> PredicateFunction.Intrinsic? {
        guard case .call(let name, let arguments) = node.kind, arguments.isEmpty else { return nil }
        let function = function(named: name)?.intrinsic
        return function?.asksClock ?? false ? function : nil
    }
}
