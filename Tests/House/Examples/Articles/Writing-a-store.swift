// swift-format-ignore-file
// The Swift of "Writing-a-store". `.ci/examples` puts the blocks of the article in and runs it.

import Foundation
import PredicateStores
import PredicateSQL
import Predicates
import Testing

/// A service with an interface like that of HTTP, over a dictionary of JSON.
actor Service {
    private var cities: [Int64: City]
    private var isBusy = true
    private(set) var asked: [String] = []

    init(_ cities: [City]) { self.cities = Dictionary(uniqueKeysWithValues: cities.map { ($0.id ?? 0, $0) }) }

    func send(
        _ method: String, _ path: String, _ query: [URLQueryItem], _ body: Data?
    ) async throws -> (status: Int, body: Data) {
        try await Task.sleep(for: .milliseconds(50))
        let items = query.map { "\($0.name)=\($0.value ?? "")" }.sorted().joined(separator: "&")
        asked.append("\(method) \(path)\(items.isEmpty ? "" : "?")\(items)")
        // The service is busy at first.
        defer { isBusy = false }
        if isBusy { return (503, Data()) }
        let id = path.split(separator: "/").last.flatMap { Int64($0) } ?? 0
        let decoder = JSONDecoder()
        switch method {
        case "GET": return (200, try JSONEncoder().encode(found(query)))
        case "POST":
            let new = try decoder.decode([City].self, from: body ?? Data())
            for city in new where cities[city.id ?? 0] != nil { return (409, Data()) }
            for city in new { cities[city.id ?? 0] = city }
            return (201, body ?? Data())
        case "PATCH":
            guard var city = cities[id] else { return (404, Data()) }
            let change = try decoder.decode(City.self, from: body ?? Data())
            city.population = change.population ?? city.population
            cities[id] = city
            return (204, Data())
        default: return (cities.removeValue(forKey: id) == nil ? 404 : 204, Data())
        }
    }

    private func found(_ query: [URLQueryItem]) -> [City] {
        func values(_ name: String) -> [String]? {
            let found = query.filter { $0.name == name }.compactMap(\.value)
            return found.isEmpty ? nil : found
        }
        var found = cities.values.filter { city in
            values("id")?.contains("\(city.id ?? 0)") != false && values("country")?.contains(city.country ?? "") != false
                && values("least-population").map { city.population ?? 0 >= Int64($0[0]) ?? 0 } != false
                && values("name-prefix").map { city.name?.hasPrefix($0[0]) == true } != false
        }
        found.sort { $0.id ?? 0 < $1.id ?? 0 }
        switch values("sort")?[0] {
        case "name": found.sort { ($0.name ?? "").unicodeScalars.lexicographicallyPrecedes(($1.name ?? "").unicodeScalars) }
        case "-population": found.sort { $0.population ?? 0 > $1.population ?? 0 }
        default: break
        }
        let rest = found.dropFirst(values("offset").flatMap { Int($0[0]) } ?? 0)
        return Array(rest.prefix(values("limit").flatMap { Int($0[0]) } ?? .max))
    }
}

// block: struct City: Codable {

@Suite struct WritingAStoreExamples {
    @Test func cities() async throws {
        typealias Attribute = PredicateSchema.Attribute
        let schema = try PredicateSchema([
            PredicateSchema.Entity(
                "City", primaryKey: ["id"],
                attributes: [
                    Attribute("id", .integer), Attribute("name", .string), Attribute("country", .string),
                    Attribute("population", .integer, isOptional: true),
                ],
                relationships: [PredicateSchema.Relationship("twin", to: "City", link: .column("twin"))])
        ])
        let service = Service([
            City(id: 1, name: "Essen", country: "DE", population: 570_000), City(id: 2, name: "Évreux", country: "FR", population: 50_000, twin: 4),
            City(id: 3, name: "Épernay", country: "FR", population: 22_000), City(id: 4, name: "Rugby", country: "GB", population: 78_000),
        ])
        // block: let store = try RecordStore(Cities(service: service, schema: schema))
        #expect(names == [.string("Évreux")])
        #expect(sent == "country == \"FR\" AND population >= 50000" && tested == "name LIKE[cd] \"e*\"")
        let question = "GET /cities?country=FR&least-population=50000&sort=name"
        #expect(await service.asked == [question, question])
        // block: let cities = try await store.fetch(request)
        #expect(twins == [.string("Rugby")])
        #expect(await service.asked.last == "GET /cities?id=4")
        // block: let more = KeyAssignment("population", try FormatExpression("population + 1"))
        #expect(await service.asked.last == "PATCH /cities/2")
        #expect(try await store.one(StoreRequest("City", matching: ["id": 2]))?["population"] == .integer(50_001))
        #expect(try await store.insert([["id": 5, "name": "Bonn", "country": "DE", "twin": 1]], into: "City") == 1)
        let page = StoreRequest("City", where: try FormatPredicate("name BEGINSWITH 'B' OR id IN {1, 4}"), sort: [PredicateSortKey("population", descending: true)])
        #expect(try await store.fetch(page).map(\.primaryKey) == [[1], [4], [5]])
        let window = StoreRequest("City", sort: [PredicateSortKey("name")], limit: 2, offset: 1)
        #expect(try await store.fetch(window).map { $0["name"] } == ["Essen", "Rugby"])
        #expect(await service.asked.last == "GET /cities?limit=2&offset=1&sort=name")
        var refusal: String?
        do throws(StoreFailure) { try await store.insert([["id": 5, "name": "Bonn", "country": "DE"]], into: "City") } catch {
            refusal = error.description
        }
        #expect(refusal == "the back end failed: ServiceFailure(status: 409)")
        #expect(try await store.delete(StoreRequest("City", where: FormatPredicate("name BEGINSWITH 'B'"))) == 1)
        #expect(await service.asked.last == "DELETE /cities/5")
    }
}
