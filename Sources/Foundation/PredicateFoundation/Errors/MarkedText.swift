// Shows a predicate with an error as attributed text. PredicateEvaluation has the error message for alerts.
public import Foundation

extension PredicateFailure {
    /// The text of the predicate. The invalid parts have the message as their alternate description and, on Apple's
    /// platforms, are emphasised.
    ///
    ///     Text(failure.markedSource)    // SwiftUI
    ///
    /// In other views use `diagnostic.span.range(in: failure.source)`, and `NSRange` of that range.
    public var markedSource: AttributedString {
        var text = AttributedString(source)
        for diagnostic in diagnostics {
            let range = diagnostic.span.range(in: source)
            guard !range.isEmpty, let marked = Range(range, in: text) else { continue }
            text[marked].alternateDescription = diagnostic.message
            #if canImport(ObjectiveC)
                // Foundation has this attribute on Apple's platforms only.
                text[marked].inlinePresentationIntent = .stronglyEmphasized
            #endif
        }
        return text
    }
}

extension PredicateConversionError: LocalizedError {
    /// `A part cannot be converted (AND, part 2): …`
    public var errorDescription: String? { "The predicate cannot be converted: \(reason) (\(place))." }
}
