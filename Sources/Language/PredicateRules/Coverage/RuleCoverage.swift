// Which terms of a predicate were true, false or not evaluated in a number of evaluations. CoveringObject.swift makes an
// object for which a term is what it never was.

/// The outcomes of the terms of a predicate, for tests of rules.
///
///     let rule = try FormatPredicate("age >= 18 AND name BEGINSWITH 'A'")
///     var coverage = RuleCoverage(rule)
///     coverage.record(try rule.explanation(for: ["age": 20, "name": "Ada"]))
///     coverage.percentage                             // 50: no term was false
///     print(coverage)
///     //   age >= 18 AND name BEGINSWITH 'A'
///     //   ^^^^^^^^^ never false
///     //                 ^^^^^^^^^^^^^^^^^^^ never false
public struct RuleCoverage: Sendable {
    /// A comparison of the predicate.
    public struct Term: Sendable, Hashable {
        /// The canonical text.
        public let text: String
        /// The offset in `RuleCoverage.text`, in UTF-8 bytes.
        public let start: Int
        public let end: Int
        /// The outcomes of all evaluations. A term that was not evaluated has none.
        public internal(set) var outcomes: Set<PredicateExplanation.Outcome> = []
        /// The outcomes, true or false, that the term has for no object, because of the terms that are evaluated
        /// before it.
        public internal(set) var impossible: Set<PredicateExplanation.Outcome> = []

        /// What is missing: `never evaluated`, `never true`, `can never be false here`; nil if the term was true and
        /// false.
        public var gap: String? {
            let all = [PredicateExplanation.Outcome.true, .false]
            let missing = all.filter { !outcomes.contains($0) && !impossible.contains($0) }
            let gaps =
                (outcomes.isEmpty && !missing.isEmpty ? ["never evaluated"] : missing.map { "never \($0.rawValue)" })
                + all.filter { impossible.contains($0) }.map { "can never be \($0.rawValue) here" }
            return gaps.isEmpty ? nil : gaps.joined(separator: ", ")
        }
    }

    /// The predicate, with positions.
    let predicate: FormatPredicate
    /// The nodes of the terms.
    private(set) var nodes: [PredicateNode] = []
    /// The conditions under which each term is evaluated; nil for terms inside a SUBQUERY.
    private(set) var paths: [[Condition]?] = []
    private var indices: [SourceSpan: Int] = [:]
    /// Whether the predicate is explained as a whole.
    private var isWhole = false

    /// The terms in text order. A SUBQUERY's terms follow the comparison that contains it.
    public private(set) var terms: [Term] = []

    /// The text that the positions refer to.
    public var text: String { predicate.source }

    /// A predicate that was never evaluated. Constants such as TRUEPREDICATE are not terms.
    public init(_ predicate: FormatPredicate) {
        self.predicate = predicate.withPlaces
        // A predicate without text has no positions, by which terms are found.
        if Prover.takes(self.predicate.root), !self.predicate.root.span.isEmpty {
            collect(self.predicate.root, [], level: 0)
            findImpossible()
        } else {
            makeWhole()
        }
    }

    /// Adds the outcomes of one evaluation. An explanation of another text is ignored.
    ///
    /// Of a SUBQUERY, an explanation has the first eight elements, so those after them do not count. A predicate that
    /// is explained without parts is one term; see `explanation(for:variables:run:)`.
    ///
    /// - Complexity: linear in the number of parts.
    public mutating func record(_ explanation: PredicateExplanation) {
        guard explanation.text == text else { return }
        let root = explanation.root
        if !isWhole, root.parts.isEmpty, indices[SourceSpan(root.start, root.end)] == nil, !terms.isEmpty {
            makeWhole()
        }
        var open = [root]
        while let part = open.popLast() {
            let span = SourceSpan(part.start, part.end)
            if part.outcome != .skipped, let index = indices[span] { terms[index].outcomes.insert(part.outcome) }
            // The elements of ANY and ALL have the place of the comparison, but are not its result.
            if !isWhole { open += part.parts.filter { $0.element == nil || SourceSpan($0.start, $0.end) != span } }
        }
    }

    package func isOf(_ other: FormatPredicate) -> Bool { other == predicate && other.withPlaces.source == text }

    /// The number of outcomes of terms that occurred, and of those that are possible: true and false of each term, if the
    /// terms before it allow both.
    public var counts: (covered: Int, all: Int) {
        let covered = terms.map { $0.outcomes.subtracting([.raised, .skipped]).count }.reduce(0, +)
        return (covered, 2 * terms.count - terms.map { $0.impossible.count }.reduce(0, +))
    }

    /// The covered part of the outcomes, from 0 to 100; 100 for a predicate without terms.
    public var percentage: Double { Self.percentage(counts) }

    package static func percentage(_ counts: (covered: Int, all: Int)) -> Double {
        counts.all == 0 ? 100 : Double(counts.covered) * 100 / Double(counts.all)
    }

    // MARK: Terms

    private mutating func makeWhole() {
        isWhole = true
        (terms, nodes, paths, indices) = ([], [], [], [:])
        add(predicate.root, nil)
    }

    /// Finds the impossible outcomes of each term. With typed texts it finds none, because they are not read here.
    private mutating func findImpossible() {
        let environment = predicate.environment
        if environment.language.contains(.typedTexts) { return }
        let types = TypeChecker(rows: .any, in: environment, reportsTypes: false)
        var prover = Prover(.predicate(predicate.root), types: types, known: environment.known)
        for index in terms.indices {
            guard let path = paths[index], !path.isEmpty else { continue }
            let before = path.map { (prover.read($0.node), Outcomes($0.isTrue)) }
            let term = prover.read(nodes[index])
            for outcome in [PredicateExplanation.Outcome.true, .false]
            where prover.refutes(before + [(term, Outcomes(outcome == .true))]) {
                terms[index].impossible.insert(outcome)
            }
        }
    }

    private mutating func add(_ node: PredicateNode, _ path: [Condition]?) {
        guard indices.updateValue(terms.count, forKey: node.span) == nil else { return }
        terms.append(Term(text: node.description, start: node.span.start, end: node.span.end))
        nodes.append(node)
        paths.append(path)
    }

    /// - Parameter level: the number of SUBQUERYs around the node.
    private mutating func collect(_ node: PredicateNode, _ path: [Condition], level: Int) {
        switch node.kind {
        case .constant, .error: break
        case .not(let child): collect(child, path, level: level)
        case .and(let children), .or(let children):
            let isAnd = if case .and = node.kind { true } else { false }
            var path = path
            for child in children {
                collect(child, path, level: level)
                // The next term is evaluated if this one does not decide.
                path.append(Condition(node: child, isTrue: isAnd))
            }
        case .comparison(let comparison):
            add(node, level == 0 ? path : nil)
            guard comparison.modifier == .direct, level < Explainer.shownLevels,
                let (_, _, condition) = Explainer.subquery(in: comparison)
            else { return }
            collect(condition, [], level: level + 1)
        }
    }
}

extension RuleCoverage: CustomStringConvertible {
    /// The text, with the terms that are not covered marked.
    public var description: String {
        let gaps = terms.compactMap { term in term.gap.map { (term.start, term.end, $0) } }
        return PredicateExplanation.marked(text, gaps).joined(separator: "\n")
    }
}
