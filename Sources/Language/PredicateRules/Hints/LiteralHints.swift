// Rules for literals and words in a comparison that probably have another meaning than intended: `"age" > 3`, `name IN
// ('a')`, `name == Kyle`, `kind == '*.pdf'`, `'%@'`.

extension HintReader {
    /// Reports `name IN ('a')`, which tests for a substring, and `MATCHES a|b`, which is a computation.
    func checkListInParentheses(_ comparison: ComparisonNode) {
        let span = comparison.right.span
        guard !span.isEmpty, span.end <= bytes.count else { return }
        switch (comparison.operator, comparison.right.kind) {
        case (.in, .value(.string)):
            let before = bytes[..<span.start].last { $0 != 0x20 }
            let after = bytes[span.end...].first { $0 != 0x20 }
            guard before == UInt8(ascii: "("), after == UInt8(ascii: ")"),
                isQuoted(span, by: "'") || isQuoted(span, by: "\"")
            else { return }
        case (.in, .value(.integer)) where bytes[span.start] != UInt8(ascii: "%"): break
        case (.matches, .binary(.bitwiseOr, _, _)), (.matches, .binary(.bitwiseXor, _, _)),
            (.like, .binary(.bitwiseOr, _, _)):
            let name = comparison.operator == .matches ? "MATCHES" : "LIKE"
            report(.stringOperand, at: span, name, "a computation: quote the pattern", severity: .warning)
            return
        default: return
        }
        report(
            .listBrackets, at: span, text(span), severity: .warning,
            fixIts: comparison.right.string != nil ? [] : [.init(span, "{\(text(span))}")])
    }

    /// Reports `'%@'`: a text that consists only of a conversion and wildcards.
    func checkConversions(_ comparison: ComparisonNode) {
        if case .value = comparison.left.kind { checkConversion(comparison.left.span) }
        checkConversion(comparison.right.span)
    }

    private func checkConversion(_ span: SourceSpan) {
        let literal = text(span)
        if ["\"\\(", "'\\("].contains(where: literal.hasPrefix), literal.dropLast().hasSuffix(")") {
            let swift = String(literal.dropFirst().dropLast())
            return report(.quotedConversion, at: span, swift, "pass the value for %@, without quotes")
        }
        guard let (inner, core) = quotedConversion(span) else { return }
        report(
            .quotedConversion, at: span, inner,
            core == inner ? "remove the quotes" : "write \(core), and put the wildcard into the argument",
            fixIts: core == inner && core != "%s" ? [.init(span, inner)] : [])
    }

    /// The content and the conversion of a literal that consists only of a conversion and wildcards.
    func quotedConversion(_ span: SourceSpan) -> (inner: String, core: String)? {
        guard span.count >= 4, span.count <= 10, span.end <= bytes.count,
            isQuoted(span, by: "'") || isQuoted(span, by: "\""), bytes[span.range].contains(UInt8(ascii: "%"))
        else { return nil }
        let inner = String(decoding: bytes[(span.start + 1)..<(span.end - 1)], as: UTF8.self)
        if ["%@%", "%%@", "%%@%"].contains(inner) { return (inner, "%@") }
        // The signs around a conversion in a pattern: `*%@*`, `^.*%@`.
        let signs: Set<Character> = ["*", ".", "^", "$"]
        let core = String(inner.drop { signs.contains($0) }.prefix { !signs.contains($0) })
        return ["%@", "%K", "%d", "%i", "%u", "%f", "%ld", "%lu", "%s"].contains(core) ? (inner, core) : nil
    }

    /// Reports `"name" == 'Ann'`, a name in double quotes as in SQL, and `"age" > 3`.
    func checkLiterals(_ comparison: ComparisonNode) {
        let (left, right) = (comparison.left, comparison.right)
        if checkWords(comparison) || checkQuotedKey(comparison) { return }
        // `%@ == ''` tests whether the caller passed a value.
        guard case .value(.string) = right.kind, isQuoted(right.span, by: "'") || isQuoted(right.span, by: "\"")
        else { return }
        if starts(left.span, with: "%@"), right.span.count > 2 {
            report(.literalsCompared, at: left.span, "use %K for a key")
        } else if case .value(.string(let name)) = left.kind, isQuoted(left.span, by: "\""),
            isQuoted(right.span, by: "'")
        {
            report(.literalsCompared, at: left.span, "write \(name) without quotes")
        }
    }

    /// Reports `%@ == %@`, which compares two arguments: a key is passed for %K.
    func checkArguments(_ comparison: ComparisonNode) {
        let (left, right) = (comparison.left.span, comparison.right.span)
        if comparison.modifier == .direct, starts(left, with: "%@"), right.end <= bytes.count, right.count > 1,
            bytes[right.start] == UInt8(ascii: "%"), !starts(right, with: "%K")
        {
            report(.literalsCompared, at: left, "use %K for a key")
        }
    }

    /// Reports `'age' > 3`. Returns whether it is one.
    private func checkQuotedKey(_ comparison: ComparisonNode) -> Bool {
        guard case .value = comparison.left.kind, !isBesideErrors, Order(comparison.operator) != nil,
            comparison.modifier == .direct, comparison.options.isEmpty,
            let left = source.literal(comparison.left), let right = source.literal(comparison.right)
        else { return false }
        switch (left, right) {
        case (.string(let name), .integer), (.string(let name), .double), (.integer, .string(let name)),
            (.double, .string(let name)):
            let span = if case .string = left { comparison.left.span } else { comparison.right.span }
            let key = FunctionCatalog.isWord(name) ? name : SyntaxSelector.key(name)
            report(
                .literalsCompared, at: span, key == name ? "write \(name) without quotes" : "as a key write \(key)",
                fixIts: name.isEmpty ? [] : [.init(span, key)])
            return true
        default: return false
        }
    }

    /// Reports `yes == true`: two words for constants, of which the left is probably meant as a key.
    private func checkWords(_ comparison: ComparisonNode) -> Bool {
        let span = comparison.left.span
        guard case .value(.bool) = comparison.left.kind, case .value(.bool) = comparison.right.kind, !span.isEmpty,
            span.end <= bytes.count, bytes[span.start].isLetter, comparison.modifier == .direct,
            !checker.reportsTypes
        else { return false }
        report(
            .literalsCompared, at: span, "as a key write #\(text(span))",
            fixIts: [.init(SourceSpan(span.start, span.start), "#")])
        return true
    }

    /// Reports `kind == '*.pdf'` and `name == '%ann%'`: only LIKE has wildcards, and its wildcard is `*`.
    func checkWildcard(_ comparison: ComparisonNode) {
        guard comparison.operator == .equal || comparison.operator == .notEqual,
            let sign = wildcard(in: comparison.right)
        else { return }
        let like = "LIKE\(comparison.options.spelling)"
        let fixIts = likeFix(comparison, like)
        report(
            .wildcardEquality, at: comparison.right.span, comparison.operator.spelling,
            comparison.operator == .equal ? "write \(like)" : "write NOT … \(like)", sign,
            fixIts: comparison.operator == .equal && !fixIts.isEmpty
                ? fixIts + (sign == "*" ? [] : wildcards(in: comparison.right.span).map { .init($0, "*") }) : [])
    }

    /// Reports `name CONTAINS '*ann*'` and `name BEGINSWITH 'ann%'`.
    func checkUselessWildcard(_ comparison: ComparisonNode) {
        let isContains = comparison.operator == .contains && comparison.modifier == .direct
        guard isContains || [.beginsWith, .endsWith].contains(comparison.operator),
            let sign = wildcard(in: comparison.right, atOneEnd: true)
        else { return }
        let span = comparison.right.span
        let places = wildcards(in: span)
        // A wildcard at the other end, as in `BEGINSWITH '*ann'`, may have been meant.
        let isUseless = places.allSatisfy { place in
            switch comparison.operator {
            case .beginsWith: place.end == span.end - 1
            case .endsWith: place.start == span.start + 1
            default: true
            }
        }
        report(
            .wildcardEquality, at: span, comparison.operator.spelling,
            isUseless ? "remove it: \(comparison.operator.spelling) needs no wildcard" : "write LIKE with *", sign,
            fixIts: isUseless ? places.map { .init($0, "") } : [])
    }

    /// The wildcard at the ends of a literal with letters: `*`, or the `%` of SQL; nil if there is none.
    private func wildcard(in node: ExpressionNode, atOneEnd: Bool = false) -> String? {
        guard case .string(let text) = source.literal(node), text.utf8.count > 2, text.contains(where: { $0.isLetter })
        else {
            return nil
        }
        if text.hasPrefix("*") || text.hasSuffix("*") { return "*" }
        let (isFirst, isLast) = (text.hasPrefix("%"), text.hasSuffix("%"))
        return (isFirst && isLast || atOneEnd && isFirst != isLast) && !text.contains("%@") ? "%" : nil
    }

    /// The places of the wildcards at the ends of a quoted text.
    private func wildcards(in span: SourceSpan) -> [SourceSpan] {
        [span.start + 1, span.end - 2].filter { "*%".utf8.contains(bytes[$0]) }.map { SourceSpan($0, $0 + 1) }
    }

    /// Reports `a.integerValue <= '2'`, which fails, and `a.integerValue == '2'`, which is never true.
    func checkNumberText(_ comparison: ComparisonNode) {
        guard comparison.modifier == .direct, Order(comparison.operator) != nil else { return }
        let sides = (comparison.left, comparison.right)
        for (key, literal) in [sides, (sides.1, sides.0)] {
            guard case .string(let text) = source.literal(literal), case .keyPath(let keys) = key.kind, keys.count > 1,
                let type = checker.environment.functions.type(ofProperty: keys[keys.count - 1]), type.isNumber
            else { continue }
            report(
                .typeMismatch, at: literal.span, comparison.operator.spelling, type.inWords, "a text", "write a number",
                severity: .warning, fixIts: Int64(text) == nil ? [] : [.init(literal.span, text)])
        }
    }

    /// Reports `name LIKE 5` and `name BEGINSWITH {'a', 'b'}`, which fail.
    func checkNeedle(_ comparison: ComparisonNode) {
        guard !isBesideErrors, [.beginsWith, .endsWith, .like, .matches].contains(comparison.operator) else { return }
        if case .aggregate = comparison.right.kind {
            return report(
                .stringOperand, at: comparison.right.span, comparison.operator.spelling, "a list",
                "join a comparison with each by OR", severity: .warning)
        }
        guard let value = source.literal(comparison.right), value.isNumber else { return }
        report(
            .stringOperand, at: comparison.right.span, comparison.operator.spelling, value.typeDescription,
            severity: .warning, fixIts: source.quoting(comparison.right))
    }

    /// Reports `name IN {'a', nil}`: nil is in no list.
    func checkNilInList(_ comparison: ComparisonNode) {
        guard comparison.operator == .in, case .aggregate(let elements) = comparison.right.kind, elements.count > 1,
            let element = elements.first(where: isNil)
        else { return }
        report(.nilInList, at: element.span, "add OR \(text(comparison.left.span)) == nil if nil is meant")
    }

    /// Whether the text has the word nil or NULL at the node, and not an argument that is nil.
    private func isNil(_ node: ExpressionNode) -> Bool {
        guard case .value(.null) = node.kind, !node.span.isEmpty, node.span.end <= bytes.count else { return false }
        return bytes[node.span.start] != UInt8(ascii: "%")
    }

    /// Replaces the operator and its options.
    private func likeFix(_ comparison: ComparisonNode, _ like: String) -> [PredicateDiagnostic.FixIt] {
        let sign = comparison.operatorSpan
        guard !sign.isEmpty, sign.end <= comparison.right.span.start, comparison.right.span.end <= bytes.count else {
            return []
        }
        let close = bytes[sign.end..<comparison.right.span.start].lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
        return [.init(SourceSpan(sign.start, close ?? sign.end), like)]
    }

    func starts(_ span: SourceSpan, with text: String) -> Bool {
        span.count == text.utf8.count && span.end <= bytes.count && bytes[span.range].elementsEqual(text.utf8)
    }

    /// Reports `SUBQUERY(…) > 0`.
    func checkSubqueryCount(_ comparison: ComparisonNode) {
        guard case .subquery = comparison.left.kind, case .value(let value) = comparison.right.kind,
            value.doubleValue != nil, comparison.left.span != .none
        else { return }
        let end = SourceSpan(comparison.left.span.end, comparison.left.span.end)
        report(
            .toManyKey, at: comparison.left.span, "SUBQUERY(…)", "write SUBQUERY(…).@count", severity: .warning,
            fixIts: [.init(end, ".@count")])
    }

    /// Reports `name == Kyle`.
    func checkBareKeys(_ comparison: ComparisonNode) {
        guard case .keyPath(let path) = comparison.right.kind, case .keyPath = comparison.left.kind,
            !path.contains(where: { $0.hasPrefix("@") }), isBare(comparison.left), isBare(comparison.right),
            // `id IN orders.person` tests the values of a relationship.
            comparison.operator != .in || path.count == 1
        else { return }
        let name = path.count == 1 ? path[0].lowercased() : ""
        let isCall = checker.environment.functions.function(named: name) != nil
        let isSame = comparison.left.kind == comparison.right.kind
        // A text without its quotes looks like a key. But texts are seldom compared by `<`, so in `syncedAt < updatedAt`
        // both sides are keys.
        let isOrdered = Order(comparison.operator).map { $0 != $0.mirrored } ?? false
        // No date equals the current time.
        let known = name == "today" && !isCall && !isOrdered ? nil : FunctionCatalog.valueSynonyms[name]
        let meant = known.map { isCall ? name + "()" : $0 }
        guard isSame || meant != nil || !isOrdered else { return }
        report(
            guess: PredicateDiagnostic(
                .bareKeysCompared, at: comparison.right.span, "\(comparison.left)", "\(comparison.right)",
                isSame
                    ? "both are the same key"
                    : path.count == 2 && path[0].first?.isUppercase ?? false
                        ? "if \(comparison.right) is a constant of a program, pass its value for %@"
                        : "if \(comparison.right) is text, quote it", suggestion: meant,
                fixIts: meant.map { [.init(comparison.right.span, $0)] } ?? []))
    }

    /// Whether the text has a plain word at the node, and not `%K` or a reserved word used as a key, `#size`.
    private func isBare(_ node: ExpressionNode) -> Bool {
        let range = node.span.range
        guard !range.isEmpty, range.upperBound <= bytes.count, !bytes[range].contains(UInt8(ascii: "%")) else {
            return false
        }
        guard bytes[range].contains(UInt8(ascii: "#")) else { return true }
        guard case .keyPath(let keys) = node.kind, keys.count == 1 else { return false }
        return !Keywords.isReserved(keys[0])
    }
}

extension ExpressionNode {
    /// The text of a literal.
    fileprivate var string: String? { if case .value(.string(let text)) = kind { text } else { nil } }
}
