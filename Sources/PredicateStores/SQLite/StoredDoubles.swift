// Lists of doubles, and of dates, in a column of text: for the objects of a store, and for SQL, which hands them to a function
// because SQLite's own reader is one bit off now and then, and finds -0 an integer.

/// The elements of a JSON array of numbers and nulls. Each is the double nearest to what is written: -0 has its sign, and what
/// no double holds is infinite.
struct StoredDoubles {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// nil where the text is something else. Cost: one pass.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> [Double?]? {
        var reader = StoredDoubles(bytes)
        return reader.elements()
    }

    /// The same list with the bits of its doubles, as JSON.
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
        while let byte = next, byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D { at += 1 }
    }

    /// Whether the word is what comes next, behind white space.
    private mutating func token(_ word: StaticString) -> Bool {
        space()
        let end = at + word.utf8CodeUnitCount
        guard end <= bytes.count,
            bytes[at..<end].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        else { return false }
        at = end
        return true
    }

    /// A number of RFC 8259.
    private mutating func number() -> Double? {
        space()
        let start = at
        skip("-")
        // Nothing but a point or an exponent follows a zero.
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
