// The umbrella that an app imports. Nothing else is in it.
@_exported public import PredicateEvaluation
@_exported public import PredicateModel
@_exported public import PredicateSQL
@_exported public import PredicateSyntax
