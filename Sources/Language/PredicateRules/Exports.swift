// The module of what rules need beside evaluation: why a predicate matches, simpler predicates, and sets of many. It
// re-exports what evaluation needs.
@_exported public import PredicateEvaluation
@_exported public import PredicateModel
@_exported public import PredicateSyntax
