/// What reading a text yields: always a tree (with error nodes where it could not be read), and every diagnostic in the
/// order of the text.
public struct Parsed<Tree: Sendable>: Sendable {
    public var tree: Tree
    public var diagnostics: [Diagnostic]
    public var source: String

    public init(tree: Tree, diagnostics: [Diagnostic], source: String) {
        self.tree = tree
        self.diagnostics = diagnostics
        self.source = source
    }

    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

public enum Parser {
    public static func predicate(
        _ text: String, arguments: FormatArguments = .unbound, options: LanguageOptions = [],
        limits: Limits = .standard
    ) -> Parsed<PredicateNode> {
        Parsed(tree: PredicateNode(.error), diagnostics: [], source: text)
    }
    public static func expression(
        _ text: String, arguments: FormatArguments = .unbound, options: LanguageOptions = [],
        limits: Limits = .standard
    ) -> Parsed<ExpressionNode> {
        Parsed(tree: ExpressionNode(.error), diagnostics: [], source: text)
    }
}
