// Makes an object for which a term has a wanted outcome: an object of the tests with the least changes that
// LeastChanges finds for each condition on the way to the term.

extension RuleCoverage {
    /// A part of the predicate and the outcome that it needs.
    struct Condition: Sendable {
        let node: PredicateNode
        let isTrue: Bool

        /// The predicate that is true if the part has this outcome.
        var predicate: PredicateNode { isTrue ? node : PredicateNode(.not(node), span: node.span) }
    }

    /// The maximum number of objects from which changes are tried.
    private static let objectLimit = 16

    /// Returns a small object for which a term is evaluated and true, or false: one of the given objects, or an empty
    /// one, with few changes, and only with the keys that matter.
    ///
    ///     let rule = try FormatPredicate("age >= 18 AND name BEGINSWITH 'A'")
    ///     let coverage = RuleCoverage(rule)
    ///     coverage.object(coveringTerm: 1, as: false, from: [])        // {age=18, name=""}
    ///
    /// The result was tested by evaluating the conditions on the way to the term. nil if no such object was found, for
    /// terms inside a SUBQUERY, and if the predicate is explained without parts.
    ///
    /// - Parameters:
    ///   - index: the index in `terms`.
    ///   - isTrue: the wanted outcome.
    ///   - objects: dictionaries, such as the objects of tests; the first 16 are tried.
    ///   - variables: the values of the predicate's variables.
    ///   - run: the clock of `now()`.
    /// - Complexity: like an explanation for each object and each term before this one.
    public func object(
        coveringTerm index: Int, as isTrue: Bool, from objects: [PredicateValue],
        variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()
    ) -> PredicateValue? {
        guard terms.indices.contains(index), let path = paths[index] else { return nil }
        let conditions = path + [Condition(node: nodes[index], isTrue: isTrue)]
        let steps = conditions.indices.map { end in
            end == 0 ? conditions[0].predicate : PredicateNode(.and(conditions[...end].map { $0.predicate }))
        }
        var searches: [LeastChanges] = []
        for step in steps {
            let predicate = predicate.replacingRoot(step)
            let binding = Binding(variables: variables, run: run.atOneInstant)
            guard let plan = try? binding.plan(predicate, isStrict: false), !plan.dependsOnOrder else { return nil }
            searches.append(LeastChanges(predicate: predicate, variables: variables, run: run, plan: plan))
        }
        var best: (changes: Int, fields: ValueDictionary)?
        for object in objects.prefix(Self.objectLimit) + [.dictionary(ValueDictionary([]))] {
            guard case .dictionary(let fields) = object else { continue }
            if let found = Self.changed(fields, searches), best.map({ found.changes < $0.changes }) ?? true {
                best = found
            }
        }
        guard let best, let last = searches.last else { return nil }
        return .dictionary(Self.reduced(best.fields, last))
    }

    /// The object after the changes that make each condition in turn hold, and the number of changes.
    private static func changed(
        _ fields: ValueDictionary, _ searches: [LeastChanges]
    ) -> (changes: Int, fields: ValueDictionary)? {
        var fields = fields
        var count = 0
        for search in searches where !search.holds(fields) {
            guard let set = search.sets(of: fields, target: true).first,
                let changed = LeastChanges.changed(fields, by: set)
            else { return nil }
            count += set.count
            fields = changed
        }
        return (count, fields)
    }

    /// The object with only the keys that the conditions read, if they still hold.
    private static func reduced(_ fields: ValueDictionary, _ search: LeastChanges) -> ValueDictionary {
        guard let keys = search.plan.rootKeys else { return fields }
        let pairs = zip(fields.keys, fields.values).filter { keys.contains($0.0) }.map { ($0.0, $0.1) }
        let reduced = ValueDictionary(pairs)
        return search.holds(reduced) ? reduced : fields
    }
}

extension LeastChanges {
    fileprivate func holds(_ fields: ValueDictionary) -> Bool {
        Outcomes(of: plan, for: .dictionary(fields)) == .true
    }
}
