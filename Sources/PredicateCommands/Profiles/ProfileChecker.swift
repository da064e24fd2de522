// Checks a predicate against a profile: reports unsupported constructs, unknown keys and unknown words.

import PredicateModel
import PredicateSyntax

struct ProfileChecker {
    let profile: Profile
    /// Whether to check keys against the profile. False if the user gave a schema.
    var checksKeys = true
    /// Whether the predicate may have arguments, even if the profile does not allow them.
    var takesArguments = false

    /// The checker of keys; nil if keys are not checked.
    private var keys: TypeChecker? {
        guard checksKeys, let schema = profile.schema, let entity = schema.defaultEntity else { return nil }
        let environment = PredicateEnvironment.standard.adding(profile.language)
        var checker = try? TypeChecker(schema: schema, entity: entity, in: environment)
        checker?.unknownKey = .profileKey
        return checker
    }

    /// The checks of a text.
    var textProfile: TextProfile { TextProfile(profile.language, keys: keys, check: check, named: named) }

    /// Checks a tree by the profile's rules.
    /// - Returns: the diagnostics of the rules, and which other diagnostics do not concern the program of the profile.
    private func check(_ tree: PredicateTree) -> (found: [Diagnostic], isDropped: (Diagnostic) -> Bool) {
        let walk = ConstructWalk(profile)
        switch tree {
        case .predicate(let node): walk.visit(node)
        case .expression(let node): walk.visit(node)
        }
        if takesArguments { walk.diagnostics.removeAll { $0.details.dropFirst().first == "an argument" } }
        let allowsTokens = profile.allows(.operators, "TOKENMATCHES")
        return (
            walk.diagnostics,
            { diagnostic in
                switch diagnostic.id {
                case .unsupportedFunction: walk.terms.contains(diagnostic.span)
                case .unknownFunction, .refusedMethod, .refusedCast:
                    diagnostic.details.first.map(profile.additions.contains) == true
                case .tokenMatches: allowsTokens
                case .wildcardEquality: walk.variables.contains(diagnostic.span)
                case .profileKey, .bareKeysCompared:
                    walk.words.contains { $0.start <= diagnostic.span.start && diagnostic.span.end <= $0.end }
                default: false
                }
            }
        )
    }

    /// Adds the profile's name to a diagnostic about a key. If the profile does not list all keys, keeps only likely
    /// misspellings.
    private func named(_ diagnostic: Diagnostic) -> Diagnostic? {
        guard diagnostic.id == .profileKey else { return diagnostic }
        let key = diagnostic.details.last ?? ""
        let suggestion = profile.synonyms[key] ?? diagnostic.suggestion
        if profile.isOpen && suggestion == nil { return nil }
        let isRoot = diagnostic.details.first == profile.schema?.defaultEntity
        let owner = isRoot ? profile.name : "\(profile.name), in \(diagnostic.details.first ?? ""),"
        return Diagnostic(
            .profileKey, at: diagnostic.span, owner, key, isRoot ? profile.keyAdvice : "",
            severity: profile.isOpen ? .warning : .error, suggestion: suggestion,
            fixIts: profile.synonyms[key].map { [.init(diagnostic.span, $0)] } ?? diagnostic.fixIts)
    }
}

/// Visits a tree and collects the diagnostics of the profile's rules.
private final class ConstructWalk {
    let profile: Profile
    var diagnostics: [Diagnostic] = []
    /// The spans of unquoted words that are values.
    var words: [SourceSpan] = []

    var terms: Set<SourceSpan> = []
    /// The spans of texts that the program replaces, such as `"%NAME%"`.
    var variables: Set<SourceSpan> = []

    init(_ profile: Profile) { self.profile = profile }

    // MARK: Rules

    private func use(_ section: Profile.Section, _ name: String, at span: SourceSpan) {
        guard let rule = profile.rules[section] else { return }
        if let advice = rule.not[name] {
            refuse(section, name, advice, span)
        } else if let only = rule.only, !only.contains(name) {
            refuse(section, name, rule.instead, span)
        } else if let reason = rule.doubtful[name] {
            diagnostics.append(Diagnostic(.profileDoubt, at: span, profile.name, section.title(name), reason))
        }
    }

    private func refuse(_ section: Profile.Section, _ name: String, _ advice: String, _ span: SourceSpan) {
        diagnostics.append(Diagnostic(.profileConstruct, at: span, profile.name, section.title(name), advice))
    }

    // MARK: Trees; recursive, limited by Limits.nesting

    func visit(_ node: PredicateNode) {
        switch node.kind {
        case .constant(let value): use(.forms, value ? "TRUEPREDICATE" : "FALSEPREDICATE", at: node.span)
        case .comparison(let comparison): visit(comparison, node.span)
        case .and: use(.compounds, "AND", at: node.span)
        case .or: use(.compounds, "OR", at: node.span)
        case .not: use(.compounds, "NOT", at: node.span)
        case .error: break
        }
        node.kind.forEachChild({ visit($0) }, { visit($0) })
    }

    private func visit(_ comparison: ComparisonNode, _ span: SourceSpan) {
        let place = comparison.operatorSpan == .none ? span : comparison.operatorSpan
        use(.operators, comparison.operator.spelling, at: place)
        if comparison.modifier != .direct { use(.quantifiers, comparison.modifier.spelling, at: span) }
        for (letter, option) in ComparisonOptions.letters where comparison.options.contains(option) {
            // A profile may list an option for a single operator: `TOKENMATCHES[c]`.
            let own = "\(comparison.operator.spelling)[\(letter)]"
            use(.options, profile.allows(.options, own) ? own : String(letter), at: place)
        }
        if comparison.right.readsObject { use(.forms, "a right side that is no constant", at: comparison.right.span) }
        if let sign = profile.variableSign, case .value(.string(let text)) = comparison.right.kind, text.count > 2,
            text.hasPrefix(sign), text.hasSuffix(sign)
        {
            variables.insert(comparison.right.span)
        }
        checkWords(comparison.left, comparison.right)
        checkWords(comparison.right, comparison.left)
        checkValues(comparison, comparison.left, comparison.right)
        checkValues(comparison, comparison.right, comparison.left)
    }

    /// Checks the texts that a key is compared with, and comparisons of the order of versions.
    private func checkValues(_ comparison: ComparisonNode, _ key: ExpressionNode, _ other: ExpressionNode) {
        guard case .keyPath(let keys) = key.kind, let name = keys.last else { return }
        switch comparison.operator {
        case .equal, .notEqual, .in:
            guard keys.count == 1, let known = profile.texts[name] else { return }
            var candidates = [other]
            if case .aggregate(let elements) = other.kind { candidates = elements }
            for candidate in candidates {
                guard case .value(.string(let text)) = candidate.kind,
                    !known.contains(where: {
                        comparison.options.isEmpty ? $0 == text : $0.lowercased() == text.lowercased()
                    })
                else { continue }
                let nearest = Suggestions.nearest(to: text, in: known)
                diagnostics.append(
                    Diagnostic(
                        .profileValue, at: candidate.span, profile.name, text, name, known.joined(separator: ", "),
                        severity: .warning, suggestion: nearest == text ? nil : nearest))
            }
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .between:
            guard let advice = profile.versions[name] else { return }
            if case .value(.string) = other.kind {} else if comparison.operator != .between { return }
            diagnostics.append(
                Diagnostic(.versionOrder, at: key.span.joined(other.span), profile.name, name, advice))
        default: break
        }
    }

    /// Checks the unquoted words that a key is compared with.
    private func checkWords(_ key: ExpressionNode, _ other: ExpressionNode) {
        guard case .keyPath(let keys) = key.kind, keys.count == 1, let values = profile.values[keys[0]] else { return }
        var candidates = [other]
        if case .aggregate(let elements) = other.kind { candidates = elements }
        for candidate in candidates {
            guard case .keyPath(let word) = candidate.kind, word.count == 1, profile.values[word[0]] == nil else {
                continue
            }
            words.append(candidate.span)
            guard !values.contains(word[0]) else { continue }
            diagnostics.append(
                Diagnostic(
                    .profileValue, at: candidate.span, profile.name, word[0], keys[0],
                    values.joined(separator: ", "), suggestion: Suggestions.nearest(to: word[0], in: values)))
        }
    }

    func visit(_ node: ExpressionNode) {
        switch node.kind {
        case .keyPath(let keys): visit(keys, node.span)
        case .term(let name, let argument): visit(term: name, argument, node.span)
        case .call(let name, _): use(.functions, name, at: node.span)
        default: if let form = node.profileForm { use(.forms, form, at: node.span) }
        }
        node.kind.forEachChild({ visit($0) }, { visit($0) })
    }

    private func visit(_ keys: [String], _ span: SourceSpan) {
        var plain = 0
        for key in keys {
            if key.hasPrefix("@") { use(.aggregates, key, at: span) } else { plain += 1 }
        }
        if plain > 1 { use(.forms, "a key path", at: span) }
    }

    private func visit(term name: String, _ argument: String, _ span: SourceSpan) {
        terms.insert(span)
        let spelling = "@" + name
        guard let term = profile.terms[spelling] else {
            let nearest = Suggestions.nearest(to: spelling, in: profile.terms.keys.sorted())
            diagnostics.append(Diagnostic(.profileTerm, at: span, profile.name, "term", spelling, suggestion: nearest))
            return
        }
        guard !term.isOpen, !term.names.contains(argument) else { return }
        let nearest = Suggestions.nearest(to: argument, in: term.names.sorted())
        diagnostics.append(
            Diagnostic(.profileTerm, at: span, profile.name, spelling, argument, suggestion: nearest))
    }
}

extension ExpressionNode {
    /// The name of the form in a profile; nil for nodes that every program supports.
    fileprivate var profileForm: String? {
        switch kind {
        case .binary(let binary, _, _): binary.isSetOperator ? "set operators" : "arithmetic"
        case .negation: "arithmetic"
        case .method: "FUNCTION"
        case .cast: "CAST"
        case .aggregate: "lists"
        case .ternary: "TERNARY"
        case .subquery: "SUBQUERY"
        case .index: "an index"
        case .fetch: "FETCH"
        case .assignment: "an assignment"
        case .variable: "a variable"
        case .anyKey: "ANYKEY"
        case .selfObject: "SELF"
        case .argument: "an argument"
        default: nil
        }
    }
}

extension ExpressionNode {
    /// Whether the value depends on the object. A variable is replaced before.
    fileprivate var readsObject: Bool {
        switch kind {
        case .keyPath, .selfObject, .member: return true
        case .value, .variable, .argument: return false
        default:
            var found = false
            kind.forEachChild({ _ in found = true }, { if $0.readsObject { found = true } })
            return found
        }
    }
}
