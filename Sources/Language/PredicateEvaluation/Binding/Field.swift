// Finds how to read a key path of a predicate directly from memory: a sequence of steps, then an offset and the type
// stored there. Uses only public means: the key paths in the key tables, MemoryLayout, and the loaders compiled with
// the tables (KeyLoader). ColumnFields.swift does the same for tables.

/// Where an object stores a value, and its kind. Sets of predicates (PredicateRules) read such values in place.
package struct StoredPlace: Sendable {
    package enum Kind: Sendable {
        /// An integer of 64 bits, a double, a text, or a list of texts.
        case integer, double, text, texts
    }

    package let kind: Kind
    package let offset: Int
}

/// A value that plans read from memory. A class, because a key table keeps its fields for all bindings.
final class Field: Sendable {
    /// The kinds of stored values that plans read, each with its own tests. Values of other types are read through
    /// the key table.
    enum Kind: Sendable {
        case bool, integer, double, date, string, list
        /// A published type, or a dictionary. Plans can only test whether it is nil.
        case object
        /// A value of one byte of any other type, such as an enum.
        case byte
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

    let steps: [Step]
    /// The offset in bytes in the objects of the last step.
    let offset: Int
    let kind: Kind
    /// The type of the stored values; nil for lists, objects, bytes and nothing.
    let type: (any StoredType.Type)?
    /// The type of the values of one byte, which includes the optional.
    let byte: (any QueryableValue.Type)?
    let isOptional: Bool
    /// The type of the list, if it is a list.
    let list: (any StoredList.Type)?
    /// The type of the optional, if it is one.
    let optional: (any StoredOptional.Type)?
    /// The column that holds the values, if they belong to a table.
    let column: Column?

    private init(
        _ steps: [Step], _ offset: Int, _ kind: Kind, _ type: (any StoredType.Type)?, isOptional: Bool,
        list: (any StoredList.Type)?, optional: (any StoredOptional.Type)?, column: Column?,
        byte: (any QueryableValue.Type)? = nil
    ) {
        self.steps = steps
        self.offset = offset
        self.kind = kind
        self.type = type
        self.isOptional = isOptional
        self.list = list
        self.optional = optional
        self.column = column
        self.byte = byte
    }

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
    convenience init(
        steps: [Step] = [], _ type: any StoredType.Type, isOptional: Bool = false, column: Column? = nil
    ) {
        self.init(steps, 0, type.kind, type, isOptional: isOptional, list: nil, optional: nil, column: column)
    }

    /// Creates a field for a column whose values have no stored type: a column of lists, of objects, or with only nil.
    convenience init(steps: [Step], kind: Kind, column: Column) {
        self.init(steps, 0, kind, nil, isOptional: false, list: nil, optional: nil, column: column)
    }

    private convenience init?(_ steps: [Step], _ offset: Int, _ whole: Any.Type) {
        let optional = whole as? any StoredOptional.Type
        let value = optional?.wrapped ?? whole
        let stored = value as? any StoredType.Type
        var list: (any StoredList.Type)?
        var byte: (any QueryableValue.Type)?
        let kind: Kind
        if let stored {
            if optional != nil, stored.kind == .string, !StorageLayout.optionalTextIsText { return nil }
            kind = stored.kind
        } else if let known = value as? any StoredList.Type, StorageLayout.hasKnownLists, known.isKnown {
            (list, kind) = (known, .list)
        } else if value is any Queryable.Type {
            kind = .object
        } else if let type = whole as? any QueryableValue.Type, Self.isByte(type) {
            (byte, kind) = (type, .byte)
        } else {
            return nil
        }
        self.init(
            steps, offset, kind, stored, isOptional: optional != nil, list: list, optional: optional, column: nil,
            byte: byte)
    }

    private static func isByte<Value>(_ type: Value.Type) -> Bool { MemoryLayout<Value>.size == 1 }

    /// Where the value is stored in an object, if other modules can read it there.
    var place: StoredPlace? {
        guard steps.isEmpty, !isOptional, column == nil else { return nil }
        if let list {
            return list.element == String.self ? StoredPlace(kind: .texts, offset: offset) : nil
        }
        if type == String.self { return StoredPlace(kind: .text, offset: offset) }
        if type == Double.self { return StoredPlace(kind: .double, offset: offset) }
        let isInteger = type == Int64.self || type == Int.self && MemoryLayout<Int>.size == 8
        return isInteger ? StoredPlace(kind: .integer, offset: offset) : nil
    }

    /// An arbitrary value of the field's kind.
    var sample: PredicateValue {
        switch kind {
        case .bool, .object, .byte: .bool(false)
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
