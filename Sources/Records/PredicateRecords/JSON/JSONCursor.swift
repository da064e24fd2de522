// The JSON grammar: a position in a text that reads the parts of values, or skips whole values. JSONParser,
// JSONDocument and JSONSelector use it. Only JSONScanner, which finds the end of a value that is not read yet, does not.

/// A position in JSON text. After an error, the position is not defined.
struct JSONCursor {
    /// The start of a value. The position is then after the opening quotation mark or bracket, or after the whole word;
    /// for a number it is at its first byte.
    enum Start {
        case string, object, array, number, null
        case bool(Bool)
    }

    /// The part of the text between the quotation marks of a string.
    struct Quoted {
        let range: Range<Int>
        let isEscaped: Bool
    }

    let bytes: UnsafeBufferPointer<UInt8>
    var at = 0
    /// Whether a newline is white space. Between the values of JSON Lines it is not.
    var crossesLines = true
    /// Whether comments, trailing commas and bytes that are not UTF-8 are allowed, as many tools do.
    var isLenient = false
    /// Whether half of a surrogate pair is read as U+FFFD, instead of being an error.
    var replacesHalves = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Starts after a byte order mark.
    init(file: UnsafeBufferPointer<UInt8>) {
        bytes = file
        at = file.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    }

    // MARK: Parts

    /// Skips white space and, if the cursor is lenient, comments.
    @inline(__always) mutating func space() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x0D, 0x09: at &+= 1
            case 0x0A where crossesLines: at &+= 1
            default: guard isLenient, comment() else { return }
            }
        }
    }

    /// Skips a comment, if one begins here.
    private mutating func comment() -> Bool {
        guard bytes[at...].starts(with: "//".utf8) else { return false }
        while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
        return true
    }

    @inline(__always) mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at &+= 1
        return true
    }

    /// Reads the start of a value.
    @inline(__always) mutating func start(depth: Int) throws(DocumentProblem) -> Start {
        guard at < bytes.count else { throw unexpected("where a value is expected") }
        switch bytes[at] {
        case UInt8(ascii: "\""):
            at &+= 1
            return .string
        case UInt8(ascii: "{"):
            try open(depth)
            return .object
        case UInt8(ascii: "["):
            try open(depth)
            return .array
        case UInt8(ascii: "t"):
            try word(0x6575_7274, at: 0)
            return .bool(true)
        case UInt8(ascii: "f"):
            try word(0x6573_6C61, at: 1)
            return .bool(false)
        case UInt8(ascii: "n"):
            try word(0x6C6C_756E, at: 0)
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw unexpected("where a value is expected")
        }
    }

    private mutating func open(_ depth: Int) throws(DocumentProblem) {
        try DocumentProblem.check(depth: depth, at: at)
        at &+= 1
    }

    /// Skips a word whose last four letters, from `offset`, are these; the first of them is the lowest byte.
    private mutating func word(_ letters: UInt32, at offset: Int) throws(DocumentProblem) {
        let end = at &+ offset &+ 4
        guard end <= bytes.count,
            UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: end - 4, as: UInt32.self).littleEndian
                == letters
        else { throw unexpected("where a value is expected") }
        at = end
    }

    /// Moves to the next item of an array or object, which begins after the opening bracket or a comma. Returns false
    /// after the closing bracket.
    @inline(__always) mutating func item(isFirst: Bool, close: UInt8) throws(DocumentProblem) -> Bool {
        space()
        if isFirst { return !take(close) }
        if take(UInt8(ascii: ",")) {
            space()
            return !isLenient || !take(close)
        }
        guard take(close) else { throw unexpected(insteadOf: close) }
        return false
    }

    /// Reads a key and moves to its value.
    mutating func key() throws(DocumentProblem) -> Quoted {
        try quote()
        let key = try string()
        try colon()
        return key
    }

    /// Skips the opening quotation mark of a key.
    @inline(__always) mutating func quote() throws(DocumentProblem) {
        guard take(UInt8(ascii: "\"")) else { throw unexpected("where a key in quotation marks is expected") }
    }

    /// Moves from the end of a key to its value.
    @inline(__always) mutating func colon() throws(DocumentProblem) {
        space()
        guard take(UInt8(ascii: ":")) else { throw unexpected("where ':' is expected") }
        space()
    }

    @inline(__always) mutating func skip(depth: Int) throws(DocumentProblem) {
        switch try start(depth: depth) {
        case .string: _ = try string()
        case .object: try skipItems(depth, close: UInt8(ascii: "}"))
        case .array: try skipItems(depth, close: UInt8(ascii: "]"))
        case .number: try skipNumber()
        case .bool, .null: break
        }
    }

    private mutating func skipItems(_ depth: Int, close: UInt8) throws(DocumentProblem) {
        var isFirst = true
        while try item(isFirst: isFirst, close: close) {
            isFirst = false
            if close == UInt8(ascii: "}") { _ = try key() }
            try skip(depth: depth + 1)
        }
    }

    /// Skips a number. Only one with an exponent or with hundreds of digits can exceed a double; JSONNumber reads it, and
    /// an invalid one.
    private mutating func skipNumber() throws(DocumentProblem) {
        if skipShortNumber() { return }
        let start = at
        _ = take(UInt8(ascii: "-"))
        let hasZero = take(0x30)
        let isShort = skipDigits() != hasZero && (!take(UInt8(ascii: ".")) || skipDigits())
        if isShort, at &- start <= 300, at == bytes.count || bytes[at] | 0x20 != UInt8(ascii: "e") { return }
        at = start
        _ = try JSONNumber.read(bytes, from: &at)
    }

    /// Skips a number of up to 15 bytes before a comma, as most numbers are; it has no sign and no exponent.
    private mutating func skipShortNumber() -> Bool {
        guard let base = bytes.baseAddress, at &+ 16 <= bytes.count else { return false }
        let (word, rest) = (ByteWord.load(base, at), ByteWord.load(base, at &+ 8))
        let commas = ByteWord.repeating(UInt8(ascii: ","))
        let (first, second) = (ByteWord.find(commas, in: word), ByteWord.find(commas, in: rest))
        let count = first != 0 ? ByteWord.first(first) : second != 0 ? 8 &+ ByteWord.first(second) : 0
        guard count > 0, count < 8 ? ByteWord.isNumber(word, count) : ByteWord.isNumber(word, rest, count) else {
            return false
        }
        at &+= count
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = at
        while at < bytes.count, bytes[at].isDigit { at &+= 1 }
        return at > start
    }

    // MARK: Strings

    /// Reads a string, from the byte after its opening quotation mark.
    mutating func string() throws(DocumentProblem) -> Quoted {
        guard let base = bytes.baseAddress else { throw unexpected("where a string is expected") }
        let start = at
        var seen: UInt64 = 0
        var isEscaped = false
        let (quotes, escapes) = (ByteWord.repeating(0x22), ByteWord.repeating(0x5C))
        while true {
            ByteWord.pass(base, bytes.count, &at, &seen) { word in
                ByteWord.find(quotes, in: word) | ByteWord.find(escapes, in: word) | ByteWord.findControls(in: word)
            } orIn: { pair in
                ByteWord.find(quotes, in: pair) | ByteWord.find(escapes, in: pair) | ByteWord.findControls(in: pair)
            }
            guard at < bytes.count else {
                throw DocumentProblem(offset: start - 1, message: "the string that begins here never ends")
            }
            if bytes[at] == UInt8(ascii: "\"") { break }
            guard bytes[at] == UInt8(ascii: "\\") else {
                throw fault("a control character in a string must be written as an escape")
            }
            _ = try escape()
            isEscaped = true
        }
        let range = Range(uncheckedBounds: (start, at))
        at &+= 1
        if seen & ByteWord.highs != 0, !isLenient, !isValidUTF8(base, range) {
            let offset = start + validPrefixCount(UnsafeBufferPointer(rebasing: bytes[range]))
            throw DocumentProblem(offset: offset, message: DocumentProblem.notUTF8)
        }
        return Quoted(range: range, isEscaped: isEscaped)
    }

    /// The text of a string that was read.
    @inline(__always) func text(_ quoted: Quoted) -> String {
        if quoted.isEscaped { return unescaped(quoted) }
        return String(decoding: UnsafeBufferPointer(rebasing: bytes[quoted.range]), as: UTF8.self)
    }

    private func unescaped(_ quoted: Quoted) -> String {
        // No escape is shorter than its character.
        String(unsafeUninitializedCapacity: quoted.range.count) { text in
            var count = 0
            decode(quoted) { range in
                count = text[count...].initialize(fromContentsOf: bytes[range])
            } escape: { character, _ in
                for byte in character.utf8 {
                    text[count] = byte
                    count += 1
                }
            }
            return count
        }
    }

    /// Calls the closures with the parts of a string that was read, in order: the ranges without escapes, and the escapes.
    func decode(_ quoted: Quoted, plain: (Range<Int>) -> Void, escape: (Unicode.Scalar, Range<Int>) -> Void) {
        var place = self
        place.at = quoted.range.lowerBound
        while place.at < quoted.range.upperBound {
            let start = place.at
            let stop = bytes[start..<quoted.range.upperBound].firstIndex(of: UInt8(ascii: "\\"))
            place.at = stop ?? quoted.range.upperBound
            plain(start..<place.at)
            if let stop, let character = try? place.escape() { escape(character, stop..<place.at) }
        }
    }

    /// Reads an escape, from its backslash, and returns its character.
    private mutating func escape() throws(DocumentProblem) -> Unicode.Scalar {
        let start = at
        at &+= 1
        guard at < bytes.count else { throw fault("the text ends inside an escape") }
        let byte = bytes[at]
        at &+= 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let code = try hexadecimal()
            if let scalar = Unicode.Scalar(code) { return scalar }
            if let scalar = try pair(code) { return scalar }
            if replacesHalves { return "\u{FFFD}" }
            throw DocumentProblem(offset: start, message: "half of a surrogate pair")
        default:
            at &-= 1
            throw unexpected("after a backslash")
        }
    }

    /// Reads the second half of a surrogate pair and returns the character. Returns nil, and reads nothing, if `first` is
    /// no first half or is not followed by a second one.
    private mutating func pair(_ first: UInt32) throws(DocumentProblem) -> Unicode.Scalar? {
        let place = at
        if first & 0xFC00 == 0xD800, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
            let second = try hexadecimal()
            if second & 0xFC00 == 0xDC00 { return Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF) }
        }
        at = place
        return nil
    }

    private mutating func hexadecimal() throws(DocumentProblem) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard at < bytes.count else { throw fault("the text ends inside an escape") }
            guard let digit = bytes[at].hexadecimalDigit else {
                throw unexpected("where one of four hexadecimal digits is expected")
            }
            code = code << 4 | UInt32(digit)
            at &+= 1
        }
        return code
    }

    // MARK: Problems

    @inline(never) private func fault(_ message: String) -> DocumentProblem {
        DocumentProblem(offset: at, message: message)
    }

    /// What follows an item is neither a comma nor the closing bracket.
    @inline(never) private func unexpected(insteadOf close: UInt8) -> DocumentProblem {
        unexpected("where ',' or '\(Unicode.Scalar(close))' is expected")
    }

    @inline(never) func unexpected(_ place: String) -> DocumentProblem {
        guard at < bytes.count else { return fault("the text ends \(place)") }
        let text = String(decoding: bytes[at..<min(at + 4, bytes.count)], as: UTF8.self)
        if bytes[at] < 0x20 || bytes[at] == 0x7F {
            return fault("unexpected control character \(bytes[at]) \(place)")
        }
        return fault("unexpected '\(text.unicodeScalars.first.map(String.init) ?? "")' \(place)")
    }
}

/// Returns how many bytes from the start are valid UTF-8.
func validPrefixCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var low = 0
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { low += UTF8.width(scalar) }
    return min(low, bytes.count)
}
