// The public functions that parse a text. Parser.swift reads the language; Repairs/ explains what does not fit.

/// Parses predicates and expressions for tools: to a tree, with error nodes for invalid parts, and diagnostics.
///
///     let parsed = FormatParser.predicate("age >")
///     parsed.diagnostics.first?.message    // expected a value here, found the end
///
/// The text of a user has one initialiser, `FormatPredicate(text:)`. Here conversions such as `%@` stay in the tree.
/// `TypeChecker` checks types and function names. Never throws and never traps.
/// Cost: linear in the text, about 20 ns per byte. A text of at most 4 KB with mistakes is parsed again for each of the
/// first 32 mistakes whose correction is known.
public enum FormatParser {
    /// Parses a predicate: `age > 21 AND name BEGINSWITH "A"`.
    public static func predicate(
        _ text: String, options: LanguageOptions = [], limits: PredicateLimits = .standard
    ) -> Parsed<PredicateNode> {
        predicate(text, arguments: .unbound, options: options, limits: limits)
    }

    package static func predicate(
        _ text: String, arguments: FormatArguments, options: LanguageOptions = [],
        limits: PredicateLimits = .standard
    ) -> Parsed<PredicateNode> {
        parse(text, RepairPass(arguments: arguments, options: options, limits: limits))
    }

    /// Parses an expression: `price * 1.2`. A comparison is not an expression.
    public static func expression(
        _ text: String, options: LanguageOptions = [], limits: PredicateLimits = .standard
    ) -> Parsed<ExpressionNode> {
        expression(text, arguments: .unbound, options: options, limits: limits)
    }

    package static func expression(
        _ text: String, arguments: FormatArguments, options: LanguageOptions = [],
        limits: PredicateLimits = .standard
    ) -> Parsed<ExpressionNode> {
        parse(text, RepairPass(arguments: arguments, options: options, limits: limits, isPart: true))
    }

    private static func parse<Tree: ParsedTree>(_ text: String, _ repairs: RepairPass) -> Parsed<Tree> {
        let first: RepairPass.Reading<Tree> = repairs.read(Array(text.utf8))
        if first.parser.errors.isEmpty { return Parsed(tree: first.tree, diagnostics: [], source: text) }
        return repairs.diagnose(text, first)
    }
}

/// A tree for a whole text: a predicate or an expression.
protocol ParsedTree: Sendable {
    /// Converts the operand that a parser read. Records an error if it is of the other kind.
    static func tree(_ operand: PredicateParser.Operand, in parser: inout PredicateParser) -> Self
    func movingSpans(_ move: (SourceSpan) -> SourceSpan) -> Self
}

extension PredicateNode: ParsedTree {
    static func tree(_ operand: PredicateParser.Operand, in parser: inout PredicateParser) -> PredicateNode {
        parser.predicate(operand)
    }
}

extension ExpressionNode: ParsedTree {
    static func tree(_ operand: PredicateParser.Operand, in parser: inout PredicateParser) -> ExpressionNode {
        parser.expression(operand)
    }
}

extension FormatParser {
    /// The result of parsing: always a tree, with error nodes for invalid parts, and all diagnostics in the order
    /// of the text.
    public struct Parsed<Tree: Sendable>: Sendable {
        /// The parsed tree. Invalid parts are error nodes.
        public var tree: Tree
        /// All diagnostics, in the order of the text.
        public var diagnostics: [PredicateDiagnostic]
        /// The text that was parsed.
        public var source: String

        package init(tree: Tree, diagnostics: [PredicateDiagnostic], source: String) {
            self.tree = tree
            self.diagnostics = diagnostics
            self.source = source
        }

        /// Whether there are errors, so that the tree cannot be used. Warnings are not errors.
        public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
    }
}
