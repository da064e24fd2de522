// Parses ABNF (RFC 5234, with the strings of RFC 7405), so that Grammar/*.abnf can be executed.
// GrammarMachine.swift runs a grammar.

/// An element of a rule's right side.
indirect enum ABNFElement: Equatable, Sendable {
    case choice([ABNFElement])
    case sequence([ABNFElement])
    case repeated(ABNFElement, least: Int, most: Int?)
    case rule(String)
    case text(String, caseSensitive: Bool)
    case scalars(ClosedRange<UInt32>)
}

struct ABNFError: Error, CustomStringConvertible {
    let description: String
}

/// A parsed grammar: its rules in order, by lower-case name, because RFC 5234 ignores case.
struct ABNFGrammar: Sendable {
    private(set) var names: [String] = []
    private(set) var rules: [String: ABNFElement] = [:]

    /// A rule begins at the start of a line; lines that begin with a space continue it.
    init(_ text: String) throws {
        var definitions: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            let content = Self.withoutComment(line)
            guard content.contains(where: { $0 != " " }) else { continue }
            if content.first == " ", !definitions.isEmpty {
                definitions[definitions.count - 1] += content
            } else {
                definitions.append(content)
            }
        }
        for definition in definitions {
            var reader = ABNFReader(definition)
            let (name, body) = try reader.rule()
            guard rules.updateValue(body, forKey: name) == nil else {
                throw ABNFError(description: "rule \(name) is defined twice")
            }
            names.append(name)
        }
    }

    /// All rules that are referred to.
    var references: Set<String> {
        var found: Set<String> = []
        func walk(_ element: ABNFElement) {
            switch element {
            case .choice(let parts), .sequence(let parts): parts.forEach(walk)
            case .repeated(let part, _, _): walk(part)
            case .rule(let name): found.insert(name)
            case .text, .scalars: break
            }
        }
        rules.values.forEach(walk)
        return found
    }

    /// The quoted strings of a rule and of all rules it refers to, without duplicates.
    func words(of rule: String) -> [String] {
        var seen: Set<String> = []
        var found: [String] = []
        func walk(_ element: ABNFElement) {
            switch element {
            case .choice(let parts), .sequence(let parts): parts.forEach(walk)
            case .repeated(let part, _, _): walk(part)
            case .rule(let name): visit(name)
            case .text(let text, _): found.append(text)
            case .scalars: break
            }
        }
        func visit(_ name: String) { if seen.insert(name).inserted, let body = rules[name] { walk(body) } }
        visit(rule)
        return found
    }

    private static func withoutComment(_ line: Substring) -> String {
        var quoted = false
        for index in line.indices {
            if line[index] == "\"" { quoted.toggle() }
            if line[index] == ";", !quoted { return String(line[..<index]) }
        }
        return String(line)
    }
}

/// Parses a definition by recursive descent.
private struct ABNFReader {
    private let text: [Character]
    private var at = 0

    init(_ text: String) { self.text = Array(text) }

    mutating func rule() throws -> (String, ABNFElement) {
        let name = word()
        skip()
        guard !name.isEmpty, take("=") else { throw failure("expected 'name ='") }
        let body = try choice()
        guard at == text.count else { throw failure("text behind the rule") }
        return (name, body)
    }

    private mutating func choice() throws -> ABNFElement {
        var parts = [try sequence()]
        while take("/") { parts.append(try sequence()) }
        return parts.count == 1 ? parts[0] : .choice(parts)
    }

    private mutating func sequence() throws -> ABNFElement {
        var parts: [ABNFElement] = []
        skip()
        while let next = peek, next != "/", next != ")", next != "]" {
            parts.append(try repetition())
            skip()
        }
        guard !parts.isEmpty else { throw failure("an alternative is empty") }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func repetition() throws -> ABNFElement {
        let least = number(radix: 10)
        guard peek == "*" else {
            guard let least else { return try element() }
            return .repeated(try element(), least: Int(least), most: Int(least))
        }
        at += 1
        let most = number(radix: 10)
        return .repeated(try element(), least: Int(least ?? 0), most: most.map(Int.init))
    }

    private mutating func element() throws -> ABNFElement {
        switch peek {
        case "(":
            at += 1
            let inner = try choice()
            guard take(")") else { throw failure("expected ')'") }
            return inner
        case "[":
            at += 1
            let inner = try choice()
            guard take("]") else { throw failure("expected ']'") }
            return .repeated(inner, least: 0, most: 1)
        case "\"": return try quoted(caseSensitive: false)
        case "%": return try percent()
        default:
            let name = word()
            guard !name.isEmpty else { throw failure("expected an element") }
            return .rule(name)
        }
    }

    private mutating func percent() throws -> ABNFElement {
        at += 1
        let kind = peek
        at += 1
        switch kind {
        case "s": return try quoted(caseSensitive: true)
        case "i": return try quoted(caseSensitive: false)
        case "x":
            guard let first = number(radix: 16) else { throw failure("expected a number") }
            guard peek == "-" else { return .scalars(first...first) }
            at += 1
            guard let last = number(radix: 16), last >= first else { throw failure("expected a range") }
            return .scalars(first...last)
        default: throw failure("only %s, %i and %x are read")
        }
    }

    private mutating func quoted(caseSensitive: Bool) throws -> ABNFElement {
        guard peek == "\"", let end = text[(at + 1)...].firstIndex(of: "\"") else { throw failure("expected a string") }
        defer { at = end + 1 }
        return .text(String(text[(at + 1)..<end]), caseSensitive: caseSensitive)
    }

    private mutating func word() -> String {
        let start = at
        while let next = peek, next.isLetter || next == "-" || (at > start && next.isNumber) { at += 1 }
        return String(text[start..<at]).lowercased()
    }

    private mutating func number(radix: Int) -> UInt32? {
        let start = at
        while let next = peek, next.isHexDigit, radix == 16 || next.isNumber { at += 1 }
        return UInt32(String(text[start..<at]), radix: radix)
    }

    private var peek: Character? { at < text.count ? text[at] : nil }

    private mutating func take(_ character: Character) -> Bool {
        skip()
        guard peek == character else { return false }
        at += 1
        return true
    }

    private mutating func skip() { while peek == " " { at += 1 } }

    private func failure(_ what: String) -> ABNFError {
        ABNFError(description: "\(what), at \(at) of: \(String(text))")
    }
}
