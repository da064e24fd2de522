// Returns the records of a property list. A property list cannot be read in pieces, so the whole document is held in
// memory, up to a limit.

struct PropertyListFramer: RecordFramer {
    private var records: ArraySlice<PredicateValue>
    /// The maximum size of a record; nil for an archive that is one record.
    private let recordLimit: Int?
    var position = TextPosition()

    /// Reads the whole document. If the options are verbatim, a keyed archive is one unchanged record (ArchivedObjects).
    init(_ input: InputBuffer, _ options: ReaderOptions) throws(FrameFault) {
        try input.fillWhole(limit: options.documentLimit, "the property list", at: position)
        let bytes = input.bytes
        do throws(DocumentProblem) {
            let list =
                bytes.starts(with: BinaryPropertyList.magic)
                ? try BinaryPropertyList.parse(bytes, skipsDamage: options.isVerbatim)
                : try XMLPropertyList.parse(bytes)
            let isArchive = KeyedArchive.isArchive(list)
            self.recordLimit = isArchive && options.isVerbatim ? nil : options.recordLimit
            let root = isArchive && !options.isVerbatim ? try KeyedArchive.root(list) : list
            switch options.place.isEmpty ? root : try root.descended(to: options.place, keyField: options.keyField) {
            case .array(let elements), .set(let elements): records = elements[...]
            case let record: records = [record]
            }
        } catch {
            position.advance(over: bytes.prefix(error.offset))
            throw FrameFault(error.message, endsAt: position)
        }
        input.consume(bytes.count)
    }

    mutating func next() throws(FrameFault) -> RecordFrame? {
        guard let value = records.popFirst() else { return nil }
        if let recordLimit {
            var left = recordLimit
            value.takeSize(from: &left)
            if left < 0 {
                throw FrameFault(position: position, message: recordTooLong(recordLimit), endsInput: false)
            }
        }
        return RecordFrame(value: value, raw: UnsafeBufferPointer(start: nil, count: 0), line: 0)
    }
}
