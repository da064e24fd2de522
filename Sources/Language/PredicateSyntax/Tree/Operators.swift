// The operators of the tree, one case each, and their spelling. Lexing/Keywords.swift makes tokens of those that are words,
// Lexing/Lexer.swift reads signs, Parsing/Precedence.swift has the precedence.

/// A comparison operator.
public enum ComparisonOperator: Hashable, Sendable {
    case lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual, equal, notEqual
    case matches, like, beginsWith, endsWith, `in`, contains, between
    case utiConformsTo, utiEquals
    /// Private to Apple: it can be parsed and printed, but not evaluated.
    case tokenMatches
    /// A selector that ends in a colon, as in `SELF isKindOfClass: %@`. It can be evaluated only if the app has
    /// registered it.
    case custom(String)

    /// The operators that are reserved words.
    package static let words: [ComparisonOperator] = [
        .in, .between, .contains, .beginsWith, .endsWith, .like, .matches, .tokenMatches, .utiConformsTo, .utiEquals,
    ]

    /// The canonical spelling: `==`, `BEGINSWITH`, `notContainedIn:`.
    public var spelling: String {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqual: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqual: ">="
        case .equal: "=="
        case .notEqual: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .in: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        case .utiConformsTo: "UTI-CONFORMS-TO"
        case .utiEquals: "UTI-EQUALS"
        case .tokenMatches: "TOKENMATCHES"
        case .custom(let selector): selector
        }
    }
}

/// The options `[c]`, `[d]`, `[n]`, `[l]` of an operator, printed in that order.
public struct ComparisonOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `[c]`: ignores upper and lower case.
    public static let caseInsensitive = ComparisonOptions(rawValue: 1)
    /// `[d]`: ignores diacritics.
    public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    /// `[n]`: the texts are already normalised, so they are compared by code points.
    public static let normalized = ComparisonOptions(rawValue: 4)
    /// `[l]`: compares by the rules of a locale.
    public static let localeSensitive = ComparisonOptions(rawValue: 8)

    /// The letters in canonical order with their options.
    package static let letters: [(letter: Character, option: ComparisonOptions)] = [
        ("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized), ("l", .localeSensitive),
    ]

    /// The text `[cd]`; empty without options.
    package var spelling: String {
        isEmpty ? "" : "[" + String(Self.letters.filter { contains($0.option) }.map { $0.letter }) + "]"
    }
}

/// The quantifier of a comparison, for a collection on its left side.
public enum ComparisonModifier: UInt8, Hashable, Sendable {
    case direct = 0
    case all = 1
    case any = 2

    /// `ALL`, `ANY`, or an empty text.
    public var spelling: String {
        switch self {
        case .direct: ""
        case .all: "ALL"
        case .any: "ANY"
        }
    }
}

/// The infix operators of expressions: arithmetic, bits and sets.
public enum BinaryOperator: Hashable, Sendable, CaseIterable {
    case add, subtract, multiply, divide, power
    case bitwiseAnd, bitwiseOr, bitwiseXor, shiftLeft, shiftRight
    case union, intersect, minus

    public var spelling: String {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .power: "**"
        case .bitwiseAnd: "&"
        case .bitwiseOr: "|"
        case .bitwiseXor: "^"
        case .shiftLeft: "<<"
        case .shiftRight: ">>"
        case .union: "UNION"
        case .intersect: "INTERSECT"
        case .minus: "MINUS"
        }
    }

    /// The function of the operator, such as `add:to:`; nil for set operators. A call of that function is
    /// parsed to the operator (LANGUAGE 0).
    package var selector: String? {
        switch self {
        case .add: "add:to:"
        case .subtract: "from:subtract:"
        case .multiply: "multiply:by:"
        case .divide: "divide:by:"
        case .power: "raise:toPower:"
        case .bitwiseAnd: "bitwiseAnd:with:"
        case .bitwiseOr: "bitwiseOr:with:"
        case .bitwiseXor: "bitwiseXor:with:"
        case .shiftLeft: "leftshift:by:"
        case .shiftRight: "rightshift:by:"
        case .union, .intersect, .minus: nil
        }
    }

    /// `UNION`, `INTERSECT`, `MINUS`.
    package var isSetOperator: Bool { selector == nil }
}

/// The selectors of the functions that an index and CAST call. A call of such a function is parsed to that syntax
/// (LANGUAGE 0).
package enum SyntaxSelector {
    /// `collection[index]`
    package static let element = "objectFrom:withIndex:"
    /// `CAST(value, "class")`
    package static let cast = "castObject:toType:"

    static let dateClass = "NSDate"

    /// How a key with other characters than letters, digits and underscores is written. Brackets read only dictionaries.
    package static func key(_ name: String) -> String {
        name.contains(".") ? "SELF[\"\(name)\"]" : "SELF.\"\(name)\""
    }

    /// The class in CAST for a name without quotes; nil for an unknown name.
    package static func castClass(named name: String) -> String? {
        [dateClass, "NSNumber", "NSDecimalNumber", "NSString"].first { $0 == name || $0 == "NS" + name }
    }
}

/// The index symbols `FIRST`, `LAST`, `SIZE`.
public enum IndexSymbol: String, Hashable, Sendable {
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
}
