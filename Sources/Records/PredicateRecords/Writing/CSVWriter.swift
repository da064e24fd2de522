// Writes CSV rows that are read back as the same values. Text that looks like a number, a Boolean or nil is quoted.

struct CSVWriter: Sendable {
    let columns: [String]
    let delimiter: [UInt8]
    /// Whether each record is a single field, because the records are not dictionaries.
    private let isSingle: Bool
    /// Whether a row with one empty field is quoted. Otherwise it would be a blank line, which readers skip.
    private let quotesEmptyRows: Bool
    private var lastShape: ValueDictionary.Shape?
    private var field: [UInt8] = []

    /// - Parameter columns: nil means that the records are single values, in a column `value`.
    init(columns: [String]?, delimiter: [UInt8], quotesEmptyRows: Bool = true) {
        self.quotesEmptyRows = quotesEmptyRows
        self.columns = columns ?? ["value"]
        self.delimiter = delimiter
        isSingle = columns == nil
    }

    /// The field separator: the one given by name, else that of the CSV input, else a comma.
    static func delimiter(_ name: String?, _ source: RecordInput?) -> [UInt8] {
        if let name { return Array(name.utf8) }
        return source.flatMap { $0.format == .csv ? $0.delimiter : nil } ?? [0x2C]
    }

    func writeHeader(to output: inout [UInt8]) {
        for (index, column) in columns.enumerated() {
            if index > 0 { output += delimiter }
            write(Array(column.utf8), quoted: false, to: &output)
        }
        output.append(0x0A)
    }

    mutating func write(_ record: PredicateValue, to output: inout [UInt8]) {
        guard case .dictionary(let dictionary) = record, !isSingle else {
            // A record that is not a dictionary, among others that are: write its text into the first column.
            if columns.count == 1, quotesEmptyRows, Self.isEmpty(record) { output += [0x22, 0x22] }
            write(field: record, to: &output)
            for _ in columns.dropFirst() { output += delimiter }
            output.append(0x0A)
            return
        }
        let fits = dictionary.keys == columns
        for (index, column) in columns.enumerated() {
            if index > 0 { output.append(contentsOf: delimiter) }
            let value = fits ? dictionary.values[index] : dictionary[column] ?? .null
            if columns.count == 1, quotesEmptyRows, Self.isEmpty(value) { output += [0x22, 0x22] }
            write(field: value, to: &output)
        }
        output.append(0x0A)
    }

    /// The first key of the record that has no column.
    mutating func unknownKey(_ record: PredicateValue) -> String? {
        guard case .dictionary(let dictionary) = record, lastShape !== dictionary.shape else { return nil }
        lastShape = dictionary.shape
        let known = Set(columns)
        return dictionary.keys.first { !known.contains($0) }
    }

    /// Whether the field is empty, which is nil. CSV has no NaN and no infinity; JSON writes them as null, too.
    private static func isEmpty(_ value: PredicateValue) -> Bool {
        switch value {
        case .double(let number), .date(let number): !number.isFinite
        case .float(let number): !number.isFinite
        default: value.isNil
        }
    }

    private mutating func write(field value: PredicateValue, to output: inout [UInt8]) {
        if Self.isEmpty(value) { return }
        switch value {
        case .string(var text): text.withUTF8 { write($0, quoted: isAmbiguous($0), to: &output) }
        case .url(let text), .type(let text): write(Array(text.utf8), quoted: false, to: &output)
        case .data, .uuid, .date:
            // JSON text without its quotation marks. Texts of these kinds need no escapes.
            field.removeAll(keepingCapacity: true)
            JSONWriter.write(value, to: &field)
            write(field.filter { $0 != 0x22 }, quoted: false, to: &output)
        default:
            field.removeAll(keepingCapacity: true)
            JSONWriter.write(value, to: &field)
            write(field, quoted: false, to: &output)
        }
    }

    private func isAmbiguous(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return true }
        return switch first {
        case UInt8(ascii: "t"): bytes.elementsEqual("true".utf8)
        case UInt8(ascii: "f"): bytes.elementsEqual("false".utf8)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): JSONNumber.exact(bytes) != nil
        default: false
        }
    }

    private func write(_ bytes: [UInt8], quoted: Bool, to output: inout [UInt8]) {
        bytes.withUnsafeBufferPointer { write($0, quoted: quoted, to: &output) }
    }

    private func write(_ bytes: UnsafeBufferPointer<UInt8>, quoted: Bool, to output: inout [UInt8]) {
        let needsQuotes = quoted || ByteWord.hasAny(of: 0x22, 0x0A, 0x0D, delimiter[0], in: bytes)
        if needsQuotes { output.append(0x22) }
        if needsQuotes, bytes.contains(0x22) {
            for byte in bytes {
                if byte == 0x22 { output.append(0x22) }
                output.append(byte)
            }
        } else {
            output.append(contentsOf: bytes)
        }
        if needsQuotes { output.append(0x22) }
    }
}
