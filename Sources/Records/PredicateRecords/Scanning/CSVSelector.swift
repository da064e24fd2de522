// Reads some fields of valid CSV rows and skips the others. CSVFramer reads all other rows: those with text after a
// closing quotation mark, with too many fields, with bytes that are not UTF-8, or that continue after the given bytes.

struct CSVSelector {
    enum Row {
        case blank
        /// The selected fields. nil for names that are not in the header.
        /// The number is that of the texts of the key fields, if they have one.
        case fields(PredicateValue, number: Int?)
    }

    private let delimiter: UInt8
    /// For each column the index of its reader; negative for a skipped column.
    private let slots: [Int]
    /// A reader for each selected name, nil if the header lacks it. Then readers of the other columns that have a type.
    private let readers: [CSVField?]
    /// The inferred types of the readers' columns; nil if the user gave a type, and if none was inferred. They are
    /// stored separately, because copying a reader costs reference counting.
    private let decided: [CSVColumnType?]
    /// The selected fields of the last row.
    private var record: ValueDictionary
    private var keys: KeyTexts
    private var found: [CSVFieldBytes]
    private let nilTexts: [[UInt8]]
    /// Whether every field of the file has quotation marks.
    private let isQuoted: Bool

    /// - Parameters:
    ///   - delimiter: one ASCII byte.
    ///   - nilTexts: texts that are nil if they are not quoted.
    ///   - columnTypes: the inferred types of the columns.
    ///   - fields: the columns to read. Columns with a type are read too, to check that their fields fit the type.
    ///   - keyFields: some of them, whose texts are numbered.
    init(
        columns: [String], delimiter: UInt8, types: FieldTypes, columnTypes: [CSVColumnType?], nilTexts: [String],
        fields: [String], keyFields: [String]
    ) {
        self.delimiter = delimiter
        self.nilTexts = nilTexts.map { Array($0.utf8) }
        isQuoted = columnTypes.contains { $0?.isQuoted == true }
        var slots = Array(repeating: -1, count: columns.count)
        var readers: [CSVField?] = Array(repeating: nil, count: fields.count)
        for (column, name) in columns.enumerated() {
            let decided = columnTypes.isEmpty ? nil : columnTypes[column]
            let reader = CSVField(column: name, type: types.type(named: name), columnType: decided)
            if let slot = fields.firstIndex(of: name) {
                slots[column] = slot
                readers[slot] = reader
            } else if reader.type != nil || decided?.isText == false {
                slots[column] = readers.count
                readers.append(reader)
            }
        }
        self.slots = slots
        self.readers = readers
        decided = readers.map { $0?.decided }
        record = ValueDictionary(shape: ValueDictionary.Shape(fields), values: [])
        keys = KeyTexts(fields, keyFields: keyFields.filter(columns.contains))
        found = Array(repeating: CSVFieldBytes(), count: readers.count)
    }

    /// Reads the row at `at` and moves `at` after its newline. Returns nil if CSVFramer must read it.
    mutating func row(_ bytes: UnsafeBufferPointer<UInt8>, at: inout Int) -> Row? {
        guard let base = bytes.baseAddress, let end = scan(base, bytes.count, at) else { return nil }
        guard end >= 0 else {
            at = -end
            return .blank
        }
        if !nilTexts.isEmpty { for index in found.indices { found[index].dropNil(base, nilTexts, inQuotes: isQuoted) } }
        let selected = record.count
        var number: Int?
        if keys.isUseful {
            for (slot, index) in keys.indices.enumerated() where index >= 0 {
                keys.places[index] = found[slot].start..<found[slot].end
            }
            number = keys.number(in: bytes)
            if let number { keys.take(number, &record) }
        }
        let isKnown = number != nil
        for slot in 0..<selected {
            if isKnown, keys.indices[slot] >= 0 { continue }
            let field = found[slot]
            let text = UnsafeBufferPointer(start: base + field.start, count: field.end - field.start)
            if let value = decided[slot]?.value(field, text) {
                record.replaceValue(at: slot, with: value)
                continue
            }
            // Missing columns are nil already.
            guard let reader = readers[slot] else { continue }
            guard let value = try? reader.value(field, text) else { return nil }
            record.replaceValue(at: slot, with: value)
        }
        guard selected == readers.count || othersFit(base, bytes.count) else { return nil }
        at = end
        if !isKnown, keys.isUseful { number = keys.add(record, in: bytes) }
        return .fields(.dictionary(record), number: number)
    }

    /// Whether the fields of the other typed columns fit their types.
    private func othersFit(_ base: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        decided.withUnsafeBufferPointer { types in
            found.withUnsafeBufferPointer { found in
                for index in record.count..<types.count {
                    let field = found[index]
                    let text = UnsafeBufferPointer(start: base + field.start, count: field.end - field.start)
                    if let type = types[index] {
                        if !field.isQuoted, type.surelyHas(base, count, field) { continue }
                        if type.value(field, text) != nil { continue }
                    }
                    // Copying a reader costs reference counting.
                    guard let reader = readers[index], (try? reader.value(field, text)) != nil else { return false }
                }
                return true
            }
        }
    }

    /// Finds the fields of the row. Returns the offset after the newline, negated for a blank row; nil if
    /// CSVFramer must read it.
    private mutating func scan(_ base: UnsafePointer<UInt8>, _ count: Int, _ start: Int) -> Int? {
        found.withUnsafeMutableBufferPointer { found in
            slots.withUnsafeBufferPointer { slots in
                Self.scan(base, count, start, delimiter, slots, found)
            }
        }
    }

    @inline(__always) private static func scan(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ start: Int, _ delimiter: UInt8, _ slots: UnsafeBufferPointer<Int>,
        _ found: UnsafeMutableBufferPointer<CSVFieldBytes>
    ) -> Int? {
        var at = start
        var column = 0
        while true {
            let first = at
            var field = CSVFieldBytes(start: first, end: first)
            var seen: UInt64 = 0
            if at < count, base[at] == UInt8(ascii: "\"") {
                guard let isEscaped = passQuoted(base, count, &at, &seen) else { return nil }
                field = CSVFieldBytes(start: first, end: at, isQuoted: true, isEscaped: isEscaped)
                if at + 1 < count, base[at] == 0x0D, base[at + 1] == 0x0A { at += 1 }
            } else {
                ByteWord.pass(base, count, &at, &seen, to: delimiter, or: 0x0A)
                field.end = at
            }
            guard at < count else { return nil }
            let isLast = base[at] == 0x0A
            guard isLast || base[at] == delimiter else { return nil }
            // Delimiters are ASCII, so each field is UTF-8 if the row is.
            if seen & ByteWord.highs != 0, !isValidUTF8(base, first..<at) { return nil }
            if isLast, !field.isQuoted, at > start, base[at - 1] == 0x0D { field.end = max(first, at - 1) }
            if isLast, column == 0, !field.isQuoted, field.end == start { return -(at + 1) }
            guard column < slots.count else { return nil }
            if slots[column] >= 0 { found[slots[column]] = field }
            column += 1
            at += 1
            if isLast { break }
        }
        return column == slots.count ? at : nil
    }

    /// Moves after the closing quotation mark. Returns whether the field has doubled quotation marks; nil if it
    /// does not end.
    @inline(__always) private static func passQuoted(
        _ base: UnsafePointer<UInt8>, _ count: Int, _ at: inout Int, _ seen: inout UInt64
    ) -> Bool? {
        var isEscaped = false
        at &+= 1
        while true {
            ByteWord.pass(base, count, &at, &seen, to: 0x22, or: 0x22)
            guard at < count else { return nil }
            at &+= 1
            guard at < count, base[at] == 0x22 else { return isEscaped }
            isEscaped = true
            at &+= 1
        }
    }
}
