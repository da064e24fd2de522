// Sums, averages and extremes of a collection, for the functions of LANGUAGE 4.1 and the collection operators
// of 5.12. A nil element counts as 0 in sums and averages; all others skip it (LANGUAGE C 14).
package import PredicateSyntax

/// Functions that reduce a collection to one value. `name` is used in messages: `sum:`, `@sum`.
package enum Aggregates {
    /// The sum; 0 for an empty list. Integers are summed exactly in any order; only a total beyond 64 bits
    /// overflows.
    package static func sum(
        _ elements: [PredicateValue], for name: String, in rules: OperatorRules = .standard
    ) throws(EvaluationFault) -> PredicateValue {
        var whole: WideInteger = 0
        // The running total, from the first element that is not an integer.
        var total: PredicateValue?
        for element in elements where !element.isNil {
            guard element.isNumber else { throw EvaluationFault(.operandType, name, element.typeDescription) }
            if let sum = total {
                total = try rules.apply(.add, sum, element)
            } else if let number = integer(element) {
                whole += WideInteger(number)
            } else {
                total = try rules.apply(.add, try integer(whole, for: name), element)
            }
        }
        if let total { return total }
        return try integer(whole, for: name)
    }

    private static func integer(_ number: WideInteger, for name: String) throws(EvaluationFault) -> PredicateValue {
        guard let number = Int64(exactly: number) else { throw EvaluationFault(.integerOverflow, name) }
        return .integer(number)
    }

    private static func integer(_ element: PredicateValue) -> Int64? {
        switch element {
        case .bool(let flag): flag ? 1 : 0
        case .integer(let number): number
        default: nil
        }
    }

    /// nil for an empty list; a decimal for decimals, else a double. Integers are summed exactly and rounded
    /// once.
    ///
    /// - Parameter count: the number of elements, if `elements` are sums of several, without nil.
    package static func average(
        _ elements: [PredicateValue], of count: Int? = nil, for name: String, in rules: OperatorRules = .standard
    ) throws(EvaluationFault) -> PredicateValue {
        let count = count ?? elements.count
        if count == 0 { return .null }
        if elements.contains(where: { if case .decimal = $0 { true } else { false } }) {
            let total = try sum(elements, for: name, in: rules)
            return try rules.apply(.divide, total, .decimal(DecimalNumber(Int64(count))))
        }
        var whole: WideInteger = 0
        var total: Double?
        for element in elements where !element.isNil {
            if total == nil, let number = integer(element) {
                whole += WideInteger(number)
            } else {
                let number = try element.number(for: name, at: .whole)
                total = (total ?? Double(whole)) + number
            }
        }
        return .double((total ?? Double(whole)) / Double(count))
    }

    /// The minimum (`sign` -1) or maximum (1); nil for an empty list. NaN is skipped.
    package static func extreme(
        _ elements: [PredicateValue], _ sign: Int, for name: String, in rules: OperatorRules = .standard
    ) throws(EvaluationFault) -> PredicateValue {
        var best: PredicateValue?
        for element in elements where !element.isNil {
            let rival = best ?? element
            // Also compares the first element with itself, which throws for a type without order and skips NaN.
            guard let order = try element.order(against: rival, for: name, in: rules) else { continue }
            if best == nil || order == sign { best = element }
        }
        return best ?? .null
    }

    /// The middle element, or the mean of the two middle elements; nil for an empty list.
    package static func median(
        _ elements: [PredicateValue], for name: String, in rules: OperatorRules = .standard
    ) throws(EvaluationFault) -> PredicateValue {
        let numbers = try self.numbers(elements, for: name)
        if numbers.isEmpty { return .null }
        if numbers.contains(where: { $0.doubleValue?.isNaN ?? false }) { return .double(.nan) }
        let sorted = numbers.ordered { ((try? $0.order(against: $1, for: name)) ?? nil) ?? 0 < 0 }
        let middle = sorted.count / 2
        if sorted.count % 2 == 1 { return sorted[middle] }
        return try average([sorted[middle - 1], sorted[middle]], for: name, in: rules)
    }

    /// The most frequent elements, in the order of their first appearance.
    package static func mode(_ elements: [PredicateValue]) throws(EvaluationFault) -> PredicateValue {
        var distinct = DistinctValues()
        var counts: [Int] = []
        for element in elements where !element.isNil {
            let position = try distinct.insert(element)
            if position == counts.count { counts.append(0) }
            counts[position] += 1
        }
        let most = counts.max()
        return .array(zip(distinct.values, counts).filter { $1 == most }.map { $0.0 })
    }

    /// The standard deviation of the population (divides by n); nil for an empty list.
    package static func deviation(_ elements: [PredicateValue], for name: String) throws(EvaluationFault)
        -> PredicateValue
    {
        let numbers = try self.numbers(elements, for: name).compactMap { $0.doubleValue }
        if numbers.isEmpty { return .null }
        let count = Double(numbers.count)
        let mean = numbers.reduce(0, +) / count
        let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return .double((squares / count).squareRoot())
    }

    private static func numbers(_ elements: [PredicateValue], for name: String) throws(EvaluationFault)
        -> [PredicateValue]
    {
        for element in elements where !element.isNil && !element.isNumber {
            throw EvaluationFault(.operandType, name, element.typeDescription)
        }
        return elements.filter { !$0.isNil }
    }
}

extension FunctionCatalog {
    private static func aggregate(
        _ name: String, _ types: Signature, _ summary: String, _ intrinsic: PredicateFunction.Intrinsic? = nil,
        _ body: @escaping @Sendable ([PredicateValue], OperatorRules) throws(EvaluationFault) -> PredicateValue
    ) -> PredicateFunction {
        PredicateFunction(name, "collection", types, summary, intrinsic) {
            (arguments, context) throws(EvaluationFault) in
            try body(try arguments[0].collection(for: name), context.rules)
        }
    }

    static var aggregateFunctions: [PredicateFunction] {
        [
            aggregate("sum:", .sum, "the sum; 0 for an empty list") { (elements, rules) throws(EvaluationFault) in
                try Aggregates.sum(elements, for: "sum:", in: rules)
            },
            aggregate("count:", .count, "the number of elements", .count) { (elements, _) throws(EvaluationFault) in
                .integer(Int64(elements.count))
            },
            aggregate("min:", .extreme, "the minimum; nil for an empty list") {
                (elements, rules) throws(EvaluationFault) in
                try Aggregates.extreme(elements, -1, for: "min:", in: rules)
            },
            aggregate("max:", .extreme, "the maximum; nil for an empty list") {
                (elements, rules) throws(EvaluationFault) in
                try Aggregates.extreme(elements, 1, for: "max:", in: rules)
            },
            aggregate("average:", .average, "the mean, nil counted as 0; nil for an empty list") {
                (elements, rules) throws(EvaluationFault) in
                try Aggregates.average(elements, for: "average:", in: rules)
            },
            aggregate(
                "median:", .mean(otherwise: .number), "the middle element, or the mean of the middle two; skips nil"
            ) {
                (elements, rules) throws(EvaluationFault) in
                try Aggregates.median(elements, for: "median:", in: rules)
            },
            aggregate(
                "mode:", Signature(.collection) { ExpressionType(.collection(.list, of: $0[0].element ?? .any)) },
                "an array of the most frequent elements"
            ) { (elements, _) throws(EvaluationFault) in try Aggregates.mode(elements) },
            aggregate(
                "stddev:", Signature(.numbers) { _ in ExpressionType(.double, isOptional: true) },
                "the standard deviation of the population; skips nil"
            ) { (elements, _) throws(EvaluationFault) in try Aggregates.deviation(elements, for: "stddev:") },
            PredicateFunction(
                "distinct:", "collection",
                Signature(.collection) {
                    $0[0].shape == .set ? $0[0] : ExpressionType(.collection(.list, of: $0[0].element ?? .any))
                }, "each element once"
            ) { (arguments, _) throws(EvaluationFault) in
                if case .set = arguments[0] { return arguments[0] }
                return .array(try DistinctValues(arguments[0].collection(for: "distinct:")).values)
            },
        ]
    }
}
