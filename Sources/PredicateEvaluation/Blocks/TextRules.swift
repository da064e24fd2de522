// What comparisons with constants ask of one text. A text is tested where it lies, as UTF-8: the language compares code
// points, whose order and equality are those of the bytes.
import PredicateModel
import PredicateSyntax

/// A test of one text, compiled into a loop of its own.
protocol TextRule: SendableMetatype {
    static var cost: Int { get }
    /// Whether a glance at the words of a text may tell; a constant, so that loops without it do not look.
    static var glances: Bool { get }
    /// Whether it looks at the bytes of most long texts, so that fetching those of many at once pays.
    static var readsBytes: Bool { get }
    /// What the words of short texts alone tell, without branches, where they do.
    var quick: QuickText? { get }
    /// nil where the whole text must be looked at.
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
    static let cost = 4
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
    static let cost = 5
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
    static let cost = 6
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
    static var readsBytes: Bool { true }
    let needle: Needle
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.isContained(in: text) }
}

struct PiecesRule: TextRule, Sendable {
    static let cost = 12
    static var glances: Bool { true }
    static var readsBytes: Bool { true }
    let pieces: TextPieces
    private let (first, last): (TextGlance, TextTail)
    private let hasFirst: Bool
    /// Whether the ends of a text are all that is asked.
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
    /// Most texts are refused by their ends.
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
    static let cost = 10
    static var glances: Bool { true }
    let members: TextSet
    @inline(__always) func glance(_ text: TextWords) -> Bool? { members.answer(text) }
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { members.contains(text) }
}

struct OrderRule: TextRule, Sendable {
    static let cost = 5
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

/// A pattern's matcher learns, so it belongs to a run: a rule of this kind never leaves the block it is made for.
struct PatternRule: TextRule {
    static let cost = 30
    static var glances: Bool { true }
    static var readsBytes: Bool { true }
    let matcher: PatternMatcher
    /// Refuses most texts before the automaton runs.
    let first: TextGlance?
    @inline(__always) func glance(_ text: TextWords) -> Bool? { first?.answer(text) == false ? false : nil }
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { matcher.matches(text) }
}
