// The tree of an expression. PredicateNode.swift has the tree of a predicate.

/// An expression, which has a value.
///
/// `==` is structural and ignores spans. A call with an operator's selector (`add:to:(1, 1)`) equals the
/// operator.
public struct ExpressionNode: Sendable {
    public indirect enum Kind: Sendable, Hashable, NodeKind {
        /// `42`, `'x'`, `nil`, `YES`, a bound `%@`
        case value(PredicateValue)
        /// `SELF`
        case selfObject
        /// `ANYKEY`
        case anyKey
        /// `$x`
        case variable(String)
        /// `a`, `a.b`, `items.@count`: components without `#`
        case keyPath([String])
        /// `base.step`, if the base is not a key path or the step is not a key: `$x.name`, `a.$b`, `a.d[0]`
        /// (its step is `d[0]`, because an index binds tighter than a dot), `f."Window Settings"`
        case member(ExpressionNode, step: ExpressionNode)
        /// `base[index]`
        case index(ExpressionNode, ExpressionNode)
        /// `FIRST`, `LAST`, `SIZE`; only as an index
        case indexSymbol(IndexSymbol)
        /// `a + b`, `a | b`, `a UNION b`
        case binary(BinaryOperator, ExpressionNode, ExpressionNode)
        /// `-a`, if `a` is not a number
        case negation(ExpressionNode)
        /// `sum:(a)`, `now()`; the whole selector with its colons
        case call(String, [ExpressionNode])
        /// `FUNCTION(target, "selector:", arguments…)`
        case method(ExpressionNode, selector: String, [ExpressionNode])
        /// `CAST(a, "NSNumber")`
        case cast(ExpressionNode, type: String)
        /// `{1, 2, a}`
        case aggregate([ExpressionNode])
        /// `TERNARY(p, a, b)`
        case ternary(PredicateNode, ExpressionNode, ExpressionNode)
        /// `SUBQUERY(collection, $x, p)`
        case subquery(ExpressionNode, variable: String, PredicateNode)
        /// `$x := a`
        case assignment(variable: String, ExpressionNode)
        /// `FETCH(…)`: can be parsed and printed, but not evaluated
        case fetch([ExpressionNode])
        /// `@status(a.b)`: a term of device management, a language option
        case term(String, argument: String)
        /// `%@`, `%K`, `%d` … without an argument
        case argument(FormatConversion)
        /// Text that could not be parsed; see the diagnostics
        case error
    }

    /// The kind of expression and the children.
    public let kind: Kind
    /// The place in the text; `.none` for a node built in code.
    public let span: SourceSpan
    /// The number of nodes on the longest path to a leaf, including this node; see `PredicateLimits.nesting`.
    package let height: Int32

    /// Creates a node. A node higher than `PredicateLimits.nesting` becomes `.error`, so that no tree is too high to
    /// print, compare or release.
    public init(_ kind: Kind, span: SourceSpan = .none) {
        let below = kind.isLeaf ? 0 : kind.heightOfChildren
        self.kind = Int(below) < PredicateLimits.standard.nesting ? kind : .error
        self.span = span
        height = below &+ 1
    }
}

extension ExpressionNode: Hashable {
    public static func == (left: ExpressionNode, right: ExpressionNode) -> Bool { left.kind == right.kind }
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension ExpressionNode {
    /// The value of a constant, or of a list of constants and such lists; nil for any other expression.
    package var constant: PredicateValue? {
        switch kind {
        case .value(let value): return value
        case .aggregate(let elements):
            var values: [PredicateValue] = []
            values.reserveCapacity(elements.count)
            for element in elements {
                guard let value = element.constant else { return nil }
                values.append(value)
            }
            return .array(values)
        default: return nil
        }
    }
}

/// A conversion of a format string, such as `%@`, with the index of its argument.
public struct FormatConversion: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// `%@`: any value, or an expression
        case object
        /// `%K`: a key path
        case keyPath
        /// `%d`, `%lu`, `%x` …
        case integer
        /// `%f`, `%e`, `%g` …
        case floatingPoint
    }
    package let kind: Kind
    /// The index of its argument, from 0.
    package let position: Int
    /// The text of the conversion: `%ld`.
    package let spelling: String

    package init(_ kind: Kind, position: Int, spelling: String) {
        self.kind = kind
        self.position = position
        self.spelling = spelling
    }
}
