// Splits the arguments of a call at its commas, and joins the parts of a format. The scanners of Swift and
// Objective-C use both.

/// The arguments between two brackets.
struct CallArguments {
    /// The maximum number of tokens read for a call without a closing bracket.
    static let maximumTokens = 256

    private(set) var arguments: [ArraySlice<SourceToken>] = []
    /// Whether the closing bracket was found.
    private(set) var isWhole = false

    /// Reads the arguments of the call whose bracket opens at an index; -1 means that there is no bracket. Cost: linear
    /// in the tokens up to the closing bracket, without those in nested brackets.
    ///
    /// - Parameter start: the index of the first token to read.
    init(_ tokens: ArraySlice<SourceToken>, openedAt open: Int, from start: Int) {
        if open >= 0, tokens[open].partner > open {
            self.init(tokens[start...tokens[open].partner])
        } else {
            let read = tokens[start...].prefix(Self.maximumTokens)
            self.init(read)
            // The last argument may be cut off, so it is dropped.
            if read.endIndex < tokens.endIndex, !isWhole, !arguments.isEmpty { arguments.removeLast() }
        }
    }

    /// - Parameter tokens: the tokens after the opening bracket, `(` or `[`.
    init(_ tokens: ArraySlice<SourceToken>) {
        var start = tokens.startIndex
        tokens.forEachOutside { index in
            if tokens[index].isClosing {
                if index > start { arguments.append(tokens[start..<index]) }
                isWhole = true
                return false
            }
            if tokens[index].isSign(",") {
                arguments.append(tokens[start..<index])
                start = index + 1
            }
            return true
        }
        if !isWhole, start < tokens.endIndex { arguments.append(tokens[start...]) }
    }

    /// The call without its first `count` arguments.
    func dropFirst(_ count: Int) -> CallArguments {
        var call = self
        call.arguments.removeFirst(min(count, call.arguments.count))
        return call
    }

    /// The operands of a sum: the tokens split at each `+` outside brackets.
    static func operands(_ tokens: ArraySlice<SourceToken>) -> [ArraySlice<SourceToken>] {
        var operands: [ArraySlice<SourceToken>] = []
        var start = tokens.startIndex
        tokens.forEachOutside { index in
            guard tokens[index].isSign("+") else { return true }
            operands.append(tokens[start..<index])
            start = index + 1
            return true
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

    /// The branches of `a ? b : c`. A `?` without a following colon is another Swift operator.
    private static func branches(
        _ tokens: ArraySlice<SourceToken>
    ) -> (ArraySlice<SourceToken>, ArraySlice<SourceToken>)? {
        var marks: [Int] = []
        var found: (ArraySlice<SourceToken>, ArraySlice<SourceToken>)?
        tokens.forEachOutside { index in
            if tokens[index].isSign("?"), !isPostfix(tokens, index) {
                marks.append(index)
            } else if tokens[index].isSign(":") {
                guard let mark = marks.popLast() else { return false }
                if marks.isEmpty { found = (tokens[(mark + 1)..<index], tokens[(index + 1)...]) }
            }
            return found == nil
        }
        return found
    }

    /// Whether a `?` belongs to `a?.b`, `a ?? b` or `as? B`: it is next to another operator character, or directly
    /// after a token and not directly before one.
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
        while let first = tokens.first, tokens.count > 2, first.isSign("("), first.partner == tokens.endIndex - 1,
            tokens[first.partner].isSign(")")
        {
            tokens = tokens.dropFirst().dropLast()
        }
        return tokens
    }
}

extension ArraySlice<SourceToken> {
    var span: SourceSpan {
        guard let first, let last else { return .none }
        return SourceSpan(first.start, last.end)
    }

    /// Calls `body` for each index outside nested brackets, and for the brackets themselves, until it returns false.
    /// Text after a bracket that is never closed belongs to that bracket.
    func forEachOutside(_ body: (Int) -> Bool) {
        var index = startIndex
        while index < endIndex {
            guard body(index) else { return }
            if self[index].isOpening {
                index = self[index].partner
                guard index >= 0, index < endIndex else { return }
            }
            index += 1
        }
    }
}
