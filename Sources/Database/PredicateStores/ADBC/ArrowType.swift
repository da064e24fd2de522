// The types of Arrow columns, parsed from their format strings. ArrowColumn.swift reads the values.
// https://arrow.apache.org/docs/format/CDataInterface.html
import CArrow

/// A column's name and type.
struct ArrowField {
    let name: String
    let type: ArrowType

    /// The maximum nesting of lists, structures and dictionaries.
    private static let maximumDepth = 32

    static func fields(of schema: ArrowSchema, depth: Int = 0) -> [ArrowField] {
        (0..<Int(clamping: max(0, schema.n_children))).compactMap { index in
            schema.children?[index].map { ArrowField($0.pointee, depth: depth + 1) }
        }
    }

    private init(_ schema: ArrowSchema, depth: Int) {
        name = schema.name.map { String(cString: $0) } ?? ""
        let format = schema.format.map { String(cString: $0) } ?? ""
        guard depth < Self.maximumDepth else {
            type = .unknown(format)
            return
        }
        let children = Self.fields(of: schema, depth: depth)
        var type = ArrowType(format, children)
        if case .data(.fixed(16)) = type, Self.isUUID(schema) { type = .uuid }
        if let dictionary = schema.dictionary {
            self.type = .dictionary(indices: type, ArrowField(dictionary.pointee, depth: depth + 1))
        } else {
            self.type = type
        }
    }

    /// The metadata is a count, then for each entry the length and bytes of the key and of the value.
    private static func isUUID(_ schema: ArrowSchema) -> Bool {
        guard let metadata = schema.metadata.map({ UnsafeRawPointer($0) }) else { return false }
        var place = 4
        func text() -> String {
            let length = max(0, Int(metadata.loadUnaligned(fromByteOffset: place, as: Int32.self)))
            defer { place += 4 + length }
            return String(decoding: UnsafeRawBufferPointer(start: metadata + place + 4, count: length), as: UTF8.self)
        }
        for _ in 0..<max(0, metadata.loadUnaligned(as: Int32.self)) {
            let (key, value) = (text(), text())
            if key == "ARROW:extension:name" { return value == "arrow.uuid" }
        }
        return false
    }
}

indirect enum ArrowType {
    /// How values of variable length are stored.
    enum Storage {
        case offsets32, offsets64, views
        case fixed(Int)
    }

    case null, boolean
    case int8, int16, int32, int64, uint8, uint16, uint32, uint64
    case float16, float32, float64
    /// A decimal in the given number of bytes, with `scale` digits after the point.
    case decimal(bytes: Int, scale: Int)
    case text(Storage), data(Storage), uuid
    case days32, milliseconds64
    case timestamp(perSecond: Int64)
    case time32(perSecond: Int64), time64(perSecond: Int64)
    case duration(perSecond: Int64)
    case months, daysAndMilliseconds, monthsDaysNanoseconds
    case list(Storage, ArrowField), listView64(ArrowField)
    case structure([ArrowField])
    /// The fields, and the type code of each.
    case union(isSparse: Bool, codes: [Int8], [ArrowField])
    case dictionary(indices: ArrowType, ArrowField)
    case unknown(String)

    fileprivate init(_ format: String, _ children: [ArrowField]) {
        let parts = format.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let details = parts.count > 1 ? parts[1] : ""
        let known: ArrowType? =
            switch String(parts.first ?? "") {
            case "n": .null
            case "b": .boolean
            case "c": .int8
            case "C": .uint8
            case "s": .int16
            case "S": .uint16
            case "i": .int32
            case "I": .uint32
            case "l": .int64
            case "L": .uint64
            case "e": .float16
            case "f": .float32
            case "g": .float64
            case "u": .text(.offsets32)
            case "U": .text(.offsets64)
            case "vu": .text(.views)
            case "z": .data(.offsets32)
            case "Z": .data(.offsets64)
            case "vz": .data(.views)
            case "w": Int(details).map { .data(.fixed($0)) }
            case "d": Self.decimal(details.split(separator: ",").compactMap { Int($0) })
            case "tdD": .days32
            case "tdm": .milliseconds64
            case "tss", "tsm", "tsu", "tsn": Self.ticks(format).map { .timestamp(perSecond: $0) }
            case "tts", "ttm": Self.ticks(format).map { .time32(perSecond: $0) }
            case "ttu", "ttn": Self.ticks(format).map { .time64(perSecond: $0) }
            case "tDs", "tDm", "tDu", "tDn": Self.ticks(format).map { .duration(perSecond: $0) }
            case "tiM": .months
            case "tiD": .daysAndMilliseconds
            case "tin": .monthsDaysNanoseconds
            case "+l": children.first.map { .list(.offsets32, $0) }
            case "+L": children.first.map { .list(.offsets64, $0) }
            case "+vl": children.first.map { .list(.views, $0) }
            case "+vL": children.first.map { .listView64($0) }
            case "+w": Int(details).flatMap { size in children.first.map { .list(.fixed(size), $0) } }
            case "+m": children.first.map { .list(.offsets32, $0) }
            case "+s": .structure(children)
            case "+ud", "+us":
                .union(
                    isSparse: format.hasPrefix("+us"), codes: details.split(separator: ",").compactMap { Int8($0) },
                    children)
            default: nil
            }
        self = known ?? .unknown(format)
    }

    /// `numbers` are the precision, the scale, and the number of bits if it is not 128.
    private static func decimal(_ numbers: [Int]) -> ArrowType? {
        guard numbers.count >= 2 else { return nil }
        let bits = numbers.count > 2 ? numbers[2] : 128
        return [32, 64, 128, 256].contains(bits) ? .decimal(bytes: bits / 8, scale: numbers[1]) : nil
    }

    /// The third character is the unit.
    private static func ticks(_ format: String) -> Int64? {
        switch format.dropFirst(2).first {
        case "s": 1
        case "m": 1000
        case "u": 1_000_000
        case "n": 1_000_000_000
        default: nil
        }
    }
}
