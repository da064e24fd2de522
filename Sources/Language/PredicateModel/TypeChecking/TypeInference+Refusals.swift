// Finds what cannot be evaluated, whatever the types: unknown functions, methods and classes, malformed patterns,
// constructs that this package refuses, and parts without a value.

extension TypeInference {
    /// Reports a construct that cannot be evaluated. It is only a warning in a check of a text alone, because another
    /// program may evaluate it.
    func refuse(_ diagnostic: PredicateDiagnostic) {
        var diagnostic = diagnostic
        if checker.refuses { diagnostic.severity = .error }
        findings.append(diagnostic)
    }

    func refuse(
        _ id: DiagnosticID, at span: SourceSpan, _ details: String..., suggestion: String? = nil,
        fixIts: [PredicateDiagnostic.FixIt] = []
    ) {
        refuse(PredicateDiagnostic(id, at: span, details: details, suggestion: suggestion, fixIts: fixIts))
    }

    /// Checks all nodes below a refused expression, whose types are not inferred.
    func refuse(below node: ExpressionNode) {
        PredicateWalker(
            predicate: { node in if case .comparison(let comparison) = node.kind { self.refuse(comparison) } },
            expression: { self.refuse($0) }
        ).walk(node)
    }

    /// Reports a part of the text that the parser could not read, in a tree that will be evaluated.
    func refuse(unread span: SourceSpan) {
        if needsValues { refuse(.expectedExpression, at: span, "a text that could not be read") }
    }

    /// Checks an expression without its children.
    func refuse(_ node: ExpressionNode) {
        switch node.kind {
        case .call(let name, let arguments): refuse(call: name, arguments.count, node.span)
        case .method(_, let selector, let arguments):
            let functions = checker.environment.functions
            guard let refusal = functions.refusal(ofMethod: selector, argumentCount: arguments.count, at: node.span)
            else { return }
            let name = selector.prefix { $0 != ":" }
            let known = functions.methods.first { $0.arity == arguments.count + 1 && $0.name.hasPrefix(name) }
            refuse(refusal, name: selector, meant: known?.name)
        case .cast(_, let type) where !checker.environment.functions.castTypes.contains(type):
            let types = checker.environment.functions.castTypes
            let meant = SyntaxSelector.castClass(named: type) ?? Suggestions.nearest(to: type, in: types)
            refuse(PredicateDiagnostic(.refusedCast, at: node.span, type), name: type, meant: meant)
        case .fetch: refuse(.refusedFetch, at: node.span)
        case .member(let base, let step): refuse(member: base, step, node.span)
        case .anyKey where checker.refuses: refuse(.valueExpected, at: node.span, "ANYKEY")
        case .term(let name, _) where checker.refuses:
            refuse(.unsupportedFunction, at: node.span, name)
        case .indexSymbol(let symbol) where needsValues:
            refuse(.indexSymbol, at: node.span, symbol.rawValue)
        case .argument(let conversion) where needsValues:
            refuse(.unboundArgument, at: node.span, conversion.spelling)
        case .error: refuse(unread: node.span)
        default: break
        }
    }

    /// Refuses a quoted name, and suggests another one in its place.
    private func refuse(_ diagnostic: PredicateDiagnostic, name: String, meant: String?) {
        guard let meant, let place = SourceText(source).lastPlace(of: name, in: diagnostic.span) else {
            return refuse(diagnostic)
        }
        refuse(
            PredicateDiagnostic(
                diagnostic.id, at: place, details: diagnostic.details, suggestion: meant,
                fixIts: [.init(place, meant)]))
    }

    private func refuse(call name: String, _ count: Int, _ span: SourceSpan) {
        let catalog = checker.environment.functions
        let shown = PredicateFunction.shown(name)
        let function = catalog.function(named: name)
        if function?.arity == count { return }
        if let arity = function?.arity ?? catalog.arity(ofShown: shown) {
            let letters = ["a", "b", "c"].prefix(arity).joined(separator: ", ")
            let advice = arity > 3 ? "" : "write \(shown)(\(letters))"
            return refuse(.functionArguments, at: span, shown, PredicateFunction.count(arity), "\(count)", advice)
        }
        let names = catalog.functionNames.map(PredicateFunction.shown)
        let place = SourceSpan(span.start, min(span.end, span.start + shown.utf8.count))
        // A misspelt name has the arguments of the function.
        let typo = Suggestions.nearest(to: shown, in: names.filter { $0 != "noindex" })
            .flatMap { (catalog.arity(ofShown: $0) ?? count) == count ? $0 : nil }
        let nearest = FunctionCatalog.synonyms[shown.lowercased()] ?? typo
        // A method call without arguments, `name.lower()`, is written as a function of its object here.
        let isMethod = count == 0 && place.start > 0 && place.end <= source.count && source[place.start - 1] == 0x2E
        let known = FunctionCatalog.advice(for: shown, argumentCount: count)
        let fits = nearest.map { catalog.arity(ofShown: $0) ?? count } == count
        let advice = known ?? (count == 0 ? "a key has no parentheses: write \(shown)" : "")
        let suggestion = isMethod ? nearest.map { "\($0)(…)" } : nearest
        refuse(
            .unknownFunction, at: place, shown, advice, suggestion: known == nil ? suggestion : nil,
            fixIts: isMethod || known != nil || !fits ? [] : nearest.map { [.init(place, $0)] } ?? [])
    }

    /// Refuses `a.d[0]`: Apple evaluates `d[0]` first, but `(a.d)[0]` is meant (LANGUAGE C 6).
    private func refuse(member base: ExpressionNode, _ step: ExpressionNode, _ span: SourceSpan) {
        guard case .index = step.kind else { return }
        var (list, brackets) = (step, "")
        while case .index(let inner, let index) = list.kind { (list, brackets) = (inner, "[\(index)]" + brackets) }
        let bracket = list.span.end
        refuse(
            .indexAfterPath, at: span, "\(step)", "\(base)", "(\(base).\(list))" + brackets,
            fixIts: span == .none
                ? [] : [.init(SourceSpan(span.start, span.start), "("), .init(SourceSpan(bracket, bracket), ")")])
    }

    /// Checks the operator of a comparison.
    func refuse(_ comparison: ComparisonNode) {
        switch comparison.operator {
        case .custom(let selector) where checker.environment.functions.operators[selector] == nil:
            let isOfClass = selector == "isKindOfClass:" || selector == "isMemberOfClass:"
            refuse(
                .refusedOperator, at: comparison.operatorSpan, selector,
                isOfClass ? "the class of an object is not known: compare a key of your own, such as type" : "")
        case .tokenMatches: refuse(.tokenMatches, at: comparison.operatorSpan)
        // Evaluation compiles the pattern next, which finds the same error.
        case .matches where !needsValues: refuse(pattern: comparison.right, comparison.options)
        default: break
        }
        if !hasLocale, comparison.options.contains(.localeSensitive) {
            refuse(.unsupportedFunction, at: comparison.operatorSpan, "[l] without Foundation")
        }
    }

    private func refuse(pattern node: ExpressionNode, _ options: ComparisonOptions) {
        guard case .value(.string(let pattern)) = node.kind, !pattern.isEmpty else { return }
        do {
            _ = try TextPattern.matches(pattern, options: options, limits: checker.environment.limits)
        } catch {
            refuse(.malformedPattern, at: node.span, error.reason)
        }
    }
}
