// The module that apps import to filter in memory. It only re-exports the others. SQL is a module of its own, so that an
// app that does not need it does not carry it.
@_exported public import PredicateEvaluation
@_exported public import PredicateModel
@_exported public import PredicateSyntax
