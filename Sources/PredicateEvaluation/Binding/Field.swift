// Finds how to read a key path of a predicate directly from memory: a sequence of steps, then an offset and the
// type stored there. Uses only public means: the key paths in the key tables, MemoryLayout, and the loaders
// compiled with the tables (KeyLoader).
import PredicateModel
import PredicateSyntax

/// A value that plans read from memory.
struct Field: Sendable {
    /// The layouts in memory that block plans read: `AttributeType` is the same for `Int8` and `Int64`. Values of other
    /// layouts are read through the key table.
    enum Kind: Sendable {
        case bool, double, float, date, string, list
        /// An optional published type. Plans can only test whether it is nil.
        case object
        case int, int8, int16, int32, int64
        case uint, uint8, uint16, uint32, uint64
    }

    /// A step from objects to the objects that contain the field or the next step.
    enum Step: Sendable {
        /// From an optional at an offset to the wrapped value.
        case unwrap(offset: Int, type: any StoredOptional.Type)
        /// Through a key without a fixed offset.
        case load(offset: Int, loader: KeyLoader)
        /// The count of a list at an offset.
        case count(offset: Int, list: any StoredList.Type)
    }

    private(set) var steps: [Step] = []
    /// The offset in bytes in the objects of the last step.
    private(set) var offset = 0
    let kind: Kind
    let isOptional: Bool
    /// For a list, its type.
    private(set) var list: (any StoredList.Type)?
    /// For an optional, its type.
    private(set) var optional: (any StoredOptional.Type)?

    /// The field for a key path of a type; nil if plans cannot read it.
    static func find(_ keys: ArraySlice<String>, in root: Any.Type) -> Field? {
        var steps: [Step] = []
        var offset = 0
        var type = root
        for (index, key) in keys.enumerated() {
            if let optional = type as? any StoredOptional.Type {
                steps.append(.unwrap(offset: offset, type: optional))
                offset = 0
                type = optional.wrapped
            }
            if CollectionOperator.isCount(key), index == keys.count - 1, let list = type as? any StoredList.Type {
                steps.append(.count(offset: offset, list: list))
                return Field(steps: steps, kind: .int, isOptional: false)
            }
            guard let queryable = type as? any Queryable.Type, let entry = queryable.entry(key) else { return nil }
            if let distance = entry.offset {
                offset += distance
            } else if let loader = entry.loader, loader.alignment <= 16 {
                steps.append(.load(offset: offset, loader: loader))
                offset = 0
            } else {
                return nil
            }
            type = entry.type
        }
        return Field(steps, offset, type)
    }

    /// A computed number that is the object itself.
    init(computed kind: Kind, isOptional: Bool = false) { self.init(steps: [], kind: kind, isOptional: isOptional) }

    private init(steps: [Step], kind: Kind, isOptional: Bool) {
        self.steps = steps
        self.kind = kind
        self.isOptional = isOptional
    }

    private init?(_ steps: [Step], _ offset: Int, _ type: Any.Type) {
        self.steps = steps
        self.offset = offset
        optional = type as? any StoredOptional.Type
        isOptional = optional != nil
        if let list = (optional?.wrapped ?? type) as? any StoredList.Type, StorageLayout.knowsLists, list.isKnown {
            kind = .list
            self.list = list
            return
        }
        if optional?.wrapped is any Queryable.Type {
            kind = .object
            return
        }
        guard let known = Self.kinds[ObjectIdentifier(type)] else { return nil }
        kind = known
    }

    private static let kinds: [ObjectIdentifier: Kind] = {
        var kinds: [ObjectIdentifier: Kind] = [:]
        func add<T>(_ kind: Kind, _ type: T.Type) {
            kinds[ObjectIdentifier(T.self)] = kind
            kinds[ObjectIdentifier(T?.self)] = kind
        }
        add(.bool, Bool.self)
        add(.double, Double.self)
        add(.float, Float.self)
        add(.date, FoundationFields.date)
        add(.string, String.self)
        if !UnsafeRawPointer.optionalTextIsText { kinds[ObjectIdentifier(String?.self)] = nil }
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

    /// Any value of the field's kind.
    var sample: PredicateValue {
        switch kind {
        case .bool, .object: .bool(false)
        case .double, .float: .double(0)
        case .date: .date(0)
        case .string: .string("")
        case .list: .array([])
        case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64: .integer(0)
        }
    }
}

extension Queryable {
    /// How to read a key: at an offset in a struct, else with its loader.
    fileprivate static func entry(_ name: String) -> (offset: Int?, loader: KeyLoader?, type: Any.Type)? {
        guard name != "self", let key = keys[name] else { return nil }
        let path = key.path as AnyKeyPath
        let isStruct = !(Keyed.self is AnyObject.Type)
        let offset = isStruct ? (path as? PartialKeyPath<Keyed>).flatMap { MemoryLayout<Keyed>.offset(of: $0) } : nil
        return (offset, key.loader, Swift.type(of: path).valueType)
    }
}

/// An optional of any type.
protocol StoredOptional: SendableMetatype {
    static var wrapped: Any.Type { get }
    /// The live rows whose value is not nil. The wrapped value is at the same address as the optional.
    static func present(_ rows: Rows, _ offset: Int, _ live: RowMask) -> RowMask
    /// Whether the optional at an address is nil.
    static func isNil(_ address: UnsafeRawPointer) -> Bool
}

extension Optional: StoredOptional {
    static var wrapped: Any.Type { Wrapped.self }
    static func present(_ rows: Rows, _ offset: Int, _ live: RowMask) -> RowMask {
        rows.selectSparsely(live) { !$0.isNil(offset, Wrapped.self) }
    }
    static func isNil(_ address: UnsafeRawPointer) -> Bool { address.isNil(0, Wrapped.self) }
}

/// An array of any type.
protocol StoredList: SendableMetatype {
    static var element: Any.Type { get }
    static var stride: Int { get }
    /// Whether `StorageLayout` has verified its memory layout.
    static var isKnown: Bool { get }
}

extension Array: StoredList {
    static var element: Any.Type { Element.self }
    static var stride: Int { MemoryLayout<Element>.stride }
    static var isKnown: Bool {
        #if canImport(ObjectiveC)
            // An array of objects may be an Objective-C array.
            if Element.self is AnyObject.Type { return false }
        #endif
        return MemoryLayout<Element>.alignment <= 16 && MemoryLayout<Element>.stride <= 1024
    }
}
