// Writes binary property lists; BinaryPropertyList describes the format. Equal strings are written once, other
// values each time. The format has no nil and no decimals: nil members are left out, and decimals become reals,
// but integers from 2^63 to 2^64 - 1 stay integers.

struct BinaryPropertyListWriter {
    private static let maximumDepth = 1000

    private enum Object {
        case leaf([UInt8])
        /// The high bits of the marker and the object numbers of the members.
        case collection(UInt8, [Int])
    }

    private var objects: [Object] = []
    private var strings: [String: Int] = [:]

    static func bytes(_ value: PredicateValue) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        let top = writer.add(value, depth: 0)
        return writer.document(top: top)
    }

    // MARK: Objects

    private mutating func add(_ object: Object) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    private mutating func add(_ text: String) -> Int {
        if let known = strings[text] { return known }
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let body = isASCII ? Array(text.utf8) : text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let marker = Self.marker(isASCII ? 0x50 : 0x60, isASCII ? body.count : body.count / 2)
        let number = add(.leaf(marker + body))
        strings[text] = number
        return number
    }

    private mutating func add(_ value: PredicateValue, depth: Int) -> Int {
        switch value {
        case .null, .nsNull: return add(.leaf([0x00]))
        case .bool(let flag): return add(.leaf([flag ? 0x09 : 0x08]))
        case .integer(let number): return add(.leaf(Self.integer(number)))
        case .float(let number): return add(.leaf([0x22] + Self.bigEndian(UInt64(number.bitPattern), 4)))
        case .double(let number): return add(.leaf([0x23] + Self.bigEndian(number.bitPattern, 8)))
        case .decimal(let number):
            // Eight bytes have a sign.
            if let whole = UInt64(number.description), whole > Int64.max {
                return add(.leaf([0x14] + Self.bigEndian(0, 8) + Self.bigEndian(whole, 8)))
            }
            return add(.leaf([0x23] + Self.bigEndian((Double(number.description) ?? .nan).bitPattern, 8)))
        case .date(let seconds): return add(.leaf([0x33] + Self.bigEndian(seconds.bitPattern, 8)))
        case .data(let bytes): return add(.leaf(Self.marker(0x40, bytes.count) + bytes))
        case .string(let text), .url(let text), .type(let text): return add(text)
        case .uuid(let id): return add(id.description)
        case .array(let elements): return add(.collection(0xA0, members(elements, depth)))
        case .set(let elements): return add(.collection(0xC0, members(elements, depth)))
        case .dictionary(let dictionary): return add(dictionary, depth: depth)
        case .object(let reference): return add(reference.object.record, depth: depth)
        }
    }

    private mutating func members(_ elements: [PredicateValue], _ depth: Int) -> [Int] {
        guard depth < Self.maximumDepth else { return [] }
        var numbers: [Int] = []
        for element in elements where !element.isNil { numbers.append(add(element, depth: depth + 1)) }
        return numbers
    }

    private mutating func add(_ dictionary: ValueDictionary, depth: Int) -> Int {
        if let number = KeyedArchive.uid(.dictionary(dictionary)).flatMap(UInt64.init(exactly:)) {
            let size = Self.size(number)
            return add(.leaf([0x80 | UInt8(size - 1)] + Self.bigEndian(number, size)))
        }
        var keys: [Int] = []
        var values: [Int] = []
        for (key, value) in zip(dictionary.keys, dictionary.values) where !value.isNil && depth < Self.maximumDepth {
            keys.append(add(key))
            values.append(add(value, depth: depth + 1))
        }
        return add(.collection(0xD0, keys + values))
    }

    // MARK: Bytes

    private func document(top: Int) -> [UInt8] {
        let referenceSize = Self.size(UInt64(objects.count))
        var output = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(output.count)
            switch object {
            case .leaf(let bytes): output += bytes
            case .collection(let kind, let numbers):
                output += Self.marker(kind, kind == 0xD0 ? numbers.count / 2 : numbers.count)
                for number in numbers { output += Self.bigEndian(UInt64(number), referenceSize) }
            }
        }
        let tableOffset = output.count
        let offsetSize = Self.size(UInt64(tableOffset))
        for offset in offsets { output += Self.bigEndian(UInt64(offset), offsetSize) }
        output += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        output += Self.bigEndian(UInt64(objects.count), 8)
        output += Self.bigEndian(UInt64(top), 8)
        output += Self.bigEndian(UInt64(tableOffset), 8)
        return output
    }

    private static func size(_ value: UInt64) -> Int { [1, 2, 4].first { value < 1 << UInt64(8 * $0) } ?? 8 }

    private static func bigEndian(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - $0))) }
    }

    /// One, two and four bytes are unsigned, eight bytes are signed.
    private static func integer(_ number: Int64) -> [UInt8] {
        let bits = UInt64(bitPattern: number)
        let size = size(bits)
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(bits, size)
    }

    private static func marker(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 15] + integer(Int64(count))
    }
}
