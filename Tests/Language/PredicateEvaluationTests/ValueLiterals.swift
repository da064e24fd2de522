// Lets dictionary literals and nil be values, too, for tables of test cases.
public import PredicateSyntax

extension PredicateValue: ExpressibleByNilLiteral, ExpressibleByDictionaryLiteral {
    public init(nilLiteral: ()) { self = .null }
    public init(dictionaryLiteral elements: (String, PredicateValue)...) {
        self = .dictionary(ValueDictionary(elements))
    }
}
