// Rules for literals and words in a comparison that probably have another meaning than intended: `"age" > 3`, `name IN
// ('a')`, `1 == 1`, `name == Kyle`, `kind == '*.pdf'`, `'%@'`.
import PredicateSyntax

extension FormRules {
    /// Reports `name IN ('a')`, which tests for a substring, and `MATCHES a|b`, which is a computation.
    func checkListInParentheses(_ comparison: ComparisonNode, _ found: inout Findings) {
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
            found.append(
                Diagnostic(.stringOperand, at: span, name, "a computation: quote the pattern", severity: .warning))
            return
        default: return
        }
        found.append(
            Diagnostic(
                .listBrackets, at: span, text(span), severity: .warning,
                fixIts: comparison.right.string != nil ? [] : [.init(span, "{\(text(span))}")]))
    }

    /// Reports `'%@'`: a text that consists only of a conversion and wildcards.
    func checkConversions(_ span: SourceSpan, _ found: inout Findings) {
        guard let (inner, core) = quotedConversion(span) else { return }
        found.append(
            Diagnostic(
                .quotedConversion, at: span, inner,
                core == inner ? "remove the quotes" : "write \(core), and put the wildcard into the argument",
                fixIts: core == inner && core != "%s" ? [.init(span, inner)] : []))
    }

    /// The content and the conversion of a literal that consists only of a conversion and wildcards.
    func quotedConversion(_ span: SourceSpan) -> (inner: String, core: String)? {
        guard span.count >= 4, span.count <= 10, span.end <= bytes.count,
            isQuoted(span, by: "'") || isQuoted(span, by: "\""), bytes[span.range].contains(UInt8(ascii: "%"))
        else { return nil }
        let inner = String(decoding: bytes[(span.start + 1)..<(span.end - 1)], as: UTF8.self)
        // The signs around a conversion in a pattern: `*%@*`, `^.*%@`.
        let signs: Set<Character> = ["*", ".", "^", "$"]
        let core = String(inner.drop { signs.contains($0) }.prefix { !signs.contains($0) })
        return ["%@", "%K", "%d", "%i", "%u", "%f", "%ld", "%lu", "%s"].contains(core) ? (inner, core) : nil
    }

    /// Reports `"name" == 'Ann'`, a name in double quotes as in SQL, `"age" > 3` and `1 == 1`.
    func checkLiterals(_ comparison: ComparisonNode, _ found: inout Findings) {
        let (left, right) = (comparison.left, comparison.right)
        if checkConstants(comparison, &found) { return }
        // `%@ == ''` tests whether the caller passed a value.
        guard case .value(.string) = right.kind, isQuoted(right.span, by: "'") || isQuoted(right.span, by: "\"")
        else { return }
        if starts(left.span, with: "%@"), right.span.count > 2 {
            found.append(Diagnostic(.literalsCompared, at: left.span, "use %K for a key"))
        } else if case .value(.string(let name)) = left.kind, isQuoted(left.span, by: "\""),
            isQuoted(right.span, by: "'")
        {
            found.append(Diagnostic(.literalsCompared, at: left.span, "write \(name) without quotes"))
        }
    }

    /// Reports a comparison of two literals. Returns whether it is one.
    private func checkConstants(_ comparison: ComparisonNode, _ found: inout Findings) -> Bool {
        guard case .value = comparison.left.kind, !found.areBesideErrors, let order = Order(comparison.operator),
            comparison.modifier == .direct, comparison.options.isEmpty,
            let left = literal(comparison.left), let right = literal(comparison.right)
        else { return false }
        switch (left, right) {
        case (.string(let name), .integer), (.string(let name), .double), (.integer, .string(let name)),
            (.double, .string(let name)):
            let span = if case .string = left { comparison.left.span } else { comparison.right.span }
            let isWord = FunctionCatalog.isWord(name)
            found.append(
                Diagnostic(
                    .literalsCompared, at: span,
                    isWord ? "write \(name) without quotes" : "write the key without quotes",
                    fixIts: isWord ? [.init(span, name)] : []))
            return true
        case (.string(let name), .string(let value)):
            // A name in double quotes has its own message.
            if isQuoted(comparison.left.span, by: "\""), isQuoted(comparison.right.span, by: "'") { return false }
            guard order == .equal || order == .different, !name.contains("%"), !value.contains("%") else {
                return false
            }
            report(comparison, isTrue: (name == value) == (order == .equal), &found)
            return true
        default:
            guard let first = left.doubleValue, let second = right.doubleValue else { return false }
            report(comparison, isTrue: order.holds(first, second), &found)
            return true
        }
    }

    private func report(_ comparison: ComparisonNode, isTrue: Bool, _ found: inout Findings) {
        let constant = isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE"
        found.append(
            Diagnostic(
                .comparisonConstant, at: span(of: comparison), isTrue ? "true" : "false", "both sides are constants",
                "name a key, or write \(constant)"))
    }

    /// The value of a literal in the text; nil for arguments and other nodes.
    private func literal(_ node: ExpressionNode) -> PredicateValue? {
        guard case .value(let value) = node.kind, !node.span.isEmpty, node.span.end <= bytes.count,
            bytes[node.span.start] != UInt8(ascii: "%")
        else { return nil }
        switch value {
        case .string: return isQuoted(node.span, by: "'") || isQuoted(node.span, by: "\"") ? value : nil
        case .integer, .double: return value
        default: return nil
        }
    }

    /// Reports `kind == '*.pdf'` and `name == '%ann%'`: only LIKE has wildcards, and its wildcard is `*`.
    func checkWildcard(_ comparison: ComparisonNode, _ found: inout Findings) {
        guard let sign = wildcard(in: comparison.right) else { return }
        let like = "LIKE\(comparison.options.spelling)"
        let fixIts = likeFix(comparison, like)
        found.append(
            Diagnostic(
                .wildcardEquality, at: comparison.right.span, comparison.operator.spelling,
                comparison.operator == .equal ? "write \(like)" : "write NOT … \(like)", sign,
                fixIts: comparison.operator == .equal && !fixIts.isEmpty
                    ? fixIts + (sign == "*" ? [] : wildcards(in: comparison.right.span).map { .init($0, "*") }) : []))
    }

    /// Reports `name CONTAINS '*ann*'` and `name BEGINSWITH 'ann%'`.
    func checkUselessWildcard(_ comparison: ComparisonNode, _ found: inout Findings) {
        guard let sign = wildcard(in: comparison.right, atOneEnd: true) else { return }
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
        found.append(
            Diagnostic(
                .wildcardEquality, at: span, comparison.operator.spelling,
                isUseless ? "remove it: \(comparison.operator.spelling) needs no wildcard" : "write LIKE with *", sign,
                fixIts: isUseless ? places.map { .init($0, "") } : []))
    }

    /// The wildcard at the ends of a literal with letters: `*`, or the `%` of SQL; nil if there is none.
    private func wildcard(in node: ExpressionNode, atOneEnd: Bool = false) -> String? {
        guard case .string(let text) = literal(node), text.utf8.count > 2, text.contains(where: { $0.isLetter }) else {
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

    /// Reports `name BEGINSWITH ''` and `age < nil`, which are never true, and `name LIKE 5`, which fails.
    func checkNeedle(_ comparison: ComparisonNode, _ found: inout Findings) {
        let right = comparison.right
        if found.areBesideErrors { return }
        switch comparison.operator {
        case .equal, .notEqual, .lessThanOrEqual, .greaterThanOrEqual, .custom: return
        case .beginsWith, .endsWith, .like, .matches:
            switch literal(right) {
            case .string(""): reportConstant(comparison, "an empty text never matches", &found)
            case .some(let value) where value.isNumber:
                found.append(
                    Diagnostic(
                        .stringOperand, at: right.span, comparison.operator.spelling, value.typeDescription,
                        severity: .warning, fixIts: [.init(right.span, "\"\(text(right.span))\"")]))
            default: break
            }
        default: break
        }
        if isNil(comparison.left) || isNil(right) { reportConstant(comparison, "nil never matches", &found) }
    }

    /// Whether the text has the word nil or NULL at the node, and not an argument that is nil.
    private func isNil(_ node: ExpressionNode) -> Bool {
        guard case .value(.null) = node.kind, !node.span.isEmpty, node.span.end <= bytes.count else { return false }
        return bytes[node.span.start] != UInt8(ascii: "%")
    }

    // MARK: Arithmetic

    /// Reports `'a' + b` and `now() - 3600`: arithmetic takes numbers.
    func checkArithmetic(
        _ sign: BinaryOperator, _ left: ExpressionNode, _ right: ExpressionNode, _ node: ExpressionNode,
        _ found: inout Findings
    ) {
        // Most operands are keys and numbers.
        guard mayBeNoNumber(left) || mayBeNoNumber(right), !sign.isSetOperator, !found.areBesideErrors else { return }
        for (operand, other) in [(left, right), (right, left)] {
            if case .string = literal(operand) {
                let advice = sign == .add ? "build the text first, and pass it for %@" : ""
                found.append(
                    Diagnostic(.operandType, at: operand.span, sign.spelling, "a text", advice, severity: .warning))
                return
            } else if isDate(operand), operand.span != .none, operand.span.end <= bytes.count {
                let isDuration = sign == .add || sign == .subtract && operand.span == left.span
                let meant =
                    isNumber(other) && isDuration
                    ? "CAST(\(number(left)) \(sign.spelling) \(number(right)), \"NSDate\")" : nil
                found.append(
                    Diagnostic(
                        .operandType, at: operand.span, sign.spelling, "a date",
                        "write \(number(operand)) for its seconds", severity: .warning, suggestion: meant,
                        fixIts: meant.map { [.init(node.span, $0)] } ?? []))
            }
        }
    }

    /// Whether an operand may be a text or a date.
    private func mayBeNoNumber(_ node: ExpressionNode) -> Bool {
        switch node.kind {
        case .value(.string), .call, .cast: true
        default: false
        }
    }

    /// The text of an operand of arithmetic, as a number.
    private func number(_ node: ExpressionNode) -> String {
        isDate(node) ? "CAST(\(text(node.span)), \"NSNumber\")" : text(node.span)
    }

    private func isDate(_ node: ExpressionNode) -> Bool {
        switch node.kind {
        case .call(let name, let arguments):
            arguments.isEmpty && catalog.function(named: name)?.types?.result([]).kind == .date
        case .cast(_, let type): type == CastType.date.rawValue
        default: false
        }
    }

    private func isNumber(_ node: ExpressionNode) -> Bool {
        switch node.kind {
        case .value(let value): value.isNumber
        case .binary(_, let left, let right): isNumber(left) && isNumber(right)
        default: false
        }
    }

    /// Replaces the operator and its options.
    private func likeFix(_ comparison: ComparisonNode, _ like: String) -> [Diagnostic.FixIt] {
        let sign = comparison.operatorSpan
        guard !sign.isEmpty, sign.end <= comparison.right.span.start, comparison.right.span.end <= bytes.count else {
            return []
        }
        let close = bytes[sign.end..<comparison.right.span.start].lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
        return [.init(SourceSpan(sign.start, close ?? sign.end), like)]
    }

    private func starts(_ span: SourceSpan, with text: String) -> Bool {
        span.count == text.utf8.count && span.end <= bytes.count && bytes[span.range].elementsEqual(text.utf8)
    }

    /// Whether the text has a quoted literal at the span, and not a `%@`.
    func isQuoted(_ span: SourceSpan, by quote: Unicode.Scalar) -> Bool {
        span.count >= 2 && span.end <= bytes.count && bytes[span.start] == UInt8(ascii: quote)
    }

    /// Reports `name == Kyle`.
    func checkBareKeys(_ comparison: ComparisonNode, _ found: inout Findings) {
        guard case .keyPath(let path) = comparison.right.kind, case .keyPath = comparison.left.kind,
            !path.contains(where: { $0.hasPrefix("@") }), isBare(comparison.left), isBare(comparison.right)
        else { return }
        let meant = path.count == 1 ? FunctionCatalog.value(meantBy: path[0]) : nil
        let isSame = comparison.left.kind == comparison.right.kind
        // A text without its quotes looks like a key. But texts are seldom compared by `<`, so in `syncedAt < updatedAt`
        // both sides are keys.
        let isOrdered = Order(comparison.operator).map { $0 != $0.mirrored } ?? false
        guard isSame || meant != nil || !isOrdered else { return }
        found.append(
            Diagnostic(
                .bareKeysCompared, at: comparison.right.span, "\(comparison.left)", "\(comparison.right)",
                isSame ? "both are the same key" : "if \(comparison.right) is text, quote it", suggestion: meant,
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
