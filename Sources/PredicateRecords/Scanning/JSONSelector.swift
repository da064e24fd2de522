// Reads some fields of JSON objects and skips the others. Most records of an input have the same keys in the same
// order. So the text between two values (comma, key, colon, spaces) is compared as a whole with the text in the
// previous object.

import PredicateSyntax

struct JSONSelector {
    /// The text before a value of the previous object, and the field of that value.
    private struct Expected {
        var byteCount: Int
        /// The index of the selected field; negative for a skipped field.
        var slot: Int
    }

    /// The maximum length of a stored text, in words of eight bytes.
    private static let expectedWords = 16
    private static let maximumExpected = 128

    /// The selected fields of the previous object.
    private var record: ValueDictionary
    private let names: [[UInt8]]
    private var expected: [Expected] = []
    /// The stored texts, `expectedWords` words each.
    private var words: [UInt64] = []
    /// Reads values other than plain strings, numbers and literals.
    private var parser: JSONParser
    /// Whether to collect keys that differ from the previous object. These include all keys of all objects.
    var collectsKeys = false
    private var newKeys: [String] = []

    /// - Parameter fields: the keys to read, each once.
    init(fields: [String], keepsDecimals: Bool = false) {
        parser = JSONParser(keepsDecimals: keepsDecimals)
        record = ValueDictionary(shape: ValueDictionary.Shape(fields), values: [])
        names = fields.map { Array($0.utf8) }
    }

    /// Reads the object at `place` and moves to the byte after it. Missing fields are nil. Returns nil if the text is
    /// not an object or may be invalid; then JSONParser must read it.
    mutating func object(at place: inout JSONSkipper) -> PredicateValue? {
        guard place.at < place.count, place.base[place.at] == UInt8(ascii: "{") else { return nil }
        for slot in names.indices { record.replaceValue(at: slot, with: .null) }
        var index = 0
        while true {
            let slot: Int
            if index < expected.count, isExpected(index, place) {
                place.at &+= expected[index].byteCount
                slot = expected[index].slot
            } else {
                guard let found = key(index, &place) else { return nil }
                if found == Self.noKey { break }
                slot = found
            }
            if slot < 0 {
                guard place.value(depth: 1) else { return nil }
            } else {
                guard let value = value(&place) else { return nil }
                record.replaceValue(at: slot, with: value)
            }
            place.space()
            guard place.at < place.count else { return nil }
            if place.base[place.at] == UInt8(ascii: "}") { break }
            guard place.base[place.at] == UInt8(ascii: ",") else { return nil }
            index &+= 1
        }
        place.at &+= 1
        return .dictionary(record)
    }

    // MARK: Keys

    /// Returns the collected keys. Keys of an object that could not be read are dropped.
    mutating func takeKeys(isGood: Bool) -> [String] {
        guard !newKeys.isEmpty else { return [] }
        defer { newKeys = [] }
        if !isGood { expected = [] }
        return isGood ? newKeys : []
    }

    /// A result of `key` that means that the object is empty.
    private static let noKey = Int.max

    @inline(__always) private func isExpected(_ index: Int, _ place: JSONSkipper) -> Bool {
        let byteCount = expected[index].byteCount
        let wholeWords = byteCount >> 3
        guard place.at &+ (wholeWords &+ 1) &* 8 <= place.count else { return false }
        return words.withUnsafeBufferPointer { words in
            let first = index &* Self.expectedWords
            for word in 0..<wholeWords
            where ByteWord.load(place.base, place.at &+ word &* 8) != words[first &+ word] { return false }
            let last = ByteWord.load(place.base, place.at &+ wholeWords &* 8)
            return ByteWord.prefix(last, byteCount & 7) == words[first &+ wholeWords]
        }
    }

    /// Reads `{ "key" :` or `, "key" :` and stores the text. Returns the slot of the field.
    private mutating func key(_ index: Int, _ place: inout JSONSkipper) -> Int? {
        let start = place.at
        place.at &+= 1
        place.space()
        if index == 0, place.at < place.count, place.base[place.at] == UInt8(ascii: "}") { return Self.noKey }
        guard place.take(UInt8(ascii: "\"")) else { return nil }
        let first = place.at
        // Keys are compared by their bytes, so JSONParser must read a key with escapes.
        guard case .plain? = place.string() else { return nil }
        let name = UnsafeBufferPointer(start: place.base + first, count: place.at - 1 - first)
        if collectsKeys { newKeys.append(String(decoding: name, as: UTF8.self)) }
        let slot = names.firstIndex { $0.count == name.count && $0.elementsEqual(name) } ?? -1
        place.space()
        guard place.take(UInt8(ascii: ":")) else { return nil }
        place.space()
        remember(UnsafeBufferPointer(start: place.base + start, count: place.at - start), slot, index)
        return slot
    }

    private mutating func remember(_ text: UnsafeBufferPointer<UInt8>, _ slot: Int, _ index: Int) {
        guard index < Self.maximumExpected, index <= expected.count, text.count < Self.expectedWords * 8 else { return }
        if index == expected.count {
            expected.append(Expected(byteCount: 0, slot: 0))
            words += Array(repeating: 0, count: Self.expectedWords)
        }
        expected[index] = Expected(byteCount: text.count, slot: slot)
        for word in 0..<Self.expectedWords {
            var bits: UInt64 = 0
            for byte in 0..<8 where word * 8 + byte < text.count {
                bits |= UInt64(text[word * 8 + byte]) << UInt64(byte * 8)
            }
            words[index * Self.expectedWords + word] = bits
        }
    }

    // MARK: Values

    private mutating func value(_ place: inout JSONSkipper) -> PredicateValue? {
        guard place.at < place.count else { return nil }
        let start = place.at
        switch place.base[start] {
        case UInt8(ascii: "\""):
            place.at &+= 1
            guard let text = place.string() else { return nil }
            if case .escaped = text { return parsed(start, place) }
            let bytes = UnsafeBufferPointer(start: place.base + start + 1, count: place.at - start - 2)
            return .string(String(decoding: bytes, as: UTF8.self))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let text = UnsafeBufferPointer(start: place.base, count: place.count)
            return try? JSONNumber.read(text, from: &place.at, keepsDecimals: parser.keepsDecimals)
        case UInt8(ascii: "t"): return place.value(depth: 1) ? .bool(true) : nil
        case UInt8(ascii: "f"): return place.value(depth: 1) ? .bool(false) : nil
        case UInt8(ascii: "n"): return place.value(depth: 1) ? .null : nil
        default: return place.value(depth: 1) ? parsed(start, place) : nil
        }
    }

    private mutating func parsed(_ start: Int, _ place: JSONSkipper) -> PredicateValue? {
        try? parser.parse(UnsafeBufferPointer(start: place.base + start, count: place.at - start))
    }
}
