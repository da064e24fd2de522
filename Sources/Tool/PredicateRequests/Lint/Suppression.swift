// Decides which findings of lint are reported: by their IDs and by comments in the
// file. The command also has a baseline.

/// The selection of findings by ID, for all files.
package struct FindingFilter {
    /// The only IDs to report; nil for all.
    private let selected: Set<String>?
    private let ignored: Set<String>

    package init(selected: Set<String>? = nil, ignored: Set<String> = []) {
        (self.selected, self.ignored) = (selected, ignored)
    }

    package func reports(_ diagnostic: PredicateDiagnostic) -> Bool {
        selected?.contains(diagnostic.id.rawValue) ?? true && !ignored.contains(diagnostic.id.rawValue)
    }
}

/// The comments `predicate:ignore` and `predicate:ignore ID, ID` of a file. A comment applies to its own line and, if
/// nothing else is on that line, to the next line.
struct IgnoreComments {
    private static let mark = Array("predicate:ignore".utf8)
    private static let openings = ["//", "/*", "#", "<!--"]

    /// The ignored IDs by line; an empty set ignores all.
    private var lines: [Int: Set<String>] = [:]

    /// Reads the comments of a file in UTF-8.
    init(_ source: [UInt8]) {
        guard source.containsAny(of: [Self.mark]) else { return }
        let places = SourceLines(source)
        for index in 0..<places.count {
            let bytes = source[places.range(ofLine: index)]
            guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: Self.mark) }),
                bytes[..<start].contains(where: { "/#!-".utf8.contains($0) })
            else { continue }
            let rest = String(decoding: bytes[(start + Self.mark.count)...], as: UTF8.self).prefix {
                $0.isLetter || $0 == "-" || $0 == "," || $0 == " "
            }
            let ids = Set(rest.split { $0 == "," || $0 == " " }.map(String.init).filter { $0.contains { $0.isLetter } })
            lines[index + 1] = ids
            let before = String(decoding: bytes[..<start], as: UTF8.self).trimmingSpaces
            if Self.openings.contains(before) { lines[index + 2] = ids }
        }
    }

    var isEmpty: Bool { lines.isEmpty }

    func ignores(_ diagnostic: PredicateDiagnostic, line: Int) -> Bool {
        guard let ids = lines[line] else { return false }
        return ids.isEmpty || ids.contains(diagnostic.id.rawValue)
    }
}
