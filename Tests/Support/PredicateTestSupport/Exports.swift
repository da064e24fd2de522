// Tests that import this module need not import the syntax and the model.

@_exported public import PredicateModel
@_exported public import PredicateSyntax
