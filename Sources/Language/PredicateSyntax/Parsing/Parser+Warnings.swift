// Warnings about valid texts that were probably meant otherwise. They need the parser's stacks, so they are found here.

extension PredicateParser {
    /// Warns of ` -- text`, a comment in SQL, which is a subtraction of a negation here.
    mutating func warnOfDashes() {
        let start = token.start
        guard token.kind == .binary(.subtract), bytes[token.end...].first == UInt8(ascii: "-"), isComparisonComplete,
            start > 0, bytes[start - 1].isSpace, token.end + 1 < bytes.count,
            bytes[token.end + 1].isSpace
        else { return }
        let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        let span = SourceSpan(start, end)
        report(.comment, at: span, severity: .warning, fixIts: [.init(span, "")])
    }

    /// Warns of dashes without a correction if the text has no errors: then they are a negation, and no comment.
    mutating func keepNegations() {
        guard !errors.isEmpty, errors.allSatisfy({ $0.isWarning }) else { return }
        for index in errors.indices {
            guard case .reported(let found) = errors[index].kind, found.id == .comment else { continue }
            let warning = PredicateDiagnostic(.comment, at: found.span, severity: .warning)
            errors[index] = SyntaxError(kind: .reported(warning), parser: errors[index].parser)
        }
    }

    /// Warns of `-- only adults`, probably a SQL comment; here it is a negation of a negation.
    mutating func warnOfLeadingDashes() {
        let start = token.start
        guard operands.isEmpty, operators.isEmpty, frames.count == 1, bytes[start...].starts(with: "-- ".utf8),
            !bytes[start...].contains(0x0A)
        else { return }
        report(.comment, at: SourceSpan(start, bytes.count), severity: .warning)
    }

    /// Warns of `name[cd] == 'a'` and `name == 'a'[cd]`, which read an element.
    mutating func warnOfMisplacedOptions() {
        guard let found = bracketedOptions(), let operand = operands.last, case .expression(let node) = operand.item
        else { return }
        let place: SourceSpan
        let written: String
        switch node.kind {
        case .value(.string), .argument:
            guard let value = optionsBehindValue(found.options) else { return }
            (place, written) = (value.place, value.spelling)
        case .keyPath:
            // `a[i]` is an element of a list, where `i` is a key.
            guard case .comparison = found.next.kind, !isComparisonComplete, text(found.span) != "[i]" else {
                return
            }
            (place, written) = (found.next.span, text(found.next.span) + found.options.spelling)
        default: return
        }
        report(
            .optionPlace, at: found.span, written, severity: .warning,
            fixIts: [.init(place, written), .init(found.span, isGlue(found.span) ? " " : "")])
    }

    /// Whether the text before and behind a span would be one word without it.
    func isGlue(_ span: SourceSpan) -> Bool {
        span.start > 0 && span.end < bytes.count && bytes[span.start - 1].isOfWord && bytes[span.end].isOfWord
    }

    // MARK: Options

    /// The options between the bracket at the current token and the next one: `[cd]`, `(cd)`, `{cd}`.
    func bracketedOptions() -> (options: ComparisonOptions, span: SourceSpan, next: Token)? {
        var ahead = lexer
        let word = ahead.next()
        let closing = ahead.next()
        switch closing.kind {
        case .rightBracket, .rightParenthesis, .rightBrace: break
        default: return nil
        }
        guard word.kind == .identifier, let options = Vocabulary.options(text(word.span)) else { return nil }
        return (options, SourceSpan(token.start, closing.end), ahead.next())
    }

    /// The operator, and its spelling with the options that were written after its right side.
    func optionsBehindValue(_ options: ComparisonOptions) -> (place: SourceSpan, spelling: String)? {
        guard let comparison = pending, case .comparison(let sign, let before) = comparison.kind,
            let operand = operands.last
        else { return nil }
        // In Spotlight `==` has wildcards.
        let isPattern = sign == .equal && text(operand.span).contains("*")
        return (comparison.span, (isPattern ? "LIKE" : text(comparison.span)) + options.union(before).spelling)
    }
}
