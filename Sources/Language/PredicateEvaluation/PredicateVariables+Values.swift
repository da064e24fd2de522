// Variables with Swift's values.

extension PredicateVariables: ExpressibleByDictionaryLiteral {
    /// Creates bindings from a dictionary. nil in the dictionary binds the value nil.
    public init(_ bindings: [String: (any FormatArgumentConvertible)?] = [:]) {
        self.init(arguments: bindings.mapValues { $0?.formatArgument ?? .value(.null) })
    }

    public init(dictionaryLiteral bindings: (String, (any FormatArgumentConvertible)?)...) {
        self.init(arguments: [:])
        for (name, value) in bindings { self[name] = value }
    }

    /// The value or expression of a variable; nil if it has none. Setting nil binds the value nil.
    public subscript(name: String) -> (any FormatArgumentConvertible)? {
        get { arguments[name] }
        set { arguments[name] = newValue?.formatArgument ?? .value(.null) }
    }
}
