// Hints about a predicate, and all findings of a text together.

extension FormatPredicate {
    /// Returns advice: legal text that is probably a mistake. Parsing and compiling do not look for it.
    ///
    ///     let checker = try TypeChecker(schema: schema, entity: "Person")
    ///     let percent = try FormatPredicate("name LIKE 'ann%'").hints()    // the wildcard of LIKE is *
    ///     let bare = try FormatPredicate("name == Kyle").hints(for: checker)    // none if Person has the key 'Kyle'
    ///
    /// - Parameter checker: the checker of the objects, if their types are known. Then the advice includes comparisons
    ///   whose result does not depend on the object.
    /// - Returns: warnings in the order of the text.
    /// - Complexity: linear in the predicate.
    public func hints(for checker: TypeChecker? = nil) -> [PredicateDiagnostic] {
        PredicateTree.predicate(root).hints(source, checker ?? .text(environment))
    }
}

extension FormatExpression {
    /// Returns advice; see `FormatPredicate.hints(for:)`.
    public func hints(for checker: TypeChecker? = nil) -> [PredicateDiagnostic] {
        PredicateTree.expression(root).hints(source, checker ?? .text(environment))
    }
}

extension PredicateDiagnostic {
    /// Whether a hint says how to write what a check of types refuses.
    fileprivate func isAdvice(on type: PredicateDiagnostic) -> Bool {
        switch type.id {
        case .functionArguments: id == .operatorKey && span == type.span
        case .comparisonConstant: id == .listOperand && type.span.contains(span)
        default: id == type.id && span == type.span && hasAdvice
        }
    }
}

extension PredicateTree {
    fileprivate func hints(_ source: String, _ checker: TypeChecker) -> [PredicateDiagnostic] {
        findings(source: source, by: checker).filter { $0.severity != .error }
    }

    /// All findings of a text: those of the parser, hints, and those of a checker. Each is found once: the hints for a
    /// check with types leave out what the types decide.
    /// - Parameters:
    ///   - syntax: the diagnostics of the parser.
    ///   - assumesKeys: whether to assume that each word is a key of the objects.
    package func findings(
        source: String, syntax: [PredicateDiagnostic] = [], by checker: TypeChecker, assumesKeys: Bool = false
    ) -> [PredicateDiagnostic] {
        let types = checker.check(self, source).diagnostics
        if checker.environment.limits.exceeded(by: height) != nil { return types }
        let unknownKeys = types.filter { $0.id == checker.unknownKey }.map { $0.span }
        let reader = HintReader(
            SourceText(Array(source.utf8)), checker, isBesideErrors: syntax.contains { $0.severity == .error },
            unknownKeys: checker.reportsTypes || assumesKeys ? unknownKeys : nil)
        reader.read(self)
        let found = (syntax + reader.hints).map { reader.knowingKeys($0) }
        let advised = types.map { type in
            reader.decided.first { $0.isAdvice(on: type) }.map { type.advised(by: $0) } ?? type
        }
        // A mistake in a comparison is the reason why it is constant.
        func isExplained(_ constant: PredicateDiagnostic) -> Bool {
            reader.isBesideErrors
                || reader.hints.contains { $0.severity == .warning && constant.span.contains($0.span) }
        }
        // What the types say about the parts of such a key is a consequence.
        let replaced = found.filter { $0.suggestion?.hasPrefix("SELF.\"") ?? false }.map { $0.span }
        let others = advised.filter { type in
            !replaced.contains { $0.start <= type.span.start && type.span.start < $0.end }
                && !(type.id == .comparisonConstant && isExplained(type))
        }
        return Findings(found + others, limit: checker.environment.limits.diagnostics).inOrder
    }
}
