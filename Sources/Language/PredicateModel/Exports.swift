// The module gives the tree and the values their meaning. All of its files and users need them.
@_exported public import PredicateSyntax
