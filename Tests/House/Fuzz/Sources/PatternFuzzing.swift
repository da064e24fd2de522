// Patterns of MATCHES: compares our automaton with ICU, which must accept the same patterns and match the same texts.

import PredicateEvaluation
import PredicateModel
import PredicateSyntax

enum PatternFuzzing {
    private static let limits: PredicateLimits = {
        var limits = PredicateLimits.standard
        limits.patternTime = .milliseconds(2)
        limits.patternStates = 2000
        return limits
    }()

    /// - Parameter input: the pattern in the first line, a text in each other line.
    static func complaint(_ input: String) -> String? {
        let lines = input.split(separator: "\n", maxSplits: 8, omittingEmptySubsequences: false).map(String.init)
        let pattern = lines[0]
        for options in [[], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive]] as [ComparisonOptions] {
            guard let compiled = try? TextPattern.matches(pattern, options: options, limits: limits) else { continue }
            for text in lines.dropFirst() { _ = compiled.matcher?.matches(text) }
            if let like = try? TextPattern.like(pattern, options: options, limits: limits).matcher {
                for text in lines.dropFirst() { _ = like.matches(text) }
            }
        }
        // Only ASCII: the character names and tables of other characters depend on the version of Unicode.
        guard input.unicodeScalars.allSatisfy({ $0.value < 0x80 }) else { return nil }
        // Foundation does not accept the empty pattern. In the language it matches the empty text only.
        if pattern.isEmpty { return nil }
        return difference(pattern, lines.dropFirst())
    }

    private static func difference(_ pattern: String, _ texts: ArraySlice<String>) -> String? {
        let ours: CompiledPattern
        do throws(PatternError) {
            ours = try TextPattern.matches(pattern, limits: limits)
        } catch {
            if error.exceedsLimit { return nil }
            let isAccepted = (try? ICUPattern(pattern, limits: limits)) != nil
            return isAccepted ? "ICU accepts \(pattern.debugDescription), we do not: \(error.reason)" : nil
        }
        guard let matcher = ours.matcher else { return nil }
        guard let icu = try? ICUPattern(pattern, limits: limits) else {
            return "ICU does not accept \(pattern.debugDescription)"
        }
        for text in texts {
            let outcome = icu.match(text)
            if outcome != .budget, matcher.matches(text) != (outcome == .matched) {
                return "\(pattern.debugDescription) on \(text.debugDescription): ICU \(outcome)"
            }
        }
        return nil
    }
}
