// The additional inputs of the operators: locale comparison, type identifiers, and a matcher for patterns that our
// automaton cannot run.

/// Comparing and searching by a locale, for `[l]`. PredicateEvaluation implements it with Foundation.
package protocol LocaleRules: AnyObject, Sendable {
    /// Returns a negative number, zero or a positive number if the first text is before, equal to or after the
    /// second.
    func compare(_ left: String, _ right: String, _ options: ComparisonOptions) -> Int
    /// Compares like `localizedStandardCompare`.
    func compareStandard(_ left: String, _ right: String) -> Int
    /// Whether a non-empty text occurs in another at the given place.
    func find(_ needle: String, in text: String, at place: TextPlace, _ options: ComparisonOptions) -> Bool
}

/// The position at which a substring operator searches.
package enum TextPlace: Sendable, Hashable {
    case prefix, suffix, anywhere
}

/// An operator defined by the app: `number notContainedIn: {1, 2}`.
public typealias CustomOperator =
    @Sendable (_ left: PredicateValue, _ right: PredicateValue) throws(EvaluationFault) -> Bool

/// An operator of the app in a dictionary. As an element of a dictionary, the function itself would need metadata that
/// macOS 15 and iOS 18 introduced.
package struct RegisteredOperator: Sendable {
    let test: CustomOperator
    let identity = DefinitionIdentity()
}

/// The rules and limits for scalar operators. A class, because every comparison of a plan refers to it: copying a
/// struct would count a reference for each property.
package final class OperatorRules: Sendable {
    /// nil without the trait Foundation: then plans refuse `[l]`, and sorting ignores it.
    package let locale: (any LocaleRules)?
    /// nil if patterns that our automaton cannot run are errors.
    package let foreignPatterns: (any ForeignPatterns)?
    /// The app's operators, the type identifiers, the limits, and whether `+` joins texts.
    package let environment: PredicateEnvironment

    package init(
        locale: (any LocaleRules)? = nil, foreignPatterns: (any ForeignPatterns)? = nil,
        in environment: PredicateEnvironment = .standard
    ) {
        self.locale = locale
        self.foreignPatterns = foreignPatterns
        self.environment = environment
    }

    package var limits: PredicateLimits { environment.limits }

    /// The rules without a locale, ICU and custom operators.
    package static let standard = OperatorRules()

    /// The effective options: `[n]` marks texts as normalised and overrides `[c]` and `[d]` (LANGUAGE 5.6).
    package static func effective(_ options: ComparisonOptions) -> ComparisonOptions {
        options.contains(.normalized)
            ? options.subtracting([.normalized, .caseInsensitive, .diacriticInsensitive]) : options
    }

    /// Whether two texts are equal with the options.
    package func equal(_ left: String, _ right: String, _ options: ComparisonOptions) -> Bool {
        let options = Self.effective(options)
        if options.contains(.localeSensitive), let locale { return locale.compare(left, right, options) == 0 }
        return options.isEmpty ? left.hasSameScalars(as: right) : StringFold.equal(left, right, options: options)
    }

    /// Returns -1, 0 or 1 if the first text is before, equal to or after the second.
    package func compare(_ left: String, _ right: String, _ options: ComparisonOptions) -> Int {
        let options = Self.effective(options)
        if options.contains(.localeSensitive), let locale { return locale.compare(left, right, options).signum() }
        return StringFold.compare(left, right, options: options)
    }

    /// Whether a text begins with, ends with or contains another. An empty needle never matches, nor does one
    /// whose folded form is empty (LANGUAGE C 10).
    package func find(
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
    /// Whether both have the same code points, which is the language's `==` without options. Swift's `==` also
    /// treats canonically equivalent texts as equal.
    func hasSameScalars(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return withBytes { left in
            other.withBytes { right in bytesEqual(UnsafeRawBufferPointer(left), 0, UnsafeRawBufferPointer(right)) }
        }
    }
}
