// Finds out what kind of text is expected at the cursor from the tokens before it, without a syntax tree.
// Completer.swift finds the candidates.

/// The tokens before the cursor and the unfinished word at the cursor.
struct CompletionContext {
    /// What is expected at the cursor.
    enum Expectation: Equatable {
        /// A value or a condition.
        case operand
        /// After a value: an operator, AND or OR.
        case behindOperand
        /// After the dot of a path.
        case member
        /// Inside the brackets after an operator.
        case options
        /// Inside a string.
        case text(quote: Character)
        /// Unknown, because the cursor is inside a number or after an error.
        case nothing
    }

    let bytes: [UInt8]
    /// The tokens without the unfinished word.
    private(set) var tokens: [Token]
    private(set) var expected = Expectation.operand
    /// The unfinished word and its bytes.
    private(set) var word = ""
    private(set) var range: Range<Int>

    init(_ text: String, cursor: Int, environment: PredicateEnvironment) {
        let all = Array(text.utf8)
        var end = min(max(0, cursor), all.count)
        while end > 0, end < all.count, all[end] & 0xC0 == 0x80 { end -= 1 }
        bytes = Array(all[..<end])
        tokens = Lexer.tokens(of: String(decoding: bytes, as: UTF8.self), options: environment.language).dropLast()
        range = end..<end
        takeWord(end)
        expected = findExpectation(end)
        if case .text = expected { word = String(decoding: bytes[range], as: UTF8.self) }
    }

    private mutating func takeWord(_ end: Int) {
        guard let last = tokens.last, last.span.end == end else { return }
        switch last.kind {
        case .identifier, .keyword, .and, .or, .not, .atWord, .variable, .escapedIdentifier, .error(.nonASCIIKey):
            break
        case .comparison, .binary: if !bytes[last.span.start].isLetter { return }
        // A single `@`, `$` or `#`.
        case .error(.unexpectedCharacter):
            guard last.span.count == 1, "@$#".utf8.contains(bytes[last.span.start]) else { return }
        default: return
        }
        tokens.removeLast()
        range = last.span.range
        word = String(decoding: bytes[range], as: UTF8.self)
    }

    private mutating func findExpectation(_ end: Int) -> Expectation {
        guard let last = tokens.last else { return .operand }
        switch last.kind {
        case .error(.unterminatedString):
            range = (last.span.start + 1)..<end
            tokens.removeLast()
            return .text(quote: Character(Unicode.Scalar(bytes[last.span.start])))
        case .error: return .nothing
        case .integer, .floatingPoint:
            return last.span.end == end ? .nothing : .behindOperand
        case .dot: return .member
        case .leftBracket: return opensOptions(tokens.count - 1) ? .options : .operand
        case .rightBracket: return closesOptions(tokens.count - 1) ? .operand : .behindOperand
        case .identifier, .escapedIdentifier, .atWord, .term, .variable, .string, .conversion, .rightParenthesis,
            .rightBrace:
            return .behindOperand
        case .keyword(let keyword): return Self.isValue(keyword) ? .behindOperand : .operand
        default: return .operand
        }
    }

    private static func isValue(_ keyword: Keyword) -> Bool {
        switch keyword {
        case .null, .nil, .selfObject, .true, .yes, .false, .no, .first, .last, .size, .anyKey, .truePredicate,
            .falsePredicate:
            true
        default: false
        }
    }

    // MARK: Looking back

    /// Whether this bracket opens the options of an operator.
    private func opensOptions(_ index: Int) -> Bool {
        if index > 0, case .comparison = tokens[index - 1].kind { true } else { false }
    }

    private func closesOptions(_ index: Int) -> Bool { enclosing(index).map(opensOptions) ?? false }

    /// The tokens of the value that ends before `end`.
    func operand(before end: Int) -> Range<Int> {
        var start = end
        while start > 0 {
            let index = start - 1
            switch tokens[index].kind {
            case .rightParenthesis, .rightBracket, .rightBrace:
                if closesOptions(index) { return start..<end }
                guard let opener = enclosing(index) else { return start..<end }
                start = opener
            case .and, .or, .not, .comma, .comparison, .assign, .leftParenthesis, .leftBracket, .leftBrace, .error:
                return start..<end
            case .keyword(let keyword):
                switch keyword {
                case .any, .some, .all, .none: return start..<end
                default: start = index
                }
            default: start = index
            }
        }
        return start..<end
    }

    /// The quantifier before a value: ANY, ALL …
    func quantifier(before start: Int) -> ComparisonModifier {
        guard start > 0, case .keyword(let keyword) = tokens[start - 1].kind else { return .direct }
        switch keyword {
        case .any, .some, .none: return .any
        case .all: return .all
        default: return .direct
        }
    }

    /// The comparison whose right side ends at `end`, or has a list element there. Returns the tokens of its left side
    /// and its operator.
    func comparison(at end: Int) -> (left: Range<Int>, operation: ComparisonOperator)? {
        var index = end - 1
        // Inside `{1, 2`, go back to the brace.
        if index >= 0, tokens[index].kind == .comma || tokens[index].kind == .leftBrace {
            guard let brace = enclosing(end), tokens[brace].kind == .leftBrace else { return nil }
            index = brace - 1
        }
        if index >= 0, tokens[index].kind == .rightBracket, closesOptions(index), let opener = enclosing(index) {
            index = opener - 1
        }
        guard index >= 0, case .comparison(let operation) = tokens[index].kind else { return nil }
        return (operand(before: index), operation)
    }

    /// The innermost bracket that is open at `end`. For the index of a closing bracket, the one that it closes.
    func enclosing(_ end: Int) -> Int? {
        var depth = 0
        for index in stride(from: end - 1, through: 0, by: -1) {
            switch tokens[index].kind {
            case .rightParenthesis, .rightBracket, .rightBrace: depth += 1
            case .leftParenthesis, .leftBracket, .leftBrace:
                if depth == 0 { return index }
                depth -= 1
            default: break
            }
        }
        return nil
    }

    /// The function call or special form around `end`: its name, and the tokens of each argument before `end`.
    func form(around end: Int) -> (word: Token, arguments: [Range<Int>], open: Int)? {
        guard let open = enclosing(end), tokens[open].kind == .leftParenthesis, open > 0 else { return nil }
        var arguments: [Range<Int>] = []
        var start = open + 1
        var depth = 0
        for index in (open + 1)..<max(open + 1, end) {
            switch tokens[index].kind {
            case .leftParenthesis, .leftBracket, .leftBrace: depth += 1
            case .rightParenthesis, .rightBracket, .rightBrace: depth -= 1
            case .comma where depth == 0:
                arguments.append(start..<index)
                start = index + 1
            default: break
            }
        }
        return (tokens[open - 1], arguments, open)
    }

    func text(_ range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last else { return "" }
        return String(decoding: bytes[tokens[first].span.start..<tokens[last].span.end], as: UTF8.self)
    }
}
