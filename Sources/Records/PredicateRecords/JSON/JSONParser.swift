// Reads the values of JSON texts. One parser reads many records and keeps the shapes of their objects (ShapeTree).
// JSONCursor knows the grammar, JSONNumber reads the numbers.

/// Reads one JSON value per call of `parse`.
struct JSONParser {
    /// Whether half of a surrogate pair is read as U+FFFD, instead of being an error.
    var replacesHalves = false
    private var shapes = ShapeTree()
    /// See `JSONNumber.read`.
    private let keepsDecimals: Bool

    init(keepsDecimals: Bool = false) { self.keepsDecimals = keepsDecimals }

    /// Reads a text that is exactly one value with optional white space around it.
    mutating func parse(_ text: UnsafeBufferPointer<UInt8>) throws(DocumentProblem) -> PredicateValue {
        var cursor = JSONCursor(text)
        cursor.replacesHalves = replacesHalves
        cursor.space()
        let value = try self.value(&cursor, depth: 0)
        cursor.space()
        if cursor.at < text.count { throw cursor.unexpected("after the value") }
        return value
    }

    /// Reads the value at a position and moves after it.
    mutating func value(_ cursor: inout JSONCursor, depth: Int) throws(DocumentProblem) -> PredicateValue {
        switch try cursor.start(depth: depth) {
        case .string: return .string(cursor.text(try cursor.string()))
        case .object: return .dictionary(try object(&cursor, depth))
        case .array:
            var values: [PredicateValue] = []
            while try cursor.item(isFirst: values.isEmpty, close: UInt8(ascii: "]")) {
                values.append(try value(&cursor, depth: depth + 1))
            }
            return .array(values)
        case .number: return try JSONNumber.read(cursor.bytes, from: &cursor.at, keepsDecimals: keepsDecimals)
        case .bool(let value): return .bool(value)
        case .null: return .null
        }
    }

    private mutating func object(
        _ cursor: inout JSONCursor, _ depth: Int
    ) throws(DocumentProblem) -> ValueDictionary {
        var values: [PredicateValue] = []
        var node = ShapeTree.root
        var first = ShapeTree.root
        while try cursor.item(isFirst: values.isEmpty, close: UInt8(ascii: "}")) {
            try cursor.quote()
            if let (child, end) = shapes.step(from: node, in: cursor.bytes, at: cursor.at) {
                node = child
                cursor.at = end + 1
            } else {
                let key = try cursor.string()
                let name = cursor.text(key)
                // ShapeTree compares the bytes of keys, so a key with escapes cannot be in it.
                guard !key.isEscaped, let child = shapes.add(name, to: node) else {
                    return try looseObject(&cursor, depth, Array(zip(shapes.keys(of: node), values)), next: name)
                }
                node = child
            }
            try cursor.colon()
            if values.isEmpty {
                first = node
                values.reserveCapacity(shapes.expectedCount(at: first))
            }
            values.append(try value(&cursor, depth: depth + 1))
        }
        shapes.expect(values.count, at: first)
        return ValueDictionary(shape: shapes.shape(of: node), values: values)
    }

    /// Reads the rest of an object that ShapeTree cannot represent: too many keys, a repeated key, or a key with
    /// escapes.
    private mutating func looseObject(
        _ cursor: inout JSONCursor, _ depth: Int, _ pairs: [(String, PredicateValue)], next: String
    ) throws(DocumentProblem) -> ValueDictionary {
        try cursor.colon()
        var pairs = pairs
        pairs.append((next, try value(&cursor, depth: depth + 1)))
        while try cursor.item(isFirst: false, close: UInt8(ascii: "}")) {
            let key = try cursor.key()
            pairs.append((cursor.text(key), try value(&cursor, depth: depth + 1)))
        }
        return ValueDictionary(pairs)
    }
}
