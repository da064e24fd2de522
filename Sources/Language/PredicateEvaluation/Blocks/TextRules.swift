// Tests of one text against a constant. Texts are tested in place as UTF-8: the language compares code points, and
// UTF-8 bytes have the same order and equality.

/// A test of one text; each conforming type is compiled to its own loop.
protocol TextRule: SendableMetatype {
    var cost: Int { get }
    /// Whether `glance` can decide texts. A constant, so that loops of other rules contain no check.
    static var glances: Bool { get }
    /// Whether it reads the bytes of most long texts, so that prefetching is worthwhile.
    static var readsBytes: Bool { get }
    /// A test of short texts by their words, without branches, if there is one.
    var quick: QuickText? { get }
    /// Tests a text by its words; nil if the whole text must be read.
    func glance(_ text: TextWords) -> Bool?
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool
}

extension TextRule {
    static var glances: Bool { false }
    static var readsBytes: Bool { false }
    var quick: QuickText? { nil }
    func glance(_ text: TextWords) -> Bool? { nil }
}

struct EqualRule: TextRule, Sendable {
    var cost: Int { 4 }
    static var glances: Bool { true }
    let needle: Needle
    let first: TextGlance
    init(_ needle: Needle, _ options: ComparisonOptions) {
        self.needle = needle
        first = TextGlance(needle, options, isWhole: true)
    }
    var quick: QuickText? { first.quick }
    @inline(__always) func glance(_ text: TextWords) -> Bool? { first.answer(text) }
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.equals(text) }
}

struct PrefixRule: TextRule, Sendable {
    var cost: Int { 5 }
    static var glances: Bool { true }
    static var readsBytes: Bool { true }
    let needle: Needle
    let first: TextGlance
    init(_ needle: Needle, _ options: ComparisonOptions) {
        self.needle = needle
        first = TextGlance(needle, options, isWhole: false)
    }
    var quick: QuickText? { first.quick }
    @inline(__always) func glance(_ text: TextWords) -> Bool? { first.answer(text) }
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.isPrefix(of: text) }
}

struct SuffixRule: TextRule, Sendable {
    var cost: Int { 6 }
    static var glances: Bool { true }
    static var readsBytes: Bool { true }
    let needle: Needle
    let last: TextTail
    init(_ needle: Needle, _ options: ComparisonOptions) {
        self.needle = needle
        last = TextTail(needle, options)
    }
    @inline(__always) func glance(_ text: TextWords) -> Bool? { last.answer(text) }
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.isSuffix(of: text) }
}

struct ContainsRule: TextRule, Sendable {
    static let cost = 25
    var cost: Int { Self.cost }
    static var readsBytes: Bool { true }
    let needle: Needle
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.isContained(in: text) }
}

struct PiecesRule: TextRule, Sendable {
    var cost: Int { 12 }
    static var glances: Bool { true }
    static var readsBytes: Bool { true }
    let pieces: TextPieces
    private let (first, last): (TextGlance, TextTail)
    private let hasFirst: Bool
    /// Whether prefix, suffix and length are enough to decide.
    private let isShort: Bool
    private let least: Int
    init(_ pieces: TextPieces) {
        self.pieces = pieces
        hasFirst = !pieces.prefix.isEmpty
        isShort = pieces.isEnds
        least = pieces.least
        first = TextGlance(pieces.prefix, [], isWhole: false)
        last = TextTail(pieces.suffix)
    }
    /// Prefix and suffix reject most texts.
    @inline(__always) func glance(_ text: TextWords) -> Bool? {
        let begins = hasFirst ? first.answer(text) : true
        if begins == false { return false }
        let ends = last.answer(text)
        if ends == false { return false }
        return isShort && begins == true && ends == true && text.isSmall && text.smallCount >= least ? true : nil
    }
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { pieces.matches(text) }
}

struct MemberRule: TextRule, Sendable {
    var cost: Int { 10 }
    static var glances: Bool { true }
    /// An object, because the loop over rows would copy a structure for each row.
    private final class Members: Sendable {
        let texts: TextSet
        init(_ texts: TextSet) { self.texts = texts }
    }
    private let members: Members
    init(_ texts: TextSet) { members = Members(texts) }
    @inline(__always) func glance(_ text: TextWords) -> Bool? { members.texts.answer(text) }
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { members.texts.contains(text) }
}

struct OrderRule: TextRule, Sendable {
    var cost: Int { 5 }
    let constant: [UInt8]
    let `operator`: ComparisonOperator

    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch `operator` {
        case .lessThan: isBefore(text)
        case .greaterThanOrEqual: !isBefore(text)
        case .lessThanOrEqual: isBefore(text) || isEqual(text)
        default: !isBefore(text) && !isEqual(text)
        }
    }
    private func isBefore(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.lexicographicallyPrecedes(constant) }
    private func isEqual(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.elementsEqual(constant) }
}

/// Matches a pattern. A matcher caches automaton states and belongs to a run, so a rule must not outlive its block.
struct PatternRule: TextRule {
    static let cost = 30
    var cost: Int { Self.cost }
    static var glances: Bool { true }
    static var readsBytes: Bool { true }
    let matcher: PatternMatcher
    /// Rejects most texts before the automaton runs.
    let first: TextGlance?
    @inline(__always) func glance(_ text: TextWords) -> Bool? { first?.answer(text) == false ? false : nil }
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { matcher.matches(text) }
}
