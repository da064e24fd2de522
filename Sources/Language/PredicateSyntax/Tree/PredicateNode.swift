// The tree of a predicate. ExpressionNode.swift has the tree of an expression; LANGUAGE 0 describes both.

/// A predicate: a constant, a comparison, or a compound.
///
/// `==` is structural and ignores spans.
public struct PredicateNode: Sendable {
    public indirect enum Kind: Sendable, Hashable, NodeKind {
        /// `TRUEPREDICATE`, `FALSEPREDICATE`
        case constant(Bool)
        /// `ANY left ==[cd] right`
        case comparison(ComparisonNode)
        /// `a AND b AND c`; true if it has no children
        case and([PredicateNode])
        /// `a OR b OR c`; false if it has no children
        case or([PredicateNode])
        /// `NOT a`
        case not(PredicateNode)
        /// Text that could not be parsed, or a tree that exceeds a limit; see the diagnostics. Cannot be
        /// evaluated.
        case error
    }

    /// The operator and the children.
    public let kind: Kind
    /// The position in the text; `.none` for a node built in code.
    public let span: SourceSpan
    /// The number of nodes on the longest path to a leaf, including this node; see `PredicateLimits.nesting`.
    package let height: Int32

    /// Creates a node. A node higher than `PredicateLimits.nesting` becomes `.error`, so that no tree is too high to
    /// print, compare or release.
    public init(_ kind: Kind, span: SourceSpan = .none) {
        let below = kind.heightOfChildren
        self.kind = Int(below) < PredicateLimits.standard.nesting ? kind : .error
        self.span = span
        height = below &+ 1
    }

    /// A fast path for comparisons, the most frequent nodes.
    init(_ comparison: ComparisonNode, span: SourceSpan) {
        let below = max(comparison.left.height, comparison.right.height)
        kind = Int(below) < PredicateLimits.standard.nesting ? .comparison(comparison) : .error
        self.span = span
        height = below &+ 1
    }
}

extension PredicateNode: Hashable {
    public static func == (left: PredicateNode, right: PredicateNode) -> Bool { left.kind == right.kind }
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// `left operator[options] right` with a modifier.
public struct ComparisonNode: Sendable, Hashable {
    public var left: ExpressionNode
    public var `operator`: ComparisonOperator
    public var right: ExpressionNode
    public var modifier: ComparisonModifier
    public var options: ComparisonOptions
    /// The span of the operator, for messages. Ignored by `==`.
    package var operatorSpan: SourceSpan

    /// Options that the text of the comparison cannot have are dropped: all of BETWEEN, and unknown bits.
    public init(
        _ left: ExpressionNode, _ operator: ComparisonOperator, _ right: ExpressionNode,
        modifier: ComparisonModifier = .direct, options: ComparisonOptions = [], operatorSpan: SourceSpan = .none
    ) {
        self.left = left
        self.operator = `operator`
        self.right = right
        self.modifier = modifier
        self.options = `operator` == .between ? [] : options.intersection(ComparisonOptions(rawValue: 15))
        self.operatorSpan = operatorSpan
    }

    public static func == (left: ComparisonNode, right: ComparisonNode) -> Bool {
        left.operator == right.operator && left.modifier == right.modifier && left.options == right.options
            && left.left == right.left && left.right == right.right
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(left)
        hasher.combine(`operator`)
        hasher.combine(right)
        hasher.combine(modifier)
        hasher.combine(options)
    }
}

extension PredicateNode.Kind {
    package func forEachChild(
        _ predicate: (PredicateNode) -> Void, _ expression: (ExpressionNode) -> Void
    ) {
        switch self {
        case .constant, .error: break
        case .comparison(let comparison):
            expression(comparison.left)
            expression(comparison.right)
        case .and(let children), .or(let children): children.forEach(predicate)
        case .not(let child): predicate(child)
        }
    }
}

extension PredicateNode {
    /// The terms of a chain of AND or of OR, including those of nested chains of the same kind. Any other node is one
    /// term.
    package func terms(isAnd: Bool) -> [PredicateNode] {
        switch kind {
        case .and(let children) where isAnd, .or(let children) where !isAnd:
            // Most chains have no nested ones.
            children.contains { $0.isChain(isAnd) } ? children.flatMap { $0.terms(isAnd: isAnd) } : children
        default: [self]
        }
    }

    private func isChain(_ isAnd: Bool) -> Bool {
        switch kind {
        case .and: isAnd
        case .or: !isAnd
        default: false
        }
    }
}
