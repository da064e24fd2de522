import PredicateSyntax
struct PatternError: Error { let reason: String }
enum TextPattern {
    static func matches(_ text: String, options: ComparisonOptions, limits: Limits) throws(PatternError) -> Int { 0 }
}
