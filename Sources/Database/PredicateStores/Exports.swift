// The module exports what its users need beside it: FormatPredicate, PredicateSchema, Queryable, KeyAssignment. So one
// import is enough.
@_exported public import PredicateEvaluation
@_exported public import PredicateModel
@_exported public import PredicateSQL
@_exported public import PredicateSyntax
