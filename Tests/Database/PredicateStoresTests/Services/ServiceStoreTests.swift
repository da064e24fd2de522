// Tests of two stores over HTTP services on loopback. One service only lists all records. The other filters by
// equality, and returns pages of keys, and records by key.

#if os(Linux)
    import Foundation
    import PredicateStores
    import PredicateTestSupport
    import Testing

    private struct Resident: Codable {
        var id: Int64
        var name: String
        var city: String?
        var age: Int64
        var boss: Int64?

        var record: ValueDictionary {
            ValueDictionary([
                ("id", .integer(id)), ("name", .string(name)), ("city", city.map { .string($0) } ?? .null),
                ("age", .integer(age)), ("boss", boss.map { .integer($0) } ?? .null),
            ])
        }
    }

    /// An HTTP server with JSON answers on a free port. `/residents`, `/keys?city=Bonn&offset=0`, `/records?ids=1,2,3`;
    /// a page has 50 keys.
    private final class Service: Sendable {
        static let residents = (0..<230).map { (id: Int64) in
            Resident(
                id: id, name: ["Ada", "ada", "Élodie", "Zoë"][Int(id % 4)],
                city: id % 5 == 0 ? nil : ["Bonn", "Köln & Co", "a=b"][Int(id % 3)], age: id * 31 % 90,
                boss: id % 2 == 0 ? nil : id / 2)
        }

        let port: UInt16
        /// The requested paths.
        let asked = Mutex<[String]>([])
        /// The prefix of paths for which the service answers with status 500.
        let broken = Mutex("none")
        private let socket: Int32

        init() {
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let socket = socket
            port = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = bind(socket, $0, length)
                    _ = listen(socket, 64)
                    _ = getsockname(socket, $0, &length)
                }
                return UInt16(bigEndian: $0.pointee.sin_port)
            }
            Thread.detachNewThread { [self] in
                // Only this thread closes the socket. Otherwise another service could get its number, and this thread
                // would accept its clients.
                defer { close(socket) }
                while case let client = accept(socket, nil, nil), client >= 0 {
                    answer(client)
                    // Ends the answer, even if the child process of another test has inherited the socket.
                    shutdown(client, Int32(SHUT_RDWR))
                    close(client)
                }
            }
        }

        /// Ends the thread.
        func stop() { shutdown(socket, Int32(SHUT_RDWR)) }

        private func answer(_ client: Int32) {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(client, &bytes, bytes.count)
            let line = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
            guard line.count > 1 else { return }
            let path = String(line[1])
            asked.withLock { $0.append(path) }
            let isBroken = path.hasPrefix(broken.withLock { $0 })
            let body = isBroken ? Data() : body(path)
            let head = "HTTP/1.0 \(isBroken ? 500 : 200) -\r\nContent-Length: \(body.count)\r\n\r\n"
            _ = (Data(head.utf8) + body).withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
        }

        private func body(_ path: String) -> Data {
            let items = URLComponents(string: "http://a" + path)?.queryItems ?? []
            func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
            let encoder = JSONEncoder()
            var found = Self.residents
            if let city = value("city") { found = found.filter { $0.city == city } }
            if let ids = value("ids") { found = found.filter { ids.split(separator: ",").contains("\($0.id)") } }
            guard path.hasPrefix("/keys") else { return (try? encoder.encode(found)) ?? Data() }
            let offset = value("offset").flatMap { Int($0) } ?? 0
            return (try? encoder.encode(Array(found.map(\.id).dropFirst(offset).prefix(50)))) ?? Data()
        }

        /// Requests a path and decodes the answer.
        func get<Answer: Decodable>(_ path: String, _ query: [String: String] = [:]) throws(StoreFailure) -> Answer {
            var components = URLComponents()
            components.path = path
            if !query.isEmpty { components.queryItems = query.map { URLQueryItem(name: $0, value: $1) } }
            let client = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(client) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            address.sin_port = port.bigEndian
            let isConnected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else { throw .engine(code: 0, message: "the service does not answer", statement: path) }
            let request = Array("GET \(components.string ?? path) HTTP/1.0\r\n\r\n".utf8)
            _ = write(client, request, request.count)
            var answer = Data()
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while case let count = read(client, &bytes, bytes.count), count > 0 { answer += bytes.prefix(count) }
            guard answer.starts(with: Data("HTTP/1.0 200".utf8)), let end = answer.firstRange(of: Data("\r\n\r\n".utf8))
            else { throw .engine(code: 500, message: "the service failed", statement: path) }
            do {
                return try JSONDecoder().decode(Answer.self, from: answer[end.upperBound...])
            } catch {
                throw .engine(code: 200, message: "\(error)", statement: path)
            }
        }
    }

    private func residentSchema() throws(SchemaError) -> PredicateSchema {
        typealias Attribute = PredicateSchema.Attribute
        return try PredicateSchema([
            .init(
                "Resident", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("name", .string), .init("city", .string, isOptional: true),
                    .init("age", .integer),
                ],
                relationships: [
                    .init("boss", to: "Resident", link: .column("boss")),
                    .init("staff", toMany: "Resident", link: .foreignKey("boss")),
                ])
        ])
    }

    /// The store for the service that only lists all records.
    private struct Listing: RecordSource {
        let schema: PredicateSchema
        let service: Service
        let capabilities = StoreCapabilities()

        func records(_ request: StoreRequest) throws -> [ValueDictionary] {
            let residents: [Resident] = try service.get("/residents")
            return residents.map(\.record)
        }
    }

    /// The store for the service that filters and returns pages.
    private struct Paging: RecordSource {
        let schema: PredicateSchema
        let service: Service
        var capabilities: StoreCapabilities {
            var capabilities = StoreCapabilities(equalityOf: ["city"])
            capabilities.findsKeys = true
            return capabilities
        }

        func keys(_ request: StoreRequest) throws -> [PredicateValue] {
            var query = request.equalities["city"]?[0].stringValue.map { ["city": $0] } ?? [:]
            var keys: [Int64] = []
            while true {
                query["offset"] = "\(keys.count)"
                let page: [Int64] = try service.get("/keys", query)
                if page.isEmpty { return keys.map { .integer($0) } }
                keys += page
            }
        }

        func records(of entity: String, keys: [PredicateValue]) throws -> [ValueDictionary] {
            let ids = keys.map { "\(ExpressionNode(.value($0)))" }.joined(separator: ",")
            let residents: [Resident] = try service.get("/records", ["ids": ids])
            return residents.map(\.record)
        }
    }

    @Suite struct ServiceStoreTests {
        private static let predicates = [
            "city == 'Bonn'", "TRUEPREDICATE", "city == 'a=b' AND age > 30", "city == 'Köln & Co' OR age < 5",
            "name BEGINSWITH[cd] 'e' AND city == 'Bonn'", "boss.city == 'Bonn'", "ANY staff.age > 80",
            "city == nil AND boss != nil", "city == 'Bonn' AND city == 'a=b'",
            "staff.@count > 1 AND boss.boss.age > 20",
        ]

        private func check(_ store: RecordStore<some RecordSource>) async throws {
            let memory = try InMemoryStore(residentSchema(), ["Resident": Service.residents.map(\.record)])
            for predicate in TestDepth.some(Self.predicates, every: 2) {
                for (sort, limit) in [("id", nil), ("-age,id", 7), ("boss.name,id", nil)] as [(String, Int?)] {
                    let request = StoreRequest(
                        "Resident", where: try FormatPredicate(predicate),
                        sort: try #require(PredicateSortKey.list(sort)),
                        limit: limit, prefetch: ["boss"])
                    let expected = try memory.fetch(request).map { "\($0) \($0["boss"])" }
                    #expect(try await store.fetch(request).map { "\($0) \($0["boss"])" } == expected, "\(predicate)")
                    #expect(try await store.count(request) == expected.count, "\(predicate)")
                }
                var groups = StoreRequest(
                    "Resident", where: try FormatPredicate(predicate), sort: [PredicateSortKey("city")])
                groups.groupBy = ["city"]
                groups.properties = ["city", "@count", "@avg.boss.age"]
                #expect(try await store.records(groups) == memory.records(groups), "\(predicate)")
            }
        }

        @Test func aServiceThatListsEverything() async throws {
            let service = Service()
            defer { service.stop() }
            try await check(RecordStore(Listing(schema: residentSchema(), service: service)))
        }

        @Test func aServiceThatFiltersAndPages() async throws {
            let service = Service()
            defer { service.stop() }
            try await check(RecordStore(Paging(schema: residentSchema(), service: service)))
            #expect(service.asked.withLock { $0.contains { $0.hasPrefix("/keys?") && $0.contains("city=Bonn") } })
        }

        @Test func recordsAreReadOnDemandAndKept() async throws {
            let service = Service()
            defer { service.stop() }
            let store = try RecordStore(
                Paging(schema: residentSchema(), service: service), maximumAge: .seconds(1000), batchSize: 10)
            func reads(_ body: () async throws -> Void) async rethrows -> Int {
                service.asked.withLock { $0 = [] }
                try await body()
                return service.asked.withLock { $0.count { $0.hasPrefix("/records") } }
            }
            // Only the necessary batch is read.
            var objects = store.objects(StoreRequest("Resident")).makeAsyncIterator()
            #expect(try await reads { _ = try await objects.next() } == 1)
            #expect(try await reads { for _ in 0..<10 { _ = try await objects.next() } } == 1)
            #expect(try await reads { _ = try await store.fetch(StoreRequest("Resident")) } == 21)
            // Now all objects are in memory.
            #expect(try await reads { _ = try await store.fetch(StoreRequest("Resident")) } == 0)
            #expect(try await reads { _ = try await store.fetch(StoreRequest("Resident", prefetch: ["boss"])) } == 0)
            store.refresh()
            #expect(try await reads { _ = try await store.fetch(StoreRequest("Resident")) } == 23)
            let stale = try RecordStore(
                Paging(schema: residentSchema(), service: service), maximumAge: .zero, batchSize: 100)
            _ = try await stale.fetch(StoreRequest("Resident"))
            #expect(try await reads { _ = try await stale.fetch(StoreRequest("Resident")) } == 3)
        }

        @Test func errorsAndCancellationEndOneRequest() async throws {
            let service = Service()
            defer { service.stop() }
            let store = try RecordStore(Paging(schema: residentSchema(), service: service), batchSize: 10)
            service.broken.withLock { $0 = "/records" }
            await #expect(throws: StoreFailure.self) { try await store.fetch(StoreRequest("Resident")) }
            service.broken.withLock { $0 = "none" }
            #expect(try await store.fetch(StoreRequest("Resident")).count == 230)
            store.refresh()
            var batched = StoreRequest("Resident")
            batched.batchSize = 20
            let task = Task { [batched] in
                var count = 0
                for try await _ in store.objects(batched) {
                    count += 1
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return count
            }
            await #expect(throws: StoreFailure.self) { try await task.value }
            #expect(try await store.count(StoreRequest("Resident")) == 230)
        }
    }
#endif
