// Rows and groups: their predicates, problems, words and edits.
@testable import PredicateEditor
import PredicateTestSupport
import Testing

@Suite struct RowTests {
    private func fields() throws -> EditorFields {
        var fields = try Song.fields()
        fields["added"]?.title = "Added"
        return fields
    }

    /// A row, its predicate, and its words in English and German.
    private static let rows: [(row: EditorRow, predicate: String, english: String, german: String)] = [
        (
            EditorRow("title", .containsCD, "swift"), #"title CONTAINS[cd] "swift""#, "Title contains 'swift'",
            "Title enthält „swift“"
        ),
        (
            EditorRow("title", .doesNotContain, "a"), #"NOT title CONTAINS "a""#, "Title does not contain exactly 'a'",
            "Title enthält nicht genau „a“"
        ),
        (EditorRow("title", "containsC", "a"), #"title CONTAINS[c] "a""#, "Title contains 'a'", "Title enthält „a“"),
        (EditorRow("comment", .isNotSet), "comment == nil", "Comment is not set", "Comment ist nicht gesetzt"),
        (EditorRow("rating", .greaterOrEqual, "4"), "rating >= 4", "Rating is at least 4", "Rating ist mindestens 4"),
        (
            EditorRow("rating", .isIn, [1, 2, 5]), "rating IN {1, 2, 5}", "Rating is one of 1, 2 or 5",
            "Rating ist eines von 1, 2 oder 5"
        ),
        (
            EditorRow("price", .between, [1, 2.5]), "price BETWEEN {1, 2.5}", "Price is between 1 and 2.5",
            "Price liegt zwischen 1 und 2.5"
        ),
        (EditorRow("isLoved", .equal, true), "isLoved == 1", "Is loved is yes", "Is loved ist ja"),
        (
            EditorRow("rating", .less, "price", comparesFields: true), "rating < price", "Rating is less than Price",
            "Rating ist kleiner als Price"
        ),
        (
            EditorRow("added", .inTheLast, EditorPeriod(7, .days).value), "added BETWEEN {today() - days:(7), now()}",
            "Added in the last 7 days", "Added liegt höchstens 7 Tage zurück"
        ),
        (
            EditorRow("added", .notInTheNext, EditorPeriod(1, .months).value),
            "NOT added BETWEEN {today(), now() + months:(1)}", "Added not in the next 1 month",
            "Added ist nicht in höchstens 1 Monat"
        ),
        (
            EditorRow("added", .today), "added >= today() AND added < today() + days:(1)", "Added is today",
            "Added ist heute"
        ),
        (
            EditorRow("added", .thisMonth), "added.year == today().year AND added.month == today().month",
            "Added is this month", "Added ist diesen Monat"
        ),
        (
            EditorRow("added", .greater, "2024-05-01"), #"added > "2024-05-01""#, "Added is after 2024-05-01",
            "Added ist nach dem 2024-05-01"
        ),
        // A time without a zone is in that of the run, like a day.
        (
            EditorRow("added", .greater, "2024-05-01T18:30"), #"added > "2024-05-01T18:30""#,
            "Added is after 2024-05-01T18:30", "Added ist nach dem 2024-05-01T18:30"
        ),
        (
            EditorRow("tags", .containsCD, "x", quantifier: .all), #"ALL tags CONTAINS[cd] "x""#,
            "all of Tags contain 'x'",
            "alle von Tags enthalten „x“"
        ),
        (
            EditorRow("artists.name", .equalCD, "x", quantifier: .atLeast(2)),
            #"SUBQUERY(artists, $x, $x.name ==[cd] "x").@count >= 2"#, "at least 2 of Artists name are 'x'",
            "mindestens 2 von Artists name sind „x“"
        ),
        (
            EditorRow("tags", .equal, "x"), #"ANY tags == "x""#, "any of Tags is exactly 'x'",
            "mindestens eines von Tags ist genau „x“"
        ),
        (
            EditorRow("", .predicate, "price * 2 < 5"), "price * 2 < 5", "the condition “price * 2 < 5”",
            "die Bedingung „price * 2 < 5“"
        ),
    ]

    @Test(.cases) func predicatesAndWords() throws {
        let fields = try fields()
        forEachCase(Self.rows) { row, predicate, english, german in
            #expect(row.problem(fields)?.sentence() == nil)
            let filter = EditorGroup(.all, [.row(row)])
            #expect(filter.predicate(fields).description == predicate)
            #expect(row.sentence(fields) == english)
            #expect(row.sentence(fields, .german) == german)
            #expect(filter.predicate(fields).sentence(fields: fields) == english)
        }
    }

    private static let problems: [(row: EditorRow, english: String)] = [
        (EditorRow("title", .contains), "Title: a value is missing"),
        (EditorRow("title", .contains, ""), "Title: a value is missing"),
        (EditorRow("rating", .equal, "x"), "Rating: 'x' is not a whole number"),
        (EditorRow("rating", .equal, 2.5), "Rating: '2.5' is not a whole number"),
        (EditorRow("price", .equal, "1,5"), "Price: '1,5' is not a number"),
        (EditorRow("price", .equal, "inf"), "Price: 'inf' is not a number"),
        (EditorRow("added", .less, "yesterday"), "Added: 'yesterday' is not a date, such as 2024-05-01"),
        (EditorRow("added", .less, "2023-02-29"), "Added: '2023-02-29' is not a date, such as 2024-05-01"),
        (EditorRow("isLoved", .equal, 2), "Is loved: '2' is not yes or no"),
        (EditorRow("rating", .between, [1]), "Rating: a value is missing"),
        (EditorRow("rating", .between, [1, 2, 3]), "Rating: two values are needed, separated by a comma"),
        (EditorRow("rating", .between, [1, .null]), "Rating: a value is missing"),
        (EditorRow("rating", .contains, 1), "Rating: the field cannot have this operator"),
        (EditorRow("rating", "soundsLike", 1), "Rating: the operator is not known"),
        (EditorRow("none", .equal, 1), "none: there is no such field"),
        (EditorRow("rating", .equal, 1, quantifier: .all), "Rating: the field cannot have this operator"),
        (EditorRow("added", .inTheLast, 7), "Added: a number of days, weeks, months or years is needed"),
        (
            EditorRow("added", .inTheLast, EditorPeriod(0, .days).value),
            "Added: a number of days, weeks, months or years is needed"
        ),
        (
            EditorRow("rating", .less, "title", comparesFields: true),
            "Rating: 'title' is not a field with values of this kind"
        ),
        (EditorRow("", .predicate, "a =="), ": the condition is not valid: "),
        (EditorRow("artists.name", .isNotSet), "Artists name: the field cannot have this operator"),
    ]

    @Test(.cases) func problems() throws {
        let fields = try fields()
        forEachCase(Self.problems) { row, english in
            #expect(
                row.problem(fields)?.sentence().hasPrefix(english) == true,
                "\(row.problem(fields)?.sentence() ?? "none")")
            #expect(row.problem(fields)?.id == row.id)
            #expect(EditorGroup(.all, [.row(row)]).predicate(fields) == .constant(true))
            #expect(row.sentence(fields) == nil)
        }
    }

    /// A filter that is being built does not hide everything.
    @Test func anyOfNothingSelectsEverything() throws {
        let fields = try fields()
        let empty = EditorRow("title", .contains)
        for match in EditorGroup.Match.allCases {
            let filter = EditorGroup(
                match, [.row(empty), .group(EditorGroup(match)), .group(EditorGroup(.any, [.row(empty)]))])
            #expect(filter.predicate(fields) == .constant(true))
            #expect(filter.sentence(fields) == "everything")
        }
        var filter = EditorGroup(.any, [.row(EditorRow("rating", .equal, 1)), .group(EditorGroup(.any))])
        #expect(filter.predicate(fields).description == "rating == 1")
        filter.isMuted = true
        #expect(filter.predicate(fields) == .constant(true))
        #expect(filter.problems(fields) == [])
    }

    @Test func sentencesOfGroups() throws {
        let fields = try fields()
        let (one, two) = (EditorRow("rating", .equal, 1), EditorRow("isLoved", .equal, false))
        let inner = EditorGroup(.any, [.row(one), .row(two)])
        let filter = EditorGroup(.all, [.group(inner), .group(EditorGroup(.none, [.row(one), .row(two)])), .row(two)])
        #expect(
            filter.sentence(fields)
                == "(Rating is 1 or Is loved is no) and not (Rating is 1 or Is loved is no) and Is loved is no")
        var words = EditorWords.english
        words["="] = "equals"
        words["no"] = "false"
        #expect(EditorGroup(.all, [.row(two)]).sentence(fields, words) == "Is loved equals false")
        words.format = { _, value in "<\(value)>" }
        #expect(one.sentence(fields, words) == "Rating equals <1>")
    }

    @Test(.cases) func sentencesOfAnyPredicate() throws {
        let cases = [
            ("TRUEPREDICATE", "everything"),
            ("NOT (NOT (NOT a < 5))", "not (A is less than 5)"),
            (
                "dateAdded > now() AND name BEGINSWITH[c] 'A'",
                "the condition “dateAdded > now()” and Name begins with 'A'"
            ),
            ("5 < playCount OR NOT (a == 1 AND b != nil)", "Play count is greater than 5 or not (A is 1 and B is set)"),
            ("ANY tags == 'x'", "any of Tags is exactly 'x'"),
            ("price IN {1, 2.5}", "Price is one of 1 or 2.5"),
            ("price * 2 < 5", "the condition “price * 2 < 5”"),
        ]
        forEachCase(cases) { text, words in
            let predicate = try FormatPredicate(text)
            #expect(predicate.sentence() == words)
        }
    }

    @Test func bothLanguagesHaveAllWords() {
        #expect(EditorWords.english.words.keys.sorted() == EditorWords.german.words.keys.sorted())
        for form in EditorOperator.forms {
            #expect(EditorWords.english.words[form.base.rawValue] != nil, "\(form.base)")
        }
    }

    // MARK: - Edits

    @Test func changingAFieldKeepsWhatFits() throws {
        let fields = try fields()
        var row = EditorRow("title", .equal, "5")
        row.changeField(to: "rating", fields)
        #expect(row == EditorRow("rating", .equal, "5"))
        row.changeField(to: "isLoved", fields)
        #expect(row == EditorRow("isLoved", .equal))
        row.changeField(to: "tags", fields)
        #expect(row == EditorRow("tags", .equal, quantifier: .any))
        row = EditorRow("title", .containsCD, "x")
        row.changeField(to: "added", fields)
        #expect(row.operator == fields["added"]?.operators.first && row.value.isNil)
    }

    @Test func changingAnOperatorKeepsWhatFits() throws {
        let fields = try fields()
        var row = EditorRow("rating", .equal, 3)
        row.changeOperator(to: .isIn, fields)
        #expect(row.value == [3])
        row.changeOperator(to: .between, fields)
        #expect(row.value == [3, .null])
        row.changeOperator(to: .less, fields)
        #expect(row.value == 3)
        row.changeOperator(to: .isNotSet, fields)
        #expect(row.value.isNil)
        row = EditorRow("added", .less, "2024-01-01")
        row.changeOperator(to: .inTheLast, fields)
        #expect(row.period == EditorPeriod(7, .days))
        row.changeOperator(to: .greater, fields)
        #expect(row.value.isNil)
        row.text = "2024-01-01"
        #expect(row == EditorRow("added", .greater, "2024-01-01"))
        var list = EditorRow("title", .isIn, ["a,b", "c"])
        let predicate = EditorGroup(.all, [.row(list)]).predicate(fields)
        #expect(list.text == #"a\,b, c"#)
        list.text = list.text
        #expect(EditorGroup(.all, [.row(list)]).predicate(fields) == predicate)
        row.texts = ["2024-01-01", ""]
        #expect(row.texts == ["2024-01-01", ""] && row.text == "2024-01-01, ")
    }

    @Test func itemsAreMoved() {
        let rows = (1...4).map { EditorRow("a", .equal, .integer(Int64($0))) }
        let inner = EditorGroup(.any, [.row(rows[2]), .row(rows[3])])
        var filter = EditorGroup(.all, [.row(rows[0]), .group(inner), .row(rows[1])])
        filter.move(rows[0].id, to: 1, in: inner.id)
        #expect(
            filter
                == EditorGroup(
                    .all, [.group(EditorGroup(.any, [.row(rows[2]), .row(rows[0]), .row(rows[3])])), .row(rows[1])]))
        filter.move(rows[0].id, to: 0, in: filter.id)
        filter.move(rows[1].id, to: 1, in: filter.id)
        #expect(filter.items.map(\.id) == [rows[0].id, rows[1].id, inner.id])
        filter.move(rows[0].id, to: 3, in: filter.id)
        #expect(filter.items.map(\.id) == [rows[1].id, inner.id, rows[0].id])
        let before = filter
        filter.move(inner.id, to: 0, in: inner.id)
        filter.move("none", to: 0, in: filter.id)
        filter.move(rows[0].id, to: 0, in: "none")
        #expect(filter == before)
        filter[inner.id] = nil
        filter[rows[0].id]?.row?.value = 9
        #expect(filter == EditorGroup(.all, [.row(rows[1]), .row(EditorRow("a", .equal, 9))]))
        #expect(filter[inner.id] == nil)
    }

    /// A predicate that is nested deeper than groups may be keeps its meaning, and its rows can be stored.
    @Test func deepPredicatesBecomeTexts() throws {
        let fields = try fields()
        var text = "rating == 1"
        for index in 0..<80 { text = "(\(text)) \(index % 2 == 0 ? "OR" : "AND") title == 'a'" }
        let predicate = try FormatPredicate(text)
        let filter = EditorGroup(predicate, fields: fields)
        for title in ["a", "b"] {
            let record = PredicateValue.dictionary(ValueDictionary([("rating", 1), ("title", .string(title))]))
            #expect(predicate.answer(record) != nil)
            #expect(filter.predicate(fields).answer(record) == predicate.answer(record))
        }
        #expect(try EditorGroup(form: filter.form) == filter)
    }
}
