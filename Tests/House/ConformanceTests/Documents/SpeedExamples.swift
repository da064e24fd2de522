// swift-format-ignore-file
// The Swift of "Speed: which call to use", compiled and run.

import Predicates
import Testing

// Speed {
struct Song: Queryable {
    var title: String
    var plays: Int
    static let keys: KeyTable<Song> = [.key("title", \.title), .key("plays", \.plays)]
}
// } Speed

@Suite struct SpeedExamples {
    @Test func examples() async throws {
        // Speed {
        let songs = [Song(title: "Élégie", plays: 12), Song(title: "Blues", plays: 3)]
        let matcher = try FormatPredicate("plays > 10 AND title CONTAINS[cd] 'ele'").compiled(for: Song.self)
        let found = songs.filter(matcher).map(\.title)  // ["Élégie"]
        let one = matcher.matches(songs[1])  // false
        let many = try await songs.count(concurrently: matcher)  // 1
        // } Speed
        #expect(found == ["Élégie"] && !one && many == 1)

        // Speed {
        var builder = PredicateTableBuilder()
        for song in songs { try builder.append(["title": song.title, "plays": song.plays]) }
        let table = builder.finish()
        let played = try FormatPredicate("plays >= 3").compiled(for: table).count()  // 2
        // } Speed
        #expect(played == 2)
    }
}
