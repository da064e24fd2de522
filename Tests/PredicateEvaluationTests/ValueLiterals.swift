// Lets literals be values, for tables of test cases.
public import PredicateSyntax

extension PredicateValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: PredicateValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, PredicateValue)...) {
        self = .dictionary(ValueDictionary(elements))
    }
}
