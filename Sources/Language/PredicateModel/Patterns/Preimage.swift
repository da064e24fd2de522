// In: a pattern of folded texts, such as the literal `ffi` under `[c]`. Out: the pattern of all texts whose fold it
// matches, `ﬃ|ﬀ[Ii]|[Ff](?:ﬁ|[Ff][Ii])`. With it, engines that cannot fold as the evaluator does still select the same
// rows (SQL of each construct: Case and diacritics). Also used for ICU's flag `i`.
//
// The pattern is a graph: `f`, `f` and `i` lead from place 0 to place 3. Each scalar is an edge over all parts that its
// fold spans: `F` goes from 0 to 1, `ﬀ` from 0 to 2, `ﬃ` from 0 to 3. The result has one alternative for each edge.
// FoldTable.swift has the words used here: a vanishing scalar folds to nothing, an extending one belongs to the letter
// before it.

extension FoldTable {
    /// The pattern of all texts whose fold is `folded`, which must be folded itself.
    ///
    /// ```swift
    /// FoldTable.caseInsensitive.preimage(of: "strasse".unicodeScalars.map { $0.value })   // (?:[ﬅﬆ]|[Ssſ][Tt])[Rr][Aa]…
    /// ```
    /// - Returns: nil if overlapping expansions give more than `limit` ways to divide one section into edges.
    package func preimage(of folded: [UInt32], limit: Int = 64) -> RegularPattern? {
        preimage(of: .literal(folded), limit: limit)
    }

    /// The pattern of all texts whose fold matches a pattern.
    ///
    /// ```swift
    /// FoldTable.caseInsensitive.preimage(of: .joined([f, .anything, i]))   // [ﬁﬃ]|[Ffﬀﬁ…].*[Iiﬁﬃ…]
    /// ```
    /// - Returns: nil if the result is too large or not supported: more than `limit` ways to divide one section into
    ///   edges, 4,096 parts, 24 separate patterns, a fold across an end of a repetition, or `(?s).`.
    package func preimage(of pattern: RegularPattern, limit: Int = 64) -> RegularPattern? {
        PreimageGraph.pattern(of: pattern, self, limit, followsGap: false)
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

    /// Whether the fold of one scalar may begin before a part and end in or after it, or begin in it and end after it.
    fileprivate func crosses(_ before: RegularPattern, _ part: RegularPattern, _ after: RegularPattern) -> Bool {
        crosses(before.last, RegularPattern.concatenation([part, after]).first)
            || crosses(RegularPattern.concatenation([before, part]).last, after.first)
    }

    /// The first and all scalars of a run of letters, as in `anyLetters`; nil for other parts.
    fileprivate func letterRun(_ part: RegularPattern) -> (head: CodePointSet, run: CodePointSet)? {
        guard case .repetition(.concatenation(let parts), 0, 1) = part, parts.count == 2,
            case .set(let head) = parts[0], case .repetition(.set(let run), 0, nil) = parts[1],
            run == head.union(extending), head.isDisjoint(with: extending)
        else { return nil }
        return (head, run)
    }

    /// Whether a scalar folds to a member of one set followed by a member of another.
    private func crosses(_ before: CodePointSet, _ after: CodePointSet) -> Bool {
        if foldsHangul, before.overlapsJamo, after.overlapsJamo { return true }
        return neighbours.contains { before.contains($0.key) && !after.isDisjoint(with: $0.value) }
    }
}

/// The parts of a pattern of folded texts. Place `n` is before the part with index `n`.
private struct PreimageGraph {
    enum Part {
        case single(CodePointSet)
        /// Any number of scalars of the set.
        case run(CodePointSet)
        /// One scalar of the set, then the next part, which is a run; or the empty text. It is LIKE's `*` after a letter.
        case optionalHead(CodePointSet)
        /// A part whose ends are not crossed by any fold, stored as its own preimage.
        case separate(RegularPattern)

        var isSingle: Bool { if case .single = self { true } else { false } }
    }

    /// The scalars that lead from a place to the place `end`.
    private typealias Edge = (set: CodePointSet, end: Int)

    private static let mostParts = 4096

    private let table: FoldTable
    private let parts: [Part]
    private let limit: Int

    /// If folds cross into a choice, as in `(?:s|t)t`, each alternative is handled as a separate pattern.
    ///
    /// - Parameters:
    ///   - followsGap: whether the previous part already matches vanishing scalars.
    ///   - mostAlternatives: the maximum number of separate patterns.
    static func pattern(
        of pattern: RegularPattern, _ table: FoldTable, _ limit: Int, followsGap: Bool, mostAlternatives most: Int = 24
    ) -> RegularPattern? {
        if let graph = PreimageGraph(pattern, table, limit) { return graph.pattern(followsGap: followsGap) }
        guard let choices = pattern.split(table), choices.count <= most else { return nil }
        let each = most / max(2, choices.count)
        return either(choices) { Self.pattern(of: $0, table, limit, followsGap: followsGap, mostAlternatives: each) }
    }

    /// The alternation of the preimages of some choices; nil if one of them has none.
    private static func either(
        _ choices: [RegularPattern], _ preimage: (RegularPattern) -> RegularPattern?
    ) -> RegularPattern? {
        var found: [RegularPattern] = []
        for choice in choices {
            guard let one = preimage(choice) else { return nil }
            found.append(one)
        }
        return .either(found)
    }

    // MARK: Parts

    /// nil if there are too many parts, or an unsupported part.
    init?(_ pattern: RegularPattern, _ table: FoldTable, _ limit: Int) {
        let all = pattern.parts
        var parts: [Part] = []
        for (index, part) in all.enumerated() {
            if let (head, run) = table.letterRun(part) {
                parts += [.optionalHead(head), .run(run)]
                continue
            }
            switch part {
            case .empty: break
            case .set(let set): parts.append(.single(set))
            case .repetition(.set(let set), let minimum, let maximum)
            where (maximum == nil || maximum == minimum) && minimum <= Self.mostParts:
                parts += Array(repeating: .single(set), count: minimum)
                if maximum == nil { parts.append(.run(set)) }
            default:
                let before = RegularPattern.concatenation(Array(all[..<index]))
                let after = RegularPattern.concatenation(Array(all[(index + 1)...]))
                guard !table.crosses(before, part, after), let preimage = Self.separate(part, table, limit)
                else { return nil }
                parts.append(.separate(preimage))
            }
            if parts.count > Self.mostParts { return nil }
        }
        self.table = table
        self.parts = parts
        self.limit = limit
    }

    /// The preimage of an alternation or a repetition whose ends are not crossed by any fold.
    private static func separate(_ part: RegularPattern, _ table: FoldTable, _ limit: Int) -> RegularPattern? {
        switch part {
        case .alternation(let choices):
            return either(choices) { pattern(of: $0, table, limit, followsGap: true) }
        case .repetition(let inner, let minimum, let maximum):
            guard maximum ?? 2 < 2 || !table.crosses(inner, inner, .empty) else { return nil }
            return pattern(of: inner, table, limit, followsGap: true).map {
                .repetition($0, minimum: minimum, maximum: maximum)
            }
        default: return nil
        }
    }

    // MARK: Edges

    private func edges(from start: Int) -> [Edge] {
        guard case .single(let set) = parts[start] else {
            guard case .run(let set) = parts[start] else { return [] }
            return expandingEdges(from: start, set)
        }
        var edges = expandingEdges(from: start, set)
        let one = table.preimage(ofOne: set)
        if one.isEmpty { return edges }
        if let same = edges.firstIndex(where: { $0.end == start + 1 }) {
            edges[same].set = edges[same].set.union(one)
            return edges
        }
        return edges + [(one, start + 1)]
    }

    /// The edges of scalars that fold to several scalars. Those that end last come first, so that the pattern is
    /// always the same.
    private func expandingEdges(from start: Int, _ first: CodePointSet) -> [Edge] {
        if start + 1 == parts.count { return [] }
        var found: [Int: [ClosedRange<UInt32>]] = [:]
        func add(_ scalars: [ClosedRange<UInt32>], _ folded: [UInt32]) {
            for end in ends(of: folded, from: start) where end != start { found[end, default: []] += scalars }
        }
        for (scalar, folded) in candidates(from: start, first) where first.contains(folded[0]) {
            add([scalar...scalar], folded)
        }
        if table.foldsHangul, first.overlapsJamo, acceptsJamo(after: start) {
            if acceptsAllJamo(from: start) {
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
        if case .run = parts[start], case .single(let next) = parts[start + 1], let only = next.single {
            return table.continuing[only] ?? []
        }
        return table.several
    }

    /// Whether the next part accepts a Hangul jamo. If not, none of the eleven thousand syllables can continue.
    private func acceptsJamo(after start: Int) -> Bool {
        for element in parts[(start + 1)...] {
            switch element {
            case .single(let set): return set.overlapsJamo
            case .run(let set), .optionalHead(let set): if set.overlapsJamo { return true }
            case .separate: return false
            }
        }
        return false
    }

    /// Whether no part that a syllable may reach distinguishes jamo of the same kind.
    private func acceptsAllJamo(from start: Int) -> Bool {
        var ones = 0
        for element in parts[start...] {
            switch element {
            case .single(let set):
                if set.splitsJamoKind { return false }
                ones += 1
                if ones == 3 { return true }
            case .run(let set), .optionalHead(let set): if set.splitsJamoKind { return false }
            case .separate: return true
            }
        }
        return true
    }

    /// The places at which a fold may end that begins at the place `start`.
    private func ends(of folded: [UInt32], from start: Int) -> [Int] {
        var ends: [Int] = []
        addEnds(of: folded[...], from: start, isFirst: true, &ends)
        return ends
    }

    private func addEnds(of rest: ArraySlice<UInt32>, from start: Int, isFirst: Bool, _ ends: inout [Int]) {
        guard let scalar = rest.first else {
            if !ends.contains(start) { ends.append(start) }
            return
        }
        var place = start - 1
        while place + 1 < parts.count {
            place += 1
            switch parts[place] {
            case .optionalHead(let set):
                if set.contains(scalar) { addEnds(of: rest.dropFirst(), from: place + 1, isFirst: false, &ends) }
                place += 1
            case .single(let set):
                if set.contains(scalar) { addEnds(of: rest.dropFirst(), from: place + 1, isFirst: false, &ends) }
                return
            case .run(let set):
                if set.contains(scalar) { addEnds(of: rest.dropFirst(), from: place, isFirst: false, &ends) }
                // A fold that skips a run begins after the run.
                if isFirst { return }
            case .separate: return
            }
        }
    }

    // MARK: The pattern

    /// nil if the pattern would be too large.
    private func pattern(followsGap: Bool) -> RegularPattern? {
        let edges = parts.indices.map { self.edges(from: $0) }
        var sections = [followsGap ? .empty : gap(at: 0)]
        // No edge from before the place `reach` leads past it.
        var (start, reach) = (0, 0)
        for index in parts.indices {
            reach = max(reach, index + 1, edges[index].map { $0.end }.max() ?? 0)
            if case .optionalHead = parts[index] { reach = max(reach, index + 2) }
            guard reach == index + 1 else { continue }
            guard let section = section(start, reach, edges) else { return nil }
            sections += [section, gap(at: reach)]
            start = reach
        }
        return .joined(sections)
    }

    /// The scalars that fold to nothing, which may stand at any place. A repetition beside it already accepts them.
    private func gap(at index: Int) -> RegularPattern {
        if table.vanishing.isEmpty { return .empty }
        if index < parts.count, case .run = parts[index] { return .empty }
        if index > 0, !parts[index - 1].isSingle { return .empty }
        return .repetition(.set(table.vanishing), minimum: 0, maximum: nil)
    }

    /// The pattern of a section whose ends are not crossed by any fold, computed from its last part to its first.
    private func section(_ start: Int, _ end: Int, _ edges: [[Edge]]) -> RegularPattern? {
        // For each place, how many spellings the rest of the section has, and their pattern.
        var spellings = [end: 1]
        var patterns = [end: RegularPattern.empty]
        // The pattern for everything after the next run.
        var afterRun = RegularPattern.empty
        for index in (start..<end).reversed() {
            if case .optionalHead(let set) = parts[index] {
                guard let run = optionalRun(at: index, from: set) else { return nil }
                spellings[index] = spellings[index + 1]
                patterns[index] = .joined([run, afterRun])
                continue
            }
            var count = 0
            var choices: [RegularPattern] = []
            func add(_ scalars: RegularPattern, _ next: Int) {
                count += spellings[next] ?? 0
                guard let rest = patterns[next] else { return }
                choices.append(.joined([scalars, next == end ? .empty : gap(at: next), rest]))
            }
            var run = RegularPattern.empty
            switch parts[index] {
            case .single, .optionalHead: break
            case .run(let set):
                run = anyNumber(of: set)
                add(.empty, index + 1)
            case .separate(let pattern): add(pattern, index + 1)
            }
            for edge in edges[index] { add(.set(edge.set), edge.end) }
            if count > limit { return nil }
            spellings[index] = count
            afterRun = .either(choices)
            patterns[index] = .joined([run, afterRun])
        }
        return patterns[start]
    }

    private func anyNumber(of set: CodePointSet) -> RegularPattern {
        .repetition(.set(table.preimage(ofRun: set)), minimum: 0, maximum: nil)
    }

    /// A head and its run, or nothing. Scalars that fold across the end of the run may also be its first.
    private func optionalRun(at index: Int, from heads: CodePointSet) -> RegularPattern? {
        guard case .run(let set) = parts[index + 1] else { return nil }
        let head = RegularPattern.set(table.preimage(ofRun: set, from: heads))
        return .repetition(.joined([head, anyNumber(of: set)]), minimum: 0, maximum: 1)
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
    /// Splits at the first choice into which folds cross, so that no result has such a choice there: `(?:s|t)t` becomes
    /// `st` and `tt`. nil if there is none.
    fileprivate func split(_ table: FoldTable) -> [RegularPattern]? {
        for (index, part) in parts.enumerated() {
            let choices: [RegularPattern]
            var isCrossedInside = false
            switch part {
            case .alternation(let inner): choices = inner
            case .repetition(let inner, let minimum, let maximum?) where minimum < maximum && maximum < 8:
                choices = (minimum...maximum).map { .joined(Array(repeating: inner, count: $0)) }
                isCrossedInside = maximum > 1 && table.crosses(inner, inner, .empty)
            default: continue
            }
            let before = RegularPattern.concatenation(Array(parts[..<index]))
            let after = RegularPattern.concatenation(Array(parts[(index + 1)...]))
            let crossed = choices.filter { isCrossedInside || table.crosses(before, $0, after) }
            if crossed.isEmpty { continue }
            let others = choices.filter { !crossed.contains($0) }
            let split = others.isEmpty ? crossed : [.either(others)] + crossed
            return split.map { .joined([before, $0, after]) }
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
