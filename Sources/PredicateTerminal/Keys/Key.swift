// What a person presses, freed from the bytes that a terminal sends for it. KeyDecoder.swift reads those.

/// One key, or one pasted text.
package enum Key: Hashable, Sendable {
    /// A character, or a part of one: a combining mark comes by itself.
    case text(String)
    /// What a terminal sent between the marks of a paste: line breaks are LF, other control characters are gone.
    case paste(String)
    /// Ctrl with a lower-case letter, or with `_`.
    case control(Character)
    /// Alt with a lower-case letter.
    case alt(Character)
    case enter, altEnter, tab, backTab, escape
    case backspace, altBackspace, delete, altDelete
    case up, down, left, right, wordLeft, wordRight
    case home, end, pageUp, pageDown
    /// A key that nothing is bound to.
    case unknown
}
