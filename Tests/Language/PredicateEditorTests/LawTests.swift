// Laws of filters on random cases: through predicates and back, and through JSON and back.
@testable import PredicateEditor
import PredicateTestSupport
import Testing

@Suite struct LawTests {
    @Test func rowsOfAPredicateAreThoseItWasMadeFrom() throws {
        var filters = RandomFilters(4601, try Song.fields())
        for _ in 0..<TestDepth.count(40_000, full: 1_000_000) {
            let filter = filters.filter()
            let predicate = filter.predicate(filters.fields)
            let back = EditorGroup(predicate, fields: filters.fields)
            guard filter != back else { continue }
            Issue.record("\(Self.difference(filter, back) ?? "none")")
            return
        }
    }

    /// The first parts that differ.
    private static func difference(_ one: EditorGroup, _ two: EditorGroup) -> String? {
        for (left, right) in zip(one.items, two.items) where left != right {
            if let left = left.group, let right = right.group, let inner = difference(left, right) { return inner }
            return "\(left)\n\(right)"
        }
        return one == two ? nil : "\(one)\n\(two)"
    }

    @Test func aPredicateOfItsRowsSelectsTheSame() throws {
        var filters = RandomFilters(4602, try Song.fields())
        var shown = 0
        for _ in 0..<TestDepth.count(20_000, full: 1_000_000) {
            let text = filters.predicate()
            let predicate = try FormatPredicate(text)
            let filter = EditorGroup(predicate, fields: filters.fields)
            if "\(filter.form)".contains("\"predicate\"") == false { shown += 1 }
            let again = filter.predicate(filters.fields)
            #expect(filter.problems(filters.fields) == [], "\(text)")
            for _ in 0..<8 {
                let record = filters.record()
                guard predicate.answer(record) == again.answer(record) else {
                    Issue.record("\(text)\n\(again)\n\(record)\n\(filter.form)")
                    return
                }
            }
        }
        #expect(shown > TestDepth.count(20_000, full: 1_000_000) / 5)
    }

    /// Also of filters that are being built: what is left out of the predicate does not change the rest.
    @Test func everyFilterHasAPredicate() throws {
        var filters = RandomFilters(4603, try Song.fields())
        filters.isAny = true
        for _ in 0..<TestDepth.count(20_000, full: 1_000_000) {
            let filter = filters.filter()
            let predicate = filter.predicate(filters.fields)
            let again = EditorGroup(predicate, fields: filters.fields)
            let second = again.predicate(filters.fields)
            #expect(EditorGroup(second, fields: filters.fields) == again)
            let record = filters.record()
            #expect(predicate.answer(record) == second.answer(record))
            #expect(filter.sentence(filters.fields) != "")
            #expect(try EditorGroup(form: filter.form) == filter)
            #expect(try EditorGroup(form: filter.form).form == filter.form)
        }
    }
}
