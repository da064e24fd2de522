// Splits the arguments of a call at its commas, and joins the parts of a format. The scanners of Swift and
// Objective-C use both.

import PredicateRecords
import PredicateSyntax

/// The arguments between two brackets.
struct CallArguments {
    /// How many tokens of one call are read. The arguments of a longer call count as hidden. Without a limit,
    /// nested calls would be read once per level.
    static let maximumTokens = 4096

    /// The tokens of each argument.
    private(set) var arguments: [ArraySlice<SourceToken>] = []
    /// Whether the closing bracket was found.
    private(set) var isWhole = false

    /// - Parameter tokens: the tokens after the opening bracket, `(` or `[`.
    init(_ tokens: ArraySlice<SourceToken>) {
        var depth = 0
        var start = tokens.startIndex
        for index in tokens.indices.prefix(Self.maximumTokens) {
            guard case .sign(let byte) = tokens[index].kind else { continue }
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth < 0 {
                    if index > start { arguments.append(tokens[start..<index]) }
                    isWhole = true
                    return
                }
            case UInt8(ascii: ",") where depth == 0:
                arguments.append(tokens[start..<index])
                start = index + 1
            default: break
            }
        }
        if start < tokens.endIndex { arguments.append(tokens[start...].prefix(Self.maximumTokens)) }
    }

    /// The operands of a sum: the tokens split at each `+` outside brackets.
    static func operands(_ tokens: ArraySlice<SourceToken>) -> [ArraySlice<SourceToken>] {
        var operands: [ArraySlice<SourceToken>] = []
        var depth = 0
        var start = tokens.startIndex
        for index in tokens.indices {
            guard case .sign(let byte) = tokens[index].kind else { continue }
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "+") where depth == 0:
                operands.append(tokens[start..<index])
                start = index + 1
            default: break
            }
        }
        operands.append(tokens[start...])
        return operands
    }

    /// The possible values of an expression without its outer brackets: both branches of `a ? b : c`, at any
    /// depth, or the expression itself.
    static func choices(_ tokens: ArraySlice<SourceToken>) -> [ArraySlice<SourceToken>] {
        var choices: [ArraySlice<SourceToken>] = []
        var pending = [tokens]
        while let next = pending.popLast() {
            let value = unwrapped(next)
            guard let (first, second) = branches(value), choices.count + pending.count < 64 else {
                choices.append(value)
                continue
            }
            pending += [second, first]
        }
        return choices
    }

    /// The branches of `a ? b : c`. A `?` without a colon after it is another operator of Swift.
    private static func branches(
        _ tokens: ArraySlice<SourceToken>
    ) -> (ArraySlice<SourceToken>, ArraySlice<SourceToken>)? {
        var depth = 0
        var marks: [Int] = []
        for index in tokens.indices {
            guard case .sign(let byte) = tokens[index].kind else { continue }
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            case UInt8(ascii: "?") where depth == 0 && !isPostfix(tokens, index): marks.append(index)
            case UInt8(ascii: ":") where depth == 0:
                guard let mark = marks.popLast() else { return nil }
                if marks.isEmpty { return (tokens[(mark + 1)..<index], tokens[(index + 1)...]) }
            default: break
            }
        }
        return nil
    }

    /// Whether a `?` belongs to `a?.b`, `a ?? b` or `as? B`: it touches another sign, or the token before it
    /// but not the one after it.
    private static func isPostfix(_ tokens: ArraySlice<SourceToken>, _ index: Int) -> Bool {
        let touchesBefore = index > tokens.startIndex && tokens[index - 1].end == tokens[index].start
        guard index + 1 < tokens.endIndex else { return true }
        let touchesNext = tokens[index].end == tokens[index + 1].start
        if touchesBefore, tokens[index - 1].isSign("?") || !touchesNext { return true }
        return touchesNext && (tokens[index + 1].isSign("?") || tokens[index + 1].isSign("."))
    }

    /// Removes the brackets around the whole expression.
    static func unwrapped(_ tokens: ArraySlice<SourceToken>) -> ArraySlice<SourceToken> {
        var tokens = tokens
        while let first = tokens.first, let last = tokens.last, tokens.count > 2, first.isSign("("), last.isSign(")") {
            let inner = tokens.dropFirst().dropLast()
            guard CallArguments(tokens.dropFirst()).closesLast(of: tokens) else { return tokens }
            tokens = inner
        }
        return tokens
    }

    private func closesLast(of tokens: ArraySlice<SourceToken>) -> Bool {
        guard isWhole, let end = arguments.last?.endIndex else { return false }
        return end == tokens.endIndex - 1
    }
}

extension ArraySlice<SourceToken> {
    var span: SourceSpan {
        guard let first, let last else { return .none }
        return SourceSpan(first.start, last.end)
    }
}

/// Joins the parts of a format: literals, and text known only at run time.
struct FormatBuilder {
    private(set) var text: SourcedText?
    private(set) var holes: [FoundPredicate.Hole] = []
    private(set) var hasLiteral = false

    mutating func add(_ part: SourcedText, _ partHoles: [FoundPredicate.Hole] = []) {
        hasLiteral = true
        join(part, partHoles)
    }

    mutating func add(unknown span: SourceSpan) {
        var part = SourcedText(at: span.start)
        part.append(SourceLiteral.placeholder, from: span.range)
        join(part, [FoundPredicate.Hole(span: SourceSpan(0, part.bytes.count), source: span)])
    }

    private mutating func join(_ part: SourcedText, _ partHoles: [FoundPredicate.Hole]) {
        let offset = text?.bytes.count ?? 0
        if text == nil { text = part } else { text?.append(part) }
        holes += partHoles.map {
            FoundPredicate.Hole(span: SourceSpan($0.span.start + offset, $0.span.end + offset), source: $0.source)
        }
    }
}
