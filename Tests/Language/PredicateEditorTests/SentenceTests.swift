// A sentence of each operator, for each kind of field and each quantifier, in English and German: sentences.txt.
@testable import PredicateEditor
import PredicateSyntax
import PredicateTestSupport
import Testing

@Suite struct SentenceTests {
    private static let fields: [(path: String, value: PredicateValue, other: PredicateValue)] = [
        ("title", "sun", "moon"), ("rating", 3, 5), ("price", 1.5, 2.5), ("added", "2024-05-01", "2024-06-30"),
        ("isLoved", true, false), ("tags", "new", "old"), ("artists.name", "Ada", "Bo"), ("artists.born", 1900, 1950),
    ]

    /// The values for an operator, of which sentences are made.
    private static func values(
        _ form: EditorOperator.Form, _ value: PredicateValue, _ other: PredicateValue
    ) -> [PredicateValue] {
        switch form.operands {
        case .none: [.null]
        case .one: value.stringValue != nil && form.ignores ? [value, ""] : [value]
        case .list: [.array([value]), .array([value, other])]
        case .bounds: [.array([value, other])]
        case .period: EditorPeriod.Unit.allCases.flatMap { [EditorPeriod(1, $0).value, EditorPeriod(7, $0).value] }
        }
    }

    @Test func everyOperatorHasWords() throws {
        let fields = try Song.fields()
        var lines: [String] = []
        for (path, value, other) in Self.fields {
            let field = try #require(fields[path])
            let quantifiers: [EditorQuantifier?] =
                field.list == nil ? [nil] : [.any, .all, EditorQuantifier.none, .atLeast(2), .exactly(1)]
            for form in EditorOperator.forms where form.kinds.contains(field.kind) {
                for operand in Self.values(form, value, other) {
                    for quantifier in quantifiers {
                        let row = EditorRow(path, form.base, operand, quantifier: quantifier)
                        guard row.problem(fields) == nil else { continue }
                        let sentences = [EditorWords.english, .german].map { row.sentence(fields, $0) ?? "none" }
                        lines.append("\(sentences[0]) | \(sentences[1])")
                        // A word without a translation is its name.
                        #expect(
                            !sentences.contains {
                                $0.contains(form.base.rawValue + " ") && form.base.rawValue.count > 8
                            })
                    }
                }
            }
        }
        #expect(lines.count >= 150)
        try expectSame(lines, asFile: "sentences.txt")
    }
}
