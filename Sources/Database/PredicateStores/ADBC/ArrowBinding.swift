// Creates the Arrow batch of one row that binds the values of a statement.
import CArrow

/// A row of values as an Arrow batch. If a driver takes ownership, it releases the batch; otherwise this object does.
final class ArrowBinding {
    let schema = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
    let array = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)

    /// - Throws: `engine` for a value that cannot be bound.
    init(_ values: [PredicateValue], _ types: [SQLType], _ statement: String) throws(StoreFailure) {
        schema.initialize(to: ArrowSchema())
        array.initialize(to: ArrowArray())
        guard values.count == types.count else {
            throw .engine(
                code: 5, message: "there are \(values.count) values and \(types.count) types", statement: statement)
        }
        var parameters: [ArrowParameter] = []
        for (value, type) in zip(values, types) {
            guard let parameter = ArrowParameter(value, type) else {
                throw .engine(
                    code: 5, message: "\(value.typeDescription) cannot be bound as \(type.rawValue)",
                    statement: statement)
            }
            parameters.append(parameter)
        }
        let (schemas, arrays) = (ArrowMemory(), ArrowMemory())
        schema.pointee = schemas.schema(parameters)
        array.pointee = arrays.array(parameters)
    }

    deinit {
        schema.pointee.release?(schema)
        array.pointee.release?(array)
        schema.deallocate()
        array.deallocate()
    }
}

/// A value with its Arrow type.
private struct ArrowParameter {
    let format: String
    let isNull: Bool
    /// The bytes of the buffers after the validity buffer.
    let buffers: [[UInt8]]

    /// nil if the value does not fit the type.
    init?(_ value: PredicateValue, _ type: SQLType) {
        isNull = value.isNil
        switch (type, value) {
        case (_, .null), (_, .nsNull):
            format = Self.format(type)
            buffers =
                format == "u" || format == "z" ? [[UInt8](repeating: 0, count: 8), []] : [[0, 0, 0, 0, 0, 0, 0, 0]]
        case (_, .bool(let flag)): (format, buffers) = ("b", [[flag ? 1 : 0]])
        case (.double, .integer(let number)), (.date, .integer(let number)):
            (format, buffers) = ("g", [Self.bytes(Double(number).bitPattern)])
        case (.decimal, .integer(let number)): (format, buffers) = Self.decimal(DecimalNumber(number))
        case (_, .integer(let number)): (format, buffers) = ("l", [Self.bytes(number)])
        case (_, .float(let number)): (format, buffers) = ("g", [Self.bytes(Double(number).bitPattern)])
        case (_, .double(let number)), (_, .date(let number)):
            (format, buffers) = ("g", [Self.bytes(number.bitPattern)])
        case (_, .decimal(let number)): (format, buffers) = Self.decimal(number)
        case (_, .string(let text)), (_, .url(let text)): (format, buffers) = ("u", Self.text(text))
        case (_, .uuid(let id)): (format, buffers) = ("u", Self.text(id.description))
        case (_, .data(let bytes)): (format, buffers) = ("z", [Self.offsets(bytes.count), bytes])
        default: return nil
        }
    }

    private static func format(_ type: SQLType) -> String {
        switch type {
        case .boolean: "b"
        case .integer, .rowCount: "l"
        case .double, .date: "g"
        case .data: "z"
        // The engine converts a NULL text to any other type.
        case .decimal, .text, .timestamp, .timestampWithZone, .uuid, .url: "u"
        }
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
    }

    private static func offsets(_ count: Int) -> [UInt8] { bytes(Int32(0)) + bytes(Int32(clamping: count)) }

    private static func text(_ text: String) -> [[UInt8]] { [offsets(text.utf8.count), [UInt8](text.utf8)] }

    /// The decimal with as few digits as possible, because engines derive wider results from wider operands. A number
    /// with too many digits is sent as a text.
    private static func decimal(_ number: DecimalNumber) -> (String, [[UInt8]]) {
        var (coefficient, exponent) = (number.coefficient, number.exponent)
        while exponent > 0, case let (next, overflow) = coefficient.multipliedReportingOverflow(by: 10), !overflow,
            next.magnitude < DecimalNumber.bound.magnitude
        {
            (coefficient, exponent) = (next, exponent - 1)
        }
        guard (-38...0).contains(exponent) else { return ("u", text(number.description)) }
        let digits = max(coefficient.magnitude.description.utf8.count, -exponent)
        return ("d:\(digits),\(-exponent)", [bytes(coefficient.low) + bytes(coefficient.high)])
    }
}

/// The memory of a schema or an array. It is freed when Arrow's release callback runs.
private final class ArrowMemory {
    private var blocks: [UnsafeMutableRawPointer] = []

    deinit { for block in blocks { block.deallocate() } }

    /// Copies bytes, with the alignment that Arrow recommends.
    private func block(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
        let block = UnsafeMutableRawPointer.allocate(byteCount: max(64, bytes.count), alignment: 64)
        block.initializeMemory(as: UInt8.self, repeating: 0, count: max(64, bytes.count))
        block.copyMemory(from: bytes, byteCount: bytes.count)
        blocks.append(block)
        return block
    }

    private func text(_ text: String) -> UnsafePointer<CChar> {
        UnsafePointer(block([UInt8](text.utf8) + [0]).assumingMemoryBound(to: CChar.self))
    }

    /// An array of pointers to values.
    private func pointers<Value>(_ values: [Value]) -> UnsafeMutablePointer<UnsafeMutablePointer<Value>?> {
        let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Value>?>.allocate(capacity: max(1, values.count))
        blocks.append(UnsafeMutableRawPointer(pointers))
        for (index, value) in values.enumerated() {
            let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            pointer.initialize(to: value)
            blocks.append(UnsafeMutableRawPointer(pointer))
            pointers[index] = pointer
        }
        return pointers
    }

    /// The schema of a batch. It holds a reference to this object.
    func schema(_ parameters: [ArrowParameter]) -> ArrowSchema {
        let children = parameters.enumerated().map { index, parameter in
            let memory = ArrowMemory()
            var child = memory.schema(parameter.format, "p\(index + 1)")
            child.flags = 2  // may be null
            return child
        }
        var schema = schema("+s", "")
        schema.n_children = Int64(children.count)
        schema.children = pointers(children)
        return schema
    }

    private func schema(_ format: String, _ name: String) -> ArrowSchema {
        var schema = ArrowSchema()
        schema.format = text(format)
        schema.name = text(name)
        schema.private_data = Unmanaged.passRetained(self).toOpaque()
        schema.release = { ArrowMemory.release($0) { $0.pointee.release?($0) } }
        return schema
    }

    /// A batch of one row. It holds a reference to this object.
    func array(_ parameters: [ArrowParameter]) -> ArrowArray {
        let children = parameters.map { parameter in
            ArrowMemory().array([[parameter.isNull ? 0 : 1]] + parameter.buffers, nulls: parameter.isNull ? 1 : 0)
        }
        var array = array([nil], nulls: 0)
        array.n_children = Int64(children.count)
        array.children = pointers(children)
        return array
    }

    private func array(_ buffers: [[UInt8]?], nulls: Int64) -> ArrowArray {
        var array = ArrowArray()
        let pointers = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: buffers.count)
        blocks.append(UnsafeMutableRawPointer(pointers))
        for (index, buffer) in buffers.enumerated() {
            (pointers + index).initialize(to: buffer.map { UnsafeRawPointer(block($0)) })
        }
        array.length = 1
        array.null_count = nulls
        array.n_buffers = Int64(buffers.count)
        array.buffers = pointers
        array.private_data = Unmanaged.passRetained(self).toOpaque()
        array.release = { ArrowMemory.release($0) { $0.pointee.release?($0) } }
        return array
    }

    /// Releases the children and the memory of a schema or an array, and marks it as released.
    private static func release<Structure: ArrowStructure>(
        _ structure: UnsafeMutablePointer<Structure>?, child release: (UnsafeMutablePointer<Structure>) -> Void
    ) {
        guard let structure, let memory = structure.pointee.private_data else { return }
        for index in 0..<Int(structure.pointee.n_children) {
            if let child = structure.pointee.children[index] { release(child) }
        }
        structure.pointee.release = nil
        Unmanaged<ArrowMemory>.fromOpaque(memory).release()
    }
}

/// The common members of the C structures of schemas and arrays.
private protocol ArrowStructure {
    associatedtype Release
    var n_children: Int64 { get }
    var children: UnsafeMutablePointer<UnsafeMutablePointer<Self>?>! { get }
    var release: Release! { get set }
    var private_data: UnsafeMutableRawPointer! { get }
}
extension ArrowSchema: ArrowStructure {}
extension ArrowArray: ArrowStructure {}
