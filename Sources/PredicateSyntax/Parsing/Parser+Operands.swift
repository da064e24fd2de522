// Parses the start of a value or a condition.

extension PredicateParser {
    /// Reads an operand, a prefix operator or an opening bracket.
    /// - Returns: whether an operand is still expected.
    mutating func readOperand() -> Bool {
        let span = token.span
        if followsDot, !startsStep(token.kind) { return reportStep() }
        switch token.kind {
        case .identifier, .selector: return readName()
        case .escapedIdentifier:
            advance()
            if let macro = readPredicateMacro(span) ?? readKeyPathMacro(span) { return macro }
            return pushed(.keyPath([text(SourceSpan(span.start + 1, span.end))]), span)
        case .atWord:
            advance()
            return pushed(.keyPath([text(span)]), span)
        case .term: return readTerm()
        case .variable: return readVariable()
        case .string: return readString()
        case .integer, .floatingPoint: return readNumber(span, negative: false)
        case .conversion: return readConversion()
        case .keyword(let keyword): return readKeyword(keyword)
        case .not:
            guard allowsCondition else { return reportExpectedExpression() }
            pushPrefix(.not, .not)
            return true
        case .binary(.subtract): return readDashes() ?? readMinus()
        case .leftParenthesis: return readBoundsInParentheses() ?? open(.parenthesis, word: span)
        case .leftBrace: return readBracketedCondition() ?? open(.aggregate, word: span)
        case .leftBracket: return openWrongList()
        case .rightParenthesis, .rightBracket, .rightBrace: return readClosingInsteadOfOperand()
        case .comparison: return readPlaceholder() ?? readOperatorInsteadOfOperand()
        case .error(.comment) where isWaitingForText: return reportExpectedExpression()
        case .error(let error): return readLexicalError(error)
        case .end, .and, .or, .binary, .assign, .comma, .dot: return reportExpectedExpression()
        }
    }

    private mutating func pushed(_ kind: ExpressionNode.Kind, _ span: SourceSpan) -> Bool {
        push(kind, span: span)
        return false
    }

    mutating func pushPrefix(_ kind: PendingOperator.Kind, _ precedence: Precedence) {
        operators.append(
            PendingOperator(kind: kind, precedence: precedence, span: token.span, firstOperand: operands.count))
        advance()
    }

    /// Whether a condition is allowed here, and not only a value: at the start, or after AND, OR or NOT.
    var allowsCondition: Bool { !hasPending || operators[operators.count - 1].precedence <= .not }

    // MARK: Words

    private mutating func readName() -> Bool {
        let span = token.span
        let isSelector = token.kind == .selector
        if let identifier = readUnquotedUUID() { return identifier }
        advance()
        if !isSelector, let clause = readStatement(span) ?? readClause(span) { return clause }
        if token.kind == .leftParenthesis { return readPredicateMacro(span) ?? open(.call, word: span) }
        guard isSelector else { return pushed(.keyPath([text(span)]), span) }
        let key = SourceSpan(span.start, span.end - 1)
        if allowsCondition, frame.kind == .root || frame.kind == .parenthesis, startsOperand(token.kind),
            !bytes[key.range].contains(UInt8(ascii: ":"))
        {
            push(.keyPath([text(key)]), span: key)
            return readForeignEquality(SourceSpan(key.end, span.end))
        }
        if frame.kind == .special(.function) {
            report(.selectorLiteral, at: span, fixIts: [.init(span, "\"\(text(span))\"")])
        } else {
            if case .comparison = pending?.kind, let chunk = unquotedChunk(from: span.start), chunk.count > span.count {
                return readAsText(chunk)
            }
            if let colons = readDoubleColon(span) { return colons }
            let isMember = frame.kind == .aggregate
            report(
                .expectedExpression, at: span, "'\(text(span))'",
                isMember ? "pass a dictionary for %@" : "remove the colon, or write ==")
        }
        return recover()
    }

    private mutating func readVariable() -> Bool {
        let span = token.span
        let name = text(SourceSpan(span.start + 1, span.end))
        advance()
        let isTarget = token.kind == .assign && !followsDot
        push(.variable(name), span: span)
        return isTarget ? pushInfix(.assignment, .assignment) : false
    }

    private mutating func readTerm() -> Bool {
        let span = token.span
        advance()
        let body = text(SourceSpan(span.start + 1, span.end))
        // Searches for a scalar, because a combining mark after the bracket would make it a different Character.
        let end = body.unicodeScalars.firstIndex(of: "(") ?? body.endIndex
        let name = body[..<end]
        let argument = Substring(body.unicodeScalars[end...].dropFirst().dropLast(body.hasSuffix(")") ? 1 : 0))
        if !options.contains(.deviceManagementTerms) {
            guard ["status", "property", "key"].contains(name) else {
                let call = SourceSpan(span.start + 1 + name.utf8.count, span.end)
                let path = argument.trimmingSpaces()
                guard !path.isEmpty, path.utf8.allSatisfy({ Lexer.isWord($0) || $0 == UInt8(ascii: ".") }) else {
                    report(.unexpectedText, at: call, "'\(abbreviated(call))'", fixIts: [.init(call, "")])
                    return pushed(.keyPath(["@" + name]), span)
                }
                var keys = path.split(separator: ".").map(String.init)
                if name == "count" {
                    keys.append("@" + name)
                } else {
                    keys.insert("@" + name, at: max(0, keys.count - 1))
                }
                let meant = followsDot ? "@\(name).\(path)" : keys.joined(separator: ".")
                report(
                    .unexpectedText, at: call, "'\(abbreviated(call))'", suggestion: meant, fixIts: [.init(span, meant)]
                )
                return pushed(.keyPath(followsDot ? ["@" + name, path] : keys), span)
            }
            report(.deviceManagementTerm, at: span, text(span))
        } else if !body.hasSuffix(")") {
            report(
                .unclosedBracket, at: SourceSpan(span.start + 1 + name.utf8.count, span.start + 2 + name.utf8.count),
                "(")
        }
        return pushed(.term(String(name), argument: argument.trimmingSpaces()), span)
    }

    private mutating func readKeyword(_ keyword: Keyword) -> Bool {
        let span = token.span
        if followsDot {
            // After a dot a reserved word is always a key, except in `CAST("b c", "$key")`. Apple requires a leading
            // `#`, and its printer writes one.
            advance()
            if keyword == .cast, token.kind == .leftParenthesis { return open(.special(.cast), word: span) }
            return pushed(.keyPath([text(span)]), span)
        }
        switch keyword {
        case .null, .nil: return constant(.null)
        case .true, .yes: return constant(.bool(true))
        case .false, .no: return constant(.bool(false))
        case .selfObject:
            advance()
            return pushed(.selfObject, span)
        case .anyKey:
            advance()
            return pushed(.anyKey, span)
        case .truePredicate, .falsePredicate:
            advance()
            push(PredicateNode(.constant(keyword == .truePredicate), span: span), span: span)
            return false
        case .any, .some, .all, .none:
            guard allowsCondition else { return reportExpectedExpression() }
            pushPrefix(.quantifier(keyword), .quantifier)
            return true
        case .subquery, .cast, .ternary, .function, .fetch:
            advance()
            if token.kind == .leftParenthesis { return open(.special(keyword), word: span) }
            if startsOperand(token.kind) {
                report(.expectedOperator, at: span, "'\(text(span))' without parentheses", "write \(keyword.form)")
                return recover()
            }
            return reportReservedWord(keyword, span)
        case .first, .last, .size: return readIndexSymbol(keyword)
        default: return reportReservedWord(keyword, span, advancing: true)
        }
    }

    private mutating func constant(_ value: PredicateValue) -> Bool {
        let span = token.span
        advance()
        return pushed(.value(value), span)
    }

    private mutating func readIndexSymbol(_ keyword: Keyword) -> Bool {
        let span = token.span
        advance()
        if isWholeIndex, let symbol = IndexSymbol(rawValue: keyword.rawValue) {
            return pushed(.indexSymbol(symbol), span)
        }
        if token.kind == .leftParenthesis {
            let key = peek().kind == .identifier ? text(peek().span) : "list"
            let meant = keyword == .size ? "\(key).@count" : "\(key)[\(keyword.rawValue)]"
            report(.unknownFunction, at: span, text(span), suggestion: meant)
            return recover()
        }
        report(
            .indexSymbol, at: span, keyword.rawValue, text(span),
            fixIts: [.init(SourceSpan(span.start, span.start), "#")])
        return pushed(.keyPath([text(span)]), span)
    }

    /// Whether the previous word is the whole content of index brackets, or the index argument of
    /// `objectFrom:withIndex:(a, LAST)`. FIRST, LAST and SIZE cannot be used in computations.
    private var isWholeIndex: Bool {
        guard !hasPending else { return false }
        switch frame.kind {
        case .index: return token.kind == .rightBracket || token.kind == .end || isComparison(token) && isUnclosedIndex
        case .call where frame.itemCount == 1 && (token.kind == .rightParenthesis || token.kind == .end):
            return text(frame.word) == SyntaxSelector.element
        default: return false
        }
    }

    // MARK: Literals

    private mutating func readString() -> Bool {
        let span = token.span
        advance()
        switch Literals.string(bytes, span) {
        case .text(let string): return pushed(.value(.string(string)), span)
        case .malformed(let place, let advice):
            report(.malformedEscape, at: place, text(place), advice)
            pushError(span)
            return false
        }
    }

    /// A minus sign directly before a number is part of the number; before anything else it is a negation.
    private mutating func readMinus() -> Bool {
        let sign = token.span
        switch peek().kind {
        case .integer, .floatingPoint:
            advance()
            return readNumber(SourceSpan(sign.start, token.end), negative: true)
        default:
            pushPrefix(.negation, .negation)
            return true
        }
    }

    private mutating func readNumber(_ whole: SourceSpan, negative: Bool) -> Bool {
        let span = token.span
        let kind = token.kind
        if let identifier = readUnquotedUUID() { return identifier }
        advance()
        if kind == .floatingPoint {
            let value = Literals.floatingPoint(bytes, span)
            if !value.isFinite { report(.numberOverflow, at: span, text(span), "a double is at most 1.7e308") }
            return pushed(.value(.double(negative ? -value : value)), whole)
        }
        let magnitude = Literals.integer(bytes, span)
        if let magnitude, let value = Int64(exactly: negative ? -Int128(magnitude) : Int128(magnitude)) {
            return pushed(.value(.integer(value)), whole)
        }
        report(.numberOverflow, at: whole, text(whole))
        pushError(whole)
        return false
    }
}

extension StringProtocol {
    func trimmingSpaces() -> String {
        var rest = self[...]
        while let first = rest.unicodeScalars.first, first == " " || first == "\t" { rest = rest.dropFirst() }
        while let last = rest.unicodeScalars.last, last == " " || last == "\t" { rest = rest.dropLast() }
        return String(rest)
    }
}
