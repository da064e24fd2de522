// The only type checker: it checks a predicate against a schema, without objects. The schema may describe a store, a
// file, or published Swift types (`PredicateSchema(of:)`). One walk over the tree (TypeInference.swift) infers the
// types, checks operators and functions, and refuses what cannot be evaluated.

/// Checks predicates for the objects of one entity.
///
///     let checker = try TypeChecker(schema: schema, entity: "Person")
///     checker.check(try FormatPredicate(text: "nam == 'Ada'"))    // error[unknown-key]: Person has no key 'nam'
///
/// Errors are constructs that fail in every evaluation or are refused; warnings are comparisons whose result does not
/// depend on the object. nil is allowed everywhere. Values of unknown type are not checked: variables that the caller
/// declares, unbound arguments, keys of dictionaries, attributes of type `any`, functions of the app.
public struct TypeChecker: Sendable {
    package let schema: PredicateSchema
    /// The entity of the evaluated objects, `SELF`.
    package let entity: String
    /// The functions and extensions that predicates may use, and the limits on trees and diagnostics.
    package let environment: PredicateEnvironment
    /// The ID for an unknown key.
    package var unknownKey = DiagnosticID.unknownKey
    /// The types of terms by their text without the sign: `status(mdm.app)`. A term without one may have any type.
    package var terms: [String: ExpressionType] = [:]
    /// The type of the evaluated objects; nil for objects of `entity`.
    let row: ExpressionType?
    /// The values of the variables by name; nil if they are unknown.
    package var variables: [String: FormatArgument]?
    /// Whether operands of the wrong type are reported. False for objects of any type, because a term that would fail
    /// may never be evaluated.
    package let reportsTypes: Bool
    /// Whether it reads constant texts as the types of the keys, if the environment has the extension. False for types
    /// that other records may not have.
    package var readsTexts = true
    /// Whether constructs that evaluation refuses are errors. False for a check of a text alone.
    let refuses: Bool

    /// - Throws: `unknown-entity`, with the nearest name.
    public init(
        schema: PredicateSchema, entity: String, in environment: PredicateEnvironment = .standard
    ) throws(PredicateFailure) {
        try schema.require(entity: entity)
        self.schema = schema
        self.entity = entity
        row = nil
        (reportsTypes, refuses) = (true, true)
        self.environment = environment
    }

    /// Creates a checker for objects of a type that the schema certainly has, or of any type.
    package init(
        rows: ExpressionType = .any, schema: PredicateSchema = .empty, in environment: PredicateEnvironment,
        reportsTypes: Bool, refuses: Bool = true
    ) {
        (self.reportsTypes, self.refuses) = (reportsTypes, refuses)
        self.schema = schema
        entity = ""
        row = rows
        self.environment = environment
    }

    /// A checker that reads the texts of expressions about a list of the objects, such as `@max.due`.
    package var ofLists: TypeChecker {
        let rows = ExpressionType(.collection(.list, of: row ?? ExpressionType(.entity(entity))))
        var checker = TypeChecker(rows: rows, schema: schema, in: environment, reportsTypes: true)
        checker.readsTexts = readsTexts
        return checker
    }

    /// Creates a checker of texts alone. Constructs that evaluation refuses are warnings, because another program may
    /// evaluate them.
    package static func text(_ environment: PredicateEnvironment) -> TypeChecker {
        TypeChecker(in: environment, reportsTypes: false, refuses: false)
    }

    /// Returns what `check` of a parsed text returns, for a text that has no syntax errors.
    public func check(
        _ predicate: FormatPredicate, declaring variables: Set<String> = []
    ) -> [PredicateDiagnostic] {
        check(.predicate(predicate.root), predicate.source, adding: predicate.warnings) { $0.declared = variables }
            .diagnostics
    }

    /// Returns all errors of a parsed predicate, from the parser and from this checker, in text order: a predicate
    /// without errors can be bound. Also returns warnings about comparisons whose result does not depend on the object.
    /// Other advice is in `hints(for:)` of PredicateRules.
    ///
    /// - Parameters:
    ///   - parsed: what the parser returned for the text.
    ///   - variables: the names of the variables that will have a value. Any other one is an error, unless SUBQUERY or an
    ///     assignment sets it.
    public func check(
        _ parsed: FormatParser.Parsed<PredicateNode>, declaring variables: Set<String> = []
    ) -> [PredicateDiagnostic] {
        check(.predicate(parsed.tree), parsed.source, adding: parsed.diagnostics) { $0.declared = variables }
            .diagnostics
    }

    /// Returns the type of a parsed expression and all diagnostics.
    public func check(
        _ parsed: FormatParser.Parsed<ExpressionNode>, declaring variables: Set<String> = []
    ) -> (type: ExpressionType, diagnostics: [PredicateDiagnostic]) {
        check(.expression(parsed.tree), parsed.source, adding: parsed.diagnostics) { $0.declared = variables }
    }

    /// Returns all diagnostics of a predicate. Cost: linear in the number of nodes.
    ///
    /// - Parameters:
    ///   - tree: the predicate.
    ///   - source: the text that the tree's spans refer to, used to find positions inside key paths; empty for a tree
    ///     built in code.
    ///   - diagnostics: earlier diagnostics to include in the result.
    package func check(
        _ tree: PredicateNode, source: String = "", adding diagnostics: [PredicateDiagnostic] = []
    ) -> [PredicateDiagnostic] {
        check(.predicate(tree), source, adding: diagnostics).diagnostics
    }

    /// Returns the type of an expression and all its diagnostics. See `check(_:source:adding:)` for predicates.
    package func check(
        _ tree: ExpressionNode, source: String = "", adding diagnostics: [PredicateDiagnostic] = []
    ) -> (type: ExpressionType, diagnostics: [PredicateDiagnostic]) {
        check(.expression(tree), source, adding: diagnostics)
    }

    package func check(
        _ tree: PredicateTree, _ source: String, adding diagnostics: [PredicateDiagnostic] = []
    ) -> (type: ExpressionType, diagnostics: [PredicateDiagnostic]) {
        check(tree, source, adding: diagnostics) { _ in }
    }

    /// Returns all diagnostics of a predicate whose rows will be changed or deleted. A comparison whose types never meet
    /// is an error, and so is a predicate that is true for every row, unless it consists of TRUEPREDICATE.
    package func check(change tree: PredicateNode, source: String) -> [PredicateDiagnostic] {
        var inference: TypeInference?
        let found = check(.predicate(tree), source) {
            $0.isChange = true
            inference = $0
        }.diagnostics
        guard tree.comparesValues, !found.contains(where: { $0.severity == .error }), let inference else {
            return found
        }
        let refusal: PredicateDiagnostic
        if !Prover.takes(tree) {
            refusal = tree.refusedForChange("it is nested too deeply to check that it leaves out a row")
        } else if isNeverFalse(tree, source, knowing: inference.constants) {
            refusal = tree.changesEveryRow
        } else {
            return found
        }
        return Findings(found + [refusal], limit: environment.limits.diagnostics).inOrder
    }

    /// Whether it is proven that no object makes a predicate false. It may throw for objects of the wrong type; such a
    /// condition does not select rows either.
    /// - Parameter constants: the results of comparisons that do not depend on the object.
    private func isNeverFalse(
        _ tree: PredicateNode, _ source: String, knowing constants: [ComparisonNode: Bool]
    ) -> Bool {
        guard case .predicate(let root) = reading(.predicate(tree), source: source) else { return false }
        let rules = OperatorRules(in: environment)
        let known = KnownParts(value: { try? rules.constant($0) }, outcome: { constants[$0].map { Outcomes($0) } })
        var prover = Prover(.predicate(root), types: self, known: known)
        let formula = prover.read(root)
        return prover.refutes([(formula, .false)])
    }

    /// Returns the diagnostics of a tree that will be evaluated. Evaluation relies on the absence of errors.
    ///
    /// - Parameters:
    ///   - isStrict: whether a variable without a value is an error.
    ///   - hasLocale: whether texts can be compared by a locale.
    ///   - findsConstants: whether to report comparisons whose result does not depend on the object.
    package func check(
        binding tree: PredicateTree, source: String, isStrict: Bool, hasLocale: Bool, findsConstants: Bool
    ) -> [PredicateDiagnostic] {
        check(tree, source) { inference in
            (inference.needsValues, inference.declared) = (true, isStrict ? [] : nil)
            (inference.hasLocale, inference.findsConstants) = (hasLocale, findsConstants)
        }.diagnostics
    }

    /// The only walk over a tree that finds errors.
    func check(
        _ tree: PredicateTree, _ source: String, adding diagnostics: [PredicateDiagnostic] = [],
        configure: (TypeInference) -> Void
    ) -> (type: ExpressionType, diagnostics: [PredicateDiagnostic]) {
        var found = Findings(diagnostics, limit: environment.limits.diagnostics)
        if let tooHigh = environment.limits.exceeded(by: tree.height) {
            found.append(tooHigh)
            return (.any, found.inOrder)
        }
        for conflict in environment.conflicts(in: tree) { found.append(conflict) }
        let inference = TypeInference(self, tree, source: source, adding: found)
        configure(inference)
        let type = inference.checkAll()
        return (type, inference.findings.inOrder)
    }
}

extension PredicateLimits {
    /// The diagnostic for a tree that is too high, or nil. Checking and evaluation recurse, and trees built in code can
    /// have any height.
    package func exceeded(by height: Int32) -> PredicateDiagnostic? {
        let nesting = min(nesting, ThreadStack.height(PredicateLimits.standard.nesting, for: height))
        guard height > nesting else { return nil }
        return PredicateDiagnostic(.limitExceeded, at: .none, "the predicate is nested too deep", "\(nesting)")
    }
}
