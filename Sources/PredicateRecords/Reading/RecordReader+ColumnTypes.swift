// Decides the types of CSV columns: from the start of a file, and from the first 10,000 records of a stream. A later
// record that does not fit is a problem that names the column (`RecordProblem.misfit`). A file can then be read again
// with the types of all its records. The keys of a stream are read from its start likewise.

import PredicateSyntax

extension RecordReader {
    /// How many bytes of a file decide the types of its columns.
    private static let fileSample = 64 << 10
    /// How many records of a stream decide the types, and how many bytes at most.
    private static let streamSample = (records: 10_000, bytes: 4 << 20)

    /// The types of the columns over all records of a CSV file; reads all of it, in bounded memory. Returns nil for
    /// another format.
    package func columnTypes() -> [CSVColumnType?]? {
        guard var framer = try? makeFramer() as? CSVFramer else { return nil }
        var types = undecided(framer)
        framer.addTypes(to: &types)
        return types.map { $0?.decided }
    }

    /// The keys of the first records of a stream, or its columns, without reading the records. Call it before `next`.
    package func firstKeys() -> [String] {
        guard framer == nil else { return [] }
        do throws(FrameFault) {
            try fillSample(at: TextPosition())
            var copy = options
            copy.types = FieldTypes()
            copy.fields = nil
            copy.keepsText = false
            let name = path ?? name
            let sample = RecordReader(bytes: Array(input.bytes), name: name, options: copy)
            var keys = KeyList()
            while case .record(let record)? = sample.next() {
                keys.add(record.source.columns)
                keys.add(record.value)
            }
            keys.add(sample.source.columns)
            return keys.names
        } catch {
            pending = error
            return []
        }
    }

    /// Sets the types of the columns that are read.
    func decideTypes(_ framer: inout CSVFramer) throws(FrameFault) {
        if let known = options.columnTypes, known.count == framer.columns.count {
            framer.columnTypes = known
            return
        }
        var types = undecided(framer)
        guard types.contains(where: { $0 != nil }) else { return }
        try fillSample(at: framer.position)
        func copy(_ count: Int) -> CSVFramer {
            CSVFramer(
                input: InputBuffer(bytes: Array(input.slice(0..<count))), position: TextPosition(),
                delimiter: framer.delimiter, types: options.types, recordLimit: options.recordLimit,
                columns: framer.columns, columnTypes: [])
        }
        let count = totalBytes == nil ? input.count : min(input.count, Self.fileSample)
        var sample = copy(count)
        if !input.isAtEnd || count < input.count {
            // Leaves out the last record, which the sample may cut.
            let whole = sample.wholeRecords()
            let lines = (input.slice(0..<count).lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
            sample = copy(whole > 0 ? whole : lines)
        }
        sample.addTypes(to: &types)
        framer.columnTypes = types.map { $0?.decided }
    }

    /// For each column whose type is wanted, the type of no fields.
    private func undecided(_ framer: CSVFramer) -> [CSVColumnType?] {
        framer.columns.map { column in
            let isRead = options.decidesAllColumns || options.fields?.contains(column) ?? true
            return isRead && options.types.type(named: column) == nil ? .empty : nil
        }
    }

    /// Reads the start of the input. A stream that pauses for a second is not waited for.
    func fillSample(at position: TextPosition) throws(FrameFault) {
        guard totalBytes == nil else {
            while input.count < Self.fileSample, try input.fill(at: position) {}
            return
        }
        var lines = 0
        var scanned = 0
        while input.count < Self.streamSample.bytes {
            while let newline = input.offset(of: UInt8(ascii: "\n"), from: scanned) {
                lines += 1
                scanned = newline + 1
            }
            if lines >= Self.streamSample.records || lines > 0 && input.pauses() { return }
            if try !input.fill(at: position) { return }
        }
    }
}
