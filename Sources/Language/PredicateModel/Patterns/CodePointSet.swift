// Sets of code points. Every class, property and literal of a pattern becomes one, in memory and in SQL.

/// A set of code points as sorted ranges that do not touch or overlap.
package struct CodePointSet: Hashable, Sendable {
    package private(set) var ranges: [ClosedRange<UInt32>]

    /// The largest code point.
    package static let last: UInt32 = 0x10FFFF
    package static let empty = CodePointSet()
    /// Every code point, including surrogates, which Swift strings never contain.
    package static let all = CodePointSet(0...last)

    /// All bytes at once, because a set can have hundreds of ranges.
    package func hash(into hasher: inout Hasher) { ranges.withUnsafeBytes { hasher.combine(bytes: $0) } }

    package init() { ranges = [] }
    package init(_ range: ClosedRange<UInt32>) { ranges = [range] }
    package init(_ scalar: UInt32) { ranges = [scalar...scalar] }

    /// The union of ranges in any order.
    package init(_ unordered: [ClosedRange<UInt32>]) {
        ranges = []
        ranges.reserveCapacity(unordered.count)
        for range in unordered.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
    }

    package init(scalars: some Sequence<UInt32>) { self.init(scalars.map { $0...$0 }) }

    package var isEmpty: Bool { ranges.isEmpty }
    package var count: Int { ranges.reduce(0) { $0 + $1.count } }
    /// The only member, if there is exactly one.
    package var single: UInt32? {
        ranges.count == 1 && ranges[0].lowerBound == ranges[0].upperBound ? ranges[0].lowerBound : nil
    }

    /// Appends a range that begins at or after the start of the last one.
    private mutating func append(_ range: ClosedRange<UInt32>) {
        guard let end = ranges.last, range.lowerBound <= end.upperBound &+ 1 else { return ranges.append(range) }
        if range.upperBound > end.upperBound { ranges[ranges.count - 1] = end.lowerBound...range.upperBound }
    }

    /// Whether the scalar is a member. Binary search.
    package func contains(_ scalar: UInt32) -> Bool {
        let index = ranges.indices.first(fromWhich: { ranges[$0].upperBound >= scalar })
        return index < ranges.count && ranges[index].lowerBound <= scalar
    }

    package func union(_ other: CodePointSet) -> CodePointSet {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return CodePointSet(ranges + other.ranges)
    }

    package mutating func insert(_ range: ClosedRange<UInt32>) { self = union(CodePointSet(range)) }

    package var complement: CodePointSet {
        var result = CodePointSet()
        var start: UInt32 = 0
        for range in ranges {
            if range.lowerBound > start { result.ranges.append(start...range.lowerBound - 1) }
            start = range.upperBound + 1
        }
        if start <= Self.last { result.ranges.append(start...Self.last) }
        return result
    }

    package func intersection(_ other: CodePointSet) -> CodePointSet {
        var result = CodePointSet()
        var left = 0
        var right = 0
        while left < ranges.count, right < other.ranges.count {
            let a = ranges[left]
            let b = other.ranges[right]
            let lower = max(a.lowerBound, b.lowerBound)
            let upper = min(a.upperBound, b.upperBound)
            if lower <= upper { result.ranges.append(lower...upper) }
            if a.upperBound < b.upperBound { left += 1 } else { right += 1 }
        }
        return result
    }

    package func subtracting(_ other: CodePointSet) -> CodePointSet { intersection(other.complement) }
    package func isSuperset(of other: CodePointSet) -> Bool { other.subtracting(self).isEmpty }
    package func isDisjoint(with other: CodePointSet) -> Bool { intersection(other).isEmpty }
}
