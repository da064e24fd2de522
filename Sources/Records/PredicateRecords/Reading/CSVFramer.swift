// Reads CSV as RFC 4180 defines it: a header, and quoted fields that may contain newlines and doubled quotation marks.
// One pass finds the fields and the end of a record. It resumes when more bytes have been read.
//
// An unquoted empty field is nil, and so is an unquoted text of `ReaderOptions.nilTexts`. A column has numbers if all
// its fields are unquoted numbers or nil: JSON numbers (no leading zero), also `.5`, `5.` and `+5`. It has Booleans if
// all are unquoted `true` or `false`, or nil. All other columns are text, so "007", dates and quoted numbers are
// text. `--types` converts text. If every field of every record is quoted, as some programs write their files, the columns
// have the types of the fields without their quotation marks, and `""` is nil except in a column of text.

struct CSVFramer: RecordFramer {
    /// The maximum number of columns, and of fields of a record.
    private static let columnLimit = 100_000

    private enum State { case fieldStart, unquoted, quoted, afterQuote }

    let input: InputBuffer
    let delimiter: [UInt8]
    private let options: ReaderOptions
    var position: TextPosition
    private(set) var columns: [String] = []
    /// The final types of the columns; empty before they are inferred.
    var columnTypes: [CSVColumnType?] = [] { didSet { makeReaders() } }
    /// The header line, unchanged; empty if there is none.
    private(set) var header: [UInt8] = []
    /// The header line, or the first record if there is no header.
    private(set) var firstLine: [UInt8] = []
    private let nilTexts: [[UInt8]]
    private var shape = ValueDictionary.Shape([])
    private var readers: [CSVField] = []
    /// The inferred types of the columns for which the user gave no type.
    private var decided: [CSVColumnType?] = []
    private var fields: [CSVFieldBytes] = []
    /// The number of fields of the record. Fields without a column in the header are not stored.
    private(set) var fieldCount = 0
    /// The offset of the first field without a column.
    private var firstSurplus = 0
    /// The offset of the record's last quoted field, reported if that field never ends.
    private var openQuote = 0

    mutating func readHeader() throws(FrameFault) {
        if let names = options.columns { return try take(names) }
        guard let (start, raw) = try record() else { return }
        header = Array(raw)
        firstLine = header
        var seen: Set<String> = []
        // The next number to try for a name.
        var numbers: [String: Int] = [:]
        for (index, field) in fields.enumerated() {
            guard let text = CSVField.text(UnsafeBufferPointer(rebasing: raw[field.start..<field.end]), field),
                !field.isBroken
            else {
                throw FrameFault(
                    field.isBroken ? "the header is not valid CSV" : DocumentProblem.notUTF8, endsAt: start)
            }
            // Make the names unique, so that every column can be selected.
            let name = text.isEmpty ? "column\(index + 1)" : text
            var unique = name
            var number = numbers[name] ?? 2
            while !seen.insert(unique).inserted {
                unique = "\(name)_\(number)"
                number += 1
            }
            numbers[name] = number
            columns.append(unique)
        }
        makeReaders()
    }

    /// Takes the columns of a file without a header: these, or c1, c2 … for the fields of the first record.
    private mutating func take(_ names: [String]) throws(FrameFault) {
        let first = try record(consumes: false)
        columns = names.isEmpty && first != nil ? (1...fieldCount).map { "c\($0)" } : names
        if let (start, raw) = first {
            firstLine = Array(raw)
            let texts = fields.map { CSVField.text(UnsafeBufferPointer(rebasing: raw[$0.start..<$0.end]), $0) ?? "" }
            if texts == names {
                throw FrameFault(
                    "this line has the names of --columns, so it is a header: leave --columns out", endsAt: start)
            }
        }
        makeReaders()
    }

    /// - Parameter columns: the columns, if the header was already read; else `readHeader` comes first.
    init(
        _ input: InputBuffer, _ position: TextPosition, _ options: ReaderOptions, delimiter: [UInt8],
        columns: [String] = [], columnTypes: [CSVColumnType?] = []
    ) {
        self.input = input
        self.position = position
        self.delimiter = delimiter
        self.options = options
        nilTexts = options.nilTexts.map { Array($0.utf8) }
        self.columns = columns
        self.columnTypes = columnTypes
        makeReaders()
    }

    private mutating func makeReaders() {
        shape = ValueDictionary.Shape(columns)
        readers = columns.enumerated().map { index, column in
            CSVField(
                column: column, type: options.types.type(named: column),
                columnType: columnTypes.isEmpty ? nil : columnTypes[index])
        }
        decided = readers.map { $0.decided }
    }

    mutating func next() throws(FrameFault) -> RecordFrame? {
        guard let (start, raw) = try record() else { return nil }
        guard fieldCount == columns.count else {
            throw FrameFault(
                position: start,
                message: "the record has \(DisplayText.count(fieldCount, "field")), but \(other(columns.count))",
                endsInput: false)
        }
        var values: [PredicateValue] = []
        values.reserveCapacity(fields.count)
        for (index, field) in fields.enumerated() {
            values.append(try value(of: field, column: index, in: raw, at: start))
        }
        return RecordFrame(
            value: .dictionary(ValueDictionary(shape: shape, values: values)), raw: raw, line: start.line)
    }

    /// What the fields of a record are compared with.
    private func other(_ count: Int) -> String {
        guard let names = options.columns else { return "the header has \(count)" }
        return names.isEmpty ? "the first record has \(count)" : "--columns names \(count)"
    }

    // MARK: Records

    /// Finds the fields of the next record that is not blank. Returns its position and its bytes without the
    /// newline.
    /// - Parameter consumes: whether to move after the record.
    private mutating func record(
        consumes: Bool = true
    ) throws(FrameFault) -> (TextPosition, UnsafeBufferPointer<UInt8>)? {
        while true {
            guard let end = try scanRecord() else { return nil }
            let start = position
            var count = end
            if count > 0, input.bytes[count - 1] == 0x0D, let last = fields.indices.last {
                count -= 1
                fields[last].end = min(fields[last].end, count)
            }
            // `raw` includes the carriage return, so that the output has the line endings of the input.
            let raw = input.slice(0..<end)
            if count > 0, !consumes { return (start, raw) }
            input.consume(end < input.count ? end + 1 : end, &position)
            // A header has no nil.
            if !nilTexts.isEmpty, !columns.isEmpty, let base = raw.baseAddress {
                let isQuoted = columnTypes.contains { $0?.isQuoted == true }
                for index in fields.indices { fields[index].dropNil(base, nilTexts, inQuotes: isQuoted) }
            }
            if count > 0 { return (start, raw) }
        }
    }

    /// Fills `fields`. Returns the offset of the newline after the record, or the end of the input.
    private mutating func scanRecord() throws(FrameFault) -> Int? {
        fields.removeAll(keepingCapacity: true)
        fieldCount = 0
        var state = State.fieldStart
        var at = 0
        var isLast = false
        while true {
            let end = scan(&at, &state, isLast)
            if fieldCount > Self.columnLimit { throw tooManyFields() }
            if let end {
                if end > options.recordLimit { throw tooLong(state) }
                return end
            }
            if at > options.recordLimit { throw tooLong(state) }
            if isLast {
                if at == 0 { return nil }
                if state == .quoted { throw tooLong(state) }
                if state == .fieldStart { add(CSVFieldBytes(start: at, end: at)) }
                if state == .unquoted { fields[fields.count - 1].end = at }
                return at
            }
            isLast = try !input.fill(at: position)
        }
    }

    /// Adds a field. All fields without a column share one entry.
    private mutating func add(_ field: CSVFieldBytes) {
        fieldCount += 1
        if fieldCount == columns.count + 1 { firstSurplus = field.start }
        if fieldCount > max(1, columns.isEmpty ? Self.columnLimit : columns.count) + 1 { fields.removeLast() }
        fields.append(field)
    }

    /// Scans the buffered bytes. Returns the offset of the newline if the record ends in them.
    private mutating func scan(_ at: inout Int, _ state: inout State, _ isLast: Bool) -> Int? {
        let bytes = input.bytes
        let count = bytes.count
        let first = delimiter[0]
        guard let base = bytes.baseAddress else { return nil }
        var seen: UInt64 = 0
        while at < count {
            switch state {
            case .unquoted: ByteWord.pass(base, count, &at, &seen, to: first, or: UInt8(ascii: "\n"))
            case .quoted: ByteWord.pass(base, count, &at, &seen, to: UInt8(ascii: "\""), or: UInt8(ascii: "\""))
            case .fieldStart, .afterQuote: break
            }
            if at == count { return nil }
            let byte = bytes[at]
            switch state {
            case .fieldStart:
                let isQuoted = byte == UInt8(ascii: "\"")
                add(CSVFieldBytes(start: at, end: at, isQuoted: isQuoted))
                state = isQuoted ? .quoted : .unquoted
                if isQuoted {
                    openQuote = at
                    at += 1
                }
            case .quoted:
                at += 1
                if byte == UInt8(ascii: "\"") {
                    state = .afterQuote
                    fields[fields.count - 1].end = at
                }
            case .unquoted, .afterQuote:
                if byte == UInt8(ascii: "\n") {
                    if state == .unquoted { fields[fields.count - 1].end = at }
                    return at
                }
                if byte == first, delimiter.count == 1 || isDelimiter(bytes, at) {
                    if state == .unquoted { fields[fields.count - 1].end = at }
                    at += delimiter.count
                    state = .fieldStart
                } else if byte == first, !isLast, count - at < delimiter.count {
                    return nil
                } else {
                    if state == .afterQuote { scanAfterQuote(byte, &state) }
                    at += 1
                }
            }
        }
        return nil
    }

    /// Handles the byte after a quotation mark in a quoted field: a second mark, the end of the line, or an
    /// error.
    private mutating func scanAfterQuote(_ byte: UInt8, _ state: inout State) {
        if byte == UInt8(ascii: "\"") {
            fields[fields.count - 1].isEscaped = true
            state = .quoted
        } else if byte != 0x0D {
            fields[fields.count - 1].isBroken = true
            state = .unquoted
        }
    }

    private func isDelimiter(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
        guard at + delimiter.count <= bytes.count else { return false }
        for offset in delimiter.indices where bytes[at + offset] != delimiter[offset] { return false }
        return true
    }

    /// The record may be endless, so nothing after it is read.
    private func tooManyFields() -> FrameFault {
        let columns =
            columns.isEmpty
            ? "the header has more than \(Self.columnLimit) columns"
            : "the record has more than \(Self.columnLimit) fields, but \(other(columns.count))"
        return FrameFault(columns, endsAt: position.advanced(over: input.bytes.prefix(firstSurplus)))
    }

    private func tooLong(_ state: State) -> FrameFault {
        guard state == .quoted, input.isAtEnd else {
            return FrameFault(recordTooLong(options.recordLimit), endsAt: position)
        }
        return FrameFault(
            "the quoted field that begins here never ends",
            endsAt: position.advanced(over: input.bytes.prefix(openQuote)))
    }

    /// The number of bytes up to the last newline outside of quotation marks.
    func wholeRecords() -> Int {
        guard delimiter.count == 1 else { return 0 }
        let bytes = input.bytes
        var outside: [Range<Int>] = []
        var at = 0
        while true {
            var quote = input.offset(of: UInt8(ascii: "\""), from: at)
            while let found = quote, found > 0, bytes[found - 1] != UInt8(ascii: "\n"), bytes[found - 1] != delimiter[0]
            {
                quote = input.offset(of: UInt8(ascii: "\""), from: found + 1)
            }
            outside.append(at..<(quote ?? bytes.count))
            guard let quote, let end = endOfQuoted(quote) else { break }
            at = end
        }
        for range in outside.reversed() {
            if let newline = bytes[range].lastIndex(of: UInt8(ascii: "\n")) { return newline + 1 }
        }
        return 0
    }

    /// Returns the end of the quoted field at `start`, with the same result as `scan`; nil if the bytes end before the
    /// field does.
    private func endOfQuoted(_ start: Int) -> Int? {
        let bytes = input.bytes
        var from = start + 1
        while let quote = input.offset(of: UInt8(ascii: "\""), from: from) {
            var after = quote + 1
            while after < bytes.count, bytes[after] == 0x0D { after += 1 }
            guard after < bytes.count else { return nil }
            if bytes[after] != UInt8(ascii: "\"") { return after }
            from = after + 1
        }
        return nil
    }

    // MARK: Fields

    private func value(
        of field: CSVFieldBytes, column: Int, in raw: UnsafeBufferPointer<UInt8>, at start: TextPosition
    ) throws(FrameFault) -> PredicateValue {
        func fault(_ offset: Int, _ message: String, column: String? = nil) -> FrameFault {
            FrameFault(
                position: start.advanced(over: raw.prefix(offset)), message: message, endsInput: false, column: column)
        }
        if field.isBroken { throw fault(field.start, "text after the closing quotation mark") }
        let bytes = UnsafeBufferPointer(rebasing: raw[field.start..<field.end])
        // Using the type avoids copying the reader, which would cost reference counting.
        if let value = decided[column]?.value(field, bytes) { return value }
        do throws(FieldTypeProblem) {
            if let value = try readers[column].value(field, bytes) { return value }
        } catch {
            throw fault(field.start, error.message, column: error.column)
        }
        throw fault(field.start + validPrefixCount(bytes), DocumentProblem.notUTF8)
    }

    // MARK: Types

    /// Adds the fields of all further records to the types of their columns. Stops where the input cannot be read
    /// further.
    ///
    /// - Parameter types: nil for columns whose type is not wanted.
    mutating func addTypes(to types: inout [CSVColumnType?]) {
        // The types of the fields without their quotation marks, as long as all of them have some.
        var inner: [CSVColumnType]? = columns.map { _ in .empty }
        var isQuoted = false
        while let (_, raw) = try? record() {
            guard fieldCount == columns.count else { continue }
            for (index, field) in fields.enumerated() where !field.isBroken {
                let bytes = UnsafeBufferPointer(rebasing: raw[field.start..<field.end])
                types[index]?.add(field, bytes)
                if inner == nil { continue }
                if field.isQuoted { isQuoted = true } else if !bytes.isEmpty { inner = nil }
                let text = field.inner(bytes)
                if nilTexts.contains(where: { text.elementsEqual($0) }) { continue }
                inner?[index].add(CSVFieldBytes(end: text.count), text)
            }
        }
        if isQuoted, let inner { types = inner.map { $0.quoted } }
    }
}
