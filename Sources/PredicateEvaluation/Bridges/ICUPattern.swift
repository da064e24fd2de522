// MATCHES outside the regular core: look-around, back-references and the like, on Foundation's ICU. ICU backtracks,
// so that a match runs under a budget (LANGUAGE C 12): it ends in an answer or in `.budget`, never in a hang and
// never in a silent "no".

import Foundation
package import PredicateModel
package import PredicateSyntax

/// A pattern that only ICU can match, compiled once. May be used from many threads.
package struct ICUPattern: Sendable {
    /// What one match came to.
    package enum Outcome: Hashable, Sendable {
        case matched
        case notMatched
        /// ICU met the budget or gave up by itself: nobody knows whether the text matches.
        case budget
    }

    private let expression: NSRegularExpression
    private let options: ComparisonOptions
    private let progress: Int

    /// Compiles a pattern that `TextPattern.matches` found well-formed.
    ///
    /// Texts are folded by the options' table. In the pattern its characters beyond ASCII are folded too, and with
    /// `c` ICU ignores case; in brackets a character that folds to several counts as each of them.
    /// - Throws: where ICU refuses the pattern all the same, such as for a property that it does not know; ICU does
    /// not say where.
    package init(_ text: String, options: ComparisonOptions = [], limits: Limits = .standard) throws(ICUPatternError) {
        self.options = options
        progress = limits.patternProgress
        var flags: NSRegularExpression.Options = []
        if FoldTable.table(options) != nil, options.contains(.caseInsensitive) { flags.insert(.caseInsensitive) }
        let folded = Self.foldBeyondASCII(text, options)
        // Alone first: `a)(b` would become well-formed by what is put around it.
        guard (try? NSRegularExpression(pattern: folded, options: flags)) != nil else { throw ICUPatternError() }
        // The pattern may end inside a comment or a quotation, which would swallow the parenthesis; then the plain
        // form is refused for its group without an end, and the next one ends the comment or the quotation first.
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
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            let character = String(String.UnicodeScalarView([scalar]))
            result += scalar.isASCII ? character : StringFold.fold(character, options)
        }
    }

    /// Whether the whole text matches, as far as the budget reaches.
    package func match(_ text: String) -> Outcome {
        let subject = StringFold.fold(text, options)
        var outcome = Outcome.notMatched
        var calls = 0
        expression.enumerateMatches(
            in: subject, options: [.reportProgress, .reportCompletion, .anchored],
            range: NSRange(location: 0, length: subject.utf16.count)
        ) { result, flags, stop in
            if result != nil {
                outcome = .matched
                stop.pointee = true
            } else if flags.contains(.internalError) {
                outcome = .budget
                stop.pointee = true
            } else if flags.contains(.progress) {
                calls += 1
                if calls >= progress {
                    outcome = .budget
                    stop.pointee = true
                }
            }
        }
        return outcome
    }
}

/// ICU refuses the pattern.
package struct ICUPatternError: Error, Hashable, Sendable {
    /// A clause without a full stop.
    package var reason: String { "ICU does not accept it" }
}

/// ICU as the scalar operators know it.
struct ICUPatterns: ForeignPatterns {
    func compile(
        _ pattern: String, _ options: ComparisonOptions, _ limits: Limits
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
