// The types whose stored values plans can read from memory, and how each is tested.

/// A type of stored values. Values of other types are read through the key table.
protocol StoredType: QueryableValue, SendableMetatype {
    static var kind: Field.Kind { get }
    /// The node for a comparison; nil if blocks cannot evaluate it, or if it throws.
    static func node(_ comparison: FieldComparison) -> BlockNode?
    /// The node for a comparison that is true for nil only.
    static func nilTest(_ comparison: FieldComparison) -> BlockNode
    /// The node that reads a field's numbers (NumberSources.swift); nil if the language represents the type
    /// differently.
    static func numbers(_ field: Field) -> BlockNode?
    /// Whether the numbers can be used directly where they are stored.
    static var isLane: Bool { get }
    /// Reads the value at an offset, or an optional of it.
    static func reader(at offset: Int, isOptional: Bool) -> @Sendable (UnsafeRawPointer) -> PredicateValue
}

extension StoredType {
    static func nilTest(_ comparison: FieldComparison) -> BlockNode { comparison.nilTest(Self.self) }
    static func numbers(_ field: Field) -> BlockNode? { nil }
    static var isLane: Bool { false }

    static func reader(at offset: Int, isOptional: Bool) -> @Sendable (UnsafeRawPointer) -> PredicateValue {
        if isOptional { return { $0.read(offset, as: Self?.self)?.queryValue ?? .null } }
        return { $0.read(offset, as: Self.self).queryValue }
    }
}

extension StoredType where Self: FixedWidthInteger & Sendable, Magnitude: Sendable {
    static var kind: Field.Kind { .integer }
    static func node(_ comparison: FieldComparison) -> BlockNode? { comparison.integers(Self.self) }
    /// nil for integers that the language treats as decimals.
    static func numbers(_ field: Field) -> BlockNode? { isWide ? nil : IntegerSource<Self>.node(field) }
    static var isLane: Bool { isSigned && bitWidth == 64 }
}
#if _pointerBitWidth(_64)
    // Int and UInt are tested as Int64 and UInt64, so that their loops are compiled once.
    extension Int: StoredType {
        static func node(_ comparison: FieldComparison) -> BlockNode? { Int64.node(comparison) }
        static func nilTest(_ comparison: FieldComparison) -> BlockNode { Int64.nilTest(comparison) }
        static func numbers(_ field: Field) -> BlockNode? { Int64.numbers(field) }
    }
    extension UInt: StoredType {
        static func node(_ comparison: FieldComparison) -> BlockNode? { UInt64.node(comparison) }
        static func nilTest(_ comparison: FieldComparison) -> BlockNode { UInt64.nilTest(comparison) }
        static func numbers(_ field: Field) -> BlockNode? { UInt64.numbers(field) }
    }
#else
    extension Int: StoredType {}
    extension UInt: StoredType {}
#endif
extension Int8: StoredType {}
extension Int16: StoredType {}
extension Int32: StoredType {}
extension Int64: StoredType {}
extension UInt8: StoredType {}
extension UInt16: StoredType {}
extension UInt32: StoredType {}
extension UInt64: StoredType {}

extension StoredType where Self: Measure {
    static var kind: Field.Kind { .double }
    static func node(_ comparison: FieldComparison) -> BlockNode? { comparison.measures(Self.self) }
    static func numbers(_ field: Field) -> BlockNode? { MeasureSource<Self>.node(field) }
}
extension Double: StoredType {
    static var isLane: Bool { true }
}
extension Float: StoredType {}

extension Bool: StoredType {
    static var kind: Field.Kind { .bool }
    static func node(_ comparison: FieldComparison) -> BlockNode? { comparison.booleans() }
    static func numbers(_ field: Field) -> BlockNode? { BooleanSource.node(field) }
}

extension String: StoredType {
    static var kind: Field.Kind { .string }
    static func node(_ comparison: FieldComparison) -> BlockNode? { comparison.texts() }
}
