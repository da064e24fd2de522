// Predicates that are combined in code keep the texts of their parts.
import PredicateModel
import PredicateSyntax
import Testing

@Suite struct CombinedSourceTests {
    /// The text at each node's span. For keys and constants it must be the text of the node.
    private func spans(_ predicate: FormatPredicate) -> [String] {
        let bytes = Array(predicate.source.utf8)
        var texts: [String] = []
        func note(_ span: SourceSpan) {
            guard span != .none, span.end <= bytes.count else { return texts.append("none") }
            texts.append(String(decoding: bytes[span.range], as: UTF8.self))
        }
        PredicateWalker(
            predicate: { if case .comparison(let comparison) = $0.kind { note(comparison.operatorSpan) } },
            expression: { note($0.span) }
        ).walk(predicate.root)
        return texts
    }

    @Test func spansReferToTheCombinedText() throws {
        let (a, b, c) = try (FormatPredicate("a == 1"), FormatPredicate("bb > %@", 2), FormatPredicate("c IN {3}"))
        #expect(spans(a && b) == ["==", "a", "1", ">", "bb", "%@"])
        #expect((a && b).source == "a == 1\nbb > %@")
        #expect(spans((a || b) && !c) == ["==", "a", "1", ">", "bb", "%@", "IN", "c", "{3}", "3"])
        #expect(spans(a && b && c) == spans(.and([a, b, c])))
        #expect((a && a).source == "a == 1")
    }

    @Test func partsOfCodeHaveNoText() throws {
        let built = FormatPredicate.comparison(.key("x"), .equal, .value(1))
        let text = try FormatPredicate("a == 1")
        #expect(spans(built && text) == ["none", "none", "none", "==", "a", "1"])
        #expect(spans(text || built) == ["==", "a", "1", "none", "none", "none"])
        let expression = try FormatExpression("a + 1")
        #expect(
            spans(.comparison(expression, .lessThan, expression)) == ["none", "a + 1", "a", "1", "a + 1", "a", "1"])
    }

    @Test func warningsMoveWithTheirParts() throws {
        let (a, b) = try (FormatPredicate("a == 1"), FormatPredicate("name[cd] == 'x'"))
        let warning = try #require((a && b).warnings.first)
        #expect(warning.id == .optionPlace && warning.span == SourceSpan(11, 15))
    }

    /// All nodes of a spliced expression have the span of its conversion, including inner operators.
    @Test func splicedTreesHaveTheSpanOfTheirConversion() throws {
        let inner = try FormatExpression("SUBQUERY(items, $i, $i.price > 10 AND $i.kind == 'x').@count")
        #expect(Set(spans(try FormatPredicate("%@ > 3", inner))) == [">", "%@", "3"])
    }
}
