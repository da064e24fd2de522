// Keys, independent of the bytes that a terminal sends. KeyDecoder.swift decodes the bytes.

/// A key or a pasted text.
package enum Key: Hashable, Sendable {
    /// A character, or a part of one: a combining mark is a separate key.
    case text(String)
    /// Pasted text. Line breaks are LF; other control characters are removed.
    case paste(String)
    /// Ctrl with a lower-case letter, or with `_`.
    case control(Character)
    /// Alt with a lower-case letter.
    case alt(Character)
    case enter, altEnter, tab, backTab, escape
    case backspace, altBackspace, delete, altDelete
    case up, down, left, right, wordLeft, wordRight
    case home, end, pageUp, pageDown
    /// A key that has no function.
    case unknown
}
