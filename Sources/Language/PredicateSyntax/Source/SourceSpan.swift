/// A half-open range of UTF-8 bytes in the parsed text: `start ..< end`.
///
/// Every token, node and diagnostic has one. A node built in code has the empty span `0 ..< 0`.
public struct SourceSpan: Hashable, Sendable {
    private let lower: UInt32
    private let upper: UInt32

    /// The span `start ..< end`. Bounds are clamped to valid offsets; a reversed pair gives an empty span.
    package init(_ start: Int, _ end: Int) {
        lower = UInt32(clamping: start)
        upper = UInt32(clamping: max(start, end))
    }

    /// The offset of the first byte.
    public var start: Int { Int(lower) }
    /// The offset after the last byte.
    public var end: Int { Int(upper) }
    /// The number of bytes.
    package var count: Int { end - start }
    package var isEmpty: Bool { lower == upper }
    public var range: Range<Int> { start..<end }

    /// The span as a range of indices, for editors and labels. For UTF-16 use `NSRange(span.range(in: text), in:
    /// text)`.
    ///
    ///     let wrong = failure.source[diagnostic.span.range(in: failure.source)]
    ///
    /// Clamped to the text, and to whole Unicode characters.
    public func range(in text: String) -> Range<String.Index> {
        bound(start, in: text)..<bound(end, in: text)
    }

    private func bound(_ offset: Int, in text: String) -> String.Index {
        let utf8 = text.utf8
        var index = utf8.index(utf8.startIndex, offsetBy: offset, limitedBy: utf8.endIndex) ?? utf8.endIndex
        // Bytes 10xxxxxx continue a scalar.
        while index < utf8.endIndex, index > utf8.startIndex, utf8[index] & 0xC0 == 0x80 {
            index = utf8.index(before: index)
        }
        return index
    }

    /// The span of nodes without text.
    public static let none = SourceSpan(0, 0)

    /// Whether another span, which is not `.none`, is in this one.
    package func contains(_ other: SourceSpan) -> Bool {
        start <= other.start && other.end <= end && other != .none
    }

    /// The smallest span that contains both. Ignores `.none`.
    package func joined(_ other: SourceSpan) -> SourceSpan {
        if self == .none { return other }
        if other == .none { return self }
        return SourceSpan(Swift.min(start, other.start), Swift.max(end, other.end))
    }
}
