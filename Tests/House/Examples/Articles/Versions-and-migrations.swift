// swift-format-ignore-file
// The Swift of "Versions-and-migrations". `.ci/examples` puts the blocks of the article in and runs it.

import Foundation
import PredicateStores
import PredicateSQL
import Predicates
import Testing

@Suite struct VersionsExamples {
    @Test func todo() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("todo-\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        // block: let item = PredicateSchema.Entity(
        let items = [("Apples", false, nil), ("Bread", true, nil), ("answer Ada", false, nil), ("Coal", true, 7)] as [(String, Bool, Double?)]
        try SQLiteStore(path: path, schema: version1, mode: .readWrite).insert(items.enumerated().map { id, item in
            ValueDictionary([
                ("id", .integer(Int64(id))), ("name", .string(item.0)), ("done", .bool(item.1)),
                ("lastAlert", item.2.map { .date($0) } ?? .null),
            ])
        }, into: "Item")
        // block: var newItem = item
        #expect(differences == ["Item.title: renamed, was name", "Item.isUrgent: added, required boolean"])
        #expect(obstacles == ["Item.isUrgent: 4 of 4 rows have nil, and it is required: give it a default, or a mapping"])
        #expect(throws: StoreFailure.self) { try SQLiteStore(path: path, schema: version2) }
        // block: var mapping = MigrationMapping()
        #expect(steps == ["3 of 4"])
        #expect(titles == [.string("Apples"), .string("answer Ada")])
        // block: var shorter = newItem
        #expect(losses == ["the index 'by_alert' cannot be kept: it names 'lastAlert', which is dropped; change it first, or allow losing 'by_alert'"])
        #expect(notes == ["the index 'by_alert' is lost: it names 'lastAlert', which is dropped"])
    }
}
