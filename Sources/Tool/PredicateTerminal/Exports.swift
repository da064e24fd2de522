// The prompt shows completions and measures the width of texts. Their types are those of PredicateSyntax, so all files of
// this module use it, and so do the modules that use this one.
@_exported public import PredicateSyntax
