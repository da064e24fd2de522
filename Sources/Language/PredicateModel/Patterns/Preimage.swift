// Computes preimages of folding: the pattern of all texts whose fold matches a pattern. Used for ICU's flag `i`
// on runs of letters, and in SQL for `[c]` and `[d]` (SQL of each construct: Case and diacritics).
import PredicateSyntax

extension FoldTable {
    /// The pattern of all texts whose fold is `folded`, which must be folded itself.
    ///
    /// ```swift
    /// FoldTable.caseInsensitive.preimage(of: "strasse".unicodeScalars.map { $0.value })   // (?:[Ssſ][Tt]|[ﬅﬆ])[Rr][Aa]…
    /// ```
    /// - Returns: nil if overlapping expansions give more than `limit` spellings of one section.
    package func preimage(of folded: [UInt32], limit: Int = 64) -> RegularPattern? {
        preimage(of: .literal(folded), limit: limit)
    }

    /// The pattern of all texts whose fold matches a pattern.
    ///
    /// ```swift
    /// FoldTable.caseInsensitive.preimage(of: .joined([f, .anything, i]))   // [Ff].*[Iiﬁﬃ…]|[ﬁﬃ]
    /// ```
    /// - Returns: nil if the result is too large or not supported: more than `limit` spellings of one section, more
    ///   than 4,096 parts, a scalar whose fold crosses both ends of a choice or of a counted repetition, or `(?s).`.
    package func preimage(of pattern: RegularPattern, limit: Int = 64) -> RegularPattern? {
        Preimage.pattern(of: pattern, self, limit, isInside: false)
    }

    /// The scalars that fold to a single member of the set.
    fileprivate func preimage(ofOne set: CodePointSet) -> CodePointSet {
        guard let scalar = set.single else {
            let changing = changes.lazy.filter { $0.folded.count == 1 && set.contains($0.folded[0]) }.map { $0.scalar }
            return set.subtracting(changed).union(CodePointSet(scalars: changing))
        }
        let same = changed.contains(scalar) ? [] : [scalar]
        return CodePointSet(scalars: (inverse[[scalar]] ?? []) + same)
    }

    /// The scalars whose folds begin with a member of `heads` and consist only of members of the set.
    fileprivate func preimage(ofRun set: CodePointSet, from heads: CodePointSet) -> CodePointSet {
        let others = changes.lazy.filter { $0.folded.first.map { !heads.contains($0) } ?? true }.map { $0.scalar }
        var left = CodePointSet(scalars: others).union(set.subtracting(heads).subtracting(changed))
        if foldsHangul, !heads.isSuperset(of: Hangul.leaders) {
            left = left.union(Hangul.syllables(leaders: { !heads.contains($0) }))
        }
        return preimage(ofRun: set).subtracting(left)
    }

    /// The scalars whose folds consist only of members of the set.
    package func preimage(ofRun set: CodePointSet) -> CodePointSet {
        if set == .all { return set }
        let changing = changes.lazy.filter { $0.folded.allSatisfy(set.contains) }.map { $0.scalar }
        let found = set.subtracting(changed).union(CodePointSet(scalars: changing))
        guard foldsHangul, set.overlapsJamo else { return found }
        if Hangul.jamo.allSatisfy(set.isSuperset) { return found.union(CodePointSet(Hangul.syllables)) }
        return found.union(Hangul.syllables(where: set.contains))
    }

    /// Whether the fold of one scalar may cross the boundary before or after a part.
    fileprivate func joins(_ before: RegularPattern, _ part: RegularPattern, _ behind: RegularPattern) -> Bool {
        joins(before.last, RegularPattern.concatenation([part, behind]).first)
            || joins(RegularPattern.concatenation([before, part]).last, behind.first)
    }

    /// Whether the parts are the head and the rest of a run of letters, as in `anyLetters`.
    fileprivate func isRun(_ parts: [RegularPattern]) -> Bool {
        guard parts.count == 2, case .set(let head) = parts[0], case .repetition(.set(let run), 0, nil) = parts[1]
        else { return false }
        return run == head.union(extending) && head.isDisjoint(with: extending)
    }

    /// Whether a scalar folds to a member of one set followed by a member of another.
    private func joins(_ before: CodePointSet, _ behind: CodePointSet) -> Bool {
        if foldsHangul, before.overlapsJamo, behind.overlapsJamo { return true }
        return neighbours.contains { before.contains($0.key) && !behind.isDisjoint(with: $0.value) }
    }
}

/// A pattern as a sequence of parts, and the scalars whose folds span several parts.
private struct Preimage {
    enum Element {
        case one(CodePointSet)
        /// Any number of scalars of the set.
        case run(CodePointSet)
        /// One scalar of the set, then the next element, which is a run; or the empty text.
        case head(CodePointSet)
        /// A part whose ends are not crossed by any fold, stored as its own preimage.
        case closed(RegularPattern)

        var isOne: Bool { if case .one = self { true } else { false } }
    }

    /// The scalars with which matching moves from one part to the part with index `end`.
    private typealias Edge = (set: CodePointSet, end: Int)

    private static let mostElements = 4096

    private let table: FoldTable
    private let elements: [Element]
    private let limit: Int

    /// If folds cross into a choice, each alternative is handled as a separate pattern.
    ///
    /// - Parameters:
    ///   - isInside: whether the previous part already matches vanishing scalars.
    ///   - ways: the maximum number of separate patterns.
    static func pattern(
        of pattern: RegularPattern, _ table: FoldTable, _ limit: Int, isInside: Bool, ways: Int = 24
    ) -> RegularPattern? {
        if let preimage = Preimage(pattern, table, limit) { return preimage.pattern(isInside: isInside) }
        guard let choices = pattern.ways(table), choices.count <= ways else { return nil }
        var found: [RegularPattern] = []
        for choice in choices {
            let each = ways / max(2, choices.count)
            guard let one = Self.pattern(of: choice, table, limit, isInside: isInside, ways: each) else { return nil }
            found.append(one)
        }
        return .either(found)
    }

    // MARK: Parts

    /// nil if there are too many parts, or an unsupported part.
    init?(_ pattern: RegularPattern, _ table: FoldTable, _ limit: Int) {
        let parts = pattern.parts
        var elements: [Element] = []
        for (index, part) in parts.enumerated() {
            switch part {
            case .empty: break
            case .set(let set): elements.append(.one(set))
            case .repetition(.set(let set), let minimum, let maximum)
            where (maximum == nil || maximum == minimum) && minimum <= Self.mostElements:
                elements += Array(repeating: .one(set), count: minimum)
                if maximum == nil { elements.append(.run(set)) }
            case .repetition(.concatenation(let inner), 0, 1) where table.isRun(inner):
                guard case .set(let head) = inner[0], case .repetition(.set(let run), _, _) = inner[1] else {
                    return nil
                }
                elements += [.head(head), .run(run)]
            default:
                let before = RegularPattern.concatenation(Array(parts[..<index]))
                let behind = RegularPattern.concatenation(Array(parts[(index + 1)...]))
                guard !table.joins(before, part, behind), let closed = Self.closed(part, table, limit)
                else { return nil }
                elements.append(.closed(closed))
            }
            if elements.count > Self.mostElements { return nil }
        }
        self.table = table
        self.elements = elements
        self.limit = limit
    }

    private static func closed(_ part: RegularPattern, _ table: FoldTable, _ limit: Int) -> RegularPattern? {
        switch part {
        case .alternation(let choices):
            var found: [RegularPattern] = []
            for choice in choices {
                guard let choice = pattern(of: choice, table, limit, isInside: true) else { return nil }
                found.append(choice)
            }
            return .either(found)
        case .repetition(let inner, let minimum, let maximum):
            guard maximum ?? 2 < 2 || !table.joins(inner, inner, .empty) else { return nil }
            return pattern(of: inner, table, limit, isInside: true).map {
                .repetition($0, minimum: minimum, maximum: maximum)
            }
        default: return nil
        }
    }

    // MARK: Edges

    private func edges(from start: Int) -> [Edge] {
        guard case .one(let set) = elements[start] else {
            guard case .run(let set) = elements[start] else { return [] }
            return leading(from: start, set)
        }
        var edges = leading(from: start, set)
        let one = table.preimage(ofOne: set)
        if one.isEmpty { return edges }
        if let same = edges.firstIndex(where: { $0.end == start + 1 }) {
            edges[same].set = edges[same].set.union(one)
            return edges
        }
        return edges + [(one, start + 1)]
    }

    /// The edges of scalars that fold to several scalars, longest first, because a longer fold begins earlier.
    private func leading(from start: Int, _ first: CodePointSet) -> [Edge] {
        if start + 1 == elements.count { return [] }
        var found: [Int: [ClosedRange<UInt32>]] = [:]
        func add(_ scalars: [ClosedRange<UInt32>], _ folded: [UInt32]) {
            for end in ends(of: folded, from: start) where end != start { found[end, default: []] += scalars }
        }
        for (scalar, folded) in candidates(from: start, first) where first.contains(folded[0]) {
            add([scalar...scalar], folded)
        }
        if table.foldsHangul, first.overlapsJamo, takesJamo(behind: start) {
            if takesAllJamo(from: start) {
                for (syllables, folded) in Hangul.kinds { add(syllables.ranges, folded) }
            } else {
                for syllable in Hangul.syllables {
                    let folded = Hangul.decomposed(syllable)
                    if first.contains(folded[0]) { add([syllable...syllable], folded) }
                }
            }
        }
        return found.ordered { $0.key > $1.key }.map { (CodePointSet($0.value), $0.key) }
    }

    /// All scalars that fold to several scalars, or fewer if a neighbouring single scalar restricts them.
    private func candidates(from start: Int, _ first: CodePointSet) -> [FoldTable.Change] {
        if let only = first.single { return table.expanding[only] ?? [] }
        if case .run = elements[start], case .one(let next) = elements[start + 1], let only = next.single {
            return table.continuing[only] ?? []
        }
        return table.several
    }

    /// Whether the next part accepts a Hangul jamo. If not, none of the eleven thousand syllables can continue.
    private func takesJamo(behind start: Int) -> Bool {
        for element in elements[(start + 1)...] {
            switch element {
            case .one(let set): return set.overlapsJamo
            case .run(let set), .head(let set): if set.overlapsJamo { return true }
            case .closed: return false
            }
        }
        return false
    }

    /// Whether no part that a syllable may reach distinguishes jamo of the same kind.
    private func takesAllJamo(from start: Int) -> Bool {
        var ones = 0
        for element in elements[start...] {
            switch element {
            case .one(let set):
                if set.splitsJamoKind { return false }
                ones += 1
                if ones == 3 { return true }
            case .run(let set), .head(let set): if set.splitsJamoKind { return false }
            case .closed: return true
            }
        }
        return true
    }

    /// The parts that may follow a scalar's fold which begins at part `start`.
    private func ends(of folded: [UInt32], from start: Int) -> [Int] {
        var ends: [Int] = []
        read(folded[...], at: start, isFirst: true, &ends)
        return ends
    }

    private func read(_ rest: ArraySlice<UInt32>, at start: Int, isFirst: Bool, _ ends: inout [Int]) {
        guard let scalar = rest.first else {
            if !ends.contains(start) { ends.append(start) }
            return
        }
        var place = start - 1
        while place + 1 < elements.count {
            place += 1
            switch elements[place] {
            case .head(let set):
                if set.contains(scalar) { read(rest.dropFirst(), at: place + 1, isFirst: false, &ends) }
                place += 1
            case .one(let set):
                if set.contains(scalar) { read(rest.dropFirst(), at: place + 1, isFirst: false, &ends) }
                return
            case .run(let set):
                if set.contains(scalar) { read(rest.dropFirst(), at: place, isFirst: false, &ends) }
                // A fold that skips a run begins after the run.
                if isFirst { return }
            case .closed: return
            }
        }
    }

    // MARK: The pattern

    /// nil if the pattern would be too large.
    private func pattern(isInside: Bool) -> RegularPattern? {
        let edges = elements.indices.map { self.edges(from: $0) }
        var parts = [isInside ? .empty : gap(at: 0)]
        var (start, reach) = (0, 0)
        for index in elements.indices {
            reach = max(reach, index + 1, edges[index].map { $0.end }.max() ?? 0)
            if case .head = elements[index] { reach = max(reach, index + 2) }
            guard reach == index + 1 else { continue }
            guard let stretch = stretch(start, reach, edges) else { return nil }
            parts += [stretch, gap(at: reach)]
            start = reach
        }
        return .joined(parts)
    }

    /// A character that folds to nothing may stand after any character. A repetition beside it already accepts it.
    private func gap(at index: Int) -> RegularPattern {
        if table.vanishing.isEmpty { return .empty }
        if index < elements.count, case .run = elements[index] { return .empty }
        if index > 0, !elements[index - 1].isOne { return .empty }
        return .repetition(.set(table.vanishing), minimum: 0, maximum: nil)
    }

    /// The pattern of a section whose ends are not crossed by any fold.
    private func stretch(_ start: Int, _ end: Int, _ edges: [[Edge]]) -> RegularPattern? {
        var ways = [end: 1]
        var patterns = [end: RegularPattern.empty]
        // The pattern for everything after the next run.
        var behindRun = RegularPattern.empty
        for index in (start..<end).reversed() {
            var count = 0
            var choices: [RegularPattern] = []
            func add(_ read: RegularPattern, _ next: Int) {
                count += ways[next] ?? 0
                guard let rest = patterns[next] else { return }
                choices.append(.joined([read, next == end ? .empty : gap(at: next), rest]))
            }
            var head = RegularPattern.empty
            switch elements[index] {
            case .one: break
            case .run(let set):
                head = .repetition(.set(table.preimage(ofRun: set)), minimum: 0, maximum: nil)
                add(.empty, index + 1)
            case .closed(let pattern): add(pattern, index + 1)
            case .head(let set):
                // Scalars that fold across the end of the run may also be its first.
                guard case .run(let run) = elements[index + 1] else { return nil }
                let first = RegularPattern.set(table.preimage(ofRun: run, from: set))
                let others = RegularPattern.repetition(.set(table.preimage(ofRun: run)), minimum: 0, maximum: nil)
                ways[index] = ways[index + 1]
                patterns[index] = .joined([.repetition(.joined([first, others]), minimum: 0, maximum: 1), behindRun])
                continue
            }
            for edge in edges[index] { add(.set(edge.set), edge.end) }
            if count > limit { return nil }
            ways[index] = count
            behindRun = .either(choices)
            patterns[index] = .joined([head, behindRun])
        }
        return patterns[start]
    }
}

extension Hangul {
    fileprivate static let leaders = CodePointSet(leading...leading + 18)
    fileprivate static let jamo = [
        leaders, CodePointSet(vowel...vowel + 20), CodePointSet(trailing + 1...trailing + 27),
    ]

    /// The syllables of which each jamo satisfies a condition.
    fileprivate static func syllables(where isMember: (UInt32) -> Bool) -> CodePointSet {
        let ends = (0..<28 as Range<UInt32>).filter { $0 == 0 || isMember(trailing + $0) }
        let vowels = (0..<21 as Range<UInt32>).filter { isMember(vowel + $0) }
        var found: [ClosedRange<UInt32>] = []
        for leader in 0..<19 as Range<UInt32> where isMember(leading + leader) {
            for vowel in vowels {
                let first = syllables.lowerBound + leader * 588 + vowel * 28
                found += ends.count == 28 ? [first...first + 27] : ends.map { first + $0...first + $0 }
            }
        }
        return CodePointSet(found)
    }

    /// The syllables whose first jamo satisfies a condition.
    fileprivate static func syllables(leaders isMember: (UInt32) -> Bool) -> CodePointSet {
        CodePointSet(
            (0..<19 as Range<UInt32>).filter { isMember(leading + $0) }
                .map { syllables.lowerBound + $0 * 588...syllables.lowerBound + $0 * 588 + 587 })
    }

    /// The sets of syllables with two and with three jamo, with one example each.
    fileprivate static let kinds: [(syllables: CodePointSet, folded: [UInt32])] = {
        let open = CodePointSet(scalars: stride(from: syllables.lowerBound, through: syllables.upperBound, by: 28))
        let closed = CodePointSet(syllables).subtracting(open)
        return [open, closed].map { set in (set, set.ranges.first.map { decomposed($0.lowerBound) } ?? []) }
    }()
}

extension CodePointSet {
    fileprivate var overlapsJamo: Bool { ranges.contains { $0.overlaps(0x1100...0x11FF) } }

    /// Whether the set contains some but not all jamo of a kind.
    fileprivate var splitsJamoKind: Bool { Hangul.jamo.contains { !isDisjoint(with: $0) && !isSuperset(of: $0) } }
}

extension RegularPattern {
    /// Splits at the first choice into which folds cross, so that each result has no such choice there; nil if
    /// there is none.
    fileprivate func ways(_ table: FoldTable) -> [RegularPattern]? {
        for (index, part) in parts.enumerated() {
            let choices: [RegularPattern]
            var isOpen = false
            switch part {
            case .alternation(let inner): choices = inner
            case .repetition(let inner, let minimum, let maximum?) where minimum < maximum && maximum < 8:
                choices = (minimum...maximum).map { .joined(Array(repeating: inner, count: $0)) }
                isOpen = maximum > 1 && table.joins(inner, inner, .empty)
            default: continue
            }
            let before = RegularPattern.concatenation(Array(parts[..<index]))
            let behind = RegularPattern.concatenation(Array(parts[(index + 1)...]))
            let open = choices.filter { isOpen || table.joins(before, $0, behind) }
            if open.isEmpty { continue }
            let closed = choices.filter { !open.contains($0) }
            let ways = closed.isEmpty ? open : [.either(closed)] + open
            return ways.map { .joined([before, $0, behind]) }
        }
        return nil
    }

    package var isNullable: Bool {
        switch self {
        case .empty: true
        case .set, .anyLine: false
        case .concatenation(let parts): parts.allSatisfy { $0.isNullable }
        case .alternation(let choices): choices.contains { $0.isNullable }
        case .repetition(let inner, let minimum, _): minimum == 0 || inner.isNullable
        }
    }

    /// The scalars with which a match may begin.
    package var first: CodePointSet { end(isFirst: true) }

    /// The scalars with which a match may end.
    package var last: CodePointSet { end(isFirst: false) }

    private func end(isFirst: Bool) -> CodePointSet {
        switch self {
        case .empty: return .empty
        case .set(let set): return set
        case .anyLine(let set): return set
        case .concatenation(let parts):
            var found = CodePointSet.empty
            for part in isFirst ? parts : parts.reversed() {
                found = found.union(part.end(isFirst: isFirst))
                if !part.isNullable { break }
            }
            return found
        case .alternation(let choices):
            var found: [ClosedRange<UInt32>] = []
            for choice in choices { found += choice.end(isFirst: isFirst).ranges }
            return CodePointSet(found)
        case .repetition(let inner, _, let maximum): return maximum == 0 ? .empty : inner.end(isFirst: isFirst)
        }
    }
}
