// Folds a pattern: the pattern of all folded matches, for matching folded texts. Exact, because folding works
// scalar by scalar: folding a concatenation gives the concatenation of the folded parts.

struct FoldImage {
    private let table: FoldTable?
    private var sets: [CodePointSet: Parts] = [:]

    /// The folds of a set's members.
    private struct Parts {
        var singles = CodePointSet.empty
        /// The folds of several scalars; nil if there are none.
        var several: RegularPattern?
        /// All scalars in `several`.
        var scalars = CodePointSet.empty
        var allVanish = false
    }

    init(_ table: FoldTable?) { self.table = table }

    mutating func image(of pattern: RegularPattern) -> RegularPattern {
        guard let table else { return pattern }
        switch pattern {
        case .empty: return .empty
        case .anyLine: return whole(.anyLine, parts(of: .all, table))
        case .set(let set):
            if let scalar = set.single { return .literal(table.fold(scalar)) }
            let parts = parts(of: set, table)
            return parts.allVanish ? .empty : whole(.set(parts.singles), parts)
        case .concatenation(let inner): return .joined(images(of: inner))
        case .alternation(let inner): return .either(images(of: inner))
        case .repetition(let inner, let minimum, let maximum):
            return .repetition(repeated(inner, minimum, maximum, table), minimum: minimum, maximum: maximum)
        }
    }

    private mutating func images(of patterns: [RegularPattern]) -> [RegularPattern] {
        var images: [RegularPattern] = []
        for pattern in patterns { images.append(image(of: pattern)) }
        return images
    }

    private func whole(_ singles: RegularPattern, _ parts: Parts) -> RegularPattern {
        guard let several = parts.several else { return singles }
        return .either([singles, several])
    }

    /// Inside `x*` and `x+`, a fold to several members of `x` is covered by the repetition.
    private mutating func repeated(
        _ inner: RegularPattern, _ minimum: Int, _ maximum: Int?, _ table: FoldTable
    ) -> RegularPattern {
        guard minimum <= 1, maximum == nil else { return image(of: inner) }
        if case .anyLine = inner { return .anyLine }
        if case .set(let set) = inner, set.single == nil {
            let parts = parts(of: set, table)
            if !parts.allVanish, parts.singles.isSuperset(of: parts.scalars) {
                // A set that includes all folds matches every scalar of every folded text. Keep the form of
                // LIKE's `*`.
                return .set(set == .all ? .all : parts.singles)
            }
        }
        return image(of: inner)
    }

    private mutating func parts(of set: CodePointSet, _ table: FoldTable) -> Parts {
        if let known = sets[set] { return known }
        var parts = Parts()
        var several: [[UInt32]] = []
        var singles: [UInt32] = []
        var vanished = 0
        for (scalar, folded) in table.changes where set.contains(scalar) {
            switch folded.count {
            case 0: vanished += 1
            case 1: singles.append(folded[0])
            default: several.append(folded)
            }
        }
        parts.singles = set.subtracting(table.changed).union(CodePointSet(scalars: singles))
        parts.scalars = CodePointSet(scalars: several.joined())
        parts.allVanish = vanished > 0 && vanished == set.count
        var choices = several.isEmpty ? [] : [Self.trie(Set(several))]
        if table.foldsHangul {
            let syllables = set.intersection(CodePointSet(Hangul.syllables))
            if let jamo = Self.hangul(syllables) {
                choices.append(jamo.pattern)
                parts.scalars = parts.scalars.union(jamo.scalars)
            }
        }
        parts.several = choices.isEmpty ? nil : .either(choices)
        sets[set] = parts
        return parts
    }

    private static func hangul(_ syllables: CodePointSet) -> (pattern: RegularPattern, scalars: CodePointSet)? {
        if syllables.isEmpty { return nil }
        if syllables.count < Hangul.syllables.count {
            let strings = syllables.ranges.joined().map { Hangul.decomposed($0) }
            return (trie(Set(strings)), CodePointSet(scalars: strings.joined()))
        }
        let leading = CodePointSet(Hangul.leading...Hangul.leading + 18)
        let vowels = CodePointSet(Hangul.vowel...Hangul.vowel + 20)
        let trailing = CodePointSet(Hangul.trailing + 1...Hangul.trailing + 27)
        let optional = RegularPattern.repetition(.set(trailing), minimum: 0, maximum: 1)
        return (.joined([.set(leading), .set(vowels), optional]), leading.union(vowels).union(trailing))
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
            .sorted { ($0.heads.ranges.first?.lowerBound ?? 0) < ($1.heads.ranges.first?.lowerBound ?? 0) }
            .map { RegularPattern.joined([.set($0.heads), trie($0.tail)]) }
        if choices.isEmpty { return .empty }
        return hasEmpty ? .repetition(.either(choices), minimum: 0, maximum: 1) : .either(choices)
    }
}
