// How the nodes of a tree are written in the text. Rules for mistakes need it: `"age" > 3` and `%@ > 3` may have equal
// trees.

/// The bytes of the text that the spans of a tree refer to.
package struct SourceText {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The text of a span, shortened for messages.
    package func text(_ span: SourceSpan) -> String {
        let text = String(decoding: bytes[span.range.clamped(to: 0..<bytes.count)], as: UTF8.self)
        return text.count <= 40 ? text : text.prefix(37) + "…"
    }

    /// The span of the last occurrence of a word inside a larger span; nil if it is not written there.
    package func lastPlace(of word: String, in span: SourceSpan) -> SourceSpan? {
        let text = bytes[span.range.clamped(to: 0..<bytes.count)]
        return text.indices.last { text[$0...].starts(with: word.utf8) }.map { SourceSpan($0, $0 + word.utf8.count) }
    }

    /// Whether the text has a quoted literal at the span, and not a `%@`.
    package func isQuoted(_ span: SourceSpan, by quote: Unicode.Scalar) -> Bool {
        span.count >= 2 && span.end <= bytes.count && bytes[span.start] == UInt8(ascii: quote)
    }

    /// The value of a literal in the text; nil for arguments and other nodes.
    package func literal(_ node: ExpressionNode) -> PredicateValue? {
        guard case .value(let value) = node.kind, !node.span.isEmpty, node.span.end <= bytes.count,
            bytes[node.span.start] != UInt8(ascii: "%")
        else { return nil }
        switch value {
        case .string: return isQuoted(node.span, by: "'") || isQuoted(node.span, by: "\"") ? value : nil
        case .integer, .double: return value
        default: return nil
        }
    }

    /// The fix-it for a number where a text is needed: `name LIKE 5`.
    package func quoting(_ node: ExpressionNode) -> [PredicateDiagnostic.FixIt] {
        literal(node)?.isNumber == true ? [.init(node.span, "\"\(text(node.span))\"")] : []
    }

    // MARK: Arithmetic

    /// Advice on the operands of `'a' + b` and `now() - 3600`, because arithmetic takes numbers.
    package func arithmetic(in node: ExpressionNode, _ checker: TypeChecker) -> [PredicateDiagnostic] {
        guard case .binary(let sign, let left, let right) = node.kind, !sign.isSetOperator,
            sign != .add || !checker.environment.language.contains(.stringConcatenation)
        else { return [] }
        func isDate(_ node: ExpressionNode) -> Bool {
            switch node.kind {
            case .call(let name, let arguments):
                arguments.isEmpty
                    && checker.environment.functions.function(named: name)?.types?.result([]).kind == .date
            case .cast(_, let type): type == CastType.date.rawValue
            default: false
            }
        }
        /// The text of an operand, as a number.
        func number(_ node: ExpressionNode) -> String {
            isDate(node) ? "CAST(\(text(node.span)), \"NSNumber\")" : text(node.span)
        }
        // The extension has a meaning for it.
        let isMoved = (sign == .add || sign == .subtract) && checker.environment.language.contains(.dates)
        var found: [PredicateDiagnostic] = []
        for (operand, other) in [(left, right), (right, left)] {
            if case .string = literal(operand) {
                let advice = sign == .add ? "build the text first, and pass it for %@" : ""
                return found + [
                    PredicateDiagnostic(
                        .operandType, at: operand.span, sign.spelling, "a text", advice, severity: .warning)
                ]
            } else if isDate(operand), !isMoved, operand.span != .none, operand.span.end <= bytes.count {
                let isDuration = sign == .add || sign == .subtract && operand.span == left.span
                let meant =
                    Self.isNumber(other) && isDuration
                    ? "CAST(\(number(left)) \(sign.spelling) \(number(right)), \"NSDate\")" : nil
                found.append(
                    PredicateDiagnostic(
                        .operandType, at: operand.span, sign.spelling, "a date",
                        "write \(number(operand)) for its seconds" + (isDuration ? LanguageOptions.or("dates") : ""),
                        severity: .warning, suggestion: meant,
                        fixIts: meant.map { [.init(node.span, $0)] } ?? []))
            }
        }
        return found
    }

    private static func isNumber(_ node: ExpressionNode) -> Bool {
        switch node.kind {
        case .value(let value): value.isNumber
        case .binary(_, let left, let right): isNumber(left) && isNumber(right)
        default: false
        }
    }
}
