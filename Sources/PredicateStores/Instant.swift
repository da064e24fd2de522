// `now()` of a request: one instant, both for SQL and for what is tested in memory.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

extension FetchRequest {
    /// The request with every `now()` replaced by its instant.
    func atOneInstant() -> FetchRequest {
        var isTimed = false
        let walker = PredicateWalker(expression: { if $0.isNow { isTimed = true } })
        walker.walk(predicate.root)
        walker.walk(having.root)
        if !isTimed { return self }
        let instant = PredicateValue.date(now ?? SystemClock.seconds())
        let rewriter = PredicateRewriter<Never>(
            expression: { $0.isNow ? ExpressionNode(.value(instant), span: $0.span) : $0 })
        var request = self
        request.predicate = FormatPredicate(rewriter.rewrite(predicate.root), source: predicate.source)
        request.having = FormatPredicate(rewriter.rewrite(having.root), source: having.source)
        return request
    }
}

extension ExpressionNode {
    fileprivate var isNow: Bool {
        guard case .call(let name, let arguments) = kind, arguments.isEmpty else { return false }
        return FunctionCatalog.standard.function(named: name)?.intrinsic == .now
    }
}
