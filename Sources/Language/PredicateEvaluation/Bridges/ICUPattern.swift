// MATCHES with patterns that our automaton cannot run, such as look-around and back-references, through Foundation's
// ICU. ICU backtracks, so each match has a limit (LANGUAGE C 12): the result is true, false, or `.budget`, and no match
// runs without end.

#if Foundation
    import Foundation
    package import PredicateModel
    package import PredicateSyntax

    /// A compiled ICU pattern. Safe to use from several threads.
    package final class ICUPattern: Sendable {
        /// The result of a match.
        package enum Outcome: Hashable, Sendable {
            case matched
            case notMatched
            /// ICU reached its limit, so the result is unknown.
            case budget
        }

        private let expression: NSRegularExpression
        private let options: ComparisonOptions
        private let time: Duration

        /// Compiles a pattern that `TextPattern.matches` has accepted as well-formed.
        ///
        /// Texts are folded with the table for the options. Non-ASCII characters of the pattern are also folded, and
        /// ICU ignores case for `c`. Texts and patterns are then composed, so that a letter is one character for ICU if
        /// Unicode has a composed form. Inside brackets, a character that folds to several characters counts as each of
        /// them.
        /// - Throws: `ICUPatternError` if ICU rejects the pattern, for example because of an unknown property. ICU does
        ///   not report the position.
        package init(_ text: String, options: ComparisonOptions = [], limits: PredicateLimits = .standard)
            throws(ICUPatternError)
        {
            self.options = options
            time = limits.patternTime
            var flags: NSRegularExpression.Options = []
            if FoldTable.table(options) != nil, options.contains(.caseInsensitive) { flags.insert(.caseInsensitive) }
            let folded = Self.foldBeyondASCII(text, options)
            // Compile the pattern alone first, because the added parentheses would make `a)(b` well-formed.
            guard (try? NSRegularExpression(pattern: folded, options: flags)) != nil else { throw ICUPatternError() }
            // The pattern may end inside a comment or a quotation, which would contain the closing parenthesis. The
            // second and third forms end a comment or a quotation first.
            for end in [")\\z", "\n)\\z", "\\E)\\z"] {
                if let whole = try? NSRegularExpression(pattern: "(?:" + folded + end, options: flags) {
                    expression = whole
                    return
                }
            }
            throw ICUPatternError()
        }

        private static func foldBeyondASCII(_ text: String, _ options: ComparisonOptions) -> String {
            guard FoldTable.table(options) != nil else { return text }
            let folded = text.unicodeScalars.reduce(into: "") { result, scalar in
                let character = String(String.UnicodeScalarView([scalar]))
                result += scalar.isASCII ? character : StringFold.fold(character, options)
            }
            // This is the only mark that composes with syntax characters: `<`, `=` and `>`.
            return folded.unicodeScalars.contains("\u{338}") ? folded : folded.precomposedStringWithCanonicalMapping
        }

        /// Matches the whole text within the limit.
        package func match(_ text: String) -> Outcome {
            let subject =
                FoldTable.table(options) == nil
                ? text : StringFold.fold(text, options).precomposedStringWithCanonicalMapping
            var outcome = Outcome.notMatched
            var end: ContinuousClock.Instant?
            expression.enumerateMatches(
                in: subject, options: [.reportProgress, .reportCompletion, .anchored],
                range: NSRange(location: 0, length: subject.utf16.count)
            ) { [time] result, flags, stop in
                if result != nil {
                    outcome = .matched
                    stop.pointee = true
                } else if flags.contains(.internalError) {
                    outcome = .budget
                    stop.pointee = true
                } else if flags.contains(.progress) {
                    let now = ContinuousClock.now
                    if now >= end ?? now + time {
                        outcome = .budget
                        stop.pointee = true
                    }
                    end = end ?? now + time
                }
            }
            return outcome
        }
    }

    /// ICU rejects the pattern.
    package struct ICUPatternError: Error, Hashable, Sendable {
        /// The reason, for use inside a sentence.
        package var reason: String { "ICU does not accept it" }
    }

    /// Makes ICU patterns available to the operators.
    final class ICUPatterns: ForeignPatterns {
        static let shared = ICUPatterns()

        func compile(
            _ pattern: String, _ options: ComparisonOptions, _ limits: PredicateLimits
        ) throws(EvaluationFault) -> any ForeignPattern {
            do {
                return try ICUPattern(pattern, options: options, limits: limits)
            } catch {
                throw EvaluationFault(.malformedPattern, error.reason, at: .right)
            }
        }
    }

    extension ICUPattern: ForeignPattern {
        package func matches(_ text: String) throws(EvaluationFault) -> Bool {
            switch match(text) {
            case .matched: true
            case .notMatched: false
            case .budget: throw EvaluationFault(.patternBudget, at: .left)
            }
        }
    }
#endif
