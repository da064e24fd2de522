// swift-format-ignore-file
// The Swift of "Versions-and-migrations", compiled and run.

import Foundation
import PredicateStores
import PredicateSQL
import Predicates
import Testing

@Suite struct VersionsExamples {
    @Test func todo() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("todo-\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Versions-and-migrations {
        let item = PredicateSchema.Entity(
            "Item", table: "item", primaryKey: ["id"],
            attributes: [
                PredicateSchema.Attribute("id", .integer), PredicateSchema.Attribute("name", .string),
                PredicateSchema.Attribute("lastAlert", .date, isOptional: true), PredicateSchema.Attribute("done", .boolean),
            ])
        let version1 = try PredicateSchema([item], version: "1")
        try StoreMigration(path: path, to: version1, mode: .create).run()
        // } Versions-and-migrations
        let items = [("Apples", false, nil), ("Bread", true, nil), ("answer Ada", false, nil), ("Coal", true, 7)] as [(String, Bool, Double?)]
        try SQLiteStore(path: path, schema: version1, mode: .readWrite).insert(items.enumerated().map { id, item in
            ValueDictionary([
                ("id", .integer(Int64(id))), ("name", .string(item.0)), ("done", .bool(item.1)),
                ("lastAlert", item.2.map { .date($0) } ?? .null),
            ])
        }, into: "Item")
        // Versions-and-migrations {
        var newItem = item
        newItem.attributes[1].name = "title"
        newItem.attributes[1].column = "title"
        newItem.attributes[1].formerly = "name"
        newItem.attributes.append(PredicateSchema.Attribute("isUrgent", .boolean))
        let version2 = try PredicateSchema([newItem], version: "2")

        let plain = try StoreMigration(path: path, to: version2)
        let differences = plain.differences.map(\.description)
        // Item.title: renamed, was name
        // Item.isUrgent: added, required boolean
        let obstacles = try plain.check().obstacles.map(\.description)
        // Item.isUrgent: 4 of 4 rows have nil, and it is required: give it a default, or a mapping
        // } Versions-and-migrations
        #expect(differences == ["Item.title: renamed, was name", "Item.isUrgent: added, required boolean"])
        #expect(obstacles == ["Item.isUrgent: 4 of 4 rows have nil, and it is required: give it a default, or a mapping"])
        #expect(throws: StoreFailure.self) { try SQLiteStore(path: path, schema: version2) }
        // Versions-and-migrations {
        var mapping = MigrationMapping()
        mapping.add(
            "Item", from: "Item", values: ["isUrgent": .predicate(try FormatPredicate("name BEGINSWITH[c] 'a'"))],
            policy: { old, values in
                old["done"] == .bool(true) && old["lastAlert"] == .null ? [] : [values]
            })
        let migration = try StoreMigration(path: path, to: version2, mapping: mapping)
        let report = try migration.run { progress in print(progress.entity, progress.done, "of", progress.total) }
        let steps = report.steps.map { "\($0.made) of \($0.read)" }  // 3 of 4

        let store = try SQLiteStore(path: path, schema: version2)
        let urgent = try store.fetch(StoreRequest("Item", where: try FormatPredicate("isUrgent == YES"), sort: [PredicateSortKey("title")]))
        let titles = urgent.map { $0["title"] }  // Apples, answer Ada
        // } Versions-and-migrations
        #expect(steps == ["3 of 4"])
        #expect(titles == [.string("Apples"), .string("answer Ada")])
        // Versions-and-migrations {
        var shorter = newItem
        shorter.attributes.removeAll { $0.name == "lastAlert" }
        let version3 = try PredicateSchema([shorter], version: "3")
        _ = try SQLiteStore(path: path, mode: .readWrite).rows("CREATE INDEX by_alert ON item (lastAlert)")
        let losses = try StoreMigration(path: path, to: version3).check().obstacles.map(\.message)
        // the index 'by_alert' cannot be kept: it names 'lastAlert', which is dropped; change it first, or allow losing 'by_alert'
        let notes = try StoreMigration(path: path, to: version3, allowingLossOf: ["by_alert"]).run().notes
        // the index 'by_alert' is lost: it names 'lastAlert', which is dropped
        // } Versions-and-migrations
        #expect(losses == ["the index 'by_alert' cannot be kept: it names 'lastAlert', which is dropped; change it first, or allow losing 'by_alert'"])
        #expect(notes == ["the index 'by_alert' is lost: it names 'lastAlert', which is dropped"])
    }
}
