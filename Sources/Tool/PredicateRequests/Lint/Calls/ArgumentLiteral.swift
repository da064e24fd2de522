// Compares the arguments of a call whose types are certain with the conversions of its format. A number passed for %@
// crashes on Apple's platforms, because it is used as the address of an object.

/// An argument that is a literal, or whose type is declared.
enum ArgumentLiteral: Equatable {
    /// The text is empty if it is unknown.
    case text(String)
    /// `"abc"` in Objective-C.
    case cText
    /// `isLong`: an expression of 64 bits, such as `Int64(x)` or `list.count`.
    case integer(isLong: Bool = false)
    case floatingPoint, boolean
    /// `\Person.name` in Swift.
    case swiftKeyPath
    /// `nil` in Objective-C.
    case null
    /// `@5`, `@YES`
    case numberObject
    /// `@[…]`, `@{…}`
    case collection

    /// The literal; nil for any other expression.
    init?(_ source: String, _ language: SourceFile.Kind) {
        let isSwift = language != .objectiveC
        let isObject = !isSwift && source.hasPrefix("@")
        let text = isObject ? String(source.dropFirst()) : source
        if let content = Self.content(text, language) {
            self = isSwift || isObject ? .text(content) : .cText
        } else if isObject, text.hasPrefix("[") || text.hasPrefix("{") {
            self = .collection
        } else if isObject, text.hasPrefix("(") {
            self = .numberObject
        } else if !isSwift, text == "nil" {
            self = .null
        } else if language == .swift, text.hasPrefix("\\") {
            self = .swiftKeyPath
        } else if let number = Self.number(text, isSwift: isSwift) {
            self = isObject ? .numberObject : number
        } else {
            return nil
        }
    }

    /// The content of one string literal without escapes and interpolations.
    private static func content(_ text: String, _ language: SourceFile.Kind) -> String? {
        guard text.count >= 2, let quote = text.first, text.last == quote,
            quote == "\"" || quote == "'" && language == .python
        else { return nil }
        let content = text.dropFirst().dropLast()
        return content.contains(where: { $0 == quote || $0 == "\\" || $0.isNewline }) ? nil : String(content)
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
        if Int64(digits) != nil { return .integer() }
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
        case .swiftKeyPath: "a Swift key path"
        case .null: "nil"
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
        case (.keyPath, .swiftKeyPath): advice = "it takes a text: #keyPath(…), or the key in quotes"
        case (.object, .integer(let isLong)) where !areObjects:
            advice =
                (isLong ? "use %ld, or " : "use %d, or ")
                + (isSwift ? "NSNumber(value:)" : isLong ? "write @(…)" : "write @5")
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
    /// Reports arguments that their conversions do not accept.
    func argumentTypes(_ read: PredicateText) -> [PredicateDiagnostic] {
        guard case .shown(let shown, let areObjects) = arguments, holes.isEmpty, !read.hasErrors else { return [] }
        var found: [PredicateDiagnostic] = []
        read.forEachConversion { conversion, _ in
            guard conversion.position < shown.count,
                let problem = shown[conversion.position].literal?.mismatch(
                    conversion.kind, areObjects: areObjects, isSwift: isSwift)
            else { return }
            found.append(
                PredicateDiagnostic(
                    .argumentType, at: shown[conversion.position].span, conversion.spelling, problem.found,
                    problem.advice))
        }
        return found
    }

    /// The arguments as values, to check the keys that `%K` names; nil if one of them is not a literal.
    func boundKeys(_ read: PredicateText) -> FormatArguments? {
        guard case .shown(let shown, _) = arguments, holes.isEmpty, !read.hasErrors else { return nil }
        var bound: [Int: FormatArgument] = [:]
        var hasKeys = false
        var isKnown = true
        read.forEachConversion { conversion, _ in
            let literal = conversion.position < shown.count ? shown[conversion.position].literal : nil
            switch (conversion.kind, literal) {
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
        guard case .shown(let shown, _) = arguments, holes.isEmpty, !read.hasErrors else { return [] }
        var conversions: [(FormatConversion, SourceSpan)] = []
        read.forEachConversion { conversions.append(($0, $1)) }
        let needed = (conversions.map { $0.0.position }.max() ?? -1) + 1
        let missing = conversions.filter { $0.0.position >= shown.count }.map { conversion, span in
            PredicateDiagnostic(
                .missingArgument, at: text.source(span), conversion.spelling,
                "there \(shown.count == 1 ? "is" : "are") \(DisplayText.count(shown.count, "argument"))")
        }
        // Objective-C ends other lists with nil, so one that is too many is no mistake.
        let surplus = shown.indices.dropFirst(needed).prefix(1).filter { shown[$0].literal != .null }.map { index in
            PredicateDiagnostic(
                .surplusArgument, at: shown[index].span, "\(index + 1)",
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

    private var isSwift: Bool { if case .swiftLiteral = spelling { true } else { false } }
}

extension FormatReader {
    /// An argument of a call. Of long arguments only texts and collections are read: reading others would read nested
    /// calls once for each level.
    func argument(_ value: ArraySlice<SourceToken>) -> FoundPredicate.Argument {
        FoundPredicate.Argument(span: value.span, literal: literal(value, 4))
    }

    /// The elements of an array literal, where numbers are objects.
    func elements(of value: ArraySlice<SourceToken>) -> FoundPredicate.Arguments {
        guard value.first?.isSign("[") == true, value.first?.partner == value.endIndex - 1 else { return .hidden }
        return .shown(CallArguments(value.dropFirst()).arguments.map { argument($0) }, areObjects: true)
    }

    private func literal(_ value: ArraySlice<SourceToken>, _ steps: Int) -> ArgumentLiteral? {
        guard let first = value.first, let last = value.last, steps > 0 else { return nil }
        let (bytes, start, isSwift) = (names.bytes, value.startIndex, names.language == .swift)
        let span: SourceSpan = value.span
        if span.count <= (first.isText || first.isSign("@") ? 4096 : 64) {
            let text = String(decoding: bytes[span.range], as: UTF8.self)
            if let literal = ArgumentLiteral(text, names.language) { return literal }
        }
        let name = bytes.text(last)
        if value.count == 1, isInScope, last.kind == .word, let found = names.declaration(of: name, at: start) {
            let value = found.type.isEmpty ? found.value : nil
            return .init(type: found.type) ?? value.flatMap { literal(names.statement($0), steps - 1) }
        }
        guard 2...32 ~= value.count, names.language != .python else { return nil }
        if isSwift, let key = SwiftLiteral.keyPath(bytes, span.range) { return .text(key) }
        let before = value[value.endIndex - 2]
        if isSwift, bytes.word(before, is: "as") {
            return name == "CVarArg" ? literal(value.dropLast(2), steps - 1) : .init(type: name)
        }
        // `Int64(x)`, `(long long)x`, `[NSNumber numberWithInt:x]`
        if last.partner == start + 1 { return .init(type: bytes.text(first)) }
        if !isSwift, first.isSign("("), start + 1..<value.endIndex - 1 ~= first.partner {
            return value.contains { $0.isSign("?") } ? nil : .init(type: bytes.text(value[first.partner - 1]))
        }
        let isMessage = !isSwift && last.partner == start && before.kind == .word
        if isMessage, bytes.word(value[start + 1], is: "NSNumber") { return .numberObject }
        // `[x longLongValue]`, `x.int64Value`, `list.count`
        let object = isMessage ? value[(start + 1)..<value.endIndex - 2] : value.dropLast(2)
        let isPath = value.allSatisfy { $0.kind == .word || $0.isSign(".") }
        guard isMessage ? object.last?.isSign(":") == false : isPath else { return nil }
        let property = isMessage ? bytes.text(before) : name
        guard property == "count" else {
            return property.hasSuffix("Value") ? .init(type: String(property.dropLast(5))) : nil
        }
        let type =
            object.count == 1 ? names.declaration(of: bytes.text(object[object.startIndex]), at: start)?.type : nil
        switch ArgumentLiteral(type: type ?? "") {
        case .collection?, .text?: return .integer(isLong: true)
        default: return isSwift && (type ?? "").isEmpty ? .integer(isLong: true) : nil
        }
    }
}

extension ArgumentLiteral {
    /// The kind of a type's values, or of what `longLongValue` … return, given the word before "Value"; nil if unknown.
    init?(type: String) {
        switch type {
        case "Int", "UInt", "Int64", "UInt64", "NSInteger", "NSUInteger", "long", "int64_t", "uint64_t", "integer",
            "longLong", "int64", "uint64", "uint", "unsignedInteger", "unsignedLong", "unsignedLongLong":
            self = .integer(isLong: true)
        case "Int8", "Int16", "Int32", "UInt8", "UInt16", "UInt32", "int", "short", "unsigned", "int32_t", "uint32_t",
            "int32", "unsignedInt":
            self = .integer()
        case "Double", "Float", "CGFloat", "TimeInterval", "NSTimeInterval", "double", "float": self = .floatingPoint
        case "Bool", "BOOL", "bool": self = .boolean
        case "NSNumber", "NSNumber*": self = .numberObject
        case "String", "NSString", "NSString*": self = .text("")
        case "[", "NSArray", "NSSet", "NSArray*", "NSSet*", "NSMutableArray*", "NSMutableSet*", "NSDictionary*":
            self = .collection
        default: return nil
        }
    }
}
