// The one form that loses nothing: a format whose constants are all arguments. Coding uses it, and `--redact` shows its
// format without the arguments.

/// A predicate or expression as a format and its arguments; reading it again yields an equal tree, constants without a
/// literal form included.
///
///     ExactForm(tree).format     // name == %@ AND age > %@
///     ExactForm(tree).arguments  // "Ada", 30
public struct ExactForm: Sendable, Hashable {
    public let format: String
    /// For `%@` and `%K`, in order; a `%K` takes a string.
    public let arguments: [Value]

    public init(_ node: PredicateNode) { (format, arguments) = CanonicalPrinter.exact { $0.write(node) } }
    public init(_ node: ExpressionNode) { (format, arguments) = CanonicalPrinter.exact { $0.write(node) } }

    public init(format: String, arguments: [Value]) {
        self.format = format
        self.arguments = arguments
    }
}
