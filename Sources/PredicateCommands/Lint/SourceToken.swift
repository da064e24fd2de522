// What the scanners of program sources see: words, signs and string literals. Comments are gone, and all that could hold a
// quote that begins no string: characters, regular expressions, directives of the preprocessor.

import PredicateRecords
import PredicateSyntax

/// One token of a program's source.
struct SourceToken: Equatable {
    enum Kind: Equatable {
        case word
        case number
        /// One byte: `(`, `,`, `+`.
        case sign(UInt8)
        case literal(SourceLiteral)
    }

    let kind: Kind
    let start: Int
    var end: Int

    var span: SourceSpan { SourceSpan(start, end) }

    func isSign(_ character: Unicode.Scalar) -> Bool { kind == .sign(UInt8(truncatingIfNeeded: character.value)) }
}

/// A string literal between its quotes.
struct SourceLiteral: Equatable {
    /// What stands between the quotes.
    let content: Range<Int>
    /// The number signs around a raw literal of Swift.
    var hashes = 0
    /// Between three quotes.
    var isMultiline = false
    /// A text as the compiler reads it; false for one that is not closed, and for C++'s raw literals.
    var isReadable = true
    /// The insides of `\(…)`, parentheses not included.
    var interpolations: [Range<Int>] = []
}

extension [UInt8] {
    /// Whether a token is this word.
    func word(_ token: SourceToken?, is text: String) -> Bool {
        guard let token, token.kind == .word, token.end - token.start == text.utf8.count else { return false }
        return self[token.start..<token.end].elementsEqual(text.utf8)
    }

    func text(_ token: SourceToken) -> String { String(decoding: self[token.start..<token.end], as: UTF8.self) }

    /// Whether the bytes hold one of these texts: a file without any is not read further. Cost: a search for first bytes.
    func containsAny(of texts: [[UInt8]]) -> Bool {
        let firsts = Set(texts.compactMap(\.first))
        var wanted = [Bool](repeating: false, count: 256)
        for byte in firsts { wanted[Int(byte)] = true }
        return withUnsafeBufferPointer { bytes in
            for start in bytes.indices where wanted[Int(bytes[start])] {
                for text in texts where start + text.count <= bytes.count && bytes[start] == text[0] {
                    if text.indices.allSatisfy({ bytes[start + $0] == text[$0] }) { return true }
                }
            }
            return false
        }
    }
}

/// What Swift and C have in common.
struct SourceCursor {
    let bytes: [UInt8]
    var at: Int
    let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        at = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { at >= end }
    var byte: UInt8 { at < end ? bytes[at] : 0 }

    func peek(_ distance: Int = 1) -> UInt8 { at + distance < end ? bytes[at + distance] : 0 }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...0xFF:
            true
        default: false
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    mutating func skipLine() {
        while at < end, bytes[at] != UInt8(ascii: "\n") { at += 1 }
    }

    /// Skips `/* … */`; Swift's nest.
    mutating func skipBlockComment(nesting: Bool) {
        var depth = 0
        while at < end {
            if byte == UInt8(ascii: "/"), peek() == UInt8(ascii: "*"), nesting || depth == 0 {
                depth += 1
                at += 2
            } else if byte == UInt8(ascii: "*"), peek() == UInt8(ascii: "/") {
                depth -= 1
                at += 2
                if depth == 0 { return }
            } else {
                at += 1
            }
        }
    }

    mutating func skipWord() {
        while at < end, Self.isWordByte(bytes[at]) { at += 1 }
    }

    /// `12`, `0xFF`, `1_000.5`: what follows a digit.
    mutating func skipNumber() {
        while at < end {
            if Self.isWordByte(byte) || byte == UInt8(ascii: ".") && Self.isDigit(peek()) { at += 1 } else { return }
        }
    }
}
