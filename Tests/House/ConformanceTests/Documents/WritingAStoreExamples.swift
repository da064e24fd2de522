// swift-format-ignore-file
// The Swift of "Writing-a-store", compiled and run.

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

// Writing-a-store {
struct City: Codable {
    var id: Int64?
    var name: String?
    var country: String?
    var population: Int64?
    var twin: Int64?
}

struct ServiceFailure: Error {
    let status: Int
}

struct Cities: RecordSource {
    let service: Service
    let schema: PredicateSchema

    var capabilities: StoreCapabilities {
        var capabilities = StoreCapabilities(equalityOf: ["country"], sortKeys: ["name", "population"], limits: true)
        capabilities.operators["id"] = [.equal, .in]
        capabilities.operators["population"] = [.greaterThanOrEqual]
        capabilities.operators["name"] = [.beginsWith]
        return capabilities
    }

    func records(_ request: StoreRequest) async throws -> [ValueDictionary] {
        var query: [URLQueryItem] = []
        func ask(_ name: String, _ value: PredicateValue) {
            query.append(URLQueryItem(name: name, value: value.stringValue ?? value.description))
        }
        for (key, values) in request.equalities {
            for value in values { ask(key, value) }  // id=3&id=4
        }
        for comparison in request.comparisons ?? [] {
            switch comparison.operator {
            case .greaterThanOrEqual: ask("least-" + comparison.key, comparison.value)
            case .beginsWith: ask(comparison.key + "-prefix", comparison.value)
            default: break  // an equality
            }
        }
        if let key = request.sort.first { ask("sort", .string(key.isDescending ? "-" + key.path : key.path)) }
        if let limit = request.limit { ask("limit", .integer(Int64(limit))) }
        if request.offset > 0 { ask("offset", .integer(Int64(request.offset))) }
        let answer = try await send("GET", "/cities", query)
        return try JSONDecoder().decode([City].self, from: answer).map { city in
            ["id": city.id, "name": city.name, "country": city.country, "population": city.population, "twin": city.twin]
        }
    }

    /// Sends a call, and once more if the service is busy.
    private func send(_ method: String, _ path: String, _ query: [URLQueryItem] = [], _ body: Data? = nil) async throws -> Data {
        var answer = try await service.send(method, path, query, body)
        if answer.status == 503 { answer = try await service.send(method, path, query, body) }
        switch answer.status {
        case 200..<300: return answer.body
        case 403: throw StoreFailure.readOnly
        default: throw ServiceFailure(status: answer.status)
        }
    }

    // MARK: Changes

    func insert(_ records: [ValueDictionary], into entity: String) async throws -> [PredicateValue] {
        let cities = try JSONDecoder().decode([City].self, from: await send("POST", "/cities", [], body(records.map(city))))
        return cities.map { $0.id.map { .integer($0) } ?? .null }
    }

    func update(_ changes: [(key: PredicateValue, values: ValueDictionary)], in entity: String) async throws {
        for (key, values) in changes { _ = try await send("PATCH", "/cities/\(key)", [], body(city(values))) }
    }

    func delete(_ keys: [PredicateValue], from entity: String) async throws {
        for key in keys { _ = try await send("DELETE", "/cities/\(key)") }
    }

    private func city(_ record: ValueDictionary) -> City {
        City(
            id: record["id"]?.as(Int64.self), name: record["name"]?.stringValue, country: record["country"]?.stringValue,
            population: record["population"]?.as(Int64.self), twin: record["twin"]?.as(Int64.self))
    }

    private func body(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }
}
// } Writing-a-store

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
        // Writing-a-store {
        let store = try RecordStore(Cities(service: service, schema: schema))
        let request = StoreRequest(
            "City", where: try FormatPredicate("country == 'FR' AND population >= 50000 AND name LIKE[cd] 'e*'"),
            sort: [PredicateSortKey("name")], limit: 5)
        let names = try await store.fetch(request).map { $0["name"] }  // Évreux
        let split = store.split(request)
        let sent = split.request.predicate.description  // country == "FR" AND population >= 50000
        let tested = split.residual?.description  // name LIKE[cd] "e*"
        // } Writing-a-store
        #expect(names == [.string("Évreux")])
        #expect(sent == "country == \"FR\" AND population >= 50000" && tested == "name LIKE[cd] \"e*\"")
        let question = "GET /cities?country=FR&least-population=50000&sort=name"
        #expect(await service.asked == [question, question])
        // Writing-a-store {
        let cities = try await store.fetch(request)
        try await store.load(["twin"], of: cities)
        let twins = try cities.map { try $0.readValue(at: "twin.name") }  // Rugby
        // } Writing-a-store
        #expect(twins == [.string("Rugby")])
        #expect(await service.asked.last == "GET /cities?id=4")
        // Writing-a-store {
        let more = KeyAssignment("population", try FormatExpression("population + 1"))
        do throws(StoreFailure) {
            try await store.update(request, set: [more])
        } catch {
            if case .backEnd(let cause) = error, let failure = cause as? ServiceFailure { print(failure.status) }
        }
        // } Writing-a-store
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
