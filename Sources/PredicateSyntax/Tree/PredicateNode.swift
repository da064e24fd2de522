// The tree of a predicate. Its other half is ExpressionNode.swift; LANGUAGE 0 describes both.

/// A predicate: a constant, a comparison, or a compound of others.
///
/// `==` is structural and does not look at spans: what was written differently but means one tree is equal.
public struct PredicateNode: Sendable {
    public indirect enum Kind: Sendable, Hashable {
        /// `TRUEPREDICATE`, `FALSEPREDICATE`
        case constant(Bool)
        /// `ANY left ==[cd] right`
        case comparison(ComparisonNode)
        /// `a AND b AND c`; of nothing: true
        case and([PredicateNode])
        /// `a OR b OR c`; of nothing: false
        case or([PredicateNode])
        /// `NOT a`
        case not(PredicateNode)
        /// What could not be read, or grew over a limit; the diagnostics say why. It cannot be evaluated.
        case error
    }

    public let kind: Kind
    public let span: SourceSpan
    /// The nodes on the longest way down, this one included; see `Limits.nesting`.
    public let height: Int32

    /// A node over its children. One that would be higher than `Limits.nesting` is `.error` instead: no tree can be built
    /// that is too high to be printed, compared or released.
    public init(_ kind: Kind, span: SourceSpan = .none) {
        var below: Int32 = 0
        kind.forEachChild({ below = max(below, $0.height) }, { below = max(below, $0.height) })
        self.kind = Int(below) < Limits.standard.nesting ? kind : .error
        self.span = span
        height = below &+ 1
    }

    /// The same for a comparison, the most frequent node, which need not be taken out of its `Kind` again.
    init(_ comparison: ComparisonNode, span: SourceSpan) {
        let below = max(comparison.left.height, comparison.right.height)
        kind = Int(below) < Limits.standard.nesting ? .comparison(comparison) : .error
        self.span = span
        height = below &+ 1
    }
}

extension PredicateNode {
    /// Whether this node, not one below it, could not be read.
    var isError: Bool {
        if case .error = kind { return true }
        return false
    }
}

extension PredicateNode: Hashable {
    public static func == (left: PredicateNode, right: PredicateNode) -> Bool { left.kind == right.kind }
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// `left operator[options] right` under a modifier.
public struct ComparisonNode: Sendable, Hashable {
    public var left: ExpressionNode
    public var `operator`: ComparisonOperator
    public var right: ExpressionNode
    public var modifier: ComparisonModifier
    public var options: ComparisonOptions
    /// Where the operator stands, for messages; not part of equality.
    public var operatorSpan: SourceSpan

    public init(
        _ left: ExpressionNode, _ operator: ComparisonOperator, _ right: ExpressionNode,
        modifier: ComparisonModifier = .direct, options: ComparisonOptions = [], operatorSpan: SourceSpan = .none
    ) {
        self.left = left
        self.operator = `operator`
        self.right = right
        self.modifier = modifier
        self.options = options
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
    /// Calls back for each child, left to right: predicates to the first closure, expressions to the second.
    public func forEachChild(
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
