// What predicates are made and evaluated with. FormatPredicate.swift keeps it; PredicateEnvironment+Joining.swift joins
// the environments of parts.

/// The functions, language options, limits, type identifiers, locale and time zone of a predicate.
///
///     var functions = FunctionCatalog.standard
///     functions.add(PredicateFunction("half:", arity: 1, signature: "half:(number)", summary: "half of a number") {
///         (arguments, _) in .double((arguments[0].doubleValue ?? 0) / 2)
///     })
///     let environment = PredicateEnvironment(functions: functions)
///     try FormatPredicate("half:(age) == 18", in: environment).evaluate(["age": 36])    // true
///
/// A predicate keeps the environment that it was made in, and uses it wherever it is checked, evaluated or translated
/// to SQL. Make an environment once and use it for all predicates: it is immutable, and each of them keeps one reference
/// to it.
///
/// A predicate combined from several has the functions, operators, type identifiers and language options of all parts,
/// and the lower of each limit. If a part defines a name differently than another, and the predicate uses that name,
/// checking and evaluation throw `conflicting-definition`.
///
/// Predicates are equal even if their environments differ. Codable stores the language options, the time zone and the
/// locale. A decoded predicate has the environment in the decoder's `userInfo`, or else a standard one with these; a time
/// zone with a rule needs the first.
///
///     let decoder = JSONDecoder()
///     decoder.userInfo[.predicateEnvironment] = environment
public final class PredicateEnvironment: Sendable {
    /// The allowed functions, methods and operators. All others are refused.
    public let functions: FunctionCatalog
    /// The extensions of the language. `dates` adds its functions to `functions`.
    public let language: LanguageOptions
    /// The limits on texts, trees, steps, elements and patterns.
    public let limits: PredicateLimits
    /// The type identifiers for UTI-CONFORMS-TO.
    public let typeIdentifiers: TypeIdentifiers
    /// The locale for `[l]`, such as `de_DE`; nil uses the current locale.
    public let localeIdentifier: String?
    /// The time zone of the extensions `dates` and `typedTexts`; nil is UTC.
    public let timeZone: PredicateTimeZone?

    package var zone: PredicateTimeZone { timeZone ?? .utc }

    /// The standard functions, no extensions, and the default limits.
    public static let standard = PredicateEnvironment()

    /// Creates an environment that differs from the standard one in the given properties.
    public init(
        functions: FunctionCatalog = .standard, language: LanguageOptions = [], limits: PredicateLimits = .standard,
        typeIdentifiers: TypeIdentifiers = .standard, localeIdentifier: String? = nil,
        timeZone: PredicateTimeZone? = nil
    ) {
        self.functions = language.contains(.dates) ? functions.addingDates() : functions
        self.language = language
        self.limits = limits
        self.typeIdentifiers = typeIdentifiers
        self.localeIdentifier = localeIdentifier
        self.timeZone = timeZone
    }
}
