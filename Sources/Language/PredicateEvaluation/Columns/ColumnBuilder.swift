// Builds one column. The first value determines its storage; if a later value does not fit, the column stores plain
// values.

/// Collects the values of one key.
struct ColumnBuilder {
    private enum Storage {
        case none, integers, doubles, booleans, dates, texts, lists, records, values
    }

    private let depth: Int
    private var storage = Storage.none
    private(set) var count = 0
    private var nils = Bits()
    private var hasNil = false

    private var integers: [Int64] = []
    private var doubles: [Double] = []
    private var wereIntegers: Bits?
    private var bits = Bits()
    private var texts = TextBuilder()
    private var offsets: [Int] = [0]
    /// At most one element. An array, because a struct cannot contain its own type.
    private var elements: [ColumnBuilder] = []
    private var records: [RecordBuilder] = []
    private var values: [PredicateValue] = []

    /// The maximum nesting of collections that are stored as columns; deeper ones are stored as plain values.
    private static let mostDepth = 8
    /// All integers below this limit can be represented as doubles.
    private static let exact: Int64 = 1 << 53

    init(depth: Int) { self.depth = depth }

    /// Adds nil for missing rows, up to `row`.
    mutating func pad(to row: Int) {
        while count < row { appendNil() }
    }

    mutating func append(_ value: PredicateValue) {
        if case .null = value { return appendNil() }
        if storage == .none { begin(value) }
        if !hold(value) {
            demote()
            values.append(value)
        }
        nils.append(false)
        count += 1
    }

    private mutating func appendNil() {
        switch storage {
        case .none: break
        case .integers: integers.append(integers.last ?? 0)
        case .doubles, .dates:
            doubles.append(0)
            wereIntegers?.append(false)
        case .booleans: bits.append(false)
        case .texts: texts.appendNil()
        case .lists: offsets.append(elements.first?.count ?? 0)
        case .records: records[0].appendNil()
        case .values: values.append(.null)
        }
        nils.append(true)
        hasNil = true
        count += 1
    }

    /// Chooses the storage for the first value. All rows before it are nil.
    private mutating func begin(_ value: PredicateValue) {
        switch value {
        case .integer(let first):
            storage = .integers
            integers = Array(repeating: first, count: count)
        case .double:
            storage = .doubles
            doubles = Array(repeating: 0, count: count)
        case .date:
            storage = .dates
            doubles = Array(repeating: 0, count: count)
        case .bool:
            storage = .booleans
            bits = Bits(repeating: false, count: count)
        case .string:
            storage = .texts
            for _ in 0..<count { texts.appendNil() }
        case .array where depth < Self.mostDepth:
            storage = .lists
            offsets = Array(repeating: 0, count: count + 1)
            elements = [ColumnBuilder(depth: depth + 1)]
        case .dictionary where depth < Self.mostDepth:
            storage = .records
            records = [RecordBuilder(depth: depth + 1)]
            for _ in 0..<count { records[0].appendNil() }
        default:
            storage = .values
            values = Array(repeating: .null, count: count)
        }
    }

    /// Adds the value if it fits the storage. Returns whether it did.
    private mutating func hold(_ value: PredicateValue) -> Bool {
        switch (storage, value) {
        case (.integers, .integer(let value)): integers.append(value)
        case (.integers, .double(let value)):
            guard becomeDoubles() else { return false }
            doubles.append(value)
            wereIntegers?.append(false)
        case (.doubles, .double(let value)):
            doubles.append(value)
            wereIntegers?.append(false)
        case (.doubles, .integer(let value)):
            guard value.magnitude < Self.exact.magnitude else { return false }
            if wereIntegers == nil { wereIntegers = Bits(repeating: false, count: doubles.count) }
            doubles.append(Double(value))
            wereIntegers?.append(true)
        case (.dates, .date(let value)): doubles.append(value)
        case (.booleans, .bool(let value)): bits.append(value)
        case (.texts, .string(let text)): texts.append(text)
        case (.lists, .array(let list)):
            for element in list { elements[0].append(element) }
            offsets.append(elements[0].count)
        case (.records, .dictionary(let dictionary)): return records[0].append(dictionary)
        case (.values, _): values.append(value)
        default: return false
        }
        return true
    }

    /// Converts integers to doubles when a double is added. Returns false if an integer is too large for this.
    private mutating func becomeDoubles() -> Bool {
        guard integers.allSatisfy({ $0.magnitude < Self.exact.magnitude }) else { return false }
        doubles = integers.map(Double.init)
        var marks = Bits()
        for row in 0..<count { marks.append(!nils[row]) }
        wereIntegers = marks
        integers = []
        storage = .doubles
        return true
    }

    /// Converts the column to plain values.
    private mutating func demote() {
        let column = make()
        values = (0..<count).map(column.value)
        storage = .values
        (integers, doubles, wereIntegers, bits) = ([], [], nil, Bits())
        (texts, offsets, elements, records) = (TextBuilder(), [], [], [])
    }

    /// Returns the column and empties the builder, so that at most one column exists in both forms at a time.
    mutating func finish() -> Column {
        defer { self = ColumnBuilder(depth: depth) }
        return make()
    }

    private mutating func make() -> Column {
        let nils = hasNil ? nils : nil
        switch storage {
        case .none: return Column(.none, nils: nil)
        case .integers: return Column(.integers(IntegerColumn(integers)), nils: nils)
        case .doubles: return Column(.doubles(PackedValues(doubles), integers: wereIntegers), nils: nils)
        case .dates: return Column(.dates(PackedValues(doubles)), nils: nils)
        case .booleans: return Column(.booleans(bits), nils: nils)
        case .texts:
            let storage = texts.finish()
            if case .codes = storage { return Column(storage, nils: nil, hasNil: hasNil) }
            return Column(storage, nils: nils)
        case .lists:
            return Column(.lists(ListColumn(offsets: offsets, elements: elements[0].finish())), nils: nils)
        case .records:
            return Column(.records(records[0].finish()), nils: nils)
        case .values: return Column(.values(values), nils: nils, valueKind: Self.kind(of: values))
        }
    }
}

extension ColumnBuilder {
    /// The type of all values except nil; `any` if there are several.
    private static func kind(of values: [PredicateValue]) -> ExpressionType.Kind {
        var common: ExpressionType.Kind?
        for value in values where !value.isNil {
            let kind = ExpressionType(of: value).kind
            if let common, common != kind { return .any }
            common = kind
        }
        return common ?? .any
    }
}

/// Collects texts: as codes while there are few distinct texts, otherwise one after another.
struct TextBuilder {
    private var codes: [UInt16] = []
    private var texts = TextColumn()
    private var isCoded = true
    /// A hash table with open addressing: codes, 0 for a free slot. Its size is a power of two, and at most half of the
    /// slots are used.
    private var slots = [UInt16](repeating: 0, count: 512)
    private var seen = 0

    /// Codes are always used up to this number of distinct texts. With more, they are used only if each text occurs
    /// several times.
    private static let fewTexts = 1024

    mutating func appendNil() {
        if isCoded { codes.append(0) } else { texts.append(UnsafeBufferPointer(start: nil, count: 0)) }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        guard isCoded else { return texts.append(text) }
        seen += 1
        let slot = slot(of: text)
        if slots[slot] > 0 { return codes.append(slots[slot]) }
        if texts.count >= Int(UInt16.max) - 1 || texts.count > Self.fewTexts && texts.count * 4 > seen {
            layOut()
            return texts.append(text)
        }
        texts.append(text)
        let code = UInt16(truncatingIfNeeded: texts.count)
        codes.append(code)
        slots[slot] = code
        if texts.count * 2 > slots.count { grow() }
    }

    /// The slot of a text, or the free slot for it.
    private func slot(of text: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(text))
        var slot = hasher.finalize() & (slots.count - 1)
        while slots[slot] > 0, !texts.withBytes(at: Int(slots[slot]) - 1, { $0.elementsEqual(text) }) {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow() {
        slots = [UInt16](repeating: 0, count: slots.count * 2)
        for index in 0..<texts.count {
            let slot = texts.withBytes(at: index) { self.slot(of: $0) }
            slots[slot] = UInt16(truncatingIfNeeded: index + 1)
        }
    }

    /// Stops using codes, because there are too many distinct texts, and stores each row's text separately.
    private mutating func layOut() {
        var all = TextColumn()
        for code in codes {
            if code == 0 {
                all.append(UnsafeBufferPointer(start: nil, count: 0))
            } else {
                texts.withBytes(at: Int(code) - 1) { (text: UnsafeBufferPointer<UInt8>) -> Void in all.append(text) }
            }
        }
        (texts, isCoded, codes, slots) = (all, false, [], [])
    }

    /// The column. If it has no codes, nil rows have an empty text.
    func finish() -> Column.Storage {
        guard isCoded else { return .texts(texts) }
        guard texts.count * 2 > codes.count else { return .codes(CodeColumn(codes, count: texts.count), texts) }
        var copy = self
        copy.layOut()
        return .texts(copy.texts)
    }
}
