// The client of PlaylistEditor.swift, run as a person would use it.
import Foundation
import PredicateEditor
import PredicateSQL
import Testing

@Suite struct PlaylistTests {
    private static func track(_ title: String, _ rating: Int, added days: Double, _ tags: [String] = []) -> Track {
        Track(
            title: title, artist: "A", album: nil, genre: "Jazz", year: 1959, rating: rating, playCount: 3,
            dateAdded: Date(timeIntervalSinceNow: -days * 86_400), lastPlayed: nil, isLoved: false, format: .aac,
            tags: tags)
    }
    private let library = [
        track("So What", 5, added: 1, ["modal"]), track("Blue in Green", 4, added: 400),
        track("Blue Train", 2, added: 2),
    ]

    @Test func aPlaylistIsBuilt() throws {
        var editor = try PlaylistEditor(genres: ["Jazz", "Rock"])
        #expect(editor.fields.all.count == 12)
        #expect(editor.sentence == "everything")
        #expect(try editor.tracks(of: library).count == 3)

        let newTitle = editor.addRow()
        let title = try #require(newTitle)
        #expect(editor.filter[title]?.row.flatMap(editor.label) == "a value is missing")
        #expect(try editor.tracks(of: library).count == 3)
        editor.type("blue", in: title)
        #expect(editor.sentence == "Title contains 'blue'")
        #expect(try editor.tracks(of: library).map(\.title) == ["Blue in Green", "Blue Train"])
        #expect(editor.filter[title]?.row.map { editor.menu(for: $0).first } == "contains")

        let group = editor.addGroup(.any)
        let newRating = editor.addRow(to: group)
        let rating = try #require(newRating)
        editor.choose("rating", .equal, in: rating)
        editor.type("4", in: rating)
        let newAdded = editor.addRow(to: group)
        let added = try #require(newAdded)
        editor.choose("dateAdded", .inTheLast, in: added)
        #expect(editor.sentence == "Title contains 'blue' and (Rating is ★★★★ or Date added in the last 7 days)")
        #expect(try editor.tracks(of: library).map(\.title) == ["Blue in Green", "Blue Train"])
        editor.mute(rating)
        #expect(try editor.tracks(of: library).map(\.title) == ["Blue Train"])
        editor.filter.move(title, to: 0, in: group)
        editor.filter[group]?.group?.match = .none
        #expect(editor.sentence == "not (Title contains 'blue' or Date added in the last 7 days)")
        #expect(editor.filter.predicate(editor.fields).description.hasPrefix("NOT (title CONTAINS[cd] \"blue\" OR "))
        editor.remove(group)
        #expect(editor.sentence == "everything")
    }

    /// A day is the whole day, in memory and in SQL, and a period is counted from today.
    @Test func daysAndPeriodsSelectTracks() throws {
        func track(_ title: String, added: String) throws -> Track {
            var track = Self.track(title, 3, added: 0)
            track.dateAdded = try Date(added, strategy: .iso8601)
            return track
        }
        let tracks = try [
            track("before", added: "2024-04-30T23:59:59Z"), track("first", added: "2024-05-01T00:00:00Z"),
            track("last", added: "2024-05-01T23:59:59Z"), track("after", added: "2024-05-02T00:00:00Z"),
        ]
        let fields = try EditorFields(of: Track.self)
        let schema = try PredicateSchema(of: [Track.self])
        for (operation, day, expected) in [
            (EditorOperator.equal, "2024-05-01", ["first", "last"]), (.notEqual, "2024-05-01", ["before", "after"]),
            (.less, "2024-05-01", ["before"]), (.greater, "2024-05-01", ["after"]),
            (.greaterOrEqual, "2024-05-01", ["first", "last", "after"]),
        ] {
            let filter = EditorGroup(.all, [.row(EditorRow("dateAdded", operation, .string(day)))])
            let predicate = filter.predicate(fields)
            #expect(try tracks.filter(predicate).map(\.title) == expected, "\(predicate)")
            #expect(try predicate.sql(.sqlite, entity: "Track", in: schema).isExact, "\(predicate)")
        }
        let recent = EditorGroup(.all, [.row(EditorRow("dateAdded", .inTheLast, EditorPeriod(7, .days).value))])
        let query = try recent.predicate(fields).sql(.sqlite, entity: "Track", in: schema, clock: .at(736_000_000))
        // 2024-04-28 12:26:40, and the beginning of the day a week before.
        #expect(query.isExact && query.bindings == [.date(735_350_400), .date(736_000_000)])
    }

    @Test func aPlaylistIsSavedAndOpened() throws {
        var editor = try PlaylistEditor(genres: ["Jazz"])
        try editor.open(rule: "(rating >= 4 OR ANY tags == 'modal') AND dateAdded < CAST('2100-01-01', 'NSDate')")
        #expect(editor.isChanged)
        let data = try editor.save()
        #expect(!editor.isChanged)
        var other = try PlaylistEditor(genres: [])
        try other.open(data)
        #expect(other.filter == editor.filter && !other.isChanged)
        other.filter.items[0].group?.match = .all
        #expect(other.isChanged)
        #expect(throws: DecodingError.self) { try other.open(Data("[]".utf8)) }
    }

    @Test func aPlaylistIsAQuery() throws {
        var editor = try PlaylistEditor(genres: ["Jazz"])
        try editor.open(rule: "rating >= 4 AND genre IN {'Jazz', 'Rock'} AND isLoved == YES")
        let query = try editor.query()
        #expect(query.residual == nil)
        #expect(query.text.contains("\"rating\" >= ?") && query.text.contains("\"genre\" IN (?, ?)"), "\(query.text)")
    }
}
