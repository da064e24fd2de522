// Proposes the nearest values with which a comparison has the wanted result.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

struct Candidates {
    typealias Choice = (value: PredicateValue, words: String)

    private let op: ComparisonOperator
    private let constant: PredicateValue
    private let now: PredicateValue

    init(_ op: ComparisonOperator, _ constant: PredicateValue, now: PredicateValue) {
        self.op = op
        self.constant = constant
        self.now = now
    }

    func values(wanted: Bool) -> [Choice] {
        if let order = Order(op) { return ordered(wanted ? order : order.complement) }
        let shown = Explainer.shown(constant)
        switch (op, constant) {
        case (.between, .array(let bounds)) where bounds.count == 2: return range(bounds, wanted: wanted)
        case (.in, .array(let list)), (.in, .set(let list)):
            if !wanted { return list.first.map { other(than: $0) } ?? [] }
            return list.prefix(8).map { ($0, Explainer.shown($0)) }
        case (.in, .string(let text)) where !text.isEmpty: return wanted ? [(.string(text), "a part of \(shown)")] : []
        case (_, .string(let text)):
            let verb: String
            let pattern: (String) -> String
            switch op {
            case .beginsWith: (verb, pattern) = ("begins with", { text + $0 })
            case .endsWith: (verb, pattern) = ("ends with", { $0 + text })
            case .contains: (verb, pattern) = ("contains", { $0 + text })
            case .like: (verb, pattern) = ("is like", { _ in text.replacing("*", with: "").replacing("?", with: "x") })
            default: return []
            }
            if !wanted {
                let verbs = ["begins with": "begin with", "ends with": "end with", "contains": "contain"]
                return [
                    (.string(""), "a text that " + (verbs[verb].map { "does not \($0) " } ?? "is not like ") + shown)
                ]
            }
            if op == .contains, let elements = now.elements {
                return [(.array(elements + [constant]), "with \(shown)")]
            }
            guard !text.isEmpty else { return [] }
            let words = "any text that \(verb) \(shown)"
            // Keep the present text where possible, otherwise replace it.
            guard case .string(let old) = now else { return [(.string(pattern("")), words)] }
            return [(.string(pattern(old)), words), (.string(text), words)]
        default: return []
        }
    }

    private func ordered(_ order: Order) -> [Choice] {
        let shown = Explainer.shown(constant)
        if constant.isNil {
            switch order {
            case .equal, .lessOrEqual, .greaterOrEqual: return [(.null, "nil")]
            case .different: return [(.integer(1), "any value")]
            case .less, .greater: return []
            }
        }
        switch order {
        case .equal: return [(constant, shown)]
        case .different: return other(than: constant)
        case .lessOrEqual: return [(constant, "at most \(shown)")]
        case .greaterOrEqual: return [(constant, "at least \(shown)")]
        case .less: return neighbour(below: true).map { [($0, "less than \(shown)")] } ?? []
        case .greater: return neighbour(below: false).map { [($0, "more than \(shown)")] } ?? []
        }
    }

    /// The next value below or above the constant.
    private func neighbour(below: Bool) -> PredicateValue? {
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

    /// A value that is different from another one.
    private func other(than value: PredicateValue) -> [Choice] {
        let words = op == .in ? "none of \(Explainer.shown(constant))" : "anything but \(Explainer.shown(value))"
        if op == .in {
            let list = constant.elements ?? []
            let numbers = list.compactMap { $0.exactInteger }
            if let most = numbers.max(), most < .max { return [(.integer(most + 1), words)] }
            let length = list.map { $0.stringValue?.count ?? 0 }.max() ?? 0
            return [(.string(String(repeating: "x", count: length + 1)), words)]
        }
        switch value {
        case .bool(let flag): return [(.bool(!flag), flag ? "false" : "true")]
        case .integer(let number): return [(.integer(number == .max ? 0 : number + 1), words)]
        case .double(let number): return [(.double(number + 1), words)]
        case .string(let text): return [(.string(text + "x"), words)]
        default: return [(.null, words)]
        }
    }

    private func range(_ bounds: [PredicateValue], wanted: Bool) -> [Choice] {
        let words = "between \(Explainer.shown(bounds[0])) and \(Explainer.shown(bounds[1]))"
        var found: [(distance: Double, choice: Choice)] = []
        for (index, bound) in bounds.enumerated() {
            let outside = Candidates(.lessThan, bound, now: now).neighbour(below: index == 0)
            guard let value = wanted ? bound : outside else { continue }
            found.append((near(value), (value, wanted ? words : "not " + words)))
        }
        found.sort { $0.distance < $1.distance }
        return found.prefix(wanted ? 1 : 2).map { $0.choice }
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
