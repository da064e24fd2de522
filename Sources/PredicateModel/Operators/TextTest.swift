// A compiled pattern of LIKE or MATCHES. (Shim until the patterns are merged.)
public import PredicateSyntax

public struct TextTest: Sendable {
    let pattern: String
    public init(_ op: ComparisonOperator, _ pattern: String, _ options: ComparisonOptions, rules: OperatorRules) throws(EvaluationFault) {
        self.pattern = pattern
    }
    public func test(_ text: String) throws(EvaluationFault) -> Bool { text == pattern }
}
enum StringFold {
    static func equal(_ a: String, _ b: String, _ o: ComparisonOptions) -> Bool { o.isEmpty ? a.utf8.elementsEqual(b.utf8) : a.lowercased() == b.lowercased() }
    static func compare(_ a: String, _ b: String, _ o: ComparisonOptions) -> Int { equal(a, b, o) ? 0 : a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars) ? -1 : 1 }
    static func hasPrefix(_ a: String, _ b: String, _ o: ComparisonOptions) -> Bool { o.isEmpty ? a.hasPrefix(b) : a.lowercased().hasPrefix(b.lowercased()) }
    static func hasSuffix(_ a: String, _ b: String, _ o: ComparisonOptions) -> Bool { o.isEmpty ? a.hasSuffix(b) : a.lowercased().hasSuffix(b.lowercased()) }
    static func contains(_ a: String, _ b: String, _ o: ComparisonOptions) -> Bool { o.isEmpty ? a.contains(b) : a.lowercased().contains(b.lowercased()) }
}
enum CaseMapping {
    static func uppercased(_ a: String) -> String { a.uppercased() }
    static func lowercased(_ a: String) -> String { a.lowercased() }
}
