// The module evaluates the tree by the meaning that PredicateModel defines. All of its files and users need both.
@_exported public import PredicateModel
@_exported public import PredicateSyntax
