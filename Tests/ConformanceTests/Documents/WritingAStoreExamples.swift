// swift-format-ignore-file
// The Swift of "Writing-a-store", compiled and run.

import PredicateStores
import PredicateSQL
import Predicates
import Testing

// Writing-a-store {
struct Cities: RecordSource {
    let schema: PredicateSchema
    let all: [ValueDictionary]
    let capabilities = StoreCapabilities(operators: ["country": [.equal]])

    func records(_ request: FetchRequest) throws(StoreFailure) -> [ValueDictionary] {
        // The predicate is TRUEPREDICATE, or equalities of `country` joined by AND.
        do throws(PredicateFailure) {
            let matcher = try request.predicate.compiled()
            return all.filter { matcher.matches(.dictionary($0)) }
        } catch {
            throw .request(error)
        }
    }
}
// } Writing-a-store

@Suite struct WritingAStoreExamples {
    @Test func cities() throws {
        let schema = try PredicateSchema([
            PredicateSchema.Entity(
                "City", primaryKey: ["name"],
                attributes: [PredicateSchema.Attribute("name", .string), PredicateSchema.Attribute("country", .string)])
        ])
        let records = [("Essen", "DE"), ("Évreux", "FR"), ("Paris", "FR")].map { name, country in
            ValueDictionary([("name", .string(name)), ("country", .string(country))])
        }
        // Writing-a-store {
        let cities = try RecordStore(Cities(schema: schema, all: records))
        let request = FetchRequest(
            "City", where: try FormatPredicate("country == 'FR' AND name BEGINSWITH[cd] 'e'"), sort: [SortKey("name")], limit: 5)
        let names = try cities.fetch(request).map { $0["name"] }  // Évreux
        let split = cities.split(request)
        let sent = split.request.predicate.description  // country == "FR"
        let tested = split.residual?.description  // name BEGINSWITH[cd] "e"
        // } Writing-a-store
        #expect(names == [.string("Évreux")])
        #expect(sent == "country == \"FR\"" && tested == "name BEGINSWITH[cd] \"e\"")
    }
}
