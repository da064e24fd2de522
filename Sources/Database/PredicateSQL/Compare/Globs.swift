// In: a regular pattern, from LIKE or MATCHES. If it is a glob, fixed pieces with runs of scalars of one set between them,
// out comes the test of an engine that takes at most (length of the text × length of the pattern) steps: each piece matches
// at its first position, which leaves the most text for later pieces (SQL of each construct: LIKE). Determinism.swift finds
// the runs.
//
//     name LIKE 'a*b*c'       PostgreSQL: name LIKE 'a%b%c'          sqlite-plain: name GLOB 'a*b*c'
//                             Spark, MariaDB: \Aa(?>(?s:.)*?b)(?s:.)*c\z     (an atomic group does not backtrack)
//     name LIKE[c] 'a*b*c'    Spark: \A(?:ẚ|[Aa](?!M))(?>(?s:.)*?[Bb](?!M))(?s:.)*[Cc]\z
//
// `Glob` is the first pattern, with one scalar for each character. `LetterGlob` is the second: under `[c]` and `[d]` a
// character is a letter with its marks, so a piece must not end before a mark (M).

/// A glob such as `a?c*d` over an alphabet. It matches only texts that consist of scalars of the alphabet.
struct Glob {
    let alphabet: CodePointSet
    /// The fixed pieces: one set for each of their scalars. Any number of scalars of the alphabet may stand between two
    /// pieces.
    let pieces: [[CodePointSet]]

    /// Limits the number of runs, because engines recurse for each run.
    private static let mostRuns = 100
    private static let longest = 4096

    /// nil for a pattern of another form, or one that is too long.
    ///
    /// The scalars of a fixed piece must also be in the alphabet. Otherwise a run could not continue past the first
    /// match of a piece, so the first match might be the wrong one.
    init?(_ pattern: RegularPattern) {
        let found = pattern.parts
        guard found.count <= Self.longest, let alphabet = Self.alphabet(found) else { return nil }
        var pieces: [[CodePointSet]] = [[]]
        for part in found {
            switch part {
            case .set(let set) where alphabet.isSuperset(of: set): pieces[pieces.count - 1].append(set)
            case .repetition(.set(let set), let minimum, let maximum):
                guard minimum <= Self.longest, maximum == minimum || maximum == nil && set == alphabet,
                    alphabet.isSuperset(of: set)
                else { return nil }
                pieces[pieces.count - 1] += Array(repeating: set, count: minimum)
                if maximum == nil { pieces.append([]) }
            default: return nil
            }
        }
        let runs = pieces.count - 1
        guard pieces.joined().count + runs <= Self.longest, runs <= Self.mostRuns else { return nil }
        self.alphabet = alphabet
        self.pieces = pieces
    }

    /// The alphabet: the set that is repeated without limit, or else the first set with several scalars.
    private static func alphabet(_ parts: [RegularPattern]) -> CodePointSet? {
        for case .repetition(.set(let set), minimum: _, maximum: nil) in parts { return set }
        for case .set(let set) in parts where set.single == nil { return set }
        return nil
    }
}

/// How an engine writes a glob. Used only for engines that do not backtrack over an earlier run.
struct GlobCapability: Sendable {
    /// {0} is the text, {1} the pattern.
    let test: SQLTemplate
    /// Any number of scalars: `%` of LIKE, `*` of GLOB.
    let run: String
    /// One scalar: `_` of LIKE, `?` of GLOB.
    let one: String
    /// The special characters, and the text around one that is meant literally.
    let special: String
    let opening: String
    var closing = ""
    /// Scalars that the engine treats as equal to others.
    var confused = CodePointSet.empty

    /// The pattern in the engine's syntax; nil if the engine would match other texts.
    func written(_ glob: Glob) -> String? {
        var text = ""
        for (index, piece) in glob.pieces.enumerated() {
            if index > 0 { text += run }
            for set in piece {
                if set == glob.alphabet {
                    text += one
                    continue
                }
                guard let scalar = set.single, !confused.contains(scalar), let letter = Unicode.Scalar(scalar) else {
                    return nil
                }
                text += special.unicodeScalars.contains(letter) ? opening + String(letter) + closing : String(letter)
            }
        }
        return text
    }
}

extension GlobCapability {
    /// The pattern for texts that contain a text; nil if the engine treats some of its scalars as equal to others.
    func written(containing text: String) -> String? {
        let scalars = text.unicodeScalars.map { $0.value }
        return Glob(.joined([.anything, .literal(scalars), .anything])).flatMap(written)
    }

    /// A pattern for ASCII texts in an engine's glob that ignores case; nil if it would match other ASCII texts, or
    /// contains U+0000.
    func written(caseless pattern: RegularPattern) -> String? {
        let ascii = CodePointSet(0...127)
        let run = RegularPattern.repetition(.set(ascii), minimum: 0, maximum: nil)
        var text = ""
        for part in pattern.within(ascii).parts {
            switch part {
            case .empty: break
            case run, .repetition(.concatenation([.set(ascii), run]), 0, 1): text += self.run
            case .set(ascii): text += one
            case .set(let set):
                guard let found = letter(set) else { return nil }
                text += found
            default: return nil
            }
        }
        return text
    }

    /// A glob that ignores case and is an upper bound of the pattern, with the number of its
    /// letters: the caller uses it only if they are many.
    func written(over pattern: RegularPattern) -> (glob: String, letters: Int) {
        var text = ""
        var letters = 0
        var isRun = false
        for part in pattern.parts {
            guard case .set(let set) = part else {
                if !isRun { text += run }
                isRun = true
                continue
            }
            let found = letter(set)
            text += found ?? one
            letters += found == nil ? 0 : 1
            isRun = false
        }
        return (text, letters)
    }

    /// An ASCII letter in both cases, or an ASCII scalar without case; nil for other sets.
    private func letter(_ set: CodePointSet) -> String? {
        guard set.count <= 2 else { return nil }
        let cases = set.ranges.joined().compactMap(Unicode.Scalar.init)
        guard let lower = cases.last, lower.isASCII, lower.value > 0,
            lower.properties.lowercaseMapping == String(lower),
            cases.count == (lower.properties.isCased ? 2 : 1),
            cases.allSatisfy({ $0.properties.lowercaseMapping == String(lower) })
        else { return nil }
        return (special.unicodeScalars.contains(lower) ? opening : "") + String(lower)
    }
}

extension RegularPattern {
    /// The pattern of all matches that consist only of scalars of the set.
    fileprivate func within(_ scalars: CodePointSet) -> RegularPattern {
        switch self {
        case .empty, .anyLine: return self
        case .set(let set): return .set(set.intersection(scalars))
        case .concatenation(let parts):
            let inner = parts.map { $0.within(scalars) }
            return inner.contains(.never) ? .never : .joined(inner)
        case .alternation(let choices):
            return .either(choices.map { $0.within(scalars) }.filter { $0 != .never })
        case .repetition(let inner, let minimum, let maximum):
            let inner = inner.within(scalars)
            if inner == .never { return minimum == 0 ? .empty : .never }
            return .repetition(inner, minimum: minimum, maximum: maximum)
        }
    }
}

/// A pattern, usually a preimage (FoldTable), of pieces with a fixed number of letters and runs of letters between them.
struct LetterGlob {
    /// One piece. There is a run before each piece except the first.
    fileprivate struct Piece {
        var parts: [RegularPattern] = []
        /// The alternatives of its last letter, if they differ in `endsLetter`: `ẚ` and `[Aa]` for the letter a.
        var endings: [Ending] = []

        var isEmpty: Bool { parts.isEmpty && endings.isEmpty }
    }

    fileprivate struct Ending {
        let pattern: RegularPattern
        /// Whether no mark may follow. One may follow ẚ, which folds to `aʾ`: ʾ is already a letter of the run.
        let endsLetter: Bool
    }

    fileprivate let pattern: RegularPattern
    fileprivate let pieces: [Piece]
    /// The scalars of the runs.
    fileprivate let alphabet: CodePointSet
    /// Scalars that do not begin a letter, such as marks.
    fileprivate let marks: CodePointSet
    /// Whether the text begins with a run of whole letters, so that its first scalar is not in `marks`.
    fileprivate let beginsLetter: Bool
    /// Whether no run is between two pieces. Then a search takes few steps at each position.
    fileprivate var isSearch: Bool { alphabet == .all && pieces.count { !$0.isEmpty } <= 1 }

    /// nil for another pattern, and if the fold of a scalar crosses a run.
    ///
    /// - Parameters:
    ///   - marks: scalars that do not begin a letter.
    ///   - vanishing: scalars that belong to no letter.
    init?(_ pattern: RegularPattern, marks: CodePointSet, vanishing: CodePointSet) {
        let marks = marks.union(vanishing)
        var pieces = [Piece()]
        var alphabets: Set<CodePointSet> = []
        for (index, part) in pattern.parts.enumerated() {
            // A plain run may begin inside a letter, except at the beginning of a text.
            if let scalars = part.scalarsOfRun(marks), index == 0 || !part.isPlainRun {
                alphabets.insert(scalars)
                pieces.append(Piece())
            } else if let (endings, scalars) = part.endings(marks) {
                alphabets.formUnion(scalars)
                pieces[pieces.count - 1].endings = endings
                pieces.append(Piece())
            } else if part.holdsRun(marks) {
                return nil
            } else {
                pieces[pieces.count - 1].parts.append(part)
            }
        }
        let alphabet = alphabets.first ?? .all
        guard alphabets.count <= 1, Self.canSkip(pieces.dropFirst().dropLast(), alphabet) else { return nil }
        self.pattern = pattern
        self.pieces = pieces
        self.alphabet = alphabet
        self.marks = marks
        beginsLetter = pieces[0].isEmpty && !(pattern.parts.first?.isPlainRun ?? true)
    }

    /// As in Glob: a run must be able to continue past the first match of a piece.
    private static func canSkip(_ pieces: ArraySlice<Piece>, _ alphabet: CodePointSet) -> Bool {
        alphabet == .all
            || pieces.allSatisfy { piece in
                (piece.parts + piece.endings.map { $0.pattern }).allSatisfy { alphabet.isSuperset(of: $0.scalars) }
            }
    }
}

extension RegularPattern {
    /// All scalars that it can match.
    fileprivate var scalars: CodePointSet {
        switch self {
        case .empty: .empty
        case .set(let set), .anyLine(let set): set
        case .concatenation(let parts), .alternation(let parts): parts.reduce(.empty) { $0.union($1.scalars) }
        case .repetition(let inner, _, _): inner.scalars
        }
    }

    /// The choices of an alternation in which every choice ends in a run, without the runs, and the scalars of
    /// the runs; nil for other patterns.
    fileprivate func endings(_ marks: CodePointSet) -> ([LetterGlob.Ending], Set<CodePointSet>)? {
        guard case .alternation(let choices) = self else { return nil }
        var endings: [LetterGlob.Ending] = []
        var runs: Set<CodePointSet> = []
        for choice in choices {
            guard case .concatenation(let parts) = choice, let last = parts.last else { return nil }
            let before = RegularPattern.joined(Array(parts.dropLast()))
            if before.holdsRun(marks) { return nil }
            if let scalars = last.scalarsOfRun(marks) {
                endings.append(LetterGlob.Ending(pattern: before, endsLetter: !last.isPlainRun))
                runs.insert(scalars)
            } else if let (inner, scalars) = last.endings(marks) {
                endings += inner.map {
                    LetterGlob.Ending(pattern: .joined([before, $0.pattern]), endsLetter: $0.endsLetter)
                }
                runs.formUnion(scalars)
            } else {
                return nil
            }
        }
        return (endings, runs)
    }
}

extension RegexWriter {
    /// Writes `a(?>[…]*?b)[…]*c`. An atomic group keeps its first match, so only the last run can backtrack.
    mutating func write(_ glob: Glob) -> String? {
        let pieces = glob.pieces.map { LetterGlob.Piece(parts: $0.map { .set($0) }) }
        return write(pieces, glob.alphabet, marks: .empty, beginsLetter: false)
    }

    /// The same for letters: each piece ends at the end of a letter.
    mutating func write(_ glob: LetterGlob) -> String? {
        if glob.isSearch { return write(glob.pattern) }
        return write(glob.pieces, glob.alphabet, marks: glob.marks, beginsLetter: glob.beginsLetter)
    }

    private mutating func write(
        _ pieces: [LetterGlob.Piece], _ alphabet: CodePointSet, marks: CodePointSet, beginsLetter: Bool
    ) -> String? {
        write { writer in
            writer.open()
            if beginsLetter { writer.addLookahead(without: marks) }
            for (index, piece) in pieces.enumerated() {
                let isLast = index == pieces.count - 1
                if isLast, index > 0, piece.isEmpty, alphabet == .all { return }
                if index > 0, !isLast {
                    if piece.isEmpty { continue }
                    writer.text += "(?>"
                }
                if index > 0 {
                    writer.add(.set(alphabet))
                    writer.text += isLast ? "*" : "*?"
                }
                writer.add(.joined(piece.parts))
                writer.add(piece.endings, marks)
                if !isLast, !piece.isEmpty, piece.endings.isEmpty { writer.addLookahead(without: marks) }
                if index > 0, !isLast { writer.text += ")" }
            }
            writer.close()
        }
    }

    private mutating func add(_ endings: [LetterGlob.Ending], _ marks: CodePointSet) {
        if endings.isEmpty { return }
        text += "(?:"
        for (index, ending) in endings.enumerated() {
            if index > 0 { text += "|" }
            add(ending.pattern)
            if ending.endsLetter { addLookahead(without: marks) }
        }
        text += ")"
    }

    /// Adds a look-ahead: the next scalar is not in the set.
    private mutating func addLookahead(without set: CodePointSet) {
        if set.isEmpty { return }
        text += "(?!"
        add(.set(set))
        text += ")"
    }
}
