// Every small pattern on every small text, compared with a simple reference (PatternReference).

import PredicateTestSupport
import Testing

/// Parses a pattern; nil if it is malformed.
private struct ReferenceParser: PatternReferenceParser {
    typealias Reference = PatternReference<Character>

    var rest: Substring

    static func parse(_ text: String) -> Reference? {
        var parser = ReferenceParser(rest: text[...])
        return parser.pattern()
    }

    mutating func sequence() -> Reference? {
        var result = Reference.empty
        while let next = rest.first, next != "|", next != ")" {
            rest.removeFirst()
            var atom: Reference
            switch next {
            case "*": return nil
            case ".": atom = .dot
            case "(":
                guard let inner = choice(), rest.popFirst() == ")" else { return nil }
                atom = inner
            default: atom = .letter(next)
            }
            if rest.first == "*" {
                rest.removeFirst()
                atom = .star(atom)
            }
            result = .both(result, atom)
        }
        return result
    }
}

private func allTexts(_ alphabet: [Character], upTo length: Int) -> [String] {
    var result = [""]
    var last = [""]
    for _ in 0..<length {
        last = last.flatMap { text in alphabet.map { text + String($0) } }
        result += last
    }
    return result
}

@Test(.cases) func everySmallPattern() {
    forEachCase(["a", "b", ".", "*", "|", "(", ")"] as [Character]) { first in
        let texts = allTexts(["a", "b", "\n"], upTo: 3)
        for rest in TestDepth.some(allTexts(["a", "b", ".", "*", "|", "(", ")"], upTo: 4)) {
            let pattern = String(first) + rest
            guard let reference = ReferenceParser.parse(pattern) else {
                #expect(throws: PatternError.self, "\(pattern)") { try TextPattern.matches(pattern) }
                continue
            }
            let matcher = try #require(try TextPattern.matches(pattern).matcher)
            for text in texts {
                let characters = Array(text)
                let expected = reference.ends(characters, from: 0).contains(characters.count)
                if matcher.matches(text) != expected { Issue.record("\(pattern) on \(text.debugDescription)") }
            }
        }
    }
}

/// LIKE as defined.
private func like(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*": return like(text, rest) || (!text.isEmpty && like(text.dropFirst(), pattern))
    case "?": return !text.isEmpty && like(text.dropFirst(), rest)
    case "\\":
        let letter = rest.first ?? "\\"
        return text.first == letter && like(text.dropFirst(), rest.dropFirst())
    default: return text.first == first && like(text.dropFirst(), rest)
    }
}

@Test(.cases) func everySmallLike() {
    forEachCase(["a", "b", "*", "?", "\\"] as [Character]) { first in
        let texts = allTexts(["a", "b", "\n", "*", "\\"], upTo: 3)
        for rest in TestDepth.some(allTexts(["a", "b", "*", "?", "\\"], upTo: 4)) {
            let pattern = String(first) + rest
            let matcher = try #require(try TextPattern.like(pattern).matcher)
            for text in texts where matcher.matches(text) != like(Array(text)[...], Array(pattern)[...]) {
                Issue.record("\(pattern) on \(text.debugDescription)")
            }
        }
    }
}
