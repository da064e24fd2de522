// The server as its clients see it: over a socket of the loopback.

import Foundation
import FoundationNetworking
import Hummingbird
import Logging
import PredicateStores
import Testing

@testable import BookServer

/// A server on a free port, until the work is done.
private func withServer(
    deadline: Duration = .seconds(10), books: [Book] = ServerTests.books,
    _ work: @escaping @Sendable (Client) async throws -> Void
) async throws {
    let path = NSTemporaryDirectory() + UUID().uuidString + ".sqlite"
    defer { for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) } }
    let library = try Library(path: path)
    try await library.pool.write { db in for book in books { try book.insert(db) } }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            var logger = Logger(label: "books")
            logger.logLevel = .critical
            let server = Application(
                router: bookRoutes(library, deadline: deadline),
                configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { channel in port.yield(channel.localAddress!.port!) }, logger: logger)
            try await server.run()
        }
        let chosen = await ports.first { _ in true }!
        do {
            try await work(Client(port: chosen))
        } catch {
            group.cancelAll()
            throw error
        }
        group.cancelAll()
    }
}

private struct Client: Sendable {
    let port: Int

    func get(_ parameters: [String: String], shelf: Int? = nil) async throws -> (status: Int, body: Data) {
        let letters = CharacterSet.alphanumerics
        let query = parameters.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: letters)!)"
        }.joined(separator: "&")
        return try await get(query: query, shelf: shelf)
    }

    func get(query: String, shelf: Int? = nil) async throws -> (status: Int, body: Data) {
        var address = URLComponents(string: "http://127.0.0.1:\(port)/books")!
        address.percentEncodedQuery = query
        var request = URLRequest(url: address.url!)
        if let shelf {
            request.setValue("\(shelf)", forHTTPHeaderField: "x-shelf")
        } else {
            request.setValue("yes", forHTTPHeaderField: "x-librarian")
        }
        let (body, response) = try await URLSession.shared.data(for: request)
        return ((response as! HTTPURLResponse).statusCode, body)
    }

    func page(_ parameters: [String: String], shelf: Int? = nil) async throws -> Page {
        let (status, body) = try await get(parameters, shelf: shelf)
        try #require(status == 200, "\(parameters): \(String(decoding: body, as: UTF8.self))")
        return try JSONDecoder().decode(Page.self, from: body)
    }
}

private struct Mistakes: Decodable {
    struct Mistake: Decodable {
        var message: String
        var start, utf16Start, utf16End: Int
        var suggestions: [String]?
    }
    var message: String
    var mistakes: [Mistake]
}

struct ServerTests {
    static let books = [
        Book(id: 1, title: "Emma", author: "Jane Austen", year: 1815, price: 9, shelf: 1),
        Book(id: 2, title: "Dune", author: "Frank Herbert", year: 1965, price: 12.5, shelf: 2),
        Book(id: 3, title: "Beowulf", author: "", year: nil, price: 7, shelf: 1),
        Book(id: 4, title: "Momo", author: "Michael Ende", year: 1973, price: 12.5, shelf: 1),
        Book(id: 5, title: "Ubik", author: "Philip K. Dick", year: 1969, price: 9, shelf: 2),
        Book(id: 6, title: "Élise", author: "Claire Etcherelli", year: 1967, price: 9, shelf: 1),
        Book(id: 7, title: "Edda", author: "", year: nil, price: 20, shelf: 1),
    ]

    @Test func filtersSortAndLimit() async throws {
        try await withServer { client in
            let page = try await client.page(["filter": "year > 1900 AND price < 15", "sort": "-year", "limit": "2"])
            #expect(page.books.map(\.title) == ["Momo", "Ubik"])
            #expect(page.next != nil)
            let folded = try await client.page(["filter": "title BEGINSWITH[cd] 'e'"])
            #expect(folded.books.map(\.title) == ["Emma", "Élise", "Edda"])
            // SQLite does not print numbers as texts: this part is tested in memory.
            let residual = try await client.page([
                "filter": "CAST(year, 'NSString') ENDSWITH '3'", "sort": "title", "limit": "1",
            ])
            #expect(residual.books.map(\.title) == ["Momo"])
        }
    }

    /// A form of a browser writes a space as a plus sign.
    @Test func plusIsASpace() async throws {
        try await withServer { client in
            for (query, titles) in [("filter=title+%3D%3D+'Emma'", ["Emma"]), ("filter=id+%3D%3D+1+%2B+1", ["Dune"])] {
                let (status, body) = try await client.get(query: query)
                try #require(status == 200, "\(query)")
                #expect(try JSONDecoder().decode(Page.self, from: body).books.map(\.title) == titles)
            }
        }
    }

    @Test func theRuleHidesOtherShelves() async throws {
        try await withServer { client in
            for filter in ["TRUEPREDICATE", "shelf == 2 OR TRUEPREDICATE", "NOT (shelf == 1)"] {
                let page = try await client.page(["filter": filter], shelf: 1)
                #expect(page.books.allSatisfy { $0.shelf == 1 })
            }
            let (status, body) = try await client.get(["filter": "title == 'x') OR (1 == 1"], shelf: 1)
            #expect(status == 400)
            #expect(!String(decoding: body, as: UTF8.self).contains("shelf"))
        }
    }

    @Test(arguments: ["id", "-id", "year", "-year", "price", "-price", "author", "-author", "title"])
    func pagesJoinToTheWholeList(sort: String) async throws {
        try await withServer { client in
            let whole = try await client.page(["sort": sort, "limit": "100"]).books.map(\.id)
            #expect(Set(whole) == Set(Self.books.map(\.id)))
            for limit in 1...4 {
                var (found, cursor): ([Int], String?) = ([], nil)
                repeat {
                    var parameters = ["sort": sort, "limit": "\(limit)"]
                    parameters["cursor"] = cursor
                    let page = try await client.page(parameters)
                    #expect(page.books.count == limit || page.next == nil)
                    found += page.books.map(\.id)
                    cursor = page.next
                } while cursor != nil && found.count <= whole.count
                #expect(found == whole)
            }
        }
    }

    @Test func mistakesHavePlacesAndAdvice() async throws {
        try await withServer { client in
            for (filter, start, suggestion) in [
                ("titel == 'Emma'", 0, "title"), ("é == 1 AND title BEGINWITH 'E'", 0, nil),
                ("title BEGINWITH 'É'", 6, "BEGINSWITH"), ("year > 'x'", 0, nil), ("title == %@", 9, nil),
                ("$x == 1", 0, nil), ("title MATCHES $p", 14, nil), ("year > 0 AND $reader.shelf == 1", 13, nil),
            ] as [(String, Int, String?)] {
                let (status, body) = try await client.get(["filter": filter])
                #expect(status == 400)
                let mistakes = try JSONDecoder().decode(Mistakes.self, from: body).mistakes
                #expect(mistakes.first?.start == start, "\(filter): \(mistakes)")
                if let suggestion { #expect(mistakes.first?.suggestions?.contains(suggestion) == true) }
            }
            for parameters in [
                ["sort": "publisher"], ["sort": "--year"], ["limit": "0"], ["limit": "x"], ["cursor": "x"],
                ["cursor": "e30="],
            ] {
                #expect(try await client.get(parameters).status == 400)
            }
        }
    }

    /// Every syntax error of the golden cases is 400 with a place; no text of them is 500.
    @Test func everyGoldenMistakeIsRefused() async throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../../../Golden/diagnostics").standardized
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let cases = try files.flatMap { try goldenCases(String(contentsOf: $0, encoding: .utf8)) }
        try #require(cases.count { $0.isSyntaxError } > 200)
        try await withServer { client in
            for (text, isSyntaxError) in cases {
                let (status, body) = try await client.get(["filter": text])
                if status == 200 && !isSyntaxError { continue }
                #expect(status == 400, "\(text): \(status)")
                let mistakes = try JSONDecoder().decode(Mistakes.self, from: body).mistakes
                let end = text.utf16.count
                #expect(
                    !mistakes.isEmpty && mistakes.allSatisfy { 0...$0.utf16End ~= $0.utf16Start && $0.utf16End <= end })
            }
        }
    }

    @Test func eightClientsAtOnce() async throws {
        try await withServer { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        for round in 0..<25 {
                            let price = (number * 25 + round) % 25
                            let page = try await client.page(["filter": "price < \(price)"])
                            #expect(
                                Set(page.books.map(\.id))
                                    == Set(Self.books.filter { $0.price < Double(price) }.map(\.id)))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func hostileFiltersEnd() async throws {
        let text = String(repeating: "a", count: 30_000)
        let books = (1...200).map { Book(id: $0, title: text, author: text + "b", year: nil, price: 0, shelf: 1) }
        let hostile = [
            #"title MATCHES "(a+)+(a+)+\\1b""#, #"author MATCHES "(.*)\\1x""#,
            String(repeating: "(", count: 5_000), String(repeating: "NOT ", count: 5_000) + "TRUEPREDICATE",
            (0..<2_000).map { "price == \($0)" }.joined(separator: " OR "), "price == 9e99999",
            "FUNCTION(title, 'lowercaseString') == 'x'",
            "title == '\u{0}'", "SUBQUERY(title, $x, $x == 1).@count > 0", "year == 99999999999999999999",
        ]
        try await withServer(deadline: .milliseconds(500), books: books) { client in
            for filter in hostile {
                let start = ContinuousClock.now
                let status = try await client.get(["filter": filter]).status
                #expect([200, 400, 414, 431, 504].contains(status), "\(filter.prefix(60)): \(status)")
                #expect(ContinuousClock.now - start < .seconds(10))
            }
        }
    }
}

/// The texts of a golden file, and whether reading each is an error; see Tests/Golden/GoldenCases.
private func goldenCases(_ file: String) -> [(text: String, isSyntaxError: Bool)] {
    let directives = ["args ", "variables ", "kind ", "input ", "extensions ", "order ", "changes "]
    return file.components(separatedBy: "\n=== ").dropFirst().map { part in
        let lines = part.components(separatedBy: "\n").dropFirst()
        let text = lines.prefix { line in !line.hasPrefix("--- ") && !directives.contains { line.hasPrefix($0) } }
        let isPlain = !lines.contains { $0.hasPrefix("extensions ") || $0.hasPrefix("kind ") || $0.hasPrefix("args ") }
        let isError = part.contains("--- errors\nerror[")
        return (text.joined(separator: "\n"), isPlain && isError)
    }
}
