// The bindings of variables.
public import PredicateSyntax

/// The values or expressions for the variables of a predicate, by name without `$`.
///
///     var variables: PredicateVariables = ["least": 3]
///     variables["most"] = nil    // binds nil; `remove` unbinds a variable
public struct PredicateVariables: ExpressibleByDictionaryLiteral {
    /// The values and expressions by name.
    package private(set) var arguments: [String: FormatArgument]

    /// Creates bindings from a dictionary. nil in the dictionary binds the value nil.
    public init(_ bindings: [String: (any FormatArgumentConvertible)?] = [:]) {
        arguments = bindings.mapValues { $0?.formatArgument ?? .value(.null) }
    }

    public init(dictionaryLiteral bindings: (String, (any FormatArgumentConvertible)?)...) {
        arguments = [:]
        for (name, value) in bindings { self[name] = value }
    }

    /// The value or expression of a variable; nil if it has none. Setting nil binds the value nil.
    public subscript(name: String) -> (any FormatArgumentConvertible)? {
        get { arguments[name] }
        set { arguments[name] = newValue?.formatArgument ?? .value(.null) }
    }

    package var isEmpty: Bool { arguments.isEmpty }

    /// Removes the binding of a variable.
    public mutating func remove(_ name: String) { arguments[name] = nil }

    /// Adds other bindings.
    package mutating func merge(
        _ others: PredicateVariables, uniquingKeysWith combine: (FormatArgument, FormatArgument) -> FormatArgument
    ) {
        arguments.merge(others.arguments, uniquingKeysWith: combine)
    }

    package func merging(
        _ others: PredicateVariables, uniquingKeysWith combine: (FormatArgument, FormatArgument) -> FormatArgument
    ) -> PredicateVariables {
        var merged = self
        merged.merge(others, uniquingKeysWith: combine)
        return merged
    }
}
