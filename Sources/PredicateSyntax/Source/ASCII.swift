// The classes of ASCII characters.

extension UInt8 {
    /// The value of a hexadecimal digit in either case; nil for any other character.
    @inlinable package var hexadecimalDigit: UInt8? {
        let digit = self &- 0x30
        if digit < 10 { return digit }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}
