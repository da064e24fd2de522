// Turns the parser's errors into diagnostics. Runs only if there was an error.
//
// MistakeTable says what was meant at the first error. If it knows a correction, the corrected text is parsed again, and
// the pass continues with the next error of the new text. So each mistake is judged in a text whose earlier mistakes are
// corrected. The bounds: 32 corrections, 4 KB of text.

struct RepairPass {
    /// A text, its tree and the parser that read it.
    struct Reading<Tree> {
        let tree: Tree
        let parser: PredicateParser
    }

    let arguments: FormatArguments
    let options: LanguageOptions
    let limits: PredicateLimits
    /// Whether the text is an expression, or a part of a text that is tried as a condition. Then the pass does not search
    /// for a condition inside the syntax of another language, and tries no corrections.
    var isPart = false

    private static let corrections = 32
    private static let bytes = 4096

    /// Parses a text.
    ///
    /// - Parameter hasHoles: whether it contains values that a repair left open.
    func read<Tree: ParsedTree>(_ bytes: [UInt8], hasHoles: Bool = false) -> Reading<Tree> {
        var parser = PredicateParser(bytes, arguments: arguments, options: options, limits: limits, hasHoles: hasHoles)
        let tree: Tree = parser.parsed()
        return Reading(tree: tree, parser: parser)
    }

    /// Returns the diagnostics for a text that was parsed with errors, and the tree of the corrected text.
    func diagnose<Tree: ParsedTree>(_ text: String, _ first: Reading<Tree>) -> FormatParser.Parsed<Tree> {
        var reading = first
        var map = SpanMap(reading.parser.bytes)
        let mayHaveHoles = !map.source.contains(Lexer.hole)
        var tokens: [Token] = []
        var found: [PredicateDiagnostic] = []
        // The number of errors that are already explained.
        var explained = 0
        while explained < reading.parser.errors.count, found.count < limits.diagnostics {
            let error = reading.parser.errors[explained]
            explained += 1
            if tokens.isEmpty { tokens = reading.parser.tokens }
            let context = ErrorContext(error.parser, tokens, found, map, isPart: isPart)
            guard let mistake = MistakeTable.mistake(error, context) else { continue }
            let diagnostic = diagnostic(mistake, map, reading.parser.bytes)
            // The correction of the mistake before did not help.
            if let last = found.last, last.id == diagnostic.id, last.span == diagnostic.span { continue }
            found.append(diagnostic)
            if case .stop = mistake.next { break }
            guard case .read(let edits) = mistake.next, !edits.isEmpty, map.count < Self.corrections,
                reading.parser.bytes.count <= Self.bytes,
                mayHaveHoles || !edits.contains(where: { $0.replacement.utf8.contains(Lexer.hole) })
            else { continue }
            let spaced = edits.map { Self.spaced($0, in: reading.parser.bytes) }
            let corrected: Reading<Tree> = read(
                PredicateDiagnostic.applying(spaced, to: reading.parser.bytes), hasHoles: mayHaveHoles)
            var longer = map
            longer.append(spaced)
            guard isFurther(corrected.parser.errors, than: reading.parser.errors, explained - 1, longer) else {
                continue
            }
            (reading, map, tokens) = (corrected, longer, [])
            explained -= 1
        }
        return FormatParser.Parsed(
            tree: map.count == 0 ? reading.tree : reading.tree.movingSpans { map.original($0) },
            diagnostics: found.count > 1 ? found.ordered { $0.span.start < $1.span.start } : found, source: text)
    }

    /// Whether the errors up to an index are the same as before, and the next one is not further left.
    private func isFurther(_ new: [SyntaxError], than old: [SyntaxError], _ index: Int, _ map: SpanMap) -> Bool {
        guard new.count >= index else { return false }
        func undone(_ error: SyntaxError) -> (Int, Int) {
            (map.undone(error.position.0), map.undone(error.position.1))
        }
        for position in 0..<index where undone(new[position]) != old[position].position { return false }
        return new.count == index || undone(new[index]) >= old[index].position
    }

    private func diagnostic(_ mistake: Mistake, _ map: SpanMap, _ bytes: [UInt8]) -> PredicateDiagnostic {
        let fixIts = mistake.fixIts.allSatisfy { map.isWhole($0.span) } ? mistake.fixIts : []
        return PredicateDiagnostic(
            mistake.id, at: map.original(mistake.span), details: mistake.details, severity: mistake.severity,
            suggestion: mistake.suggestion,
            fixIts: fixIts.map { fix in
                let fix = Self.spaced(fix, in: bytes)
                return .init(map.original(fix.span), fix.replacement)
            })
    }

    /// A fix-it that does not join a word to the words beside it: `MATCHES` for the sign of `name=~'a'`.
    private static func spaced(_ fix: PredicateDiagnostic.FixIt, in bytes: [UInt8]) -> PredicateDiagnostic.FixIt {
        guard let first = fix.replacement.utf8.first, let last = fix.replacement.utf8.last, fix.span.end <= bytes.count
        else { return fix }
        func isWord(_ index: Int) -> Bool { bytes.indices.contains(index) && bytes[index].isOfWord }
        let before = first.isOfWord && isWord(fix.span.start - 1)
        let after = last.isOfWord && isWord(fix.span.end)
        guard before || after else { return fix }
        return .init(fix.span, (before ? " " : "") + fix.replacement + (after ? " " : ""))
    }
}
