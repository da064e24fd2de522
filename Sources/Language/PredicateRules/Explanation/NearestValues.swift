// Proposes the nearest values for which a condition has the wanted result, with words for all such values.

struct NearestValues {
    typealias Choice = (value: PredicateValue, words: String)

    let condition: KeyCondition
    let now: PredicateValue

    func values(wanted: Bool) -> [Choice] {
        let wanted = wanted != condition.isNegated
        return ExampleValues.values(condition.test, wanted, near: now).map { ($0, words($0, wanted)) }
    }

    private func words(_ value: PredicateValue, _ wanted: Bool) -> String {
        func shown(_ value: PredicateValue) -> String { Explainer.shown(value) }
        func text(_ verb: String, _ negation: String, _ text: String) -> String {
            wanted ? "any text that \(verb) \(shown(.string(text)))" : "a text that \(negation) \(shown(.string(text)))"
        }
        switch condition.test {
        case .isNil: return wanted ? "nil" : "any value"
        case .members(let list):
            if wanted { return shown(value) }
            if list.count > 1 { return "none of \(shown(.array(list)))" }
            if case .bool(let flag) = list[0] { return flag ? "false" : "true" }
            return "anything but \(shown(list[0]))"
        case .order(let order, let bound):
            switch wanted ? order : order.complement {
            case .lessOrEqual: return "at most \(shown(bound))"
            case .greaterOrEqual: return "at least \(shown(bound))"
            case .less: return "less than \(shown(bound))"
            case .greater, .equal, .different: return "more than \(shown(bound))"
            }
        case .range(let low, let high): return (wanted ? "" : "not ") + "between \(shown(low)) and \(shown(high))"
        case .part(let text): return "a part of \(shown(.string(text)))"
        case .text(let part, .prefix): return text("begins with", "does not begin with", part)
        case .text(let part, _): return text("ends with", "does not end with", part)
        case .contains(.string(let part)) where now.elements == nil || !wanted:
            return text("contains", "does not contain", part)
        case .contains(let element): return "with \(shown(element))"
        case .pattern(.like, let pattern): return text("is like", "is not like", pattern)
        case .pattern(_, let pattern): return text("matches", "does not match", pattern)
        }
    }
}
