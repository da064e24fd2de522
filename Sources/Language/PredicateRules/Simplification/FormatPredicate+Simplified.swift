// Simplification: returns an equivalent, shorter predicate. Simplifier.swift does the work. TermRisks.swift determines
// which terms may throw and therefore keep their position.

extension FormatPredicate {
    /// Returns an equivalent predicate in a simpler, canonical form. It has the same result for every object.
    ///
    ///     try FormatPredicate("age IN {3, 1} OR age == 2 OR 1 > 2").simplified().description
    ///     // age IN {1, 2, 3}
    ///
    /// Constants are computed, terms and parts of terms that the others prove are removed, conditions on one key are merged,
    /// contradictions and tautologies become constants, and NOT is moved inwards. The terms of AND and OR are sorted
    /// where no term can throw. A term that may throw keeps its position, so an evaluation that fails still fails with
    /// the same message. With a schema, fewer terms may throw: `age > 30 AND age < 20` is a contradiction only if `age`
    /// is a number.
    ///
    /// The result has at most one node more for each comparison, a NOT, counting the elements of constant lists as
    /// nodes. Simplifying it again changes nothing. Some predicates are returned unchanged: those that evaluation
    /// refuses, that assign a variable, draw a random number or use a custom operator, and those with more than 64
    /// levels.
    ///
    /// Without a schema, reading a key of the object itself is assumed never to fail, as for dictionaries.
    ///
    /// - Parameters:
    ///   - schema: the schema of the objects, if it is known. The objects must conform to it.
    ///   - entity: the entity of the objects; nil for the default entity of the schema.
    /// - Complexity: n log n for the number of nodes, and the steps of the proofs that terms are superfluous
    ///   (`PredicateLimits.proofSteps`).
    public func simplified(
        for schema: PredicateSchema? = nil, entity: String? = nil
    ) -> FormatPredicate {
        var simple = self
        // A removed term may have been the only one with an unbound variable, so more may be possible now.
        let steps = ProofSteps(environment.limits)
        for _ in 0..<4 {
            let next = simple.simplifiedOnce(schema, entity, steps)
            if next == simple { break }
            simple = next
        }
        return simple
    }

    private func simplifiedOnce(
        _ schema: PredicateSchema?, _ entity: String?, _ steps: ProofSteps
    ) -> FormatPredicate {
        let binding = Binding()
        guard Prover.takes(root),
            let plan = try? binding.plan(self), !plan.dependsOnOrder
        else { return self }
        var checker: TypeChecker?
        if let schema, let name = entity ?? schema.defaultEntity {
            guard
                let known = try? TypeChecker(schema: schema, entity: name, in: environment),
                !known.check(root, source: source).contains(where: { $0.severity == .error })
            else { return self }
            checker = known
        }
        let risks = TermRisks(
            checker: checker, functions: environment.functions,
            bindsVariables: (try? binding.plan(self, isStrict: true)) != nil,
            leavesTexts: environment.language.contains(.typedTexts))
        return replacingRoot(Simplifier(root, risks, in: environment, steps).simplify(root))
    }
}
