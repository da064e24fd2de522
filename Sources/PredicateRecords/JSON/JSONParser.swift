// A strict JSON parser over bytes in memory. One parser reads many records and keeps the shapes of their
// objects (ShapeTree). JSONNumber reads the numbers.

import PredicateSyntax

/// Reads one JSON value per call of `parse`.
struct JSONParser {
    /// Whether half of a surrogate pair is read as U+FFFD, instead of being an error.
    var replacesHalves = false
    private var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    private var at = 0
    private var shapes = ShapeTree()
    /// Buffer for the text of strings with escapes.
    private var scratch: [UInt8] = []
    /// See `JSONNumber.read`.
    let keepsDecimals: Bool

    init(keepsDecimals: Bool = false) { self.keepsDecimals = keepsDecimals }

    /// Reads a text that is exactly one value with optional white space around it.
    mutating func parse(_ text: UnsafeBufferPointer<UInt8>) throws(DocumentProblem) -> PredicateValue {
        bytes = text
        at = 0
        // The caller owns the memory, so no pointer to it is kept after the call.
        defer { bytes = UnsafeBufferPointer(start: nil, count: 0) }
        skipSpace()
        let value = try self.value(depth: 0)
        skipSpace()
        if at < bytes.count { throw unexpected("after the value") }
        return value
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(DocumentProblem) -> PredicateValue {
        guard at < bytes.count else { throw fault("the text ends where a value is expected") }
        switch bytes[at] {
        case UInt8(ascii: "\""):
            at += 1
            return .string(try string())
        case UInt8(ascii: "{"):
            try checkDepth(depth)
            return try object(depth: depth)
        case UInt8(ascii: "["):
            try checkDepth(depth)
            return try array(depth: depth)
        case UInt8(ascii: "t"):
            try word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try JSONNumber.read(bytes, from: &at, keepsDecimals: keepsDecimals)
        default:
            throw unexpected("where a value is expected")
        }
    }

    private func checkDepth(_ depth: Int) throws(DocumentProblem) {
        if depth >= JSON.maximumDepth { throw fault("nested deeper than \(JSON.maximumDepth) levels") }
    }

    private mutating func array(depth: Int) throws(DocumentProblem) -> PredicateValue {
        at += 1
        skipSpace()
        var values: [PredicateValue] = []
        if next(is: UInt8(ascii: "]")) { return .array(values) }
        while true {
            values.append(try value(depth: depth + 1))
            skipSpace()
            if next(is: UInt8(ascii: "]")) { return .array(values) }
            guard next(is: UInt8(ascii: ",")) else { throw unexpected("where ',' or ']' is expected") }
            skipSpace()
        }
    }

    private mutating func object(depth: Int) throws(DocumentProblem) -> PredicateValue {
        at += 1
        skipSpace()
        var values: [PredicateValue] = []
        if next(is: UInt8(ascii: "}")) { return .dictionary(ValueDictionary(shape: shapes.shape(of: 0), values: [])) }
        var node = ShapeTree.root
        var first = ShapeTree.root
        while true {
            guard next(is: UInt8(ascii: "\"")) else { throw unexpected("where a key in quotation marks is expected") }
            if let (child, end) = shapes.step(from: node, in: bytes, at: at) {
                node = child
                at = end + 1
            } else {
                let start = at
                let key = try string()
                // ShapeTree compares the bytes of keys, so a key with escapes cannot be in it.
                guard at - start - 1 == key.utf8.count, let child = shapes.add(key, to: node) else {
                    return try looseObject(shapes.keys(of: node), values, nextKey: key, depth: depth)
                }
                node = child
            }
            if first == ShapeTree.root {
                first = node
                values.reserveCapacity(shapes.expectedCount(at: first))
            }
            values.append(try member(depth: depth))
            if next(is: UInt8(ascii: "}")) {
                shapes.expect(values.count, at: first)
                return .dictionary(ValueDictionary(shape: shapes.shape(of: node), values: values))
            }
            try separator()
        }
    }

    /// Reads the rest of an object that ShapeTree cannot represent: too many keys, a repeated key, or a key with
    /// escapes.
    private mutating func looseObject(
        _ keys: [String], _ values: [PredicateValue], nextKey: String, depth: Int
    ) throws(DocumentProblem) -> PredicateValue {
        var pairs = Array(zip(keys, values))
        var key = nextKey
        while true {
            pairs.append((key, try member(depth: depth)))
            if next(is: UInt8(ascii: "}")) { return .dictionary(ValueDictionary(pairs)) }
            try separator()
            guard next(is: UInt8(ascii: "\"")) else { throw unexpected("where a key in quotation marks is expected") }
            key = try string()
        }
    }

    private mutating func member(depth: Int) throws(DocumentProblem) -> PredicateValue {
        skipSpace()
        guard next(is: UInt8(ascii: ":")) else { throw unexpected("where ':' is expected") }
        skipSpace()
        let value = try self.value(depth: depth + 1)
        skipSpace()
        return value
    }

    private mutating func separator() throws(DocumentProblem) {
        guard next(is: UInt8(ascii: ",")) else { throw unexpected("where ',' or '}' is expected") }
        skipSpace()
    }

    // MARK: Strings

    /// Reads a string; `at` is after its opening quotation mark.
    private mutating func string() throws(DocumentProblem) -> String {
        let start = at
        let isASCII = skipPlain()
        guard at < bytes.count else {
            throw DocumentProblem(offset: start - 1, message: "the string that begins here never ends")
        }
        if bytes[at] == UInt8(ascii: "\"") {
            let slice = UnsafeBufferPointer(rebasing: bytes[start..<at])
            at += 1
            if isASCII { return String(decoding: slice, as: UTF8.self) }
            guard let text = String(validating: slice, as: UTF8.self) else { throw invalidUTF8(slice, from: start) }
            return text
        }
        return try stringWithEscapes(from: start)
    }

    /// Moves to the next quotation mark, backslash or control character. Returns whether all bytes before it
    /// are ASCII.
    private mutating func skipPlain() -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        var seen: UInt64 = 0
        let count = bytes.count
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return true }
        while at + 8 <= count {
            let word = base.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            let quotes = word ^ (ones &* 0x22)
            let slashes = word ^ (ones &* 0x5C)
            // Sets the high bit of each byte that is zero (for controls: below 0x20).
            let found =
                ((quotes &- ones) & ~quotes | (slashes &- ones) & ~slashes | (word &- ones &* 0x20) & ~word) & highs
            if found != 0 { break }
            seen |= word
            at += 8
        }
        var tail: UInt8 = 0
        while at < count {
            let byte = bytes[at]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
            tail |= byte
            at += 1
        }
        return seen & highs == 0 && tail < 0x80
    }

    private mutating func stringWithEscapes(from start: Int) throws(DocumentProblem) -> String {
        scratch.removeAll(keepingCapacity: true)
        var segment = start
        while true {
            guard at < bytes.count else {
                throw DocumentProblem(offset: start - 1, message: "the string that begins here never ends")
            }
            let byte = bytes[at]
            if byte < 0x20 { throw fault("a control character in a string must be written as an escape") }
            scratch.append(contentsOf: bytes[segment..<at])
            at += 1
            if byte == UInt8(ascii: "\"") { break }
            try escape()
            segment = at
            _ = skipPlain()
        }
        guard let text = scratch.withUnsafeBufferPointer({ String(validating: $0, as: UTF8.self) }) else {
            throw invalidUTF8(UnsafeBufferPointer(rebasing: bytes[start..<at]), from: start)
        }
        return text
    }

    /// Reads the escape after a backslash and appends its character to `scratch`.
    private mutating func escape() throws(DocumentProblem) {
        guard at < bytes.count else { throw fault("the text ends inside an escape") }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
        case UInt8(ascii: "b"): scratch.append(8)
        case UInt8(ascii: "f"): scratch.append(12)
        case UInt8(ascii: "n"): scratch.append(10)
        case UInt8(ascii: "r"): scratch.append(13)
        case UInt8(ascii: "t"): scratch.append(9)
        case UInt8(ascii: "u"):
            let start = at - 2
            let code = try hexadecimal()
            var scalar = Unicode.Scalar(code)
            if scalar == nil { scalar = try pair(code) }
            if scalar == nil, replacesHalves { scalar = "\u{FFFD}" }
            guard let scalar else { throw DocumentProblem(offset: start, message: "half of a surrogate pair") }
            scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default:
            at -= 1
            throw unexpected("after a backslash")
        }
    }

    /// Reads the second half of a surrogate pair and returns the character. Returns nil, and reads nothing, if `first` is
    /// no first half or is not followed by a second one.
    private mutating func pair(_ first: UInt32) throws(DocumentProblem) -> Unicode.Scalar? {
        guard first & 0xFC00 == 0xD800, at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
            bytes[at + 1] == UInt8(ascii: "u")
        else { return nil }
        let place = at
        at += 2
        let second = try hexadecimal()
        guard second & 0xFC00 == 0xDC00 else {
            at = place
            return nil
        }
        return Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
    }

    private mutating func hexadecimal() throws(DocumentProblem) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard at < bytes.count else { throw fault("the text ends inside an escape") }
            let byte = bytes[at]
            switch byte {
            case 0x30...0x39: code = code << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: code = code << 4 | UInt32(byte - 0x41 + 10)
            case 0x61...0x66: code = code << 4 | UInt32(byte - 0x61 + 10)
            default: throw unexpected("where one of four hexadecimal digits is expected")
            }
            at += 1
        }
        return code
    }

    // MARK: Bytes and faults

    private mutating func skipSpace() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x0A, 0x0D, 0x09: at += 1
            default: return
            }
        }
    }

    private mutating func next(is byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func word(_ word: StaticString) throws(DocumentProblem) {
        let count = word.utf8CodeUnitCount
        guard at + count <= bytes.count else { throw unexpected("where a value is expected") }
        for offset in 0..<count where bytes[at + offset] != word.utf8Start[offset] {
            throw unexpected("where a value is expected")
        }
        at += count
    }

    private func fault(_ message: String) -> DocumentProblem { DocumentProblem(offset: at, message: message) }

    private func unexpected(_ place: String) -> DocumentProblem {
        guard at < bytes.count else { return fault("the text ends \(place)") }
        let text = String(decoding: bytes[at..<min(at + 4, bytes.count)], as: UTF8.self)
        if bytes[at] < 0x20 || bytes[at] == 0x7F {
            return fault("unexpected control character \(bytes[at]) \(place)")
        }
        return fault("unexpected '\(text.unicodeScalars.first.map(String.init) ?? "")' \(place)")
    }

    private func invalidUTF8(_ slice: UnsafeBufferPointer<UInt8>, from start: Int) -> DocumentProblem {
        DocumentProblem(offset: start + validPrefixCount(slice), message: FrameFault.notUTF8)
    }
}

// MARK: - Positions

extension JSONParser {
    /// Runs a reader on the bytes after a byte order mark.
    private mutating func read<Result>(
        _ file: [UInt8], _ body: (inout JSONParser) throws(DocumentProblem) -> Result
    ) throws(DocumentProblem) -> Result {
        try file.withUnsafeBufferPointer { (buffer) throws(DocumentProblem) in
            bytes = buffer
            defer { bytes = UnsafeBufferPointer(start: nil, count: 0) }
            at = buffer.starts(with: byteOrderMark) ? byteOrderMark.count : 0
            return try body(&self)
        }
    }

    /// See `JSON.document`.
    mutating func document(_ file: [UInt8]) throws(DocumentProblem) -> DocumentNode {
        try read(file) { (parser) throws(DocumentProblem) in
            var values: [DocumentNode] = []
            repeat {
                values.append(try parser.node(file, depth: 0))
                parser.skipBlanks()
            } while parser.at < file.count
            return values.count == 1 ? values[0] : .list(values)
        }
    }

    private mutating func node(_ file: [UInt8], depth: Int) throws(DocumentProblem) -> DocumentNode {
        skipBlanks()
        guard at < bytes.count else { throw fault("the text ends where a value is expected") }
        switch bytes[at] {
        case UInt8(ascii: "\""):
            at += 1
            return .text(try sourcedText(file))
        case UInt8(ascii: "{"):
            try checkDepth(depth)
            var members: [(String, DocumentNode)] = []
            while try item(close: UInt8(ascii: "}"), isFirst: members.isEmpty) {
                guard next(is: UInt8(ascii: "\"")) else {
                    throw unexpected("where a key in quotation marks is expected")
                }
                let key = try string()
                skipBlanks()
                guard next(is: UInt8(ascii: ":")) else { throw unexpected("where ':' is expected") }
                members.append((key, try node(file, depth: depth + 1)))
            }
            return .mapping(members)
        case UInt8(ascii: "["):
            try checkDepth(depth)
            var values: [DocumentNode] = []
            while try item(close: UInt8(ascii: "]"), isFirst: values.isEmpty) {
                values.append(try node(file, depth: depth + 1))
            }
            return .list(values)
        default:
            _ = try value(depth: depth)
            return .other
        }
    }

    /// Skips the opening bracket or a comma. Returns false after the closing bracket.
    private mutating func item(close: UInt8, isFirst: Bool) throws(DocumentProblem) -> Bool {
        if isFirst {
            at += 1
        } else {
            skipBlanks()
            if next(is: close) { return false }
            guard next(is: UInt8(ascii: ",")) else {
                throw unexpected("where ',' or '\(Unicode.Scalar(close))' is expected")
            }
        }
        skipBlanks()
        return !next(is: close)
    }

    /// Skips white space and comments.
    private mutating func skipBlanks() {
        skipSpace()
        while at + 1 < bytes.count, bytes[at] == UInt8(ascii: "/"), bytes[at + 1] == UInt8(ascii: "/") {
            while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
            skipSpace()
        }
    }

    /// Reads a string; `at` is after its opening quotation mark.
    private mutating func sourcedText(_ file: [UInt8]) throws(DocumentProblem) -> SourcedText {
        let open = at - 1
        var text = SourcedText(at: at)
        while true {
            let start = at
            _ = skipPlain()
            text.append(verbatim: file, start..<at)
            guard at < bytes.count else {
                throw DocumentProblem(offset: open, message: "the string that begins here never ends")
            }
            let stop = at
            if next(is: UInt8(ascii: "\"")) { return text }
            guard next(is: UInt8(ascii: "\\")) else {
                throw fault("a control character in a string must be written as an escape")
            }
            scratch.removeAll(keepingCapacity: true)
            try escape()
            text.append(scratch, from: stop..<at)
        }
    }

    /// See `JSON.offset`.
    mutating func offset(of path: String, in file: [UInt8]) -> Int {
        var found = 0
        _ = try? read(file) { (parser) throws(DocumentProblem) in
            parser.skipSpace()
            found = parser.at
            var rest = path[...]
            while !rest.isEmpty, parser.next(is: UInt8(ascii: "{")) {
                repeat {
                    parser.skipSpace()
                    guard parser.next(is: UInt8(ascii: "\"")) else { return }
                    let key = try parser.string()
                    parser.skipSpace()
                    guard parser.next(is: UInt8(ascii: ":")) else { return }
                    parser.skipSpace()
                    if rest == key || rest.hasPrefix(key + ".") {
                        rest = rest.dropFirst(key.count + 1)
                        found = parser.at
                        break
                    }
                    _ = try parser.value(depth: 0)
                    parser.skipSpace()
                    guard parser.next(is: UInt8(ascii: ",")) else { return }
                } while true
            }
        }
        return found
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
