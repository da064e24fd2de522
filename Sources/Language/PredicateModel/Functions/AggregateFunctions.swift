// Sums, averages and extremes of a collection, for the functions of LANGUAGE 4.1 and the collection operators
// of 5.12. A nil element counts as 0 in sums and averages; all others skip it (LANGUAGE C 14).

/// Functions that reduce a collection to one value. `name` is used in messages: `sum:`, `@sum`.
package enum Aggregates {
    /// A running total of numbers: of lists, of groups, of `@sum` and `@avg`.
    package struct Sum: Sendable {
        private enum Total: Sendable { case integers(WideInteger), double(Double), decimal(DecimalNumber) }

        /// Integers are exact until the first number of another type.
        private var total = Total.integers(0)
        /// Whether integers beyond 64 bits were added to a double. A mean may have such a total.
        private var isBeyond = false

        package init() {}

        fileprivate init(_ elements: [PredicateValue], for name: String) throws(EvaluationFault) {
            for element in elements { try add(element, for: name) }
        }

        /// Adds a number. nil is skipped; another value is an error.
        package mutating func add(_ element: PredicateValue, for name: String) throws(EvaluationFault) {
            switch (total, element) {
            case (.double(let sum), .double(let number)): total = .double(sum + number)
            case (.integers(let sum), .integer(let number)): total = .integers(sum + WideInteger(number))
            case (.integers(let sum), .bool(let flag)): total = .integers(sum + (flag ? 1 : 0))
            case (_, .null), (_, .nsNull): break
            case (.double, .decimal) where isBeyond: throw EvaluationFault(.integerOverflow, name)
            case (.integers(let sum), .decimal(let number)):
                guard let sum = Int64(exactly: sum) else { throw EvaluationFault(.integerOverflow, name) }
                total = .decimal(try DecimalNumber(sum).adding(number))
            case (.integers(let sum), _):
                let number = try element.number(for: name, at: .whole)
                isBeyond = Int64(exactly: sum) == nil
                total = .double(Double(sum) + number)
            case (.decimal(let sum), .bool), (.decimal(let sum), .integer), (.decimal(let sum), .decimal):
                total = .decimal(try sum.adding(element.exactDecimal ?? DecimalNumber(0)))
            case (.decimal(let sum), _): total = .double(sum.doubleValue + (try element.number(for: name, at: .whole)))
            case (.double(let sum), _): total = .double(sum + (try element.number(for: name, at: .whole)))
            }
        }

        /// 0 of no elements. A total of integers beyond 64 bits overflows.
        package func sum(for name: String) throws(EvaluationFault) -> PredicateValue {
            switch total {
            case .double(let sum) where !isBeyond: return .double(sum)
            case .decimal(let sum): return .decimal(sum)
            case .integers(let sum):
                if let number = Int64(exactly: sum) { return .integer(number) }
            case .double: break
            }
            throw EvaluationFault(.integerOverflow, name)
        }

        /// A decimal of decimals, else a double; nil for a count of 0. Integers are rounded once.
        package func average(of count: Int) throws(EvaluationFault) -> PredicateValue {
            if count == 0 { return .null }
            switch total {
            case .integers(let sum): return .double(Double(sum) / Double(count))
            case .double(let sum): return .double(sum / Double(count))
            case .decimal(let sum): return .decimal(try sum.divided(by: DecimalNumber(Int64(count))))
            }
        }
    }

    /// The sum; 0 for an empty list. Integers are summed exactly in any order; only a total beyond 64 bits
    /// overflows.
    package static func sum(_ elements: [PredicateValue], for name: String) throws(EvaluationFault) -> PredicateValue {
        try Sum(elements, for: name).sum(for: name)
    }

    /// nil for an empty list; a decimal for decimals, else a double. Integers are summed exactly and rounded
    /// once.
    package static func average(
        _ elements: [PredicateValue], for name: String
    ) throws(EvaluationFault) -> PredicateValue {
        try Sum(elements, for: name).average(of: elements.count)
    }

    /// The minimum (`sign` -1) or maximum (1); nil for an empty list. NaN is skipped.
    package static func extreme(
        _ elements: [PredicateValue], _ sign: Int, for name: String, in rules: OperatorRules = .standard
    ) throws(EvaluationFault) -> PredicateValue {
        var best = PredicateValue.null
        for element in elements where try isBetter(element, than: best, sign, for: name, in: rules) { best = element }
        return best
    }

    /// Whether an element is smaller (`sign` -1) or larger (1) than the best so far, which is nil before the first. nil
    /// and NaN are not.
    package static func isBetter(
        _ element: PredicateValue, than best: PredicateValue, _ sign: Int, for name: String,
        in rules: OperatorRules = .standard
    ) throws(EvaluationFault) -> Bool {
        switch (element, best) {
        case (.double(let a), .double(let b)): return sign < 0 ? a < b : a > b
        case (.integer(let a), .integer(let b)): return sign < 0 ? a < b : a > b
        case (.null, _), (.nsNull, _): return false
        default:
            // Also compares the first element with itself, which throws for a type without order and skips NaN.
            let order = try element.order(against: best.isNil ? element : best, for: name, in: rules)
            return order.map { best.isNil || $0 == sign } ?? false
        }
    }

    /// The middle element, or the mean of the two middle elements; nil for an empty list.
    package static func median(
        _ elements: [PredicateValue], for name: String
    ) throws(EvaluationFault) -> PredicateValue {
        let numbers = try self.numbers(elements, for: name)
        if numbers.isEmpty { return .null }
        if numbers.contains(where: { $0.doubleValue?.isNaN ?? false }) { return .double(.nan) }
        let sorted = numbers.ordered { ((try? $0.order(against: $1, for: name)) ?? nil) ?? 0 < 0 }
        let middle = sorted.count / 2
        if sorted.count % 2 == 1 { return sorted[middle] }
        return try average([sorted[middle - 1], sorted[middle]], for: name)
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
            aggregate("sum:", .sum, "the sum; 0 for an empty list") { (elements, _) throws(EvaluationFault) in
                try Aggregates.sum(elements, for: "sum:")
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
                (elements, _) throws(EvaluationFault) in
                try Aggregates.average(elements, for: "average:")
            },
            aggregate(
                "median:", .mean(otherwise: .number), "the middle element, or the mean of the middle two; skips nil"
            ) {
                (elements, _) throws(EvaluationFault) in
                try Aggregates.median(elements, for: "median:")
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
