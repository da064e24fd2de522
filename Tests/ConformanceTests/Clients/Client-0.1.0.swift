// An app that was written for version 0.1.0. It must compile and run unchanged with every later compatible version.
// After the release this file does not change. A version that adds public names gets a new file beside it.

import Foundation
import PredicateSQL
import PredicateStores
import Predicates
import Testing

private struct Track: Queryable {
    enum Genre: String, QueryableValue { case jazz, rock }

    var title: String
    var seconds: Int
    var genre: Genre
    var released: Date?
    var tags: [String]
    var album: Album?
    var minutes: Double { Double(seconds) / 60 }

    static let keys: KeyTable<Track> = [
        .key("title", \.title), .key("seconds", \.seconds), .key("genre", \.genre), .key("released", \.released),
        .key("tags", \.tags), .key("album", \.album), .key("minutes", \.minutes),
    ]
}

private final class Album: Queryable, Sendable {
    let name: String
    init(name: String) { self.name = name }
    static let keys: KeyTable<Album> = [.key("name", \.name) { $0.name }]
}

@Suite struct Client_0_1_0 {
    private let tracks = [
        Track(
            title: "Blue", seconds: 300, genre: .jazz, released: Date(timeIntervalSinceReferenceDate: 0), tags: ["a"],
            album: Album(name: "One")),
        Track(title: "Élan", seconds: 90, genre: .rock, released: nil, tags: [], album: nil),
    ]

    @Test func reading() throws {
        let predicate: FormatPredicate = try FormatPredicate("%K > %@ AND title IN %@", "seconds", 100, ["Blue"])
        #expect(predicate.description == #"seconds > 100 AND title IN {"Blue"}"#)
        #expect(try FormatPredicate(text: "seconds > 100").warnings.isEmpty)
        #expect(try FormatPredicate("seconds > %@", arguments: [.integer(3)]).source == "seconds > %@")

        let parsed: Parsed<PredicateNode> = FormatParser.predicate("seconds >")
        #expect(parsed.hasErrors)
        let diagnostic: Diagnostic? = parsed.diagnostics.first
        #expect(diagnostic?.id.rawValue == "expected-expression" && diagnostic?.severity == .error)
        #expect(diagnostic?.id.rawValue == "expected-expression" && diagnostic?.message.isEmpty == false)
        #expect(diagnostic?.span.range == 9..<9 && diagnostic?.suggestion == nil)

        let failure = #expect(throws: PredicateFailure.self) { try FormatPredicate("a = %") }
        #expect(failure?.diagnostics.isEmpty == false)
    }

    @Test func building() throws {
        let long = FormatPredicate.comparison(.key("seconds"), .greaterThan, .value(100))
        let jazz = FormatPredicate.comparison(.key("genre"), .equal, .value("JAZZ"), options: [.caseInsensitive])
        #expect((long && jazz) == .and([long, jazz]) && (long || jazz) == .or([long, jazz]) && !long == .not(long))
        #expect(FormatPredicate.constant(true).description == "TRUEPREDICATE")
        #expect(try JSONDecoder().decode(FormatPredicate.self, from: JSONEncoder().encode(jazz)) == jazz)
        #expect(try FormatPredicate("a == $x").substituting(["x": 1]).description == "a == 1")
        #expect(try FormatExpression("a * 2").evaluate(["a": 4]) == .integer(8))
        #expect(Set([long, jazz, long]).count == 2)
    }

    @Test func evaluating() async throws {
        let predicate = try FormatPredicate(
            "minutes > $least AND genre == 'jazz' AND ANY tags == 'a' AND album.name != nil",
            in: PredicateEnvironment(localeIdentifier: "en_US"))
        let matcher: Matcher<Track> = try predicate.compiled(
            for: Track.self, variables: ["least": 2], run: PredicateRun(clock: { 0 }, seed: 1))
        #expect(matcher.matches(tracks[0]))
        #expect(try !matcher.test(tracks[1]))
        #expect(tracks.filter(matcher).count == 1 && tracks.count(matching: matcher) == 1)
        #expect(tracks.first(matching: matcher)?.title == "Blue" && tracks.contains(matching: matcher))
        #expect(tracks.indices(matching: matcher) == [0])
        #expect(try await tracks.filter(concurrently: matcher).count == 1)
        #expect(try predicate.evaluate(tracks[0], variables: ["least": 2]))
        #expect(try tracks.filter(FormatPredicate("seconds < 100")).map(\.title) == ["Élan"])
        let rows: [[String: Any]] = [["a": 1], ["b": Date()]]
        #expect(try rows.filter(FormatPredicate("a == nil")).count == 1)
    }

    @Test func translating() throws {
        let query: SQLQuery = try FormatPredicate("seconds > 100 AND title MATCHES '(a)\\\\1'").sql(
            .postgreSQL, entity: "Track", in: Self.schema())
        #expect(!query.isExact && query.residual != nil && !query.reasons.isEmpty)
        #expect(query.bindings.contains(.integer(100)) && query.statement.contains(query.text))
        #expect(SQLDialect.named("sqlite") == .sqlite && SQLDialect.all.count >= 8)
    }

    @Test func storing() throws {
        let store = try SQLiteStore(path: Project.file("Tests/Sessions/fixtures/shop.sqlite").path)
        let request = FetchRequest(
            "person", where: try FormatPredicate("age > 20"), sort: [SortKey("age", descending: true)], limit: 2,
            offset: 1)
        #expect(try store.count(request) == 2)
        let objects: [StoredObject] = try store.fetch(request)
        #expect(objects.map { $0["name"] } == [.string("Zoë"), .string("Ada")])
        let cursor = try store.cursor(request)
        #expect(try cursor.next()?.value(at: "employer.title") != nil)
    }

    private static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            PredicateSchema.Entity(
                "Track", table: "track", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("title", .string), PredicateSchema.Attribute("seconds", .integer),
                    PredicateSchema.Attribute("released", .date, isOptional: true),
                ], relationships: [PredicateSchema.Relationship("album", to: "Album", link: .column("album_id"))]),
            PredicateSchema.Entity(
                "Album", table: "album", primaryKey: ["id"], attributes: [PredicateSchema.Attribute("name", .string)]),
        ])
    }
}
