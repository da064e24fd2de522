// Reads some fields of JSON objects and skips the others. Most records of an input have the same keys in the same
// order. So the text between two values (comma, key, colon, spaces) is compared as a whole with the text in the
// previous object.

struct JSONSelector {
    /// The text before a value of the previous object, and the field of that value.
    private struct Expected {
        var byteCount: Int
        /// The bits of its last word, which may be empty.
        var mask: UInt64
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
    /// Reads the values of the selected fields.
    private var parser: JSONParser
    /// Whether to collect keys that differ from the previous object. These include all keys of all objects.
    var collectsKeys = false
    private var newKeys: [String] = []
    private var keys: KeyTexts
    /// The number of the last object's texts in the key fields, if they have one.
    private(set) var number: Int?

    /// - Parameters:
    ///   - fields: the keys to read, each once.
    ///   - keyFields: some of them, whose texts are numbered.
    init(fields: [String], keyFields: [String] = [], keepsDecimals: Bool = false) {
        parser = JSONParser(keepsDecimals: keepsDecimals)
        record = ValueDictionary(shape: ValueDictionary.Shape(fields), values: [])
        names = fields.map { Array($0.utf8) }
        keys = KeyTexts(fields, keyFields: keyFields)
    }

    /// Reads the object at `cursor` and moves after it. Missing fields are nil.
    /// - Throws: if the text is not a valid object, or may be invalid. A framer must then read it.
    mutating func object(at cursor: inout JSONCursor) throws(DocumentProblem) -> PredicateValue {
        guard case .object = try cursor.start(depth: 0) else { throw cursor.unexpected("where '{' is expected") }
        for slot in names.indices { record.replaceValue(at: slot, with: .null) }
        let readsKeys = !keys.isUseful
        if !readsKeys { for index in keys.places.indices { keys.places[index] = 0..<0 } }
        var index = 0
        while true {
            let slot: Int
            if index < expected.count, isExpected(index, cursor) {
                cursor.at &+= expected[index].byteCount
                slot = expected[index].slot
            } else {
                guard let found = try key(index, &cursor) else { return try finished(cursor) }
                slot = found
            }
            if slot < 0 {
                try cursor.skip(depth: 1)
            } else if !readsKeys, keys.indices[slot] >= 0 {
                let start = cursor.at
                try cursor.skip(depth: 1)
                keys.places[keys.indices[slot]] = start..<cursor.at
            } else {
                record.replaceValue(at: slot, with: try parser.value(&cursor, depth: 1))
            }
            cursor.space()
            if cursor.take(UInt8(ascii: "}")) { return try finished(cursor) }
            index &+= 1
        }
    }

    /// Sets the key fields, if they have only been skipped.
    private mutating func finished(_ cursor: JSONCursor) throws(DocumentProblem) -> PredicateValue {
        number = keys.isUseful ? keys.number(in: cursor.bytes) : nil
        if let number {
            keys.take(number, &record)
        } else if keys.isUseful {
            for (slot, index) in keys.indices.enumerated() where index >= 0 && !keys.places[index].isEmpty {
                var field = cursor
                field.at = keys.places[index].lowerBound
                record.replaceValue(at: slot, with: try parser.value(&field, depth: 1))
            }
            number = keys.add(record, in: cursor.bytes)
        }
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

    @inline(__always) private func isExpected(_ index: Int, _ cursor: JSONCursor) -> Bool {
        let byteCount = expected[index].byteCount
        let wholeWords = byteCount >> 3
        guard let base = cursor.bytes.baseAddress, cursor.at &+ (wholeWords &+ 1) &* 8 <= cursor.bytes.count else {
            return false
        }
        return words.withUnsafeBufferPointer { words in
            let first = index &* Self.expectedWords
            var word = 0
            while word < wholeWords {
                if ByteWord.load(base, cursor.at &+ word &* 8) != words[first &+ word] { return false }
                word &+= 1
            }
            let last = ByteWord.load(base, cursor.at &+ wholeWords &* 8)
            return last & expected[index].mask == words[first &+ wholeWords]
        }
    }

    /// Reads `"key" :` or `, "key" :` and stores the text. Returns the slot of the field, or nil after the object.
    private mutating func key(_ index: Int, _ cursor: inout JSONCursor) throws(DocumentProblem) -> Int? {
        let start = cursor.at
        guard try cursor.item(isFirst: index == 0, close: UInt8(ascii: "}")) else { return nil }
        let key = try cursor.key()
        // Keys are compared by their bytes, so JSONParser must read a key with escapes.
        if key.isEscaped { throw cursor.unexpected("after a key with escapes") }
        let name = UnsafeBufferPointer(rebasing: cursor.bytes[key.range])
        if collectsKeys { newKeys.append(String(decoding: name, as: UTF8.self)) }
        let slot = names.firstIndex { $0.count == name.count && $0.elementsEqual(name) } ?? -1
        remember(UnsafeBufferPointer(rebasing: cursor.bytes[start..<cursor.at]), slot, index)
        return slot
    }

    private mutating func remember(_ text: UnsafeBufferPointer<UInt8>, _ slot: Int, _ index: Int) {
        guard index < Self.maximumExpected, index <= expected.count, text.count < Self.expectedWords * 8 else { return }
        if index == expected.count {
            expected.append(Expected(byteCount: 0, mask: 0, slot: 0))
            words += Array(repeating: 0, count: Self.expectedWords)
        }
        expected[index] = Expected(byteCount: text.count, mask: ByteWord.prefix(.max, text.count & 7), slot: slot)
        for word in 0..<Self.expectedWords {
            var bits: UInt64 = 0
            for byte in 0..<8 where word * 8 + byte < text.count {
                bits |= UInt64(text[word * 8 + byte]) << UInt64(byte * 8)
            }
            words[index * Self.expectedWords + word] = bits
        }
    }
}
