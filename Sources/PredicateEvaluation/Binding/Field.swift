// Finds how to read a key path of a predicate directly from memory: a sequence of steps, then an offset and the type
// stored there. Uses only public means: the key paths in the key tables, MemoryLayout, and the loaders compiled with
// the tables (KeyLoader). ColumnFields.swift does the same for tables.
import PredicateModel
import PredicateSyntax

/// A value that plans read from memory.
struct Field: Sendable {
    /// The kinds of stored values that plans read, each with its own tests. Values of other types are read through
    /// the key table.
    enum Kind: Sendable {
        case bool, integer, double, date, string, list
        /// An optional published type, or a dictionary. Plans can only test whether it is nil.
        case object
        /// Always nil.
        case nothing
    }

    /// A step from objects to the objects that contain the field or the next step.
    enum Step: Sendable {
        /// From an optional at an offset to the wrapped value.
        case unwrap(offset: Int, type: any StoredOptional.Type)
        /// Through a key without a fixed offset.
        case load(offset: Int, loader: KeyLoader)
        /// The count of a list at an offset.
        case count(offset: Int, list: any StoredList.Type)
        /// From rows of a table to the values of a column.
        case column(Column)
        /// From rows of a table to the counts of its lists.
        case listCount(ListColumn)
    }

    private(set) var steps: [Step] = []
    /// The offset in bytes in the objects of the last step.
    private(set) var offset = 0
    let kind: Kind
    /// The type of the stored values; nil for lists, objects and nothing.
    private(set) var type: (any StoredType.Type)?
    private(set) var isOptional = false
    /// The type of the list, if it is a list.
    private(set) var list: (any StoredList.Type)?
    /// The type of the optional, if it is one.
    private(set) var optional: (any StoredOptional.Type)?
    /// The column that holds the values, if they belong to a table.
    private(set) var column: Column?

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
                return Field(steps: steps, Int.self)
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

    /// Creates a field for a value at the end of the steps.
    init(steps: [Step] = [], _ type: any StoredType.Type, isOptional: Bool = false, column: Column? = nil) {
        self.init(steps: steps, kind: type.kind, column: column)
        self.type = type
        self.isOptional = isOptional
    }

    init(steps: [Step], kind: Kind, column: Column?) {
        self.steps = steps
        self.kind = kind
        self.column = column
    }

    private init?(_ steps: [Step], _ offset: Int, _ whole: Any.Type) {
        self.steps = steps
        self.offset = offset
        optional = whole as? any StoredOptional.Type
        isOptional = optional != nil
        let value = optional?.wrapped ?? whole
        if let stored = value as? any StoredType.Type {
            if isOptional, stored.kind == .string, !UnsafeRawPointer.optionalTextIsText { return nil }
            (type, kind) = (stored, stored.kind)
        } else if let list = value as? any StoredList.Type, StorageLayout.hasKnownLists, list.isKnown {
            (self.list, kind) = (list, .list)
        } else if optional?.wrapped is any Queryable.Type {
            kind = .object
        } else {
            return nil
        }
    }

    /// An arbitrary value of the field's kind.
    var sample: PredicateValue {
        switch kind {
        case .bool, .object: .bool(false)
        case .integer: .integer(0)
        case .double: .double(0)
        case .date: .date(0)
        case .string: .string("")
        case .list: .array([])
        case .nothing: .null
        }
    }
}

extension Queryable {
    /// The field for a key path of the type; nil if plans cannot read it.
    static func field(_ keys: [String]) -> Field? {
        keys.count == 1
            ? Self.keys.field(keys[0]) { Field.find(keys[...], in: Self.self) } : Field.find(keys[...], in: Self.self)
    }

    /// How to read a key: at an offset in a struct, else with its loader.
    fileprivate static func entry(_ name: String) -> (offset: Int?, loader: KeyLoader?, type: Any.Type)? {
        guard name != "self", let key = keys[name] else { return nil }
        let isStruct = !(Keyed.self is AnyObject.Type)
        let offset = isStruct ? key.path.flatMap { MemoryLayout<Keyed>.offset(of: $0) } : nil
        return (offset, key.loader, key.valueType)
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
