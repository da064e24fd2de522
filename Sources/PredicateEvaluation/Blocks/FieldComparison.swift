// Compiles the comparison of a field with a constant to a node over the objects that hold the field.
import PredicateModel
import PredicateSyntax

/// A comparison of a field with a constant. Answers that the scalar rules can give at compile time are taken
/// from them, so that no rule exists twice.
struct FieldComparison {
    let field: Field
    let prepared: PreparedComparison
    /// For texts: the case conversion before the comparison.
    var mapping: TextMapping?
    /// The result of the comparison for nil.
    let ifNil: Bool
    var comparison: Comparison { prepared.comparison }
    var right: PredicateValue { prepared.right }

    init?(_ field: Field, _ prepared: PreparedComparison, _ mapping: TextMapping? = nil) {
        // A host operator is never called at compile time.
        if case .custom = prepared.comparison.operator { return nil }
        guard let ifNil = try? prepared.comparison.test(.null, prepared.right) else { return nil }
        self.field = field
        self.prepared = prepared
        self.mapping = mapping
        self.ifNil = ifNil
    }

    /// nil if blocks cannot evaluate the comparison, or if it throws.
    func node() -> BlockNode? {
        if field.kind == .nothing { return .constant(ifNil) }
        switch field.column?.storage {
        case .codes(let codes, let texts): return coded(codes, texts)
        // Decimals compare exactly with integers, also with those that are stored as doubles.
        case .doubles(_, integers: _?) where (listElements ?? [right]).contains(where: \.isDecimal): return nil
        default: break
        }
        if right.isNil || hasOtherKind {
            guard let answer = try? comparison.test(field.sample, right) else { return nil }
            return nilTest(otherwise: answer)
        }
        return switch field.kind {
        case .bool: booleans()
        case .double: measures(Double.self)
        case .float: measures(Float.self)
        case .date: dates()
        case .string: texts()
        case .list, .object, .nothing: nil
        case .int: integers(Int.self)
        case .int8: integers(Int8.self)
        case .int16: integers(Int16.self)
        case .int32: integers(Int32.self)
        case .int64: integers(Int64.self)
        case .uint: integers(UInt.self)
        case .uint8: integers(UInt8.self)
        case .uint16: integers(UInt16.self)
        case .uint32: integers(UInt32.self)
        case .uint64: integers(UInt64.self)
        }
    }

    /// Whether this is `==` or `!=` with a constant of a kind that no value of the field can equal.
    private var hasOtherKind: Bool {
        guard comparison.operator == .equal || comparison.operator == .notEqual else { return false }
        return switch (field.kind, right) {
        case (.string, .string), (.date, .date), (.list, _), (.object, _): false
        case (.string, _), (.date, _): true
        default: !right.isNumber
        }
    }

    /// The node for a comparison with the same answer for all values except nil.
    func nilTest(otherwise answer: Bool) -> BlockNode {
        guard field.isOptional, answer != ifNil else { return .constant(answer) }
        let isNil = nilTest()
        return ifNil ? isNil : .not(isNil)
    }

    private func nilTest() -> BlockNode {
        switch field.kind {
        case .bool: nilTest(Bool.self)
        case .double: nilTest(Double.self)
        case .float: nilTest(Float.self)
        case .date: nilTest(FoundationFields.date)
        case .string: nilTest(String.self)
        // The layout of an optional list does not depend on its element type.
        case .list: nilTest([Int].self)
        case .object, .nothing: objectNilTest()
        case .int: nilTest(Int.self)
        case .int8: nilTest(Int8.self)
        case .int16: nilTest(Int16.self)
        case .int32: nilTest(Int32.self)
        case .int64: nilTest(Int64.self)
        case .uint: nilTest(UInt.self)
        case .uint8: nilTest(UInt8.self)
        case .uint16: nilTest(UInt16.self)
        case .uint32: nilTest(UInt32.self)
        case .uint64: nilTest(UInt64.self)
        }
    }

    private func objectNilTest() -> BlockNode {
        let (offset, type) = (field.offset, field.optional)
        return .test({ rows, live, _ in live.subtracting(type?.present(rows, offset, live) ?? live) }, cost: 1)
    }

    private func nilTest<T>(_ type: T.Type) -> BlockNode {
        let offset = field.offset
        return .test(
            { rows, live, _ in rows.select(live) { $0.isNil(offset, T.self) } }, cost: 1,
            row: RowNode { object, _ in object.isNil(offset, T.self) })
    }
}
