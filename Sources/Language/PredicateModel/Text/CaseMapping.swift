// `uppercase:` and `lowercase:`: full case mappings of the same Unicode version as the folds, independent of
// locale.

/// Converts texts to upper and lower case.
package enum CaseMapping {
    /// Converts to upper case: `Straße` becomes `STRASSE`.
    package static func upper(_ text: String) -> String { map(text, uppercase, ascii: 97) }

    /// Converts to lower case: `ΟΔΟΣ` becomes `οδος`, with a final sigma at the end of a word as Unicode
    /// requires.
    package static func lower(_ text: String) -> String {
        guard text.utf8.contains(0xCE) else { return map(text, lowercase, ascii: 65) }
        let scalars = text.unicodeScalars.map { $0.value }
        var result: [UInt32] = []
        result.reserveCapacity(scalars.count)
        for (index, scalar) in scalars.enumerated() {
            if scalar == 0x3A3 {
                result.append(isFinal(index, scalars) ? 0x3C2 : 0x3C3)
            } else {
                result += lowercase[scalar] ?? [scalar]
            }
        }
        return String(scalars: result)
    }

    private static let uppercase = table(UnicodeFoldData.uppercase)
    private static let lowercase = table(UnicodeFoldData.lowercase)

    private static func table(_ data: StaticString) -> [UInt32: [UInt32]] {
        var table: [UInt32: [UInt32]] = [:]
        for (scalar, values) in PackedNumbers(data).mappings() where table[scalar] == nil { table[scalar] = values }
        return table
    }

    /// - Parameter ascii: the first of the 26 ASCII letters that change.
    private static func map(_ text: String, _ table: [UInt32: [UInt32]], ascii: UInt8) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(decoding: text.utf8.map { $0 &- ascii < 26 ? $0 ^ 0x20 : $0 }, as: UTF8.self)
        }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count + 8)
        for scalar in text.unicodeScalars {
            if scalar.value < 0x80 {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                result.append(byte &- ascii < 26 ? byte ^ 0x20 : byte)
                continue
            }
            for mapped in table[scalar.value] ?? [scalar.value] {
                if let encoded = Unicode.Scalar(mapped).flatMap({ UTF8.encode($0) }) { result += encoded }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Unicode's Final_Sigma condition: a cased letter before and none after, ignoring case-ignorable
    /// characters.
    private static func isFinal(_ index: Int, _ scalars: [UInt32]) -> Bool {
        let ignorable = UnicodeProperties.binary("caseignorable") ?? .empty
        let cased = UnicodeProperties.binary("cased") ?? .empty
        guard let before = scalars[..<index].last(where: { !ignorable.contains($0) }), cased.contains(before) else {
            return false
        }
        guard let after = scalars[(index + 1)...].first(where: { !ignorable.contains($0) }) else { return true }
        return !cased.contains(after)
    }
}
