// The package's main type: a predicate, parsed or built in code. PredicateEvaluation evaluates it, PredicateSQL
// translates it.

/// A predicate in the language of NSPredicate's format strings.
///
///     let adults = try FormatPredicate("age >= %@ AND name BEGINSWITH[cd] %@", 21, "é")
///     adults.description    // age >= 21 AND name BEGINSWITH[cd] "é"
///
/// A value type: Sendable; Hashable by structure, without spans and spelling; Codable without loss. Combine
/// predicates with `&&`, `||` and `!`.
public struct FormatPredicate: Sendable {
    /// The predicate's tree.
    public let root: PredicateNode
    /// The text that the spans of `root` refer to; empty for a predicate built in code. In a combination of predicates,
    /// each part has its text on its own line. Such a text is for messages and cannot be parsed.
    public let source: String
    /// Diagnostics of the parser that are not errors, such as comments.
    public let warnings: [PredicateDiagnostic]
    /// What the predicate is checked, evaluated and translated with. It does not affect equality.
    public let environment: PredicateEnvironment

    /// Creates a predicate from a tree built in code.
    public init(
        _ root: PredicateNode, source: String = "", warnings: [PredicateDiagnostic] = [],
        in environment: PredicateEnvironment = .standard
    ) {
        self.root = root
        self.source = source
        self.warnings = warnings
        self.environment = environment
    }

    /// Parses a format string with values as arguments.
    public init(
        _ format: String, arguments: [PredicateValue], in environment: PredicateEnvironment = .standard
    ) throws(PredicateFailure) {
        try self.init(format, formatArguments: arguments.map(FormatArgument.value), in: environment)
    }

    /// Parses a text without arguments, such as that of a search field or a configuration file. A `%` outside
    /// of quotes is an error.
    public init(text: String, in environment: PredicateEnvironment = .standard) throws(PredicateFailure) {
        try self.init(Self.parse(text, arguments: .none, in: environment), in: environment)
    }

    /// Creates a predicate from what `FormatParser` returned. Throws its errors.
    public init(
        _ parsed: FormatParser.Parsed<PredicateNode>, in environment: PredicateEnvironment = .standard
    ) throws(PredicateFailure) {
        if parsed.hasErrors { throw PredicateFailure(parsed.diagnostics, source: parsed.source) }
        self.init(parsed.tree, source: parsed.source, warnings: parsed.diagnostics, in: environment)
    }

    /// Parses without throwing, as `FormatParser`. Unbound conversions such as `%@` stay in the tree.
    package static func parse(
        _ format: String, arguments: FormatArguments = .unbound, in environment: PredicateEnvironment = .standard
    ) -> FormatParser.Parsed<PredicateNode> {
        FormatParser.predicate(format, arguments: arguments, options: environment.language, limits: environment.limits)
    }
}

extension FormatPredicate: Hashable, CustomStringConvertible {
    public static func == (left: Self, right: Self) -> Bool { left.root == right.root }
    public func hash(into hasher: inout Hasher) { hasher.combine(root) }

    /// The canonical text in the form of Apple's predicateFormat, for people and for logs. It truncates dates to six
    /// decimals, and some constants, such as UUIDs, cannot be parsed again. To save a predicate, use `exactDescription`
    /// or Codable.
    public var description: String { root.description }

    /// A text that parses to an equal predicate, for any constants and keys. Those without a literal form are written
    /// as a CAST with a tag, which only this package can parse.
    ///
    ///     let recent = try FormatPredicate("seen > %@ AND %K == %@", PredicateValue.date(0.25), "first name", "Ada")
    ///     recent.exactDescription    // seen > CAST(0.25, "$date") AND CAST("first name", "$key") == "Ada"
    ///
    /// Objects of the app have no exact text; they are printed as in `description`.
    public var exactDescription: String { root.exactDescription }
}

// MARK: - Building in code

extension FormatPredicate {
    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    public static func constant(_ value: Bool) -> FormatPredicate { FormatPredicate(PredicateNode(.constant(value))) }

    /// A comparison of two expressions, like NSComparisonPredicate.
    ///
    ///     FormatPredicate.comparison(.key("age"), .greaterThan, .key("limit"))
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

    /// A comparison of an expression with a value.
    ///
    ///     FormatPredicate.comparison(.key("age"), .greaterThan, 21)
    public static func comparison(
        _ left: FormatExpression, _ operator: ComparisonOperator, _ right: PredicateValue,
        modifier: ComparisonModifier = .direct, options: ComparisonOptions = []
    ) -> FormatPredicate {
        comparison(left, `operator`, .value(right), modifier: modifier, options: options)
    }

    /// The conjunction of the parts; true if there are no parts. Nested ANDs are kept and print in parentheses.
    public static func and(_ parts: [FormatPredicate]) -> FormatPredicate {
        compound(parts, valueIfEmpty: true) { .and($0) }
    }

    /// The disjunction of the parts; false if there are no parts.
    public static func or(_ parts: [FormatPredicate]) -> FormatPredicate {
        compound(parts, valueIfEmpty: false) { .or($0) }
    }

    /// Simplifies a compound of one part to that part, and a compound without parts to a constant. They print in the
    /// same way, so parsing and decoding give an equal predicate.
    private static func compound(
        _ parts: [FormatPredicate], valueIfEmpty: Bool, _ kind: ([PredicateNode]) -> PredicateNode.Kind
    ) -> FormatPredicate {
        switch parts.count {
        case 0: constant(valueIfEmpty)
        case 1: parts[0]
        default: combined { source in kind(parts.map { source.add($0) }) }
        }
    }

    /// - Parameter first: the predicate whose children are the first children of the new node.
    private static func combined(
        after first: FormatPredicate? = nil, _ kind: (inout CombinedSource) -> PredicateNode.Kind
    ) -> FormatPredicate {
        var source = CombinedSource(first)
        let root = PredicateNode(kind(&source))
        return FormatPredicate(
            root, source: source.text, warnings: source.warnings, in: source.environment ?? .standard)
    }

    /// The negation of a predicate.
    public static func not(_ part: FormatPredicate) -> FormatPredicate {
        combined { source in .not(source.add(part)) }
    }

    /// The conjunction of two predicates. A chain of `&&` becomes a single AND, so that its length is not
    /// limited by nesting. The result has the environments of both, joined: see `PredicateEnvironment`.
    public static func && (left: FormatPredicate, right: FormatPredicate) -> FormatPredicate {
        guard case .and(let parts) = left.root.kind else { return .and([left, right]) }
        return combined(after: left) { source in .and(parts + [source.add(right)]) }
    }

    /// The disjunction of two predicates. A chain of `||` becomes a single OR.
    public static func || (left: FormatPredicate, right: FormatPredicate) -> FormatPredicate {
        guard case .or(let parts) = left.root.kind else { return .or([left, right]) }
        return combined(after: left) { source in .or(parts + [source.add(right)]) }
    }

    public static prefix func ! (part: FormatPredicate) -> FormatPredicate { .not(part) }
}
