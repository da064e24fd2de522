// Decodes a terminal's bytes to keys: UTF-8, the escape sequences of xterm-like terminals, bracketed paste. Bytes may
// arrive in pieces of any size; incomplete sequences are kept. Only a pause distinguishes a single Escape from the
// start of a sequence, so the caller must measure time (`isWaiting`, `timeout`).

/// Decodes keys.
///
///     var decoder = KeyDecoder()
///     decoder.feed(Array("a\u{1B}[D".utf8))  // [.text("a"), .left]
package struct KeyDecoder: Sendable {
    /// The maximum length of a sequence in bytes; longer ones are dropped.
    private static let longestSequence = 64
    /// The maximum length of a paste in bytes: the maximum length of a predicate.
    private static let longestPaste = 1 << 20
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var pending: [UInt8] = []
    /// The bytes pasted so far; nil outside a paste.
    private var pasted: [UInt8]?

    package init() {}

    /// Whether an incomplete sequence is pending.
    package var isWaiting: Bool { !pending.isEmpty && pasted == nil }

    /// Adds bytes. Returns the complete keys.
    package mutating func feed(_ bytes: [UInt8]) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        var position = 0
        while position < pending.count {
            if pasted != nil {
                guard let key = paste(&position) else { break }
                keys.append(key)
                continue
            }
            guard let (key, length) = Self.key(pending[position...]) else { break }
            position += length
            if let key { keys.append(key) } else { pasted = [] }
        }
        pending.removeFirst(position)
        return keys
    }

    /// Returns the keys for a pending sequence that does not continue, usually Escape.
    package mutating func timeout() -> [Key] {
        guard isWaiting else { return [] }
        let rest = pending
        pending = []
        guard rest[0] == 0x1B else { return [.unknown] }
        if rest.count == 1 { return [.escape] }
        // `ESC [` and `ESC O` without more bytes are Alt with a character.
        return rest.count == 2 ? [.alt(Character(Unicode.Scalar(rest[1])))] : [.unknown]
    }

    /// Reads pasted bytes. Returns the key if the end mark has arrived.
    private mutating func paste(_ position: inout Int) -> Key? {
        let rest = pending[position...]
        let end = Self.pasteEnd
        let found = rest.indices.first { rest[$0] == 0x1B && rest[$0...].starts(with: end) }
        // The end marker may have arrived only in part.
        let stop = found ?? max(rest.startIndex, rest.endIndex - (end.count - 1))
        let room = Self.longestPaste - (pasted?.count ?? 0)
        pasted?.append(contentsOf: rest[..<stop].prefix(max(0, room)))
        position = found.map { $0 + end.count } ?? stop
        guard found != nil, let bytes = pasted else { return nil }
        pasted = nil
        return .paste(Self.text(bytes))
    }

    private static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        var afterReturn = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            defer { afterReturn = scalar == "\r" }
            switch scalar {
            case "\r": text.unicodeScalars.append("\n")
            case "\n": if !afterReturn { text.unicodeScalars.append("\n") }
            case "\t": text.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value): break
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Returns the first key and its length in bytes. Returns nil if more bytes are needed, and no key at the start of
    /// a paste.
    private static func key(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        let first = bytes[bytes.startIndex]
        switch first {
        case 0x1B: return escape(bytes)
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x09: return (.tab, 1)
        case 0x7F, 0x08: return (.backspace, 1)
        case 0x01...0x1A: return (.control(Character(Unicode.Scalar(first + 0x60))), 1)
        case 0x1F: return (.control("_"), 1)
        case 0x00..<0x20: return (.unknown, 1)
        case 0x20..<0x7F: return (.text(String(Character(Unicode.Scalar(first)))), 1)
        default: return scalar(bytes)
        }
    }

    /// Decodes a non-ASCII scalar. Bytes that are not UTF-8 are one unknown key each.
    private static func scalar(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        let first = bytes[bytes.startIndex]
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first <= 0xF4 else { return (.unknown, 1) }
        let part = bytes.prefix(length)
        guard part.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return (.unknown, 1) }
        guard part.count == length else { return nil }
        guard let text = String(validUTF8: part) else { return (.unknown, 1) }
        // C1 control characters can move the cursor, so they are not text.
        return (first == 0xC2 && part[part.startIndex + 1] < 0xA0 ? .unknown : .text(text), length)
    }

    // MARK: Escape sequences

    private static func escape(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        let rest = bytes.dropFirst()
        guard let second = rest.first else { return nil }
        switch second {
        case UInt8(ascii: "["): return controlSequence(bytes)
        case UInt8(ascii: "O"):
            guard let final = rest.dropFirst().first else { return nil }
            return (named(final, modifier: 1), 3)
        default:
            // Alt together with a key, which may send a sequence itself.
            guard let inner = key(rest) else { return nil }
            return (inner.0.map(withAlt), inner.1 + 1)
        }
    }

    private static func withAlt(_ key: Key) -> Key {
        switch key {
        case .text(let text):
            text.unicodeScalars.count == 1 ? .alt(Character(text.lowercased())) : .unknown
        case .enter: .altEnter
        case .backspace: .altBackspace
        case .delete: .altDelete
        case .left: .wordLeft
        case .right: .wordRight
        default: .unknown
        }
    }

    /// `ESC [ parameters final`
    private static func controlSequence(_ bytes: ArraySlice<UInt8>) -> (Key?, Int)? {
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
            return body.count > longestSequence ? (.unknown, bytes.count) : nil
        }
        let length = end - bytes.startIndex + 1
        let final = bytes[end]
        // An invalid byte ends the sequence and starts a new key.
        guard (0x40...0x7E).contains(final) else { return (.unknown, length - 1) }
        let parameters = body[..<end].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            $0.reduce(0) { (0x30...0x39).contains($1) && $0 < 10_000 ? $0 * 10 + Int($1 - 0x30) : $0 }
        }
        let modifier = parameters.count > 1 ? parameters[1] : 1
        guard final == UInt8(ascii: "~") || final == UInt8(ascii: "u") else {
            return (named(final, modifier: modifier), length)
        }
        if final == UInt8(ascii: "u") { return (parameters[0] == 13 ? .altEnter : .unknown, length) }
        if parameters[0] == 200 { return (nil, length) }
        return (numbered(parameters[0], modifier: modifier), length)
    }

    private static func named(_ final: UInt8, modifier: Int) -> Key {
        let isWord = modifier == 3 || modifier == 5 || modifier == 7
        switch final {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return isWord ? .wordRight : .right
        case UInt8(ascii: "D"): return isWord ? .wordLeft : .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "Z"): return .backTab
        case UInt8(ascii: "M"): return .enter
        default: return .unknown
        }
    }

    private static func numbered(_ number: Int, modifier: Int) -> Key {
        switch number {
        case 1, 7: .home
        case 4, 8: .end
        case 3: modifier == 3 || modifier == 5 ? .altDelete : .delete
        case 5: .pageUp
        case 6: .pageDown
        default: .unknown
        }
    }
}
