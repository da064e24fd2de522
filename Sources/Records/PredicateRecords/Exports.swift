// Records are values of the language, with the types of schemas.
@_exported public import PredicateModel
@_exported public import PredicateSyntax
