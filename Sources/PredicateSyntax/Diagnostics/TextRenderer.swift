public struct TextRenderer: Sendable {
    public init() {}
    public func render(_ diagnostics: [Diagnostic], source: String) -> String {
        diagnostics.map { "\($0.severity.rawValue)[\($0.id.rawValue)]: \($0.message)" }.joined(separator: "\n")
    }
}
