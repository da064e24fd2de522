// The module of filters that people build from rows. It re-exports what filters need: one import also gives
// FormatPredicate, Queryable and PredicateSchema.
@_exported public import PredicateEvaluation
@_exported public import PredicateModel
@_exported public import PredicateSyntax
