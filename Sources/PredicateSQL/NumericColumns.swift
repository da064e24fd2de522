// Columns of SQLite whose declared type, DATETIME or DECIMAL(8, 2), makes numbers of what is compared with them: `at < '2025'` is
// `at < 2025` then, which holds for no text. `+at` is not converted, and no index serves it. An index serves a second condition
// that follows from the first, with a bound that is no number: `at < '2025\u{1}'`.
// https://www.sqlite.org/datatype3.html#type_conversions_prior_to_comparison

/// Where such a column is.
package enum NumericColumn: Sendable, Hashable {
    /// In a table, which never holds a text that looks like a number: it was converted when it was stored.
    case ofTable
    /// In a view or a virtual table, which may hold any text.
    case ofView
}

/// What a condition for an index compares with instead of a text.
enum TextBound {
    /// A greater text that looks like no number. No text between the two is stored.
    case above
    /// A text that is not greater, and looks like no number unless it is the text itself, which does not then.
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
}
