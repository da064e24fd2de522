// Patterns for engines: the texts that fold like a constant, and regular patterns in an engine's syntax. Patterns
// contain only explicit code points, so the engine's Unicode version, locale and flags do not matter.

/// A constant compared with `[c]` or `[d]`, and patterns of the texts that equal or contain it. A match may
/// begin and end inside the fold of one scalar, `'ß' CONTAINS[c] 's'`, but not inside a letter.
struct FoldedNeedle {
    private let table: FoldTable
    private let folded: [UInt32]
    private static let longestOrdered = 64

    init(_ table: FoldTable, _ text: String) {
        self.init(table, folded: table.fold(text.unicodeScalars.lazy.map { $0.value }))
    }

    /// - Parameters:
    ///   - table: the folding, or the case mapping if the constant is compared with case-mapped texts.
    ///   - folded: the folded constant.
    init(_ table: FoldTable, folded: [UInt32]) {
        self.table = table
        self.folded = folded
    }

    var equal: RegularPattern? { table.preimage(of: folded) }

    /// Matches texts that contain the needle at the given position.
    func pattern(_ place: TextPlace) -> RegularPattern? { table.preimage(of: folded(place)) }

    /// The same pattern for folded texts. A needle that begins with an extending scalar can only match at the
    /// beginning.
    func folded(_ place: TextPlace) -> RegularPattern {
        let needle = RegularPattern.literal(folded)
        let beginsTexts = folded.first.map(table.extends) ?? false
        let isEnd = place == .suffix
        return .joined(
            (place == .prefix || beginsTexts ? [] : [.anything]) + [needle] + (isEnd ? [] : [table.anyLetters]))
    }

    /// Matches texts whose fold is greater by code points: a prefix that folds like a prefix of the needle, then a
    /// scalar whose fold is greater. The size is quadratic in the needle; nil if that is too large.
    var greater: RegularPattern? {
        guard folded.count <= Self.longestOrdered else { return nil }
        var choices: [RegularPattern] = []
        for length in 0...folded.count {
            let deciding = deciding(after: folded[length...])
            if deciding.isEmpty { continue }
            guard let start = table.preimage(of: Array(folded[..<length])) else { return nil }
            choices.append(.joined([start, .set(deciding), .anything]))
        }
        return .either(choices)
    }

    var greaterOrEqual: RegularPattern? {
        guard let greater, let equal else { return nil }
        return .either([equal, greater])
    }

    /// The scalars whose fold is greater than the rest of the needle and not a prefix of it.
    private func deciding(after rest: ArraySlice<UInt32>) -> CodePointSet {
        func decides(_ fold: [UInt32]) -> Bool {
            // An index instead of `zip`, which is slower: this runs for each scalar that folding changes.
            var index = 0
            while index < fold.count, index < rest.count {
                let other = rest[rest.startIndex + index]
                if fold[index] != other { return fold[index] > other }
                index += 1
            }
            return fold.count > rest.count
        }
        let next = rest.first
        let above = next.map { $0 < CodePointSet.last ? CodePointSet($0 + 1...CodePointSet.last) : .empty } ?? .all
        let changing = table.changes.filter { decides($0.folded) }.map { $0.scalar }
        let set = above.subtracting(table.changed).union(CodePointSet(scalars: changing))
        guard table.foldsHangul else { return set }
        // All Hangul syllables fold to texts that begin with one of nineteen consecutive scalars.
        let isInside = next.map { (0x1100...0x1112).contains($0) } ?? false
        if isInside { return set.union(CodePointSet(scalars: Hangul.syllables.filter { decides(table.fold($0)) })) }
        return (next ?? 0) < 0x1100 ? set.union(CodePointSet(Hangul.syllables)) : set
    }
}

extension RegularPattern {
    /// The number of scalars of the shortest match.
    var shortest: Int {
        switch self {
        case .empty: 0
        case .set, .anyLine: 1
        case .concatenation(let parts): parts.reduce(0) { $0 + $1.shortest }
        case .alternation(let choices): choices.map { $0.shortest }.min() ?? 0
        case .repetition(let inner, let minimum, _): minimum > 4096 ? 0 : minimum * inner.shortest
        }
    }

    /// The literal texts that occur in every match, in order.
    var factors: [[UInt32]] {
        switch self {
        case .concatenation(let parts):
            var factors: [[UInt32]] = []
            var run: [UInt32] = []
            for part in parts {
                if case .set(let set) = part, let scalar = set.single {
                    run.append(scalar)
                    continue
                }
                factors.append(run)
                run = []
                factors += part.factors
            }
            return (factors + [run]).filter { !$0.isEmpty }
        case .set(let set): return set.single.map { [[$0]] } ?? []
        case .repetition(let inner, let minimum, _): return minimum > 0 ? inner.factors : []
        default: return []
        }
    }

    /// Whether any text may follow a match, so that a search need not match the rest.
    fileprivate var isOpen: Bool {
        switch self {
        case .empty, .set, .anyLine: false
        case .concatenation(let parts): parts.last?.isOpen ?? false
        case .alternation(let choices): choices.contains { $0.isOpen }
        case .repetition(let inner, 0, 1): inner.isOpen
        case .repetition: self == .anything
        }
    }

    /// Whether a run of this pattern cannot match the first scalar of the next part, so that it never needs to
    /// backtrack.
    fileprivate func isKept(before next: RegularPattern) -> Bool {
        guard case .repetition(.set(let set), _, nil) = self else { return false }
        return !next.isNullable && set.isDisjoint(with: next.first)
    }

    /// All matches, if there are at most `limit`.
    func texts(atMost limit: Int) -> [[UInt32]]? {
        let (found, isWhole) = beginnings(atMost: limit)
        return isWhole ? found : nil
    }

    /// At most `limit` texts, one of which begins each match.
    func heads(atMost limit: Int) -> [[UInt32]] { beginnings(atMost: limit).texts }

    /// The beginnings of all matches, and whether they are complete matches.
    private func beginnings(atMost limit: Int) -> (texts: [[UInt32]], isWhole: Bool) {
        switch self {
        case .empty: return ([[]], true)
        case .set(let set):
            let count = set.ranges.reduce(0) { $0 + min($1.count, limit + 1) }
            return count > limit ? ([[]], false) : (set.ranges.flatMap { $0.map { [$0] } }, true)
        case .concatenation(let parts):
            var found: [[UInt32]] = [[]]
            for part in parts {
                let (next, isWhole) = part.beginnings(atMost: limit)
                if next.count * found.count > limit { return (found, false) }
                found = found.flatMap { head in next.map { head + $0 } }
                if !isWhole { return (found, false) }
            }
            return (found, true)
        case .alternation(let choices):
            let all = choices.map { $0.beginnings(atMost: limit) }
            let found = all.flatMap { $0.texts }
            return found.count > limit ? ([[]], false) : (found, all.allSatisfy { $0.isWhole })
        case .anyLine, .repetition: return ([[]], false)
        }
    }

    /// The literal prefix of all matches.
    var head: [UInt32] {
        switch self {
        case .set(let set): return set.single.map { [$0] } ?? []
        case .concatenation(let parts):
            var head: [UInt32] = []
            for part in parts {
                guard case .set(let set) = part, let scalar = set.single else { break }
                head.append(scalar)
            }
            return head
        default: return []
        }
    }
}

/// Writes a pattern in an engine's syntax.
struct RegexWriter {
    /// Scalars that are invisible or change the direction of the text around them: controls, spaces, ignorable scalars,
    /// right-to-left letters, noncharacters, private use.
    private static let hidden = CodePointSet([
        0x80...0xA0, 0xAD...0xAD, 0x590...0x8FF, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x2000...0x206F,
        0x3000...0x3000, 0x3164...0x3164, 0xD7FC...0xF8FF, 0xFB1D...0xFE0F, 0xFE70...0xFEFF, 0xFFA0...0xFFA0,
        0xFFF0...0xFFFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF, 0x1FFFE...0x1FFFF, 0x2FFFE...CodePointSet.last,
    ])

    private let capability: RegexCapability
    private let storesNUL: Bool
    var text = ""
    private var parts = 0
    private var fits = true

    init(_ capability: RegexCapability, storesNUL: Bool) {
        self.capability = capability
        self.storesNUL = storesNUL
    }

    /// nil if the engine does not support the pattern. A part at the end that matches any text is omitted.
    mutating func write(_ pattern: RegularPattern) -> String? {
        let opens = pattern.parts.first == .anything
        let rest = opens ? RegularPattern.joined(Array(pattern.parts.dropFirst())) : pattern
        return write { writer in
            if !opens { writer.text += writer.capability.opening }
            writer.addEnd(rest)
        }
    }

    mutating func write(_ body: (inout RegexWriter) -> Void) -> String? {
        text = ""
        body(&self)
        return fits && text.utf8.count <= capability.patternLimit ? text : nil
    }

    mutating func open() { text += capability.opening }
    mutating func close() { text += capability.closing }

    /// Adds a pattern and the end of the text.
    private mutating func addEnd(_ pattern: RegularPattern) {
        guard pattern.isOpen else {
            add(pattern)
            return close()
        }
        switch pattern {
        case .concatenation(let parts):
            for (part, next) in zip(parts.dropLast(), parts.dropFirst()) { add(part, before: next) }
            if let last = parts.last { addEnd(last) }
        case .alternation(let choices): group(choices) { $0.addEnd($1) }
        case .repetition(let inner, 0, 1): group([inner, .empty]) { $0.addEnd($1) }
        default: break
        }
    }

    mutating func add(_ pattern: RegularPattern) {
        parts += 1
        guard fits, parts <= capability.partLimit, text.utf8.count <= capability.patternLimit else {
            fits = false
            return
        }
        switch pattern {
        case .empty: break
        case .set(let set): add(set)
        // It would have to match U+000D U+000A as a unit.
        case .anyLine: fits = false
        case .concatenation(let parts):
            for (part, next) in zip(parts, parts.dropFirst() + [.empty]) { add(part, before: next) }
        case .alternation(let choices): group(choices) { $0.add($1) }
        case .repetition(let inner, let minimum, let maximum):
            if case .set(let set) = inner { add(set) } else { group([inner]) { $0.add($1) } }
            add(minimum, maximum)
        }
    }

    private mutating func add(_ part: RegularPattern, before next: RegularPattern) {
        add(part)
        // A possessive quantifier avoids backtracking and the engine's limits on it.
        if capability.hasAtomicGroups, part.isKept(before: next) { text += "+" }
    }

    private mutating func group(
        _ choices: [RegularPattern], _ add: (inout RegexWriter, RegularPattern) -> Void
    ) {
        text += "(?:"
        for (index, choice) in choices.enumerated() {
            if index > 0 { text += "|" }
            add(&self, choice)
        }
        text += ")"
    }

    private mutating func add(_ minimum: Int, _ maximum: Int?) {
        switch (minimum, maximum) {
        case (0, nil): text += "*"
        case (1, nil): text += "+"
        case (0, 1?): text += "?"
        default:
            // In some engines nested repetition counts multiply, so each of them may use only a part of the limit.
            fits = fits && max(minimum, maximum ?? 0) <= capability.repetitionLimit / 8
            text += maximum == minimum ? "{\(minimum)}" : "{\(minimum),\(maximum.map(String.init) ?? "")}"
        }
    }

    /// Adds a set. Leaves out surrogates, which texts never contain, and U+0000 if it cannot be stored.
    private mutating func add(_ set: CodePointSet) {
        var absent = CodePointSet(0xD800...0xDFFF)
        if !storesNUL { absent = absent.union(CodePointSet(0)) }
        let present = set.subtracting(absent)
        if present == absent.complement { return text += capability.anyScalar }
        let ranges = present.ranges
        if let only = ranges.first, ranges.count == 1, only.lowerBound == only.upperBound {
            text += escaped(only.lowerBound)
            return
        }
        guard !ranges.isEmpty else {
            // An empty set, written as the negation of a set with all scalars.
            text += "[^" + escaped(1) + "-" + escaped(0xD7FF) + escaped(0xE000) + "-" + escaped(CodePointSet.last)
            text += storesNUL ? escaped(0) + "]" : "]"
            return
        }
        // Use the set or its negation, whichever has fewer ranges.
        let others = set.union(absent).complement.ranges
        let isNegated = !others.isEmpty && others.count < ranges.count - 1
        text += isNegated ? "[^" : "["
        let written = isNegated ? others : ranges
        for (index, range) in written.enumerated() {
            let next = index + 1 < written.count ? written[index + 1].lowerBound : nil
            let second = range.count == 1 ? next : range.count == 2 ? range.upperBound : nil
            text += escaped(range.lowerBound, short: !Self.isHexadecimal(second))
            if range.count > 2 { text += "-" }
            if range.count > 1 { text += escaped(range.upperBound, short: !Self.isHexadecimal(next)) }
        }
        text += "]"
    }

    private static func isHexadecimal(_ scalar: UInt32?) -> Bool {
        guard let scalar = scalar.flatMap(Unicode.Scalar.init) else { return false }
        return scalar.isASCII && Character(scalar).isHexDigit
    }

    /// Writes letters and digits directly. Scalars that Unicode normalisation might change, join or move, and invisible
    /// scalars, are written as numbers.
    ///
    /// - Parameter short: whether no hexadecimal digit follows, so that the short form is unambiguous.
    private func escaped(_ scalar: UInt32, short: Bool = false) -> String {
        if let scalar = Unicode.Scalar(scalar), isPlain(scalar) { return String(scalar) }
        let digits = String(scalar, radix: 16, uppercase: true)
        if capability.bracedEscapes { return "\\x{\(digits)}" }
        if short { return "\\x" + digits }
        let width = scalar > 0xFFFF ? 8 : 4
        return (width == 8 ? "\\U" : "\\u") + digits.zeroPadded(to: width)
    }

    private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": return true
        default:
            let marks = FoldTable.diacriticInsensitive
            return scalar.value >= 128 && scalar.properties.canonicalCombiningClass == .notReordered
                && !Self.hidden.contains(scalar.value) && marks.fold(scalar.value) == [scalar.value]
                && !marks.extends(scalar.value)
        }
    }
}
