// Compares literal arguments of a call with the conversions of its format. A number passed for %@ crashes on Apple's
// platforms, because it is used as the address of an object.

import PredicateRecords
import PredicateSyntax

/// An argument that is written as a literal.
enum ArgumentLiteral: Equatable {
    case text(String)
    /// `"abc"` in Objective-C.
    case cText
    case integer, floatingPoint, boolean
    /// `@5`, `@YES`
    case numberObject
    /// `@[…]`, `@{…}`
    case collection

    /// The literal; nil for any other expression.
    init?(_ source: String, isSwift: Bool) {
        let isObject = !isSwift && source.hasPrefix("@")
        let text = isObject ? String(source.dropFirst()) : source
        if let content = Self.content(text) {
            self = isSwift || isObject ? .text(content) : .cText
        } else if isObject, text.hasPrefix("[") || text.hasPrefix("{") {
            self = .collection
        } else if let number = Self.number(text, isSwift: isSwift) {
            self = isObject ? .numberObject : number
        } else {
            return nil
        }
    }

    /// The content of one string literal without escapes and interpolations.
    private static func content(_ text: String) -> String? {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        let content = text.dropFirst().dropLast()
        return content.contains(where: { $0 == "\"" || $0 == "\\" || $0.isNewline }) ? nil : String(content)
    }

    private static func number(_ text: String, isSwift: Bool) -> ArgumentLiteral? {
        switch text {
        case "true", "false": return .boolean
        case "YES", "NO", "TRUE", "FALSE": return isSwift ? nil : .boolean
        default: break
        }
        var digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard let first = digits.utf8.first, first.isDigit else { return nil }
        if !isSwift { while let last = digits.last, "uUlLfF".contains(last) { digits.removeLast() } }
        digits.removeAll { $0 == "_" }
        if Int64(digits) != nil { return .integer }
        return digits.contains(".") && Double(digits) != nil ? .floatingPoint : nil
    }

    private var described: String {
        switch self {
        case .text: "a text"
        case .cText: "a C string"
        case .integer: "an integer"
        case .floatingPoint: "a double"
        case .boolean: "a Boolean"
        case .numberObject: "a number object"
        case .collection: "a collection"
        }
    }

    /// Explains why the conversion does not accept the literal and what to write; nil if it accepts it.
    /// - Parameters:
    ///   - areObjects: the arguments are the elements of an array, so numbers are objects too.
    ///   - isSwift: the language of the source.
    func mismatch(
        _ kind: FormatConversion.Kind, areObjects: Bool, isSwift: Bool
    ) -> (found: String, advice: String)? {
        let advice: String?
        switch (kind, self) {
        case (.object, .integer) where !areObjects:
            advice = isSwift ? "use %d, or NSNumber(value:)" : "use %d, or write @5"
        case (.object, .floatingPoint) where !areObjects:
            advice = isSwift ? "use %f, or NSNumber(value:)" : "use %f, or write @1.5"
        case (.object, .boolean) where !areObjects: advice = isSwift ? "use NSNumber(value:)" : "write @YES"
        case (_, .cText): advice = "write @\"…\""
        case (.object, _), (.keyPath, .text): advice = nil
        case (.keyPath, _): advice = "it takes a text that names a key"
        case (.integer, .integer), (.integer, .boolean), (.floatingPoint, .floatingPoint): advice = nil
        case (.integer, .floatingPoint): advice = areObjects ? nil : "use %f"
        case (.floatingPoint, .integer), (.floatingPoint, .boolean): advice = areObjects ? nil : "use %d, or write 5.0"
        case (_, .numberObject) where areObjects: advice = nil
        case (.integer, _), (.floatingPoint, _): advice = "use %@ for an object"
        }
        return advice.map { (described, $0) }
    }
}

extension FoundPredicate {
    /// The literal arguments, by index.
    func literals(in bytes: [UInt8]) -> [Int: ArgumentLiteral] {
        guard case .shown(let spans, _) = arguments else { return [:] }
        var literals: [Int: ArgumentLiteral] = [:]
        for (index, span) in spans.enumerated() where span.end <= bytes.count && span.start < span.end {
            // Only texts and collections are long. Reading other long arguments would read nested calls once for each
            // level.
            let isText = bytes[span.start] == UInt8(ascii: "\"") || bytes[span.start] == UInt8(ascii: "@")
            guard span.count <= (isText ? 4096 : 64) else { continue }
            literals[index] = ArgumentLiteral(String(decoding: bytes[span.range], as: UTF8.self), isSwift: isSwift)
        }
        return literals
    }

    /// Reports literals that their conversions do not accept.
    func argumentTypes(_ read: PredicateText, in bytes: [UInt8]) -> [PredicateDiagnostic] {
        guard case .shown(let spans, let areObjects) = arguments, holes.isEmpty, !read.hasErrors else { return [] }
        let literals = literals(in: bytes)
        var found: [PredicateDiagnostic] = []
        read.forEachConversion { conversion, _ in
            guard
                let problem = literals[conversion.position]?.mismatch(
                    conversion.kind, areObjects: areObjects, isSwift: isSwift)
            else { return }
            found.append(
                PredicateDiagnostic(
                    .argumentType, at: spans[conversion.position], conversion.spelling, problem.found, problem.advice))
        }
        return found
    }

    /// The arguments as values, to check the keys that `%K` names; nil if one of them is not a literal.
    func boundKeys(_ read: PredicateText, in bytes: [UInt8]) -> FormatArguments? {
        guard holes.isEmpty, !read.hasErrors else { return nil }
        let literals = literals(in: bytes)
        var bound: [Int: FormatArgument] = [:]
        var hasKeys = false
        var isKnown = true
        read.forEachConversion { conversion, _ in
            switch (conversion.kind, literals[conversion.position]) {
            case (.keyPath, .text(let key)?) where !key.isEmpty:
                hasKeys = true
                bound[conversion.position] = .value(.string(key))
            case (.keyPath, _): isKnown = false
            case (.integer, _): bound[conversion.position] = .value(.integer(1))
            case (.floatingPoint, _): bound[conversion.position] = .value(.double(1.5))
            case (.object, _):
                bound[conversion.position] = .expression(ExpressionNode(.argument(conversion)))
            }
        }
        guard hasKeys, isKnown, bound.count == (bound.keys.max() ?? -1) + 1 else { return nil }
        return .bound(bound.sorted { $0.key < $1.key }.map { $0.value })
    }

    /// Reports conversions without an argument, and arguments without a conversion.
    func argumentCount(_ read: PredicateText) -> [PredicateDiagnostic] {
        guard case .shown(let spans, _) = arguments, holes.isEmpty, !read.hasErrors else { return [] }
        var conversions: [(FormatConversion, SourceSpan)] = []
        read.forEachConversion { conversions.append(($0, $1)) }
        let needed = (conversions.map { $0.0.position }.max() ?? -1) + 1
        let missing = conversions.filter { $0.0.position >= spans.count }.map { conversion, span in
            PredicateDiagnostic(
                .missingArgument, at: text.source(span), conversion.spelling,
                "there \(spans.count == 1 ? "is" : "are") \(DisplayText.count(spans.count, "argument"))")
        }
        let surplus = spans.indices.dropFirst(needed).prefix(1).map { index in
            PredicateDiagnostic(
                .surplusArgument, at: spans[index], "\(index + 1)",
                hasQuotedConversion
                    ? "inside quotes a conversion is plain text"
                    : "the text has \(DisplayText.count(needed, "conversion"))")
        }
        return missing + surplus
    }

    private var hasQuotedConversion: Bool {
        let bytes = text.bytes
        return Lexer.tokens(of: text.text).contains { token in
            token.kind == .string
                && token.span.range.dropLast().contains {
                    bytes[$0] == UInt8(ascii: "%") && "@Kdfi".utf8.contains(bytes[$0 + 1])
                }
        }
    }

    private var isSwift: Bool {
        if case .swiftLiteral = spelling { true } else { false }
    }
}
