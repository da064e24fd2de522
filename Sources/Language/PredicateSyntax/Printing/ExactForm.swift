// The only exact text form: a format in which all constants are arguments. Codable uses it, and `--redact` prints the
// format without the arguments.

/// A predicate or expression as a format with arguments. Parsing it gives an equal tree, even for constants
/// without a literal form.
///
///     ExactForm(tree).format       // name == %@ AND age > %@
///     ExactForm(tree).arguments    // "Ada", 30
package struct ExactForm: Sendable, Hashable {
    /// The text, with a conversion for each constant.
    package let format: String
    /// The arguments for `%@` and `%K`, in order. A `%K` takes a string.
    package let arguments: [PredicateValue]

    /// The exact form of a tree.
    package init(_ node: PredicateNode) { (format, arguments) = CanonicalPrinter.exact { $0.write(node) } }
    package init(_ node: ExpressionNode) { (format, arguments) = CanonicalPrinter.exact { $0.write(node) } }

    package init(format: String, arguments: [PredicateValue]) {
        self.format = format
        self.arguments = arguments
    }
}
