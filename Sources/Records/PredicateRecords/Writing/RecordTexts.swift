// The unchanged texts of many records, such as those that a worker selects from a batch.

/// Texts of records in one batch. They are ranges of the batch, so nothing is copied.
package struct RecordTexts: Sendable {
    private let batch: RecordBatch
    private var places: [Range<Int>] = []

    package init(_ batch: RecordBatch, _ places: [Range<Int>] = []) { (self.batch, self.places) = (batch, places) }

    package var count: Int { places.count }

    package mutating func append(_ record: BatchRecord) { places.append(record.place) }

    /// The text of a record.
    func text(_ index: Int) -> ArraySlice<UInt8> { batch.bytes[places[index]] }

    /// Calls `body` with parts of the batch that together contain the texts of consecutive records. The caller writes a
    /// newline after each part. Records that are separated by just a newline are in one part.
    func forEachPart<Problem>(
        of range: Range<Int>, _ body: (ArraySlice<UInt8>) throws(Problem) -> Void
    ) throws(Problem) {
        var index = range.lowerBound
        while index < range.upperBound {
            var part = places[index]
            index += 1
            while index < range.upperBound, places[index].lowerBound == part.upperBound + 1,
                batch.bytes[part.upperBound] == UInt8(ascii: "\n")
            {
                part = part.lowerBound..<places[index].upperBound
                index += 1
            }
            try body(batch.bytes[part])
        }
    }
}
