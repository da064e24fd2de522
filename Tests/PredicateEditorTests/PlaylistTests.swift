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
