// Published types as an app uses them with a store: inserts that return keys, requests by type, Codable types, enums
// with known cases, one kind of error.

import Foundation
import PredicateRecords
import PredicateStores
import PredicateTestSupport
import Testing

private enum Status: String, QueryableValue, CaseIterable, Codable { case open, done }

private struct Todo: Storable, Codable, Equatable, Sendable {
    var id: Int?
    var title: String
    var status = Status.open
    var due: Date?
    static let keys: KeyTable<Todo> = [
        .key("id", \.id), .key("title", \.title), .key("status", \.status), .key("due", \.due),
    ]
}

private struct Author: Queryable {
    var id: Int?
    var books: [Book]
    static let keys: KeyTable<Author> = [.key("id", \.id), .key("books", \.books)]
}
private struct Book: Queryable {
    var id: Int?
    var title = "Notes"
    static let keys: KeyTable<Book> = [.key("id", \.id), .key("title", \.title)]
}

@Suite struct PublishedRequestTests {
    private static func stores(
        _ types: [any Queryable.Type] = [Todo.self]
    ) throws -> (InMemoryStore, SQLiteStore) {
        let schema = try PredicateSchema(of: types)
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try database.create(schema)
        return (try InMemoryStore(schema, [:]), database)
    }

    private static let todos = [
        Todo(title: "Milk", due: Date(timeIntervalSinceReferenceDate: 100)), Todo(title: "Bread", status: .done),
        Todo(title: "Tea"),
    ]

    @Test func insertsReturnKeysAndRequestsNameATypeOnce() throws {
        let (memory, database) = try Self.stores()
        for store in [memory, database] as [any PredicateStore] {
            #expect(try store.insert(Self.todos) == [[1], [2], [3]])
            #expect(try store.insertReturningKeys([Todo(title: "Salt")], into: "Todo") == [[4]])
            #expect(try store.insert([Todo(title: "Oil")], into: "Todo") == 1)
            let open = try store.fetch(
                Todo.self, where: "status == %@ AND title != %@", Status.open, "Oil", sort: [PredicateSortKey("title")])
            #expect(open.map(\.title) == ["Milk", "Salt", "Tea"])
            #expect(open[0] == Todo(id: 1, title: "Milk", due: Date(timeIntervalSinceReferenceDate: 100)))
            #expect(try store.fetch(Todo.self).count == 5)
            #expect(try store.fetch(Todo.self, where: FormatPredicate("due != nil"), limit: 3).map(\.id) == [1])
            let failure = #expect(throws: StoreFailure.self) { try store.fetch(Todo.self, where: "titel == 'x'") }
            #expect(failure?.diagnostics.map(\.suggestion) == ["title"])
        }
    }

    @Test func asynchronousStoresDoTheSame() async throws {
        let store = try Self.stores().1.async
        #expect(try await store.insert(Self.todos) == [[1], [2], [3]])
        #expect(try await store.insertReturningKeys([Todo(title: "Salt")], into: "Todo") == [[4]])
        #expect(try await store.fetch(Todo.self, where: "title BEGINSWITH %@", "M").map(\.id) == [1])
        #expect(try await store.fetch(Todo.self).count == 4)
    }

    @Test func anInsertOfParentsReturnsTheirKeys() throws {
        let (memory, database) = try Self.stores([Author.self, Book.self])
        for store in [memory, database] as [any PredicateStore] {
            let given = [Author(id: 7, books: [Book(id: 1), Book(id: 2)]), Author(id: 9, books: [])]
            #expect(try store.insert(given) == [[7], [9]])
            // The store makes the keys; a book that exists makes the insert take another way.
            try store.insert([Book(id: 50)], into: "Book")
            let made = [Author(books: [Book()]), Author(books: []), Author(books: [Book(), Book(id: 50)])]
            #expect(try store.insert(made) == [[10], [11], [12]])
            #expect(try store.insertReturningKeys([Author(books: [Book()])], into: "Author") == [[13]])
            #expect(try store.count(StoreRequest("Book")) == 6)
            let last = try FormatPredicate("id == 13 AND books.@count == 1")
            #expect(try store.count(StoreRequest("Author", where: last)) == 1)
        }
    }

    @Test func otherValuesThanTheCasesAreRefused() throws {
        let json = """
            {"entities": {"Task": {"primaryKey": "id", "attributes": {"id": "integer", "state": {"type": "string",
            "cases": ["open", "done"]}, "marks": {"type": "list", "of": "integer", "cases": [1, 2]}}}}}
            """
        let schema = try PredicateSchema(value: JSON.parse(json))
        #expect(try PredicateSchema(value: JSON.parse(SchemaText.text(schema, isDatabase: true))) == schema)
        let store = try InMemoryStore(schema, [:])
        try store.insert([["id": 1, "state": "open", "marks": [1, 2, 1]]], into: "Task")
        func refusal(_ values: ValueDictionary) -> String? {
            (#expect(throws: StoreFailure.self) { try store.insert([values], into: "Task") })?.description
        }
        #expect(
            refusal(["id": 2, "state": "opn", "marks": [Int]()])?.contains(#"is none of "open", "done""#) == true)
        #expect(refusal(["id": 2, "state": "done", "marks": [3]])?.contains("is none of 1, 2") == true)
        #expect(
            throws: StoreFailure.self,
            performing: { try store.update(StoreRequest("Task"), set: [KeyAssignment("state", "shut")]) })
        #expect(try store.update(StoreRequest("Task"), set: [KeyAssignment("state", "done")]) == 1)
    }

    /// One handler, one protocol, and sentences for people.
    @Test func errorsHaveOneProtocol() throws {
        let store = try Self.stores().0
        func failure(_ body: () throws -> Void) -> (any DiagnosedError)? {
            do { try body() } catch { return error as? any DiagnosedError }
            return nil
        }
        let text = try #require(failure { _ = try FormatPredicate("title BEGINWITH 'a'") })
        let request = try #require(failure { _ = try store.fetch(StoreRequest("Todo", text: "titel == 'a'")) })
        #expect(text.located.first?.suggestions == ["BEGINSWITH"] && request.located.first?.utf16End == 5)
        #expect(text.localizedDescription == "'BEGINWITH' is not an operator.")
        #expect((request as? any LocalizedError)?.recoverySuggestion == "Did you mean title?")
        #expect(request.source == "titel == 'a'")
        #expect(StoreFailure.readOnly.localizedDescription == "The store was opened read-only.")
    }

    @Test func datesHaveOneStorage() throws {
        let schema = try PredicateSchema(of: [Todo.self], dates: .timestampWithZone)
        #expect(schema.entity("Todo")?[attribute: "due"]?.dateStorage == .timestampWithZone)
        #expect(schema.entity("Todo")?[attribute: "title"]?.dateStorage == .referenceSeconds)
    }
}
