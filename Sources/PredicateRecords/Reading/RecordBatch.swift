// Large inputs are cut into batches of whole records, which threads of their own can read (BatchReader.swift). Only the
// formats in which a record's end is seen without reading it can be cut: JSON Lines, CSV, and the elements of a JSON array.

import PredicateSyntax

/// Records as they stand, one after the other.
public struct RecordBatch: Sendable {
    public let source: RecordSource
    let bytes: [UInt8]
    /// Where the first record begins.
    let position: TextPosition
}

/// What `RecordReader.nextBatch` finds.
public enum BatchEvent: Sendable {
    case batch(RecordBatch)
    /// Nothing is in memory, and more would have to be waited for.
    case wouldWait
    /// What follows, the input's end at least, is for `RecordReader.next` to read.
    case rest
}

extension RecordReader {
    /// The next records, cut from the input without reading them. Together with those that `next` finds after the last
    /// batch they are all.
    ///
    ///     while case .batch(let batch) = reader.nextBatch() { … }
    ///     while let event = reader.next() { … }
    ///
    /// - Parameter waits: whether to wait for a pipe or a terminal. A batch holds what they have for now.
    public func nextBatch(waits: Bool = true) -> BatchEvent {
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
            // The first bytes tell the format, the header of CSV its columns.
            if !waits, isStream, input.mustWait() { return .wouldWait }
            framer = try makeFramer()
        }
        guard var framer else { return .rest }
        defer { self.framer = framer }
        var wanted = max(1, options.batchSize)
        while true {
            while input.count < wanted, !(isStream && input.mustWait()) {
                if try !input.fill(at: framer.position) { break }
            }
            let count = input.count > 0 ? try framer.wholeRecords() : 0
            if count > 0 { return .batch(take(count, &framer.position)) }
            // Longer records are read one by one, so that memory stays bounded.
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
        position.advance(over: bytes)
        input.consume(count)
        return batch
    }

    /// Takes a batch back that has been read: its memory serves the next one. Fresh memory costs a tenth of all.
    public func reuse(_ batch: RecordBatch) {
        if blocks.count < 64 { blocks.append(batch.bytes) }
    }
}
