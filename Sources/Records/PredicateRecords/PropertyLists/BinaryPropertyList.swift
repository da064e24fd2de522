// Reads binary property lists. Foundation on Linux hides the UIDs of keyed archives, and invalid offsets must be errors
// rather than crashes. The format: a header, the objects, a table of their offsets, and a trailer of 32 bytes with the
// position of the table. Objects refer to each other by number.

/// Reads `bplist00`. A UID becomes a dictionary with the single key `CF$UID`, as in XML; see KeyedArchive.
struct BinaryPropertyList {
    static let magic = Array("bplist".utf8)
    /// Limits the size of the expanded tree in bytes (`PredicateValue.ownSize`). A value counts once per reference,
    /// because a few kilobytes of objects that refer to each other repeatedly can expand to gigabytes.
    static let maximumSize = 256 << 20

    /// The last 32 bytes of the file.
    private struct Trailer {
        /// The size of an offset in the table, and of a reference to an object, in bytes.
        let offsetSize, referenceSize: Int
        let objectCount: Int
        /// The number of the root object.
        let root: Int
        let tableOffset: Int

        init(_ bytes: UnsafeBufferPointer<UInt8>) throws(DocumentProblem) {
            let start = bytes.count - 32
            let count = BinaryPropertyList.integer(bytes, start + 8, 8)
            let root = BinaryPropertyList.integer(bytes, start + 16, 8)
            let table = BinaryPropertyList.integer(bytes, start + 24, 8)
            offsetSize = Int(bytes[start + 6])
            referenceSize = Int(bytes[start + 7])
            guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count > 0,
                table >= 8, table <= UInt64(start), root < count,
                count <= UInt64((start - Int(table)) / offsetSize)
            else { throw DocumentProblem(offset: start, message: "the property list's trailer is damaged") }
            (objectCount, self.root, tableOffset) = (Int(count), Int(root), Int(table))
        }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let trailer: Trailer
    private var values: [PredicateValue?]
    private var shapes = ShapeCache()
    /// Whether an object that cannot be read becomes `nsNull`, a value that property lists do not have.
    private let skipsDamage: Bool
    /// The size of each object's expanded tree; 0 while the object is being read.
    private var weights: [Int]

    static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, skipsDamage: Bool = false
    ) throws(DocumentProblem) -> PredicateValue {
        guard bytes.count >= 40, bytes.starts(with: magic) else {
            throw DocumentProblem(offset: 0, message: "not a binary property list, or one that is cut off")
        }
        var reader = BinaryPropertyList(bytes, try Trailer(bytes), skipsDamage: skipsDamage)
        return try reader.object(reader.trailer.root, depth: 0).value
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ trailer: Trailer, skipsDamage: Bool) {
        self.bytes = bytes
        self.trailer = trailer
        self.skipsDamage = skipsDamage
        values = Array(repeating: nil, count: trailer.objectCount)
        weights = Array(repeating: -1, count: trailer.objectCount)
    }

    /// Reads a big-endian unsigned integer. The caller has checked the bounds.
    private static func integer(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ size: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in offset..<offset + size { value = value << 8 | UInt64(bytes[index]) }
        return value
    }

    private mutating func object(_ number: Int, depth: Int) throws(DocumentProblem) -> (
        value: PredicateValue, weight: Int
    ) {
        if let value = values[number] { return (value, weights[number]) }
        let entry = trailer.tableOffset + number * trailer.offsetSize
        let offset = Int(clamping: Self.integer(bytes, entry, trailer.offsetSize))
        guard offset >= 8, offset < trailer.tableOffset else {
            throw DocumentProblem(offset: entry, message: "an object lies outside the property list")
        }
        guard weights[number] != 0 else { throw DocumentProblem(offset: offset, message: "an object contains itself") }
        try DocumentProblem.check(depth: depth, at: offset)
        weights[number] = 0
        var weight = 0
        let value = try read(offset, depth, &weight)
        weight += value.ownSize
        values[number] = value
        weights[number] = weight
        return (value, weight)
    }

    private mutating func read(_ offset: Int, _ depth: Int, _ weight: inout Int) throws(DocumentProblem)
        -> PredicateValue
    {
        let marker = bytes[offset]
        let low = Int(marker & 15)
        switch (marker >> 4, low) {
        case (0x0, 0): return .null
        case (0x0, 8): return .bool(false)
        case (0x0, 9): return .bool(true)
        case (0x1, _): return try integer(offset, low)
        case (0x2, _):
            let size = 1 << low
            let start = try body(offset, 1, size, 1)
            if size == 4 { return .float(Float(bitPattern: UInt32(Self.integer(bytes, start, 4)))) }
            guard size == 8 else { throw unknown(offset) }
            return .double(Double(bitPattern: Self.integer(bytes, start, 8)))
        case (0x3, 3):
            let start = try body(offset, 1, 8, 1)
            return .date(Double(bitPattern: Self.integer(bytes, start, 8)))
        case (0x8, ..<8):
            let start = try body(offset, 1, low + 1, 1)
            let number = Int64(clamping: Self.integer(bytes, start, low + 1))
            return .dictionary(ValueDictionary([(PropertyList.uidKey, .integer(number))]))
        case (0x4...0x7, _): return try text(marker >> 4, offset, low)
        case (0xA...0xD, _): return try collection(marker >> 4, offset, low, depth, &weight)
        default: throw unknown(offset)
        }
    }

    /// Reads data and strings.
    private func text(_ kind: UInt8, _ offset: Int, _ low: Int) throws(DocumentProblem) -> PredicateValue {
        let (count, header) = try length(offset, low)
        let start = try body(offset, header, count, kind == 0x6 ? 2 : 1)
        switch kind {
        case 0x4: return .data(Array(bytes[start..<start + count]))
        case 0x6:
            let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
            let text = String(decoding: units, as: UTF16.self)
            // Half of a surrogate pair becomes another character.
            if text.utf16.elementsEqual(units) { return .string(text) }
        default:
            let slice = UnsafeBufferPointer(rebasing: bytes[start..<start + count])
            if let text = String(validUTF8: slice) { return .string(text) }
        }
        throw DocumentProblem(offset: offset, message: "a text that is not Unicode")
    }

    private mutating func collection(
        _ kind: UInt8, _ offset: Int, _ low: Int, _ depth: Int, _ weight: inout Int
    ) throws(DocumentProblem) -> PredicateValue {
        let (count, header) = try length(offset, low)
        let isDictionary = kind == 0xD
        let start = try body(offset, header, count, trailer.referenceSize * (isDictionary ? 2 : 1))
        var members: [PredicateValue] = []
        var keys: [String] = []
        for index in 0..<count {
            if isDictionary {
                guard case .string(let key) = try member(start, index, depth, &weight) else {
                    throw DocumentProblem(offset: offset, message: "a dictionary has a key that is not a string")
                }
                keys.append(key)
            }
            members.append(try member(start, isDictionary ? count + index : index, depth, &weight))
        }
        if isDictionary { return .dictionary(shapes.dictionary(keys, members)) }
        if kind == 0xA { return .array(members) }
        return .set(members.distinct())
    }

    private mutating func member(
        _ start: Int, _ index: Int, _ depth: Int, _ weight: inout Int
    ) throws(DocumentProblem) -> PredicateValue {
        let position = start + index * trailer.referenceSize
        let number = Self.integer(bytes, position, trailer.referenceSize)
        guard number < UInt64(trailer.objectCount) else {
            if skipsDamage { return .nsNull }
            throw DocumentProblem(offset: position, message: "a reference to an object that does not exist")
        }
        let value: PredicateValue
        let size: Int
        do throws(DocumentProblem) {
            (value, size) = try object(Int(number), depth: depth + 1)
        } catch {
            guard skipsDamage else { throw error }
            values[Int(number)] = .nsNull
            return .nsNull
        }
        weight += size
        guard weight <= Self.maximumSize else {
            throw DocumentProblem(
                offset: position, message: "the expanded property list has more than \(Self.maximumSize >> 20) MB")
        }
        return value
    }

    private func integer(_ offset: Int, _ power: Int) throws(DocumentProblem) -> PredicateValue {
        guard power <= 4 else { throw unknown(offset) }
        let size = 1 << power
        let start = try body(offset, 1, size, 1)
        if size < 16 {
            // The format: one, two and four bytes are unsigned, eight bytes are signed.
            return .integer(Int64(bitPattern: Self.integer(bytes, start, size)))
        }
        let number = WideInteger(
            high: Int64(bitPattern: Self.integer(bytes, start, 8)), low: Self.integer(bytes, start + 8, 8))
        if let small = Int64(exactly: number) { return .integer(small) }
        guard number.magnitude < DecimalNumber.bound.magnitude else {
            throw DocumentProblem(offset: offset, message: "an integer of more than 38 digits")
        }
        return .decimal(DecimalNumber(coefficient: number, exponent: 0))
    }

    /// Reads a count from the low bits of the marker or from the integer after it. Also returns the size of marker and
    /// count.
    private func length(_ offset: Int, _ low: Int) throws(DocumentProblem) -> (count: Int, header: Int) {
        if low < 15 { return (low, 1) }
        guard offset + 1 < trailer.tableOffset, bytes[offset + 1] >> 4 == 1, bytes[offset + 1] & 15 <= 3 else {
            throw unknown(offset)
        }
        let size = 1 << Int(bytes[offset + 1] & 15)
        let start = try body(offset, 2, size, 1)
        return (Int(clamping: Self.integer(bytes, start, size)), 2 + size)
    }

    /// Returns the offset of an object's content. Throws if the content extends into the table of offsets.
    private func body(_ offset: Int, _ header: Int, _ count: Int, _ size: Int) throws(DocumentProblem) -> Int {
        let start = offset + header
        guard start <= trailer.tableOffset, count <= (trailer.tableOffset - start) / size else {
            throw DocumentProblem(offset: offset, message: "an object reaches beyond the property list")
        }
        return start
    }

    private func unknown(_ offset: Int) -> DocumentProblem {
        DocumentProblem(offset: offset, message: "an object of an unknown kind")
    }
}

extension PredicateValue {
    /// A measure for the memory and the text of the value without its elements, in bytes.
    var ownSize: Int {
        switch self {
        case .string(let text), .url(let text): 8 + text.utf8.count
        case .data(let bytes): 8 + bytes.count
        default: 8
        }
    }

    /// Subtracts the size of the value and its elements from `limit`; stops when nothing is left.
    func takeSize(from limit: inout Int) {
        limit -= ownSize
        switch self {
        case .array(let elements), .set(let elements):
            for element in elements where limit >= 0 { element.takeSize(from: &limit) }
        case .dictionary(let dictionary):
            for (key, value) in zip(dictionary.keys, dictionary.values) where limit >= 0 {
                limit -= key.utf8.count
                value.takeSize(from: &limit)
            }
        default: break
        }
    }
}
