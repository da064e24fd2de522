public import PredicateModel
public import PredicateSyntax
extension FormatPredicate {
  public func evaluate(_ o: Value, variables: [String: FormatArgument] = [:]) throws(PredicateFailure) -> Bool { false }
  public func substituting(_ v: [String: FormatArgument]) -> FormatPredicate { self }
}
extension FormatExpression {
  public func evaluate(_ o: Value, variables: [String: FormatArgument] = [:]) throws(PredicateFailure) -> Value { .null }
  public func substituting(_ v: [String: FormatArgument]) -> FormatExpression { self }
}
