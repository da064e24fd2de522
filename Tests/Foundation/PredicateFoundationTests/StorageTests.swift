// Predicates in Codable models, property lists and user defaults.
import Foundation
import PredicateFoundation
import Testing

private struct SavedSearch: Codable, Equatable {
    var name: String
    var predicate: FormatPredicate
    var order: FormatExpression?
}

@Suite struct StorageTests {
    private static let search = try? SavedSearch(
        name: "recent",
        predicate: FormatPredicate(
            "seen > %@ AND id == %@ AND %K IN %@", Date(timeIntervalSinceReferenceDate: 0.25),
            UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), "first name", ["Ada", "Bob"]),
        order: FormatExpression("price * 2"))

    @Test func codableModels() throws {
        let search = try #require(Self.search)
        #expect(try JSONDecoder().decode(SavedSearch.self, from: JSONEncoder().encode(search)) == search)
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            #expect(try PropertyListDecoder().decode([SavedSearch].self, from: encoder.encode([search])) == [search])
        }
    }

    @Test func settings() throws {
        let search = try #require(Self.search)
        let name = "predicates-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        defaults.set(try JSONEncoder().encode(search.predicate), forKey: "data")
        defaults.set(search.predicate.exactDescription, forKey: "text")
        let data = try #require(defaults.data(forKey: "data"))
        #expect(try JSONDecoder().decode(FormatPredicate.self, from: data) == search.predicate)
        let text = try #require(defaults.string(forKey: "text"))
        #expect(try FormatPredicate(text: text) == search.predicate)
    }

    /// A server may send a text instead of a format with arguments.
    @Test func decodesATextAlone() throws {
        let search = try JSONDecoder().decode(
            SavedSearch.self, from: Data(#"{"name": "grown-ups", "predicate": "age >= 18"}"#.utf8))
        #expect(try search.predicate == FormatPredicate("age >= 18"))
        let list = try PropertyListDecoder().decode(
            [FormatExpression].self, from: PropertyListEncoder().encode(["age + 1"]))
        #expect(try list == [FormatExpression("age + 1")])
        #expect(throws: PredicateFailure.self) {
            try JSONDecoder().decode([FormatPredicate].self, from: Data(#"["age >= "]"#.utf8))
        }
        #expect(throws: PredicateFailure.self) {
            try JSONDecoder().decode([FormatPredicate].self, from: Data(#"["age >= %@"]"#.utf8))
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([FormatPredicate].self, from: Data("[5]".utf8)) }
    }

    /// A stored text can be used with an API that takes Foundation's predicates.
    @Test func storedTextBecomesAFoundationPredicate() throws {
        let json = Data(#"{"name": "grown-ups", "predicate": {"format": "age >= 18 AND active == YES"}}"#.utf8)
        let search = try JSONDecoder().decode(SavedSearch.self, from: json)
        let predicate = try search.predicate.foundationPredicate(for: Client.self)
        #expect(try Client.all.filter(predicate).map(\.name) == ["Ada", "Bob"])
    }
}
