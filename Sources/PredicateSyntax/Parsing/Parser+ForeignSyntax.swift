// Recovery from the syntax of other languages: placeholders, interpolations, literals, casts, ranges and comments of
// SQL, Objective-C, Swift, JavaScript and the shell.

extension PredicateParser {
    /// A piece of foreign syntax: its span, the suggested replacement, and how parsing continues.
    struct ForeignSyntax {
        let span: SourceSpan
        let suggestion: String
        var fixIts: [Diagnostic.FixIt] = []
        /// The value to continue with.
        var value: ExpressionNode.Kind = .error
    }

    // MARK: Where a value was expected

    /// Reads `<#text#>`, which an editor inserts in place of a part that is still to be written.
    mutating func readPlaceholder() -> Bool? {
        let start = token.start
        guard byte(start) == "<", byte(start + 1) == "#",
            let end = bytes.indices.dropFirst(start + 2).first(where: { byte($0) == "#" && byte($0 + 1) == ">" })
        else { return nil }
        let span = SourceSpan(start, end + 2)
        report(.unexpectedText, at: span, "the placeholder '\(abbreviated(span))'", "replace it")
        move(to: span.end)
        pushError(span)
        return false
    }

    /// Reads a foreign value that begins at the current token, an unexpected character.
    /// - Returns: whether an operand comes next; nil if nothing is recognised.
    mutating func readForeignValue() -> Bool? {
        if let path = jsonPathPrefix() {
            report(
                .unexpectedCharacter, at: path, text(path), suggestion: text(SourceSpan(path.end, wordEnd(path.end))),
                fixIts: [.init(path, "")])
            move(to: path.end)
            return true
        }
        guard let foreign = foreignValue() else { return nil }
        report(
            .unexpectedCharacter, at: foreign.span, abbreviated(foreign.span), suggestion: foreign.suggestion,
            fixIts: foreign.fixIts)
        move(to: foreign.span.end)
        push(foreign.value, span: foreign.span)
        return false
    }

    private func foreignValue() -> ForeignSyntax? {
        let start = token.start
        switch byte(start) {
        case ":" where frame.kind == .index: return nil
        case "?":
            // Placeholders of SQL: `?` and `?1`.
            return ForeignSyntax(span: SourceSpan(start, digitsEnd(start + 1)), suggestion: "%@")
        case ":":
            let end = wordEnd(start + 1)
            return end == start + 1 ? nil : variable(SourceSpan(start, end), SourceSpan(start + 1, end))
        case "$", "#", "\\":
            return interpolation(start) ?? (byte(start) == "\\" ? escapedText(start) : amount(start, 1))
        case "@": return objectiveCLiteral(start)
        case "`": return backquoted(start)
        case "€", "£", "¥": return amount(start, token.span.count)
        default: return nil
        }
    }

    /// `${x}`, `$(x)`, `#{x}`, `\(x)`: interpolation of the shell, Ruby and Swift.
    private func interpolation(_ start: Int) -> ForeignSyntax? {
        let opener = byte(start + 1)
        guard opener == "{" || opener == "(",
            let close = bytes[(start + 2)...].firstIndex(of: opener == "{" ? UInt8(ascii: "}") : UInt8(ascii: ")"))
        else { return nil }
        return variable(SourceSpan(start, close + 1), SourceSpan(start + 2, close))
    }

    /// A value of the program. The suggestion is a variable if the text is a name, else an argument.
    private func variable(_ span: SourceSpan, _ name: SourceSpan) -> ForeignSyntax {
        let isName = !name.isEmpty && Lexer.isLetter(bytes[name.start]) && wordEnd(name.start) == name.end
        return ForeignSyntax(
            span: span, suggestion: isName && byte(span.start) != "\\" ? "$\(text(name))" : "%@",
            value: isName ? .variable(text(name)) : .error)
    }

    /// `$10` and `€10`. `$1` is a placeholder of PostgreSQL, and `$0` is the argument of a Swift closure.
    private func amount(_ start: Int, _ sign: Int) -> ForeignSyntax? {
        let number = SourceSpan(start + sign, numberEnd(start + sign))
        guard !number.isEmpty else { return nil }
        let span = SourceSpan(start, number.end)
        if byte(start) == "$", number.count == 1 {
            let meant = byte(number.start) == "0" ? "SELF" : "%@"
            return ForeignSyntax(
                span: span, suggestion: meant, fixIts: meant == "SELF" ? [.init(span, meant)] : [],
                value: meant == "SELF" ? .selfObject : .error)
        }
        return ForeignSyntax(
            span: span, suggestion: text(number), fixIts: [.init(SourceSpan(start, number.start), "")])
    }

    /// `@"text"`, `@5`, `@(5)`, `@[…]`, and `@%`.
    private func objectiveCLiteral(_ start: Int) -> ForeignSyntax? {
        let next = peek()
        guard next.start == start + 1 else { return nil }
        let remove = Diagnostic.FixIt(SourceSpan(start, start + 1), "")
        switch next.kind {
        case .string:
            let value: ExpressionNode.Kind
            if case .text(let string) = Literals.string(bytes, next.span) {
                value = .value(.string(string))
            } else {
                value = .error
            }
            return ForeignSyntax(
                span: SourceSpan(start, next.end), suggestion: abbreviated(next.span), fixIts: [remove], value: value)
        case .integer, .floatingPoint:
            return ForeignSyntax(
                span: SourceSpan(start, next.end), suggestion: abbreviated(next.span), fixIts: [remove])
        case .conversion where next.span.count == 1:
            let span = SourceSpan(start, next.end)
            return ForeignSyntax(span: span, suggestion: "%@", fixIts: [.init(span, "%@")])
        case .leftBracket, .leftParenthesis:
            guard let list = bracketed(next) else { return nil }
            let elements = text(SourceSpan(list.start + 1, list.end - 1)).split(separator: ",").map {
                $0.trimmingSpaces().drop { $0 == "@" }
            }.joined(separator: ", ")
            let span = SourceSpan(start, list.end)
            let meant = next.kind == .leftBracket ? "{\(elements)}" : elements
            return ForeignSyntax(span: span, suggestion: meant, fixIts: [.init(span, meant)])
        default: return nil
        }
    }

    /// `` `name` ``: a quoted name of MySQL.
    private func backquoted(_ start: Int) -> ForeignSyntax? {
        let end = wordEnd(start + 1)
        guard end > start + 1, byte(end) == "`" else { return nil }
        let name = text(SourceSpan(start + 1, end))
        if isWaitingForText {
            let (span, meant) = (SourceSpan(start, end + 1), "\"\(name)\"")
            return ForeignSyntax(
                span: span, suggestion: meant, fixIts: [.init(span, meant)], value: .value(.string(name)))
        }
        return ForeignSyntax(
            span: SourceSpan(start, end + 1), suggestion: name,
            fixIts: [.init(SourceSpan(start, start + 1), ""), .init(SourceSpan(end, end + 1), "")],
            value: .keyPath([name]))
    }

    /// `\"text\"`: quotes that were escaped for another language.
    private func escapedText(_ start: Int) -> ForeignSyntax? {
        guard let open = bytes[start...].firstIndex(where: { $0 != UInt8(ascii: "\\") }),
            bytes[open] == UInt8(ascii: "\"") || bytes[open] == UInt8(ascii: "'"),
            let close = bytes[(open + 1)...].firstIndex(of: bytes[open])
        else { return nil }
        var last = close
        while last > open + 1, bytes[last - 1] == UInt8(ascii: "\\") { last -= 1 }
        let content = text(SourceSpan(open + 1, last))
        let quote = text(SourceSpan(open, open + 1))
        return ForeignSyntax(
            span: SourceSpan(start, close + 1), suggestion: quote + content + quote,
            fixIts: [.init(SourceSpan(start, open), ""), .init(SourceSpan(last, close), "")],
            value: .value(.string(content)))
    }

    /// `$.` or `@.` at the start of a JSON path, or `\Person.` at the start of a Swift key path.
    private func jsonPathPrefix() -> SourceSpan? {
        var end = token.end
        if byte(token.start) == "\\" {
            end = wordEnd(end)
            guard end > token.end else { return nil }
        } else {
            guard byte(token.start) == "$" || byte(token.start) == "@" else { return nil }
        }
        guard byte(end) == "." else { return nil }
        while byte(end) == "." { end += 1 }
        guard end < bytes.count, Lexer.isLetter(bytes[end]) else { return nil }
        return SourceSpan(token.start, end)
    }

    // MARK: After a value

    /// Reads foreign syntax after an operand: `::type`, a comment of the shell.
    mutating func readForeignOperator() -> Bool? {
        let start = token.start
        if byte(start) == "#", isComparisonComplete, start + 1 == bytes.count || Lexer.isSpace(bytes[start + 1]) {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            report(.comment, at: SourceSpan(start, end), fixIts: [.init(SourceSpan(start, end), "")])
            move(to: end)
            return false
        }
        if byte(start) == ":", byte(start + 1) == ":", let operand = operands.last {
            let end = wordEnd(start + 2)
            let type = text(SourceSpan(start + 2, end))
            let whole = SourceSpan(operand.span.start, end)
            let meant = SyntaxSelector.castClass(ofSQL: type).map { "CAST(\(text(operand.span)), \"\($0)\")" }
            report(
                .sqlOperator, at: SourceSpan(start, end), "'::\(type)'", meant ?? "CAST(value, \"NSDate\")",
                fixIts: meant.map { [.init(whole, $0)] } ?? [])
            move(to: end)
            return false
        }
        if byte(start) == "~" {
            let end = byte(start + 1) == "=" ? start + 2 : start + 1
            let span = SourceSpan(start, end)
            // In Lua `~=` means not equal; in other languages a tilde matches a pattern.
            var ahead = lexer
            ahead.position = end
            let isPattern = ahead.next().kind == .string
            reportUnknownOperator(span, meant: isPattern ? "MATCHES" : "!=")
            return readInstead(.comparison(isPattern ? .matches : .notEqual), span)
        }
        return nil
    }

    /// Reads `CAST(x AS T)` at the word AS.
    mutating func readCastType() -> Bool? {
        guard case .special(.cast) = frame.kind, frame.itemCount == 0, text(token.span).uppercased() == "AS",
            !operands.isEmpty
        else { return nil }
        let operand = leftSide
        let type = peek()
        let span = token.span.joined(type.span)
        let name = text(type.span).filter { $0 != "'" && $0 != "\"" }
        let meant = name.hasPrefix("NS") ? name : SyntaxSelector.castClass(ofSQL: name)
        let fix = meant.map { ", \"\($0)\"" }
        report(
            .sqlOperator, at: span, "'\(text(span))'",
            "CAST(\(abbreviated(operand)), \"\(meant ?? SyntaxSelector.dateClass)\")",
            fixIts: fix.map { [.init(SourceSpan(operand.end, span.end), $0)] } ?? [])
        frames[frames.count - 1].kind = .parenthesis
        move(to: span.end)
        return false
    }

    /// Warns of ` -- text`, a comment in SQL, which is a subtraction of a negation here.
    mutating func warnOfDashes() {
        let start = token.start
        guard isComparisonComplete, byte(token.end) == "-", start > 0, Lexer.isSpace(bytes[start - 1]),
            token.end + 1 < bytes.count, Lexer.isSpace(bytes[token.end + 1])
        else { return }
        let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        let span = SourceSpan(start, end)
        diagnostics.append(Diagnostic(.comment, at: span, severity: .warning, fixIts: [.init(span, "")]))
    }

    /// Reports `-- only adults`, probably a SQL comment; here it is a negation of a negation.
    mutating func readDashes() -> Bool? {
        let start = token.start
        guard !isTrial, operands.isEmpty, operators.isEmpty, frames.count == 1, byte(start + 1) == "-",
            byte(start + 2) == " ", !bytes[start...].contains(0x0A)
        else { return nil }
        diagnostics.append(Diagnostic(.comment, at: SourceSpan(start, bytes.count), severity: .warning))
        return nil
    }

    // MARK: Numbers

    /// Reports a number that is malformed, with its probable meaning.
    mutating func reportMalformedNumber(_ span: SourceSpan) -> Bool {
        let word = text(span)
        if let range = readRange(span) { return range }
        // A bracket is missing, as in `SUBQUERY(pets, $p, $p.age > 3.@count`.
        if word.hasSuffix("."), byte(span.end) == "@", frames.count > 1 {
            let end = SourceSpan(span.end - 1, span.end - 1)
            report(
                .unclosedBracket, at: frame.opener, text(frame.opener), "write ) before .@", fixIts: [.init(end, ")")])
            stopped = true
            return false
        }
        if let glued = readNumberBeforeWord(span) { return glued }
        let lower = word.lowercased()
        let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        var (advice, fix): (String, String?) = ("quote it if it is text, or pass a key for %K", nil)
        if lower.hasPrefix("0b") {
            advice = "the digits of a binary number are 0 and 1"
        } else if lower.hasPrefix("0o") {
            advice = "the digits of an octal number are 0 to 7"
        } else if lower.hasPrefix("0x") {
            advice = "the digits of a hexadecimal number are 0 to 9 and A to F"
        } else if word.hasSuffix("."), word.dropLast().utf8.allSatisfy(Lexer.isDigit) {
            advice = "write \(word)0"
        } else if word.contains("_"), word.utf8.allSatisfy({ Lexer.isDigit($0) || $0 == UInt8(ascii: "_") }) {
            fix = word.filter { $0 != "_" }
        } else if ["f", "F", "l", "L", "u", "U", "d", "m", "ul", "UL"].contains(word.dropFirst(digits.count)) {
            fix = String(digits)
        } else if let chunk = unquotedChunk(from: span.start), chunk.end > span.end {
            report(
                .malformedNumber, at: chunk, abbreviated(chunk), suggestion: "\"\(text(chunk))\"",
                fixIts: [.init(chunk, "\"\(text(chunk))\"")])
            move(to: chunk.end)
            push(.value(.string(text(chunk))), span: chunk)
            return false
        } else if word.utf8.count >= 12, word.allSatisfy(\.isHexDigit) {
            // An identifier of a database.
            fix = "\"\(word)\""
        } else if let number = Double(digits), word.count - digits.count <= 3,
            word.dropFirst(digits.count).allSatisfy(\.isLetter)
        {
            advice =
                unitAdvice(number, String(word.dropFirst(digits.count)))
                ?? "write \(digits) without the unit, or quote it if it is text"
        } else if word.contains(".") {
            advice = "write one decimal point, with digits on both sides"
        }
        report(.malformedNumber, at: span, word, advice, suggestion: fix, fixIts: fix.map { [.init(span, $0)] } ?? [])
        advance()
        pushError(span)
        return false
    }

    /// Reads `1AND` as a number and a conjunction without a space.
    private mutating func readNumberBeforeWord(_ span: SourceSpan) -> Bool? {
        let end = numberEnd(span.start)
        let word = text(SourceSpan(end, span.end))
        guard end > span.start, ["AND", "OR"].contains(word.uppercased()) else { return nil }
        let number = text(SourceSpan(span.start, end))
        report(
            .missingSpace, at: span, text(span), "\(number) \(word)", fixIts: [.init(SourceSpan(end, end), " ")])
        move(to: end)
        push(number.contains(".") ? .value(.double(Double(number) ?? 0)) : .error, span: SourceSpan(span.start, end))
        return false
    }

    /// Advice for the numbers that `1MB` and `10k` mean; nil for other units.
    private func unitAdvice(_ number: Double, _ unit: String) -> String? {
        let letters = unit.lowercased()
        guard let power = ["k": 1, "m": 2, "g": 3, "t": 4][letters.first.map(String.init) ?? ""],
            ["", "b", "ib"].contains(letters.dropFirst())
        else { return nil }
        func digits(_ base: Double) -> String? {
            var value = number
            for _ in 0..<power { value *= base }
            return Int64(exactly: value).map(String.init)
        }
        guard let decimal = digits(1000), let binary = digits(1024) else { return nil }
        if letters.count == 1 { return "write the number: \(decimal)" }
        return letters.count == 3 ? "write the number: \(binary)" : "write the number: \(decimal), or \(binary) by 1024"
    }

    /// Reads `18...30` and `18..<30`, ranges of Swift and other languages, at the malformed number.
    private mutating func readRange(_ span: SourceSpan) -> Bool? {
        let firstEnd = digitsEnd(span.start)
        guard byte(firstEnd) == ".", byte(firstEnd + 1) == "." else { return nil }
        var second = firstEnd + 2
        let isHalfOpen = byte(second) == "<"
        if isHalfOpen || byte(second) == "." { second += 1 }
        let whole = SourceSpan(span.start, digitsEnd(second))
        let (lower, upper) = (text(SourceSpan(span.start, firstEnd)), text(SourceSpan(second, whole.end)))
        guard !upper.isEmpty else { return nil }
        let bounds = "{\(lower), \(upper)}"
        var (advice, fixIts): (String, [Diagnostic.FixIt]) = ("BETWEEN \(bounds)", [])
        if case .comparison(let comparison, _) = pending?.kind, let left = operands.last, let sign = pending?.span {
            let key = abbreviated(left.span)
            if isHalfOpen {
                advice = "\(key) >= \(lower) AND \(key) < \(upper)"
                fixIts = [.init(SourceSpan(left.span.start, whole.end), advice)]
            } else if comparison == .between {
                advice = bounds
                fixIts = [.init(whole, bounds)]
            } else if comparison == .in || comparison == .equal {
                fixIts = [.init(sign.joined(whole), advice)]
            }
        }
        report(.malformedNumber, at: whole, text(whole), "", suggestion: advice, fixIts: fixIts)
        move(to: whole.end)
        pushError(whole)
        return false
    }

    /// Reports `1,000` and `9,99` at the comma: a thousands separator or a decimal comma.
    mutating func readDecimalComma() -> Bool? {
        guard isGlued, let operand = operands.last, operand.span.end == token.start else { return nil }
        let next = peek()
        // `1.000,50`
        if previous.kind == .floatingPoint, next.kind == .integer, next.start == token.end {
            let parts = text(operand.span).split(separator: ".")
            guard parts.count == 2, parts[0].count <= 3, parts[1].count == 3, byte(next.end) != "," else { return nil }
            if case .comparison(.in, _) = pending?.kind { return nil }
            let number = operand.span.joined(next.span)
            let meant = parts.joined() + "." + text(next.span)
            report(.malformedNumber, at: number, text(number), "", suggestion: meant, fixIts: [.init(number, meant)])
            move(to: number.end)
            return false
        }
        guard previous.kind == .integer else { return nil }
        guard next.start == token.end, next.kind == .integer || next.kind == .floatingPoint else { return nil }
        if case .comparison(.in, _) = pending?.kind { return nil }
        var number = operand.span.joined(next.span)
        let isGrouped = text(next.span).prefix { $0 != "." }.count == 3
        while isGrouped, byte(number.end) == ",", digitsEnd(number.end + 1) == number.end + 4 {
            number = SourceSpan(number.start, number.end + 4)
        }
        // It is a list, as in `a == 1,2,3`.
        if byte(number.end) == "," { return nil }
        let meant = isGrouped ? text(number).filter { $0 != "," } : text(operand.span) + "." + text(next.span)
        report(.malformedNumber, at: number, text(number), "", suggestion: meant, fixIts: [.init(number, meant)])
        move(to: number.end)
        return false
    }

    // MARK: Scanning

    /// Moves to an offset and continues there.
    mutating func move(to end: Int) {
        previous = Token(kind: token.kind, span: SourceSpan(token.start, end))
        lexer.position = end
        token = lexer.next()
    }

    /// The character at an offset; a space after the end.
    func byte(_ index: Int) -> Character {
        guard index < bytes.count else { return " " }
        guard bytes[index] >= 0x80 else { return Character(Unicode.Scalar(bytes[index])) }
        return String(decoding: bytes[index...].prefix(4), as: UTF8.self).first ?? " "
    }

    private func end(_ start: Int, while belongs: (UInt8) -> Bool) -> Int {
        start < bytes.count ? bytes[start...].firstIndex { !belongs($0) } ?? bytes.count : start
    }
    func wordEnd(_ start: Int) -> Int { end(start, while: Lexer.isWord) }
    private func digitsEnd(_ start: Int) -> Int { end(start, while: Lexer.isDigit) }
    private func numberEnd(_ start: Int) -> Int {
        let whole = digitsEnd(start)
        guard byte(whole) == ".", digitsEnd(whole + 1) > whole + 1 else { return whole }
        return digitsEnd(whole + 1)
    }

    /// The span from an opening bracket to its partner; nil if that is more than 64 tokens away.
    func bracketed(_ opener: Token) -> SourceSpan? {
        var ahead = lexer
        ahead.position = opener.end
        var depth = 1
        for _ in 0..<64 {
            let next = ahead.next()
            switch next.kind {
            case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
            case .rightParenthesis, .rightBracket, .rightBrace:
                depth -= 1
                if depth == 0 { return SourceSpan(opener.start, next.end) }
            case .end: return nil
            default: break
            }
        }
        return nil
    }
}
