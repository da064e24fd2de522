// The module that brings NSPredicate to every platform, and #Predicate to format strings and back. It re-exports what a
// type needs to publish its keys.
@_exported public import PredicateEvaluation
@_exported public import PredicateModel
@_exported public import PredicateSyntax
