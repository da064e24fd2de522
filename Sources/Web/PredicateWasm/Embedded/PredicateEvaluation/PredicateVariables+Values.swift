// Embedded Swift has no existentials of protocols that are not class-bound, so the values are arguments.
public import PredicateSyntax

extension PredicateVariables: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral bindings: (String, FormatArgument)...) {
        self.init(arguments: Dictionary(bindings) { $1 })
    }

    public subscript(name: String) -> FormatArgument? {
        get { arguments[name] }
        set { arguments[name] = newValue ?? .value(.null) }
    }
}
