// The classes of ASCII characters, and texts without white space at their ends.

extension UInt8 {
    /// A space, tab, line feed or carriage return: the white space of predicates and of JSON.
    @inlinable package var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
    @inlinable package var isDigit: Bool { self &- 0x30 < 10 }
    @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    /// A letter or an underscore.
    @inlinable package var beginsWord: Bool { isLetter || self == 0x5F }
    /// A letter, an underscore or a digit.
    @inlinable package var isOfWord: Bool { beginsWord || isDigit }

    /// The value of a hexadecimal digit in either case; nil for any other character.
    @inlinable package var hexadecimalDigit: UInt8? {
        if isDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}

extension String {
    /// The digits with zeros in front, up to a number of digits.
    @inlinable package func zeroPadded(to count: Int) -> String {
        String(repeating: "0", count: max(0, count - utf8.count)) + self
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    package var trimmingSpaces: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
