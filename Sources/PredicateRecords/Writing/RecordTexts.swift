// Collects the unchanged texts of many records, such as those that a thread selects from a batch.

/// Texts of records of one source, each with a newline after it.
package struct RecordTexts: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The end of each text, including its newline.
    private var ends: [Int] = []

    package init() {}

    package var count: Int { ends.count }

    package mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: text)
        bytes.append(0x0A)
        ends.append(bytes.count)
    }

    /// The range of consecutive texts in `bytes`.
    func place(of range: Range<Int>) -> Range<Int> {
        guard let last = range.last else { return 0..<0 }
        return (range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1])..<ends[last]
    }
}
