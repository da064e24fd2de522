// The module that apps import. It only re-exports the others.
@_exported public import PredicateEvaluation
@_exported public import PredicateModel
@_exported public import PredicateSQL
@_exported public import PredicateSyntax
