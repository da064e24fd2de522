// Localised error descriptions for alerts: a sentence, and advice.
#if Foundation
    public import Foundation
    public import PredicateModel
    public import PredicateSyntax

    extension PredicateFailure: LocalizedError {}

    extension LocalizedError where Self: DiagnosedError {
        /// One sentence for each error: `'BEGINWITH' is not an operator.`
        public var errorDescription: String? {
            diagnostics.isEmpty
                ? Self.sentence(description) : errors.map { Self.sentence($0.message) }.joined(separator: " ")
        }

        /// The advice for the first error that has one: `Did you mean BEGINSWITH?`
        public var recoverySuggestion: String? { errors.lazy.compactMap { $0.label }.first.map(Self.sentence) }

        private var errors: [PredicateDiagnostic] { diagnostics.filter { $0.severity == .error } }

        private static func sentence(_ phrase: String) -> String {
            let end = phrase.last.map { ".?!".contains($0) } ?? true ? "" : "."
            return phrase.prefix(1).uppercased() + phrase.dropFirst() + end
        }
    }

    extension SchemaError: LocalizedError {
        /// One line for each problem.
        public var errorDescription: String? { description }
    }
#endif
