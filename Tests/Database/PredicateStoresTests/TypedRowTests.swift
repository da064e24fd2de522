// Tests of rows as types of the app, and of contexts, in which each row is one object.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct TypedRowTests {
    private struct Person: Decodable, Queryable, Equatable {
        var name: String
        var nick: String?
        var age: Int8?
        var tags: [String]?

        static let keys: KeyTable<Person> = [.key("name", \.name), .key("nick", \.nick), .key("age", \.age)]
    }

    @Test func objectsAreReadAsTypes() throws {
        let (memory, database) = try Shop.stores()
        let predicate = try FormatPredicate("age > 20 AND nick != nil")
        let request = StoreRequest("Person", where: predicate, sort: [PredicateSortKey("id")])
        let people = try database.fetch(Person.self, request)
        #expect(try people == memory.fetch(Person.self, request) && people.count > 50)
        // The type is also Queryable, so the same predicate filters its values.
        #expect(try people.filter(predicate) == people)
        #expect(try database.one(Person.self, StoreRequest("Person", matching: ["id": .integer(0)]))?.name == "Ada")
    }

    private struct Order: Decodable {
        struct Owner: Decodable {
            var name: String
            var boss: Boss?
        }
        struct Boss: Decodable { var id: Int }
        var id: Int
        var total: Double
        var owner: Owner
    }
    private struct Buyer: Decodable {
        struct Item: Decodable { var total: Double }
        var id: Int
        var orders: [Item]
    }

    @Test func relationshipsAreReadAsTypes() throws {
        let (_, database) = try Shop.stores()
        let orders = try database.fetch(
            Order.self, StoreRequest("Order", sort: [PredicateSortKey("id")], limit: 20, prefetch: ["owner.boss"]))
        #expect(orders.map(\.id) == Array(0..<20) && orders[3].owner.boss?.id == 16 && orders[2].owner.boss == nil)
        let buyer = try #require(try database.one(Buyer.self, StoreRequest("Person", matching: ["id": .integer(11)])))
        #expect(buyer.orders.map(\.total) == [13, 63])
    }

    private struct Everything: Decodable, Equatable {
        enum Size: String, Decodable { case small, large }
        var id: UInt16
        var flag: Bool
        var weight: Float
        var price: Decimal
        var day: Date
        var data: Data
        var code: UUID
        var link: URL
        var size: Size
        var missing: Int?
    }

    @Test func typesOfFoundationReadThemselves() throws {
        typealias Attribute = PredicateSchema.Attribute
        let types: [(String, ExpressionType.Kind)] = [
            ("id", .integer), ("flag", .boolean), ("weight", .double), ("price", .decimal), ("day", .date),
            ("data", .data), ("code", .uuid), ("link", .url), ("size", .string),
        ]
        let schema = try PredicateSchema([
            PredicateSchema.Entity("Row", attributes: types.map { Attribute($0.0, $0.1, isOptional: true) })
        ])
        let id = UUID()
        let store = try InMemoryStore(
            schema,
            [
                "Row": [
                    ValueDictionary([
                        ("id", .integer(7)), ("flag", .bool(true)), ("weight", .double(2.5)),
                        ("price", .decimal(try #require(DecimalNumber("-12345678901234567890.25")))),
                        ("day", .date(86_400.5)),
                        ("data", .data([0, 255])), ("code", .uuid(try #require(UniversalID(id.uuidString)))),
                        ("link", .url("https://a.example/b?c=d")), ("size", .string("large")),
                    ])
                ]
            ])
        let row = try #require(try store.one(Everything.self, StoreRequest("Row")))
        let expected = Everything(
            id: 7, flag: true, weight: 2.5, price: try #require(Decimal(string: "-12345678901234567890.25")),
            day: Date(timeIntervalSinceReferenceDate: 86_400.5), data: Data([0, 255]), code: id,
            link: try #require(URL(string: "https://a.example/b?c=d")), size: .large, missing: nil)
        #expect(row == expected)
    }

    private struct Wide: Decodable, Equatable { var size: UInt64 }

    /// The mantissa of a decimal has more digits than an `Int64`.
    @Test func decimalsAreReadAsIntegersOfAnySize() throws {
        let schema = try PredicateSchema([.init("Row", attributes: [.init("size", .decimal)])])
        let sizes = ["0", "12", "9223372036854775808", "18446744073709551615"]
        let rows = try sizes.map { ValueDictionary([("size", .decimal(try #require(DecimalNumber($0))))]) }
        let store = try InMemoryStore(schema, ["Row": rows])
        let found = try store.fetch(Wide.self, StoreRequest("Row", sort: [PredicateSortKey("size")]))
        #expect(found.map(\.size) == sizes.compactMap(UInt64.init))
        let more = try #require(DecimalNumber("18446744073709551616"))
        let tooLarge = try InMemoryStore(schema, ["Row": [ValueDictionary([("size", .decimal(more))])]])
        #expect(throws: StoreFailure.self) { try tooLarge.fetch(Wide.self, StoreRequest("Row")) }
    }

    private struct City: Decodable, Equatable {
        var name: String?
        var people: Int
        enum CodingKeys: String, CodingKey { case name = "boss.name", people = "@count" }
    }

    @Test func recordsAreReadAsTypes() throws {
        let (_, database) = try Shop.stores()
        var request = StoreRequest("Person", sort: [PredicateSortKey("@count", descending: true)], limit: 1)
        request.groupBy = ["boss.name"]
        request.properties = ["boss.name", "@count"]
        #expect(try database.records(City.self, request) == [City(name: nil, people: 100)])
    }

    private struct Strict: Decodable { var nick: String }
    private struct Narrow: Decodable { var id: Int8 }
    private struct Unknown: Decodable { var nme: String }

    @Test func errorsNameTheKeyThatDoesNotFit() throws {
        let (_, database) = try Shop.stores()
        func failure<Row: Decodable>(_ type: Row.Type) -> String {
            errorText { _ = try database.fetch(type, StoreRequest("Person", sort: [PredicateSortKey("id")])) }
        }
        #expect(failure(Strict.self) == "Strict.nick is nil, but String is not optional (Person 0)")
        #expect(failure(Narrow.self) == "Narrow.id is 128, which Int8 cannot represent (Person 128)")
        #expect(failure(Unknown.self) == "Unknown.nme is not a key of the row, did you mean name? (Person 0)")
    }

    @Test func rowsAreOneObjectInAContext() throws {
        let (_, database) = try Shop.stores()
        let context = StoreContext(database)
        let ten = try #require(try context.one(StoreRequest("Person", matching: ["id": .integer(10)])))
        let same = try context.fetch(
            StoreRequest("Person", where: FormatPredicate("id IN {9, 10, 21}"), sort: [PredicateSortKey("id")]))
        #expect(same[1] === ten)
        // Also through relationships, read one by one or prefetched.
        #expect(same[2].objects("boss").first === ten)
        let ahead = try context.fetch(
            StoreRequest("Person", where: FormatPredicate("id == 43"), prefetch: ["boss.boss"]))
        #expect(ahead[0].objects("boss").first === same[2])
        #expect(ahead[0].objects("boss").first?.objects("boss").first === ten)
        // Without a context, or in another context, the object is a different instance, but equal.
        let other = try #require(try StoreContext(database).one(StoreRequest("Person", matching: ["id": .integer(10)])))
        #expect(other !== ten && other.isEqual(to: ten))
        // An object keeps its values until the context forgets it.
        _ = try database.update(
            StoreRequest("Person", matching: ["id": .integer(10)]), set: [KeyAssignment("name", .string("New"))])
        let known = try context.one(StoreRequest("Person", matching: ["name": .string("New")]))
        #expect(known === ten && ten["name"] != .string("New"))
        context.reset()
        #expect(try context.one(StoreRequest("Person", matching: ["name": .string("New")]))?["name"] == .string("New"))
    }

    @Test func contextsForgetObjectsThatNothingUses() throws {
        let (_, database) = try Shop.stores()
        let context = StoreContext(database)
        weak var object: StoredObject?
        do {
            let found = try context.fetch(StoreRequest("Person"))
            object = found[0]
            #expect(object != nil)
        }
        #expect(object == nil)
    }
}
