// Finds string constants of a source file, because formats are often named constants.

import PredicateSyntax

/// String constants, such as `let format = "…"` in Swift and `NSString *const format = @"…";` in Objective-C. A name
/// that may also mean something else in the file, such as a parameter or a second constant, is excluded.
struct NamedTexts {
    private var texts: [String: ArraySlice<SourceToken>] = [:]
    private var ambiguous: Set<String> = []

    /// The literals of a constant; nil if the name is unknown or ambiguous.
    subscript(name: String) -> ArraySlice<SourceToken>? { ambiguous.contains(name) ? nil : texts[name] }

    private mutating func add(_ name: String, _ text: ArraySlice<SourceToken>?) {
        if text == nil || texts.updateValue(text ?? [], forKey: name) != nil { ambiguous.insert(name) }
    }

    init(swift bytes: [UInt8], _ tokens: [SourceToken]) {
        for index in tokens.indices.dropFirst() where tokens[index].kind == .word {
            let isConstant = bytes.word(tokens[index - 1], is: "let")
            var rest = tokens[(index + 1)...]
            let isTyped = rest.first?.isSign(":") == true && Self.startsType(bytes, rest.dropFirst())
            guard isConstant || isTyped || ["var", "for"].contains(where: { bytes.word(tokens[index - 1], is: $0) })
            else { continue }
            if isTyped, bytes.word(rest.dropFirst().first, is: "String") { rest = rest.dropFirst(2) }
            add(bytes.text(tokens[index]), isConstant ? Self.swiftText(rest) : nil)
        }
    }

    /// Guesses whether the tokens after a colon begin a type rather than a value. This distinguishes parameters from
    /// argument labels.
    private static func startsType(_ bytes: [UInt8], _ tokens: ArraySlice<SourceToken>) -> Bool {
        guard let token = tokens.first else { return false }
        switch token.kind {
        case .word:
            let isValue = tokens.dropFirst().first.map { $0.isSign(".") || $0.isSign("(") } ?? false
            return UInt8(ascii: "A")...UInt8(ascii: "Z") ~= bytes[token.start] && !isValue
                || ["inout", "some", "any", "borrowing", "consuming"].contains { bytes.word(token, is: $0) }
        case .sign: return ["[", "(", "@"].contains { token.isSign($0) }
        default: return false
        }
    }

    /// Returns the literal of `= "…"` if it is the whole value.
    private static func swiftText(_ tokens: ArraySlice<SourceToken>) -> ArraySlice<SourceToken>? {
        guard tokens.first?.isSign("=") == true, case .literal? = tokens.dropFirst().first?.kind else { return nil }
        if case .sign(let byte)? = tokens.dropFirst(2).first?.kind, !Array("});,@#".utf8).contains(byte) { return nil }
        return tokens.dropFirst().prefix(1)
    }

    init(objectiveC bytes: [UInt8], _ tokens: [SourceToken], macros: [Macro]) {
        for macro in macros where macro.parameters == nil {
            add(macro.name, macro.body.allSatisfy { $0.isText || $0.isSign("@") } ? macro.body[...] : nil)
        }
        for index in tokens.indices.dropFirst() where tokens[index].kind == .word {
            let before = tokens[index - 1]
            let rest = tokens[(index + 1)...]
            let isDeclared = before.isSign("*") || before.isSign(")") || bytes.word(before, is: "const")
            let isSet = rest.first?.isSign("=") == true && rest.dropFirst().first?.isSign("=") != true
            guard isDeclared || isSet, !bytes.word(tokens[index], is: "const") else { continue }
            add(bytes.text(tokens[index]), isDeclared && isSet ? Self.objectiveCText(rest.dropFirst()) : nil)
        }
    }

    /// `@"…" "…";`
    private static func objectiveCText(_ tokens: ArraySlice<SourceToken>) -> ArraySlice<SourceToken>? {
        let text = tokens.prefix { $0.isText || $0.isSign("@") }
        guard text.count > 1, text.first?.isSign("@") == true, tokens.dropFirst(text.count).first?.isSign(";") == true
        else { return nil }
        return text
    }
}
