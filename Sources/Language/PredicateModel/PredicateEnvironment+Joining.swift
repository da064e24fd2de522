// Joins the environments of predicates that are combined. A name that two parts define differently is no error before
// the combination is checked or evaluated, and only if it uses the name.

extension PredicateEnvironment {
    /// The environment of a predicate that is made from parts with two environments. Parts of one environment, such as
    /// the standard one, cost a comparison of two references.
    package func joined(with other: PredicateEnvironment) -> PredicateEnvironment {
        if self === other { return self }
        var (functions, types) = (functions, typeIdentifiers)
        functions.join(other.functions)
        if !types.join(other.typeIdentifiers) { functions.conflicts.insert(ComparisonOperator.utiConformsTo.spelling) }
        if let mine = localeIdentifier, let others = other.localeIdentifier, mine != others {
            functions.conflicts.insert(ComparisonOptions.localeSensitive.spelling)
        }
        if let mine = zoneOfTexts, let others = other.zoneOfTexts, mine != others {
            functions.conflicts.formUnion(FunctionCatalog.dateSelectors)
            functions.conflicts.insert(Self.datesAsTexts)
        }
        return PredicateEnvironment(
            functions: functions, language: language.union(other.language), limits: limits.joined(with: other.limits),
            typeIdentifiers: types, localeIdentifier: localeIdentifier ?? other.localeIdentifier,
            timeZone: timeZone ?? other.timeZone)
    }

    /// The name of the conflict of dates that are written as texts.
    static let datesAsTexts = "dates as texts"

    /// The time zone on which the meaning may depend.
    private var zoneOfTexts: PredicateTimeZone? {
        timeZone ?? (language.isDisjoint(with: [.dates, .typedTexts]) ? nil : zone)
    }

    /// The environment with more extensions of the language.
    package func adding(_ language: LanguageOptions) -> PredicateEnvironment {
        if self.language.isSuperset(of: language) { return self }
        return joined(with: PredicateEnvironment(functions: functions, language: language, limits: limits))
    }

    /// The errors for names in a tree that the parts define differently.
    func conflicts(in tree: PredicateTree) -> [PredicateDiagnostic] {
        let conflicts = functions.conflicts
        if conflicts.isEmpty { return [] }
        var found: [PredicateDiagnostic] = []
        func check(_ name: String, _ span: SourceSpan) {
            if conflicts.contains(name) {
                found.append(PredicateDiagnostic(.conflictingDefinition, at: span, PredicateFunction.shown(name)))
            }
        }
        let walker = PredicateWalker(
            predicate: { node in
                guard case .comparison(let comparison) = node.kind else { return }
                check(comparison.operator.spelling, comparison.operatorSpan)
                if comparison.options.contains(.localeSensitive) {
                    check(ComparisonOptions.localeSensitive.spelling, comparison.operatorSpan)
                }
            },
            expression: { node in
                switch node.kind {
                case .call(let name, _), .method(_, let name, _): check(name, node.span)
                // A key can be the name of a method without arguments.
                case .keyPath(let keys): for key in keys { check(key, node.span) }
                default: break
                }
            })
        tree.walk(by: walker)
        return found
    }
}

extension PredicateLimits {
    /// The lower of each limit.
    fileprivate func joined(with other: PredicateLimits) -> PredicateLimits {
        var limits = self
        limits.inputBytes = min(inputBytes, other.inputBytes)
        limits.nesting = min(nesting, other.nesting)
        limits.nodes = min(nodes, other.nodes)
        limits.diagnostics = min(diagnostics, other.diagnostics)
        limits.steps = min(steps, other.steps)
        limits.time = min(time, other.time)
        limits.elements = min(elements, other.elements)
        limits.translationSteps = min(translationSteps, other.translationSteps)
        limits.proofSteps = min(proofSteps, other.proofSteps)
        limits.patternStates = min(patternStates, other.patternStates)
        limits.patternTime = min(patternTime, other.patternTime)
        return limits
    }
}
