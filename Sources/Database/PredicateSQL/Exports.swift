// The module exports what its users need beside it: FormatPredicate, PredicateSchema and PredicateSortKey. So one import is
// enough.
@_exported public import PredicateModel
@_exported public import PredicateSyntax
