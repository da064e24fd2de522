// Where a key path of a predicate is stored in a published struct: a distance from the start of the object and the type
// there. Only public means: the key paths of the tables, and MemoryLayout.
import PredicateSyntax

/// A stored property that plans read from memory.
struct Field: Sendable {
    /// The types that block plans know; everything else is read through its table.
    enum Kind: Sendable {
        case bool, double, float, date, string, strings
        case int, int8, int16, int32, int64
        case uint, uint8, uint16, uint32, uint64
    }

    /// Bytes from the start of the object.
    let offset: Int
    let kind: Kind
    let isOptional: Bool

    /// The field at the end of a path; nil where some step is computed, observed, optional or of a class, or where the
    /// type is not among the kinds.
    static func find<Root: Queryable>(_ keys: ArraySlice<String>, in root: Root.Type) -> Field? {
        guard let name = keys.first, name != "self", !name.hasPrefix("@"), !(Root.self is AnyObject.Type),
            let path = Root.keys[name]?.path as AnyKeyPath? as? PartialKeyPath<Root>,
            let offset = MemoryLayout<Root>.offset(of: path)
        else { return nil }
        let type = Swift.type(of: path as AnyKeyPath).valueType
        if keys.count == 1 {
            guard let known = kinds[ObjectIdentifier(type)] else { return nil }
            return Field(offset: offset, kind: known.kind, isOptional: known.isOptional)
        }
        guard let nested = type as? any Queryable.Type, let inner = find(keys.dropFirst(), in: nested) else {
            return nil
        }
        return Field(offset: offset + inner.offset, kind: inner.kind, isOptional: inner.isOptional)
    }

    private static let kinds: [ObjectIdentifier: (kind: Kind, isOptional: Bool)] = {
        var kinds: [ObjectIdentifier: (kind: Kind, isOptional: Bool)] = [:]
        func add<T>(_ kind: Kind, _ type: T.Type) {
            kinds[ObjectIdentifier(T.self)] = (kind, false)
            kinds[ObjectIdentifier(T?.self)] = (kind, true)
        }
        add(.bool, Bool.self)
        add(.double, Double.self)
        add(.float, Float.self)
        add(.date, FoundationFields.date)
        add(.string, String.self)
        if !UnsafeRawPointer.optionalTextIsText { kinds[ObjectIdentifier(String?.self)] = nil }
        add(.strings, [String].self)
        add(.int, Int.self)
        add(.int8, Int8.self)
        add(.int16, Int16.self)
        add(.int32, Int32.self)
        add(.int64, Int64.self)
        add(.uint, UInt.self)
        add(.uint8, UInt8.self)
        add(.uint16, UInt16.self)
        add(.uint32, UInt32.self)
        add(.uint64, UInt64.self)
        return kinds
    }()

    /// A value of the kind, where any will do.
    var sample: Value {
        switch kind {
        case .bool: .bool(false)
        case .double, .float: .double(0)
        case .date: .date(0)
        case .string: .string("")
        case .strings: .array([])
        case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64: .integer(0)
        }
    }
}
