// Fixes `now()` of a request, so that SQL and the test in memory use the same instant.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

extension FetchRequest {
    /// Returns the request with every `now()` replaced by one instant.
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
