// Fields of types and schemas: titles, kinds, operators, allowed values.
@testable import PredicateEditor
import PredicateTestSupport
import Testing

@Suite struct FieldTests {
    @Test(.cases) func titles() {
        let cases = [
            ("dateAdded", "Date added"), ("title", "Title"), ("play_count", "Play count"),
            ("artist.name", "Artist name"), ("playbackURL", "Playback URL"), ("URLOfCover", "URL of cover"),
            ("tags.@count", "Tags count"), ("isHDVideo", "Is HD video"), ("rating2", "Rating2"), ("", ""), ("x", "X"),
            ("größe", "Größe"),
        ]
        forEachCase(cases) { name, title in #expect(EditorField.title(for: name) == title) }
    }

    @Test func fieldsOfAType() throws {
        let fields = try EditorFields(of: Song.self)
        let found = fields.all.map {
            "\($0.keyPath) \($0.kind)\($0.list.map { " of \($0)" } ?? "")\($0.isOptional ? "?" : "")"
        }
        #expect(
            found == [
                "title text", "comment text?", "rating integer", "price number", "cost decimal", "isLoved boolean",
                "genre text?", "tags text of tags", "tags.@count integer", "artists.@count integer",
            ])
        #expect(fields["genre"]?.choices.map(\.title) == ["Rock", "Jazz", "Hip hop"])
        #expect(fields["genre"]?.choices.map(\.value) == ["rock", "jazz", "hipHop"])
        #expect(fields["genre"]?.operators == [.equal, .notEqual, .isIn, .isNotIn, .isSet, .isNotSet])
        #expect(fields["isLoved"]?.operators == [.equal])
        #expect(fields["title"]?.operators.contains(.isSet) == false)
        #expect(fields["comment"]?.operators.contains(.isSet) == true)
    }

    @Test func keyPathsLeadFurther() throws {
        let fields = try EditorFields(of: Song.self, keyPaths: ["label.name", "artists.name", "label", "artists.born"])
        let found = fields.all.map { "\($0.keyPath) \($0.kind) \($0.list ?? "-")" }
        #expect(
            found == [
                "label.name text -", "artists.name text artists", "label other -", "artists.born integer artists",
            ])
        #expect(fields["label"]?.operators == [.isSet, .isNotSet])
        let failure = #expect(throws: PredicateFailure.self) {
            try EditorFields(of: Song.self, keyPaths: ["label.nam"])
        }
        #expect(failure?.description.contains("did you mean name?") == true)
    }

    @Test func fieldsOfASchema() throws {
        let schema = try PredicateSchema([
            .init(
                "Task",
                attributes: [
                    .init("due", .date, isOptional: true), .init("id", .uuid), .init("link", .url), .init("raw", .data),
                    .init("any", .any),
                ])
        ])
        let fields = try EditorFields(schema)
        #expect(fields.all.map(\.kind) == [.date, .uuid, .url, .other])
        #expect(throws: PredicateFailure.self) { try EditorFields(schema, entity: "Tasks") }
    }

    /// The table of operators and the type checker agree: what fits passes, and matches something.
    @Test(.cases) func operatorsPassTheTypeChecker() throws {
        let schema = try PredicateSchema(of: Song.self)
        let fields = try EditorFields(schema)
        let values: [EditorField.Kind: PredicateValue] = [
            .text: "1", .integer: 1, .number: 1.5, .decimal: 2, .boolean: true,
        ]
        let checker = try TypeChecker(schema: schema, entity: "Song", in: fields.environment)
        forEachCase(fields.all) { field in
            let value = try #require(field.choices.first?.value ?? values[field.kind])
            for form in EditorOperator.forms where field.fits(form.base) && form.operands != .period {
                let operand: PredicateValue =
                    switch form.operands {
                    case .none: .null
                    case .list: [value]
                    case .bounds: [value, value]
                    default: value
                    }
                let condition = try EditorRow(field.keyPath, form.base, operand).condition(fields)
                // What menus offer also has no warning, such as that it never matches.
                let isOffered = field.operators.contains(form.base)
                #expect(checker.check(condition).filter { isOffered || $0.severity == .error } == [], "\(condition)")
            }
            #expect(!field.operators.isEmpty)
        }
    }

    @Test func fieldsAreChangedByKeyPath() {
        var fields = EditorFields([EditorField("a", .text), EditorField("b", .integer)])
        fields["a"]?.title = "First"
        fields["b"] = nil
        fields["c"] = EditorField("c", .boolean)
        #expect(fields.all.map(\.title) == ["First", "C"])
        #expect(fields["b"] == nil)
        #expect(fields["c"]?.kind == .boolean)
        #expect(fields.newRow() == EditorRow("a", .containsCD))
        #expect(EditorFields([]).newRow() == nil)
    }
}
