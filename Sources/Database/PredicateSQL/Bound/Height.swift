// How deep SQL is nested, in entries on the stack of a parser: SQLite's has 100. Each template counts its own entries
// (SQLTemplate.swift). What exceeds the stack of a dialect is tested in memory.

extension Lowering {
    /// SELECT, FROM, WHERE, and what follows.
    static let heightOfStatement = 8
    /// What a test adds to its operands at most.
    static let heightOfLeaf = 16
    /// A value inside a JSON column.
    static let heightOfDocument = 30

    /// The entries of an operand.
    func height(of operand: Operand) -> Int { extent(of: operand).height }

    /// The entries of an operand, and the bytes of its text.
    func extent(of operand: Operand) -> (height: Int, length: Int) {
        switch operand.kind {
        case .constant, .element: return (1, 8)
        case .column(_, let name): return (schema.documents[name] == nil ? 1 : Self.heightOfDocument, 20)
        case .aggregate(_, let element, _, let filter):
            let (inner, value) = (height(of: filter), element.map { extent(of: $0) } ?? (height: 1, length: 0))
            return (12 + max(inner, value.height), 60 + value.length)
        case .call(let scalar, let arguments):
            guard let template = dialect.template(scalar) else { return (1, 0) }
            var (height, length) = (template.height, template.length)
            for (use, argument) in zip(template.uses, arguments) where use.count > 0 {
                let inner = extent(of: argument)
                let isBound = dialect.subqueries.operandBinding != nil && !argument.isShort
                var own = isBound ? 12 : 0
                if !isBound, case .call(let scalar, _) = argument.kind, let template = dialect.template(scalar) {
                    own = template.precedence < .whole ? 1 : 0
                }
                height = max(height, use.below + own + inner.height)
                length = min(1 << 40, length + (isBound ? 1 : use.count) * inner.length)
            }
            return (height, length)
        }
    }

    /// The entries of a condition.
    func height(of condition: Condition) -> Int {
        switch condition {
        case .constant, .partial: 3
        case .leaf(let leaf, _):
            (leaf.isComparison ? 4 : Self.heightOfLeaf) + leaf.operands.reduce(0) { max($0, height(of: $1)) }
        case .all(let parts), .any(let parts): 3 + parts.reduce(0) { max($0, height(of: $1)) }
        case .exists(_, let inner, _), .count(_, let inner, _, _): 9 + height(of: inner)
        case .bounded(let over, let under, _): max(height(of: over), height(of: under))
        }
    }
}

extension Leaf {
    /// Whether it is written as an operator with its operands.
    fileprivate var isComparison: Bool {
        switch self {
        case .isNull, .compare, .same, .list: true
        default: false
        }
    }
}
