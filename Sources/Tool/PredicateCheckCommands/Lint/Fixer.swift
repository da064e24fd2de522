// `lint --fix`: applies the fix-its that are certain. The result is checked before it is written: every predicate must
// still be there, and none may have more errors than before.

struct Fixer {
    let linter: Linter

    /// Fix-its of these diagnostics are guesses by spelling: the key may be right and missing in the schema.
    private static let guesses: Set<DiagnosticID> = [
        .unknownKey, .profileKey, .profileValue, .profileTerm, .bareKeysCompared, .unusedVariable, .unknownCase,
    ]
    /// The maximum number of rounds. A correction can make another mistake visible.
    private static let rounds = 8

    /// Returns the corrected file and the number of corrections; nil if there is nothing to correct, or if the file is
    /// not UTF-8, because writing it would change other text.
    func fixed(_ file: SourceFile, _ raw: [UInt8]) throws -> (bytes: [UInt8], count: Int)? {
        guard !PropertyList.isBinary(raw), String(validUTF8: raw) != nil else { return nil }
        var bytes = raw
        var count = 0
        for _ in 0..<Self.rounds {
            guard let before = try linter.lint(file, bytes) else { break }
            let groups = Self.groups(before.diagnostics)
            if groups.isEmpty { break }
            if let better = try improved(file, bytes, before, groups) {
                bytes = better
                count += groups.count
                continue
            }
            // One of the corrections does harm. Try each alone, from the end of the file, so that earlier offsets stay
            // valid.
            let applied = count
            for group in groups.reversed() {
                guard let now = try linter.lint(file, bytes),
                    let better = try improved(file, bytes, now, [group])
                else { continue }
                bytes = better
                count += 1
            }
            if count == applied { break }
        }
        return count > 0 ? (bytes, count) : nil
    }

    /// Why a finding was not corrected.
    static func reason(_ diagnostic: PredicateDiagnostic, isText: Bool) -> String {
        if !isText { return "the file is not UTF-8 text" }
        if diagnostic.fixIts.isEmpty { return "no correction is certain" }
        return guesses.contains(diagnostic.id)
            ? "the suggestion is a guess" : "the correction would make another error"
    }

    /// The groups of edits that belong together, in the order of the file, without overlaps.
    static func groups(_ diagnostics: [PredicateDiagnostic]) -> [[PredicateDiagnostic.FixIt]] {
        var groups: [[PredicateDiagnostic.FixIt]] = []
        var end = 0
        for diagnostic in diagnostics where !diagnostic.fixIts.isEmpty && !guesses.contains(diagnostic.id) {
            let edits = diagnostic.fixIts.sorted { $0.span.start < $1.span.start }
            guard let first = edits.first, let last = edits.last, first.span.start >= end,
                zip(edits, edits.dropFirst()).allSatisfy({ $0.span.end <= $1.span.start })
            else { continue }
            groups.append(edits)
            end = last.span.end + 1
        }
        return groups
    }

    private func improved(
        _ file: SourceFile, _ bytes: [UInt8], _ before: LintedFile, _ groups: [[PredicateDiagnostic.FixIt]]
    ) throws -> [UInt8]? {
        var result: [UInt8] = []
        var at = 0
        for edit in groups.joined() {
            result += bytes[at..<edit.span.start]
            result += edit.replacement.utf8
            at = edit.span.end
        }
        result += bytes[at...]
        guard let after = try? linter.lint(file, result), after.predicates.count == before.predicates.count else {
            return nil
        }
        func errors(_ file: LintedFile) -> Int { file.diagnostics.count { $0.severity == .error } }
        let isBetter =
            errors(after) < errors(before)
            || errors(after) == errors(before) && after.diagnostics.count < before.diagnostics.count
        return isBetter ? result : nil
    }
}
