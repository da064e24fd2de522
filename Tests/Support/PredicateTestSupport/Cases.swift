// One test for many small cases. Swift Testing prints a line for each argument of a parameterised test. This prints one
// line for all cases; a failure still names its case.

#if canImport(Testing)
    import Foundation
    package import Testing

    private enum CurrentCase {
        @TaskLocal static var description: String?
    }

    extension Trait where Self == IssueHandlingTrait {
        /// Adds the current case of `forEachCase` to the message of a failure.
        package static var cases: Self {
            .compactMapIssues { issue in
                guard let description = CurrentCase.description else { return issue }
                var named = issue
                named.comments.append("in the case \(description)")
                return named
            }
        }
    }

    extension Trait where Self == ConditionTrait {
        /// Leaves a slow test that only reads texts or compiles them to CI. UPDATE_GOLDEN=1 runs it, too.
        package static var inCI: Self {
            let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"
            return .enabled(if: !TestDepth.isQuickest || isUpdating, "PREDICATE_TESTS=debug runs it")
        }
    }

    /// Runs a check for each case. An error fails its case, and the next one is run.
    package func forEachCase<Cases: Sequence>(
        _ cases: Cases, sourceLocation: SourceLocation = #_sourceLocation, _ check: (Cases.Element) throws -> Void
    ) {
        for one in cases {
            CurrentCase.$description.withValue("\(one)") {
                do { try check(one) } catch { Issue.record(error, sourceLocation: sourceLocation) }
            }
        }
    }

    /// All pairs of an element of `First` and an element of `Second`.
    package func pairs<First: Sequence, Second: Sequence>(
        _ firsts: First, _ seconds: Second
    ) -> [(First.Element, Second.Element)] { firsts.flatMap { first in seconds.map { (first, $0) } } }

    /// Runs an asynchronous check for each case, one after the other.
    package func forEachAsyncCase<Cases: Sequence>(
        _ cases: Cases, sourceLocation: SourceLocation = #_sourceLocation,
        _ check: (Cases.Element) async throws -> Void
    ) async {
        for one in cases {
            await CurrentCase.$description.withValue("\(one)") {
                do { try await check(one) } catch { Issue.record(error, sourceLocation: sourceLocation) }
            }
        }
    }
#endif
