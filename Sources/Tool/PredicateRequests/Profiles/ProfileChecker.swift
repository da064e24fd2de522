// Checks a predicate against a profile: reports unsupported constructs, unknown keys and unknown words.

package struct ProfileChecker {
    let profile: Profile
    /// Whether to check keys against the profile. False if the user gave a schema.
    let checksKeys: Bool
    /// Whether the predicate may have arguments, even if the profile does not allow them.
    var takesArguments = false

    package init(profile: Profile, checksKeys: Bool = true) { (self.profile, self.checksKeys) = (profile, checksKeys) }

    /// The checker of keys; nil if keys are not checked.
    private var keys: TypeChecker? {
        guard checksKeys, let schema = profile.schema, let entity = schema.defaultEntity else { return nil }
        let environment = PredicateEnvironment.standard.adding(profile.language)
        var checker = try? TypeChecker(schema: schema, entity: entity, in: environment)
        checker?.unknownKey = .profileKey
        checker?.terms = profile.termTypes
        return checker
    }

    /// The checks of a text.
    package var textProfile: TextProfile {
        TextProfile(
            language: profile.language, keys: keys, prepared: profile.prepared, check: check, named: named)
    }

    /// Checks a tree by the profile's rules.
    /// - Parameter words: the spans of words that are no keys.
    /// - Returns: the diagnostics of the rules, and which other diagnostics do not concern the program of the profile.
    private func check(
        _ tree: PredicateTree, words: [SourceSpan]
    ) -> (found: [PredicateDiagnostic], isDropped: (PredicateDiagnostic) -> Bool) {
        let walk = ConstructWalk(profile)
        walk.words = words
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
                        || walk.diagnostics.contains { $0.span.start == diagnostic.span.start }
                case .tokenMatches: allowsTokens
                case .unknownCollectionOperator where walk.diagnostics.contains { $0.span == diagnostic.span }: true
                case .unknownCollectionOperator, .operatorKey:
                    diagnostic.details.first.map { profile.additions.contains($0) || profile.terms[$0] != nil } == true
                case .unquotedText: walk.counts.contains(diagnostic.span)
                case .wildcardEquality: walk.variables.contains(diagnostic.span)
                case .comparisonConstant, .literalsCompared:
                    walk.words.contains { $0.start == diagnostic.span.start }
                        || walk.variables.contains {
                            diagnostic.span.start <= $0.start && $0.end <= diagnostic.span.end
                        }
                case .profileKey, .bareKeysCompared, .hyphenatedKey:
                    walk.words.contains { $0.start <= diagnostic.span.start && diagnostic.span.end <= $0.end }
                default: false
                }
            }
        )
    }

    private var lacksArguments: Bool { !takesArguments && profile.rules[.forms]?.not["an argument"] != nil }

    /// A detail of a diagnostic without the advice to use what the program of the profile lacks.
    private func possible(_ detail: String) -> String {
        var detail = detail
        for (name, option) in LanguageOptions.named where !profile.language.contains(option) {
            if detail == LanguageOptions.advice(name) { return "" }
            // What stands behind it belongs to it: `, or use the extension dates and date.year`.
            for suffix in DatePart.allCases.map({ " and date.\($0.rawValue)" }) + [""] {
                detail = detail.replacing(LanguageOptions.or(name) + suffix, with: "")
            }
        }
        if lacksArguments, detail.hasSuffix(" or %K") { detail.removeLast(6) }
        // Such lists name no unions.
        let hasUnions = profile.rules[.aggregates]?.only == nil
        return hasUnions ? detail : detail.replacing("flatten them: @unionOfArrays, or ", with: "")
    }

    /// Adds the profile's name to a diagnostic about a key. If the profile does not list all keys, keeps only likely
    /// misspellings.
    private func named(_ found: PredicateDiagnostic) -> PredicateDiagnostic? {
        var diagnostic = found.mappingDetails(possible)
        let label = diagnostic.suggestion == nil ? diagnostic.label ?? "" : ""
        if lacksArguments, ["%@", "%K"].contains(where: label.contains) {
            diagnostic = diagnostic.advised("write the value itself")
        }
        if diagnostic.id == .bareKey, case let details = diagnostic.details, details.count > 1, !details[1].isEmpty,
            case let word = details[0], profile.values.values.contains(where: { $0.contains(word) })
        {
            // `messageType == error OR fault`
            let place = SourceSpan(diagnostic.span.start, diagnostic.span.start)
            return PredicateDiagnostic(
                .bareKey, at: diagnostic.span, details: details, suggestion: details[1] + word,
                fixIts: [.init(place, details[1])])
        }
        guard diagnostic.id == .profileKey else { return diagnostic }
        let key = diagnostic.details.last ?? ""
        let suggestion = profile.synonyms[key] ?? diagnostic.suggestion
        if profile.isOpen && suggestion == nil { return nil }
        let isRoot = diagnostic.details.first == profile.schema?.defaultEntity
        let owner = isRoot ? profile.name : "\(profile.name), in \(diagnostic.details.first ?? ""),"
        return PredicateDiagnostic(
            .profileKey, at: diagnostic.span, owner, key, isRoot ? profile.keyAdvice : "",
            severity: profile.isOpen ? .warning : .error, suggestion: suggestion,
            fixIts: profile.synonyms[key].map { [.init(diagnostic.span, $0)] } ?? diagnostic.fixIts)
    }
}

/// Visits a tree and collects the diagnostics of the profile's rules.
private final class ConstructWalk {
    let profile: Profile
    var diagnostics: [PredicateDiagnostic] = []
    /// The spans of unquoted words that are values.
    var words: [SourceSpan] = []

    var terms: Set<SourceSpan> = []
    /// The spans of texts that the program replaces, such as `"%NAME%"`.
    var variables: Set<SourceSpan> = []
    /// The spans of operands that are compared with a number: `%NAME% > 4`.
    var counts: Set<SourceSpan> = []

    init(_ profile: Profile) { self.profile = profile }

    // MARK: Rules

    private func use(_ section: Profile.Section, _ name: String, at span: SourceSpan) {
        guard let rule = profile.rules[section] else { return }
        if let advice = rule.not[name] {
            refuse(section, name, advice, span)
        } else if let only = rule.only, !only.contains(name) {
            refuse(section, name, rule.instead, span)
        } else if let reason = rule.doubtful[name] {
            diagnostics.append(PredicateDiagnostic(.profileDoubt, at: span, profile.name, section.title(name), reason))
        }
    }

    private func refuse(_ section: Profile.Section, _ name: String, _ advice: String, _ span: SourceSpan) {
        diagnostics.append(PredicateDiagnostic(.profileConstruct, at: span, profile.name, section.title(name), advice))
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
        for (key, other) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
            if case .value(.string(let text)) = key.kind, profile.hasVariable(text) { variables.insert(key.span) }
            if case .value(let value) = other.kind, value.isNumber { counts.insert(key.span) }
            check(comparison, key, other)
        }
        if comparison.right.readsObject, !words.contains(comparison.right.span) {
            use(.forms, "a right side that is no constant", at: comparison.right.span)
        }
    }

    /// Checks what a key or a term is compared with.
    private func check(_ comparison: ComparisonNode, _ key: ExpressionNode, _ other: ExpressionNode) {
        var name = ""
        // Whether a word must be a text without quotes, because no key has its name: `process == sudo`.
        var isText = !profile.isOpen || profile.rules[.forms]?.not["a right side that is no constant"] != nil
        switch key.kind {
        case .keyPath(let keys):
            checkVersion(comparison, key, other, keys.last ?? "")
            guard keys.count == 1 else { return }
            name = keys[0]
            if case .attribute(let attribute)? = profile.key(name), attribute.type == .string {} else { isText = false }
        case .term: break
        default: return
        }
        let (values, texts) = (profile.values[name], profile.texts[name] ?? [])
        func report(_ word: String, at span: SourceSpan, _ known: [String], _ severity: PredicateDiagnostic.Severity) {
            let nearest = Suggestions.nearest(to: word, in: known)
            diagnostics.append(
                PredicateDiagnostic(
                    .profileValue, at: span, profile.name, word, name, known.joined(separator: ", "),
                    severity: severity, suggestion: nearest == word ? nil : nearest))
        }
        let members = if case .aggregate(let elements) = other.kind { elements } else { [other] }
        for candidate in members {
            switch candidate.kind {
            case .keyPath(let path) where path.count == 1 && values != nil && profile.values[path[0]] == nil:
                words.append(candidate.span)
                if let values, !values.contains(path[0]) { report(path[0], at: candidate.span, values, .error) }
            case .keyPath(let path)
            where path.count == 1 && (isText || texts.contains(path[0])) && profile.key(path[0]) == nil
                && !path[0].hasPrefix("@"):
                words.append(candidate.span)
                diagnostics.append(
                    PredicateDiagnostic(
                        .unquotedText, at: candidate.span, path[0], fixIts: [.init(candidate.span, "\"\(path[0])\"")]))
            case .value(.string(let text)) where [.equal, .notEqual, .in].contains(comparison.operator):
                let isKnown = texts.contains {
                    comparison.options.isEmpty ? $0 == text : $0.lowercased() == text.lowercased()
                }
                if !isKnown, !texts.isEmpty { report(text, at: candidate.span, texts, .warning) }
            default: break
            }
        }
    }

    /// Checks comparisons of the order of versions.
    private func checkVersion(
        _ comparison: ComparisonNode, _ key: ExpressionNode, _ other: ExpressionNode, _ name: String
    ) {
        guard let advice = profile.versions[name] else { return }
        switch comparison.operator {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            guard case .value(.string) = other.kind else { return }
        case .between: break
        default: return
        }
        diagnostics.append(
            PredicateDiagnostic(.versionOrder, at: key.span.joined(other.span), profile.name, name, advice))
    }

    func visit(_ node: ExpressionNode) {
        switch node.kind {
        case .keyPath(let keys): visit(keys, node.span)
        case .term(let name, let argument): visit(term: name, argument, node.span)
        case .call(let name, _) where profile.terms["@" + name.dropLast()] != nil:
            return miss(term: name, node.span, insert: "@")
        case .call(let name, _): use(.functions, name, at: node.span)
        case .binary(.subtract, let left, let right) where hyphenated(left, right) != nil:
            // `board-id` is `board_id`.
            let meant = hyphenated(left, right) ?? ""
            words.append(node.span)
            diagnostics.append(
                PredicateDiagnostic(
                    .profileKey, at: node.span, profile.name, "\(left)-\(right)", suggestion: meant,
                    fixIts: [.init(node.span, meant)]))
        default: if let form = node.profileForm { use(.forms, form, at: node.span) }
        }
        node.kind.forEachChild({ visit($0) }, { visit($0) })
    }

    /// The key that is written with an underscore in place of the hyphen between two words.
    private func hyphenated(_ left: ExpressionNode, _ right: ExpressionNode) -> String? {
        guard case .keyPath(let first) = left.kind, case .keyPath(let second) = right.kind, first.count == 1,
            second.count == 1, right.span.start == left.span.end + 1,
            case let key = first[0] + "_" + second[0], profile.key(key) != nil
        else { return nil }
        return key
    }

    /// Reports a term that lacks a part of its form.
    private func miss(term name: String, _ span: SourceSpan, insert start: String, _ end: String = "") {
        words.append(span)
        diagnostics.append(
            PredicateDiagnostic(
                .profileKey, at: span, profile.name, name.filter { $0 != ":" },
                suggestion: start + (end.isEmpty ? "\(name.dropLast())(…)" : name + end),
                fixIts: [
                    .init(SourceSpan(span.start, span.start), start), .init(SourceSpan(span.end, span.end), end),
                ]))
    }

    private func visit(_ keys: [String], _ span: SourceSpan) {
        let path = keys.joined(separator: ".")
        if let term = profile.terms.first(where: { $0.value.names.contains(path) }) {
            return miss(term: path, span, insert: term.key + "(", ")")
        }
        var plain = 0
        for key in keys {
            if profile.terms[key] != nil {
                diagnostics.append(
                    PredicateDiagnostic(
                        .profileKey, at: span, profile.name, key, "write \(key)(item) with the name of an item"))
            }
            if key.hasPrefix("@") { use(.aggregates, key, at: span) } else { plain += 1 }
            if key == keys[0], key.hasPrefix("@"), !profile.terms.isEmpty, profile.terms[key] == nil,
                CollectionOperator.named(key) == nil
            {
                let names = profile.terms.keys.sorted().map { $0 + "(…)" }.joined(separator: ", ")
                diagnostics.append(
                    PredicateDiagnostic(.profileTerm, at: span, profile.name, "term", key, "there are " + names))
            }
        }
        if plain > 1 { use(.forms, "a key path", at: span) }
        if let reason = profile.doubtfulKeys[path] {
            diagnostics.append(PredicateDiagnostic(.profileDoubt, at: span, profile.name, "the key '\(path)'", reason))
        }
    }

    private func visit(term name: String, _ argument: String, _ span: SourceSpan) {
        terms.insert(span)
        let spelling = "@" + name
        guard let term = profile.terms[spelling] else {
            let nearest = Suggestions.nearest(to: spelling, in: profile.terms.keys.sorted())
            diagnostics.append(
                PredicateDiagnostic(
                    .profileTerm, at: span, profile.name, "term", spelling,
                    suggestion: nearest.map { "\($0)(\(argument))" }))
            return
        }
        // An item may be an object with items of its own.
        guard !term.isOpen, !term.names.contains(where: { argument == $0 || argument.hasPrefix($0 + ".") }) else {
            return
        }
        let names = term.names.sorted()
        let nearest = names.first { $0.hasPrefix(argument + ".") } ?? Suggestions.nearest(to: argument, in: names)
        diagnostics.append(
            PredicateDiagnostic(
                .profileTerm, at: span, profile.name, spelling, argument,
                suggestion: nearest.map { "\(spelling)(\($0))" }))
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
