// Simplification: an equal predicate with less in it. Simplifier.swift does the work; TermRisks.swift says which terms
// may raise and therefore keep their place.
public import PredicateModel
import PredicateSyntax

extension FormatPredicate {
    /// Returns a predicate with the same answer for every object, in a simpler and canonical form.
    ///
    ///     try FormatPredicate("age IN {3, 1} OR age == 2 OR 1 > 2").simplified().description
    ///     // age IN {1, 2, 3}
    ///
    /// Constants are computed, double and absorbed terms are removed, conditions on one key are merged, contradictions
    /// and tautologies become constants, and NOT is moved inwards. The terms of AND and OR are sorted where no term
    /// can raise. A term that may raise keeps its place, so an evaluation that fails still fails with the same message.
    /// With a schema fewer terms may raise: `age > 30 AND age < 20` is a contradiction only if `age` is a number.
    ///
    /// The result has at most one node more for each comparison, a NOT, counting the elements of constant lists as
    /// nodes. Simplifying it again changes nothing. A predicate that evaluation refuses, that assigns a variable, draws
    /// a random number or uses an operator of the host is returned unchanged, and so is one of more than 64 levels.
    ///
    /// Without a schema, reading a key of the object itself is assumed not to fail, as for dictionaries.
    ///
    /// - Parameters:
    ///   - schema: the schema of the objects, if it is known; they must conform to it.
    ///   - entity: the entity of the objects; nil for the default entity of the schema.
    ///   - options: the functions and the language options of the evaluation.
    /// - Complexity: n log n for the number of nodes.
    public func simplified(
        for schema: PredicateSchema? = nil, entity: String? = nil, options: EvaluationOptions = EvaluationOptions()
    ) -> FormatPredicate {
        var simple = self
        // A term that is gone may have been what kept others: it alone had an unbound variable.
        for _ in 0..<4 {
            let next = simple.simplifiedOnce(schema, entity, options)
            if next == simple { break }
            simple = next
        }
        return simple
    }

    private func simplifiedOnce(
        _ schema: PredicateSchema?, _ entity: String?, _ options: EvaluationOptions
    ) -> FormatPredicate {
        let binding = Binding(variables: [:], options: options)
        guard Simplifier.takes(root),
            let plan = try? binding.plan(self, isStrict: false).plan, !plan.dependsOnOrder
        else { return self }
        var checker: TypeChecker?
        if let schema, let name = entity ?? schema.defaultEntity {
            guard
                let known = try? TypeChecker(
                    schema: schema, entity: name, catalog: options.functions, options: options.language,
                    limits: options.limits),
                !known.check(root, source: source).contains(where: { $0.severity == .error })
            else { return self }
            checker = known
        }
        let risks = TermRisks(
            checker: checker, functions: options.functions,
            bindsVariables: (try? binding.plan(self, isStrict: true)) != nil)
        let simplifier = Simplifier(risks, options: options)
        return FormatPredicate(simplifier.simplify(root), source: source, warnings: warnings)
    }
}
