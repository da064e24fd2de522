// The shape of a predicate: predicates with equal shapes have the same SQL text. A constant beside a key is
// free if the compiler does not depend on its value: only its kind is part of the shape. Every other constant
// is part of the shape.
import PredicateModel
import PredicateSyntax

/// A hash of a predicate's shape. Equal shapes have equal hashes.
struct QueryShape {
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ predicate: PredicateNode, of entity: String) {
        for byte in entity.utf8 { mix(UInt64(byte)) }
        read(predicate)
    }

    private mutating func mix(_ value: UInt64) { hash = (hash ^ value) &* 0x0000_0100_0000_01B3 }

    private mutating func read(_ node: PredicateNode) {
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
                // Hash only length and first byte of a key; `QueryTemplate.matches` compares the rest.
                mix(UInt64(key.utf8.count) << 8 | UInt64(key.utf8.first ?? 0))
            }
        case .value(.array(let elements)): mix(9 &+ UInt64(elements.count) << 8)
        case .value: mix(10)
        default: mix(11)
        }
    }
}

/// The kind of a free constant.
enum ConstantKind: Hashable {
    case integer, wholeDouble, brokenDouble, text, date, uuid, data
    /// Distinct elements of one kind. For BETWEEN also in ascending order.
    indirect case list(ConstantKind, count: Int)

    /// nil if the compiler may depend on the value.
    init?(_ value: PredicateValue, _ comparison: ComparisonNode) {
        switch comparison.operator {
        case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .beginsWith, .endsWith,
            .contains:
            guard let kind = Self.scalar(value, comparison) else { return nil }
            self = kind
        case .in, .between:
            guard case .array(let elements) = value, (1...64).contains(elements.count),
                let kind = Self.scalar(elements[0], comparison)
            else { return nil }
            for (index, element) in elements.enumerated() {
                guard Self.scalar(element, comparison) == kind, !elements[..<index].contains(element) else {
                    return nil
                }
            }
            if comparison.operator == .between, elements.count != 2 || ValueOrder.compare(elements[0], elements[1]) > 0
            {
                return nil
            }
            self = .list(kind, count: elements.count)
        default: return nil
        }
    }

    private static func scalar(_ value: PredicateValue, _ comparison: ComparisonNode) -> ConstantKind? {
        switch value {
        case .integer(let number): return number.magnitude <= 1 << 53 ? .integer : nil
        case .double(let number):
            guard number != 0, number.magnitude < 0x1p52 else { return nil }
            return number == number.rounded(.towardZero) ? .wholeDouble : .brokenDouble
        case .string(let text): return isPlain(text, comparison.options) ? .text : nil
        case .date(let seconds): return seconds.isFinite && seconds != 0 ? .date : nil
        case .uuid: return .uuid
        case .data(let bytes): return bytes.isEmpty ? nil : .data
        default: return nil
        }
    }

    /// Whether a text is not empty, has no U+0000, folds to a non-empty text, and ends with a byte that can be
    /// incremented.
    private static func isPlain(_ text: String, _ options: ComparisonOptions) -> Bool {
        let bytes = text.utf8
        guard let last = bytes.last, last < 0x7F, bytes.count <= 1024, !bytes.contains(0) else { return false }
        return options.isEmpty || bytes.contains { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
    }
}

extension ComparisonNode {
    /// The constant beside a key, if it is free.
    var freeConstant: (value: PredicateValue, kind: ConstantKind, isLeft: Bool)? {
        switch (left.kind, right.kind) {
        case (.keyPath(let keys), .value(let value)):
            guard !keys.contains(where: { $0.utf8.first == UInt8(ascii: "@") }) else { return nil }
            return ConstantKind(value, self).map { (value, $0, false) }
        case (.value(let value), .keyPath(let keys)):
            // IN, BETWEEN and CONTAINS mean something else with swapped sides.
            guard self.operator != .in, self.operator != .between, self.operator != .contains,
                !keys.contains(where: { $0.utf8.first == UInt8(ascii: "@") })
            else { return nil }
            return ConstantKind(value, self).map { (value, $0, true) }
        default: return nil
        }
    }
}
