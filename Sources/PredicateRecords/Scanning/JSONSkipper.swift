// Skips JSON values without decoding them. It accepts exactly the texts that JSONParser accepts, so skipped fields are
// also validated. JSONParser reads rejected text again and reports the error.
import PredicateSyntax

/// A position in JSON text. Methods return false or nil for invalid text; the position must not be used after that.
struct JSONSkipper {
    enum Text {
        /// The bytes between the quotation marks are the text.
        case plain
        /// The text has escapes.
        case escaped
    }

    let base: UnsafePointer<UInt8>
    let count: Int
    var at: Int
    /// Whether a newline counts as white space. In JSON Lines it does not.
    let crossesLines: Bool

    @inline(__always) mutating func space() {
        while at < count {
            switch base[at] {
            case 0x20, 0x0D, 0x09: at &+= 1
            case 0x0A where crossesLines: at &+= 1
            default: return
            }
        }
    }

    @inline(__always) mutating func take(_ byte: UInt8) -> Bool {
        guard at < count, base[at] == byte else { return false }
        at &+= 1
        return true
    }

    mutating func value(depth: Int) -> Bool {
        guard at < count else { return false }
        switch base[at] {
        case UInt8(ascii: "\""):
            at &+= 1
            return string() != nil
        case UInt8(ascii: "{"): return depth < JSON.maximumDepth && container(depth, close: UInt8(ascii: "}"))
        case UInt8(ascii: "["): return depth < JSON.maximumDepth && container(depth, close: UInt8(ascii: "]"))
        case UInt8(ascii: "t"): return word(0x6575_7274)
        case UInt8(ascii: "n"): return word(0x6C6C_756E)
        case UInt8(ascii: "f"):
            at &+= 1
            return word(0x6573_6C61)
        default: return number()
        }
    }

    /// Skips an array or an object, starting at its opening bracket.
    private mutating func container(_ depth: Int, close: UInt8) -> Bool {
        at &+= 1
        space()
        if take(close) { return true }
        while true {
            if close == UInt8(ascii: "}") {
                guard take(UInt8(ascii: "\"")), string() != nil else { return false }
                space()
                guard take(UInt8(ascii: ":")) else { return false }
                space()
            }
            guard value(depth: depth + 1) else { return false }
            space()
            if take(UInt8(ascii: ",")) {
                space()
            } else {
                return take(close)
            }
        }
    }

    /// Skips four given letters. The first letter is the lowest byte.
    private mutating func word(_ letters: UInt32) -> Bool {
        guard at &+ 4 <= count else { return false }
        let found = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: at, as: UInt32.self)
        at &+= 4
        return UInt32(littleEndian: found) == letters
    }

    // MARK: Strings

    /// Skips a string. Starts after its opening quotation mark and moves after the closing one.
    mutating func string() -> Text? {
        let start = at
        var seen: UInt64 = 0
        var text = Text.plain
        while true {
            let (quotes, escapes) = (ByteWord.repeating(0x22), ByteWord.repeating(0x5C))
            ByteWord.pass(base, count, &at, &seen) { word in
                ByteWord.find(quotes, in: word) | ByteWord.find(escapes, in: word) | ByteWord.findControls(in: word)
            } orIn: { pair in
                ByteWord.find(quotes, in: pair) | ByteWord.find(escapes, in: pair) | ByteWord.findControls(in: pair)
            }
            guard at < count else { return nil }
            let byte = base[at]
            at &+= 1
            if byte == UInt8(ascii: "\"") { break }
            guard byte == UInt8(ascii: "\\"), escape() else { return nil }
            text = .escaped
        }
        if seen & ByteWord.highs != 0, !isValidUTF8(base, start..<(at &- 1)) { return nil }
        return text
    }

    private mutating func escape() -> Bool {
        guard at < count else { return false }
        let byte = base[at]
        at &+= 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"):
            guard let unit = hexadecimal() else { return false }
            if unit & 0xF800 != 0xD800 { return true }
            guard unit & 0xFC00 == 0xD800, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")),
                let low = hexadecimal()
            else { return false }
            return low & 0xFC00 == 0xDC00
        default: return false
        }
    }

    private mutating func hexadecimal() -> UInt32? {
        guard at &+ 4 <= count else { return nil }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let byte = base[at]
            let digit = byte &- 0x30
            let letter = (byte | 0x20) &- 0x61
            guard digit < 10 || letter < 6 else { return nil }
            unit = unit << 4 | UInt32(digit < 10 ? digit : letter + 10)
            at &+= 1
        }
        return unit
    }

    // MARK: Numbers

    private mutating func number() -> Bool {
        let start = at
        _ = take(UInt8(ascii: "-"))
        if take(0x30) {
            guard at == count || base[at] &- 0x30 >= 10 else { return false }
        } else {
            guard digits() else { return false }
        }
        if take(UInt8(ascii: ".")), !digits() { return false }
        let hasExponent = at < count && base[at] | 0x20 == UInt8(ascii: "e")
        // Only a number with an exponent or with hundreds of digits can exceed a double.
        guard hasExponent || at &- start > 300 else { return true }
        at = start
        return (try? JSONNumber.read(UnsafeBufferPointer(start: base, count: count), from: &at)) != nil
    }

    /// Skips one or more digits.
    private mutating func digits() -> Bool {
        let start = at
        while at < count, base[at] &- 0x30 < 10 { at &+= 1 }
        return at > start
    }
}
