// Infers the types of CSV columns: from the start of a file, or from the first 10,000 records of a stream. A later
// record that does not fit is a problem that names the column (`RecordProblem.misfit`). A file can then be read again
// with types inferred from all its records. The keys of a stream are also read from its start.

extension RecordReader {
    /// The number of bytes of a file from which the types are inferred.
    private static let fileSample = 64 << 10
    /// The number of records of a stream from which the types are inferred, and the maximum number of bytes.
    private static let streamSample = (records: 10_000, bytes: 4 << 20)

    /// Infers the types of the columns from all records of a CSV file, in bounded memory. nil for other formats.
    package func columnTypes() -> [CSVColumnType?]? {
        guard var framer = (try? makeFramer() as? Framer<CSVFramer>)?.format else { return nil }
        var types = undecided(framer)
        if types.contains(where: { $0 != nil }) || !options.types.isEmpty { framer.addTypes(to: &types) }
        return types.map { $0?.decided }
    }

    /// The keys of the first records of a stream, or its columns, without consuming the records. Call this before
    /// `next`.
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

    /// Infers the types of the columns that are read.
    func decideTypes(_ framer: inout CSVFramer) throws(FrameFault) {
        if let known = options.columnTypes, known.count == framer.columns.count {
            framer.columnTypes = known
            return
        }
        var types = undecided(framer)
        guard types.contains(where: { $0 != nil }) || !options.types.isEmpty else { return }
        try fillSample(at: framer.position)
        func copy(_ count: Int) -> CSVFramer {
            CSVFramer(
                InputBuffer(bytes: Array(input.slice(0..<count))), TextPosition(), options,
                delimiter: framer.delimiter, columns: framer.columns)
        }
        let firstLine = (input.offset(of: UInt8(ascii: "\n"), from: 0) ?? input.count) + 1
        let count = totalBytes == nil ? input.count : min(input.count, max(Self.fileSample, firstLine))
        var sample = copy(count)
        if !input.isAtEnd || count < input.count {
            // Without the last record, which may be incomplete in the sample.
            let whole = sample.wholeRecords()
            let lines = (input.slice(0..<count).lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
            sample = copy(whole > 0 ? whole : lines)
        }
        sample.addTypes(to: &types)
        framer.columnTypes = types.map { $0?.decided }
    }

    /// The initial type of each column whose type is wanted.
    private func undecided(_ framer: CSVFramer) -> [CSVColumnType?] {
        framer.columns.map { column in
            let isRead = options.decidesAllColumns || options.fields?.contains(column) ?? true
            return isRead && options.types.type(named: column) == nil ? .empty : nil
        }
    }

    /// Reads the start of the input. Stops waiting when a stream pauses for a second.
    func fillSample(at position: TextPosition) throws(FrameFault) {
        var scanned = 0
        guard totalBytes == nil else {
            while input.count < Self.fileSample, try input.fill(at: position) {}
            // The first record may be longer.
            while input.count < options.recordLimit, input.offset(of: UInt8(ascii: "\n"), from: scanned) == nil {
                scanned = input.count
                if try !input.fill(at: position) { return }
            }
            return
        }
        var lines = 0
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
