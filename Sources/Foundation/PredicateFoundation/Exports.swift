// This module implements NSPredicate on all platforms, and converts `#Predicate` to format strings and back. It
// re-exports the module that a type needs to publish its keys.
@_exported public import PredicateEvaluation
@_exported public import PredicateModel
@_exported public import PredicateSyntax
