// swift-format-ignore-file
// The Swift of "Filter editors", compiled and run. The view is compiled where there is SwiftUI.

import Foundation
import PredicateEditor
import PredicateSQL
import Testing

#if canImport(SwiftUI)
import SwiftUI
#endif

// Filter-editors {
struct Podcast: Queryable {
    enum State: String, CaseIterable, QueryableValue { case new, started, finished }

    var title: String, rating: Int, state: State, dateAdded: Date, tags: [String]

    static let keys: KeyTable<Podcast> = [
        .key("title", \.title), .key("rating", \.rating), .key("state", \.state), .key("dateAdded", \.dateAdded),
        .key("tags", \.tags),
    ]
}
// } Filter-editors

@Suite struct FilterEditorsExamples {
    @Test func fields() throws {
        // Filter-editors {
        var fields = try EditorFields(of: Podcast.self)
        fields["dateAdded"]?.title = "Added"
        fields["tags.@count"] = nil
        let titles = fields.all.map { $0.title }  // ["Title", "Rating", "State", "Added", "Tags"]
        let states = fields["state"]?.choices.map { $0.title }  // ["New", "Started", "Finished"]
        // } Filter-editors
        #expect(titles == ["Title", "Rating", "State", "Added", "Tags"])
        #expect(states == ["New", "Started", "Finished"])

        // Filter-editors {
        var filter = EditorGroup(.all)
        filter.append(EditorRow("title", .containsCD, "swift"))
        filter.append(EditorRow("dateAdded", .inTheLast, EditorPeriod(7, .days).value))
        filter.append(EditorRow("rating", .greaterOrEqual))  // a person has not typed the value yet
        let problems = filter.problems(fields).map { $0.sentence() }  // ["Rating: a value is missing"]
        let words = filter.sentence(fields)  // Title contains 'swift' and Added in the last 7 days
        let predicate = filter.predicate(fields)
        // title CONTAINS[cd] "swift" AND dateAdded BETWEEN {today() - days:(7), now()}
        let podcasts = [Podcast(title: "Swift News", rating: 3, state: .new, dateAdded: .now, tags: [])]
        let found = try podcasts.filter(predicate).count  // 1
        // } Filter-editors
        #expect(problems == ["Rating: a value is missing"])
        #expect(words == "Title contains 'swift' and Added in the last 7 days")
        #expect(predicate.description == #"title CONTAINS[cd] "swift" AND dateAdded BETWEEN {today() - days:(7), now()}"#)
        #expect(found == 1)

        // Filter-editors {
        let old = try FormatPredicate("rating > 3 AND ANY tags == 'weekly' AND rating * 2 < 9")
        let rows = EditorGroup(old, fields: fields).sentence(fields)
        // Rating is greater than 3 and any of Tags is exactly 'weekly' and the condition “rating * 2 < 9”
        // } Filter-editors
        #expect(rows == "Rating is greater than 3 and any of Tags is exactly 'weekly' and the condition “rating * 2 < 9”")

        // Filter-editors {
        let file = #"""
            {"combinator": "or", "rules": [
                {"field": "rating", "operator": "between", "value": "2,4"},
                {"field": "state", "operator": "in", "value": ["new", "started"]}]}
            """#
        let stored = try JSONDecoder().decode(EditorGroup.self, from: Data(file.utf8))
        let again = try JSONEncoder().encode(stored)
        let german = stored.sentence(fields, .german)  // Rating liegt zwischen 2 und 4 oder State ist eines von New oder Started
        // } Filter-editors
        #expect(try JSONDecoder().decode(EditorGroup.self, from: again) == stored)
        #expect(german == "Rating liegt zwischen 2 und 4 oder State ist eines von New oder Started")
    }
}

#if canImport(SwiftUI)
// Filter-editors {
struct FilterView: View {
    let fields: EditorFields
    @Binding var group: EditorGroup

    var body: some View {
        Picker("Match", selection: $group.match) {
            Text("all of these").tag(EditorGroup.Match.all)
            Text("any of these").tag(EditorGroup.Match.any)
            Text("none of these").tag(EditorGroup.Match.none)
        }
        ForEach($group.items) { $item in
            HStack {
                if let row = Binding($item.row) {
                    RowView(fields: fields, row: row)
                } else if let inner = Binding($item.group) {
                    GroupBox { FilterView(fields: fields, group: inner) }
                }
                Button("Remove", systemImage: "minus") { group[item.id] = nil }
            }
        }
        Button("Add", systemImage: "plus") { if let row = fields.newRow() { group.append(row) } }
    }
}

struct RowView: View {
    let fields: EditorFields
    @Binding var row: EditorRow

    var body: some View {
        Picker("Field", selection: Binding { row.field } set: { row.changeField(to: $0, fields) }) {
            ForEach(fields.all) { Text($0.title).tag($0.keyPath) }
        }
        if let field = fields[row.field] {
            Picker("Operator", selection: Binding { row.operator } set: { row.changeOperator(to: $0, fields) }) {
                ForEach(field.operators, id: \.self) { Text(EditorWords.english.name(of: $0, for: field)).tag($0) }
            }
            value(of: field)
        }
        if let problem = row.problem(fields) { Text(problem.message()).font(.caption) }
    }

    @ViewBuilder private func value(of field: EditorField) -> some View {
        if row.operator.operands == .one, !field.choices.isEmpty {
            Picker("Value", selection: $row.value) {
                ForEach(field.choices, id: \.self) { Text($0.title).tag($0.value) }
            }
        } else if let period = Binding($row.period) {
            Stepper("\(period.wrappedValue.count)", value: period.count, in: 1...365)
            Picker("Unit", selection: period.unit) {
                ForEach(EditorPeriod.Unit.allCases, id: \.self) { Text(EditorWords.english.name(of: $0)) }
            }
        } else if row.operator.operands != .none {
            TextField("Value", text: $row.text)
        }
    }
}
// } Filter-editors
#endif
