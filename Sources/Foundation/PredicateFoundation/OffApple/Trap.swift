// The only code of the package that ends the process. It does so where Apple's NSPredicate raises an exception, which
// Swift cannot catch either.
#if !canImport(ObjectiveC)
    enum Trap {
        /// Returns the result, or ends the process with the whole diagnostic: text, caret and suggestion.
        ///
        /// - Parameters:
        ///   - call: the API that the app called: `NSPredicate(format:)`.
        ///   - instead: the API that throws an error instead.
        ///   - countsArguments: whether Apple's call knows the number of its arguments. With C variable arguments, it
        ///     reads memory that is no argument where one is missing.
        static func unlessThrown<Value>(
            _ call: String, instead: String, countsArguments: Bool = true,
            _ body: () throws(PredicateFailure) -> Value
        ) -> Value {
            do throws(PredicateFailure) {
                return try body()
            } catch {
                let isUndefined = !countsArguments && error.diagnostics.contains { $0.id == .missingArgument }
                let there =
                    isUndefined
                    ? "with a missing argument is undefined on Apple's platforms"
                    : "raises an exception on Apple's platforms too"
                stop("\(call) \(there); \(instead) throws instead\n\(error)")
            }
        }

        /// Ends the process.
        static func stop(_ message: String) -> Never {
            // `fatalError` prints its message in optimised builds too; a precondition does not.
            fatalError(message)
        }
    }
#endif
