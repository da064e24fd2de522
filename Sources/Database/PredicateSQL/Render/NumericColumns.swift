// Text columns of SQLite whose declared type, such as DATETIME or DECIMAL(8, 2), makes SQLite convert the other
// operand to a number: `at < '2025'` becomes `at < 2025`, which no text satisfies. `+at` prevents the
// conversion, but then no index is used. So the emitter adds a condition that follows from the first and can
// use the index, because its bound does not look like a number: `at < '2025\u{1}'`.
//
//     https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison

/// The kind of table that contains the column.
package enum NumericColumn: Sendable, Hashable {
    /// A table. Its column never contains a text that looks like a number, because SQLite converted it when it
    /// was stored.
    case ofTable
    /// A view or a virtual table, which may contain any text.
    case ofView
}

/// The bound that replaces a text in a condition for an index.
enum TextBound {
    /// A greater text that does not look like a number. No stored text is between the two.
    case above
    /// A text that is not greater. It looks like a number only if it is the text itself, which then does not.
    case below

    func callAsFunction(_ text: String) -> String {
        if self == .above { return text + "\u{1}" }
        var scalars = text.unicodeScalars
        guard let last = scalars.popLast(), last.value > 0 else { return text }
        // Below U+E000 is U+D7FF.
        scalars.append(Unicode.Scalar(last.value - 1) ?? "\u{D7FF}")
        scalars.append("\u{10FFFF}")
        return String(scalars)
    }

    /// The smallest text after all texts with this prefix.
    static func successor(_ text: String) -> String? {
        if let last = text.utf8.last, last < 0x7F {
            var bytes = Array(text.utf8)
            bytes[bytes.count - 1] = last + 1
            return String(decoding: bytes, as: UTF8.self)
        }
        var scalars = Array(text.unicodeScalars)
        while let last = scalars.popLast() {
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            var end = String.UnicodeScalarView()
            end.append(contentsOf: scalars)
            return String(end)
        }
        return nil
    }
}
