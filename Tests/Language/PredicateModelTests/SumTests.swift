// Running totals against the sums and means of whole lists.

import PredicateModel
import PredicateSyntax
import PredicateTestSupport
import Testing

@Suite struct SumTests {
    private static let values: [PredicateValue] = [
        .null, .nsNull, .bool(true), .bool(false), .integer(0), .integer(7), .integer(.max), .integer(.min),
        .integer(1 << 53 + 1), .double(0.1), .double(-0.0), .double(.nan), .double(.infinity), .double(-.infinity),
        .double(1e300), .float(0.5), .decimal(DecimalNumber(3)), .decimal(DecimalNumber("0.1") ?? DecimalNumber(0)),
        .string("text"),
    ]

    /// The sum of a list, by the operators of the language.
    private static func sum(_ list: [PredicateValue]) throws(EvaluationFault) -> PredicateValue {
        var (whole, total): (WideInteger, PredicateValue?) = (0, nil)
        func exact(_ number: WideInteger) throws(EvaluationFault) -> PredicateValue {
            guard let number = Int64(exactly: number) else { throw EvaluationFault(.integerOverflow, "@sum") }
            return .integer(number)
        }
        for element in list where !element.isNil {
            guard element.isNumber else { throw EvaluationFault(.operandType, "@sum", element.typeDescription) }
            if let sum = total {
                total = try OperatorRules.standard.apply(.add, sum, element)
            } else if let number = element.wholeNumber {
                whole += WideInteger(number)
            } else {
                total = try OperatorRules.standard.apply(.add, try exact(whole), element)
            }
        }
        if let total { return total }
        return try exact(whole)
    }

    /// The mean, by the sum if there is a decimal, else of doubles.
    private static func average(_ list: [PredicateValue]) throws(EvaluationFault) -> PredicateValue {
        if list.isEmpty { return .null }
        if list.contains(where: { if case .decimal = $0 { true } else { false } }) {
            return try OperatorRules.standard.apply(.divide, sum(list), .decimal(DecimalNumber(Int64(list.count))))
        }
        var (whole, total): (WideInteger, Double?) = (0, nil)
        for element in list where !element.isNil {
            if total == nil, let number = element.wholeNumber {
                whole += WideInteger(number)
            } else {
                guard let number = element.doubleValue else {
                    throw EvaluationFault(.operandType, "@avg", element.typeDescription)
                }
                total = (total ?? Double(whole)) + number
            }
        }
        return .double((total ?? Double(whole)) / Double(list.count))
    }

    private static func text(_ body: () throws(EvaluationFault) -> PredicateValue) -> String {
        do throws(EvaluationFault) { return "\(try body())" } catch { return "\(error.id)" }
    }

    @Test func totalsAreThoseOfLists() {
        var random = SplitMix(0x5000)
        for _ in 0..<TestDepth.count(40_000) {
            // A few kinds in each list, so that lists without a text and without decimals are frequent.
            let kinds = (0..<1 + random.below(5)).map { _ in random.pick(Self.values) }
            let list = (0..<random.below(9)).map { _ in random.pick(kinds) }
            var total = Aggregates.Sum()
            let fault = Self.text { () throws(EvaluationFault) in
                for element in list { try total.add(element, for: "@sum") }
                return .null
            }
            let sum = fault == "nil" ? Self.text { () throws(EvaluationFault) in try total.sum(for: "@sum") } : fault
            let average =
                fault == "nil" ? Self.text { () throws(EvaluationFault) in try total.average(of: list.count) } : fault
            let overflow = "\(DiagnosticID.integerOverflow)"
            // A list with a text and with an overflow has either fault.
            let texts = list.contains { $0 == .string("text") }
            let expected = (
                Self.text { () throws(EvaluationFault) in try Self.sum(list) },
                Self.text { () throws(EvaluationFault) in try Self.average(list) }
            )
            #expect(sum == expected.0 || texts && expected.0 == overflow, "@sum of \(list)")
            #expect(average == expected.1 || texts && expected.1 == overflow, "@avg of \(list)")
        }
    }
}

extension PredicateValue {
    fileprivate var wholeNumber: Int64? {
        switch self {
        case .bool(let flag): flag ? 1 : 0
        case .integer(let number): number
        default: nil
        }
    }
}
