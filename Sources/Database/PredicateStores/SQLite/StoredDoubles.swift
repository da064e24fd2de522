// Reads lists of doubles and of dates from a text column, for objects of a store and for a SQL function. SQLite's own
// number parser can be one bit off, and it converts -0 to an integer.

/// The elements of a JSON array of numbers and nulls, each as the nearest double. -0 keeps its sign; numbers too large
/// for a double become infinite.
struct StoredDoubles {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0

    /// nil for any other text. Cost: linear.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> [Double?]? {
        var reader = StoredDoubles(bytes: bytes)
        return reader.elements()
    }

    /// The list as JSON, with each double replaced by its bit pattern as an integer.
    static func bits(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        read(bytes).map { elements in
            "[" + elements.map { $0.map { String(Int64(bitPattern: $0.bitPattern)) } ?? "null" }.joined(separator: ",")
                + "]"
        }
    }

    private mutating func elements() -> [Double?]? {
        var elements: [Double?] = []
        guard token("[") else { return nil }
        if !token("]") {
            repeat {
                if token("null") {
                    elements.append(nil)
                } else if let number = number() {
                    elements.append(number)
                } else {
                    return nil
                }
            } while token(",")
            guard token("]") else { return nil }
        }
        space()
        return at == bytes.count ? elements : nil
    }

    private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

    private mutating func space() {
        while let byte = next, byte.isSpace { at += 1 }
    }

    /// Skips white space, then the given word. Returns false if the word does not follow.
    private mutating func token(_ word: StaticString) -> Bool {
        space()
        let end = at + word.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[at..<end].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        else { return false }
        at = end
        return true
    }

    /// Reads a number as RFC 8259 defines it.
    private mutating func number() -> Double? {
        space()
        let start = at
        skip("-")
        // After a leading zero only a point or an exponent may follow.
        guard skip("0") || digits() else { return nil }
        if skip("."), !digits() { return nil }
        if skip("e") || skip("E") {
            if !skip("-") { skip("+") }
            if !digits() { return nil }
        }
        return Double(String(decoding: bytes[start..<at], as: UTF8.self))
    }

    @discardableResult
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }

    private mutating func digits() -> Bool {
        let start = at
        while let byte = next, 0x30...0x39 ~= byte { at += 1 }
        return at > start
    }
}
