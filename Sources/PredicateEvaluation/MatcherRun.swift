// Testing many objects one by one, for the targets of this package that read them as they come.
internal import PredicateModel
package import PredicateSyntax

/// A run over many objects: what a matcher learns from one (the shapes of dictionaries, the states of patterns) serves the
/// next. `now()` is one instant for all of them. One thread's own.
package struct MatcherRun<Root> {
    private var run: Matcher<Root>.Run
    private let source: String

    package init(_ matcher: Matcher<Root>) {
        run = Matcher.Run(matcher)
        source = matcher.predicate.source
    }

    /// Whether the object satisfies the predicate.
    /// - Throws: as `Matcher.test`.
    package mutating func test(_ object: Root) throws(PredicateFailure) -> Bool {
        do throws(EvaluationFault) {
            return try run.test(object)
        } catch {
            throw PredicateFailure(error.diagnostic, source: source)
        }
    }
}

extension Matcher {
    /// The keys of an object that are read; nil where it is read as a whole, by SELF for instance.
    package var rootKeys: Set<String>? {
        switch plan {
        case .dynamic(let plan): plan.rootKeys
        }
    }
}
