// The terms of one AND or OR. A term that may raise opens a segment; the terms behind it in the segment cannot raise once it
// has passed, so they can be merged and sorted.
import PredicateModel
import PredicateSyntax

struct TermList {
    private struct Segment {
        var opener: PredicateNode?
        var followers: [PredicateNode] = []
    }

    private let isAnd: Bool
    private let risks: TermRisks
    private var segments = [Segment()]
    /// Whether evaluation ends behind the last segment, with the answer `!isAnd`.
    private var ends = false
    /// Terms without their NOT, and their value once evaluation has passed them.
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

    // MARK: What is known

    /// A term without NOT, and whether it is without. `a != b` counts as NOT `a == b`.
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
        let (positive, isPlain) = Self.split(term)
        known[positive] = isPlain == isAnd
    }

    /// The value of a term where all earlier terms have passed; nil if it is not known.
    private func value(of term: PredicateNode) -> Bool? {
        let (positive, isPlain) = Self.split(term)
        return known[positive].map { $0 == isPlain }
    }

    /// Whether an OR in an AND has a term that is known to be true, or an AND in an OR one that is known to be false, and no
    /// earlier term of it may raise.
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

    /// Drops the terms behind the last opener, which do not matter before the constant that ends the list.
    private static func withoutSuffix(_ terms: [PredicateNode], _ segments: [Segment]) -> [PredicateNode] {
        let openers = Set(segments.compactMap(\.opener))
        guard let last = terms.lastIndex(where: openers.contains) else { return [] }
        return Array(terms[...last])
    }

    /// Comparisons before compounds, then by their text.
    private static func sorted(_ terms: [PredicateNode]) -> [PredicateNode] {
        if terms.count < 2 { return terms }
        let keyed = terms.map { term -> (rank: Int, text: String, term: PredicateNode) in
            switch term.kind {
            case .and, .or: (1, term.exactDescription, term)
            default: (0, term.exactDescription, term)
            }
        }
        return keyed.sorted { ($0.rank, $0.text) < ($1.rank, $1.text) }.map(\.term)
    }

    /// Merges the terms of a segment on each key. Returns whether they decide the whole list.
    private func merge(_ segment: inout Segment) -> Bool {
        var groups: [ExpressionNode: [KeyTerm]] = [:]
        var keys: [ExpressionNode] = []
        var others: [PredicateNode] = []
        let opener = segment.opener.flatMap { KeyTerm($0) }
        for (index, term) in ([segment.opener] + segment.followers).enumerated() {
            guard let term else { continue }
            guard let simple = index == 0 ? opener : KeyTerm(term) else {
                if index > 0 { others.append(term) }
                continue
            }
            if groups[simple.key] == nil { keys.append(simple.key) }
            groups[simple.key, default: []].append(simple)
        }
        for key in keys {
            let terms = groups[key] ?? []
            let isOpened = opener?.key == key
            // An opener keeps its message, which names the operator.
            let joinsBounds = isAnd && !isOpened
            let mergeable = terms.count > 1 ? KeyTerms.mergeable(terms, joinsBounds: joinsBounds) : []
            guard mergeable.count > 1 else {
                others += terms.dropFirst(isOpened ? 1 : 0).map(\.node)
                continue
            }
            let kept = Set(mergeable.map(\.node))
            others += terms.map(\.node).filter { !kept.contains($0) && $0 != segment.opener }
            switch KeyTerms.merge(mergeable, isAnd: isAnd, joinsBounds: joinsBounds) {
            case .constant: return true
            case .terms(let merged): others += isOpened ? replaceOpener(of: &segment, by: merged) : merged
            }
        }
        segment.followers = others
        return false
    }

    /// Puts the merged term first that fails like the opener, in its place. Returns the others.
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

    /// Whether the messages of two comparisons of one key are the same.
    private static func failsAlike(_ term: PredicateNode, _ other: PredicateNode) -> Bool {
        guard case .comparison(let a) = split(term).0.kind, case .comparison(let b) = split(other).0.kind else {
            return false
        }
        let isQuiet = [a, b].map { one in [.equal, .in].contains(one.operator) }
        if isQuiet[0] || isQuiet[1] { return isQuiet[0] && isQuiet[1] }
        return a.operator == b.operator
            && KeyTerm.constant(a.right)?.typeDescription == KeyTerm.constant(b.right)?.typeDescription
    }
}
