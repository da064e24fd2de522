// Reads fields as lanes. A node that reads numbers is a test for non-nil values that also writes the numbers to memory.
// So the steps to a field (FieldSteps.swift) work for comparisons and for expressions.

/// Reads a number from the stored value of a field.
protocol NumberSource: SendableMetatype {
    associatedtype Stored
    associatedtype Number: Lane
    static var cost: Int { get }
    static func read(_ place: UnsafeRawPointer) -> Number
}

extension NumberSource {
    static var cost: Int { 1 }

    /// A node that writes a field's numbers to the run's lanes and selects the rows in which it is not nil.
    static func node(_ field: Field) -> BlockNode {
        let (offset, isOptional) = (field.offset, field.isOptional)
        let test: BlockTest = { rows, live, run in
            guard let lanes = run.lanes else { return .none }
            let present = isOptional ? rows.select(live) { !$0.isNil(offset, Stored.self) } : live
            for word in 0..<4 where present.words[word] != 0 {
                let (bits, first) = (present.words[word], word &* 64)
                if !isOptional, rows.isDense(bits, first) {
                    for row in first..<first &+ 64 {
                        lanes.storeBytes(of: read(rows.object(row) + offset), toByteOffset: row &* 8, as: Number.self)
                    }
                } else {
                    var rest = bits
                    while rest != 0 {
                        let row = first &+ rest.trailingZeroBitCount
                        lanes.storeBytes(of: read(rows.object(row) + offset), toByteOffset: row &* 8, as: Number.self)
                        rest &= rest &- 1
                    }
                }
            }
            return present
        }
        let row = RowNode { object, run in
            if isOptional, object.isNil(offset, Stored.self) { return false }
            run.lane = read(object + offset).lane
            return true
        }
        return .test(test, cost: cost, row: row)
    }
}

/// Signed integers of at most 64 bits and unsigned ones of at most 32.
enum IntegerSource<Stored: FixedWidthInteger>: NumberSource {
    @inline(__always) static func read(_ place: UnsafeRawPointer) -> Int64 {
        Int64(truncatingIfNeeded: place.read(0, as: Stored.self))
    }
}

enum BooleanSource: NumberSource {
    typealias Stored = Bool
    @inline(__always) static func read(_ place: UnsafeRawPointer) -> Int64 {
        Int64(bitPattern: Rows.bit(place.read(0, as: Bool.self)))
    }
}

enum MeasureSource<Stored: Measure>: NumberSource {
    @inline(__always) static func read(_ place: UnsafeRawPointer) -> Double { place.read(0, as: Stored.self).measure }
}

/// The length of a text in UTF-16 units.
enum LengthSource: NumberSource {
    typealias Stored = String
    static var cost: Int { 3 }

    @inline(__always) static func read(_ place: UnsafeRawPointer) -> Int64 {
        if StorageLayout.hasKnownTexts {
            let words = TextWords(at: place)
            if words.isSmall, words.isSmallASCII { return Int64(truncatingIfNeeded: words.smallCount) }
            if !words.isSmall, words.isPlain, words.isKnownASCII { return Int64(truncatingIfNeeded: words.largeCount) }
        }
        return place.withText(0, count)
    }

    /// A code point of four UTF-8 bytes counts as two units, any other as one.
    private static func count(_ text: UnsafeBufferPointer<UInt8>) -> Int64 {
        var count: Int64 = 0
        for byte in text { count &+= (byte & 0xC0 != 0x80 ? 1 : 0) &+ (byte >= 0xF0 ? 1 : 0) }
        return count
    }
}

extension Field {
    /// The kind of the stored numbers and the node that reads them. nil for other kinds.
    var numbers: (kind: Kind, node: BlockNode)? {
        switch column?.storage {
        // Bits, and integers among doubles.
        case .booleans, .doubles(_, integers: _?): nil
        default: type?.numbers(self).map { (kind == .bool ? .integer : kind, $0) }
        }
    }

    /// Whether the numbers can be used directly where they are stored.
    var isLane: Bool { steps.isEmpty && !isOptional && type?.isLane ?? false }
}
