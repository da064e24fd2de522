// A decoded text that maps each of its bytes to the file offset it came from. The file may contain the text with
// escapes, entities or indentation, or in several pieces. A diagnostic about the text is shown at its position in the
// file.

/// A text and the file offset of each of its bytes.
///
///     var text = SourcedText(at: 10)
///     text.append([0x22], from: 10..<12)      // \" in the file, " in the text
///     text.source(SourceSpan(0, 1))           // 10 ..< 12
package struct SourcedText: Sendable, Hashable {
    /// Bytes from one range of the file. A verbatim piece maps byte by byte; any other piece maps only as a whole.
    private struct Piece: Sendable, Hashable {
        /// Its bytes in the text.
        var range: Range<Int>
        /// The bytes of the file that spell it.
        var source: Range<Int>
        var isVerbatim: Bool
    }

    /// The decoded text, in UTF-8.
    package private(set) var bytes: [UInt8] = []
    /// The file offset of the end of the text. Diagnostics about its end are shown here.
    package private(set) var end: Int
    /// Whether the text is a YAML scalar without quotation marks, which may stand for a number.
    package var isPlain = false
    private var pieces: [Piece] = []

    /// An empty text at an offset of the file.
    package init(at offset: Int) { end = offset }

    /// A text that the file contains verbatim.
    package init(_ file: [UInt8], _ range: Range<Int>) {
        end = range.lowerBound
        append(verbatim: file, range)
    }

    package var isEmpty: Bool { bytes.isEmpty }

    /// The text as a string. Bytes that are not UTF-8 become replacement characters.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The span of the whole text in the file.
    package var span: SourceSpan { source(SourceSpan(0, bytes.count)) }

    /// Appends bytes that the file contains verbatim.
    package mutating func append(verbatim file: [UInt8], _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        var piece = Piece(range: bytes.count..<bytes.count + range.count, source: range, isVerbatim: true)
        if let last = pieces.last, last.isVerbatim, last.source.upperBound == range.lowerBound {
            pieces.removeLast()
            piece.range = last.range.lowerBound..<piece.range.upperBound
            piece.source = last.source.lowerBound..<range.upperBound
        }
        pieces.append(piece)
        bytes += file[range]
        end = range.upperBound
    }

    /// Appends decoded bytes that the file spells differently, such as an escape.
    package mutating func append(_ decoded: some Sequence<UInt8>, from source: Range<Int>) {
        let start = bytes.count
        bytes += decoded
        end = source.upperBound
        guard bytes.count > start else { return }
        pieces.append(Piece(range: start..<bytes.count, source: source, isVerbatim: false))
    }

    /// Appends another text of the same file.
    package mutating func append(_ other: SourcedText) {
        let start = bytes.count
        bytes += other.bytes
        end = other.end
        for var piece in other.pieces {
            piece.range = piece.range.lowerBound + start..<piece.range.upperBound + start
            pieces.append(piece)
        }
    }

    /// Returns the file span of a span of the text. Cost: logarithmic in the number of escapes.
    package func source(_ span: SourceSpan) -> SourceSpan {
        guard let first = piece(at: span.start) else { return SourceSpan(end, end) }
        let start = first.source.lowerBound + (first.isVerbatim ? span.start - first.range.lowerBound : 0)
        guard !span.isEmpty, let last = piece(at: min(span.end, bytes.count) - 1) else {
            return SourceSpan(start, start)
        }
        let rest = last.isVerbatim ? max(0, last.range.upperBound - span.end) : 0
        return SourceSpan(start, last.source.upperBound - rest)
    }

    /// Whether the file contains nothing but this text between the ends of the span: no quotation marks, `+` or
    /// indentation.
    package func isContiguous(_ span: SourceSpan) -> Bool {
        guard !span.isEmpty, let first = index(at: span.start), let last = index(at: min(span.end, bytes.count) - 1)
        else { return true }
        return first >= last
            || (first..<last).allSatisfy { pieces[$0].source.upperBound == pieces[$0 + 1].source.lowerBound }
    }

    /// Whether a byte of the text stands in a CDATA section of the file, where nothing is escaped.
    package func isCDATA(at offset: Int, in file: [UInt8]) -> Bool {
        guard let start = piece(at: min(offset, bytes.count - 1))?.source.lowerBound, start >= 9 else { return false }
        return file[(start - 9)...].starts(with: "<![CDATA[".utf8)
    }

    private func piece(at offset: Int) -> Piece? { index(at: offset).map { pieces[$0] } }

    private func index(at offset: Int) -> Int? {
        let index = pieces.indices.first(fromWhich: { pieces[$0].range.upperBound > offset })
        return index < pieces.count && offset >= pieces[index].range.lowerBound ? index : nil
    }
}

/// The reason and the offset of a document that cannot be read.
package struct DocumentProblem: Error, Sendable, Hashable {
    /// The offset in bytes, from 0.
    package let offset: Int
    package let message: String

    /// The message for bytes that are not UTF-8. `RecordProblem` adds what to do.
    static let notUTF8 = "a byte sequence that is not UTF-8"

    /// Throws if a value is nested deeper than documents may be.
    static func check(depth: Int, at offset: Int) throws(DocumentProblem) {
        guard depth >= JSON.maximumDepth else { return }
        throw DocumentProblem(offset: offset, message: "nested deeper than \(JSON.maximumDepth) levels")
    }
}
