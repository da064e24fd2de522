// What predicates have in common: whether one implies another, and whether some object fulfils them. Reasoner.swift
// does the work.

/// An answer to a claim about all objects.
public enum PredicateClaim: Sendable, Hashable {
    /// The claim holds for every object.
    case proven
    /// The claim does not hold for this object, which was evaluated.
    case refuted(PredicateValue)
    /// Neither was found.
    case unknown(UndecidedReason)
}

/// An answer to the question whether an object fulfils a predicate.
public enum PredicateSatisfiability: Sendable, Hashable {
    /// This object does. It was evaluated.
    case proven(PredicateValue)
    /// No object does.
    case refuted
    /// Neither was found.
    case unknown(UndecidedReason)
}

/// The reason why a claim about predicates is neither proven nor refuted.
public enum UndecidedReason: Error, Sendable, Hashable {
    /// The predicates have too many cases, or too many levels.
    case limit
    /// A term whose results are not understood, as text: `SUBQUERY(…).@count > 2`.
    case term(String)
    /// A term that may differ each time: `seen < now()`.
    case volatile(String)
    /// A variable without a value, without `$`.
    case variable(String)
    /// Evaluation refuses a predicate; the message of its error.
    case refused(String)
}

extension UndecidedReason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .limit: "the predicates have too many cases"
        case .term(let text): "no object was found for \(text)"
        case .volatile(let text): "\(text) may differ each time"
        case .variable(let name): "$\(name) has no value"
        case .refused(let message): "a predicate cannot be evaluated: \(message)"
        }
    }
}

extension FormatPredicate {
    /// Whether every object that fulfils this predicate fulfils another one.
    ///
    ///     let vip = try FormatPredicate("total > 500 AND country IN {'DE', 'FR'}")
    ///     vip.implies(try FormatPredicate("total >= 100"))     // .proven
    ///     vip.implies(try FormatPredicate("total > 1000"))     // .refuted({country: "DE", total: 501})
    ///
    /// An object fulfils a predicate if its evaluation is true; an evaluation that throws is not true. Without a schema a
    /// key may have a value of any type, and `x == 1 OR y == 2` does not imply `x < 5 OR y == 2`: for a text `x` the
    /// second throws. Reading a key of the object itself is assumed never to fail, as for dictionaries.
    ///
    /// Comparisons of keys with constants are understood, also with ANY, ALL and NONE. Other terms, such as functions,
    /// SUBQUERY and comparisons of two keys, are only known to have one result for one object. Each counterexample was
    /// evaluated. It has the keys that the predicates read. Variables have unknown values, the same in both predicates,
    /// so a claim about them is never refuted; neither is one about `now()`. Limits of an evaluation, such as its time,
    /// are not considered. Predicates with different environments are compared in one, as `&&` joins them.
    ///
    /// - Parameters:
    ///   - other: the predicate that may be implied.
    ///   - schema: the schema of the objects, if it is known. The objects conform to it.
    ///   - entity: the entity of the objects; nil for the default entity of the schema.
    /// - Complexity: examines at most 4000 cases, and for 24 of them at most 600 objects each. Most claims need fewer
    ///   than ten cases.
    public func implies(
        _ other: FormatPredicate, for schema: PredicateSchema? = nil, entity: String? = nil
    ) -> PredicateClaim {
        PredicateClaim(withoutExample: compare(other, schema, entity) { $0.search([(0, .true), (1, .notTrue)]) })
    }

    /// Whether both predicates are fulfilled by the same objects. A counterexample fulfils one of them.
    ///
    ///     let rule = try FormatPredicate("NOT (age < 18 OR banned == YES)")
    ///     rule.isEquivalent(to: try FormatPredicate("NOT age < 18 AND banned != YES"))    // .proven
    ///
    /// See `implies(_:for:entity:)` for details and cost.
    public func isEquivalent(
        to other: FormatPredicate, for schema: PredicateSchema? = nil, entity: String? = nil
    ) -> PredicateClaim {
        let difference = compare(other, schema, entity) { reasoner in
            let first = reasoner.search([(0, .true), (1, .notTrue)])
            if case .proven = first { return first }
            let second = reasoner.search([(1, .true), (0, .notTrue)])
            return second == .refuted ? first : second
        }
        return PredicateClaim(withoutExample: difference)
    }

    /// Whether no object fulfils both predicates. A counterexample fulfils both.
    ///
    ///     let cheap = try FormatPredicate("price < 10")
    ///     cheap.isDisjoint(from: try FormatPredicate("price BETWEEN {20, 30}"))    // .proven
    ///
    /// See `implies(_:for:entity:)` for details and cost.
    public func isDisjoint(
        from other: FormatPredicate, for schema: PredicateSchema? = nil, entity: String? = nil
    ) -> PredicateClaim {
        PredicateClaim(withoutExample: compare(other, schema, entity) { $0.search([(0, .true), (1, .true)]) })
    }

    /// Whether some object fulfils the predicate.
    ///
    ///     try FormatPredicate("age > 30 AND age < 20").satisfiability()    // .refuted
    ///     try FormatPredicate("name BEGINSWITH 'A'").satisfiability()      // .proven({name: "A"})
    ///
    /// See `implies(_:for:entity:)` for details and cost.
    ///
    /// - Parameters:
    ///   - schema: the schema of the objects, if it is known.
    ///   - entity: the entity of the objects; nil for the default entity of the schema.
    public func satisfiability(
        for schema: PredicateSchema? = nil, entity: String? = nil
    ) -> PredicateSatisfiability {
        compare(self, schema, entity) { $0.search([(0, .true)]) }
    }

    private func compare(
        _ other: FormatPredicate, _ schema: PredicateSchema?, _ entity: String?,
        _ search: (Reasoner) -> PredicateSatisfiability
    ) -> PredicateSatisfiability {
        do throws(UndecidedReason) { return search(try Reasoner([self, other], schema, entity)) } catch {
            return .unknown(error)
        }
    }
}

extension PredicateClaim {
    /// The claim that there is no example.
    fileprivate init(withoutExample example: PredicateSatisfiability) {
        switch example {
        case .refuted: self = .proven
        case .proven(let object): self = .refuted(object)
        case .unknown(let reason): self = .unknown(reason)
        }
    }
}
