// Format strings with Swift's values as arguments.

extension FormatPredicate {
    /// Parses a format string. Conversions take the arguments from left to right. Arguments become nodes of the
    /// tree, never text, so they cannot inject anything.
    ///
    ///     try FormatPredicate("age > %@ AND half:(age) < 30", 21, in: environment)
    ///
    /// - Throws: `PredicateFailure` with all errors. Cost: a few microseconds for a typical text.
    public init(
        _ format: String, _ arguments: (any FormatArgumentConvertible)?...,
        in environment: PredicateEnvironment = .standard
    ) throws(PredicateFailure) {
        try self.init(format, of: arguments, in: environment)
    }

    /// Parses a format string with its arguments in a list, for functions that pass on those of their callers; see
    /// `init(_:_:in:)`.
    ///
    ///     func find(_ format: String, _ arguments: (any FormatArgumentConvertible)?...) throws -> FormatPredicate {
    ///         try FormatPredicate(format, arguments: arguments)
    ///     }
    public init(
        _ format: String, arguments: [(any FormatArgumentConvertible)?],
        in environment: PredicateEnvironment = .standard
    ) throws(PredicateFailure) {
        try self.init(format, of: arguments, in: environment)
    }
}

extension FormatExpression {
    /// Parses a format string; see `FormatPredicate.init(_:_:)`.
    public init(
        _ format: String, _ arguments: (any FormatArgumentConvertible)?...,
        in environment: PredicateEnvironment = .standard
    ) throws(PredicateFailure) {
        try self.init(format, of: arguments, in: environment)
    }

    /// Parses a format string with its arguments in a list; see `FormatPredicate.init(_:arguments:in:)`.
    public init(
        _ format: String, arguments: [(any FormatArgumentConvertible)?],
        in environment: PredicateEnvironment = .standard
    ) throws(PredicateFailure) {
        try self.init(format, of: arguments, in: environment)
    }
}

extension FormatText {
    /// Parses a format string. An argument that is an expression adds the definitions of its environment.
    package init(
        _ format: String, of arguments: [(any FormatArgumentConvertible)?], in environment: PredicateEnvironment
    ) throws(PredicateFailure) {
        var environment = environment
        let values = arguments.map { argument in
            let value = argument?.formatArgument ?? .value(.null)
            if case .expression = value, let expression = argument as? FormatExpression {
                environment = environment.joined(with: expression.environment)
            }
            return value
        }
        try self.init(format, formatArguments: values, in: environment)
    }
}
