// The module that apps import to filter in memory. It only re-exports other modules. SQL is in a separate module, so
// that an app that does not need it does not contain it.
@_exported public import PredicateEvaluation
@_exported public import PredicateModel
@_exported public import PredicateSyntax
