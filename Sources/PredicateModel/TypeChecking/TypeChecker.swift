// The only type checker: it checks a predicate against a schema, without objects. The schema may describe a store, a
// file, or published Swift types (`PredicateSchema(of:)`). One walk over the tree (TypeInference.swift) infers the
// types, checks operators and functions, and applies FormRules.swift.
public import PredicateSyntax

/// Checks predicates for the objects of one entity.
///
///     let checker = try TypeChecker(schema: schema, entity: "Person")
///     checker.check(FormatPredicate.parse("nam == 'Ada'"))    // error[schema-key]: Person has no key 'nam'
///
/// Errors are constructs that fail in every evaluation or are refused; warnings are comparisons whose result does not
/// depend on the object. nil is allowed everywhere. Values of unknown type are not checked: unbound variables and
/// arguments, keys of dictionaries, attributes of type `any`, functions of the app.
public struct TypeChecker: Sendable {
    package let schema: PredicateSchema
    /// The entity of the evaluated objects, `SELF`.
    package let entity: String
    /// The functions, methods and operators that predicates may use.
    package let catalog: FunctionCatalog
    /// The language extensions that predicates may use.
    package let options: LanguageOptions
    /// The limits on trees and diagnostics.
    package let limits: PredicateLimits
    /// The ID for an unknown key: `.unknownKey` if the schema describes published types rather than a store.
    package var unknownKey: DiagnosticID
    /// The type of the evaluated objects; nil for objects of `entity`.
    let row: ExpressionType?
    /// The values of the variables by name; nil if they are unknown.
    package var variables: [String: FormatArgument]?
    /// Whether operands of the wrong type are reported. False for objects of any type, because a term that would fail
    /// may never be evaluated.
    private let reportsTypes: Bool

    /// - Throws: `unknown-entity`, with the nearest name.
    public init(
        schema: PredicateSchema, entity: String, catalog: FunctionCatalog = .standard, options: LanguageOptions = [],
        limits: PredicateLimits = .standard
    ) throws(PredicateFailure) {
        guard schema.entity(entity) != nil else {
            let nearest = Suggestions.nearest(to: entity, in: schema.entityNames)
            throw PredicateFailure(Diagnostic(.unknownEntity, at: .none, entity, suggestion: nearest))
        }
        self.schema = schema
        unknownKey = schema.unknownKey
        self.entity = entity
        row = nil
        reportsTypes = true
        self.catalog = catalog
        self.options = options
        self.limits = limits
    }

    /// Creates a checker for objects of a type that the schema certainly has, or of any type.
    package init(
        rows: ExpressionType = .any, schema: PredicateSchema = .empty, catalog: FunctionCatalog,
        options: LanguageOptions, limits: PredicateLimits, reportsTypes: Bool
    ) {
        self.reportsTypes = reportsTypes
        self.schema = schema
        unknownKey = schema.unknownKey
        entity = ""
        row = rows
        self.catalog = catalog
        self.options = options
        self.limits = limits
    }

    /// Returns all diagnostics of a parsed predicate, from the parser and from this checker, in text order. Constructs
    /// that can be parsed and printed but not evaluated are warnings of the parser and errors here: a predicate without
    /// errors can be bound.
    public func check(_ parsed: Parsed<PredicateNode>) -> [Diagnostic] {
        check(parsed.tree, source: parsed.source, adding: parsed.diagnostics)
    }

    /// Returns the type of a parsed expression and all diagnostics.
    public func check(_ parsed: Parsed<ExpressionNode>) -> (type: ExpressionType, diagnostics: [Diagnostic]) {
        check(parsed.tree, source: parsed.source, adding: parsed.diagnostics)
    }

    /// Returns all diagnostics of a predicate. Cost: linear in the number of nodes.
    ///
    /// - Parameters:
    ///   - tree: the predicate.
    ///   - source: the text that the tree's spans refer to, used to find positions inside key paths; empty for a tree
    ///     built in code.
    ///   - diagnostics: earlier diagnostics to include in the result.
    package func check(
        _ tree: PredicateNode, source: String = "", adding diagnostics: [Diagnostic] = []
    ) -> [Diagnostic] {
        let rules = FormRules(
            source: source, catalog: catalog, limits: limits, options: options, purpose: .schema)
        return check(.predicate(tree), source, diagnostics, rules).diagnostics
    }

    /// Returns the type of an expression and all its diagnostics. See `check(_:source:adding:)` for predicates.
    package func check(
        _ tree: ExpressionNode, source: String = "", adding diagnostics: [Diagnostic] = []
    ) -> (type: ExpressionType, diagnostics: [Diagnostic]) {
        let rules = FormRules(
            source: source, catalog: catalog, limits: limits, options: options, purpose: .schema)
        return check(.expression(tree), source, diagnostics, rules)
    }

    /// Returns all diagnostics of a predicate whose rows will be changed or deleted. A comparison whose types never meet
    /// is an error, and so is a predicate that is true for every row, unless it consists of TRUEPREDICATE.
    package func check(change tree: PredicateNode, source: String) -> [Diagnostic] {
        let rules = FormRules(
            source: source, catalog: catalog, limits: limits, options: options, purpose: .schema)
        return check(.predicate(tree), source, [], rules, isChange: true).diagnostics
    }

    /// Returns all diagnostics of a tree that will be evaluated. Evaluation relies on the absence of errors.
    ///
    /// - Parameters:
    ///   - isStrict: whether a variable without a value is an error.
    ///   - hasLocale: whether texts can be compared by a locale.
    package func check(
        binding tree: PredicateTree, source: String, adding warnings: [Diagnostic], isStrict: Bool, hasLocale: Bool
    ) -> [Diagnostic] {
        // Parsing may have used another function catalogue, so refusals are computed again with this one.
        let known = reportsTypes ? warnings.filter { !Self.refusals.contains($0.id) } : []
        let rules = FormRules(
            source: source, catalog: catalog, limits: limits, options: options, purpose: .evaluation,
            hasLocale: hasLocale,
            findsMistakes: source.isEmpty)
        return check(tree, source, known, rules, needsVariables: isStrict).diagnostics
    }

    private func check(
        _ tree: PredicateTree, _ source: String, _ known: [Diagnostic], _ rules: FormRules,
        needsVariables: Bool = false, isChange: Bool = false
    ) -> (type: ExpressionType, diagnostics: [Diagnostic]) {
        if let tooHigh = limits.exceeded(by: tree.height) { return (.any, merge(known + [tooHigh], [])) }
        let inference = TypeInference(self, tree, source: source, rules, needsVariables: needsVariables)
        inference.isChange = isChange
        let type = inference.checkAll()
        let given = known + inference.formFindings.inOrder
        return (type, merge(given, reportsTypes ? inference.diagnostics : []))
    }

    /// Diagnostics that are warnings without a schema but errors here, because binding refuses the construct (LANGUAGE
    /// C 7) or every evaluation fails.
    package static let refusals: Set<DiagnosticID> = [
        .refusedMethod, .refusedOperator, .refusedCast, .refusedFetch, .tokenMatches, .unsupportedFunction,
        .indexAfterPath, .betweenOperand,
    ]

    /// Diagnostics that guess the meaning of a word. They are dropped if the schema has the key.
    package static let guesses: Set<DiagnosticID> = [.bareKeysCompared, .hyphenatedKey]

    /// Diagnostics of a check without schema that are replaced by a check with types.
    package static let decidedByTypes: Set<DiagnosticID> = [
        .comparisonConstant, .operatorKey, .unknownCollectionOperator,
    ]

    /// Warnings of a check without schema that are errors where the types confirm them.
    private static let confirmedByTypes: Set<DiagnosticID> = [.operandType, .stringOperand]

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
        // A warning of a check without schema, which has advice, replaces the same finding by types.
        var errors: Set<Place> = []
        for diagnostic in inferred where Self.confirmedByTypes.contains(diagnostic.id) {
            errors.insert(Place(id: diagnostic.id, span: diagnostic.span, details: []))
        }
        for var diagnostic in given.filter({ !Self.decidedByTypes.contains($0.id) }) + inferred {
            if errors.contains(Place(id: diagnostic.id, span: diagnostic.span, details: [])) {
                diagnostic.severity = .error
                let place = Place(id: diagnostic.id, span: diagnostic.span, details: [])
                guard seen.insert(place).inserted else { continue }
            } else if diagnostic.id == .operandType, diagnostic.severity == .warning {
                // The checker's options allow it: `+` may join texts.
                continue
            }
            if Self.refusals.contains(diagnostic.id) { diagnostic.severity = .error }
            if Self.guesses.contains(diagnostic.id) {
                let span = diagnostic.span
                guard unknown.contains(where: { $0.start >= span.start && $0.end <= span.end }) else { continue }
            }
            let place = Place(id: diagnostic.id, span: diagnostic.span, details: diagnostic.details)
            // Nodes of a tree built in code, or from one argument, may have the same span and the same mistake.
            if seen.insert(place).inserted { found.append(diagnostic) }
        }
        // At the limit, drop warnings before errors.
        let kept = (found.filter { $0.severity == .error } + found.filter { $0.severity != .error })
            .prefix(limits.diagnostics)
        return kept.ordered { $0.span.start < $1.span.start }
    }
}

extension PredicateLimits {
    /// The diagnostic for a tree that is too high, or nil. Checking and evaluation recurse, and trees built in code can
    /// have any height.
    package func exceeded(by height: Int32) -> Diagnostic? {
        let nesting = min(nesting, ThreadStack.height(PredicateLimits.standard.nesting, for: height))
        guard height > nesting else { return nil }
        return Diagnostic(.limitExceeded, at: .none, "the predicate is nested too deep", "\(nesting)")
    }
}
