// The conditions in Tests/House/Data/guard.txt: R is refused for a change because it selects every row, A is allowed. In
// SQL and in each kind of store.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite(.cases) struct GuardTests {
    private static func schema() throws -> PredicateSchema {
        typealias Attribute = PredicateSchema.Attribute
        return try PredicateSchema([
            .init(
                "t", table: "t", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("a", .integer), .init("a2", .integer), .init("a3", .integer),
                    .init("b", .string, isOptional: true), .init("c", .integer, isOptional: true), .init("d", .double),
                    .init("e", .string), .init("f", .boolean), .init("g", .date), .init("due", .date),
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
            #expect(isRefused { _ = try predicate.sql(.delete, .sqlite, entity: "t", in: schema) } == isWanted)
            for store in stores {
                let request = StoreRequest("t", where: predicate)
                #expect(isRefused { try store.delete(request) } == isWanted)
                #expect(isRefused { try store.update(request, set: [KeyAssignment("a", 1)]) } == isWanted)
            }
        }
    }
}
