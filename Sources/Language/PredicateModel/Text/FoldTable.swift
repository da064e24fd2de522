// The folds of `[c]`, `[d]` and `[cd]` (LANGUAGE C 10) as lookup tables, and the scalars that extend letters in folded
// texts. StringFold.swift applies them to texts, Patterns/ to patterns. Each scalar is folded independently and marks
// are never reordered. So folding is a homomorphism, and the preimage of a folded constant is a regular pattern, which
// SQL needs.

/// A fold that maps each scalar to a short list of scalars.
package final class FoldTable: Sendable {
    package typealias Change = (scalar: UInt32, folded: [UInt32])

    /// A two-stage table: `pages[scalar >> 7]` is a page of 128 `entries`. Page 0 is the identity.
    private let pages: [UInt16]
    private let entries: [UInt32]
    private let expansions: [UInt32]
    /// Every scalar that changes, in order, without Hangul syllables.
    package let changes: [Change]
    package let foldsHangul: Bool
    /// Whether ASCII letters fold to lower case.
    let lowersASCII: Bool
    /// The set of scalars that change.
    package let changed: CodePointSet
    /// The scalars that fold to the empty text.
    package let vanishing: CodePointSet
    /// For each folded text, the scalars that fold to it, without the text itself and Hangul syllables.
    let inverse: [[UInt32]: [UInt32]]
    /// Made by the first pattern with a class.
    private let groups = Mutex<Groups?>(nil)
    /// The scalars that fold to several, without Hangul syllables; `expanding` groups them by the first scalar,
    /// `continuing` by each later one.
    let several: [Change]
    let expanding: [UInt32: [Change]]
    let continuing: [UInt32: [Change]]
    /// Scalars that extend the letter before them in a folded text (LANGUAGE C 10). Empty for case mappings.
    package let extending: CodePointSet
    /// Scalars whose folds begin with an extending scalar.
    package let continuingLetters: CodePointSet
    /// For each scalar, the scalars that may follow it inside one fold, without Hangul syllables.
    let neighbours: [UInt32: CodePointSet]

    private static let several: UInt32 = 0x8000_0000
    private static let unchanged: UInt32 = 0x4000_0000

    private init(
        changes: [Change], foldsHangul: Bool, lowersASCII: Bool, extending: CodePointSet = .empty
    ) {
        var pages = [UInt16](repeating: 0, count: 0x110000 >> 7)
        var entries = [UInt32](repeating: Self.unchanged, count: 128)
        var expansions: [UInt32] = []
        for (scalar, folded) in changes {
            let page = Int(scalar >> 7)
            if pages[page] == 0 {
                pages[page] = UInt16(truncatingIfNeeded: entries.count >> 7)
                entries.append(contentsOf: repeatElement(Self.unchanged, count: 128))
            }
            let slot = Int(pages[page]) << 7 + Int(scalar & 127)
            if folded.count == 1 {
                entries[slot] = folded[0]
            } else {
                let offset = UInt32(truncatingIfNeeded: expansions.count)
                entries[slot] = Self.several | offset << 4 | UInt32(truncatingIfNeeded: folded.count)
                expansions.append(contentsOf: folded)
            }
        }
        self.pages = pages
        self.entries = entries
        self.expansions = expansions
        self.changes = changes
        self.foldsHangul = foldsHangul
        self.lowersASCII = lowersASCII
        let changed = CodePointSet(scalars: changes.map { $0.scalar })
        self.changed = foldsHangul ? changed.union(CodePointSet(Hangul.syllables)) : changed
        self.extending = extending
        let composed = changes.filter { $0.folded.first.map(extending.contains) ?? false }.map { $0.scalar }
        continuingLetters = extending.subtracting(changed).union(CodePointSet(scalars: composed))
        vanishing = CodePointSet(scalars: changes.filter { $0.folded.isEmpty }.map { $0.scalar })
        inverse = Dictionary(grouping: changes, by: { $0.folded }).mapValues { $0.map { $0.scalar } }
        several = changes.filter { $0.folded.count > 1 }
        expanding = Dictionary(grouping: several) { $0.folded[0] }
        var continuing: [UInt32: [Change]] = [:]
        for change in several {
            for scalar in Set(change.folded.dropFirst()) { continuing[scalar, default: []].append(change) }
        }
        self.continuing = continuing
        let pairs = self.several.flatMap { zip($0.folded, $0.folded.dropFirst()) }
        neighbours = Dictionary(grouping: pairs) { $0.0 }.mapValues { CodePointSet(scalars: $0.map { $0.1 }) }
    }

    /// The set, extended by all scalars that fold like a member. Scalars that fold to the empty text are ignored.
    func closure(of set: CodePointSet) -> CodePointSet {
        if set == .all { return set }
        let groups = groups.withLock { groups in
            let known = groups ?? Groups(inverse, changed)
            groups = known
            return known
        }
        return set.union(CodePointSet(scalars: groups.scalars(like: set)))
    }

    /// The groups of scalars that have the same fold, which is not the empty text.
    private struct Groups {
        private var groups: [[UInt32]] = []
        /// The members of all groups in order, each with the number of its group.
        private var members: [(scalar: UInt32, group: Int)] = []

        init(_ inverse: [[UInt32]: [UInt32]], _ changed: CodePointSet) {
            for (folded, scalars) in inverse where !folded.isEmpty {
                let isMember = folded.count == 1 && !changed.contains(folded[0])
                groups.append(isMember ? scalars + folded : scalars)
            }
            for (group, scalars) in groups.enumerated() { members += scalars.map { ($0, group) } }
            members.sort { $0.scalar < $1.scalar }
        }

        /// The members of all groups of which the set has a part.
        func scalars(like set: CodePointSet) -> [UInt32] {
            var counts = [Int](repeating: 0, count: groups.count)
            var found: [Int] = []
            var index = 0
            for range in set.ranges {
                index = (index..<members.count).first(fromWhich: { members[$0].scalar >= range.lowerBound })
                while index < members.count, members[index].scalar <= range.upperBound {
                    let group = members[index].group
                    if counts[group] == 0 { found.append(group) }
                    counts[group] += 1
                    index += 1
                }
            }
            return found.filter { counts[$0] < groups[$0].count }.flatMap { groups[$0] }
        }
    }

    /// The fold of a scalar.
    enum Image {
        case one(UInt32)
        /// A range of `expansions`; empty if the scalar is dropped.
        case several(start: Int, count: Int)
        /// A Hangul syllable, which is decomposed by arithmetic.
        case hangul
    }

    @inline(__always)
    func image(_ scalar: UInt32) -> Image {
        if foldsHangul, Hangul.contains(scalar) { return .hangul }
        guard scalar <= CodePointSet.last else { return .one(scalar) }
        let entry = entries[Int(pages[Int(scalar >> 7)]) << 7 + Int(scalar & 127)]
        if entry < Self.unchanged { return .one(entry) }
        if entry == Self.unchanged { return .one(scalar) }
        return .several(start: Int((entry & ~Self.several) >> 4), count: Int(entry & 15))
    }

    @inline(__always)
    func expansion(at index: Int) -> UInt32 { expansions[index] }

    /// The fold of a scalar: up to four scalars.
    package func fold(_ scalar: UInt32) -> [UInt32] {
        switch image(scalar) {
        case .one(let folded): [folded]
        case .several(let start, let count): Array(expansions[start..<start + count])
        case .hangul: Hangul.decomposed(scalar)
        }
    }

    package func fold(_ scalars: some Sequence<UInt32>) -> [UInt32] { scalars.flatMap { fold($0) } }

    /// Whether a folded scalar extends the letter before it.
    @inline(__always)
    package func extends(_ scalar: UInt32) -> Bool { scalar >= 0x300 && extending.contains(scalar) }

    /// Whether the letter before `index` ends there: the next folded scalar does not extend it.
    @inline(never)
    func endsLetter(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        var index = index
        while index < text.count {
            switch image(decodeScalar(text, &index)) {
            case .one(let folded): return !extends(folded)
            case .several(_, count: 0): continue
            case .several(let start, _): return !extends(expansion(at: start))
            case .hangul: return true
            }
        }
        return true
    }
}

extension FoldTable {
    package static let caseInsensitive = make(dropsMarks: false, foldsCase: true)
    package static let diacriticInsensitive = make(dropsMarks: true, foldsCase: false)
    package static let both = make(dropsMarks: true, foldsCase: true)
    /// Full case folding without decomposition, for the flag `i` of ICU patterns.
    package static let caseOnly = packed(UnicodeFoldData.caseFoldings, lowersASCII: true)

    /// Case conversion for `uppercase:` and `lowercase:`. Without the final sigma, which depends on its
    /// neighbours (CaseMapping.swift).
    package static let uppercase = packed(UnicodeFoldData.uppercase, lowersASCII: false)
    package static let lowercase = packed(UnicodeFoldData.lowercase, lowersASCII: true)

    private static func packed(_ data: StaticString, lowersASCII: Bool) -> FoldTable {
        FoldTable(
            changes: PackedNumbers(data).mappings().map { ($0.scalar, $0.values) }, foldsHangul: false,
            lowersASCII: lowersASCII)
    }

    /// The table for the options; nil if texts compare by code points: without `c` and `d`, or with `n`, which
    /// overrides both.
    package static func table(_ options: ComparisonOptions) -> FoldTable? {
        if options.contains(.normalized) { return nil }
        switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
        case (false, false): return nil
        case (true, false): return caseInsensitive
        case (false, true): return diacriticInsensitive
        case (true, true): return both
        }
    }

    /// Decompose, drop marks, fold case, decompose again.
    private static func make(dropsMarks: Bool, foldsCase: Bool) -> FoldTable {
        var decompositions: [UInt32: [UInt32]] = [:]
        for each in PackedNumbers(UnicodeFoldData.decompositions).mappings() {
            decompositions[each.scalar] = each.values
        }
        var folds: [UInt32: [UInt32]] = [:]
        if foldsCase {
            for each in PackedNumbers(UnicodeFoldData.caseFoldings).mappings() { folds[each.scalar] = each.values }
        }
        var changed = Set(decompositions.keys).union(folds.keys)
        var dropped: Set<UInt32> = []
        if dropsMarks {
            for range in PackedNumbers(UnicodeFoldData.droppedMarks).ranges() { dropped.formUnion(range) }
            changed.formUnion(dropped)
        }
        let changes = changed.sorted().map { scalar in
            let kept = (decompositions[scalar] ?? [scalar]).filter { !dropped.contains($0) }
            let folded = kept.flatMap { folds[$0] ?? [$0] }.flatMap { decompositions[$0] ?? [$0] }
            return (scalar: scalar, folded: folded)
        }
        let extending = dropsMarks ? UnicodeFoldData.composing : UnicodeFoldData.extending
        return FoldTable(
            changes: changes, foldsHangul: true, lowersASCII: foldsCase,
            extending: CodePointSet(PackedNumbers(extending).ranges()))
    }
}

/// The 11,172 Hangul syllables, decomposed by arithmetic.
package enum Hangul {
    package static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    static let leading: UInt32 = 0x1100
    static let vowel: UInt32 = 0x1161
    /// The index before the first trailing consonant; it means a syllable without one.
    static let trailing: UInt32 = 0x11A7

    @inline(__always)
    static func contains(_ scalar: UInt32) -> Bool { scalar &- syllables.lowerBound < 11_172 }

    static func decomposed(_ scalar: UInt32) -> [UInt32] {
        let index = scalar &- syllables.lowerBound
        let head = [leading &+ index / 588, vowel &+ index % 588 / 28]
        return index % 28 == 0 ? head : head + [trailing &+ index % 28]
    }
}
