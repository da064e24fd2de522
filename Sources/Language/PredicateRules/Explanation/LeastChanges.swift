// Searches for the smallest sets of changed keys that change the result of a predicate. NearestValues.swift proposes
// changes for single comparisons. Here the evaluator tests which of them, alone or in pairs, have the wanted effect.

struct LeastChanges {
    /// A new value for a key path of the object.
    struct KeyChange {
        let path: [String]
        let value: PredicateValue
        /// A description of the new values.
        let words: String
    }

    /// The maximum number of changes that are tried, and of sets that are returned.
    private static let candidateLimit = 64
    private static let setLimit = 8

    let predicate: FormatPredicate
    let variables: PredicateVariables
    let run: PredicateRun
    let plan: DynamicPlan

    func search(
        _ object: PredicateValue, _ root: PredicateExplanation.Part
    ) -> [[PredicateExplanation.Change]] {
        guard case .dictionary(let fields) = Self.record(object) else { return [] }
        return sets(of: fields, target: root.outcome != .true).prefix(Self.setLimit).map { set in
            set.map { one in
                (
                    key: one.path.joined(separator: "."),
                    from: Explainer.shown(Self.value(at: one.path[...], in: fields)),
                    to: one.words, value: Explainer.shown(one.value)
                )
            }
        }
    }

    /// The smallest sets of changes with which the result is `target`.
    func sets(of fields: ValueDictionary, target: Bool) -> [[KeyChange]] {
        let candidates = Array(self.candidates(fields, target: target).prefix(Self.candidateLimit))
        var context = EvaluationContext(object: .dictionary(fields), plan: plan)
        func works(_ changes: [KeyChange]) -> Bool {
            guard let changed = Self.changed(fields, by: changes) else { return false }
            context.begin(.dictionary(changed))
            return (try? plan.test(&context)) == target
        }
        var words: Set<[String]> = []
        var sets = candidates.filter { works([$0]) && words.insert($0.path + [$0.words]).inserted }.map { [$0] }
        if sets.isEmpty {
            var known: Set<[[String]]> = []
            search: for (index, first) in candidates.enumerated() {
                for second in candidates[(index + 1)...] where first.path != second.path {
                    let words = [first, second].map { $0.path + [$0.words] }
                    guard !known.contains(words), works([first, second]) else { continue }
                    known.insert(words)
                    sets.append([first, second])
                    if sets.count == Self.setLimit { break search }
                }
            }
        }
        return sets
    }

    /// The object after changes; nil if a path contains a value without keys.
    static func changed(_ fields: ValueDictionary, by changes: [KeyChange]) -> ValueDictionary? {
        var changed = fields
        for change in changes {
            guard let next = set(change.value, at: change.path[...], in: changed) else { return nil }
            changed = next
        }
        return changed
    }

    // MARK: Candidates

    /// The changes that give a comparison the result it needs, in text order.
    private func candidates(_ fields: ValueDictionary, target: Bool) -> [KeyChange] {
        var found: [KeyChange] = []
        // The number of comparisons that read each key.
        var uses: [String: Int] = [:]
        var open = [(predicate.root, target)]
        while let (node, wanted) = open.popLast() {
            switch node.kind {
            case .constant, .error: break
            case .not(let child): open.append((child, !wanted))
            case .and(let children), .or(let children): open += children.reversed().map { ($0, wanted) }
            case .comparison(let comparison):
                let keys = PredicateTree.predicate(node).values {
                    if case .keyPath(let path) = $0.kind { path.first } else { nil }
                }
                for key in Set(keys) { uses[key, default: 0] += 1 }
                found += self.candidates(comparison, fields, wanted: wanted)
            }
        }
        var seen: Set<[PredicateValue]> = []
        return found.compactMap { one in
            guard seen.insert(one.path.map(PredicateValue.string) + [one.value]).inserted else { return nil }
            // If other comparisons read the key as well, only this exact value was tested, so the description names
            // only this value.
            if uses[one.path[0]] == 1 { return one }
            return KeyChange(path: one.path, value: one.value, words: Explainer.shown(one.value))
        }
    }

    private func candidates(
        _ comparison: ComparisonNode, _ fields: ValueDictionary, wanted: Bool
    ) -> [KeyChange] {
        var found: [KeyChange] = []
        let sides = [(comparison.left, comparison.right, false), (comparison.right, comparison.left, true)]
        for (side, other, isMirrored) in sides {
            guard case .keyPath(let path) = side.kind, !path.contains(where: { $0.hasPrefix("@") }),
                let constant = value(of: other, fields)
            else { continue }
            guard let op = isMirrored ? comparison.operator.mirrored(constant) : comparison.operator,
                let condition = KeyCondition(side, op, constant, comparison.options, quantifier: comparison.modifier)
            else { continue }
            if comparison.modifier != .direct {
                if !isMirrored { found += elementChanges(condition, path, fields, wanted) }
                continue
            }
            let now = Self.value(at: path[...], in: fields)
            if (try? condition.holds(now, in: plan.rules)) == wanted { continue }
            found += NearestValues(condition: condition, now: now).values(wanted: wanted)
                .map { KeyChange(path: path, value: $0.value, words: $0.words) }
        }
        return found
    }

    private func value(of node: ExpressionNode, _ fields: ValueDictionary) -> PredicateValue? {
        node.constant
            ?? (try? FormatExpression(node, in: predicate.environment)
                .evaluate(.dictionary(fields), variables: variables, run: run))
    }

    /// Adding an element to the collection that ANY or ALL tests, or removing elements.
    private func elementChanges(
        _ condition: KeyCondition, _ path: [String], _ fields: ValueDictionary, _ wanted: Bool
    ) -> [KeyChange] {
        let isAll = condition.quantifier == .all
        // The collection is the first list on the path.
        for length in 1...path.count {
            let list = Self.value(at: path[..<length], in: fields)
            guard case .array(let elements) = list else { continue }
            let rest = Array(path[length...])
            func passes(_ element: PredicateValue) -> Bool? {
                try? condition.holds(Self.value(at: rest[...], inside: element), in: plan.rules)
            }
            let collection = Array(path[..<length])
            if wanted != isAll {
                let nearest = NearestValues(condition: condition, now: .null).values(wanted: !isAll)
                return nearest.prefix(1).compactMap { choice in
                    guard let element = Self.element(rest, choice.value) else { return nil }
                    let name = rest.isEmpty ? choice.words : rest.joined(separator: ".") + " " + choice.words
                    return KeyChange(
                        path: collection, value: .array(elements + [element]), words: "one more element with " + name)
                }
            }
            let kept = elements.filter { passes($0) == isAll }
            guard kept.count < elements.count else { return [] }
            let count = elements.count - kept.count
            let words = count == 1 ? "without one element" : "without \(count) elements"
            return [KeyChange(path: collection, value: .array(kept), words: words)]
        }
        return []
    }

    private static func element(_ path: [String], _ value: PredicateValue) -> PredicateValue? {
        path.isEmpty ? value : set(value, at: path[...], in: ValueDictionary([])).map { .dictionary($0) }
    }

    // MARK: Objects

    /// A published object as a dictionary of its keys.
    private static func record(_ value: PredicateValue) -> PredicateValue {
        guard case .object(let reference) = value else { return value }
        return .dictionary(reference.object.record)
    }

    private static func value(at path: ArraySlice<String>, in fields: ValueDictionary) -> PredicateValue {
        guard let first = path.first else { return .dictionary(fields) }
        return value(at: path.dropFirst(), inside: fields[first] ?? .null)
    }

    private static func value(at path: ArraySlice<String>, inside value: PredicateValue) -> PredicateValue {
        if path.isEmpty { return value }
        guard case .dictionary(let fields) = record(value) else { return .null }
        return Self.value(at: path, in: fields)
    }

    /// nil if the path contains a value without keys.
    private static func set(
        _ value: PredicateValue, at path: ArraySlice<String>, in fields: ValueDictionary
    ) -> ValueDictionary? {
        guard let first = path.first else { return nil }
        var new = value
        if path.count > 1 {
            let inner: ValueDictionary
            switch record(fields[first] ?? .null) {
            case .dictionary(let known): inner = known
            case .null, .nsNull: inner = ValueDictionary([])
            default: return nil
            }
            guard let changed = set(value, at: path.dropFirst(), in: inner) else { return nil }
            new = .dictionary(changed)
        }
        var changed = fields
        changed[first] = new
        return changed
    }
}
