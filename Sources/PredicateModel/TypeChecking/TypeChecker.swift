// The package's one type checker: a predicate against a schema, before any object is seen. The schema is one of a store, of
// a file, or of types that are published in Swift (`Schema(of:)`). How types are inferred is in
// TypeInference.swift, what the operators make of them in TypeInference+Comparisons.swift and FunctionTypes.swift.
public import PredicateSyntax

/// Checks predicates about the objects of one entity.
///
///     let checker = try TypeChecker(schema: schema, entity: "Person")
///     checker.check(FormatPredicate.parse("nam == 'Ada'"))  // error[schema-key]: Person has no key 'nam'
///
/// Errors are what would end every evaluation and what is refused; warnings are comparisons whose outcome no object can
/// change. nil suits everything, and nothing is said of values whose type is unknown: unbound variables and arguments,
/// keys of dictionaries, attributes of type `any`, functions of the host.
public struct TypeChecker: Sendable {
    public let schema: Schema
    /// The entity of the objects that are tested: `SELF`.
    public let entity: String
    public let catalog: FunctionCatalog
    public let options: LanguageOptions
    public let limits: Limits
    /// What an unknown key is called: `.unknownKey` where the schema describes published types instead of a store.
    public var unknownKey: DiagnosticID
    /// What variables stand for, by name, and whether a predicate is bound to them: nil where they are not known yet.
    package var variables: [String: FormatArgument]?

    /// - Throws: `unknown-entity`, with the nearest name.
    public init(
        schema: Schema, entity: String, catalog: FunctionCatalog = .standard, options: LanguageOptions = [],
        limits: Limits = .standard
    ) throws(PredicateFailure) {
        guard schema.entity(entity) != nil else {
            let nearest = Suggestions.nearest(to: entity, in: schema.entityNames)
            throw PredicateFailure(Diagnostic(.unknownEntity, at: .none, entity, suggestion: nearest))
        }
        self.schema = schema
        unknownKey = schema.unknownKey
        self.entity = entity
        self.catalog = catalog
        self.options = options
        self.limits = limits
    }

    /// Every finding about a predicate that was read: the reader's and this checker's, in the order of the text. What
    /// the reader only warns of, because it parses and prints, is an error here: a checked predicate can be bound.
    public func check(_ parsed: Parsed<PredicateNode>) -> [Diagnostic] {
        check(parsed.tree, source: parsed.source, adding: parsed.diagnostics)
    }

    /// Every finding about an expression that was read, and the type of its value.
    public func check(_ parsed: Parsed<ExpressionNode>) -> (type: ExpressionType, diagnostics: [Diagnostic]) {
        check(parsed.tree, source: parsed.source, adding: parsed.diagnostics)
    }

    /// Every finding about a predicate. Cost: linear in the number of its nodes.
    ///
    /// - Parameters:
    ///   - source: the text that the spans of the tree refer to, for places inside key paths; empty for a tree
    ///     built in code.
    ///   - diagnostics: what is known already and shall be among the result.
    public func check(
        _ tree: PredicateNode, source: String = "", adding diagnostics: [Diagnostic] = []
    ) -> [Diagnostic] {
        if let tooHigh = limits.exceeded(by: tree.height) { return merge(diagnostics + [tooHigh], []) }
        let refused = Checker(source: source, catalog: catalog, limits: limits).check(tree, adding: [])
        return checkTypes(tree, source: source, adding: diagnostics + refused)
    }

    /// The same for a predicate that `FormatPredicate.parse` has read with this catalogue: what it found is not looked for
    /// again.
    package func checkTypes(_ tree: PredicateNode, source: String, adding diagnostics: [Diagnostic]) -> [Diagnostic] {
        if let tooHigh = limits.exceeded(by: tree.height) { return merge(diagnostics + [tooHigh], []) }
        let inference = TypeInference(self, source: source)
        inference.checkAll(tree)
        return merge(diagnostics, inference.diagnostics)
    }

    /// Every finding about an expression, and the type of its value. See `check(_:source:adding:)` of predicates.
    public func check(
        _ tree: ExpressionNode, source: String = "", adding diagnostics: [Diagnostic] = []
    ) -> (type: ExpressionType, diagnostics: [Diagnostic]) {
        if let tooHigh = limits.exceeded(by: tree.height) { return (.any, merge(diagnostics + [tooHigh], [])) }
        let refused = Checker(source: source, catalog: catalog, limits: limits).check(tree, adding: [])
        let inference = TypeInference(self, source: source)
        let type = inference.inferAll(tree)
        return (type, merge(diagnostics + refused, inference.diagnostics))
    }

    /// What `check` without a schema only warns of and binding refuses (LANGUAGE C 7), or fails for every object.
    package static let refusals: Set<DiagnosticID> = [
        .refusedMethod, .refusedOperator, .refusedCast, .refusedFetch, .tokenMatches, .unsupportedFunction,
        .indexAfterPath, .betweenOperand,
    ]

    private func merge(_ given: [Diagnostic], _ inferred: [Diagnostic]) -> [Diagnostic] {
        if given.isEmpty, inferred.isEmpty { return [] }
        struct Place: Hashable {
            let id: DiagnosticID
            let span: SourceSpan
            let details: [String]
        }
        let unknown = inferred.filter { $0.id == unknownKey }.map(\.span)
        var seen: Set<Place> = []
        var found: [Diagnostic] = []
        for var diagnostic in given + inferred {
            if Self.refusals.contains(diagnostic.id) { diagnostic.severity = .error }
            switch diagnostic.id {
            case .bareKeysCompared, .hyphenatedKey:
                // Guesses at what a word means. The schema knows: they are right only where it has no such key.
                let span = diagnostic.span
                guard unknown.contains(where: { $0.start >= span.start && $0.end <= span.end }) else { continue }
            default: break
            }
            let place = Place(id: diagnostic.id, span: diagnostic.span, details: diagnostic.details)
            // Nodes of a tree built in code, or out of one argument, share a place; they may well share a mistake.
            if seen.insert(place).inserted { found.append(diagnostic) }
        }
        // Warnings give way first: a predicate with an error must not look fine.
        let kept = (found.filter { $0.severity == .error } + found.filter { $0.severity != .error })
            .prefix(limits.diagnostics)
        return kept.enumerated().sorted { ($0.element.span.start, $0.offset) < ($1.element.span.start, $1.offset) }
            .map(\.element)
    }
}

extension Limits {
    /// The finding about a tree that is too high: checking and evaluating recurse as deep as the tree is high, and a tree
    /// built in code may be of any height.
    package func exceeded(by height: Int32) -> Diagnostic? {
        guard height > nesting else { return nil }
        return Diagnostic(.limitExceeded, at: .none, "the predicate is nested too deep", "\(nesting)")
    }
}
