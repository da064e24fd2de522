// Numbers the texts of some fields, such as the keys of groups. Most files have few different ones, so that their values
// are made once, and the number finds the group of a record.

/// The distinct texts that some fields of records have, with their values.
struct KeyTexts {
    /// The maximum number of texts, and of bytes in a field.
    private static let limit = (count: 1 << 16, length: 64)

    /// The positions of the fields among those that are read.
    private let slots: [Int]
    /// For each field that is read its index here; negative for others.
    let indices: [Int]
    /// The places of the fields in the bytes of the current record.
    var places: [Range<Int>]
    /// Whether numbers are looked up: not if most records have a new text.
    private(set) var isUseful: Bool
    private var count = 0
    /// The values of all texts.
    private var values: [PredicateValue] = []
    /// For each text its number, then for each field its length and its bytes.
    private var words: [UInt64] = [0]
    /// A hash table: hashes, and places in `words`, 0 for a free place.
    private var table = Array(repeating: (hash: UInt32(0), place: UInt32(0)), count: 1024)
    private let seed = UInt64.random(in: 0 ... .max)
    /// The hash of the current record's text; nil if it is not to be stored.
    private var hash: UInt32?
    private var lookups = 0

    /// - Parameters:
    ///   - fields: the fields that are read.
    ///   - keyFields: those of them whose texts are numbered.
    init(_ fields: [String], keyFields: [String]) {
        let slots = fields.indices.filter { keyFields.contains(fields[$0]) }
        self.slots = slots
        indices = fields.indices.map { slots.firstIndex(of: $0) ?? -1 }
        places = Array(repeating: 0..<0, count: slots.count)
        isUseful = !slots.isEmpty
    }

    /// The number of the current record's text; nil if it has none yet.
    mutating func number(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        lookups += 1
        hash = nil
        guard let base = bytes.baseAddress,
            places.allSatisfy({ $0.count <= Self.limit.length && $0.upperBound + 8 <= bytes.count })
        else { return nil }
        var mixed = seed
        _ = allWords(base) { word in
            let product = (mixed ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            mixed = product.high ^ product.low
            return true
        }
        let found = UInt32(truncatingIfNeeded: mixed)
        hash = found
        var slot = Int(found) & (table.count - 1)
        while table[slot].place != 0 {
            if table[slot].hash == found {
                let start = Int(table[slot].place)
                var at = start
                // The lengths come first, so that the comparison ends in the text.
                let isSame = allWords(base) { word in
                    at += 1
                    return words[at] == word
                }
                if isSame { return Int(words[start]) }
            }
            slot = (slot + 1) & (table.count - 1)
        }
        return nil
    }

    /// Whether `body` returns true for each word of the current record's text.
    @inline(__always)
    private func allWords(_ base: UnsafePointer<UInt8>, _ body: (UInt64) -> Bool) -> Bool {
        for place in places {
            guard body(UInt64(place.count)) else { return false }
            var at = place.lowerBound
            while at < place.upperBound {
                let left = place.upperBound &- at
                let word = ByteWord.load(base, at)
                guard body(left < 8 ? ByteWord.prefix(word, left) : word) else { return false }
                at &+= 8
            }
        }
        return true
    }

    /// Sets the values of the fields.
    func take(_ number: Int, _ record: inout ValueDictionary) {
        for (field, slot) in slots.enumerated() {
            record.replaceValue(at: slot, with: values[number * slots.count + field])
        }
    }

    /// Stores the text of the current record, which has no number and these values. Returns its number.
    mutating func add(_ record: ValueDictionary, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let hash, let base = bytes.baseAddress else { return nil }
        // Texts may return late, such as those of sensors, which report in turn.
        guard count < Self.limit.count, count < 8192 || 2 * count < lookups else {
            (values, words, table, isUseful) = ([], [], [], false)
            return nil
        }
        for slot in slots { values.append(record.values[slot]) }
        // Moved, because `allWords` reads this struct.
        var words = self.words
        self.words = []
        let start = words.count
        words.append(UInt64(count))
        _ = allWords(base) { word in
            words.append(word)
            return true
        }
        self.words = words
        count += 1
        if 2 * count > table.count {
            let entries = table
            table = Array(repeating: (0, 0), count: 2 * entries.count)
            for entry in entries where entry.place != 0 { place(entry) }
        }
        place((hash, UInt32(start)))
        return count - 1
    }

    private mutating func place(_ entry: (hash: UInt32, place: UInt32)) {
        var slot = Int(entry.hash) & (table.count - 1)
        while table[slot].place != 0 { slot = (slot + 1) & (table.count - 1) }
        table[slot] = entry
    }
}
