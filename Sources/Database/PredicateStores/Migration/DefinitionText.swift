// The text of a CREATE statement as SQLite stores it: its tokens, and for CREATE TABLE its columns and constraints. A
// table that is created again keeps the text of every part that does not change. https://www.sqlite.org/lang.html

/// The tokens of SQLite's SQL, without comments.
struct DefinitionText {
    struct Token {
        enum Kind { case word, name, text, symbol }

        let kind: Kind
        /// Without quotes.
        let value: String
        /// Its place in the UTF-8 bytes.
        let range: Range<Int>
        /// Whether SQLite reads it as a text if no column has this name.
        let mayBeText: Bool

        func isWord(_ words: String...) -> Bool { kind == .word && words.contains(value.uppercased()) }
        func isSymbol(_ symbol: String) -> Bool { kind == .symbol && value == symbol }
        func isName(_ name: String) -> Bool { isIdentifier && value.lowercased() == name.lowercased() }
        var isIdentifier: Bool { kind == .word || kind == .name }
    }

    let bytes: [UInt8]
    private(set) var tokens: [Token] = []

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        var place = 0
        while place < bytes.count { place = next(place) }
    }

    /// Reads the token or the blank at a place, and returns its end.
    private mutating func next(_ start: Int) -> Int {
        func end(after closing: [UInt8], from place: Int) -> Int {
            var place = place
            while place < bytes.count {
                if bytes[place...].starts(with: closing) { return place + closing.count }
                place += 1
            }
            return place
        }
        let byte = bytes[start]
        if bytes[start...].starts(with: Array("--".utf8)) { return end(after: [0x0A], from: start) }
        if bytes[start...].starts(with: Array("/*".utf8)) { return end(after: Array("*/".utf8), from: start + 2) }
        switch byte {
        case 0x09, 0x0A, 0x0C, 0x0D, 0x20: return start + 1
        case UInt8(ascii: "["): return add(.name, start, end(after: [UInt8(ascii: "]")], from: start + 1))
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
            var place = end(after: [byte], from: start + 1)
            // A doubled quote belongs to the name or text.
            while place < bytes.count, bytes[place] == byte { place = end(after: [byte], from: place + 1) }
            return add(byte == UInt8(ascii: "'") ? .text : .name, start, place)
        default:
            var place = start
            while place < bytes.count, Self.isPartOfWord(bytes[place]) { place += 1 }
            return place > start ? add(.word, start, place) : add(.symbol, start, start + 1)
        }
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte.isOfWord || byte == UInt8(ascii: "$")
    }

    private mutating func add(_ kind: Token.Kind, _ start: Int, _ end: Int) -> Int {
        var value = String(decoding: bytes[start..<end], as: UTF8.self)
        if kind == .name || kind == .text {
            let quote = String(value.last ?? "\"")
            value = String(value.dropFirst().dropLast()).replacing(quote + quote, with: quote)
        }
        let mayBeText = kind == .name && bytes[start] == UInt8(ascii: "\"")
        tokens.append(Token(kind: kind, value: value, range: start..<end, mayBeText: mayBeText))
        return end
    }

    /// The text of some tokens, with the blanks and comments between them.
    func text(_ range: Range<Int>) -> String {
        if range.isEmpty { return "" }
        return String(decoding: bytes[tokens[range.lowerBound].range.lowerBound..<end(of: range)], as: UTF8.self)
    }

    func end(of range: Range<Int>) -> Int { tokens[range.upperBound - 1].range.upperBound }

    /// The text with some bytes replaced. The ranges are in order.
    func replacing(_ changes: [(range: Range<Int>, text: String)]) -> String {
        var found: [UInt8] = []
        var place = 0
        for (range, text) in changes {
            found += bytes[place..<range.lowerBound] + Array(text.utf8)
            place = range.upperBound
        }
        return String(decoding: found + bytes[place...], as: UTF8.self)
    }

    /// The first of some columns, in lowercase, that an expression or a list of columns names.
    func column(among names: Set<String>, in range: Range<Int>? = nil) -> String? {
        for index in range ?? tokens.indices
        where tokens[index].isIdentifier && names.contains(tokens[index].value.lowercased()) {
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            // Names of functions, tables, collations and types.
            if next?.isSymbol("(") ?? false || next?.isSymbol(".") ?? false { continue }
            if index > 0, tokens[index - 1].isWord("COLLATE", "AS") { continue }
            return tokens[index].value
        }
        return nil
    }

    /// The statement in which SQLite does not read the names of missing columns as texts: `"a"` becomes `[a]`.
    func withoutTexts(_ columns: Set<String>) -> String {
        replacing(
            tokens.filter { $0.mayBeText && columns.contains($0.value.lowercased()) && !$0.value.contains("]") }
                .map { ($0.range, "[\($0.value)]") })
    }

    /// The event of a trigger, with the columns of UPDATE OF. The words cannot be unquoted names.
    var event: (word: String, columns: [String])? {
        guard let start = tokens.firstIndex(where: { $0.isWord("INSERT", "UPDATE", "DELETE") }) else { return nil }
        let columns = tokens[(start + 1)...].prefix { !$0.isWord("ON") }
        return (tokens[start].value.uppercased(), columns.dropFirst().filter(\.isIdentifier).map(\.value))
    }
}

/// A column or a constraint in CREATE TABLE.
struct TableItem {
    enum Clause: String {
        case primary = "PRIMARY"
        case not = "NOT"
        case null = "NULL"
        case unique = "UNIQUE"
        case check = "CHECK"
        case initial = "DEFAULT"
        case collate = "COLLATE"
        case references = "REFERENCES"
        case foreign = "FOREIGN"
        case generated = "GENERATED"
        case computed = "AS"
        case constraint = "CONSTRAINT"
    }

    private(set) var text: DefinitionText
    /// The comma, blanks and comments in front of the next item; blanks or empty if there is no comma.
    let gap: String
    let isColumn: Bool

    init(_ text: String, gap: String, isColumn: Bool) {
        self.text = DefinitionText(text)
        self.gap = gap
        self.isColumn = isColumn
    }

    /// The name of a column.
    var name: String { text.tokens.first?.value ?? "" }

    /// The constraints of a column, or the one of a table, as ranges of tokens.
    var clauses: [(kind: Clause, name: String?, range: Range<Int>)] {
        let tokens = text.tokens
        var starts: [(Clause, String?, Int)] = []
        var depth = 0
        /// Whether the last clause still lacks its word: after CONSTRAINT and a name.
        var isOpen = false
        var index = isColumn ? 1 : 0
        while index < tokens.count {
            defer { index += 1 }
            if tokens[index].isSymbol("(") { depth += 1 }
            if tokens[index].isSymbol(")") { depth -= 1 }
            guard depth == 0, tokens[index].kind == .word, let kind = Clause(rawValue: tokens[index].value.uppercased())
            else { continue }
            let last = index > 0 ? tokens[index - 1] : tokens[index]
            let isInside =
                switch kind {
                case .not: !(index + 1 < tokens.count && tokens[index + 1].isWord("NULL"))
                case .null: last.isWord("NOT", "SET", "DEFAULT")
                case .initial: last.isWord("SET")
                case .computed: last.isWord("ALWAYS")
                case .references: !isColumn
                default: false
                }
            if isInside { continue }
            if kind == .constraint {
                starts.append((kind, index + 1 < tokens.count ? tokens[index + 1].value : nil, index))
                (isOpen, index) = (true, index + 1)
            } else if isOpen, let (_, name, start) = starts.popLast() {
                starts.append((kind, name, start))
                isOpen = false
            } else {
                starts.append((kind, nil, index))
            }
        }
        let ends = starts.dropFirst().map(\.2) + [tokens.count]
        return zip(starts, ends).map { ($0.0, $0.1, $0.2..<$1) }
    }

    /// The name of a constraint for messages and for allowing its loss.
    func shown(_ clause: (kind: Clause, name: String?, range: Range<Int>)) -> String {
        clause.name ?? text.text(clause.range)
    }

    var isGenerated: Bool { isColumn && clauses.contains { $0.kind == .generated || $0.kind == .computed } }

    /// The columns in the list of UNIQUE, PRIMARY KEY or FOREIGN KEY.
    var listed: [String] {
        guard let open = text.tokens.firstIndex(where: { $0.isSymbol("(") }) else { return [] }
        let list = text.tokens[(open + 1)...].prefix { !$0.isSymbol(")") }
        return list.split { $0.isSymbol(",") }.compactMap(\.first?.value)
    }

    // MARK: Changing a column

    mutating func remove(_ isRemoved: (Clause) -> Bool) {
        while let clause = clauses.first(where: { isRemoved($0.kind) }) {
            // With the blanks in front of it.
            let start = clause.range.lowerBound
            let from = start > 0 ? text.tokens[start - 1].range.upperBound : 0
            text = DefinitionText(text.replacing([(from..<text.end(of: clause.range), "")]))
        }
    }

    /// Removes AUTOINCREMENT, which only an INTEGER PRIMARY KEY may have. Returns whether it was there.
    mutating func removeAutoincrement() -> Bool {
        guard let token = text.tokens.first(where: { $0.isWord("AUTOINCREMENT") }) else { return false }
        text = DefinitionText(text.replacing([(token.range, "")]))
        return true
    }

    mutating func declare(_ type: String) {
        let end = clauses.first?.range.lowerBound ?? text.tokens.count
        let place = text.tokens[0].range.upperBound
        text = DefinitionText(text.replacing([(place..<text.end(of: 0..<end), " " + type)]))
    }

    mutating func append(_ clause: String) {
        text = DefinitionText(text.replacing([(text.end(of: text.tokens.indices)..<text.bytes.count, " " + clause)]))
    }

    /// The text with another name of the table in `table.column`.
    func naming(_ table: String, _ new: String?) -> String {
        guard let new else { return String(decoding: text.bytes, as: UTF8.self) }
        let tokens = text.tokens
        let places = tokens.indices.dropLast().filter { tokens[$0].isName(table) && tokens[$0 + 1].isSymbol(".") }
        return text.replacing(places.map { (tokens[$0].range, SQLiteNames.quoted(new)) })
    }
}
