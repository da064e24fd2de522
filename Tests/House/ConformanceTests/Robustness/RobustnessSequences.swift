// Parses all short sequences of tokens, most of which are not valid predicates.
import PredicateTestSupport
import Testing

@Suite struct RobustnessSequences {
    /// One token of each kind that the parser distinguishes.
    static let alphabet = [
        "a", "1", "'s'", "$x", "%@", "SELF", "nil", "TRUEPREDICATE", "FIRST", "@count", "#in", "(", ")", "[", "]", "{",
        "}", ",", ".", "-", "+", "UNION", ":=", "==", "IN[c]", "AND", "NOT", "ANY", "SUBQUERY(", "f:",
    ]

    /// The sequence with this number, among all sequences of a length, with a separator between tokens.
    private static func text(_ number: Int, length: Int, joint: String) -> String {
        var rest = number
        var parts: [String] = []
        for _ in 0..<length {
            parts.append(alphabet[rest % alphabet.count])
            rest /= alphabet.count
        }
        return parts.joined(separator: joint)
    }

    private static func power(_ exponent: Int) -> Int {
        (0..<exponent).reduce(1) { power, _ in power * alphabet.count }
    }

    @Test(.cases) func everyShortSequenceSatisfiesTheInvariants() {
        forEachCase(1...3) { length in
            let step = length > 2 ? TestDepth.step(20) : 1
            for number in stride(from: 0, to: Self.power(length), by: step) {
                for joint in [" ", ""] {
                    let text = Self.text(number, length: length, joint: joint)
                    if let found = Robustness.violation(of: text) { Issue.record("\(text): \(found)") }
                }
            }
        }
    }

    @Test func sequencesOfFourSatisfyTheInvariants() {
        let all = Self.power(4)
        var generator = SplitMix(4)
        let isFull = TestDepth.current == .full
        for index in 0..<TestDepth.count(40_000, full: all) {
            let number = isFull ? index : Int.random(in: 0..<all, using: &generator)
            for joint in isFull ? [" ", ""] : [index % 2 == 0 ? " " : ""] {
                let text = Self.text(number, length: 4, joint: joint)
                if let found = Robustness.violation(of: text) { Issue.record("\(text): \(found)") }
            }
        }
    }
}
