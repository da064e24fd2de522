// Searches for an object for which terms have given results. Slots.swift proposes the values.

struct WitnessSearch {
    /// The largest number of objects that are evaluated for one case.
    private static let objectLimit = 600
    private static let rounds = 8

    let branches: BranchSearch
    let slots: Slots
    let environment: PredicateEnvironment
    /// Whether the evaluator has the wanted results for an object.
    let confirms: (PredicateValue) -> Bool
    /// The plans of the terms, once they are needed.
    private(set) var plans: [Int: DynamicPlan?] = [:]

    /// An object with the results, which the evaluator has confirmed; nil if none is found.
    mutating func object(_ results: [Int: Outcomes]) -> PredicateValue? {
        var choices: [[PredicateValue]] = []
        for index in slots.list.indices { choices.append(self.choices(index, results)) }
        var values = choices.map { $0.first ?? .null }
        let object = slots.object(values)
        if confirms(object) { return object }
        for index in choices.indices { choices[index] += slots.list[index].values }
        let numbers = results.keys.sorted()
        var left = unfulfilled(numbers, results, object)
        var budget = Self.objectLimit
        for _ in 0..<Self.rounds where !left.isEmpty && budget > 0 {
            guard let better = improved(values, left, choices, numbers, results, &budget) else { break }
            (values, left) = better
            let object = slots.object(values)
            if confirms(object) { return object }
        }
        return nil
    }

    // MARK: Improving an object

    private typealias State = (values: [PredicateValue], left: [Int])

    /// The values with one slot changed, or else two, that fulfil the most terms.
    private mutating func improved(
        _ values: [PredicateValue], _ left: [Int], _ choices: [[PredicateValue]], _ numbers: [Int],
        _ results: [Int: Outcomes], _ budget: inout Int
    ) -> State? {
        var best: State?
        let read = left.prefix(1).flatMap { slotsRead(by: $0) }
        func isBetter(_ found: [Int]) -> Bool { found.count < (best?.left.count ?? left.count) }
        for index in read {
            for value in choices[index] where budget > 0 {
                budget -= 1
                var changed = values
                changed[index] = value
                let found = unfulfilled(numbers, results, slots.object(changed))
                if isBetter(found) { best = (changed, found) }
                if found.isEmpty { return best }
            }
        }
        if best != nil { return best }
        for (position, first) in read.enumerated() {
            for second in read[(position + 1)...] {
                for one in choices[first].prefix(16) {
                    for other in choices[second].prefix(16) where budget > 0 {
                        budget -= 1
                        var changed = values
                        (changed[first], changed[second]) = (one, other)
                        let found = unfulfilled(numbers, results, slots.object(changed))
                        if isBetter(found) { best = (changed, found) }
                        if found.isEmpty { return best }
                    }
                }
            }
        }
        return best
    }

    private func slotsRead(by number: Int) -> [Int] {
        let paths = PredicateTree.predicate(branches.terms.list[number].node).values { Slots.path(of: $0) }
        return slots.list.indices.filter { index in
            paths.contains { $0.starts(with: slots.list[index].path) }
        }
    }

    /// The terms whose results for an object are not those of the case.
    private mutating func unfulfilled(_ numbers: [Int], _ results: [Int: Outcomes], _ object: PredicateValue) -> [Int] {
        var found: [Int] = []
        for number in numbers {
            guard let wanted = results[number], let plan = plan(number) else { continue }
            if !wanted.contains(Outcomes(of: plan, for: object)) { found.append(number) }
        }
        return found
    }

    private mutating func plan(_ number: Int) -> DynamicPlan? {
        if let known = plans[number] { return known }
        let node = branches.terms.list[number].node
        let plan = try? Binding().plan(FormatPredicate(node, in: environment), isStrict: false)
        plans[number] = .some(plan)
        return plan
    }

    // MARK: Choices for a key

    /// The values of a slot that give the results, in the order in which they are tried.
    private mutating func choices(_ index: Int, _ results: [Int: Outcomes]) -> [PredicateValue] {
        let slot = slots.list[index]
        let key = ExpressionNode(slot.path.isEmpty ? .selfObject : .keyPath(slot.path))
        let literals = branches.literals(of: key, in: results)
        if literals.direct.isEmpty, literals.quantified.isEmpty {
            // The key is free: nil, unless a list of objects has it.
            return slot.type.isOptional && slot.listIndex == nil ? [.null] + slot.values : slot.values
        }
        var tried: [PredicateValue] = []
        let required = literals.direct.filter { $0.allowed == .true }.map { $0.condition }
        tried += ExampleValues.texts(required)
        tried += lists(literals, slot)
        tried += slot.values
        let numbers = branches.terms.numbersByKey[key] ?? []
        var values = slots.list.map { _ in PredicateValue.null }
        var found: [PredicateValue] = []
        for case let value? in tried.map({ ExampleValues.value($0, as: slot.type) }) {
            values[index] = value
            if unfulfilled(numbers, results, slots.object(values)).isEmpty { found.append(value) }
        }
        return found
    }

    /// Lists whose elements fulfil the conditions of ANY and ALL.
    private func lists(_ literals: KeyLiterals, _ slot: Slot) -> [PredicateValue] {
        let contained = literals.direct.compactMap { literal -> KeyLiteral? in
            guard case .contains(let constant) = literal.condition.test else { return nil }
            return (KeyCondition(literal.condition.key, .members([constant])), literal.allowed, false)
        }
        let all = literals.quantified + contained
        if all.isEmpty { return [] }
        let tests = all.filter { $0.allowed == .true || $0.allowed == .raised }
        let excluded = all.filter { !$0.allowed.contains(.true) }
        let elements =
            ExampleValues.texts(tests.map { $0.condition }) + all.flatMap { $0.condition.constants } + slot.elements
        let free = elements.filter { value in
            excluded.allSatisfy { outcome($0.condition, value) == .false || $0.allowed.contains(.raised) }
        }
        var chosen: [PredicateValue] = []
        for test in tests {
            if chosen.contains(where: { outcome(test.condition, $0) == test.allowed }) { continue }
            guard let element = free.first(where: { outcome(test.condition, $0) == test.allowed }) else { continue }
            chosen.append(element)
        }
        let extra = free.prefix(4).map { PredicateValue.array(chosen + [$0]) }
        return [.array(chosen)] + extra + [.array([])]
    }

    private func outcome(_ condition: KeyCondition, _ value: PredicateValue) -> Outcomes {
        do throws(EvaluationFault) { return Outcomes(try condition.holds(value, in: environment.rules)) } catch {
            return .raised
        }
    }
}
