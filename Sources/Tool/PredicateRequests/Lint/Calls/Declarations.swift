// Finds the constants, variables and parameters of a source file: formats have names, and arguments have declared types.
// FormatReader looks names up here.

/// The declarations of a file, with their scopes, and the statements that change a variable. A name with an uncertain
/// meaning has no type and no value. Cost: linear; a look-up has a limit.
struct Declarations {
    struct Declaration {
        let index: Int
        /// The tokens where the name has this meaning.
        let scope: Range<Int>
        /// `Int64`, in Objective-C `int64_t` or `NSString*`, `[` for a collection; empty if it is unknown.
        let type: String
        /// The first token of the value.
        let value: Int?
        let isConstant: Bool
    }

    private static let limit = 64

    let bytes: [UInt8]
    let language: SourceFile.Kind
    private let tokens: [SourceToken]
    private let sites: CallSites
    private var declared: [String: [Declaration]] = [:]
    private var changes: [String: [Int]] = [:]
    /// The texts of macros, which are constants.
    private let macros: [String: ArraySlice<SourceToken>]
    /// The functions of Python, which has no brackets around them.
    private let functions: [Int]

    init(
        _ bytes: [UInt8], _ tokens: [SourceToken], _ language: SourceFile.Kind, _ sites: CallSites, macros: [Macro] = []
    ) {
        (self.bytes, self.tokens, self.language, self.sites) = (bytes, tokens, language, sites)
        let texts = macros.filter { $0.parameters == nil && $0.body.allSatisfy { $0.isText || $0.isSign("@") } }
        self.macros = Dictionary(texts.map { ($0.name, $0.body[...]) }) { _, _ in [] }
        functions = language == .python ? tokens.indices.filter { bytes.word(tokens[$0], is: "def") } : []
        for index in tokens.indices where tokens[index].kind == .word {
            switch language {
            case .swift: readSwift(index)
            case .python: readPython(index)
            default: readC(index)
            }
            if isChange(index) { changes[word(index), default: []].append(index) }
        }
    }

    // MARK: Looking up

    /// The declaration of a name that stands at a token.
    func declaration(of name: String, at index: Int) -> Declaration? {
        guard let all = declared[name] else { return nil }
        let next = all.indices.first(fromWhich: { all[$0].index > index })
        return all[..<next].suffix(Self.limit).last { $0.scope.contains(index) }
    }

    /// The values that a name at a token may have, and whether the first is its only one; nil if they are unknown.
    /// Without a token, the text of the only constant of the file with this name.
    func values(of name: String, at index: Int?) -> (values: [ArraySlice<SourceToken>], isConstant: Bool)? {
        guard let found = index.flatMap({ declaration(of: name, at: $0) }) else {
            let only = declared[name]?.count == 1 && changes[name] == nil ? declared[name]?.first : nil
            let value = macros[name] ?? (only?.isConstant == true ? only?.value.map(statement) : nil)
            return value?.allSatisfy { $0.isText || $0.isSign("@") } == true ? value.map { ([$0], true) } : nil
        }
        let all = changes[name] ?? []
        let first = all.indices.first(fromWhich: { all[$0] > found.index })
        let later = all[first...].prefix(Self.limit).filter(found.scope.contains)
        let values = (found.value.map { [statement($0)] } ?? []) + later.map(changed)
        return values.isEmpty ? nil : (values, later.isEmpty && found.isConstant)
    }

    /// The tokens from a value to the end of its statement; none if they are too many.
    func statement(_ start: Int) -> ArraySlice<SourceToken> {
        var end = start
        for _ in 0..<CallArguments.maximumTokens where end < tokens.count {
            let isNext = end > start && language != .objectiveC && beginsLine(end)
            if isNext || tokens[end].isClosing || tokens[end].isSign(";") || tokens[end].isSign(",") { break }
            end = max(end, tokens[end].isOpening ? tokens[end].partner : end) + 1
        }
        return end - start < CallArguments.maximumTokens ? tokens[min(start, end)..<min(end, tokens.count)] : []
    }

    /// Whether a token begins a statement on a new line.
    private func beginsLine(_ index: Int) -> Bool {
        guard index > 0 else { return true }
        let gap = bytes[tokens[index - 1].end..<tokens[index].start]
        guard gap.contains(where: SourceCursor.isLineEnd) else { return false }
        if language == .python { return !gap.contains(UInt8(ascii: "\\")) }
        return !["+", ".", "?", ":", "=", "{", "-"].contains { isSign(index, $0) || isSign(index - 1, $0) }
    }

    // MARK: Reading

    private func isSign(_ index: Int, _ sign: Unicode.Scalar) -> Bool {
        tokens.indices.contains(index) && tokens[index].isSign(sign)
    }

    private func isWord(_ index: Int, _ word: String) -> Bool {
        tokens.indices.contains(index) && bytes.word(tokens[index], is: word)
    }

    /// The text of a word; empty for another token.
    private func word(_ index: Int) -> String {
        tokens.indices.contains(index) && tokens[index].kind == .word ? bytes.text(tokens[index]) : ""
    }

    /// The first token after `=`.
    private func value(_ index: Int) -> Int? { isSign(index, "=") && !isSign(index + 1, "=") ? index + 1 : nil }

    private mutating func add(
        _ index: Int, type: String = "", value: Int? = nil, isConstant: Bool = false, scope: Range<Int>? = nil
    ) {
        guard case let name = word(index), !name.isEmpty else { return }
        declared[name, default: []].append(
            Declaration(
                index: index, scope: scope ?? self.scope(of: index), type: type, value: value, isConstant: isConstant))
    }

    /// The tokens from a name to the end of its block; of a Python name, to the next function.
    private func scope(of index: Int) -> Range<Int> {
        if language == .python {
            let next = functions.indices.first(fromWhich: { functions[$0] > index })
            return index..<(next < functions.count ? functions[next] : tokens.count)
        }
        var open = sites.bracket(around: index)
        for _ in 0..<Self.limit where open >= 0 && !tokens[open].isSign("{") { open = sites.bracket(around: open) }
        return index..<(open >= 0 ? tokens[open].partner : tokens.count)
    }

    /// The body of the function whose parameters end at a token.
    private func body(after end: Int) -> Range<Int>? {
        var index = end + 1
        for _ in 0..<32 where end > 0 && index < tokens.count {
            if isSign(index, "{") { return tokens[index].partner > index ? index..<tokens[index].partner : nil }
            let isOther = tokens[index].isClosing || isSign(index, ";") || isSign(index, "=")
            if isOther || language == .swift && beginsLine(index) && !isWord(index, "where") { return nil }
            index = max(index, tokens[index].isOpening ? tokens[index].partner : index) + 1
        }
        return nil
    }

    private mutating func readSwift(_ index: Int) {
        if isWord(index - 1, "let") || isWord(index - 1, "var") {
            let isTyped = isSign(index + 1, ":")
            add(
                index, type: isTyped ? swiftType(index + 2) : "", value: value(index + (isTyped ? 3 : 1)),
                isConstant: isWord(index - 1, "let"))
        } else if isWord(index, "in") {
            // `for a in`, `{ a, b in`, `{ (a: A) -> B in`
            for index in (max(0, index - 32)..<index).reversed() {
                if isSign(index, "{") || isWord(index, "for") { break }
                add(index)
            }
        } else if isSign(index + 1, ":"), case let open = sites.bracket(around: index), isSign(open, "("),
            let body = body(after: tokens[open].partner)
        {
            add(index, type: swiftType(index + 2), scope: body)
        }
        // `let (a, b)`, `case let .some(a)`
        if isWord(index, "let") || isWord(index, "var"),
            let open = (index + 1..<min(index + 5, tokens.count)).first(where: { isSign($0, "(") }),
            !(index..<open).contains(where: { isSign($0, "=") || isSign($0, ":") || isSign($0, "{") })
        {
            for index in (open..<max(open, tokens[open].partner)).prefix(16) { add(index) }
        }
    }

    /// The type after a colon. An optional, a member and a generic type are unknown.
    private func swiftType(_ index: Int) -> String {
        let isLonger = ["?", "!", ".", "<", "&"].contains { isSign(index + 1, $0) }
        return isSign(index, "[") ? "[" : isLonger ? "" : word(index)
    }

    private mutating func readPython(_ index: Int) {
        if isWord(index, "def"), isSign(index + 2, "(") {
            for index in (index + 3..<max(index + 3, tokens[index + 2].partner)).prefix(256) { add(index) }
        } else if isWord(index - 1, "for") || isWord(index - 1, "as") {
            add(index)
        } else if let value = value(index + 1), beginsLine(index), sites.bracket(around: index) < 0 {
            add(index, value: value, isConstant: true)
        }
    }

    private mutating func readC(_ index: Int) {
        var (before, stars) = (index - 1, "")
        let outer = sites.bracket(around: index)
        // A parameter of a method: `:(int64_t)name`
        let isParameter = isSign(before, ")") && outer < 0 && isSign(tokens[before].partner - 1, ":")
        if isParameter { before -= 1 }
        while isSign(before, "*") || isWord(before, "const") {
            stars += isSign(before, "*") ? "*" : ""
            before -= 1
        }
        if isSign(before, ">"), !isSign(before - 1, "-") { before = sites.beforeGenerics(before) }
        guard !["", "return", "else", "goto", "in", "case"].contains(word(before)) else { return }
        let end = isParameter ? index : isSign(index + 1, ",") || isSign(index + 1, ")") ? outer : -1
        if end >= 0 {
            // A parameter of a method, a function or a block.
            guard isParameter || isSign(end, "("), let body = body(after: max(end, tokens[end].partner)) else { return }
            add(index, type: word(before) + stars, scope: body)
        } else if value(index + 1) != nil || isSign(index + 1, ";") || isWord(index + 1, "in") {
            add(index, type: word(before) + stars, value: value(index + 1), isConstant: true)
        }
    }

    // MARK: Changes

    /// Whether a statement changes this variable: `f += a`, `f = a`, `f.append(a)`, `[f appendString:a]`.
    private func isChange(_ index: Int) -> Bool {
        if isSign(index + 1, "+"), isSign(index + 2, "=") { return true }
        if isSign(index + 1, "."), isWord(index + 2, "append") { return true }
        if isSign(index - 1, "["), word(index + 1).hasPrefix("append") { return tokens[index - 1].partner > index }
        guard value(index + 1) != nil, declared[word(index)]?.last?.index != index else { return false }
        return !isSign(index - 1, ".") && (language != .python || sites.bracket(around: index) < 0)
    }

    /// The text that a change adds, or its message.
    private func changed(_ index: Int) -> ArraySlice<SourceToken> {
        if !word(index + 1).isEmpty { return tokens[(index - 1)...tokens[index - 1].partner] }
        return statement(index + (isSign(index + 1, "=") ? 2 : isSign(index + 1, "+") ? 3 : 4))
    }
}
