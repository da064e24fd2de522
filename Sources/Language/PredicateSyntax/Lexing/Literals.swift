// Converts the bytes of a literal to its value (LANGUAGE 1.4, 1.5).

enum Literals {
    /// The text of a string literal, or the position of an invalid escape with advice.
    enum StringResult {
        case text(String)
        case malformed(SourceSpan, advice: String)
    }

    /// Decodes a string token with its quotes.
    static func string(_ bytes: [UInt8], _ span: SourceSpan) -> StringResult {
        let body = (span.start + 1)..<max(span.start + 1, span.end - 1)
        guard bytes[body].contains(UInt8(ascii: "\\")) else {
            return .text(String(decoding: bytes[body], as: UTF8.self))
        }
        var out: [UInt8] = []
        out.reserveCapacity(body.count)
        var index = body.lowerBound
        while index < body.upperBound {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < body.upperBound else {
                out.append(bytes[index])
                index += 1
                continue
            }
            switch escape(bytes, index, body.upperBound) {
            case .scalar(let scalar, let end):
                out.append(contentsOf: String(Character(scalar)).utf8)
                index = end
            case .malformed(var end, let advice):
                while end < body.upperBound, bytes[end] & 0xC0 == 0x80 { end += 1 }
                return .malformed(SourceSpan(index, end), advice: advice)
            }
        }
        return .text(String(decoding: out, as: UTF8.self))
    }

    private enum Escape {
        case scalar(Unicode.Scalar, end: Int)
        case malformed(end: Int, advice: String)
    }

    private static func escape(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> Escape {
        let letter = bytes[start + 1]
        let after = start + 2
        switch letter {
        case UInt8(ascii: "a"): return .scalar("\u{07}", end: after)
        case UInt8(ascii: "b"): return .scalar("\u{08}", end: after)
        case UInt8(ascii: "f"): return .scalar("\u{0C}", end: after)
        case UInt8(ascii: "n"): return .scalar("\n", end: after)
        case UInt8(ascii: "r"): return .scalar("\r", end: after)
        case UInt8(ascii: "t"): return .scalar("\t", end: after)
        case UInt8(ascii: "v"): return .scalar("\u{0B}", end: after)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            guard let value = hex(bytes, after, 2, limit), let scalar = Unicode.Scalar(value) else {
                return .malformed(end: min(after + 2, limit), advice: "\\x takes two hexadecimal digits; " + backslash)
            }
            return .scalar(scalar, end: after + 2)
        case UInt8(ascii: "u"), UInt8(ascii: "U"): return unit(bytes, start, limit)
        case 0x30...0x37: return octal(bytes, start, limit)
        default: return other(bytes, start + 1, limit)
        }
    }

    /// Any other character after a backslash represents itself. It may take several bytes.
    private static func other(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> Escape {
        var end = start + 1
        while end < limit, bytes[end] & 0xC0 == 0x80 { end += 1 }
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        return .scalar(text.unicodeScalars.first ?? "\u{FFFD}", end: end)
    }

    private static func octal(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> Escape {
        var value: UInt32 = 0
        var end = start + 1
        while end < limit, end < start + 4, (0x30...0x37).contains(bytes[end]) {
            value = value << 3 | UInt32(bytes[end] - 0x30)
            end += 1
        }
        guard value <= 0xFF, let scalar = Unicode.Scalar(value) else {
            return .malformed(end: end, advice: "an octal escape is at most \\377")
        }
        return .scalar(scalar, end: end)
    }

    private static let backslash = "a backslash is \\\\"

    /// Decodes `\uhhhh`, one UTF-16 code unit. Two units may form one character (a surrogate pair).
    private static func unit(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> Escape {
        guard let first = hex(bytes, start + 2, 4, limit) else {
            return .malformed(end: min(start + 6, limit), advice: "\\u takes four hexadecimal digits; " + backslash)
        }
        if let scalar = Unicode.Scalar(first) { return .scalar(scalar, end: start + 6) }
        let next = start + 6
        if (0xD800..<0xDC00).contains(first), next + 1 < limit, bytes[next] == UInt8(ascii: "\\"),
            bytes[next + 1] | 0x20 == UInt8(ascii: "u"), let second = hex(bytes, next + 2, 4, limit),
            (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        {
            return .scalar(scalar, end: next + 6)
        }
        return .malformed(end: start + 6, advice: "half of a surrogate pair is not a character")
    }

    private static func hex(_ bytes: [UInt8], _ start: Int, _ count: Int, _ limit: Int) -> UInt32? {
        guard start + count <= limit else { return nil }
        var value: UInt32 = 0
        for index in start..<(start + count) {
            guard let digit = bytes[index].hexadecimalDigit else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// The absolute value of an integer token; nil if it needs more than 64 bits.
    static func integer(_ bytes: [UInt8], _ span: SourceSpan) -> UInt64? {
        var index = span.start
        var radix: UInt64 = 10
        if span.count > 2, bytes[index] == UInt8(ascii: "0"), !bytes[index + 1].isDigit {
            switch bytes[index + 1] | 0x20 {
            case UInt8(ascii: "x"): radix = 16
            case UInt8(ascii: "o"): radix = 8
            default: radix = 2
            }
            index += 2
        }
        var value: UInt64 = 0
        while index < span.end {
            guard let digit = bytes[index].hexadecimalDigit else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: radix)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            guard !overflow, !carry else { return nil }
            value = sum
            index += 1
        }
        return value
    }

    /// The value of a floating-point token; infinite if it is out of range.
    static func floatingPoint(_ bytes: [UInt8], _ span: SourceSpan) -> Double {
        shortDecimal(bytes, span) ?? Double(String(decoding: bytes[span.range], as: UTF8.self)) ?? .infinity
    }

    /// Fast path for short numbers such as `12.5`: digits and power of ten are exact doubles, so one division
    /// is correctly rounded.
    private static func shortDecimal(_ bytes: [UInt8], _ span: SourceSpan) -> Double? {
        guard span.count <= 16 else { return nil }
        var digits: UInt64 = 0
        var scale = 1.0
        var isFraction = false
        for index in span.range {
            if bytes[index] == UInt8(ascii: "."), !isFraction {
                isFraction = true
                continue
            }
            guard bytes[index].isDigit else { return nil }
            digits = digits * 10 + UInt64(bytes[index] - 0x30)
            if isFraction { scale *= 10 }
        }
        return Double(digits) / scale
    }
}
