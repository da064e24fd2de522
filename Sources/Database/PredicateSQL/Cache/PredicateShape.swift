// The shape of a predicate: predicates with the same shape have the same SQL text. Their trees are equal except for
// numbered constants (Conditions/Constant.swift) whose values do not affect the text. Only the types of these constants
// are part of the shape, and the constants must pass the tests that the compilation has recorded.

struct PredicateShape: Sendable {
    let root: PredicateNode
    let entity: String
    let facts: ConstantFacts

    /// The source of a bound value; nil if the value is part of the shape.
    func source(of binding: SQLFragment.Binding) -> ValueSource? {
        binding.source.flatMap { $0.constant < facts.isFixed.count && facts.isFixed[$0.constant] ? nil : $0 }
    }

    /// The numbered constants of a predicate; nil if it has another shape.
    func constants(of predicate: PredicateNode, of entity: String) -> [PredicateValue]? {
        guard entity == self.entity else { return nil }
        var constants: [PredicateValue] = []
        constants.reserveCapacity(facts.isFixed.count)
        guard matches(root, predicate, &constants), facts.guards.allSatisfy({ $0.holds(constants) }) else { return nil }
        return constants
    }

    private func matches(_ mine: PredicateNode, _ other: PredicateNode, _ constants: inout [PredicateValue]) -> Bool {
        switch (mine.kind, other.kind) {
        case (.constant(let a), .constant(let b)): return a == b
        case (.and(let a), .and(let b)), (.or(let a), .or(let b)):
            guard a.count == b.count else { return false }
            for index in a.indices where !matches(a[index], b[index], &constants) { return false }
            return true
        case (.not(let a), .not(let b)): return matches(a, b, &constants)
        case (.comparison(let a), .comparison(let b)):
            guard a.hasNumberedConstants else { return a == b }
            return a.operator == b.operator && a.options == b.options && a.modifier == b.modifier
                && matches(a.left, b.left, &constants) && matches(a.right, b.right, &constants)
        default: return false
        }
    }

    private func matches(
        _ mine: ExpressionNode, _ other: ExpressionNode, _ constants: inout [PredicateValue]
    ) -> Bool {
        guard let constant = mine.numberedConstant else { return mine == other }
        guard let value = other.numberedConstant else { return false }
        let number = constants.count
        constants.append(value)
        if facts.isFixed[number] { return value.hasKind(of: constant) && value == constant }
        guard !facts.varying.isEmpty, facts.varying.contains(number) else { return value.hasKind(of: constant) }
        guard case .array(let elements) = value, case .array(let mine) = constant else { return false }
        return elements.allSatisfy { $0.hasKind(of: mine[0]) }
    }

    // MARK: Hashing

    /// A hash of a predicate's shape. Equal shapes have equal hashes.
    static func hash(_ root: PredicateNode, of entity: String) -> UInt64 {
        var hash = ShapeHash()
        for byte in entity.utf8 { hash.mix(UInt64(byte)) }
        hash.read(root)
        return hash.value
    }
}

private struct ShapeHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func mix(_ value: UInt64) { self.value = (self.value ^ value) &* 0x0000_0100_0000_01B3 }

    mutating func read(_ node: PredicateNode) {
        switch node.kind {
        case .constant(let value): mix(value ? 1 : 2)
        case .and(let parts):
            mix(3 &+ UInt64(parts.count) << 8)
            for part in parts { read(part) }
        case .or(let parts):
            mix(4 &+ UInt64(parts.count) << 8)
            for part in parts { read(part) }
        case .not(let part):
            mix(5)
            read(part)
        case .comparison(let comparison):
            mix(6 &+ UInt64(comparison.options.rawValue) << 8)
            read(comparison.left)
            read(comparison.right)
        case .error: mix(7)
        }
    }

    private mutating func read(_ node: ExpressionNode) {
        switch node.kind {
        case .keyPath(let keys):
            for key in keys {
                // Only the length and the first byte of a key: the trees are compared afterwards anyway.
                mix(UInt64(key.utf8.count) << 8 | UInt64(key.utf8.first ?? 0))
            }
        // All long lists have the same hash, because their length may vary.
        case .value(.array(let elements)): mix(9 &+ UInt64(min(elements.count, 65)) << 8)
        case .value: mix(10)
        default: mix(11)
        }
    }
}
