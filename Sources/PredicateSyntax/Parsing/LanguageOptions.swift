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
}
