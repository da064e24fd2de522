// The conditions in Tests/House/Data/guard.txt: R is refused for a change because it selects every row, A is allowed. In
// SQL and in each kind of store.

import Foundation
import PredicateModel
import PredicateSQL
import PredicateStores
import PredicateSyntax
import PredicateTestSupport
import Testing

@Suite(.cases) struct GuardTests {
    private static func schema() throws -> PredicateSchema {
        typealias Attribute = PredicateSchema.Attribute
        return try PredicateSchema([
            PredicateSchema.Entity(
                "t", table: "t", primaryKey: ["id"],
                attributes: [
                    Attribute("id", .integer), Attribute("a", .integer), Attribute("a2", .integer),
                    Attribute("a3", .integer), Attribute("b", .string, isOptional: true),
                    Attribute("c", .integer, isOptional: true), Attribute("d", .double), Attribute("e", .string),
                    Attribute("f", .boolean), Attribute("g", .date), Attribute("due", .date),
                ])
        ])
    }

    @Test func changesOfEveryRowAreRefused() throws {
        let schema = try Self.schema()
        let database = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try database.create(schema)
        let stores: [any PredicateStore] = [database, try InMemoryStore(schema, [:])]
        let file = URL(fileURLWithPath: "\(DriverLibraries.root)/Tests/House/Data/guard.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.count > 50)
        forEachCase(lines) { (line: String) in
            let predicate = try FormatPredicate(String(line.dropFirst(2)))
            func isRefused(_ change: () throws -> Void) -> Bool {
                do {
                    try change()
                    return false
                } catch {
                    // What SQL leaves to memory is refused for another reason.
                    return "\(error)".contains("every row")
                }
            }
            let isWanted = line.hasPrefix("R")
            #expect(
                isRefused { _ = try predicate.sql(.delete, .sqlite, entity: "t", in: schema) } == isWanted)
            for store in stores {
                let request = StoreRequest("t", where: predicate)
                #expect(isRefused { try store.delete(request) } == isWanted)
                #expect(isRefused { try store.update(request, set: [KeyAssignment("a", 1)]) } == isWanted)
            }
        }
    }
}
