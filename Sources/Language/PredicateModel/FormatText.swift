// What predicates and expressions have in common.

/// A predicate or an expression: a tree, the text to which its spans refer, and the environment.
package protocol FormatText: Sendable {
    associatedtype Root: Sendable

    var root: Root { get }
    var source: String { get }
    var warnings: [PredicateDiagnostic] { get }
    var environment: PredicateEnvironment { get }
    /// The tree as one type for both.
    var tree: PredicateTree { get }
    /// The root of a tree of this kind; nil for the other.
    static func root(of tree: PredicateTree) -> Root?
    init(_ root: Root, source: String, warnings: [PredicateDiagnostic], in environment: PredicateEnvironment)
    init(_ parsed: FormatParser.Parsed<Root>, in environment: PredicateEnvironment) throws(PredicateFailure)
    static func parse(
        _ format: String, arguments: FormatArguments, in environment: PredicateEnvironment
    ) -> FormatParser.Parsed<Root>
}

extension FormatText {
    /// Parses a format string with arguments that may be expressions.
    package init(
        _ format: String, formatArguments: [FormatArgument], in environment: PredicateEnvironment = .standard
    ) throws(PredicateFailure) {
        try FormatArgument.requireSendable(formatArguments, source: format)
        try self.init(Self.parse(format, arguments: .bound(formatArguments), in: environment), in: environment)
    }

    /// The same with another tree.
    package func replacingRoot(_ root: Root) -> Self {
        Self(root, source: source, warnings: warnings, in: environment)
    }
}

extension FormatPredicate: FormatText {
    package var tree: PredicateTree { .predicate(root) }
    package static func root(of tree: PredicateTree) -> PredicateNode? {
        if case .predicate(let root) = tree { root } else { nil }
    }
}

extension FormatExpression: FormatText {
    package var tree: PredicateTree { .expression(root) }
    package static func root(of tree: PredicateTree) -> ExpressionNode? {
        if case .expression(let root) = tree { root } else { nil }
    }
}
