// Writes a predicate without the extensions `dates` and `typed-texts`, for `predicate format --portable`.

extension FormatPredicate {
    /// The predicate in the language without extensions: typed texts and days are dates, `date + n` is a CAST of
    /// seconds, and `today()` and steps are fixed at the clock's instant.
    ///
    /// - Parameter checker: the types of the keys.
    /// - Returns: also warnings for what is fixed, and errors for what has no other form.
    package func portable(
        by checker: TypeChecker, clock: PredicateClock = .now
    ) -> (predicate: FormatPredicate, diagnostics: [PredicateDiagnostic]) {
        let clock = clock.stopped
        let read = reading(by: checker)
        let writer = PortableWriter(environment, clock, checker.dateSums(in: read.root, source: source))
        let root = writer.write(read.root)
        return (replacingRoot(root), writer.diagnostics)
    }
}

private final class PortableWriter {
    private let environment: PredicateEnvironment
    private let clock: PredicateClock
    private let sums: [Int: TypeChecker.DateSum]
    private var index = 0
    var diagnostics: [PredicateDiagnostic] = []

    init(_ environment: PredicateEnvironment, _ clock: PredicateClock, _ sums: [Int: TypeChecker.DateSum]) {
        (self.environment, self.clock, self.sums) = (environment, clock, sums)
    }

    func write(_ root: PredicateNode) -> PredicateNode {
        PredicateRewriter(expression: { self.write($0) }).rewrite(root)
    }

    private func write(_ node: ExpressionNode) -> ExpressionNode {
        switch node.kind {
        case .binary(let op, let left, let right):
            defer { index += 1 }
            return sums[index].map { sum(node, op, left, right, $0) } ?? node
        case .call("today", let arguments) where arguments.isEmpty:
            let fixed = FormatExpression(node, in: environment).fixed(at: clock).root
            diagnostics.append(PredicateDiagnostic(.portableDate, at: node.span, "today()", "is fixed at this day"))
            return fixed
        case .keyPath, .member:
            guard sums[-node.span.end] != nil else { return node }
            return refuse(node, "a part of a date")
        default: return node
        }
    }

    private func refuse(_ node: ExpressionNode, _ what: String) -> ExpressionNode {
        diagnostics.append(
            PredicateDiagnostic(
                .portableDate, at: node.span, "\(node)", "needs the extension: \(what)", severity: .error))
        return node
    }

    private func sum(
        _ node: ExpressionNode, _ op: BinaryOperator, _ left: ExpressionNode, _ right: ExpressionNode,
        _ sum: TypeChecker.DateSum
    ) -> ExpressionNode {
        if case .value(.date) = left.kind, let value = step(op, left, right) { return value }
        if case .value(.date) = right.kind, op == .add, let value = step(op, right, left) { return value }
        if sum.hasStep {
            guard environment.zone.fixedOffset != nil, let seconds = seconds(sum.isDateFirst ? right : left) else {
                return refuse(node, "a step from a date of the object")
            }
            return shifted(node, op, sum.isDateFirst ? left : right, seconds)
        }
        let one = sum.isDateFirst ? number(left) : left
        let other = sum.isDateSecond ? number(right) : right
        let total = ExpressionNode(.binary(op, one, other), span: node.span)
        return sum.isDateFirst && sum.isDateSecond ? total : date(total)
    }

    /// A constant date and a constant step.
    private func step(_ op: BinaryOperator, _ date: ExpressionNode, _ other: ExpressionNode) -> ExpressionNode? {
        let expression = FormatExpression(
            ExpressionNode(.binary(op, date, other), span: date.span.joined(other.span)), in: environment)
        guard case .call = other.kind,
            let value = try? expression.evaluate(PredicateValue.null, run: PredicateRun(clock: { 0 }))
        else { return nil }
        return ExpressionNode(.value(value), span: expression.root.span)
    }

    private func seconds(_ step: ExpressionNode) -> ExpressionNode? {
        guard case .call(let name, let arguments) = step.kind, name == "days:" || name == "weeks:",
            let count = arguments.first?.constant?.exactInteger
        else { return nil }
        let (seconds, isTooLarge) = count.multipliedReportingOverflow(by: name == "days:" ? 86_400 : 604_800)
        return isTooLarge ? nil : ExpressionNode(.value(.integer(seconds)), span: step.span)
    }

    private func shifted(
        _ node: ExpressionNode, _ op: BinaryOperator, _ moved: ExpressionNode, _ seconds: ExpressionNode
    ) -> ExpressionNode {
        date(ExpressionNode(.binary(op, number(moved), seconds), span: node.span))
    }

    private func number(_ date: ExpressionNode) -> ExpressionNode {
        if case .value(.date(let seconds)) = date.kind {
            return ExpressionNode(.value(.double(seconds)), span: date.span)
        }
        return ExpressionNode(.cast(date, type: CastType.number.rawValue), span: date.span)
    }

    private func date(_ number: ExpressionNode) -> ExpressionNode {
        ExpressionNode(.cast(number, type: CastType.date.rawValue), span: number.span)
    }
}
