// The findings that `lint` does not report: those of a baseline, and those of `--ignore`.

/// Findings that are known and accepted: the file, the ID and the text of the line, with the number of occurrences.
/// Lines may move.
struct Baseline {
    private var counts: [String: Int] = [:]

    init() {}

    /// Reads the text of a baseline file.
    init(_ bytes: [UInt8]) throws {
        guard case .dictionary(let fields) = try JSON.parse(bytes), case .array(let entries)? = fields["findings"]
        else {
            throw CommandEnd.failure(.failed, "the baseline is not a file that --write-baseline wrote")
        }
        for case .string(let entry) in entries { counts[entry, default: 0] += 1 }
    }

    /// Whether the baseline has an unused entry for the finding; uses it up.
    mutating func takes(_ entry: String) -> Bool {
        guard let count = counts[entry], count > 0 else { return false }
        counts[entry] = count - 1
        return true
    }

    mutating func add(_ entry: String) { counts[entry, default: 0] += 1 }

    /// The text of the file.
    var text: String {
        let entries = counts.flatMap { Array(repeating: $0.key, count: $0.value) }.sorted()
        return "{\"findings\": [\n" + entries.map { "  " + JSON.text(.string($0)) }.joined(separator: ",\n") + "\n]}\n"
    }
}

/// The entries of a baseline for the findings of a file.
struct BaselineLines {
    private let path: String
    private let places: SourceLines
    /// The length of a line, in bytes, above which an entry has only the text around the finding, and the length of this
    /// text before and after its start. Otherwise a line with many findings would be written once for each.
    private static let longLine = 1000
    private static let reach = 200

    /// - Parameter source: the text of the file, or of one predicate of a binary property list.
    init(path: String, source: String) {
        self.path = path
        places = SourceLines(source)
    }

    func entry(_ diagnostic: PredicateDiagnostic) -> String {
        let start = diagnostic.span.start
        var line = places.range(ofLine: places.line(at: start))
        if line.count > Self.longLine {
            line =
                places.clamped(
                    max(line.lowerBound, start - Self.reach))..<places.clamped(min(line.upperBound, start + Self.reach))
        }
        return "\(path): \(diagnostic.id.rawValue): \(places.text(line).trimmingSpaces)"
    }
}

extension Invocation {
    /// The filter of `--select` and `--ignore`.
    func findingFilter() throws -> FindingFilter {
        let known = DiagnosticID.allCases.map(\.rawValue)
        for id in list(.select) + list(.ignore) where !known.contains(id) {
            throw CommandEnd.unknown("there is no diagnostic", id, among: known, else: "'predicate explain' lists them")
        }
        return FindingFilter(selected: has(.select) ? Set(list(.select)) : nil, ignored: Set(list(.ignore)))
    }

    /// The patterns of `--call`.
    func callPatterns() throws -> [CallPattern] {
        try (values[OptionDescription.call.name] ?? []).map { text in
            guard let pattern = CallPattern(text) else {
                throw CommandEnd.usage(
                    "'\(text)' is not a call", hint: "write 'find(where:)', 'PRED(_:)' or 'fetch:where:'")
            }
            return pattern
        }
    }
}
