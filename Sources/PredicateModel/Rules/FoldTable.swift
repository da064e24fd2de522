// What `[c]`, `[d]` and `[cd]` make of one scalar (LANGUAGE C 10), as a table that takes two loads, and where the letters of
// folded texts begin. StringFold.swift applies it to texts, Patterns/ to patterns. Each scalar folds by itself, marks are never reordered: that makes the
// fold a homomorphism, so that a folded constant has a regular preimage, which SQL needs.

package import PredicateSyntax

/// One fold of scalars to short runs of scalars.
package final class FoldTable: Sendable {
    package typealias Change = (scalar: UInt32, folded: [UInt32])

    /// Two stages: `pages[scalar >> 7]` is a page of `entries`, 128 each; page 0 is the identity's.
    private let pages: [UInt16]
    private let entries: [UInt32]
    private let expansions: [UInt32]
    /// Every scalar that changes, Hangul syllables left out, in order.
    package let changes: [Change]
    package let foldsHangul: Bool
    /// How an ASCII byte folds.
    let lowersASCII: Bool
    /// Every scalar that changes.
    package let changed: CodePointSet
    /// What folds to nothing.
    package let vanishing: CodePointSet
    /// Which scalars fold to a text, themselves and Hangul syllables left out.
    let inverse: [[UInt32]: [UInt32]]
    /// What folds to several scalars, Hangul syllables left out; by the first of them, and by each of the others.
    let several: [Change]
    let expanding: [UInt32: [Change]]
    let continuing: [UInt32: [Change]]
    /// What extends a letter of a folded text (LANGUAGE C 10); empty for mappings, which know no letters.
    package let extending: CodePointSet
    /// Every scalar whose fold begins with one of those.
    package let continuingLetters: CodePointSet
    /// What stands behind a scalar in the fold of one, Hangul syllables left out.
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
        let changed = CodePointSet(scalars: changes.map(\.scalar))
        self.changed = foldsHangul ? changed.union(CodePointSet(Hangul.syllables)) : changed
        self.extending = extending
        let composed = changes.filter { $0.folded.first.map(extending.contains) ?? false }.map(\.scalar)
        continuingLetters = extending.subtracting(changed).union(CodePointSet(scalars: composed))
        vanishing = CodePointSet(scalars: changes.filter(\.folded.isEmpty).map(\.scalar))
        inverse = Dictionary(grouping: changes, by: \.folded).mapValues { $0.map(\.scalar) }
        several = changes.filter { $0.folded.count > 1 }
        expanding = Dictionary(grouping: several) { $0.folded[0] }
        var continuing: [UInt32: [Change]] = [:]
        for change in several {
            for scalar in Set(change.folded.dropFirst()) { continuing[scalar, default: []].append(change) }
        }
        self.continuing = continuing
        let pairs = self.several.flatMap { zip($0.folded, $0.folded.dropFirst()) }
        neighbours = Dictionary(grouping: pairs) { $0.0 }.mapValues { CodePointSet(scalars: $0.map(\.1)) }
    }

    /// The set with every scalar that folds as one of its members does. What folds to nothing counts for nothing here.
    func closure(of set: CodePointSet) -> CodePointSet {
        if set == .all { return set }
        var added: [UInt32] = []
        for (folded, scalars) in inverse where !folded.isEmpty {
            let members = folded.count == 1 && !changed.contains(folded[0]) ? scalars + folded : scalars
            if members.contains(where: { set.contains($0) }) { added += members }
        }
        return set.union(CodePointSet(scalars: added))
    }

    /// What one scalar becomes.
    enum Image {
        case one(UInt32)
        /// `range` of `expansion(at:)`; empty where the scalar is dropped.
        case several(start: Int, count: Int)
        /// A Hangul syllable, which decomposes by arithmetic.
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

    /// What one scalar becomes: nothing, itself, or up to four scalars.
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

    /// Whether a letter ends before `index`: what follows there, folded, does not extend it.
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
    /// Full case folding alone, which is what the flag `i` of an ICU pattern compares by.
    package static let caseOnly = FoldTable(
        changes: PackedNumbers(UnicodeFoldData.caseFoldings).mappings().map { ($0.scalar, $0.values) },
        foldsHangul: false, lowersASCII: true)

    /// `uppercase:`; `lowercase:`, but for the sigma, which depends on its neighbours (CaseMapping.swift).
    package static let uppercase = FoldTable(
        changes: PackedNumbers(UnicodeFoldData.uppercase).mappings().map { ($0.scalar, $0.values) },
        foldsHangul: false, lowersASCII: false)
    package static let lowercase = FoldTable(
        changes: PackedNumbers(UnicodeFoldData.lowercase).mappings().map { ($0.scalar, $0.values) },
        foldsHangul: false, lowersASCII: true)

    /// The table of the options; nil where texts compare code point by code point: no `c` and no `d`, or `n`, which
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

/// The 11,172 Hangul syllables, whose decomposition is arithmetic.
package enum Hangul {
    package static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    static let leading: UInt32 = 0x1100
    static let vowel: UInt32 = 0x1161
    /// One before the first trailing consonant: a syllable without one counts as its zeroth.
    static let trailing: UInt32 = 0x11A7

    @inline(__always)
    static func contains(_ scalar: UInt32) -> Bool { scalar &- syllables.lowerBound < 11_172 }

    static func decomposed(_ scalar: UInt32) -> [UInt32] {
        let index = scalar &- syllables.lowerBound
        let head = [leading &+ index / 588, vowel &+ index % 588 / 28]
        return index % 28 == 0 ? head : head + [trailing &+ index % 28]
    }
}
