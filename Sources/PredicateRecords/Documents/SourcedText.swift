// A text that stands in a file in another spelling: with escapes, entities, indentation, in several pieces. It knows where
// each of its bytes came from, so that a finding about the text is shown at its place in the file.

public import PredicateSyntax

/// A text with the places of its bytes in the file that holds it.
///
///     var text = SourcedText(at: 10)
///     text.append([0x22], from: 10..<12)      // \" in the file, " in the text
///     text.source(SourceSpan(0, 1))           // 10 ..< 12
public struct SourcedText: Sendable, Hashable {
    /// Bytes that came from one place: one for one, or, where the lengths differ, as a whole.
    private struct Piece: Sendable, Hashable {
        var start: Int
        var count: Int
        var source: Int
        var sourceCount: Int
        var isVerbatim: Bool

        var end: Int { start + count }
        var sourceEnd: Int { source + sourceCount }
    }

    /// The text, in UTF-8.
    public private(set) var bytes: [UInt8] = []
    /// Where the text ends in the file: what is said about its end stands here.
    public private(set) var end: Int
    private var pieces: [Piece] = []

    /// An empty text that stands at an offset of the file.
    public init(at offset: Int) { end = offset }

    /// A text that stands in the file as it is.
    public init(_ file: [UInt8], _ range: Range<Int>) {
        end = range.lowerBound
        append(verbatim: file, range)
    }

    public var isEmpty: Bool { bytes.isEmpty }

    /// The text. What is not UTF-8 becomes replacement characters.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The span of the whole in the file.
    public var span: SourceSpan { source(SourceSpan(0, bytes.count)) }

    /// Adds bytes as they stand in the file.
    public mutating func append(verbatim file: [UInt8], _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if let last = pieces.last, last.isVerbatim, last.sourceEnd == range.lowerBound {
            pieces[pieces.count - 1].count += range.count
            pieces[pieces.count - 1].sourceCount += range.count
        } else {
            pieces.append(
                Piece(
                    start: bytes.count, count: range.count, source: range.lowerBound, sourceCount: range.count,
                    isVerbatim: true))
        }
        bytes += file[range]
        end = range.upperBound
    }

    /// Adds bytes that the file spells otherwise.
    public mutating func append(_ decoded: some Sequence<UInt8>, from source: Range<Int>) {
        let start = bytes.count
        bytes += decoded
        end = source.upperBound
        guard bytes.count > start else { return }
        pieces.append(
            Piece(
                start: start, count: bytes.count - start, source: source.lowerBound, sourceCount: source.count,
                isVerbatim: false))
    }

    /// Adds another text of the same file.
    public mutating func append(_ other: SourcedText) {
        let start = bytes.count
        bytes += other.bytes
        end = other.end
        for var piece in other.pieces {
            piece.start += start
            pieces.append(piece)
        }
    }

    /// The place in the file of a span of the text. Cost: logarithmic in the number of escapes.
    public func source(_ span: SourceSpan) -> SourceSpan {
        guard let first = piece(at: span.start) else { return SourceSpan(end, end) }
        let start = first.isVerbatim ? first.source + span.start - first.start : first.source
        guard !span.isEmpty, let last = piece(at: min(span.end, bytes.count) - 1) else {
            return SourceSpan(start, start)
        }
        let stop = last.isVerbatim ? last.source + min(span.end, last.end) - last.start : last.sourceEnd
        return SourceSpan(start, stop)
    }

    /// Whether nothing but the text stands between the ends of a span in the file: no quotes, no `+`, no indentation.
    public func isContiguous(_ span: SourceSpan) -> Bool {
        guard !span.isEmpty, let first = index(at: span.start), let last = index(at: min(span.end, bytes.count) - 1)
        else { return true }
        return first >= last || (first..<last).allSatisfy { pieces[$0].sourceEnd == pieces[$0 + 1].source }
    }

    private func piece(at offset: Int) -> Piece? { index(at: offset).map { pieces[$0] } }

    private func index(at offset: Int) -> Int? {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].end <= offset { low = middle + 1 } else { high = middle }
        }
        return low < pieces.count && offset >= pieces[low].start ? low : nil
    }
}

/// Why a document cannot be read, and where.
public struct DocumentProblem: Error, Sendable, Hashable {
    /// In bytes, from 0.
    public let offset: Int
    public let message: String

    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }
}
