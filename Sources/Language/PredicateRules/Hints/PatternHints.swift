// Hints about the right side of a comparison: patterns, bounds and lists.
import PredicateModel
import PredicateSyntax

extension HintReader {
    /// Reports a BETWEEN without two bounds, which fails.
    func checkBounds(_ comparison: ComparisonNode) {
        guard comparison.operator == .between else { return }
        let right = comparison.right
        let isPair: Bool
        switch right.kind {
        case .aggregate(let bounds): isPair = bounds.count == 2
        case .value(.array(let bounds)): isPair = bounds.count == 2
        case .value(.null), .value(.nsNull): isPair = true
        case .value: isPair = false
        default: return
        }
        if !isPair { report(PredicateDiagnostic(.betweenOperand, at: right.span)) }
    }

    /// Reports `BETWEEN {5, 1}`, whose bounds are swapped (LANGUAGE 5.8).
    func checkOrder(_ comparison: ComparisonNode) {
        guard comparison.operator == .between, case .aggregate(let bounds) = comparison.right.kind, bounds.count == 2,
            case (let first, let second) = (bounds[0], bounds[1]), case .value(let lower) = first.kind,
            case .value(let upper) = second.kind, let least = lower.doubleValue, let most = upper.doubleValue,
            least > most
        else { return }
        let span = first.span.joined(second.span)
        let written = text(span)
        // The texts of two arguments are both '%@', a span has no parentheses around it, and a long text is cut.
        // Both spans are that of the SQL in `BETWEEN 5 AND 1`, which is read as two bounds.
        let areApart = first.span.end <= second.span.start
        let isPlain = areApart && !written.isEmpty && !written.contains { "%()…".contains($0) }
        let fixIts = isPlain ? [PredicateDiagnostic.FixIt(span, "\(text(second.span)), \(text(first.span))")] : []
        report(PredicateDiagnostic(.reversedBounds, at: span, fixIts: fixIts))
    }

    /// Reports `tags CONTAINS {'a', 'b'}`.
    func checkContainedList(_ comparison: ComparisonNode) {
        guard comparison.operator == .contains, comparison.modifier == .direct,
            case .aggregate(let elements) = comparison.right.kind, case .keyPath = comparison.left.kind,
            !elements.isEmpty, elements.allSatisfy({ if case .value = $0.kind { true } else { false } }),
            !comparison.left.span.isEmpty, case let span = comparison.right.span, isQuoted(span, by: "{")
        else { return }
        let list = span.count > 40 ? "{…}" : text(span)
        report(PredicateDiagnostic(.listOperand, at: span, "ANY \(text(comparison.left.span)) IN \(list)"))
    }

    /// Reports `name IN[c] {'a', 'b'}`.
    func checkMembershipOptions(_ comparison: ComparisonNode) {
        let isContains = comparison.operator == .contains && comparison.modifier == .direct
        guard comparison.operator == .in || isContains,
            comparison.options.contains(.caseInsensitive) || comparison.options.contains(.diacriticInsensitive)
        else { return }
        switch (isContains ? comparison.left : comparison.right).kind {
        case .aggregate, .value(.array), .value(.set), .value(.dictionary):
            let letters = comparison.options.spelling.dropFirst().dropLast()
            report(PredicateDiagnostic(.inOptions, at: comparison.operatorSpan, String(letters)))
        default: break
        }
    }

    /// Reports `name LIKE 'ann%'`: the wildcard is `*`.
    func checkPercent(_ comparison: ComparisonNode) {
        guard comparison.operator == .like, case .value(.string(let pattern)) = comparison.right.kind else { return }
        let last = pattern.utf8.last
        let span = comparison.right.span
        if last == UInt8(ascii: "%") || pattern.utf8.first == UInt8(ascii: "%"), !pattern.contains("*"),
            quotedConversion(span) == nil
        {
            let isLiteral = isQuoted(span, by: "'") || isQuoted(span, by: "\"")
            let places = bytes.indices.clamped(to: span.range).filter { bytes[$0] == UInt8(ascii: "%") }
            report(
                PredicateDiagnostic(
                    .sqlWildcard, at: span, "%", "*",
                    fixIts: isLiteral ? places.map { .init(SourceSpan($0, $0 + 1), "*") } : []))
        }
    }

    /// Reports `MATCHES '/^a.*$/i'`: a pattern has no delimiters.
    func checkDelimiters(_ comparison: ComparisonNode) {
        guard comparison.operator == .matches, case .string(let pattern) = source.literal(comparison.right),
            pattern.hasPrefix("/"), let end = pattern.dropFirst().lastIndex(of: "/")
        else { return }
        let (inner, flags) = (pattern[..<end].dropFirst(), pattern[end...].dropFirst())
        guard flags.allSatisfy({ "gimsux".contains($0) }),
            inner.hasPrefix("^") || inner.hasSuffix("$") || !flags.isEmpty
        else { return }
        let sign = flags.contains("i") ? "MATCHES[c]" : "MATCHES"
        report(
            PredicateDiagnostic(
                .wildcardEquality, at: comparison.right.span, "MATCHES", "write \(sign) \"\(inner)\"", "/"))
    }

    /// Reports `MATCHES '\d+'`: the string literal's escapes remove the backslash.
    func checkLostBackslashes(_ comparison: ComparisonNode) {
        let span = comparison.right.span
        guard [.like, .matches].contains(comparison.operator),
            case .value(.string(let pattern)) = comparison.right.kind,
            isQuoted(span, by: "'") || isQuoted(span, by: "\"")
        else { return }
        var index = span.start + 1
        var fixIts: [PredicateDiagnostic.FixIt] = []
        var first: (place: SourceSpan, letter: String)?
        while index < span.end - 2 {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            if "dDwWsSbBAzZGpPhHvVRXQEkK.*+?()[]{}^$|".utf8.contains(bytes[index + 1]) {
                fixIts.append(.init(SourceSpan(index, index), "\\"))
                let letter = String(decoding: bytes[(index + 1)...(index + 1)], as: UTF8.self)
                first = first ?? (SourceSpan(index, index + 2), letter)
            }
            index += 2
        }
        guard let first else { return }
        report(PredicateDiagnostic(.lostBackslash, at: first.place, "'\(pattern)'", first.letter, fixIts: fixIts))
    }
}
