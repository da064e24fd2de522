public import PredicateSyntax

/// A predicate in the language of NSPredicate's format strings.
public struct FormatPredicate: Sendable {
    public let root: PredicateNode
    /// The text that spans refer to; empty where the predicate was built in code.
    public let source: String

    public init(_ root: PredicateNode, source: String = "") {
        self.root = root
        self.source = source
    }

    /// Reads and checks (catalogue, patterns) without throwing: for tools that show every finding.
    public static func parse(
        _ format: String, arguments: FormatArguments = .unbound, options: LanguageOptions = []
    ) -> Parsed<PredicateNode> {
        Parser.predicate(format, arguments: arguments, options: options)
    }

    public init(_ format: String, _ arguments: (any FormatArgumentConvertible)?...) throws(PredicateFailure) {
        let parsed = Self.parse(format, arguments: .bound(arguments.map { $0?.formatArgument ?? .value(.null) }))
        if parsed.hasErrors { throw PredicateFailure(parsed.diagnostics, source: format) }
        self.init(parsed.tree, source: format)
    }
}

extension FormatPredicate: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.root == right.root }
    public func hash(into hasher: inout Hasher) { hasher.combine(root) }
}

/// An expression in the language of NSExpression's format strings.
public struct FormatExpression: Sendable {
    public let root: ExpressionNode
    public let source: String

    public init(_ root: ExpressionNode, source: String = "") {
        self.root = root
        self.source = source
    }

    public static func parse(
        _ format: String, arguments: FormatArguments = .unbound, options: LanguageOptions = []
    ) -> Parsed<ExpressionNode> {
        Parser.expression(format, arguments: arguments, options: options)
    }
}

extension FormatExpression: FormatArgumentConvertible {
    public var formatArgument: FormatArgument { .expression(root) }
}
