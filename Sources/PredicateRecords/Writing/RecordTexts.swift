// The unchanged texts of many records, such as those that a thread selects from a batch.

/// Texts of records of one batch. Copies nothing: the texts are parts of the batch.
package struct RecordTexts: Sendable {
    private let batch: RecordBatch
    private var places: [Range<Int>] = []

    package init(_ batch: RecordBatch) { self.batch = batch }

    package var count: Int { places.count }

    package mutating func append(_ record: BatchRecord) { places.append(record.place) }

    /// The text of a record.
    func text(_ index: Int) -> ArraySlice<UInt8> { batch.bytes[places[index]] }

    /// Calls `body` with parts of the batch that together are the texts of consecutive records. Each part ends where a
    /// newline is wanted: records with only a newline between them are one part.
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
