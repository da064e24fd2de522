// Proposes the nearest values for which a condition has the wanted result.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

struct Candidates {
    typealias Choice = (value: PredicateValue, words: String)

    private let condition: KeyCondition
    private let now: PredicateValue

    init(_ condition: KeyCondition, now: PredicateValue) {
        self.condition = condition
        self.now = now
    }

    func values(wanted: Bool) -> [Choice] {
        let wanted = wanted != condition.isNegated
        switch condition.test {
        case .isNil: return [wanted ? (.null, "nil") : (.integer(1), "any value")]
        case .members(let list): return wanted ? list.prefix(8).map { ($0, Explainer.shown($0)) } : other(than: list)
        case .order(let order, let bound): return ordered(wanted ? order : order.complement, bound)
        case .range(let low, let high): return range(low, high, wanted: wanted)
        case .part(let text):
            return wanted && !text.isEmpty ? [(.string(text), "a part of \(Explainer.shown(.string(text)))")] : []
        case .text(let text, .prefix): return texts(text, "begins with", "does not begin with", wanted) { text + $0 }
        case .text(let text, _): return texts(text, "ends with", "does not end with", wanted) { $0 + text }
        case .contains(let element):
            if wanted, let elements = now.elements {
                return [(.array(elements + [element]), "with \(Explainer.shown(element))")]
            }
            guard case .string(let text) = element else { return [] }
            return texts(text, "contains", "does not contain", wanted) { $0 + text }
        case .pattern(.like, let text):
            let match = text.replacing("*", with: "").replacing("?", with: "x")
            return texts(text, "is like", "is not like", wanted) { _ in match }
        case .pattern: return []
        }
    }

    /// - Parameter changed: changes the present text so that it passes.
    private func texts(
        _ text: String, _ verb: String, _ negation: String, _ wanted: Bool, _ changed: (String) -> String
    ) -> [Choice] {
        let shown = Explainer.shown(.string(text))
        if !wanted { return [(.string(""), "a text that \(negation) \(shown)")] }
        guard !text.isEmpty else { return [] }
        let words = "any text that \(verb) \(shown)"
        // Keep the present text where possible, otherwise replace it.
        guard case .string(let old) = now else { return [(.string(changed("")), words)] }
        return [(.string(changed(old)), words), (.string(text), words)]
    }

    private func ordered(_ order: Order, _ bound: PredicateValue) -> [Choice] {
        let shown = Explainer.shown(bound)
        switch order {
        case .lessOrEqual: return [(bound, "at most \(shown)")]
        case .greaterOrEqual: return [(bound, "at least \(shown)")]
        case .less: return Self.neighbour(of: bound, below: true).map { [($0, "less than \(shown)")] } ?? []
        case .greater: return Self.neighbour(of: bound, below: false).map { [($0, "more than \(shown)")] } ?? []
        case .equal, .different: return []
        }
    }

    /// The next value below or above a constant.
    private static func neighbour(of constant: PredicateValue, below: Bool) -> PredicateValue? {
        switch constant {
        case .bool(let flag): return flag == below ? .bool(!below) : nil
        case .integer(let number):
            let (next, overflow) = number.addingReportingOverflow(below ? -1 : 1)
            return overflow ? nil : .integer(next)
        case .float(let number): return .double(below ? Double(number).nextDown : Double(number).nextUp)
        case .double(let number): return .double(below ? number.nextDown : number.nextUp)
        case .date(let seconds): return .date(below ? seconds - 1 : seconds + 1)
        case .decimal(let number): return .double(below ? number.doubleValue - 1 : number.doubleValue + 1)
        case .string(let text): return below ? (text.isEmpty ? nil : .string("")) : .string(text + "a")
        default: return nil
        }
    }

    /// A value that is not in a list.
    private func other(than list: [PredicateValue]) -> [Choice] {
        guard let value = list.first else { return [] }
        guard list.count == 1 else {
            let words = "none of \(Explainer.shown(.array(list)))"
            let numbers = list.compactMap { $0.exactInteger }
            if let most = numbers.max(), most < .max { return [(.integer(most + 1), words)] }
            let length = list.map { $0.stringValue?.count ?? 0 }.max() ?? 0
            return [(.string(String(repeating: "x", count: length + 1)), words)]
        }
        let words = "anything but \(Explainer.shown(value))"
        switch value {
        case .bool(let flag): return [(.bool(!flag), flag ? "false" : "true")]
        case .integer(let number): return [(.integer(number == .max ? 0 : number + 1), words)]
        case .double(let number): return [(.double(number + 1), words)]
        case .string(let text): return [(.string(text + "x"), words)]
        default: return [(.null, words)]
        }
    }

    private func range(_ low: PredicateValue, _ high: PredicateValue, wanted: Bool) -> [Choice] {
        let words = "between \(Explainer.shown(low)) and \(Explainer.shown(high))"
        let values =
            wanted ? [low, high] : [Self.neighbour(of: low, below: true), Self.neighbour(of: high, below: false)]
        let nearest = values.compactMap { $0 }.ordered { near($0) < near($1) }
        return nearest.prefix(wanted ? 1 : 2).map { ($0, wanted ? words : "not " + words) }
    }

    /// The distance from the present value.
    private func near(_ value: PredicateValue) -> Double {
        switch (value, now) {
        case (.date(let a), .date(let b)): return abs(a - b)
        default:
            guard let a = value.doubleValue, let b = now.doubleValue else { return 0 }
            return abs(a - b)
        }
    }
}
