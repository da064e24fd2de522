// Finds the predicates that shell scripts pass to the log command: log show --predicate '…'.

enum ShellScanner {
    private static let option = Array("--predicate".utf8)
    private static let commands: Set = ["show", "stream", "collect", "erase", "stats"]

    static func predicates(in bytes: [UInt8]) -> [FoundPredicate] {
        guard bytes.containsAny(of: [option]) else { return [] }
        var found: [FoundPredicate] = []
        var line = ShellLine()
        var at = 0
        while let start = bytes[at...].firstIndex(of: option[0]) {
            at = start + 1
            guard start > 0, bytes[start - 1].isSpace, bytes[start...].starts(with: option) else { continue }
            line.read(bytes, to: start)
            guard let command = line.command, isLog(bytes[command..<start]) else { continue }
            var word = ShellWord(bytes, at: start + option.count)
            guard word.read() else {
                // A quote that is not closed: what follows is inside of it.
                if word.at >= bytes.count { break }
                continue
            }
            at = max(at, word.at)
            // Nothing is known of `"$PREDICATE"`.
            guard word.holes.first?.span != SourceSpan(0, word.text.bytes.count) else { continue }
            found.append(
                FoundPredicate(
                    text: word.text, holes: word.holes, expectsHoles: true, unexpanded: word.unexpanded,
                    owner: "log --predicate",
                    site: CallSite(profile: "oslog"), spelling: .shell(quote: word.quote)))
        }
        return found
    }

    /// Whether the words before the option are those of the log command. They are at the beginning, so only that is read
    /// of a long command with many options.
    private static func isLog(_ command: ArraySlice<UInt8>) -> Bool {
        let words = command.prefix(1024).split { $0.isSpace || "\"'=\\".utf8.contains($0) }
            .map { String(decoding: $0, as: UTF8.self) }
        return zip(words, words.dropFirst()).contains { command, verb in
            (command == "log" || command.hasSuffix("/log")) && commands.contains(verb)
        }
    }
}

/// Reads the lines of a script once, and knows where the current command begins.
private struct ShellLine {
    /// The open quotation mark, or 0. A command in `$(…)` has quotes of its own.
    private var quotes: [UInt8] = [0]
    private var start = 0
    private var at = 0
    private var isComment = false

    /// The start of the current command; nil in quotes and in a comment.
    var command: Int? { quotes.last == 0 && !isComment ? start : nil }

    mutating func read(_ bytes: [UInt8], to end: Int) {
        let (apostrophe, quotation) = (UInt8(ascii: "'"), UInt8(ascii: "\""))
        while at < end {
            let byte = bytes[at]
            let quote = quotes[quotes.count - 1]
            let opens = byte == UInt8(ascii: "(") && at > 0 && bytes[at - 1] == UInt8(ascii: "$")
            // A line continues the line before it if that ends in a backslash.
            if byte == UInt8(ascii: "\n"), at == 0 || bytes[at - 1] != UInt8(ascii: "\\") {
                (quotes, start, isComment) = ([0], at + 1, false)
            } else if isComment {
                // Until the end of the line.
            } else if byte == UInt8(ascii: "\\"), quote != apostrophe {
                at += 1
            } else if byte == apostrophe && quote != quotation || byte == quotation && quote != apostrophe {
                quotes[quotes.count - 1] = quote == 0 ? byte : 0
            } else if opens, quote != apostrophe {
                quotes.append(0)
                start = at + 1
            } else if quote == 0 {
                isComment = byte == UInt8(ascii: "#") && (at == 0 || bytes[at - 1].isSpace)
                if byte == UInt8(ascii: ")"), quotes.count > 1 { quotes.removeLast() }
                if "();|&`".utf8.contains(byte) { start = at + 1 }
            }
            at += 1
        }
    }
}

/// The word of a shell script after an option. Variables and commands in it are holes.
private struct ShellWord {
    let bytes: [UInt8]
    var at: Int
    var text: SourcedText
    var holes: [FoundPredicate.Hole] = []
    /// The variables in single quotes.
    private(set) var unexpanded: [SourceSpan] = []
    /// The quotation mark around the whole word; nil if there are several.
    private(set) var quote: UInt8?
    private var parts = 0

    init(_ bytes: [UInt8], at start: Int) {
        self.bytes = bytes
        at = start
        text = SourcedText(at: start)
    }

    /// Reads the word. Returns false if there is none, if it has no quotes, or if a quote is not closed.
    mutating func read() -> Bool {
        guard at < bytes.count, bytes[at] == UInt8(ascii: "=") || bytes[at].isSpace else { return false }
        if bytes[at] == UInt8(ascii: "=") { at += 1 }
        skipSpace()
        while at < bytes.count, !bytes[at].isSpace, !";|&()<>".utf8.contains(bytes[at]) {
            let mark = bytes[at]
            if mark == UInt8(ascii: "'") || mark == UInt8(ascii: "\"") {
                parts += 1
                quote = parts == 1 ? mark : nil
                guard readQuoted(mark) else { return false }
            } else {
                if parts == 0 { return false }
                quote = nil
                readPlain()
            }
        }
        return parts > 0
    }

    private mutating func skipSpace() {
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 || isContinuation(at) {
            at += isContinuation(at) ? 2 : 1
        }
    }

    private func isContinuation(_ index: Int) -> Bool {
        bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
    }

    private mutating func readQuoted(_ mark: UInt8) -> Bool {
        at += 1
        if text.isEmpty { text = SourcedText(at: at) }
        while at < bytes.count, bytes[at] != mark {
            if mark == UInt8(ascii: "'") {
                let count = variableLength
                if count > 0 { unexpanded.append(SourceSpan(text.bytes.count, text.bytes.count + count)) }
                text.append(verbatim: bytes, at..<at + 1)
                at += 1
            } else {
                readPlain()
            }
        }
        guard at < bytes.count else { return false }
        at += 1
        return true
    }

    /// The length of `$NAME`, `${NAME}` or `$(command)` in single quotes, where the shell replaces nothing; else 0.
    private var variableLength: Int {
        guard bytes[at] == UInt8(ascii: "$") else { return 0 }
        let rest = bytes[(at + 1)...].prefix(64).prefix { $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\n") }
        if let close = [UInt8(ascii: "{"): UInt8(ascii: "}"), UInt8(ascii: "("): UInt8(ascii: ")")][rest.first ?? 0] {
            return rest.firstIndex(of: close).map { $0 + 1 - at } ?? 0
        }
        // The names of Swift's symbols begin with `$s` and a digit.
        let name = rest.prefix { $0.isOfWord }
        return name.isEmpty || name.first == UInt8(ascii: "s") && name.dropFirst().first?.isDigit == true
            ? 0 : name.count + 1
    }

    /// Reads a character, an escape, a variable or a command.
    private mutating func readPlain() {
        let start = at
        switch bytes[at] {
        case UInt8(ascii: "\\") where isContinuation(at): at += 2
        case UInt8(ascii: "\\") where at + 1 < bytes.count && "\"\\$`'".utf8.contains(bytes[at + 1]):
            at += 2
            text.append([bytes[start + 1]], from: start..<at)
        case UInt8(ascii: "`"):
            at = (bytes[(at + 1)...].firstIndex(of: UInt8(ascii: "`")) ?? bytes.count - 1) + 1
            text.appendHole(start..<at, &holes)
        case UInt8(ascii: "$") where at + 1 < bytes.count && isVariable(bytes[at + 1]):
            skipVariable()
            text.appendHole(start..<at, &holes)
        default:
            at += 1
            text.append(verbatim: bytes, start..<at)
        }
    }

    private func isVariable(_ byte: UInt8) -> Bool {
        SourceCursor.isWordByte(byte) || "{(@*#?!".utf8.contains(byte)
    }

    private mutating func skipVariable() {
        at += 1
        let open = bytes[at]
        guard open == UInt8(ascii: "{") || open == UInt8(ascii: "(") else {
            at += 1
            if SourceCursor.isWordByte(open), open > UInt8(ascii: "9") {
                while at < bytes.count, SourceCursor.isWordByte(bytes[at]) { at += 1 }
            }
            return
        }
        let close = open == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: ")")
        var depth = 0
        repeat {
            if bytes[at] == open { depth += 1 } else if bytes[at] == close { depth -= 1 }
            at += 1
        } while at < bytes.count && depth > 0
    }
}
