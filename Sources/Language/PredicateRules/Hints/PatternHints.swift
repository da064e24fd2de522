// Hints about the right side of a comparison: patterns, bounds and lists.

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
        if !isPair { report(.betweenOperand, at: right.span) }
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
        report(.reversedBounds, at: span, fixIts: fixIts)
    }

    /// Reports `tags CONTAINS {'a', 'b'}`.
    func checkContainedList(_ comparison: ComparisonNode) {
        guard comparison.operator == .contains, comparison.modifier == .direct,
            case .aggregate(let elements) = comparison.right.kind, case .keyPath = comparison.left.kind,
            !elements.isEmpty, elements.allSatisfy({ if case .value = $0.kind { true } else { false } }),
            !comparison.left.span.isEmpty, case let span = comparison.right.span, isQuoted(span, by: "{")
        else { return }
        let list = span.count > 40 ? "{…}" : text(span)
        report(.listOperand, at: span, "ANY \(text(comparison.left.span)) IN \(list)", "CONTAINS tests for one element")
    }

    /// Reports `id == {1, 2}`, where IN was meant unless the key holds lists.
    func checkListEquality(_ comparison: ComparisonNode) {
        guard comparison.operator == .equal || comparison.operator == .notEqual, comparison.modifier == .direct,
            case .aggregate(let elements) = comparison.right.kind, elements.count > 1,
            case .keyPath = comparison.left.kind, case let span = comparison.right.span, isQuoted(span, by: "{")
        else { return }
        let meant = "\(text(comparison.left.span)) IN \(span.count > 40 ? "{…}" : text(span))"
        let isEqual = comparison.operator == .equal
        report(
            .listOperand, at: span, isEqual ? meant : "NOT " + meant,
            "\(comparison.operator.spelling) compares the whole value", severity: .note)
    }

    /// Reports `LIKE %@*%@`, which is a product.
    func checkJoinedPattern(_ comparison: ComparisonNode) {
        guard [.like, .matches, .beginsWith, .endsWith, .contains].contains(comparison.operator),
            case .binary(.multiply, let left, let right) = comparison.right.kind,
            let argument = [left, right].first(where: { starts($0.span, with: "%@") })
        else { return }
        report(.adjacentArgument, at: comparison.right.span, text(argument.span), severity: .warning)
    }

    /// Reports `MATCHES '[0-10]'`, and look-ahead without a character behind it.
    func checkPattern(_ comparison: ComparisonNode) {
        guard comparison.operator == .matches, case .string(let pattern) = source.literal(comparison.right) else {
            return
        }
        func doubt(_ problem: String, _ advice: String) {
            report(.patternDoubt, at: comparison.right.span, problem, advice)
        }
        if let (problem, advice) = Self.lookAround(pattern) { doubt(problem, advice) }
        for part in pattern.split(separator: "[").dropFirst() {
            let range = Array(part.prefix { $0 != "]" }.utf8)
            guard range.count > 3, range[1] == UInt8(ascii: "-"), range[0] <= range[2], part.contains("]"),
                (range[..<1] + range[2...]).allSatisfy({ $0.isDigit })
            else { continue }
            let digits = Set(range[0]...range[2]).union(range[3...]).sorted().map { String(UnicodeScalar($0)) }
            let names = digits.dropLast().joined(separator: ", ") + " or " + (digits.last ?? "")
            doubt(
                "[\(String(decoding: range, as: UTF8.self))] is one character: \(names)",
                "write the numbers joined by |")
        }
    }

    /// The problem of a pattern with look-around at an end, where no character is left: `^(?=.*a)$`, `(?<=a)b`.
    private static func lookAround(_ pattern: String) -> (problem: String, advice: String)? {
        var bytes = Array(pattern.utf8)
        if bytes.first == UInt8(ascii: "^") { bytes.removeFirst() }
        if bytes.last == UInt8(ascii: "$"), bytes.dropLast().last != UInt8(ascii: "\\") { bytes.removeLast() }
        var groups: [Range<Int>] = []
        var (start, depth, sets, isEscaped) = (0, 0, 0, false)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "["): sets += 1
            case UInt8(ascii: "]"): sets = max(0, sets - 1)
            case UInt8(ascii: "|") where sets + depth == 0: return nil
            case UInt8(ascii: "(") where sets == 0:
                if depth == 0 { start = index }
                depth += 1
            case UInt8(ascii: ")") where sets == 0:
                depth -= 1
                if depth == 0 { groups.append(start..<index + 1) }
            default: break
            }
        }
        /// Whether a group begins like this, and needs a character.
        func needsCharacter(_ group: Range<Int>, _ opening: String) -> Bool {
            guard bytes[group].starts(with: opening.utf8) else { return false }
            let inner = String(decoding: bytes[group].dropFirst(opening.utf8.count).dropLast(), as: UTF8.self)
            switch (try? TextPattern.matches(inner))?.kind {
            case .core(let pattern), .needsICU(_, over: let pattern): return !pattern.isNullable
            case .never, nil: return false
            }
        }
        if let first = groups.first, first.lowerBound == 0, needsCharacter(first, "(?<=") {
            return ("the pattern never matches: no character is before the text", "add .* at its start")
        }
        var end = bytes.count
        while let group = groups.popLast(), group.upperBound == end, bytes[group].starts(with: "(?".utf8),
            [UInt8(ascii: "="), UInt8(ascii: "!")].contains(bytes[group.lowerBound + 2])
        {
            if needsCharacter(group, "(?=") {
                return ("the pattern never matches: look-ahead takes no character", "add .* at its end")
            }
            end = group.lowerBound
        }
        guard end == 0, !bytes.isEmpty else { return nil }
        return ("the pattern matches no text but the empty one: look-ahead takes no character", "add .* at its end")
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
            report(.inOptions, at: comparison.operatorSpan, String(letters))
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
                .sqlWildcard, at: span, "%", "*",
                fixIts: isLiteral ? places.map { .init(SourceSpan($0, $0 + 1), "*") } : [])
        }
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
        report(.lostBackslash, at: first.place, "'\(pattern)'", first.letter, fixIts: fixIts)
    }
}
