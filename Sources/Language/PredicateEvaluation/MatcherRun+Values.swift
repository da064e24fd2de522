// Runs of matchers.

extension MatcherRun {
    package init(_ matcher: PredicateMatcher<PredicateValue>) { self.init(matcher.plan, matcher.predicate.source) }
}

extension PredicateMatcher {
    /// The keys of an object that the expression reads; nil if it also reads the object as a whole, for example with
    /// SELF.
    package var rootKeys: Set<String>? { plan.rootKeys }
}
