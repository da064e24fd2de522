// What the scalar operators need to know beyond their operands: how a locale compares, which type identifiers conform
// to which, who runs the patterns that our automaton does not. A value, so that equal rules give equal answers.
public import PredicateSyntax

/// `[l]`: comparing and searching as a locale does. Implemented over Foundation in PredicateEvaluation.
public protocol LocaleRules: Sendable {
    /// Negative, zero or positive, as the first text comes before, with or behind the second.
    func compare(_ left: String, _ right: String, _ options: ComparisonOptions) -> Int
    /// Whether a text that is not empty occurs at a place of another.
    func find(_ needle: String, in text: String, at place: TextPlace, _ options: ComparisonOptions) -> Bool
}

/// Where a substring operator looks.
public enum TextPlace: Sendable, Hashable {
    case prefix, suffix, anywhere
}

/// An operator of the host: `number notContainedIn: {1, 2}`.
public typealias CustomOperator = @Sendable (_ left: Value, _ right: Value) throws(EvaluationFault) -> Bool

/// The surroundings of the scalar operators.
public struct OperatorRules: Sendable {
    /// nil: `[l]` compares as without it, by code points. Only a host without Foundation leaves it so.
    public var locale: (any LocaleRules)?
    /// nil: patterns outside the regular core are refused.
    public var foreignPatterns: (any ForeignPatterns)?
    public var typeIdentifiers = TypeIdentifiers.standard
    public var customOperators: [String: CustomOperator] = [:]
    public var language: LanguageOptions = []
    public var limits = Limits.standard

    public init() {}
    public static let standard = OperatorRules()

    /// The options that take effect: `[n]` says that the texts are normalised and overrides `[c]` and `[d]` (LANGUAGE
    /// 5.6).
    static func effective(_ options: ComparisonOptions) -> ComparisonOptions {
        options.contains(.normalized)
            ? options.subtracting([.normalized, .caseInsensitive, .diacriticInsensitive]) : options
    }

    /// Whether two texts are equal under the options.
    public func equal(_ left: String, _ right: String, _ options: ComparisonOptions) -> Bool {
        let options = Self.effective(options)
        if options.contains(.localeSensitive), let locale { return locale.compare(left, right, options) == 0 }
        return options.isEmpty ? left.hasSameScalars(as: right) : StringFold.equal(left, right, options: options)
    }

    /// -1, 0 or 1, as the first text comes before, with or behind the second.
    public func compare(_ left: String, _ right: String, _ options: ComparisonOptions) -> Int {
        let options = Self.effective(options)
        if options.contains(.localeSensitive), let locale { return locale.compare(left, right, options).signum() }
        return StringFold.compare(left, right, options: options)
    }

    /// Whether a text begins with, ends with or holds another. An empty needle never matches, nor does one that folds
    /// to nothing (LANGUAGE C 10).
    public func find(
        _ needle: String, in text: String, at place: TextPlace, _ options: ComparisonOptions
    ) -> Bool {
        if needle.isEmpty { return false }
        let options = Self.effective(options)
        if options.contains(.localeSensitive), let locale {
            return locale.find(needle, in: text, at: place, options)
        }
        return switch place {
        case .prefix: StringFold.hasPrefix(text, needle, options: options)
        case .suffix: StringFold.hasSuffix(text, needle, options: options)
        case .anywhere: StringFold.contains(text, needle, options: options)
        }
    }
}

extension String {
    /// `==` of the language without options: the same code points. (Swift's takes canonically equivalent ones for
    /// equal.)
    func hasSameScalars(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return withBytes { left in
            other.withBytes { right in bytesEqual(UnsafeRawBufferPointer(left), 0, UnsafeRawBufferPointer(right)) }
        }
    }
}
