// Reads the characters of an ICU pattern for PatternParser. Resolves escapes of single characters, `\Q…\E`, and
// the spaces and comments of `(?x)`.

struct PatternReader {
    struct Symbol {
        /// nil at the end.
        var scalar: UInt32?
        /// Whether it represents itself even if it is a special character.
        var isQuoted = false
        /// Its index, for `offset(of:)`.
        var position: Int

        func isSyntax(_ character: Unicode.Scalar) -> Bool { !isQuoted && scalar == character.value }
    }

    private let scalars: [UInt32]
    private(set) var position = 0
    private var isQuoting = false
    /// Whether spaces and comments are skipped.
    var isExtended = false

    init(_ text: String) { scalars = text.unicodeScalars.map { $0.value } }

    /// The UTF-8 offset of an index.
    func offset(of position: Int) -> Int {
        scalars[..<min(position, scalars.count)].reduce(0) {
            $0 + ($1 < 0x80 ? 1 : $1 < 0x800 ? 2 : $1 < 0x10000 ? 3 : 4)
        }
    }

    func text(_ range: Range<Int>) -> String { String(scalars: scalars[range.clamped(to: scalars.indices)]) }

    private var peeked: UInt32? { position < scalars.count ? scalars[position] : nil }

    private func peeks(_ character: Unicode.Scalar) -> Bool { peeked == character.value }

    mutating func seek(_ position: Int) { self.position = position }

    /// Reads the next character without interpreting it.
    mutating func raw() -> Symbol {
        let symbol = Symbol(scalar: peeked, position: position)
        position += symbol.scalar == nil ? 0 : 1
        return symbol
    }

    /// Reads the next significant character. `skippingComments` is false after `(?`, where `#` begins a comment
    /// group.
    mutating func next(skippingComments: Bool = true) throws(PatternError) -> Symbol {
        if isQuoting, let quoted = nextQuoted() { return quoted }
        if isExtended { skipBlanks(skippingComments) }
        var symbol = raw()
        guard symbol.isSyntax("\\"), let escaped = peeked else { return symbol }
        switch Unicode.Scalar(escaped) {
        case "Q"?:
            position += 1
            isQuoting = true
            return try next()
        case "0"?:
            symbol.scalar = try octal(symbol.position)
            symbol.isQuoted = true
        case "a"?, "c"?, "e"?, "f"?, "n"?, "r"?, "t"?, "u"?, "U"?, "x"?:
            position += 1
            symbol.scalar = try escape(escaped, symbol.position)
            symbol.isQuoted = true
        default: break
        }
        return symbol
    }

    /// Reads the next character of `\Q…\E`; nil at its end.
    private mutating func nextQuoted() -> Symbol? {
        var symbol = raw()
        guard symbol.scalar != nil, !(symbol.isSyntax("\\") && peeks("E")) else {
            if symbol.scalar != nil { position += 1 }
            isQuoting = false
            return nil
        }
        symbol.isQuoted = true
        return symbol
    }

    private mutating func skipBlanks(_ comments: Bool) {
        while let scalar = peeked {
            if scalar == UInt32(UInt8(ascii: "#")), comments {
                while let scalar = peeked, ![0xA, 0xD, 0x85, 0x2028].contains(scalar) { position += 1 }
            } else if ![0x9...0xD, 0x20...0x20, 0x85...0x85, 0x200E...0x200F, 0x2028...0x2029].contains(where: {
                $0.contains(scalar)
            }) {
                return
            } else {
                position += 1
            }
        }
    }

    private func incomplete(_ start: Int) -> PatternError {
        PatternError("the escape '\(text(start..<position + 1))' is not complete", at: offset(of: start))
    }

    /// Reads `\0` with one to three octal digits, at most 0377.
    private mutating func octal(_ start: Int) throws(PatternError) -> UInt32 {
        position += 1
        var value: UInt32 = 0
        var digits = 0
        while digits < 3, let digit = peeked.map({ $0 &- 48 }), digit < 8, value * 8 + digit <= 255 {
            value = value * 8 + digit
            position += 1
            digits += 1
        }
        if digits == 0 { throw incomplete(start) }
        return value
    }

    private mutating func escape(_ letter: UInt32, _ start: Int) throws(PatternError) -> UInt32 {
        switch Unicode.Scalar(letter) {
        case "a"?: return 0x07
        case "e"?: return 0x1B
        case "f"?: return 0x0C
        case "n"?: return 0x0A
        case "r"?: return 0x0D
        case "t"?: return 0x09
        case "u"?:
            let value = try hexadecimal(4...4, start)
            return 0xD800...0xDBFF ~= value ? pair(with: value) : value
        case "U"?: return try hexadecimal(8...8, start)
        case "c"?:
            guard let control = raw().scalar else { throw incomplete(start) }
            return control & 0x1F
        default:
            guard peeks("{") else { return try hexadecimal(1...2, start) }
            position += 1
            let value = try hexadecimal(1...8, start)
            guard peeks("}") else { throw incomplete(start) }
            position += 1
            return value
        }
    }

    /// Reads `\uD83D\uDE00` as one code point. Half of a pair is returned unchanged.
    private mutating func pair(with high: UInt32) -> UInt32 {
        let saved = position
        if raw().isSyntax("\\"), raw().isSyntax("u"), let low = try? hexadecimal(4...4, saved), 0xDC00...0xDFFF ~= low {
            return 0x10000 + (high & 0x3FF) << 10 + low & 0x3FF
        }
        position = saved
        return high
    }

    private mutating func hexadecimal(_ digits: ClosedRange<Int>, _ start: Int) throws(PatternError) -> UInt32 {
        var value: UInt32 = 0
        var count = 0
        while count < digits.upperBound, let digit = peeked.flatMap(Self.hexadecimalDigit) {
            value = value << 4 | digit
            position += 1
            count += 1
        }
        if count < digits.lowerBound { throw incomplete(start) }
        if value > CodePointSet.last {
            throw PatternError("'\(text(start..<position))' is beyond the last code point", at: offset(of: start))
        }
        return value
    }

    private static func hexadecimalDigit(_ scalar: UInt32) -> UInt32? {
        switch scalar {
        case 48...57: scalar - 48
        case 65...70: scalar - 55
        case 97...102: scalar - 87
        default: nil
        }
    }
}
