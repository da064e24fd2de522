// Creates Apple's NSPredicate from a checked predicate. Apple's parser raises an Objective-C exception for an invalid
// format, which Swift cannot catch. So the format is parsed here first, and Apple's parser gets only what it supports.
#if canImport(ObjectiveC)
    public import Foundation

    extension NSPredicate {
        /// Converts a predicate to an NSPredicate object.
        ///
        ///     request.predicate = try NSPredicate(FormatPredicate("age > 21"))
        ///
        /// - Throws: `PredicateConversionError` for parts that Apple's parser rejects with an exception: an unknown
        ///   function, a term of device management, a conversion without an argument.
        public convenience init(_ predicate: FormatPredicate) throws(PredicateConversionError) {
            try AppleForm.check { $0.walk(predicate.root) }
            // Constants are passed as arguments, so their text is not parsed.
            let form = ExactForm(predicate.root)
            self.init(format: form.format, argumentArray: form.arguments.map { $0.anyValue ?? NSNull() })
        }

        /// Parses a format string that may be invalid, such as one that a user typed. Never raises an exception.
        ///
        ///     let predicate = try NSPredicate(checking: "age >= %@", 21)
        ///
        /// - Throws: `PredicateFailure` with every error, as `FormatPredicate(_:_:)` does, or
        ///   `PredicateConversionError`.
        public convenience init(checking format: String, _ arguments: Any?...) throws {
            try self.init(checking: format, argumentArray: arguments as [Any])
        }

        /// Parses a format string that may be invalid, with its arguments in an array.
        ///
        /// - Throws: the same errors as `init(checking:_:)`.
        public convenience init(checking format: String, argumentArray: [Any]) throws {
            var values: [FormatArgument] = []
            for object in argumentArray {
                if let expression = object as? NSExpression {
                    values.append(.expression(try StructureReader().read(expression)))
                } else {
                    values.append(.value(try HostValue.value(object)))
                }
            }
            try self.init(FormatPredicate(format, formatArguments: values))
        }
    }

    private enum AppleForm {
        /// - Throws: `PredicateConversionError` for the first part that Apple's parser does not support.
        static func check(_ walk: (PredicateWalker) -> Void) throws(PredicateConversionError) {
            var reason: String?
            walk(
                PredicateWalker(
                    predicate: { if case .error = $0.kind { reason = reason ?? "it has an error" } },
                    expression: { reason = reason ?? refusal($0) }))
            if let reason { throw PredicateConversionError([], reason) }
        }

        private static func refusal(_ node: ExpressionNode) -> String? {
            switch node.kind {
            case .term, .argument, .error: "'\(node)' is not part of NSPredicate's language"
            case .call(let name, _) where FunctionCatalog.standard.function(named: name) == nil:
                "NSPredicate has no function '\(name)'"
            default: nil
            }
        }
    }
#endif
