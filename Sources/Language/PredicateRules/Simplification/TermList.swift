// The terms of one AND or OR. A term that may throw begins a segment. The following terms of the segment cannot throw
// if it did not, so they can be merged and sorted.

struct TermList {
    private struct Segment {
        var opener: PredicateNode?
        var followers: [PredicateNode] = []
    }

    private let isAnd: Bool
    private let risks: TermRisks
    private var segments = [Segment()]
    /// Whether evaluation always ends after the last segment, with the result `!isAnd`.
    private var ends = false
    /// Terms without their NOT, and the value that each has if evaluation continues after it.
    private var known: [PredicateNode: Bool] = [:]
    private var passed: Set<Risk> = []

    init(_ terms: [PredicateNode], isAnd: Bool, _ risks: TermRisks) {
        self.isAnd = isAnd
        self.risks = risks
        for term in terms {
            if case .constant(let value) = term.kind {
                if value == isAnd { continue }
                ends = true
                return
            }
            if let value = value(of: term) {
                if value == isAnd { continue }
                ends = true
                return
            }
            if isAbsorbed(term) { continue }
            if risks.risks(of: term).allSatisfy(passed.contains) {
                segments[segments.count - 1].followers.append(term)
            } else {
                segments.append(Segment(opener: term))
            }
            passed.formUnion(risks.passed(after: term))
            learn(term)
        }
    }

    // MARK: Known values

    /// Removes NOT from a term. `isPlain` is false if there was one. `a != b` counts as NOT `a == b`.
    private static func split(_ term: PredicateNode) -> (PredicateNode, isPlain: Bool) {
        switch term.kind {
        case .not(let child): return (child, false)
        case .comparison(var comparison) where comparison.operator == .notEqual && comparison.modifier == .direct:
            comparison.operator = .equal
            return (PredicateNode(.comparison(comparison), span: term.span), false)
        default: return (term, true)
        }
    }

    private mutating func learn(_ term: PredicateNode) {
        if risks.functions.differs(in: term) { return }
        let (positive, isPlain) = Self.split(term)
        known[positive] = isPlain == isAnd
    }

    /// The value of a term if evaluation has passed all earlier terms; nil if it is unknown.
    private func value(of term: PredicateNode) -> Bool? {
        let (positive, isPlain) = Self.split(term)
        return known[positive].map { $0 == isPlain }
    }

    /// Whether the term is absorbed: an OR inside an AND with a term known to be true, or an AND inside an OR with a
    /// term known to be false. No earlier term in it may throw.
    private func isAbsorbed(_ term: PredicateNode) -> Bool {
        let children: [PredicateNode]
        switch term.kind {
        case .or(let terms) where isAnd: children = terms
        case .and(let terms) where !isAnd: children = terms
        default: return false
        }
        for child in children {
            if let value = value(of: child) {
                if value == isAnd { return true }
            } else if !risks.risks(of: child).allSatisfy(passed.contains) {
                return false
            }
        }
        return false
    }

    // MARK: The result

    /// The terms in canonical order.
    mutating func simplified() -> [PredicateNode] {
        var result: [PredicateNode] = []
        known = [:]
        passed = []
        for index in segments.indices {
            var segment = segments[index]
            if let opener = segment.opener {
                passed.formUnion(risks.passed(after: opener))
                learn(opener)
            }
            for term in segment.followers { learn(term) }
            let isEnd = merge(&segment)
            for term in segment.followers { learn(term) }
            segment.followers.removeAll { isAbsorbed($0) }
            segments[index] = segment
            if let opener = segment.opener { result.append(opener) }
            if isEnd {
                ends = true
                break
            }
            let isLast = index == segments.count - 1
            if !(isLast && ends) { result += Self.sorted(segment.followers) }
        }
        if ends { result = Self.withoutSuffix(result, segments) + [PredicateNode(.constant(!isAnd))] }
        return result
    }

    /// Drops the terms after the last opener. They do not matter, because the list ends with a constant.
    private static func withoutSuffix(_ terms: [PredicateNode], _ segments: [Segment]) -> [PredicateNode] {
        let openers = Set(segments.compactMap { $0.opener })
        guard let last = terms.lastIndex(where: openers.contains) else { return [] }
        return Array(terms[...last])
    }

    /// Sorts comparisons before compounds, then by their text.
    private static func sorted(_ terms: [PredicateNode]) -> [PredicateNode] {
        if terms.count < 2 { return terms }
        let keyed = terms.map { term -> (rank: Int, text: String, term: PredicateNode) in
            switch term.kind {
            case .and, .or: (1, term.exactDescription, term)
            default: (0, term.exactDescription, term)
            }
        }
        return keyed.ordered { ($0.rank, $0.text) < ($1.rank, $1.text) }.map { $0.term }
    }

    private func mergeable(_ term: PredicateNode) -> KeyCondition? {
        KeyCondition(mergeable: term).flatMap { risks.isOpen($0) ? nil : $0 }
    }

    /// Merges the terms of a segment for each key. Returns whether they decide the whole list.
    private func merge(_ segment: inout Segment) -> Bool {
        var groups: [ExpressionNode: [(condition: KeyCondition, node: PredicateNode)]] = [:]
        var keys: [ExpressionNode] = []
        var others: [PredicateNode] = []
        let opener = segment.opener
        let openedKey = opener.flatMap { mergeable($0)?.key }
        for term in (opener.map { [$0] } ?? []) + segment.followers {
            guard !risks.functions.differs(in: term), let condition = mergeable(term) else {
                others.append(term)
                continue
            }
            if groups[condition.key] == nil { keys.append(condition.key) }
            groups[condition.key, default: []].append((condition, term))
        }
        for key in keys {
            // An opener must keep its error message, which names the operator. So must BETWEEN in an OR.
            let joinsBounds = isAnd && openedKey != key
            let terms = groups[key] ?? []
            let mergeable = joinsBounds ? terms : terms.filter { !$0.condition.isRange }
            guard mergeable.count > 1 else {
                others += terms.map { $0.node }
                continue
            }
            if mergeable.count < terms.count { others += terms.filter({ $0.condition.isRange }).map({ $0.node }) }
            guard let merged = KeyTerms.merged(mergeable.map({ $0.condition }), isAnd: isAnd, joinsBounds: joinsBounds)
            else { return true }
            let nodes = merged.map { $0.node(span: mergeable[0].node.span) }
            others += openedKey == key ? replaceOpener(of: &segment, by: nodes) : nodes
        }
        segment.followers = others.filter { $0 != opener }
        return false
    }

    /// Replaces the opener by the merged term that fails in the same way. Returns the other merged terms.
    private func replaceOpener(of segment: inout Segment, by merged: [PredicateNode]) -> [PredicateNode] {
        guard let opener = segment.opener else { return merged }
        let mine = risks.risks(of: opener)
        let first = merged.firstIndex { term in
            term == opener || Set(risks.risks(of: term)) == Set(mine) && Self.failsAlike(term, opener)
        }
        guard let first else { return merged }
        var rest = merged
        segment.opener = rest.remove(at: first)
        return rest.filter { $0 != opener }
    }

    /// Whether two comparisons of one key fail with the same message.
    private static func failsAlike(_ term: PredicateNode, _ other: PredicateNode) -> Bool {
        guard case .comparison(let a) = split(term).0.kind, case .comparison(let b) = split(other).0.kind else {
            return false
        }
        let isQuiet = [a, b].map { one in [.equal, .in].contains(one.operator) }
        if isQuiet[0] || isQuiet[1] { return isQuiet[0] && isQuiet[1] }
        return a.operator == b.operator
            && a.right.constant?.typeDescription == b.right.constant?.typeDescription
    }
}
