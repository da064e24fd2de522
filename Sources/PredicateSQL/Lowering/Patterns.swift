// Patterns for engines: the texts that fold like a constant, and a regular pattern in an engine's spelling. Only explicit
// code points are written, so that no engine's Unicode version, locale or flag matters.
import PredicateModel

/// A constant under `[c]` or `[d]`, and the patterns of what it is equal to or found in. A match may begin and end inside
/// what one scalar folds to: `'ß' CONTAINS[c] 's'`.
struct FoldedNeedle {
    private let table: FoldTable
    private let folded: [UInt32]
    /// No scalar folds to more.
    private static let longestFold = 4
    private static let longestOrdered = 64

    init(_ table: FoldTable, _ text: String) {
        self.table = table
        folded = table.fold(text.unicodeScalars.lazy.map(\.value))
    }

    /// What a mapping of scalars makes of a text, given; the table is that mapping.
    init(_ table: FoldTable, folded: [UInt32]) {
        self.table = table
        self.folded = folded
    }

    var equal: RegularPattern? { table.preimage(of: folded) }

    func pattern(_ place: TextPlace) -> RegularPattern? {
        switch place {
        case .prefix: prefix
        case .suffix: suffix
        case .anywhere: anywhere
        }
    }

    /// A whole beginning, or all but its end and a scalar whose fold goes on beyond.
    var prefix: RegularPattern? {
        guard let starts = starts(of: folded[...]) else { return nil }
        return .joined([trimmed(starts, start: false, end: true), .anything])
    }

    var suffix: RegularPattern? {
        guard let ends = ends(of: folded[...]) else { return nil }
        return .joined([.anything, trimmed(ends, start: true, end: false)])
    }

    var anywhere: RegularPattern? {
        guard let starts = starts(of: folded[...]) else { return nil }
        var choices = [starts]
        for cut in cuts(from: 1) {
            let heads = scalars { $0.count > cut && Array($0.suffix(cut)) == Array(folded.prefix(cut)) }
            guard !heads.isEmpty else { continue }
            guard let rest = self.starts(of: folded[cut...]) else { return nil }
            choices.append(.joined([.set(heads), rest]))
        }
        let inside = scalars { fold in
            fold.count > folded.count + 1
                && (1..<fold.count - folded.count).contains { Array(fold[$0..<$0 + folded.count]) == folded }
        }
        if !inside.isEmpty { choices.append(.set(inside)) }
        return .joined([.anything, trimmed(.either(choices), start: true, end: true), .anything])
    }

    /// What folds to pieces with anything between them; nil where that cannot be said, and where one scalar may fold to the end of
    /// a piece and the beginning of the next: `ﬁ` under `f*i`.
    static func pieces(_ table: FoldTable, _ pieces: [[UInt32]], opens: Bool, closes: Bool) -> RegularPattern? {
        for (piece, next) in zip(pieces, pieces.dropFirst()) where bridges(table, piece, next) { return nil }
        var parts: [RegularPattern] = []
        for (index, piece) in pieces.enumerated() {
            let needle = FoldedNeedle(table, folded: piece)
            let found: RegularPattern? =
                switch (opens || index > 0, closes || index < pieces.count - 1) {
                case (true, true): needle.anywhere
                case (true, false): needle.suffix
                case (false, true): needle.prefix
                case (false, false): needle.equal
                }
            guard let found else { return nil }
            // One run between two of them.
            if parts.last == .anything { parts.removeLast() }
            parts = RegularPattern.joined(parts + [found]).parts
        }
        return .joined(parts)
    }

    /// Whether the fold of some scalar goes on from the end of a piece to the beginning of the next.
    private static func bridges(_ table: FoldTable, _ piece: [UInt32], _ next: [UInt32]) -> Bool {
        if table.foldsHangul, let last = piece.last, let first = next.first,
            (0x1100...0x11FF).contains(last), (0x1100...0x11FF).contains(first)
        {
            return true
        }
        return table.changes.contains { change in
            let fold = change.folded
            guard fold.count > 1 else { return false }
            return (1..<fold.count).contains { end in
                zip(fold[..<end].reversed(), piece.reversed()).allSatisfy(==)
                    && (end..<fold.count).contains { zip(fold[$0...], next).allSatisfy(==) }
            }
        }
    }

    /// What folds to something greater, by code points: a beginning that folds as the needle's does, and then a scalar whose
    /// fold decides. As large as the square of the needle; nil where that is too large.
    var greater: RegularPattern? {
        guard folded.count <= Self.longestOrdered else { return nil }
        var choices: [RegularPattern] = []
        for length in 0...folded.count {
            let deciding = deciding(behind: folded[length...])
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

    /// The scalars whose fold is greater than what is left of the needle, and not its beginning.
    private func deciding(behind rest: ArraySlice<UInt32>) -> CodePointSet {
        func decides(_ fold: [UInt32]) -> Bool {
            for (one, other) in zip(fold, rest) where one != other { return one > other }
            return fold.count > rest.count
        }
        let next = rest.first
        let above = next.map { $0 < CodePointSet.last ? CodePointSet($0 + 1...CodePointSet.last) : .empty } ?? .all
        let changing = table.changes.filter { decides($0.folded) }.map(\.scalar)
        let set = above.subtracting(table.changed).union(CodePointSet(scalars: changing))
        guard table.foldsHangul else { return set }
        // All syllables begin with one of nineteen scalars, which are behind each other.
        let isInside = next.map { (0x1100...0x1112).contains($0) } ?? false
        if isInside { return set.union(CodePointSet(scalars: Hangul.syllables.filter { decides(table.fold($0)) })) }
        return (next ?? 0) < 0x1100 ? set.union(CodePointSet(Hangul.syllables)) : set
    }

    /// Without what folds to nothing beside what matches anything: engines that try would try both ways for each.
    private func trimmed(_ pattern: RegularPattern, start: Bool, end: Bool) -> RegularPattern {
        let nothing = RegularPattern.repetition(.set(table.vanishing), minimum: 0, maximum: nil)
        switch pattern {
        case .concatenation(var parts):
            if start, parts.first == nothing { parts.removeFirst() }
            if end, parts.last == nothing { parts.removeLast() }
            return .joined(parts)
        case .alternation(let choices): return .either(choices.map { trimmed($0, start: start, end: end) })
        default: return pattern
        }
    }

    private func starts(of part: ArraySlice<UInt32>) -> RegularPattern? {
        let part = Array(part)
        guard let whole = table.preimage(of: part) else { return nil }
        var choices = [whole]
        for length in 1...Self.longestFold where length <= part.count {
            let tails = scalars { $0.count > length && Array($0.prefix(length)) == Array(part.suffix(length)) }
            guard !tails.isEmpty else { continue }
            guard let head = table.preimage(of: Array(part.dropLast(length))) else { return nil }
            choices.append(.joined([head, .set(tails)]))
        }
        return .either(choices)
    }

    private func ends(of part: ArraySlice<UInt32>) -> RegularPattern? {
        guard let whole = table.preimage(of: Array(part)) else { return nil }
        var choices = [whole]
        for cut in cuts(from: 1) {
            let heads = scalars { $0.count > cut && Array($0.suffix(cut)) == Array(part.prefix(cut)) }
            guard !heads.isEmpty else { continue }
            guard let rest = table.preimage(of: Array(part.dropFirst(cut))) else { return nil }
            choices.append(.joined([.set(heads), rest]))
        }
        return .either(choices)
    }

    private func cuts(from first: Int) -> ClosedRange<Int> { first...max(first, min(Self.longestFold, folded.count)) }

    /// The scalars whose fold passes a test. Only folds of several scalars are asked for.
    private func scalars(where test: ([UInt32]) -> Bool) -> CodePointSet {
        var found = table.changes.filter { $0.folded.count > 1 && test($0.folded) }.map(\.scalar)
        // A syllable folds to two or three jamo; only a needle with jamo can begin or end inside one.
        if table.foldsHangul, folded.contains(where: { (0x1100...0x11FF).contains($0) }) {
            found += (UInt32(0xAC00)...0xD7A3).filter { test(table.fold($0)) }
        }
        return CodePointSet(scalars: found)
    }
}

extension RegularPattern {
    /// Runs of scalars that stand in every match, in order.
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

    /// The scalars that every match begins with.
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

/// Spells a pattern for an engine.
struct RegexWriter {
    private let capability: RegexCapability
    private let storesNUL: Bool
    var text = ""
    private var parts = 0
    private var fits = true

    init(_ capability: RegexCapability, storesNUL: Bool) {
        self.capability = capability
        self.storesNUL = storesNUL
    }

    /// nil where the engine does not take it.
    mutating func write(_ pattern: RegularPattern) -> String? {
        write { $0.add(pattern) }
    }

    /// Between what opens a pattern and what closes it.
    mutating func write(_ body: (inout RegexWriter) -> Void) -> String? {
        text = capability.opening
        body(&self)
        text += capability.closing
        return fits && text.utf8.count <= capability.patternLimit ? text : nil
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
        // U+000D U+000A would have to be one, never parted.
        case .anyLine: fits = false
        case .concatenation(let parts): for part in parts { add(part) }
        case .alternation(let choices):
            text += "(?:"
            for (index, choice) in choices.enumerated() {
                if index > 0 { text += "|" }
                add(choice)
            }
            text += ")"
        case .repetition(let inner, let minimum, let maximum):
            if case .set(let set) = inner { add(set) } else { group(inner) }
            add(minimum, maximum)
        }
    }

    private mutating func group(_ pattern: RegularPattern) {
        text += "(?:"
        add(pattern)
        text += ")"
    }

    private mutating func add(_ minimum: Int, _ maximum: Int?) {
        switch (minimum, maximum) {
        case (0, nil): text += "*"
        case (1, nil): text += "+"
        case (0, 1?): text += "?"
        default:
            // Nested counts multiply in some engines, so that one level may use the root of the limit only.
            fits = fits && max(minimum, maximum ?? 0) <= capability.repetitionLimit / 8
            text += maximum == minimum ? "{\(minimum)}" : "{\(minimum),\(maximum.map(String.init) ?? "")}"
        }
    }

    /// Surrogates, which no text holds, are left out, as is U+0000 where none may be stored.
    private mutating func add(_ set: CodePointSet) {
        var absent = CodePointSet(0xD800...0xDFFF)
        if !storesNUL { absent = absent.union(CodePointSet(0)) }
        let ranges = set.subtracting(absent).ranges
        if let only = ranges.first, ranges.count == 1, only.lowerBound == only.upperBound {
            text += escaped(only.lowerBound)
            return
        }
        guard !ranges.isEmpty else {
            // Nothing: one scalar that is both something and not that.
            text += "[^" + escaped(1) + "-" + escaped(0xD7FF) + escaped(0xE000) + "-" + escaped(CodePointSet.last)
            text += storesNUL ? escaped(0) + "]" : "]"
            return
        }
        text += "["
        for range in ranges {
            text += escaped(range.lowerBound)
            if range.upperBound > range.lowerBound { text += "-" + escaped(range.upperBound) }
        }
        text += "]"
    }

    /// ASCII letters and digits as they are, all else by number.
    private func escaped(_ scalar: UInt32) -> String {
        if let ascii = UInt8(exactly: scalar), ascii < 128 {
            let character = Character(Unicode.Scalar(ascii))
            if character.isLetter || character.isNumber { return String(character) }
        }
        let digits = String(scalar, radix: 16, uppercase: true)
        if capability.bracedEscapes { return "\\x{\(digits)}" }
        let width = scalar > 0xFFFF ? 8 : 4
        return (width == 8 ? "\\U" : "\\u") + String(repeating: "0", count: width - digits.count) + digits
    }
}
