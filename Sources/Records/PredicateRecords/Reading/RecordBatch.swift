// Splits a large input into batches of whole records, which other threads can read (BatchReader). Works for formats
// whose records can be separated without parsing them: JSON Lines, CSV, and the elements of a JSON array.

/// The bytes of consecutive records.
package struct RecordBatch: Sendable {
    package let source: RecordInput
    let bytes: [UInt8]
    /// The position of the first record.
    let position: TextPosition

    /// The text of one of its records, without the newline or comma after it.
    package func text(of record: BatchRecord) -> ArraySlice<UInt8> { bytes[record.place] }
}

extension RecordBatch {
    /// Whether some JSON record may have a key: the bytes contain the key in quotation marks.
    package func mayHave(key: String) -> Bool {
        let wanted = Array(("\"" + key + "\"").utf8)
        return bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, bytes.count >= wanted.count else { return false }
            let last = base + (bytes.count - wanted.count)
            var at = base
            while at <= last, let found = SystemFile.find(wanted[0], at, last - at + 1) {
                if UnsafeRawBufferPointer(start: found, count: wanted.count).elementsEqual(wanted) { return true }
                at = found + 1
            }
            return false
        }
    }

    /// The keys of its records, in order of first appearance.
    package func keys() -> [String] {
        let reader = BatchReader(keysOf: source)
        reader.read(self) { _ in true }
        return reader.keys?.names ?? []
    }

    /// The values of its first records, without those that cannot be read.
    package func sample(_ limit: Int) -> [PredicateValue] {
        var values: [PredicateValue] = []
        var left = limit
        BatchReader(source, options: ReaderOptions()).read(self) { result in
            if case .success(let record) = result { values.append(record.value) }
            left -= 1
            return left > 0
        }
        return values
    }
}

/// The keys of dictionaries, in order of first appearance.
package struct KeyList: Sendable {
    package private(set) var names: [String] = []
    private var known: Set<String> = []
    private var lastShape: ValueDictionary.Shape?

    package init() {}

    package mutating func add(_ record: PredicateValue) {
        guard case .dictionary(let dictionary) = record, lastShape !== dictionary.shape else { return }
        lastShape = dictionary.shape
        add(dictionary.keys)
    }

    package mutating func add(_ keys: [String]) {
        for key in keys where known.insert(key).inserted { names.append(key) }
    }
}

/// The result of `RecordReader.nextBatch`.
package enum BatchEvent: Sendable {
    case batch(RecordBatch)
    /// No batch is in memory, and reading more would wait for a pipe or a terminal.
    case wouldWait
    /// `RecordReader.next` must read the rest of the input, or report its end.
    case rest
}

extension RecordReader {
    /// Returns the next records as bytes, without parsing them. The batches, followed by the records that `next`
    /// returns after the last batch, are the whole input.
    ///
    ///     while case .batch(let batch) = reader.nextBatch() { … }
    ///     while let event = reader.next() { … }
    ///
    /// - Parameter waits: whether to wait for a pipe or a terminal. If false, a batch has the records that are
    ///   available now.
    package func nextBatch(waits: Bool = true) -> BatchEvent {
        guard canBatch, pending == nil else { return .rest }
        do throws(FrameFault) {
            return try cut(waits: waits)
        } catch {
            pending = error
            return .rest
        }
    }

    private func cut(waits: Bool) throws(FrameFault) -> BatchEvent {
        let isStream = totalBytes == nil
        if framer == nil {
            // The first bytes determine the format; the header of CSV determines the columns.
            if !waits, isStream, input.mustWait() { return .wouldWait }
            framer = try makeFramer()
        }
        guard let framer else { return .rest }
        var wanted = max(1, options.batchSize)
        while true {
            while input.count < wanted, !(isStream && input.mustWait()) {
                if try !input.fill(at: framer.position) { break }
            }
            let count = input.count > 0 ? try framer.wholeRecords() : 0
            if count > 0 { return .batch(take(count, &framer.position)) }
            // Larger records are read one by one, so that memory stays bounded.
            guard !input.isAtEnd, input.count < 4 * max(options.batchSize, options.chunkSize) else {
                canBatch = false
                return .rest
            }
            if isStream, input.mustWait() {
                guard waits else { return .wouldWait }
                _ = try input.fill(at: framer.position)
            }
            wanted = max(options.batchSize, input.count + 1)
        }
    }

    private func take(_ count: Int, _ position: inout TextPosition) -> RecordBatch {
        let bytes = input.slice(0..<count)
        var block = blocks.popLast() ?? []
        block.removeAll(keepingCapacity: true)
        block.append(contentsOf: bytes)
        let batch = RecordBatch(source: source, bytes: block, position: position)
        input.consume(count, &position)
        return batch
    }

    /// Returns the memory of a batch for reuse. Allocating new memory costs about a tenth of the total time.
    package func reuse(_ batch: RecordBatch) {
        if blocks.count < 64 { blocks.append(batch.bytes) }
    }
}
