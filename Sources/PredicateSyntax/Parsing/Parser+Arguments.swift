// Parses the conversions of a format string (LANGUAGE 2). Arguments are typed: a wrong type, a missing argument and a
// surplus argument are errors. printf does not detect these.

extension PredicateParser {
    /// Reads the conversion at the current token.
    mutating func readConversion() -> Bool {
        let span = token.span
        let spelling = text(span)
        advance()
        guard let kind = conversionKind(spelling, span) else {
            pushError(span)
            return false
        }
        if case .none = arguments {
            report(.percentInText, at: span, spelling)
            pushError(span)
            return false
        }
        let conversion = FormatConversion(kind, position: nextArgument, spelling: spelling)
        nextArgument += 1
        if token.kind == .error(.unexpectedCharacter), isGlued, text(token.span) == "?" {
            report(.adjacentArgument, at: token.span, spelling)
            return recover()
        }
        guard case .bound(let values) = arguments else {
            push(.argument(conversion), span: span)
            return false
        }
        guard conversion.position < values.count else {
            let count = "there \(values.count == 1 ? "is" : "are") \(DisplayText.count(values.count, "argument"))"
            report(.missingArgument, at: span, spelling, count)
            pushError(span)
            return false
        }
        push(bound(conversion, values[conversion.position], span), span: span)
        return false
    }

    private mutating func conversionKind(_ spelling: String, _ span: SourceSpan) -> FormatConversion.Kind? {
        let body = spelling.dropFirst()
        switch body {
        case "@": return .object
        case "K": return .keyPath
        case "k": return reject(.unknownConversion, span, spelling, "a key path is %K", fix: "%K")
        case "%": return reject(.unknownConversion, span, spelling, "a percent sign is allowed only in quotes")
        case "": return reject(.unknownConversion, span, spelling, "an argument is %@")
        default: break
        }
        let plain = body.drop { "hlqztjL".contains($0) }
        if plain.count == 1, let letter = plain.first {
            if let number = Self.number(letter) {
                guard Self.lengths.contains(String(body.dropLast())) else {
                    return reject(.unknownConversion, span, spelling, "write %\(letter)", fix: "%\(letter)")
                }
                return number
            }
            if letter == "s" || letter == "S" || letter == "c" || letter == "C" {
                return reject(.unsupportedConversion, span, spelling, "use %@", fix: "%@")
            }
        }
        if body.contains("$") {
            return reject(.unsupportedConversion, span, spelling, "arguments have no positions")
        }
        if let first = body.first, "0123456789.-#".contains(first) {
            return body.last.map { $0.isLetter || $0 == "@" } == true
                ? reject(.unsupportedConversion, span, spelling, "a value has no width or precision")
                : reject(.unknownConversion, span, spelling, "the remainder is modulus:by:(a, b)")
        }
        return reject(.unknownConversion, span, spelling, "use %@ for a value, %K for a key")
    }

    private static func number(_ letter: Character) -> FormatConversion.Kind? {
        if "diDuUoOxX".contains(letter) { return .integer }
        return "fFeEgGaA".contains(letter) ? .floatingPoint : nil
    }

    /// The length modifiers of printf. They are allowed before any letter and have no effect, because an argument has
    /// its own type: printf reads `%llf` as `%Lf`.
    private static let lengths: Set = ["", "h", "hh", "l", "ll", "L", "q", "z", "t", "j"]

    private mutating func reject(
        _ id: DiagnosticID, _ span: SourceSpan, _ spelling: String, _ advice: String, fix: String? = nil
    ) -> FormatConversion.Kind? {
        report(id, at: span, spelling, advice, fixIts: fix.map { [.init(span, $0)] } ?? [])
        return nil
    }

    private mutating func bound(
        _ conversion: FormatConversion, _ argument: FormatArgument, _ span: SourceSpan
    ) -> ExpressionNode.Kind {
        switch (conversion.kind, argument) {
        case (.object, .value(let value)): return .value(value)
        case (.object, .expression(let node)):
            // The inserted nodes have spans of another text, so all of them get the span of the conversion.
            return node.movingSpans { _ in span }.kind
        case (.keyPath, .value(.string(let path))):
            guard !path.isEmpty else { return mismatch(conversion, "an empty text", span) }
            return .keyPath(path.keyPathKeys)
        case (.integer, .value(.integer(let value))): return .value(.integer(value))
        case (.integer, .value(.bool(let value))): return .value(.integer(value ? 1 : 0))
        case (.floatingPoint, .value(.double(let value))): return .value(.double(value))
        case (.floatingPoint, .value(.float(let value))): return .value(.float(value))
        case (.floatingPoint, .value(.integer(let value))): return .value(.double(Double(value)))
        case (_, .value(let value)): return mismatch(conversion, value.typeDescription, span)
        case (_, .expression): return mismatch(conversion, "an expression", span)
        }
    }

    private mutating func mismatch(
        _ conversion: FormatConversion, _ found: String, _ span: SourceSpan
    ) -> ExpressionNode.Kind {
        let advice =
            switch conversion.kind {
            case .object: "it takes any value"
            case .keyPath: "it takes a text that names a key"
            case .integer, .floatingPoint: "use %@ for any value"
            }
        report(.argumentType, at: span, conversion.spelling, found, advice)
        return .error
    }

    /// Reports surplus arguments (LANGUAGE C 2). If there is a conversion inside quotes, it is the probable reason, and
    /// the error is reported at its position.
    mutating func reportSurplusArguments() {
        guard !stopped, case .bound(let values) = arguments, nextArgument < values.count else { return }
        let quoted = quotedConversion()
        report(
            .surplusArgument, at: quoted ?? SourceSpan(bytes.count, bytes.count), "\(nextArgument + 1)",
            quoted == nil
                ? "the text has \(DisplayText.count(nextArgument, "conversion"))"
                : "inside quotes a conversion is plain text")
    }

    private func quotedConversion() -> SourceSpan? {
        for token in Lexer.tokens(of: text(SourceSpan(0, bytes.count)), options: options) where token.kind == .string {
            let range = token.span.range
            for index in range.dropLast() where bytes[index] == UInt8(ascii: "%") {
                if "@Kdfi".utf8.contains(bytes[index + 1]) { return SourceSpan(index, index + 2) }
            }
        }
        return nil
    }
}

extension PredicateValue {
    /// The type with its article, for messages: `a text`, `an integer`.
    package var typeDescription: String {
        switch self {
        case .null, .nsNull: "nil"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .float, .double: "a double"
        case .decimal: "a decimal"
        case .string: "a text"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .array: "an array"
        case .set: "a set"
        case .dictionary: "a dictionary"
        case .type: "a class"
        case .object(let reference): "an object of type \(reference.object.typeName)"
        }
    }
}
