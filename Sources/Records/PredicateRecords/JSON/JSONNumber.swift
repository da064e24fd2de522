// Parses JSON numbers. Short numbers need a few exact multiplications; longer ones are parsed by the standard library.

enum JSONNumber {
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Reads the number at `at` (a digit or a minus) and moves `at` after it. An integer beyond 64 bits is a decimal.
    /// - Parameter keepsDecimals: whether a number with digits that the double would lose is a decimal.
    static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, from at: inout Int, keepsDecimals: Bool = false
    ) throws(DocumentProblem) -> PredicateValue {
        let start = at
        let count = bytes.count
        let negative = bytes[at] == UInt8(ascii: "-")
        if negative { at += 1 }
        // Only the first 19 digits enter the mantissa, so that it cannot overflow 64 bits; `digits` counts all.
        var mantissa: UInt64 = 0
        var digits = 0
        func takeDigits(_ at: inout Int) -> Int {
            let first = at
            while at < count {
                let digit = bytes[at] &- 0x30
                guard digit < 10 else { break }
                if digits < 19 { mantissa = mantissa &* 10 &+ UInt64(digit) }
                if digits > 0 || digit > 0 { digits += 1 }
                at += 1
            }
            return at - first
        }
        let leadsWithZero = at < count && bytes[at] == 0x30
        let whole = takeDigits(&at)
        if whole == 0 { throw DocumentProblem(offset: at, message: "a digit is expected") }
        if leadsWithZero, whole > 1 {
            throw DocumentProblem(offset: start, message: "a number cannot begin with a zero")
        }
        var isInteger = true
        var exponent = 0
        if at < count, bytes[at] == UInt8(ascii: ".") {
            isInteger = false
            at += 1
            exponent = -takeDigits(&at)
            if exponent == 0 {
                throw DocumentProblem(offset: at, message: "a digit is expected after the decimal point")
            }
        }
        if at < count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            at += 1
            exponent += try power(bytes, &at)
        }
        if isInteger, digits <= 19, mantissa <= UInt64(Int64.max) {
            return .integer(negative ? -Int64(mantissa) : Int64(mantissa))
        }
        if isInteger, negative, digits == 19, mantissa == Int64.min.magnitude { return .integer(.min) }
        if isInteger {
            if let decimal = decimal(bytes[start..<at]) { return .decimal(decimal) }
            throw DocumentProblem(
                offset: start, message: "an integer of more than 38 digits cannot be read exactly: write it as text")
        }
        if keepsDecimals, digits > 15 || abs(exponent) > 290 {
            if let exact = decimal(bytes[start..<at]) {
                let nearest = Double(String(decoding: bytes[start..<at], as: UTF8.self)) ?? .nan
                return DecimalNumber(nearest.description) == exact ? .double(nearest) : .decimal(exact)
            }
            if digits > 38 {
                throw DocumentProblem(
                    offset: start, message: "a number of more than 38 digits cannot be read exactly: write it as text")
            }
        }
        // Clinger's fast path: both factors are exact doubles, so one rounding gives the nearest double.
        if digits <= 15, abs(exponent) <= 22 {
            let magnitude = Double(mantissa)
            let value = exponent < 0 ? magnitude / powersOfTen[-exponent] : magnitude * powersOfTen[exponent]
            return .double(negative ? -value : value)
        }
        guard let value = Double(String(decoding: bytes[start..<at], as: UTF8.self)), value.isFinite else {
            throw DocumentProblem(offset: start, message: "the number is too large for a double")
        }
        return .double(value)
    }

    /// nil for more than 38 digits before the trailing zeros.
    private static func decimal(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> DecimalNumber? {
        if let number = DecimalNumber(String(decoding: bytes, as: UTF8.self)) { return number }
        guard let last = bytes.lastIndex(where: { $0 != 0x30 }), bytes.allSatisfy({ $0 < 0x3A }) else { return nil }
        let zeros = bytes.contains(0x2E) ? "" : "e\(bytes.endIndex - last - 1)"
        return DecimalNumber(String(decoding: bytes[...last], as: UTF8.self) + zeros)
    }

    /// Reads the digits of an exponent. Returns at most a million.
    private static func power(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) throws(DocumentProblem) -> Int {
        let negative = at < bytes.count && bytes[at] == UInt8(ascii: "-")
        if negative || at < bytes.count && bytes[at] == UInt8(ascii: "+") { at += 1 }
        let first = at
        var power = 0
        while at < bytes.count, bytes[at].isDigit {
            power = min(power * 10 + Int(bytes[at] &- 0x30), 1_000_000)
            at += 1
        }
        if at == first { throw DocumentProblem(offset: at, message: "a digit is expected in the exponent") }
        return negative ? -power : power
    }

    /// Parses a text that is exactly one number; nil for any other text.
    ///
    /// - Parameter hasDecimals: whether an integer beyond 64 bits is a decimal; otherwise it is nil.
    static func exact(_ bytes: UnsafeBufferPointer<UInt8>, hasDecimals: Bool = false) -> PredicateValue? {
        guard let first = bytes.first, first == UInt8(ascii: "-") || first.isDigit else { return nil }
        var at = 0
        guard let value = try? read(bytes, from: &at), at == bytes.count else { return nil }
        if case .decimal = value, !hasDecimals { return nil }
        return value
    }
}
