// Reads the condition of a partial index, as databases print it, as a predicate that is true for the same rows.
import PredicateModel
import PredicateSyntax

/// Reads comparisons of columns with constants, joined by AND and OR. In these, NULL is the same as false.
struct IndexConditionReader {
    private enum Token: Equatable {
        /// A name or a keyword; a name in quotes is never a keyword.
        case word(String, isQuoted: Bool)
        case text(String)
        case number(String)
        case symbol(String)
    }

    /// The condition is not one that this type reads.
    private struct Unread: Error {}

    private let tokens: [Token]
    private let attributes: [PredicateSchema.Attribute]
    private var at = 0
    private var depth = 0
    private var arguments: [FormatArgument] = []
    private static let maximumDepth = 32

    /// The condition after the first WHERE that is not in brackets; nil if it cannot be read.
    static func condition(_ text: String, _ attributes: [PredicateSchema.Attribute]) -> FormatPredicate? {
        guard let all = tokens(of: Array(text.unicodeScalars)) else { return nil }
        var depth = 0
        let start = all.firstIndex { token in
            if token == .symbol("(") { depth += 1 }
            if token == .symbol(")") { depth -= 1 }
            return depth == 0 && isWord(token, "WHERE")
        }
        guard let start else { return nil }
        var reader = IndexConditionReader(tokens: Array(all[(start + 1)...]), attributes: attributes)
        do {
            let format = try reader.disjunction()
            guard reader.at == reader.tokens.count else { return nil }
            return try FormatPredicate(format, formatArguments: reader.arguments)
        } catch {
            return nil
        }
    }

    private init(tokens: [Token], attributes: [PredicateSchema.Attribute]) {
        (self.tokens, self.attributes) = (tokens, attributes)
    }

    // MARK: Tokens

    private static let closings: [Unicode.Scalar: Unicode.Scalar] = ["'": "'", "\"": "\"", "`": "`", "[": "]"]

    private static func tokens(of text: [Unicode.Scalar]) -> [Token]? {
        var tokens: [Token] = []
        var at = 0
        while at < text.count {
            let start = at
            let scalar = text[at]
            if scalar.properties.isWhitespace {
                at += 1
            } else if let close = closings[scalar], scalar != "[" || !endsArray(tokens) {
                var body = ""
                at += 1
                while at < text.count {
                    // A quotation mark in the text is written twice.
                    let isTwice = close != "]" && at + 1 < text.count && text[at + 1] == close
                    if text[at] == close, !isTwice { break }
                    if text[at] == close { at += 1 }
                    body.unicodeScalars.append(text[at])
                    at += 1
                }
                guard at < text.count else { return nil }
                at += 1
                tokens.append(scalar == "'" ? .text(body) : .word(body, isQuoted: true))
            } else if scalar.isOfNumber {
                while at < text.count, text[at].isOfNumber || text[at] == "." { at += 1 }
                tokens.append(.number(String(String.UnicodeScalarView(text[start..<at]))))
            } else if scalar.isOfName {
                while at < text.count, text[at].isOfName || text[at].isOfNumber { at += 1 }
                tokens.append(.word(String(String.UnicodeScalarView(text[start..<at])), isQuoted: false))
            } else {
                let pair = String(String.UnicodeScalarView(text[at..<min(at + 2, text.count)]))
                let symbol = ["::", "<=", ">=", "<>", "!=", "=="].contains(pair) ? pair : String(scalar)
                at += symbol.unicodeScalars.count
                tokens.append(.symbol(symbol))
            }
        }
        return tokens
    }

    /// Whether a bracket after the tokens is that of `ARRAY[…]` or of a type, not of a name.
    private static func endsArray(_ tokens: [Token]) -> Bool {
        guard case .word(let word, false)? = tokens.last else { return false }
        return word.uppercased() == "ARRAY" || tokens.dropLast().last == .symbol("::")
    }

    private static func isWord(_ token: Token?, _ word: String) -> Bool {
        if case .word(let text, false)? = token { text.uppercased() == word } else { false }
    }

    private var next: Token? { at < tokens.count ? tokens[at] : nil }

    private mutating func take(_ word: String) -> Bool {
        guard Self.isWord(next, word) || next == .symbol(word) else { return false }
        at += 1
        return true
    }

    private mutating func expect(_ word: String) throws(Unread) {
        if !take(word) { throw Unread() }
    }

    // MARK: Conditions

    private mutating func disjunction() throws(Unread) -> String {
        var parts = [try conjunction()]
        while take("OR") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " OR ")))"
    }

    private mutating func conjunction() throws(Unread) -> String {
        var parts = [try term()]
        while take("AND") { parts.append(try term()) }
        return parts.joined(separator: " AND ")
    }

    private mutating func term() throws(Unread) -> String {
        let (start, count) = (at, arguments.count)
        do throws(Unread) { return try comparison() } catch {
            (at, arguments) = (start, Array(arguments.prefix(count)))
        }
        try expect("(")
        depth += 1
        if depth > Self.maximumDepth { throw Unread() }
        let inner = try disjunction()
        depth -= 1
        try expect(")")
        return inner
    }

    private mutating func comparison() throws(Unread) -> String {
        if take("NOT") {
            let column = try column()
            guard column.type == .boolean else { throw Unread() }
            return compare(column, "==", .bool(false))
        }
        let column = try column()
        if take("IS") {
            let isNot = take("NOT")
            try expect("NULL")
            return compare(column, isNot ? "!=" : "==", .null)
        }
        if take("IN") {
            try expect("(")
            return compare(column, "IN", .array(try constants(of: column, until: ")")))
        }
        if take("BETWEEN") {
            let low = compare(column, ">=", try ordered(column))
            try expect("AND")
            return low + " AND " + compare(column, "<=", try ordered(column))
        }
        guard case .symbol(let symbol)? = next,
            let op = ["=": "==", "==": "==", "<>": "!=", "!=": "!="][symbol]
                ?? ["<", "<=", ">", ">="].first(where: { $0 == symbol })
        else {
            guard column.type == .boolean else { throw Unread() }
            return compare(column, "==", .bool(true))
        }
        at += 1
        if op == "==", take("ANY") {
            try expect("(")
            let brackets = take("(")
            try expect("ARRAY")
            try expect("[")
            let list = try constants(of: column, until: "]")
            if brackets { try expect(")") }
            skipType()
            try expect(")")
            return compare(column, "IN", .array(list))
        }
        if !["==", "!="].contains(op) { return compare(column, op, try ordered(column)) }
        let value = try constant(of: column)
        guard op == "!=" else { return compare(column, op, value) }
        // A column with another collation has other values that are equal.
        if case .string = value, column.collation != .binary { throw Unread() }
        return compare(column, op, value) + " AND " + compare(column, op, .null)
    }

    private mutating func compare(
        _ column: PredicateSchema.Attribute, _ op: String, _ value: PredicateValue
    ) -> String {
        arguments += [.value(.string(column.name)), .value(value)]
        return "%K \(op) %@"
    }

    /// A column, perhaps in brackets, and with a type.
    private mutating func column() throws(Unread) -> PredicateSchema.Attribute {
        let isInBrackets = take("(")
        guard case .word(let name, _)? = next,
            let found = attributes.first(where: { $0.column.lowercased() == name.lowercased() })
        else { throw Unread() }
        at += 1
        if isInBrackets { try expect(")") }
        skipType()
        return found
    }

    private mutating func constants(
        of column: PredicateSchema.Attribute, until close: String
    ) throws(Unread) -> [PredicateValue] {
        var values = [try constant(of: column)]
        while take(",") { values.append(try constant(of: column)) }
        try expect(close)
        return values
    }

    /// A constant of an order, which is not that of the language for texts.
    private mutating func ordered(_ column: PredicateSchema.Attribute) throws(Unread) -> PredicateValue {
        let value = try constant(of: column)
        if case .string = value { throw Unread() }
        return value
    }

    /// A constant of the column's type. Other columns, such as dates, store their values in another form.
    private mutating func constant(of column: PredicateSchema.Attribute) throws(Unread) -> PredicateValue {
        let isInBrackets = take("(")
        let isNegative = take("-")
        guard let token = next else { throw Unread() }
        at += 1
        if isInBrackets { try expect(")") }
        skipType()
        switch (token, column.type) {
        case (.text(let text), .string) where !isNegative: return .string(text)
        // PostgreSQL prints negative numbers as texts with a type.
        case (.number(let text), .integer), (.number(let text), .double), (.text(let text), .integer),
            (.text(let text), .double):
            let sign = isNegative ? "-" : ""
            if let number = Int64(sign + text) { return .integer(number) }
            if let number = Double(sign + text), number.isFinite { return .double(number) }
        case (.number(let text), .boolean) where ["0", "1"].contains(text): return .bool(text == "1")
        case (.word(let word, false), .boolean) where ["TRUE", "FALSE"].contains(word.uppercased()):
            return .bool(word.uppercased() == "TRUE")
        default: break
        }
        throw Unread()
    }

    /// Skips `::character varying(20)[]`.
    private mutating func skipType() {
        while take("::") {
            while case .word(let word, _)? = next, !["AND", "OR", "IS", "IN", "NOT"].contains(word.uppercased()) {
                at += 1
            }
            if take("(") { while let token = next, !take(")") { at += token == .symbol("(") ? tokens.count - at : 1 } }
            if take("[") { _ = take("]") }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isOfNumber: Bool { "0"..."9" ~= self }
    fileprivate var isOfName: Bool { properties.isAlphabetic || self == "_" || self == "$" }
}
