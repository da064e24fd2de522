/// Extensions to the language, off by default (LANGUAGE C 17).
public struct LanguageOptions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The terms of Declarative Device Management: `@status(device.model.family)`, `@property(age)`,
    /// `@key(identifier)`.
    public static let deviceManagementTerms = LanguageOptions(rawValue: 1)
    /// Non-ASCII letters in keys.
    public static let unicodeIdentifiers = LanguageOptions(rawValue: 2)
    /// `+` joins two strings.
    public static let stringConcatenation = LanguageOptions(rawValue: 4)
    /// `+` and `-` of dates, `today()`, the steps `days(n)`, `weeks(n)`, `months(n)` and `years(n)`, and the keys `year`,
    /// `month`, `day`, `hour`, `minute` and `weekday` of a date.
    ///
    ///     try FormatPredicate("due < today() + days(7)", in: PredicateEnvironment(language: [.dates]))
    public static let dates = LanguageOptions(rawValue: 8)
    /// A constant text that is compared with a date, a UUID, a URL or a number is read as one.
    ///
    ///     try FormatPredicate("due == '2024-05-01'", in: PredicateEnvironment(language: [.typedTexts]))
    public static let typedTexts = LanguageOptions(rawValue: 16)

    /// The advice that an extension would help. A program tells how its user enables one.
    package static func advice(_ name: String) -> String { "use the extension \(name)" }

    /// The same, behind other advice.
    package static func or(_ name: String) -> String { ", or " + advice(name) }

    /// All extensions with their names in commands and profiles.
    package static let named: [(name: String, option: LanguageOptions)] = [
        ("ddm", .deviceManagementTerms), ("unicode", .unicodeIdentifiers), ("concat", .stringConcatenation),
        ("dates", .dates), ("typed-texts", .typedTexts),
    ]

    /// The extension with a name; nil if there is none.
    package static func named(_ name: String) -> LanguageOptions? { named.first { $0.name == name }?.option }
}
