// Messages about records that `--on-error skip` skips: the first ones of each kind, then a count of the others.

package struct SkippedRecords {
    /// The maximum number of messages that are printed for a kind.
    private static let shown = 3
    /// The maximum number of groups; further messages are counted together.
    private static let groupLimit = 20

    private struct Group {
        let name: String
        let example: String
        var count = 0
        var printed = 0
    }

    package private(set) var count = 0
    private var groups: [Group] = []

    package init() {}

    /// Counts records. Returns whether to print the message of the first of them.
    /// - Parameter kind: the message without the parts that differ between records.
    private mutating func add(_ kind: String, _ message: String, _ number: Int) -> Bool {
        count += number
        var place = groups.firstIndex { $0.name == kind } ?? groups.count
        if place == groups.count, place < Self.groupLimit { groups.append(Group(name: kind, example: message)) }
        place = min(place, groups.count - 1)
        groups[place].count += number
        if groups[place].printed == Self.shown { return false }
        groups[place].printed += 1
        return true
    }

    /// Counts a record that cannot be read, and prints the first problems of a kind. Returns whether to continue.
    /// - Parameter skips: whether such records are skipped; else the first one ends the run.
    mutating func take(_ problem: RecordProblem, skips: Bool, _ note: (String) throws -> Void) rethrows -> Bool {
        let isSkipped = skips && !problem.endsInput
        // Numbers and quoted parts differ between records.
        let kind = problem.message.prefix { !$0.isNumber && $0 != "'" && $0 != "\"" }
        if !isSkipped || add(String(kind), problem.message, 1) { try note(problem.description) }
        return isSkipped
    }

    package mutating func add(_ failure: PredicateFailure, count: Int = 1) -> Bool {
        let kind = failure.source + failure.diagnostics.map(\.id.rawValue).joined(separator: " ")
        return add(kind, failure.diagnostics.first?.message ?? "", count)
    }

    /// The summary lines at the end.
    package func summary(_ noun: String) -> [String] {
        guard count > 0 else { return [] }
        let more = groups.filter { $0.count > $0.printed }
            .map { "\($0.count - $0.printed) more like this: \(DisplayText.visible($0.example, limit: 100))" }
        return more + ["\(DisplayText.count(count, noun)) skipped"]
    }
}
