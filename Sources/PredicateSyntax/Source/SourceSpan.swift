/// A half-open range of UTF-8 bytes in the text that was parsed: `start ..< end`.
///
/// Every token, node and diagnostic has one. A node that was built in code has the empty span `0 ..< 0`.
public struct SourceSpan: Hashable, Sendable {
    private let lower: UInt32
    private let upper: UInt32

    /// The span `start ..< end`. Bounds are clamped to what a text may hold; a reversed pair is empty.
    public init(_ start: Int, _ end: Int) {
        lower = UInt32(clamping: start)
        upper = UInt32(clamping: max(start, end))
    }

    /// The first byte.
    public var start: Int { Int(lower) }
    /// The byte after the last.
    public var end: Int { Int(upper) }
    public var count: Int { end - start }
    public var isEmpty: Bool { lower == upper }
    public var range: Range<Int> { start..<end }

    /// The span of nodes that came from no text.
    public static let none = SourceSpan(0, 0)

    /// The smallest span that holds both; `.none` is neutral.
    public func joined(_ other: SourceSpan) -> SourceSpan {
        if self == .none { return other }
        if other == .none { return self }
        return SourceSpan(Swift.min(start, other.start), Swift.max(end, other.end))
    }
}
