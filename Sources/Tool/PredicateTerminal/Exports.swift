// The prompt completes and measures text with what the syntax offers for it. The files of this module and its users need
// both.
@_exported public import PredicateSyntax
