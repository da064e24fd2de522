// Patterns for engines: the texts that fold like a constant, and a regular pattern in an engine's spelling. Only explicit
// code points are written, so that no engine's Unicode version, locale or flag matters.
import PredicateModel

/// A constant under `[c]` or `[d]`, and the patterns of what it is equal to or found in. A match may begin and end inside
/// what one scalar folds to, `'ß' CONTAINS[c] 's'`, but not inside a letter.
struct FoldedNeedle {
    private let table: FoldTable
    private let folded: [UInt32]
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

    /// What holds the needle at a place.
    func pattern(_ place: TextPlace) -> RegularPattern? { table.preimage(of: folded(place)) }

    /// The same of folded texts. Only the beginning of a text begins with what extends a letter.
    func folded(_ place: TextPlace) -> RegularPattern {
        let needle = RegularPattern.literal(folded)
        let beginsTexts = folded.first.map(table.extends) ?? false
        let isEnd = place == .suffix
        return .joined(
            (place == .prefix || beginsTexts ? [] : [.anything]) + [needle] + (isEnd ? [] : [table.anyLetters]))
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

    /// Whether a match may be followed by any text: then nothing need be said of that.
    fileprivate var isOpen: Bool {
        switch self {
        case .empty, .set, .anyLine: false
        case .concatenation(let parts): parts.last?.isOpen ?? false
        case .alternation(let choices): choices.contains(where: \.isOpen)
        case .repetition(let inner, 0, 1): inner.isOpen
        case .repetition: self == .anything
        }
    }

    /// Whether none of a run's scalars could be the first of what must stand behind it.
    fileprivate func isKept(before next: RegularPattern) -> Bool {
        guard case .repetition(.set(let set), _, nil) = self else { return false }
        return !next.isNullable && set.isDisjoint(with: next.first)
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

    /// nil where the engine does not take it. An end of the pattern that is any text is left out.
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

    /// A pattern and the end of the text.
    private mutating func addEnd(_ pattern: RegularPattern) {
        guard pattern.isOpen else {
            add(pattern)
            return close()
        }
        switch pattern {
        case .concatenation(let parts):
            for (part, next) in zip(parts.dropLast(), parts.dropFirst()) { add(part, before: next) }
            if let last = parts.last { addEnd(last) }
        case .alternation(let choices):
            text += "(?:"
            for (index, choice) in choices.enumerated() {
                if index > 0 { text += "|" }
                addEnd(choice)
            }
            text += ")"
        case .repetition(let inner, 0, 1):
            text += "(?:"
            addEnd(inner)
            text += "|"
            close()
            text += ")"
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
        // U+000D U+000A would have to be one, never parted.
        case .anyLine: fits = false
        case .concatenation(let parts):
            for (part, next) in zip(parts, parts.dropFirst() + [.empty]) { add(part, before: next) }
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

    private mutating func add(_ part: RegularPattern, before next: RegularPattern) {
        add(part)
        // What is never given back is not tried twice, and does not count as tried.
        if capability.hasAtomicGroups, part.isKept(before: next) { text += "+" }
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
        // What is shorter, and both where it is all.
        let others = set.union(absent).complement.ranges
        let isNegated = !others.isEmpty && others.count < ranges.count - 1
        text += isNegated ? "[^" : "["
        for range in isNegated ? others : ranges {
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
