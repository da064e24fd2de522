// `uppercase:` and `lowercase:` of a field, compared with a constant.

enum TextMapping: Sendable {
    case upper, lower

    /// nil if the function does not convert case.
    init?(_ function: PredicateFunction) {
        switch function.intrinsic {
        case .uppercase: self = .upper
        case .lowercase: self = .lower
        default: return nil
        }
    }

    func mapped(_ text: String) -> String {
        switch self {
        case .upper: CaseMapping.upper(text)
        case .lower: CaseMapping.lower(text)
        }
    }

    /// The words of a small ASCII text in the other case; nil for other texts.
    @inline(__always) func mapped(_ text: TextWords) -> TextWords? {
        guard text.isSmallASCII else { return nil }
        let high = text.high & TextWords.highBytes
        let rest = text.high & ~TextWords.highBytes
        return switch self {
        case .upper: TextWords(low: TextWords.capitals(text.low), high: TextWords.capitals(high) | rest)
        case .lower: TextWords(low: TextWords.small(text.low), high: TextWords.small(high) | rest)
        }
    }

    fileprivate func mapped(ascii byte: UInt8) -> UInt8 {
        byte &- (self == .upper ? 97 : 65) < 26 ? byte ^ 0x20 : byte
    }
}

/// Any rule, called through closures, so that one loop over mapped texts serves all rules.
struct AnyTextRule: TextRule, Sendable {
    static var glances: Bool { true }
    let cost: Int
    let quick: QuickText?
    private let glanceOfRule: @Sendable (TextWords) -> Bool?
    private let holdsOfRule: @Sendable (UnsafeBufferPointer<UInt8>) -> Bool

    init(_ rule: some TextRule & Sendable) {
        cost = rule.cost
        quick = rule.quick
        glanceOfRule = { rule.glance($0) }
        holdsOfRule = { rule.holds($0) }
    }

    func glance(_ text: TextWords) -> Bool? { glanceOfRule(text) }
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { holdsOfRule(text) }
}

struct MappedRule<Rule: TextRule>: TextRule {
    /// The cost of mapping a text, in addition to the cost of the rule.
    static var cost: Int { 5 }
    var cost: Int { rule.cost + Self.cost }
    static var glances: Bool { Rule.glances }
    static var readsBytes: Bool { true }
    let rule: Rule
    let mapping: TextMapping
    var quick: QuickText? { rule.quick?.ofTexts(in: mapping) }

    @inline(__always) func glance(_ text: TextWords) -> Bool? {
        guard text.isSmall, let mapped = mapping.mapped(text) else { return nil }
        return rule.glance(mapped)
    }

    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.allSatisfy({ $0 < 0x80 }) else {
            var mapped = mapping.mapped(String(decoding: text, as: UTF8.self))
            return mapped.withUTF8 { rule.holds($0) }
        }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { mapped in
            for place in text.indices { mapped[place] = mapping.mapped(ascii: text[place]) }
            return rule.holds(UnsafeBufferPointer(mapped))
        }
    }
}

extension MappedRule: Sendable where Rule: Sendable {}
