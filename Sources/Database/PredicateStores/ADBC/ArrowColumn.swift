// Reads the values of Arrow columns in place.
import CArrow

/// A column of a batch. Valid only while the batch exists.
struct ArrowColumn {
    let name: String
    let type: ArrowType
    let length: Int
    /// The index of the first value in the buffers.
    private let offset: Int
    /// A bit for each value; nil if no value is nil.
    private let validity: UnsafePointer<UInt8>?
    /// The buffers after the validity buffer, or all buffers if the type has no validity.
    private let buffers: [UnsafeRawPointer?]
    private let children: [ArrowColumn]

    /// nil if the array does not fit the type.
    init?(_ field: ArrowField, _ array: ArrowArray, shift: Int = 0) {
        (name, type) = (field.name, field.type)
        offset = Int(clamping: array.offset) + shift
        length = Int(clamping: array.length) - shift
        var buffers = (0..<Int(clamping: max(0, array.n_buffers))).map { array.buffers?[$0] }
        validity =
            field.type.hasValidity && !buffers.isEmpty
            ? buffers.removeFirst()?.assumingMemoryBound(to: UInt8.self) : nil
        self.buffers = buffers
        guard buffers.count >= field.type.bufferCount, offset >= 0, length >= 0 else { return nil }
        var children: [ArrowColumn] = []
        if case .dictionary(_, let values) = field.type {
            guard let dictionary = array.dictionary, let column = ArrowColumn(values, dictionary.pointee) else {
                return nil
            }
            children = [column]
        } else {
            let fields = field.type.fields
            guard Int(array.n_children) == fields.count else { return nil }
            for (index, field) in fields.enumerated() {
                guard let child = array.children?[index], let column = ArrowColumn(field, child.pointee) else {
                    return nil
                }
                children.append(column)
            }
        }
        self.children = children
    }

    /// The value of a row; nil if this store cannot represent it.
    func value(at row: Int) -> PredicateValue? {
        let index = offset + row
        if let validity, validity[index >> 3] >> UInt8(truncatingIfNeeded: index & 7) & 1 == 0 { return .null }
        return switch type {
        case .null: .null
        case .boolean:
            load(index >> 3, UInt8.self).map { .bool($0 >> UInt8(truncatingIfNeeded: index & 7) & 1 == 1) }
        case .int64: load(index, Int64.self).map { .integer($0) }
        case .int8, .int16, .int32, .uint8, .uint16, .uint32: integer(index, type).map { .integer($0) }
        case .uint64:
            load(index, UInt64.self).map { number in
                Int64(exactly: number).map { .integer($0) }
                    ?? .decimal(DecimalNumber(coefficient: number, exponent: 0))
            }
        case .float16: load(index, UInt16.self).map { .double(Self.half($0)) }
        case .float32: load(index, Float.self).map { .double(Double($0)) }
        case .float64: load(index, Double.self).map { .double($0) }
        case .decimal(let bytes, let scale): decimal(index, bytes).flatMap { Self.decimal($0, scale) }
        case .text(let storage):
            // A text that is not UTF-8 keeps its bytes.
            bytes(index, storage).map { bytes in
                String(validUTF8: bytes).map { .string($0) } ?? .data([UInt8](bytes))
            }
        case .data(let storage): bytes(index, storage).map { .data([UInt8]($0)) }
        case .uuid: bytes(index, .fixed(16)).map { .uuid(UniversalID(bytes: $0)) }
        case .days32: load(index, Int32.self).map { .date(Double($0) * 86_400 - 978_307_200) }
        case .milliseconds64: load(index, Int64.self).map { .date(DateStorage.milliseconds.seconds(of: $0)) }
        case .timestamp(let ticks): load(index, Int64.self).map { .date(Self.seconds($0, ticks)) }
        case .time32(let ticks): load(index, Int32.self).map { .string(Self.time(Int64($0), ticks)) }
        case .time64(let ticks): load(index, Int64.self).map { .string(Self.time($0, ticks)) }
        case .duration(let ticks): load(index, Int64.self).map { .double(Double($0) / Double(ticks)) }
        case .months: load(index, Int32.self).map { .string("P\($0)M") }
        case .daysAndMilliseconds:
            pair(index * 2, Int32.self).map { .string("P\($0)DT\(Self.fraction(Int64($1), 1000))S") }
        case .monthsDaysNanoseconds: interval(index)
        case .list(let storage, _): range(index, storage).flatMap(list)
        case .listView64: view(index, Int64.self).flatMap(list)
        case .structure(let fields): structure(fields, index)
        case .union(let isSparse, let codes, _): union(index, isSparse, codes)
        case .dictionary(let indices, _): dictionary(index, indices)
        case .unknown: nil
        }
    }

    // MARK: Direct columns

    /// Pointers to the driver's values if they need no conversion to this kind. Valid only while the batch exists.
    func direct(_ kind: ColumnKind) -> DirectColumn {
        let elementType: DirectColumn.ElementType? =
            switch (type, kind) {
            case (.int64, .integer): .int64
            case (.int32, .integer): .int32
            case (.float64, .double): .double
            case (.float64, .date): .date
            case (.boolean, .boolean): .boolean
            case (.text(.offsets32), .string): .text
            default: nil
            }
        return DirectColumn(
            elementType: elementType, offset: offset, validity: validity, values: buffers.first ?? nil,
            bytes: buffers.count > 1 ? buffers[1] : nil)
    }

    // MARK: Numbers

    private func load<Value>(_ index: Int, _ type: Value.Type) -> Value? where Value: BitwiseCopyable {
        buffers[0]?.loadUnaligned(fromByteOffset: index * MemoryLayout<Value>.size, as: type)
    }

    /// The value at an index and the next one.
    private func pair<Value>(_ index: Int, _ type: Value.Type) -> (Value, Value)? where Value: BitwiseCopyable {
        guard let first = load(index, type), let second = load(index + 1, type) else { return nil }
        return (first, second)
    }

    private func integer(_ index: Int, _ type: ArrowType) -> Int64? {
        switch type {
        case .int8: load(index, Int8.self).map(Int64.init)
        case .int16: load(index, Int16.self).map(Int64.init)
        case .int32: load(index, Int32.self).map(Int64.init)
        case .int64: load(index, Int64.self)
        case .uint8: load(index, UInt8.self).map(Int64.init)
        case .uint16: load(index, UInt16.self).map(Int64.init)
        case .uint32: load(index, UInt32.self).map(Int64.init)
        case .uint64: load(index, UInt64.self).flatMap { Int64(exactly: $0) }
        default: nil
        }
    }

    /// nil if the number needs more than 127 bits.
    private func decimal(_ index: Int, _ bytes: Int) -> WideInteger? {
        switch bytes {
        case 4: return load(index, Int32.self).map { WideInteger($0) }
        case 8: return load(index, Int64.self).map { WideInteger($0) }
        case 16: return load(index, WideInteger.self)
        default:
            guard let (low, high) = pair(index * 2, WideInteger.self), high == (low < 0 ? -1 : 0) else { return nil }
            return low
        }
    }

    /// nil if the number has more than 38 digits.
    private static func decimal(_ coefficient: WideInteger, _ scale: Int) -> PredicateValue? {
        let number = DecimalNumber(coefficient: coefficient, exponent: -scale)
        return number.coefficient.magnitude < DecimalNumber.bound.magnitude ? .decimal(number) : nil
    }

    /// A number of 16 bits: a sign, 5 bits of exponent, 10 bits of fraction.
    private static func half(_ bits: UInt16) -> Double {
        let (exponent, fraction) = (Int(bits >> 10 & 0x1F), Double(bits & 0x3FF) / 1024)
        let size: Double =
            switch exponent {
            case 0: fraction * 0x1p-14
            case 31: fraction == 0 ? .infinity : .nan
            default: (1 + fraction) * Double(sign: .plus, exponent: exponent - 15, significand: 1)
            }
        return bits >> 15 == 0 ? size : -size
    }

    // MARK: Dates

    /// PostgreSQL and DuckDB represent infinity by the greatest integer.
    private static func seconds(_ ticks: Int64, _ perSecond: Int64) -> Double {
        if ticks == .max || ticks <= .min + 1 { return ticks > 0 ? .infinity : -.infinity }
        switch perSecond {
        case 1: return DateStorage.seconds.seconds(of: ticks)
        case 1000: return DateStorage.milliseconds.seconds(of: ticks)
        case 1_000_000: return DateStorage.microseconds.seconds(of: ticks)
        default:
            let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: perSecond)
            return Double(seconds - 978_307_200) + Double(rest) / Double(perSecond)
        }
    }

    /// Formats a time: `13:45:00.000001`.
    private static func time(_ ticks: Int64, _ perSecond: Int64) -> String {
        let (minutes, rest) = ticks.quotientAndRemainder(dividingBy: 60 * perSecond)
        func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(two(minutes / 60)):\(two(minutes % 60)):" + (rest < 10 * perSecond ? "0" : "")
            + fraction(rest, perSecond)
    }

    /// Formats ticks as seconds: `1.5`.
    private static func fraction(_ ticks: Int64, _ perSecond: Int64) -> String {
        let (seconds, rest) = ticks.magnitude.quotientAndRemainder(dividingBy: perSecond.magnitude)
        var digits = String(String(perSecond.magnitude + rest).dropFirst())
        while digits.last == "0" { digits.removeLast() }
        return (ticks < 0 ? "-" : "") + String(seconds) + (digits.isEmpty ? "" : "." + digits)
    }

    private func interval(_ index: Int) -> PredicateValue? {
        guard let start = buffers[0] else { return nil }
        let months = start.loadUnaligned(fromByteOffset: index * 16, as: Int32.self)
        let days = start.loadUnaligned(fromByteOffset: index * 16 + 4, as: Int32.self)
        let rest = start.loadUnaligned(fromByteOffset: index * 16 + 8, as: Int64.self)
        return .string("P\(months)M\(days)DT\(Self.fraction(rest, 1_000_000_000))S")
    }

    // MARK: Texts and lists

    /// The range of a text's bytes or a list's elements in the buffer.
    private func range(_ index: Int, _ storage: ArrowType.Storage) -> Range<Int>? {
        let places: (Int, Int)?
        switch storage {
        case .offsets32: places = pair(index, Int32.self).map { (Int($0), Int($1)) }
        case .offsets64: places = pair(index, Int64.self).map { (Int(clamping: $0), Int(clamping: $1)) }
        case .views: return view(index, Int32.self)
        case .fixed(let size): places = (index * size, (index + 1) * size)
        }
        guard let (start, end) = places, start >= 0, end >= start else { return nil }
        return start..<end
    }

    /// The range of a list's elements, whose start and size are stored in two buffers.
    private func view<Value>(
        _ index: Int, _ type: Value.Type
    ) -> Range<Int>? where Value: BitwiseCopyable & BinaryInteger {
        let place = index * MemoryLayout<Value>.size
        guard let start = load(index, type), let size = buffers[1]?.loadUnaligned(fromByteOffset: place, as: type),
            start >= 0, size >= 0
        else { return nil }
        return Int(clamping: start)..<Int(clamping: start) + Int(clamping: size)
    }

    private func bytes(_ index: Int, _ storage: ArrowType.Storage) -> UnsafeRawBufferPointer? {
        if case .views = storage { return view(index) }
        guard let range = range(index, storage) else { return nil }
        let isFixed = if case .fixed = storage { true } else { false }
        let start = isFixed ? buffers[0] : buffers[1]
        if range.isEmpty { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return start.map { UnsafeRawBufferPointer(start: $0 + range.lowerBound, count: range.count) }
    }

    /// The bytes of a string view. Up to 12 bytes are stored in the view itself; longer ones are in the buffer that it
    /// refers to.
    private func view(_ index: Int) -> UnsafeRawBufferPointer? {
        guard let view = buffers[0].map({ $0 + index * 16 }) else { return nil }
        let count = Int(view.loadUnaligned(as: Int32.self))
        if count <= 12 { return UnsafeRawBufferPointer(start: view + 4, count: max(0, count)) }
        let buffer = Int(view.loadUnaligned(fromByteOffset: 8, as: Int32.self)) + 1
        let place = Int(view.loadUnaligned(fromByteOffset: 12, as: Int32.self))
        guard buffers.indices.contains(buffer), place >= 0 else { return nil }
        return buffers[buffer].map { UnsafeRawBufferPointer(start: $0 + place, count: count) }
    }

    private func list(_ places: Range<Int>) -> PredicateValue? {
        guard places.upperBound <= children[0].length else { return nil }
        var elements: [PredicateValue] = []
        elements.reserveCapacity(places.count)
        for place in places {
            guard let element = children[0].value(at: place) else { return nil }
            elements.append(element)
        }
        return .array(elements)
    }

    private func structure(_ fields: [ArrowField], _ index: Int) -> PredicateValue? {
        var pairs: [(String, PredicateValue)] = []
        for (field, child) in zip(fields, children) {
            guard index < child.length, let value = child.value(at: index) else { return nil }
            pairs.append((field.name, value))
        }
        return .dictionary(ValueDictionary(pairs))
    }

    private func union(_ index: Int, _ isSparse: Bool, _ codes: [Int8]) -> PredicateValue? {
        guard let code = load(index, Int8.self), let child = codes.firstIndex(of: code), child < children.count else {
            return nil
        }
        var place = index
        if !isSparse {
            guard let offset = buffers[1]?.loadUnaligned(fromByteOffset: index * 4, as: Int32.self) else { return nil }
            place = Int(offset)
        }
        return (0..<children[child].length).contains(place) ? children[child].value(at: place) : nil
    }

    private func dictionary(_ index: Int, _ indices: ArrowType) -> PredicateValue? {
        guard let place = integer(index, indices).map(Int.init), (0..<children[0].length).contains(place) else {
            return nil
        }
        return children[0].value(at: place)
    }
}

/// A column whose values need no conversion.
struct DirectColumn {
    enum ElementType {
        case int64, int32, double, date, boolean, text
    }

    /// nil if `ArrowColumn` must read the column.
    let elementType: ElementType?
    let offset: Int
    let validity: UnsafePointer<UInt8>?
    /// The numbers, the bits, or the offsets of texts.
    let values: UnsafeRawPointer?
    /// The bytes of texts.
    let bytes: UnsafeRawPointer?

    /// nil if `ArrowColumn` must read the value.
    @inline(__always) func value(at row: Int) -> PredicateValue? {
        guard let elementType, let values else { return nil }
        let index = offset + row
        if let validity, validity[index >> 3] >> UInt8(truncatingIfNeeded: index & 7) & 1 == 0 { return .null }
        func load<Value: BitwiseCopyable>(_ index: Int, _ type: Value.Type) -> Value {
            values.loadUnaligned(fromByteOffset: index * MemoryLayout<Value>.size, as: type)
        }
        switch elementType {
        case .int64: return .integer(load(index, Int64.self))
        case .int32: return .integer(Int64(load(index, Int32.self)))
        case .double: return .double(load(index, Double.self))
        case .date: return .date(load(index, Double.self))
        case .boolean: return .bool(load(index >> 3, UInt8.self) >> UInt8(truncatingIfNeeded: index & 7) & 1 == 1)
        case .text:
            let (start, end) = (Int(load(index, Int32.self)), Int(load(index + 1, Int32.self)))
            if start == end { return .string("") }
            guard let bytes, start >= 0, start < end else { return nil }
            let text = UnsafeRawBufferPointer(start: bytes + start, count: end - start)
            return String(validUTF8: text).map { .string($0) }
        }
    }
}

extension ArrowType {
    fileprivate var hasValidity: Bool {
        switch self {
        case .null, .union: false
        default: true
        }
    }

    /// The number of data buffers, without the validity buffer.
    fileprivate var bufferCount: Int {
        switch self {
        case .null, .structure, .unknown, .list(.fixed, _): 0
        case .text(.offsets32), .text(.offsets64), .data(.offsets32), .data(.offsets64), .list(.views, _),
            .listView64, .union(false, _, _):
            2
        default: 1
        }
    }

    fileprivate var fields: [ArrowField] {
        switch self {
        case .list(_, let field), .listView64(let field): [field]
        case .structure(let fields), .union(_, _, let fields): fields
        default: []
        }
    }
}

extension UniversalID {
    fileprivate init(bytes: UnsafeRawBufferPointer) {
        func word(_ place: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
        self.init(high: word(0), low: word(8))
    }
}
