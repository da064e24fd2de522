// Objects whose keys are read on demand, and may fail.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax
import Testing

@Suite struct FailedReadTests {
    private struct Offline: Error {}

    private final class Remote: KeyedObject, Sendable, QueryableValue {
        let age: Int64?
        let typeName = "Remote"
        let publishedKeys = ["age"]
        init(age: Int64?) { self.age = age }
        var predicateValue: PredicateValue { .object(ObjectReference(self)) }

        func value(forKey key: String) -> PredicateValue? { key == "age" ? age.map { .integer($0) } : nil }
        func readValue(forKey key: String) throws -> PredicateValue? {
            if key == "age", age == nil { throw Offline() }
            return value(forKey: key)
        }
        func isEqual(to other: any KeyedObject) -> Bool { (other as? Remote)?.age == age }
    }

    private let objects = [Remote(age: 30), Remote(age: nil), Remote(age: 10)]

    @Test func evaluationThrows() async throws {
        let predicate = try FormatPredicate("age > 20")
        let failure = #expect(throws: PredicateFailure.self) { try objects.filter(predicate) }
        #expect(failure?.cause is Offline && failure?.diagnostics.map(\.id.rawValue) == ["failed-read"])
        #expect(failure == failure && failure?.diagnostics.first?.message.contains("'age' of Remote") == true)
        #expect(throws: PredicateFailure.self) { try objects.filter(!predicate) }
        #expect(throws: PredicateFailure.self) { try predicate.evaluate(objects[1]) }
        #expect(throws: PredicateFailure.self) { try objects.sorted(by: [PredicateSortKey("age")]) }
        #expect(throws: PredicateFailure.self) { try FormatPredicate("age == nil").evaluate(objects[1]) }
        let matcher = try predicate.compiled(for: Remote.self)
        #expect(objects.filter(matcher).map(\.age) == [30])
        #expect(throws: PredicateFailure.self) { try matcher.test(objects[1]) }
        await #expect(throws: PredicateFailure.self) { try await objects.filter(concurrently: matcher) }
        // Another run of the same matcher, over objects that can be read.
        let found = try await [objects[0], objects[2]].filter(concurrently: matcher)
        #expect(found.map(\.age) == [30])
        #expect(try [objects[0], objects[2]].filter(predicate).map(\.age) == [30])
    }

    /// A class that returns nil for a key that it publishes.
    private final class Silent: KeyedObject, Sendable, QueryableValue {
        let typeName = "Silent"
        let publishedKeys = ["slug", "slugs"]
        var predicateValue: PredicateValue { .object(ObjectReference(self)) }
        func value(forKey key: String) -> PredicateValue? { nil }
        func isEqual(to other: any KeyedObject) -> Bool { other === self }
    }

    /// The suggestion is another word.
    @Test func aSuggestionIsAnotherWord() throws {
        func suggestion(_ text: String) throws -> String? {
            let failure = #expect(throws: PredicateFailure.self) { try FormatPredicate(text).evaluate(Silent()) }
            return failure?.diagnostics.first?.suggestion
        }
        #expect(try suggestion("slug == 'a'") == "slugs" && suggestion("slgs == 'a'") == "slugs")
        #expect(try suggestion("other == 'a'") == nil)
    }

    /// A key that decides nothing need not be read.
    @Test func keysThatAreNotReadDoNotFail() throws {
        #expect(try objects.filter(FormatPredicate("FALSEPREDICATE AND age > 20")).isEmpty)
        #expect(try FormatPredicate("TRUEPREDICATE OR age > 20").evaluate(objects[1]))
    }
}
