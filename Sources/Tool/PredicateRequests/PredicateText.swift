// Reads the predicates and expressions of command lines and requests, with their arguments, variables and
// environment.

/// Options for reading texts.
package struct TextReader {
    package enum Kind: String { case predicate, expression }

    package var kind: Kind
    package var arguments: FormatArguments
    /// Variables to replace in the tree after parsing.
    package var substitutions: PredicateVariables = [:]
    package var environment = PredicateEnvironment.standard
    /// Checks against a schema, if there is one.
    package var checker: TypeChecker?
    /// Checks against other versions of the schema.
    package var otherVersions: [VersionChecker] = []
    /// Reads typed texts by the types that the user declared, if there are any.
    package var declared: TypeChecker?
    /// Checks against a profile, if there is one.
    package var profile: TextProfile?
    /// The clock of `now()`; nil reads the system's clock for each evaluation.
    package var clock: RunClock?
    /// Simplifies predicates; nil unless `--simplify` or `--know` is given.
    package var simplification: Simplification?

    package init(kind: Kind = .predicate, arguments: FormatArguments = .unbound) {
        (self.kind, self.arguments) = (kind, arguments)
    }

    package func read(_ text: String) -> PredicateText {
        let environment = environment.adding(profile?.language ?? [])
        let (prepared, variables) = profile?.prepared(text) ?? (text, [])
        var read: PredicateText
        switch kind {
        case .predicate:
            let parsed = FormatPredicate.parse(prepared, arguments: arguments, in: environment)
            let predicate = FormatPredicate(parsed.tree, source: text, in: environment)
            read = PredicateText(.predicate(predicate), parsed.diagnostics, text)
        case .expression:
            let parsed = FormatExpression.parse(prepared, arguments: arguments, in: environment)
            let expression = FormatExpression(parsed.tree, source: text, in: environment)
            read = PredicateText(.expression(expression), parsed.diagnostics, text)
        }
        read.clock = clock
        read.add(
            variables.map { span in
                let name = SourceText(Array(text.utf8)).text(span)
                return PredicateDiagnostic(
                    .unquotedText, at: span, name, severity: .warning, fixIts: [.init(span, "\"\(name)\"")])
            })
        var checked = read.substituting(substitutions).checked(by: checker).checked(by: profile)
        if !checked.hasErrors { for version in otherVersions { checked.add(version.breaks(checked)) } }
        if let declared { checked.readTexts(by: declared) }
        if let simplification { checked.simplify(simplification, checker) }
        return checked
    }
}

/// How a predicate is simplified.
package struct Simplification {
    /// The values of keys that are known; nil if none are given.
    package var known: [String: PredicateValue]?
    /// The variable whose keys are known; nil if keys of the object are.
    package var prefix: String?

    package init(known: [String: PredicateValue]? = nil, prefix: String? = nil) {
        (self.known, self.prefix) = (known, prefix)
    }
}

/// The checks of a program that supports a part of the language.
package struct TextProfile {
    let language: LanguageOptions
    /// The checker of keys; nil if keys are not checked.
    let keys: TypeChecker?
    /// Returns the text without what the program replaces before it parses the text, and the spans of words that it
    /// replaces and that are not quoted.
    let prepared: (String) -> (text: String, variables: [SourceSpan])
    /// Returns the diagnostics of a tree, and which other diagnostics do not concern the program. The spans are those of
    /// words that are no keys.
    let check: (PredicateTree, [SourceSpan]) -> (found: [PredicateDiagnostic], isDropped: (PredicateDiagnostic) -> Bool)
    /// Adds the name of the program to a diagnostic; nil drops it.
    let named: (PredicateDiagnostic) -> PredicateDiagnostic?
}

/// A text that was read, with its diagnostics.
package struct PredicateText {
    package enum Tree {
        case predicate(FormatPredicate)
        case expression(FormatExpression)
    }

    package private(set) var tree: Tree
    /// All diagnostics, in the order of the text.
    package private(set) var diagnostics: [PredicateDiagnostic] = []
    /// The diagnostics of the parser and of replacing variables.
    private var syntax: [PredicateDiagnostic]
    /// The diagnostics that neither the parser nor the type checker finds.
    private var others: [PredicateDiagnostic] = []
    /// The exit code for a command that only parses and checks the text.
    package private(set) var code: ExitCode
    package let source: String
    package fileprivate(set) var clock: RunClock?

    /// - Parameter syntax: the diagnostics of the parser.
    package init(_ tree: Tree, _ syntax: [PredicateDiagnostic], _ source: String) {
        self.tree = tree
        self.syntax = syntax
        self.source = source
        code = .success
        diagnostics = findings(of: .text(environment))
        code = ExitCode(checking: diagnostics)
    }

    private func findings(of checker: TypeChecker, assumesKeys: Bool = false) -> [PredicateDiagnostic] {
        let found = syntaxTree.findings(source: source, syntax: syntax, by: checker, assumesKeys: assumesKeys)
        return others.isEmpty ? found : Findings(found + others, limit: checker.environment.limits.diagnostics).inOrder
    }

    /// The diagnostics that are true of all objects: those of the text if each of its words is a key.
    package var early: [PredicateDiagnostic] {
        diagnostics.isEmpty ? [] : findings(of: .text(environment), assumesKeys: true)
    }

    /// The run for evaluating the text, with its clock.
    package var run: PredicateRun { PredicateRun(clock: clock?.seconds) }

    package var environment: PredicateEnvironment {
        switch tree {
        case .predicate(let predicate): predicate.environment
        case .expression(let expression): expression.environment
        }
    }

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// The text of Apple's predicateFormat, which cannot be parsed again if it has constants without a literal form.
    package var predicateFormat: String { written({ $0.description }, { $0.description }) }

    /// The canonical text, with tags for constants and keys without a literal form.
    package var canonical: String { written({ CanonicalPrinter.readable($0) }, { CanonicalPrinter.readable($0) }) }

    /// The tree, one node per line.
    package var treeText: String { TreeDump.dump(syntaxTree) }

    /// The tree as JSON.
    package var treeValue: PredicateValue { syntaxTree.value }

    package var syntaxTree: PredicateTree {
        switch tree {
        case .predicate(let predicate): predicate.tree
        case .expression(let expression): expression.tree
        }
    }

    /// The canonical text over several lines.
    package func pretty(width: Int) -> String {
        let printer = PrettyPrinter(width: width)
        return written({ printer.print($0) }, { printer.print($0) })
    }

    /// The format with `%@` for every value and `%K` for every key without a literal form.
    package var redacted: String { written({ ExactForm($0).format }, { ExactForm($0).format }) }

    /// What the function for the kind of the root returns.
    private func written(
        _ predicate: (PredicateNode) -> String, _ expression: (ExpressionNode) -> String
    ) -> String {
        switch syntaxTree {
        case .predicate(let root): predicate(root)
        case .expression(let root): expression(root)
        }
    }

    /// Adds a diagnostic if the text is not in canonical form.
    package mutating func compareSpelling() {
        guard !hasErrors, source != canonical else { return }
        let whole = SourceSpan(0, source.utf8.count)
        diagnostics.append(PredicateDiagnostic(.notCanonical, at: whole, fixIts: [.init(whole, canonical)]))
        code = .negative
    }

    /// Returns the text with its variables replaced. If any values are given, a variable without a value is an error;
    /// if none are given, all variables stay.
    package func substituting(_ variables: PredicateVariables) -> PredicateText {
        guard !variables.isEmpty, !hasErrors else { return self }
        var text = self
        do throws(PredicateFailure) {
            switch tree {
            case .predicate(let predicate): text.tree = .predicate(try predicate.substituting(variables))
            case .expression(let expression): text.tree = .expression(try expression.substituting(variables))
            }
        } catch {
            text.syntax += error.diagnostics
            text.diagnostics += error.diagnostics
            text.code = ExitCode(checking: text.diagnostics)
        }
        return text
    }

    /// The text with the diagnostics of a schema. A text with syntax errors keeps its exit code.
    package func checked(by checker: TypeChecker?) -> PredicateText {
        guard let checker else { return self }
        return found(findings(of: checker))
    }

    /// Returns the text with the warnings of a check by types. Its errors are left to evaluation or translation.
    package func warned(by checker: TypeChecker?) -> PredicateText {
        guard let checker, !hasErrors else { return self }
        var text = self
        text.diagnostics = checked(by: checker).diagnostics.filter { $0.severity != .error }
        return text
    }

    /// Returns the text with the early warnings and those of a check by the types of objects.
    package func warned(byTypesOfObjects checker: TypeChecker?) -> PredicateText {
        guard let checker, !hasErrors else { return self }
        var text = self
        let early = early
        let typed = warnings(byTypesOfObjects: checker, beside: early)
        // That a comparison is constant says more than a note about it.
        let others = early.filter { early in
            early.severity != .note || !typed.contains { $0.id == .comparisonConstant && $0.span.contains(early.span) }
        }
        text.diagnostics = (others + typed).ordered { $0.span.start < $1.span.start }
        return text
    }

    /// The warnings that the types of objects add to the early ones. Evaluation finds a list where one value was meant, and
    /// a key that no object has, to be different from every value, so these errors are warnings.
    package func warnings(
        byTypesOfObjects checker: TypeChecker?, beside early: [PredicateDiagnostic]
    ) -> [PredicateDiagnostic] {
        guard let checker, !hasErrors else { return [] }
        return checked(by: checker).diagnostics.compactMap { found in
            var found = found
            let isSilent = found.id == .toManyKey || found.id == .unknownKey && found.suggestion != nil
            if isSilent { found.severity = .warning }
            let isKnown = early.contains { $0.id == found.id && $0.span == found.span }
            return found.severity == .error || isKnown ? nil : found
        }
    }

    /// The diagnostics of the text and those of its failed evaluation or translation, each of which has the advice of the
    /// check of the text, or of one by the types of the objects.
    package func diagnostics(
        after failure: PredicateFailure, _ checker: TypeChecker? = nil
    ) -> [PredicateDiagnostic] {
        diagnostics.merged(with: advising(failure.diagnostics, by: checker))
    }

    /// The diagnostics of a failed evaluation, with what the checks say about the same part of the text. The evaluation
    /// knows the types of the values.
    package func advising(_ failed: [PredicateDiagnostic], by checker: TypeChecker?) -> [PredicateDiagnostic] {
        let known = diagnostics + (checker.map { checked(by: $0).diagnostics } ?? [])
        let advised = failed.map { failure in
            let aboutTypes: [DiagnosticID] = [.operandType, .stringOperand, .notACollection]
            let same = known.first { found in
                let isSame =
                    found.id == failure.id
                    || [.typeMismatch, .toManyKey].contains(found.id) && aboutTypes.contains(failure.id)
                let isLess = found.label.map { failure.label?.contains($0) ?? false } ?? false
                return isSame && found.span == failure.span && found.hasAdvice && !isLess
            }
            return same.map { failure.advised(by: $0) } ?? failure
        }
        guard advised == failed, let failure = failed.first, failed.count == 1, failure.label == nil else {
            return advised
        }
        let term = term(around: failure.span)
        let errors = known.filter { $0.severity == .error && $0.label != nil && term.contains($0.span) }
        // A quantifier that does not fit is the whole reason.
        return errors.first { failure.id == .notACollection && $0.id == .quantifierOverSingle }.map { [$0] }
            ?? failed + errors
    }

    /// The span of the comparison with a part of it.
    private func term(around part: SourceSpan) -> SourceSpan {
        var found = part
        syntaxTree.walk(
            by: PredicateWalker(predicate: { node in
                if case .comparison = node.kind, node.span.contains(part) { found = node.span }
            }))
        return found
    }

    /// Reads the typed texts of a text without errors, and adds the notes and errors about them.
    fileprivate mutating func readTexts(by checker: TypeChecker) {
        if hasErrors { return }
        let found = checker.check(syntaxTree, source).diagnostics.filter { $0.id == .typedText || $0.id == .unreadText }
        if found.isEmpty { return }
        add(found)
        switch tree {
        case .predicate(let predicate): tree = .predicate(predicate.reading(by: checker))
        case .expression(let expression): tree = .expression(expression.reading(by: checker))
        }
    }

    /// Simplifies a predicate without errors.
    fileprivate mutating func simplify(_ simplification: Simplification, _ checker: TypeChecker?) {
        guard case .predicate(var predicate) = tree, !hasErrors else { return }
        if let known = simplification.known {
            do throws(PredicateFailure) {
                let shared = simplification.prefix == nil ? predicate.warnings(knowingKeys: Set(known.keys)) : []
                add(
                    shared.map { PredicateDiagnostic($0.id, at: $0.span, details: [$0.details[0], Self.prefixAdvice]) })
                predicate = try predicate.partial(knowing: known, as: simplification.prefix).predicate
            } catch {
                return add(error.diagnostics)
            }
        }
        tree = .predicate(predicate.simplified(for: checker?.schema, entity: checker?.entity))
    }

    private static let prefixAdvice = "for the known value, write $user.KEY and add --know-as user"

    /// Adds diagnostics about the meaning of the text.
    package mutating func add(_ findings: [PredicateDiagnostic]) {
        others += findings
        self = found(diagnostics + findings)
    }

    /// The text with exactly these diagnostics.
    private func found(_ diagnostics: [PredicateDiagnostic]) -> PredicateText {
        var text = self
        text.diagnostics = diagnostics
        if text.hasErrors {
            if code != .syntax { text.code = .refused }
        } else if code != .negative {
            // A profile may know what the parser does not.
            text.code = .success
        }
        return text
    }

    package mutating func replace(_ body: (PredicateDiagnostic) -> PredicateDiagnostic) {
        diagnostics = diagnostics.map(body)
    }

    /// The text with the diagnostics of a profile.
    fileprivate func checked(by checker: TextProfile?) -> PredicateText {
        guard let checker else { return self }
        let words = others.filter { $0.id == .unquotedText }.map { $0.span }
        let (rules, isDropped) = checker.check(syntaxTree, words)
        var text = checked(by: checker.keys)
        text.others += rules
        let all = text.diagnostics.compactMap(checker.named).filter { !isDropped($0) } + rules
        return text.found(all.ordered { $0.span.start < $1.span.start })
    }

    /// The text without diagnostics, except for syntax errors.
    package var withoutFindings: PredicateText {
        guard code != .syntax else { return self }
        var text = self
        text.diagnostics = []
        text.code = .success
        return text
    }

    /// Evaluates the text for an object. Returns a Boolean for a predicate.
    package func evaluate(_ object: PredicateValue, variables: PredicateVariables) throws(PredicateFailure)
        -> PredicateValue
    {
        switch tree {
        case .predicate(let predicate):
            .bool(try predicate.evaluate(object, variables: variables, run: run))
        case .expression(let expression):
            try expression.evaluate(object, variables: variables, run: run)
        }
    }
}

/// Checks predicates against another version of a model.
package struct VersionChecker {
    private let version: String
    /// nil if the version does not have the entity.
    private let checker: TypeChecker?
    private let entity: String

    package init(version: String, checker: TypeChecker?, entity: String) {
        (self.version, self.checker, self.entity) = (version, checker, entity)
    }

    /// The errors of a predicate in this version.
    fileprivate func breaks(_ read: PredicateText) -> [PredicateDiagnostic] {
        guard let checker else {
            let whole = SourceSpan(0, read.source.utf8.count)
            return [PredicateDiagnostic(.modelVersion, at: whole, version, "there is no entity '\(entity)'", "")]
        }
        return read.checked(by: checker).diagnostics.filter { $0.severity == .error }.map {
            PredicateDiagnostic(.modelVersion, at: $0.span, version, $0.message, $0.label ?? "")
        }
    }
}
