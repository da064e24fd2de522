// Folds literals and classes of a pattern for `[c]` and `[d]`. The results are patterns of folded texts that match
// whole letters (LANGUAGE C 11a). They are exact because folding works scalar by scalar. PatternLowering combines them.

/// Patterns of folded texts that match whole letters. A result that begins with an extending scalar may match only at
/// the beginning of a text; the caller ensures this.
struct FoldImage {
    private let table: FoldTable
    private var classes: [CodePointSet: LetterClass] = [:]

    init(_ table: FoldTable) { self.table = table }

    /// The letters that a class matches.
    private struct LetterClass {
        /// First scalars of letters. The class matches every letter that begins with one, except `others`.
        var heads = CodePointSet.empty
        /// Letters of several scalars that do not match although their first scalar is a head.
        var others: [[UInt32]] = []
        /// Letters of several scalars that match although their first scalar is not a head.
        var letters: [[UInt32]] = []
        /// Folds of one scalar of the class to several letters: `ss` for ß.
        var sequences: [[UInt32]] = []
        /// Whether all scalars of the class fold to the empty text.
        var vanishes = false

        var isSimple: Bool { others.isEmpty && letters.isEmpty }

        /// The opposite class.
        var complement: LetterClass { LetterClass(heads: heads.complement, others: letters, letters: others) }
    }

    private var extensions: RegularPattern { .repetition(.set(table.extending), minimum: 0, maximum: nil) }

    func literal(_ scalars: [UInt32]) -> RegularPattern { .literal(table.fold(scalars)) }

    /// The fold of a literal that ICU's flag `i` has converted to a pattern.
    func literal(_ pattern: RegularPattern) -> RegularPattern {
        switch pattern {
        case .empty, .anyLine: return pattern
        case .set(let set):
            var images = set.intersection(table.changed).ranges.joined().map { RegularPattern.literal(table.fold($0)) }
            images.append(.set(set.subtracting(table.changed)))
            return .either(images)
        case .concatenation(let inner): return .joined(literals(inner))
        case .alternation(let inner): return .either(literals(inner))
        case .repetition(let inner, let minimum, let maximum):
            return .repetition(literal(inner), minimum: minimum, maximum: maximum)
        }
    }

    private func literals(_ patterns: [RegularPattern]) -> [RegularPattern] {
        var images: [RegularPattern] = []
        for pattern in patterns { images.append(literal(pattern)) }
        return images
    }

    /// Any letter; the sequence U+000D U+000A counts as one letter.
    var anyLine: RegularPattern { .joined([.anyLine(.all), extensions]) }

    /// A class: the letters, or sequences of letters (for ß), to which one of its scalars folds. For a letter to which
    /// no scalar folds, its first scalar decides. A negated class matches any other single letter.
    mutating func letters(of set: CodePointSet, isNegated: Bool) -> RegularPattern {
        let found = letterClass(set, isNegated)
        if found.vanishes { return .empty }
        var choices = [unlimited(found)]
        if !(found.letters + found.sequences).isEmpty {
            choices.append(Self.trie(Set(found.letters + found.sequences)))
        }
        choices += except(found)
        return .either(choices.filter { $0 != .never })
    }

    /// A class repeated without upper limit, as a pattern without nested repetitions; nil if there is none.
    mutating func run(of set: CodePointSet, isNegated: Bool, minimum: Int) -> RegularPattern? {
        let found = letterClass(set, isNegated)
        let all = found.heads.union(table.extending)
        guard minimum <= 1, found.isSimple, !found.vanishes,
            found.sequences.joined().allSatisfy({ found.heads.contains($0) || table.extends($0) })
        else { return nil }
        let run = RegularPattern.repetition(.set(all), minimum: 0, maximum: nil)
        if minimum == 0, all == found.heads { return run }
        let some = RegularPattern.joined([.set(found.heads), run])
        return minimum == 0 ? .repetition(some, minimum: 0, maximum: 1) : some
    }

    /// The letters that begin with a head for which the class matches every letter.
    private func unlimited(_ found: LetterClass) -> RegularPattern {
        let heads = found.heads.subtracting(CodePointSet(scalars: found.others.map { $0[0] }))
        return heads.isEmpty ? .never : .joined([.set(heads), extensions])
    }

    /// The letters that begin with a head for which the class matches only some letters.
    private func except(_ found: LetterClass) -> [RegularPattern] {
        let tails = Dictionary(grouping: found.others) { $0[0] }.mapValues { Set($0.map { Array($0.dropFirst()) }) }
        let groups = Dictionary(grouping: tails) { $0.value }.mapValues { CodePointSet(scalars: $0.map { $0.key }) }
        return groups.ordered { $0.value.ranges[0].lowerBound < $1.value.ranges[0].lowerBound }
            .map { .joined([.set($0.value), except($0.key)]) }
    }

    /// All runs of extending scalars except the given ones. Recursion is as deep as the longest, which has three.
    private func except(_ tails: Set<[UInt32]>) -> RegularPattern {
        let tried = Dictionary(grouping: tails.filter { !$0.isEmpty }) { $0[0] }
            .mapValues { Set($0.map { Array($0.dropFirst()) }) }
        let others = table.extending.subtracting(CodePointSet(scalars: tried.keys))
        let groups = Dictionary(grouping: tried) { $0.value }.mapValues { CodePointSet(scalars: $0.map { $0.key }) }
        let choices =
            [RegularPattern.joined([.set(others), extensions])]
            + groups.ordered { $0.value.ranges[0].lowerBound < $1.value.ranges[0].lowerBound }
            .map { .joined([.set($0.value), except($0.key)]) }
        let choice = RegularPattern.either(choices)
        return tails.contains([]) ? choice : .repetition(choice, minimum: 0, maximum: 1)
    }

    // MARK: Classes

    private mutating func letterClass(_ set: CodePointSet, _ isNegated: Bool) -> LetterClass {
        let found = classes[set] ?? letterClass(set)
        classes[set] = found
        return isNegated ? found.complement : found
    }

    private func letterClass(_ set: CodePointSet) -> LetterClass {
        var found = LetterClass()
        if set.isEmpty { return found }
        let singles = table.inverse.lazy.filter { $0.key.count == 1 && $0.value.contains(where: set.contains) }
        found.heads = set.subtracting(table.changed).union(CodePointSet(scalars: singles.map { $0.key[0] }))
        found.vanishes = table.vanishing.isSuperset(of: set)
        for (folded, scalars) in table.inverse where folded.count > 1 {
            let isMember = scalars.contains(where: set.contains)
            if !folded.dropFirst().allSatisfy(table.extends) {
                if isMember { found.sequences.append(folded) }
            } else if isMember != found.heads.contains(folded[0]) {
                if isMember { found.letters.append(folded) } else { found.others.append(folded) }
            }
        }
        let syllables = set.intersection(CodePointSet(Hangul.syllables))
        let isWhole = syllables.count == Hangul.syllables.count
        let leading = CodePointSet(Hangul.leading...Hangul.leading + 18)
        if syllables.isEmpty && found.heads.isDisjoint(with: leading) || isWhole && found.heads.isSuperset(of: leading)
        {
            return found
        }
        for syllable in Hangul.syllables {
            let (letter, isMember) = (Hangul.decomposed(syllable), syllables.contains(syllable))
            if isMember == found.heads.contains(letter[0]) { continue }
            if isMember { found.letters.append(letter) } else { found.others.append(letter) }
        }
        return found
    }

    /// A pattern of texts that share common beginnings. Recursion is as deep as the longest text, which has
    /// four scalars.
    private static func trie(_ texts: Set<[UInt32]>) -> RegularPattern {
        var tails: [UInt32: Set<[UInt32]>] = [:]
        var hasEmpty = false
        for text in texts {
            guard let first = text.first else {
                hasEmpty = true
                continue
            }
            tails[first, default: []].insert(Array(text.dropFirst()))
        }
        var heads: [Set<[UInt32]>: [UInt32]] = [:]
        for (head, tail) in tails { heads[tail, default: []].append(head) }
        let choices = heads.map { (tail: $0.key, heads: CodePointSet(scalars: $0.value)) }
            .ordered { ($0.heads.ranges.first?.lowerBound ?? 0) < ($1.heads.ranges.first?.lowerBound ?? 0) }
            .map { RegularPattern.joined([.set($0.heads), trie($0.tail)]) }
        if choices.isEmpty { return .empty }
        return hasEmpty ? .repetition(.either(choices), minimum: 0, maximum: 1) : .either(choices)
    }
}

extension FoldTable {
    /// LIKE's `*` after other letters of a folded text: any number of letters. At the beginning of a text, `*` is
    /// `RegularPattern.anything`.
    package var anyLetters: RegularPattern {
        extending.isEmpty
            ? .anything
            : .repetition(.joined([.set(extending.complement), .anything]), minimum: 0, maximum: 1)
    }
}
