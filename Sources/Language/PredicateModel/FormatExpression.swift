/// An expression in the language of NSExpression's format strings: `price * 1.2`, `items.@sum.price`.
///
///     let total = try FormatExpression("items.@sum.price * %@", 1.2)
///     let costly = try FormatPredicate("%@ > 100", total)
public struct FormatExpression: Sendable {
    /// The expression's tree.
    public let root: ExpressionNode
    /// The text to which the spans of `root` refer; empty for an expression built in code.
    public let source: String
    /// Diagnostics of the parser that are not errors.
    public let warnings: [PredicateDiagnostic]
    /// What the expression is checked and evaluated with. It does not affect equality.
    public let environment: PredicateEnvironment

    /// Creates an expression from a tree built in code.
    public init(
        _ root: ExpressionNode, source: String = "", warnings: [PredicateDiagnostic] = [],
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

    /// Creates an expression from what `FormatParser` returned. Throws its errors.
    public init(
        _ parsed: FormatParser.Parsed<ExpressionNode>, in environment: PredicateEnvironment = .standard
    ) throws(PredicateFailure) {
        if parsed.hasErrors { throw PredicateFailure(parsed.diagnostics, source: parsed.source) }
        self.init(parsed.tree, source: parsed.source, warnings: parsed.diagnostics, in: environment)
    }

    /// See `FormatPredicate.parse`.
    package static func parse(
        _ format: String, arguments: FormatArguments = .unbound, in environment: PredicateEnvironment = .standard
    ) -> FormatParser.Parsed<ExpressionNode> {
        FormatParser.expression(format, arguments: arguments, options: environment.language, limits: environment.limits)
    }

    /// Splits a list of keys and expressions at its commas, except those in quotation marks and brackets.
    package static func list(_ text: String) -> [String] {
        var parts = [""]
        var quote: Character?
        var depth = 0
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if "([{".contains(character) {
                depth += 1
            } else if ")]}".contains(character) {
                depth -= 1
            } else if character == ",", depth <= 0 {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        let isWhole = quote == nil && depth == 0
        let names = isWhole ? parts[...].map { $0[...] } : text.split(separator: ",", omittingEmptySubsequences: false)
        return names.map { $0.trimmingSpaces }
    }

    /// The evaluated object, `SELF`.
    public static let object = FormatExpression(ExpressionNode(.selfObject))

    /// A constant.
    public static func value(_ value: some PredicateValueConvertible & Sendable) -> FormatExpression {
        FormatExpression(ExpressionNode(.value(value.predicateValue)))
    }

    /// A key path with components separated by dots.
    public static func key(_ path: String) -> FormatExpression {
        let components = path.keyPathKeys
        return FormatExpression(ExpressionNode(.keyPath(components)))
    }

    /// The variable `$name`.
    public static func variable(_ name: String) -> FormatExpression {
        FormatExpression(ExpressionNode(.variable(name)))
    }
}

extension FormatExpression: Hashable, CustomStringConvertible, FormatArgumentConvertible {
    public static func == (left: Self, right: Self) -> Bool { left.root == right.root }
    public func hash(into hasher: inout Hasher) { hasher.combine(root) }

    /// The canonical text.
    public var description: String { root.description }

    /// A text that parses to an equal expression; see `FormatPredicate.exactDescription`.
    public var exactDescription: String { root.exactDescription }

    public var formatArgument: FormatArgument { .expression(root) }
}

extension ExpressionNode {
    /// The keys that the expression reads from a record; nil for all.
    /// - Parameter isAggregate: whether a path that begins with a collection operator reads its key from all records.
    package func keysOfRecord(isAggregate: Bool = false) -> Set<String>? {
        var keys: Set<String> = []
        var isLimited = true
        PredicateWalker(expression: { node in
            switch node.kind {
            case .keyPath(let path):
                guard let key = isAggregate ? path.first(where: { !$0.hasPrefix("@") }) : path.first else { return }
                if key == "self" || key.hasPrefix("@") { isLimited = false } else { keys.insert(key) }
            case .selfObject, .variable, .anyKey, .term: isLimited = false
            default: break
            }
        }).walk(self)
        return isLimited ? keys : nil
    }
}
