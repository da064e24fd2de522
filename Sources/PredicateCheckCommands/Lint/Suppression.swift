// Decides which findings of lint are reported: by `--select`, `--ignore`, comments in the file, and a baseline.

import PredicateRecords
import PredicateSyntax

/// The selection of findings by ID, for all files.
struct FindingFilter {
    /// The only IDs to report; nil for all.
    var selected: Set<String>?
    var ignored: Set<String> = []

    func reports(_ diagnostic: Diagnostic) -> Bool {
        selected?.contains(diagnostic.id.rawValue) ?? true && !ignored.contains(diagnostic.id.rawValue)
    }
}

/// The comments `predicate:ignore` and `predicate:ignore ID, ID` of a file. A comment applies to its own line and, if
/// nothing else is on that line, to the next line.
struct IgnoreComments {
    private static let mark = "predicate:ignore"
    private static let openings = ["//", "/*", "#", "<!--"]

    /// The ignored IDs by line; an empty set ignores all.
    private var lines: [Int: Set<String>] = [:]

    init(_ source: String) {
        guard source.utf8.contains(Self.mark.utf8) else { return }
        let places = SourceLines(source)
        for index in 0..<places.count {
            let text = places.text(places.range(ofLine: index))
            guard let range = text.firstRange(of: Self.mark) else { continue }
            guard text[..<range.lowerBound].contains(where: { "/#!-".contains($0) }) else { continue }
            let rest = text[range.upperBound...].prefix { $0.isLetter || $0 == "-" || $0 == "," || $0 == " " }
            let ids = Set(rest.split { $0 == "," || $0 == " " }.map(String.init).filter { $0.contains { $0.isLetter } })
            lines[index + 1] = ids
            let before = text[..<range.lowerBound].trimmingSpaces
            if Self.openings.contains(before) { lines[index + 2] = ids }
        }
    }

    var isEmpty: Bool { lines.isEmpty }

    func ignores(_ diagnostic: Diagnostic, line: Int) -> Bool {
        guard let ids = lines[line] else { return false }
        return ids.isEmpty || ids.contains(diagnostic.id.rawValue)
    }
}

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

    func entry(_ diagnostic: Diagnostic) -> String {
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
            throw CommandEnd.usage(
                "there is no diagnostic '\(id)'",
                hint: OptionParser.didYouMean(id, known) ?? "'predicate explain' lists them")
        }
        return FindingFilter(selected: has(.select) ? Set(list(.select)) : nil, ignored: Set(list(.ignore)))
    }
}
