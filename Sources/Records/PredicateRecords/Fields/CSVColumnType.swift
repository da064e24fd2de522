// The type of a CSV column. Each column has one type, inferred from all its fields, so that `serial == "0123"` has the
// same meaning in every record. CSVFramer infers it; CSVField converts fields to it.

/// The inferred type of a CSV column for which the user gave no type (`FieldTypes`).
package enum CSVColumnType: Sendable, Hashable {
    /// No field so far has a value.
    case empty
    /// Only quoted empty fields so far.
    case blank
    /// Every field is a JSON number, without quotation marks, or empty.
    case number
    /// Every field so far is this word of the pair.
    case word(BooleanWords, Bool)
    /// Every field is one of the two words, without quotation marks, or empty.
    case boolean(BooleanWords)
    case text
    /// A column of a file in which every field has quotation marks: what they enclose is a number, one of two words, or
    /// a text. In the first two, `""` is nil.
    case quotedNumber, quotedBoolean(BooleanWords), quotedText

    /// Whether every field of the file has quotation marks.
    package var isQuoted: Bool {
        switch self {
        case .quotedNumber, .quotedBoolean, .quotedText: true
        default: false
        }
    }

    /// Whether quotation marks hide numbers or Booleans.
    package var readsQuoted: Bool { isQuoted && self != .quotedText }
    var isText: Bool { self == .text || self == .quotedText }

    /// The type of a column whose fields have this type without their quotation marks.
    var quoted: Self {
        switch decided {
        case .number: .quotedNumber
        case .boolean(let words): .quotedBoolean(words)
        default: .quotedText
        }
    }

    /// Updates the type with one more field.
    mutating func add(_ field: CSVFieldBytes, _ bytes: UnsafeBufferPointer<UInt8>) {
        if self == .text || bytes.isEmpty { return }
        if field.isQuoted {
            self = bytes.count > 2 ? .text : self == .empty ? .blank : self
            return
        }
        var found = Self.text
        if CSVField.number(bytes) != nil {
            found = .number
        } else if let words = BooleanWords(bytes), let value = words.value(bytes) {
            found = .word(words, value)
        }
        self = joined(found)
    }

    /// The type of a column whose fields have this type and another one.
    package func joined(_ found: Self) -> Self {
        switch (self, found) {
        case (_, .empty): self
        case (.empty, _), (.blank, _): found
        case (.word(let words, let value), .word(let others, let other)) where words == others:
            value == other ? self : .boolean(words)
        case (.boolean(let words), .word(let others, _)) where words == others: self
        case (.number, .quotedNumber), (.quotedNumber, .number): .quotedNumber
        default: self == found ? self : .text
        }
    }

    /// The value of a field that certainly has the type; nil if `CSVField.value` must decide.
    func value(_ field: CSVFieldBytes, _ bytes: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        if !field.isQuoted, bytes.isEmpty { return .null }
        switch self {
        case .number: return field.isQuoted ? nil : JSONNumber.exact(bytes) ?? CSVField.number(bytes)
        case .text, .quotedText: return CSVField.text(bytes, field).map { .string($0) }
        case .boolean(let words): return field.isQuoted ? nil : words.value(bytes).map { .bool($0) }
        case .quotedNumber, .quotedBoolean:
            let inner = field.inner(bytes)
            if inner.isEmpty { return .null }
            if case .quotedBoolean(let words) = self { return words.value(inner).map { .bool($0) } }
            return CSVField.number(inner)
        case .empty, .blank, .word: return nil
        }
    }

    /// Whether a field without quotation marks certainly has the type: an empty field, a short number without an
    /// exponent, or a Boolean. It reads eight bytes at once and creates no value.
    @inline(__always) func surelyHas(_ base: UnsafePointer<UInt8>, _ count: Int, _ field: CSVFieldBytes) -> Bool {
        let length = field.end &- field.start
        if length == 0 { return true }
        guard length < 16, field.start &+ 16 <= count else { return false }
        let word = ByteWord.load(base, field.start)
        switch self {
        case .number where length < 8: return ByteWord.isNumber(word, length)
        case .number: return ByteWord.isNumber(word, ByteWord.load(base, field.start &+ 8), length)
        // `true` and `false`, with the first byte in the lowest position.
        case .boolean(.standard) where length == 4: return ByteWord.prefix(word, 4) == 0x6575_7274
        case .boolean(.standard) where length == 5: return ByteWord.prefix(word, 5) == 0x65_736C_6166
        case .boolean, .empty, .blank, .word, .text, .quotedNumber, .quotedBoolean, .quotedText: return false
        }
    }

    /// The final type, after all sample fields were added. One word alone may be a code, such as NO for Norway; only true
    /// and false are Booleans alone.
    var decided: Self {
        switch self {
        case .blank: .text
        case .word(let words, _): words == .standard ? .boolean(words) : .text
        default: self
        }
    }
}
