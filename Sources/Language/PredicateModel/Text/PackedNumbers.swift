// Decodes the number tables that generate-unicode-tables.py writes as text. The script describes the format.

/// The numbers of a generated table, in order.
struct PackedNumbers {
    private let text: StaticString
    private var position: Int
    private let end: Int

    init(_ text: StaticString) { self.init(text, 0, text.utf8CodeUnitCount) }

    private init(_ text: StaticString, _ start: Int, _ end: Int) {
        self.text = text
        position = start
        self.end = end
    }

    /// The parts of a table separated by exclamation marks.
    static func parts(of text: StaticString) -> [PackedNumbers] {
        var parts: [PackedNumbers] = []
        var start = 0
        for index in 0..<text.utf8CodeUnitCount where text.utf8Start[index] == UInt8(ascii: "!") {
            parts.append(PackedNumbers(text, start, index))
            start = index + 1
        }
        parts.append(PackedNumbers(text, start, text.utf8CodeUnitCount))
        return parts
    }

    mutating func next() -> UInt32? {
        var value: UInt32 = 0
        var shift: UInt32 = 0
        while position < end {
            let byte = text.utf8Start[position]
            position += 1
            let digit = UInt32(byte < 92 ? byte &- 48 : byte &- 49)
            value |= (digit & 31) << shift
            if digit < 32 { return value }
            shift += 5
        }
        return nil
    }

    /// Decodes ranges, each as the distance from the previous one and its length minus one.
    @inline(never)
    consuming func ranges() -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        var start: UInt32 = 0
        while let gap = next(), let length = next() {
            let lower = start &+ gap
            result.append(lower...lower &+ length)
            start = lower &+ length &+ 1
        }
        return result
    }

    /// Decodes runs that cover all code points, each as its length and value.
    @inline(never)
    consuming func runs() -> [(range: ClosedRange<UInt32>, value: Int)] {
        var result: [(range: ClosedRange<UInt32>, value: Int)] = []
        var start: UInt32 = 0
        while let length = next(), let value = next(), length > 0 {
            result.append((start...start &+ length &- 1, Int(value)))
            start &+= length
        }
        return result
    }

    /// Decodes mappings from a scalar to a list of scalars.
    @inline(never)
    consuming func mappings() -> [(scalar: UInt32, values: [UInt32])] {
        var result: [(scalar: UInt32, values: [UInt32])] = []
        var (scalar, distance, offset, other): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
        while let head = next() {
            if head == 0 {
                for _ in 0..<(next() ?? 0) {
                    scalar &+= distance
                    result.append((scalar, [scalar &+ offset]))
                }
                continue
            }
            distance = head >> 3
            scalar &+= distance
            var values: [UInt32] = []
            for index in 0..<head & 7 {
                let difference = nextDifference()
                if index == 0 { offset &+= difference } else { other &+= difference }
                values.append(index == 0 ? scalar &+ offset : other)
            }
            result.append((scalar, values))
        }
        return result
    }

    /// A number that may be negative, in two's complement.
    private mutating func nextDifference() -> UInt32 {
        let zigzag = next() ?? 0
        return zigzag & 1 == 0 ? zigzag >> 1 : ~(zigzag >> 1)
    }
}

extension StaticString {
    /// Decodes a generated list of names: `short=alias=alias;…`.
    var packedNames: [[String]] {
        description.split(separator: ";").map { $0.split(separator: "=").map { String($0) } }
    }
}
