// Places of records in an input, so that what holds many records, such as sorting, need not hold their contents.

/// The place of a record of a batch. It is for the reader that made the batch.
package struct RecordPlace: Sendable {
    fileprivate let offset: Int
    /// The number of bytes of its text.
    package let count: Int
    fileprivate let line: Int
}

extension BatchReader {
    package func place(of record: BatchRecord) -> RecordPlace {
        RecordPlace(offset: base.offset + record.place.lowerBound, count: record.place.count, line: line)
    }

    /// Reads one record from its text.
    fileprivate func record(_ text: [UInt8], at place: RecordPlace, isWhole: Bool) -> Record? {
        var position = TextPosition()
        (position.offset, position.line) = (place.offset, place.line)
        let end = source.format == .json ? UInt8(ascii: ",") : UInt8(ascii: "\n")
        var found: Record?
        read(RecordBatch(source: source, bytes: text + [end], position: position)) { result in
            if case .success(let record) = result { found = self.record(record, isWhole: isWhole, keepsText: false) }
            return false
        }
        return found
    }
}

extension RecordReader {
    /// Whether records can be read a second time: the input is a file.
    package var canReadAgain: Bool { input.start != nil }

    /// Prepares for a second reading of many records, in any order: holds the input in memory.
    package func hold() { input.readWhole() }

    /// Reads a record a second time; nil if the file has changed.
    /// - Parameter isWhole: whether to read all fields, or those of the options; nil reads only the text.
    package func record(at place: RecordPlace, isWhole: Bool?) -> Record? {
        guard let text = input.withBytes(at: place.offset, count: place.count, { Array($0) }) else { return nil }
        guard let isWhole else {
            return Record(value: .null, text: text, line: place.line, index: 0, source: source)
        }
        let reader = secondReader ?? BatchReader(source, options: options)
        secondReader = reader
        return reader.record(text, at: place, isWhole: isWhole)
    }
}

extension RecordTexts {
    /// The texts of records that are read a second time, from any inputs; nil if a file has changed.
    package init?(_ records: [(reader: RecordReader, place: RecordPlace)]) {
        guard let source = records.first?.reader.source else { return nil }
        var places: [Range<Int>] = []
        places.reserveCapacity(records.count)
        let size = records.reduce(0) { $0 + $1.place.count + 1 }
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { bytes, end in
            for (reader, place) in records {
                let range = end..<end + place.count
                let part = UnsafeMutableBufferPointer(rebasing: bytes[range])
                let copied = reader.input.withBytes(at: place.offset, count: place.count) {
                    part.initialize(fromContentsOf: $0)
                }
                guard copied != nil else { return }
                bytes[range.upperBound] = UInt8(ascii: "\n")
                places.append(range)
                end = range.upperBound + 1
            }
        }
        guard places.count == records.count else { return nil }
        self.init(RecordBatch(source: source, bytes: bytes, position: TextPosition()), places)
    }
}
