// Many records that go out as they stood: what a thread selects from a batch.

/// Texts of records of one source, a newline behind each.
public struct RecordTexts: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where each text ends, its newline included.
    private var ends: [Int] = []

    public init() {}

    public var count: Int { ends.count }

    public mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: text)
        bytes.append(0x0A)
        ends.append(bytes.count)
    }

    /// Where some of the texts stand in `bytes`.
    func place(of range: Range<Int>) -> Range<Int> {
        guard let last = range.last else { return 0..<0 }
        return (range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1])..<ends[last]
    }
}
