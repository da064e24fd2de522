// An app's editor of smart playlists, with public declarations only: twelve fields, rows that are added, moved and
// removed, a saved file, words for the list of playlists, and the query. PlaylistTests.swift runs it.
import Foundation
import PredicateEditor
import PredicateSQL

struct Track: Queryable {
    enum Format: String, CaseIterable, QueryableValue { case mp3, aac, losslessFLAC }

    var title: String, artist: String, album: String?, genre: String?, year: Int?, rating: Int, playCount: Int
    var dateAdded: Date, lastPlayed: Date?, isLoved: Bool, format: Format, tags: [String]

    static let keys: KeyTable<Track> = [
        .key("title", \.title), .key("artist", \.artist), .key("album", \.album), .key("genre", \.genre),
        .key("year", \.year), .key("rating", \.rating), .key("playCount", \.playCount), .key("dateAdded", \.dateAdded),
        .key("lastPlayed", \.lastPlayed), .key("isLoved", \.isLoved), .key("format", \.format), .key("tags", \.tags),
    ]
}

struct PlaylistEditor {
    let fields: EditorFields
    var filter = EditorGroup(.all)
    private var saved = EditorGroup(.all)

    init(genres: [String]) throws {
        var fields = try EditorFields(of: Track.self)
        fields["tags.@count"] = nil
        fields["isLoved"]?.title = "Loved"
        fields["rating"]?.choices = (0...5).map { .init(.integer(Int64($0)), String(repeating: "★", count: $0)) }
        fields["genre"]?.choices = genres.map { .init(.string($0), $0) }
        self.fields = fields
    }

    // MARK: What the screen shows

    var sentence: String { filter.sentence(fields) }
    var isChanged: Bool { filter != saved }
    func menu(for row: EditorRow) -> [String] {
        guard let field = fields[row.field] else { return [] }
        return field.operators.map { EditorWords.english.name(of: $0, for: field) }
    }
    func label(for row: EditorRow) -> String? { row.problem(fields)?.message() }

    // MARK: What people do

    mutating func addRow(to group: String? = nil) -> String? {
        guard let row = fields.newRow() else { return nil }
        if let group { filter[group]?.group?.append(row) } else { filter.append(row) }
        return row.id
    }

    mutating func addGroup(_ match: EditorGroup.Match) -> String {
        let group = EditorGroup(match)
        filter.append(group)
        return group.id
    }

    mutating func choose(_ keyPath: String, _ name: EditorOperator, in id: String) {
        guard var row = filter[id]?.row else { return }
        row.changeField(to: keyPath, fields)
        row.changeOperator(to: name, fields)
        filter[id]?.row = row
    }

    mutating func type(_ text: String, in id: String) { filter[id]?.row?.text = text }
    mutating func mute(_ id: String) { filter[id]?.row?.isMuted.toggle() }
    mutating func remove(_ id: String) { filter[id] = nil }

    // MARK: Files and queries

    mutating func save() throws -> Data {
        saved = filter
        return try JSONEncoder().encode(filter)
    }

    mutating func open(_ data: Data) throws {
        filter = try JSONDecoder().decode(EditorGroup.self, from: data)
        saved = filter
    }

    /// A rule that was written before there was an editor.
    mutating func open(rule: String) throws { filter = EditorGroup(try FormatPredicate(text: rule), fields: fields) }

    func tracks(of library: [Track]) throws -> [Track] { try library.filter(filter.predicate(fields)) }

    func query() throws -> SQLQuery {
        try filter.predicate(fields).sql(.sqlite, entity: "Track", in: PredicateSchema(of: Track.self))
    }
}
