// Patterns that are fixed pieces with runs of anything between: LIKE, and `.*abc.*` of MATCHES. The place where a piece ends
// first leaves the most to those behind it, so that nothing is ever looked for twice (SQL.md 3.7): the cost is at most the
// text's length times the pattern's, however many runs there are. Engines say that by LIKE or GLOB of their own, or by a
// regular expression that may not go back.
import PredicateModel

/// `a?c*d`, over an alphabet: texts that hold nothing else.
struct Glob {
    enum Part: Hashable {
        case scalar(UInt32)
        /// Any one scalar of the alphabet.
        case one
        /// Any run of them, the empty one too.
        case run
    }

    let alphabet: CodePointSet
    let parts: [Part]

    /// Engines call themselves for each run.
    private static let mostRuns = 100
    private static let longest = 4096

    /// nil for a pattern of another shape, and for one that is too long.
    ///
    /// A scalar outside the alphabet would be one that no run goes over, and the first place might not be the best one.
    init?(_ pattern: RegularPattern) {
        let found = if case .concatenation(let inner) = pattern { inner } else { [pattern] }
        guard found.count <= Self.longest, let alphabet = found.lazy.compactMap(\.alphabet).first else { return nil }
        var parts: [Part] = []
        for part in found {
            switch part {
            case .set(alphabet): parts.append(.one)
            case .set(let set):
                guard let scalar = set.single, alphabet.contains(scalar) else { return nil }
                parts.append(.scalar(scalar))
            case .repetition(.set(alphabet), let minimum, let maximum) where maximum == nil || maximum == minimum:
                guard minimum <= Self.longest else { return nil }
                parts += Array(repeating: .one, count: minimum)
                if maximum == nil { parts.append(.run) }
            default: return nil
            }
        }
        guard parts.count <= Self.longest, parts.count(where: { $0 == .run }) <= Self.mostRuns else { return nil }
        self.alphabet = alphabet
        self.parts = parts
    }

    /// What every match begins with.
    var head: String {
        String(codePoints: parts.prefix { $0 != .one && $0 != .run }.compactMap(\.scalar)) ?? ""
    }
}

extension Glob.Part {
    var scalar: UInt32? { if case .scalar(let scalar) = self { scalar } else { nil } }
}

extension RegularPattern {
    /// What this part repeats, or offers a choice of.
    fileprivate var alphabet: CodePointSet? {
        switch self {
        case .set(let set), .repetition(.set(let set), minimum: _, maximum: _): set.single == nil ? set : nil
        default: nil
        }
    }
}

/// How an engine says a glob of all scalars itself, where it never goes back behind a run that it has left.
struct GlobCapability: Sendable {
    /// {0} is the text, {1} the pattern.
    let test: SQLTemplate
    let run: String
    let one: String
    /// What would mean something else, and what stands around it then.
    let special: Set<UInt32>
    let opening: String
    let closing: String
    /// Scalars that the engine takes for others.
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

    /// nil where the engine would take it for another.
    func written(_ glob: Glob) -> String? {
        var text = ""
        for part in glob.parts {
            switch part {
            case .run: text += run
            case .one: text += one
            case .scalar(let scalar):
                guard !confused.contains(scalar), let letter = Unicode.Scalar(scalar) else { return nil }
                let isSpecial = special.contains(scalar)
                if isSpecial { text += opening }
                text.unicodeScalars.append(letter)
                if isSpecial { text += closing }
            }
        }
        return text
    }
}

extension RegexWriter {
    /// `a(?>[…]*?b)[…]*c`: what an atomic group has found stays found, and the last run only gives back.
    mutating func write(_ glob: Glob) -> String? {
        let pieces = glob.parts.split(separator: .run, omittingEmptySubsequences: false)
        let run = RegularPattern.set(glob.alphabet)
        return write { writer in
            for (index, piece) in pieces.enumerated() {
                let isLast = index == pieces.count - 1
                if index > 0, !isLast {
                    if piece.isEmpty { continue }
                    writer.text += "(?>"
                }
                if index > 0 {
                    writer.add(run)
                    writer.text += isLast ? "*" : "*?"
                }
                for part in piece { writer.add(part.scalar.map { .set(CodePointSet($0)) } ?? run) }
                if index > 0, !isLast { writer.text += ")" }
            }
        }
    }
}
