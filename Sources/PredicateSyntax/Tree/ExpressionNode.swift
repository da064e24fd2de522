// The tree of an expression. Its other half is PredicateNode.swift.

/// An expression: whatever yields a value.
///
/// `==` is structural and does not look at spans. A call by an operator's selector (`add:to:(1, 1)`) is the operator.
public struct ExpressionNode: Sendable {
    public indirect enum Kind: Sendable, Hashable {
        /// `42`, `'x'`, `nil`, `YES`, a bound `%@`
        case value(Value)
        /// `SELF`
        case selfObject
        /// `ANYKEY`
        case anyKey
        /// `$x`
        case variable(String)
        /// `a`, `a.b`, `items.@count`: components without `#`
        case keyPath([String])
        /// `base.step`, where the base is no key path or the step is no key: `$x.name`, `a.$b`, `a.d[0]` (whose step is
        /// `d[0]`: an index binds tighter than the dot), `f."Window Settings"`
        case member(ExpressionNode, step: ExpressionNode)
        /// `base[index]`
        case index(ExpressionNode, ExpressionNode)
        /// `FIRST`, `LAST`, `SIZE`: only as an index
        case indexSymbol(IndexSymbol)
        /// `a + b`, `a | b`, `a UNION b`
        case binary(BinaryOperator, ExpressionNode, ExpressionNode)
        /// `-a` of what is no number
        case negation(ExpressionNode)
        /// `sum:(a)`, `now()`: the whole selector, colons included
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
        /// `FETCH(…)`: parses, prints, never runs
        case fetch([ExpressionNode])
        /// `@status(a.b)`: a term of device management, an extension
        case term(String, argument: String)
        /// `%@`, `%K`, `%d` … that no argument was given for
        case argument(FormatConversion)
        /// What could not be read; the diagnostics say why
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
        if !kind.isLeaf {
            kind.forEachChild({ below = max(below, $0.height) }, { below = max(below, $0.height) })
        }
        self.kind = Int(below) < Limits.standard.nesting ? kind : .error
        self.span = span
        height = below &+ 1
    }
}

extension ExpressionNode {
    /// Whether this node, not one below it, could not be read.
    var isError: Bool {
        if case .error = kind { return true }
        return false
    }
}

extension ExpressionNode: Hashable {
    public static func == (left: ExpressionNode, right: ExpressionNode) -> Bool { left.kind == right.kind }
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

/// A conversion of a format string, `%@`, and which argument it takes, from 0.
public struct FormatConversion: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// `%@`: any value, or an expression
        case object
        /// `%K`: a key path
        case keyPath
        /// `%d`, `%lu`, `%x` …
        case integer
        /// `%f`, `%e`, `%g` …
        case floatingPoint
    }
    public let kind: Kind
    public let position: Int
    /// As written: `%ld`.
    public let spelling: String

    public init(_ kind: Kind, position: Int, spelling: String) {
        self.kind = kind
        self.position = position
        self.spelling = spelling
    }
}
