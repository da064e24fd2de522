// Glob patterns: fixed pieces with runs of any scalars between them, from LIKE and from MATCHES such as
// `.*abc.*`. Matching each piece at its first place leaves the most text for later pieces, so no backtracking
// is needed (SQL.md 3.7). The cost is at most the text's length times the pattern's. Engines express this with
// LIKE or GLOB, or with a regular expression that cannot backtrack.
import PredicateModel

/// A glob such as `a?c*d` over an alphabet. Matches only texts of its scalars.
struct Glob {
    enum Part: Hashable {
        /// One scalar of the set.
        case one(CodePointSet)
        /// Any number of scalars of the alphabet.
        case run
    }

    let alphabet: CodePointSet
    let parts: [Part]

    /// Limits, because engines recurse for each run.
    private static let mostRuns = 100
    private static let longest = 4096

    /// nil for a pattern of another form or one that is too long.
    ///
    /// A fixed piece must be in the alphabet too. Otherwise a run could not continue after the first place of a
    /// piece, and that place might not be the best one.
    init?(_ pattern: RegularPattern) {
        let found = pattern.parts
        guard found.count <= Self.longest, let alphabet = Self.alphabet(found) else { return nil }
        var parts: [Part] = []
        for part in found {
            switch part {
            case .set(let set) where alphabet.isSuperset(of: set): parts.append(.one(set))
            case .repetition(.set(let set), let minimum, let maximum):
                guard minimum <= Self.longest, maximum == minimum || maximum == nil && set == alphabet,
                    alphabet.isSuperset(of: set)
                else { return nil }
                parts += Array(repeating: .one(set), count: minimum)
                if maximum == nil { parts.append(.run) }
            default: return nil
            }
        }
        guard parts.count <= Self.longest, parts.count(where: { $0 == .run }) <= Self.mostRuns else { return nil }
        self.alphabet = alphabet
        self.parts = parts
    }

    /// The alphabet: the set that is repeated without limit; if there is none, the first set of several
    /// scalars.
    private static func alphabet(_ parts: [RegularPattern]) -> CodePointSet? {
        for case .repetition(.set(let set), minimum: _, maximum: nil) in parts { return set }
        for case .set(let set) in parts where set.single == nil { return set }
        return nil
    }
}

/// How an engine writes a glob. Only for engines that do not backtrack over an earlier run.
struct GlobCapability: Sendable {
    /// {0} is the text, {1} the pattern.
    let test: SQLTemplate
    let run: String
    let one: String
    /// The special characters, and the text around one that is meant literally.
    let special: Set<UInt32>
    let opening: String
    let closing: String
    /// Scalars that the engine confuses with others.
    let confused: CodePointSet

    init(
        test: SQLTemplate, run: String, one: String, special: String, opening: String, closing: String = "",
        confused: CodePointSet = .empty
    ) {
        self.test = test
        self.run = run
        self.one = one
        self.special = Set(special.unicodeScalars.map(\.value))
        self.opening = opening
        self.closing = closing
        self.confused = confused
    }

    /// The pattern in the engine's syntax; nil if the engine would match other texts.
    func written(_ glob: Glob) -> String? {
        var text = ""
        for part in glob.parts {
            switch part {
            case .run: text += run
            case .one(glob.alphabet): text += one
            case .one(let set):
                guard let scalar = set.single, !confused.contains(scalar), let letter = Unicode.Scalar(scalar) else {
                    return nil
                }
                let isSpecial = special.contains(scalar)
                if isSpecial { text += opening }
                text.unicodeScalars.append(letter)
                if isSpecial { text += closing }
            }
        }
        return text
    }
}

extension Glob {
    var pattern: [RegularPattern] {
        parts.map { part in
            switch part {
            case .one(let set): .set(set)
            case .run: .repetition(.set(alphabet), minimum: 0, maximum: nil)
            }
        }
    }
}

extension RegexWriter {
    /// Writes `a(?>[…]*?b)[…]*c`: an atomic group keeps its first match, so only the last run can backtrack.
    ///
    /// - Parameter run: the scalars of the runs between pieces.
    mutating func write(_ parts: [RegularPattern], run: CodePointSet) -> String? {
        let separator = RegularPattern.repetition(.set(run), minimum: 0, maximum: nil)
        let pieces = parts.split(separator: separator, omittingEmptySubsequences: false)
        return write { writer in
            for (index, piece) in pieces.enumerated() {
                let isLast = index == pieces.count - 1
                if index > 0, !isLast {
                    if piece.isEmpty { continue }
                    writer.text += "(?>"
                }
                if index > 0 {
                    writer.add(.set(run))
                    writer.text += isLast ? "*" : "*?"
                }
                writer.add(.concatenation(Array(piece)))
                if index > 0, !isLast { writer.text += ")" }
            }
        }
    }
}
