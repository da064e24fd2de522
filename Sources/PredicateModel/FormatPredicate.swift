// The public values of the package: a predicate and an expression that were read, or built in code. What they mean in
// memory is in PredicateEvaluation, what they become in SQL in PredicateSQL.
public import PredicateSyntax

/// A predicate in the language of NSPredicate's format strings.
///
///     let adults = try FormatPredicate("age >= %@ AND name BEGINSWITH[cd] %@", 21, "é")
///     adults.description  // age >= 21 AND name BEGINSWITH[cd] "é"
///
/// A value: Sendable, Hashable (structurally: spans and spelling do not count), Codable without loss, combined with `&&`,
/// `||` and `!`.
public struct FormatPredicate: Sendable {
    public let root: PredicateNode
    /// The text that the spans of `root` refer to; empty where the predicate was built in code. A predicate combined of
    /// several has the text of each, on lines of their own: to show findings in, not to be read again.
    public let source: String
    /// What was found and is no error: comparisons of two bare keys, refused constructs, and the like.
    public let warnings: [Diagnostic]

    /// A predicate of a tree that was built in code.
    public init(_ root: PredicateNode, source: String = "", warnings: [Diagnostic] = []) {
        self.root = root
        self.source = source
        self.warnings = warnings
    }

    /// Reads a format string. Arguments take the conversions from left to right; their values become nodes of the tree,
    /// never text, so that nothing can be injected.
    ///
    /// - Throws: everything that is wrong, at once. Cost: a few microseconds for an ordinary text.
    public init(_ format: String, _ arguments: (any FormatArgumentConvertible)?...) throws(PredicateFailure) {
        try self.init(format, formatArguments: arguments.map { $0?.formatArgument ?? .value(.null) })
    }

    /// Reads a format string with arguments that are values already.
    public init(_ format: String, arguments: [Value], options: LanguageOptions = []) throws(PredicateFailure) {
        try self.init(format, formatArguments: arguments.map(FormatArgument.value), options: options)
    }

    /// Reads a format string with arguments that may be expressions.
    public init(
        _ format: String, formatArguments: [FormatArgument], options: LanguageOptions = []
    ) throws(PredicateFailure) {
        try self.init(Self.parse(format, arguments: .bound(formatArguments), options: options))
    }

    /// Reads a text that takes no arguments, as a search field or a configuration file holds it: a `%` outside of quotes is
    /// an error that says so.
    public init(text: String, options: LanguageOptions = []) throws(PredicateFailure) {
        try self.init(Self.parse(text, arguments: .none, options: options))
    }

    /// What `parse` found, as a value or as the failure.
    public init(_ parsed: Parsed<PredicateNode>) throws(PredicateFailure) {
        if parsed.hasErrors { throw PredicateFailure(parsed.diagnostics, source: parsed.source) }
        self.init(parsed.tree, source: parsed.source, warnings: parsed.diagnostics)
    }

    /// Reads and checks without throwing: a tree, with error nodes where it could not be read, and every finding.
    ///
    /// - Parameter arguments: `.unbound` leaves the conversions in the tree; such a predicate can be checked and printed.
    public static func parse(
        _ format: String, arguments: FormatArguments = .unbound, options: LanguageOptions = [],
        catalog: FunctionCatalog = .standard, limits: Limits = .standard
    ) -> Parsed<PredicateNode> {
        var parsed = Parser.predicate(format, arguments: arguments, options: options, limits: limits)
        let checker = Checker(source: format, catalog: catalog, limits: limits)
        parsed.diagnostics = checker.check(parsed.tree, adding: parsed.diagnostics)
        return parsed
    }
}

extension FormatPredicate: Hashable, CustomStringConvertible {
    public static func == (left: Self, right: Self) -> Bool { left.root == right.root }
    public func hash(into hasher: inout Hasher) { hasher.combine(root) }

    /// The canonical text, as Apple's predicateFormat prints it: for people and for logs. Some constants lose something
    /// (the fraction of a date) or cannot be read again (a UUID); to save a predicate, use `exactDescription` or Codable.
    public var description: String { root.description }

    /// The text that reads as an equal predicate, whatever its constants and keys are: those that have no literal form
    /// stand in a CAST with a tag.
    ///
    ///     let recent = try FormatPredicate("seen > %@ AND %K == %@", Date(timeIntervalSinceReferenceDate: 0.25), "first name", "Ada")
    ///     recent.exactDescription  // seen > CAST(0.25, "$date") AND CAST("first name", "$key") == "Ada"
    ///
    /// Only this package reads those tags. An object of the host has no such text.
    public var exactDescription: String { root.exactDescription }
}

// MARK: - Building in code

extension FormatPredicate {
    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    public static func constant(_ value: Bool) -> FormatPredicate { FormatPredicate(PredicateNode(.constant(value))) }

    /// A comparison of two expressions, as NSComparisonPredicate makes one.
    ///
    ///     FormatPredicate.comparison(.key("age"), .greaterThan, .value(21))
    public static func comparison(
        _ left: FormatExpression, _ operator: ComparisonOperator, _ right: FormatExpression,
        modifier: ComparisonModifier = .direct, options: ComparisonOptions = []
    ) -> FormatPredicate {
        combined { source in
            .comparison(
                ComparisonNode(
                    source.add(left), `operator`, source.add(right), modifier: modifier, options: options))
        }
    }

    /// True where all are; of nothing, true. The parts stay parts: nested ANDs print in parentheses.
    public static func and(_ parts: [FormatPredicate]) -> FormatPredicate {
        compound(parts, ofNothing: true) { .and($0) }
    }

    /// True where one is; of nothing, false.
    public static func or(_ parts: [FormatPredicate]) -> FormatPredicate {
        compound(parts, ofNothing: false) { .or($0) }
    }

    /// A compound of one part is that part and one of none is a constant, as they print: so that reading the text, and
    /// decoding, give an equal predicate.
    private static func compound(
        _ parts: [FormatPredicate], ofNothing: Bool, _ kind: ([PredicateNode]) -> PredicateNode.Kind
    ) -> FormatPredicate {
        switch parts.count {
        case 0: constant(ofNothing)
        case 1: parts[0]
        default: combined { source in kind(parts.map { source.add($0) }) }
        }
    }

    /// - Parameter first: a predicate whose children begin the new node.
    private static func combined(
        after first: FormatPredicate? = nil, _ kind: (inout CombinedSource) -> PredicateNode.Kind
    ) -> FormatPredicate {
        var source = CombinedSource(first)
        let root = PredicateNode(kind(&source))
        return FormatPredicate(root, source: source.text, warnings: source.warnings)
    }

    /// The negation of a predicate.
    public static func not(_ part: FormatPredicate) -> FormatPredicate {
        combined { source in .not(source.add(part)) }
    }

    /// Both. A chain of `&&` is one AND, as a chain in a text is, so that it may be as long as one likes.
    public static func && (left: FormatPredicate, right: FormatPredicate) -> FormatPredicate {
        guard case .and(let parts) = left.root.kind else { return .and([left, right]) }
        return combined(after: left) { source in .and(parts + [source.add(right)]) }
    }

    /// Either. A chain of `||` is one OR.
    public static func || (left: FormatPredicate, right: FormatPredicate) -> FormatPredicate {
        guard case .or(let parts) = left.root.kind else { return .or([left, right]) }
        return combined(after: left) { source in .or(parts + [source.add(right)]) }
    }

    public static prefix func ! (part: FormatPredicate) -> FormatPredicate { .not(part) }
}
