// The bindings of variables.

/// The values or expressions for the variables of a predicate, by name without `$`.
///
///     var variables: PredicateVariables = ["least": 3]
///     variables["most"] = nil    // binds nil; `remove` unbinds a variable
public struct PredicateVariables {
    /// The values and expressions by name.
    package internal(set) var arguments: [String: FormatArgument] = [:]

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
