// Compiles the comparison of a field with a constant to a node over the objects that hold the field.

/// A comparison of a field with a constant. Results that are known at compile time are computed by the rules of
/// comparisons (PredicateModel), so that each rule is implemented only once.
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
        // A custom operator must not be called at compile time.
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
        if let byte = field.byte { return bytes(byte) }
        switch field.column?.storage {
        case .codes(let codes, let texts): return coded(codes, texts)
        // Decimals compare exactly with integers, including integers that are stored as doubles.
        case .doubles(_, integers: _?) where (listElements ?? [right]).contains(where: { $0.isDecimal }): return nil
        default: break
        }
        if right.isNil || hasOtherKind {
            guard let answer = try? comparison.test(field.sample, right) else { return nil }
            return nilTest(otherwise: answer)
        }
        return field.type?.node(self)
    }

    /// Whether this is `==` or `!=` with a constant whose type no value of the field can equal.
    private var hasOtherKind: Bool {
        guard comparison.operator == .equal || comparison.operator == .notEqual else { return false }
        return switch (field.kind, right) {
        case (.string, .string), (.date, .date), (.list, _), (.object, _): false
        case (.string, _), (.date, _): true
        default: !right.isNumber
        }
    }

    /// A node for a comparison that gives the same result for all values except nil.
    func nilTest(otherwise answer: Bool) -> BlockNode {
        guard field.isOptional, answer != ifNil else { return .constant(answer) }
        let isNil = nilTest()
        return ifNil ? isNil : .not(isNil)
    }

    private func nilTest() -> BlockNode {
        if let type = field.type { return type.nilTest(self) }
        // The layout of an optional list does not depend on its element type.
        if field.kind == .list { return nilTest([Int].self) }
        let (offset, type) = (field.offset, field.optional)
        return .test({ rows, live, _ in live.subtracting(type?.present(rows, offset, live) ?? live) }, cost: 1)
    }

    func nilTest<T>(_ type: T.Type) -> BlockNode {
        let offset = field.offset
        return .test(
            { rows, live, _ in rows.select(live) { $0.isNil(offset, T.self) } }, cost: 1,
            row: RowNode { object, _ in object.isNil(offset, T.self) })
    }
}
