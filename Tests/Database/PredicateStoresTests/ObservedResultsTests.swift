// Tests of observed lists: after random edits a list equals a new fetch, and its changes lead from one state to the
// next.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

/// Items with owners and tags.
enum Board {
    static func schema() throws -> PredicateSchema {
        var tags = PredicateSchema.Relationship("tags", toMany: "Tag", link: .foreignKey("item_id"))
        tags.onDelete = .nullify
        return try PredicateSchema([
            .init(
                "Item", table: "item", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("title", .string), .init("rank", .integer, isOptional: true),
                    .init("open", .boolean), .init("part", .string, isOptional: true),
                ],
                relationships: [.init("owner", to: "Owner", link: .column("owner_id")), tags]),
            .init(
                "Owner", table: "owner", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("name", .string), .init("city", .string, isOptional: true)]),
            .init(
                "Tag", table: "tag", primaryKey: ["id"], attributes: [.init("id", .integer), .init("name", .string)],
                relationships: [.init("item", to: "Item", link: .column("item_id"))]),
        ])
    }

    static func database(_ path: String, writeAheadLog: Bool = false) throws -> SQLiteStore {
        let store = try SQLiteStore(path: path, schema: try schema(), mode: .create, writeAheadLog: writeAheadLog)
        for statement in [
            "CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT NOT NULL, rank INTEGER, open INTEGER, part TEXT, owner_id INTEGER)",
            "CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT, city TEXT)",
            "CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT, item_id INTEGER)",
        ] { _ = try store.rows(statement) }
        return store
    }

    static let titles = ["a", "A", "b", "Bo", "é", "É", "zz", ""]

    static func item(_ id: Int, _ random: inout SplitMix) -> ValueDictionary {
        ValueDictionary([
            ("id", .integer(Int64(id))), ("title", .string(random.pick(titles))),
            ("rank", random.chance(20) ? .null : .integer(Int64(random.below(12)))), ("open", .bool(random.chance(70))),
            ("part", random.chance(20) ? .null : .string(random.pick(["x", "X", "y", "z"]))),
            ("owner", .integer(Int64(random.below(6)))),
        ])
    }

    static func owner(_ id: Int, _ random: inout SplitMix) -> ValueDictionary {
        ValueDictionary([
            ("id", .integer(Int64(id))), ("name", .string(random.pick(titles))),
            ("city", random.chance(30) ? .null : .string(random.pick(["Bonn", "Oslo"]))),
        ])
    }

    static func tag(_ id: Int, _ random: inout SplitMix) -> ValueDictionary {
        ValueDictionary([
            ("id", .integer(Int64(id))), ("name", .string(random.pick(["a", "ab", "c"]))),
            ("item", .integer(Int64(random.below(60) % 40))),
        ])
    }

    static func fill(_ store: some PredicateStore, _ random: inout SplitMix) throws {
        let items = (0..<40).map { item($0, &random) }
        try store.insert((0..<6).map { owner($0, &random) }, into: "Owner")
        try store.insert(items, into: "Item")
        try store.insert((0..<30).map { tag($0, &random) }, into: "Tag")
    }

    /// The requests, each with the key of its sections.
    static func requests() throws -> [(StoreRequest, sections: String?)] {
        let rank = PredicateSortKey("rank")
        return [
            (StoreRequest("Item"), nil),
            (StoreRequest("Item", where: try FormatPredicate("open == YES AND rank != nil"), sort: [rank]), "part"),
            (
                StoreRequest(
                    "Item", sort: [PredicateSortKey("title", options: [.caseInsensitive])], limit: 7, offset: 3), nil
            ),
            (
                StoreRequest(
                    "Item", where: try FormatPredicate("rank > 2"),
                    sort: [PredicateSortKey("part", descending: true, options: [.caseInsensitive]), rank], limit: 9),
                "part"
            ),
            (
                StoreRequest(
                    "Item", where: try FormatPredicate("owner.city != nil"), sort: [PredicateSortKey("owner.name")]),
                "owner.city"
            ),
            (
                StoreRequest(
                    "Item", where: try FormatPredicate("ANY tags.name BEGINSWITH 'a'"),
                    sort: [PredicateSortKey("rank", descending: true)], limit: 5, offset: 2), nil
            ),
            (StoreRequest("Item", where: try FormatPredicate("tags.@count > 0"), sort: [rank], limit: 0), "rank"),
        ]
    }
}

/// The contents of a list as a table shows them.
struct Shown: Equatable {
    struct Row: Equatable {
        let key: [PredicateValue]
        let attributes: ValueDictionary

        init(_ object: StoredObject) {
            key = object.primaryKey
            attributes = object.attributes
        }
    }

    var sections: [[Row]]

    init(_ results: ObservedResults.Snapshot) { sections = results.sections.map { results[$0.range].map(Row.init) } }

    /// The contents for objects in order.
    init(_ objects: [StoredObject], by section: String?) {
        guard let section else {
            sections = [objects.map(Row.init)]
            return
        }
        sections = []
        var last: PredicateValue?
        for object in objects {
            let value = object.value(at: section)
            if value == last {
                sections[sections.count - 1].append(Row(object))
            } else {
                sections.append([Row(object)])
            }
            last = value
        }
    }

    /// Applies a change as a table view does.
    mutating func apply(_ change: ObservedResults.Change) {
        for position in (change.deleted + change.moved.map(\.from)).sorted(by: {
            ($1.section, $1.item) < ($0.section, $0.item)
        }) {
            sections[position.section].remove(at: position.item)
        }
        for section in change.deletedSections.reversed() {
            #expect(sections[section].isEmpty)
            sections.remove(at: section)
        }
        for section in change.insertedSections { sections.insert([], at: section) }
        let inserted = change.inserted + change.moved.map(\.to)
        for position in inserted.sorted(by: { ($0.section, $0.item) < ($1.section, $1.item) }) {
            sections[position.section].insert(Row(change.results[position]), at: position.item)
        }
        for move in change.changed {
            sections[move.to.section][move.to.item] = Row(change.results[move.to])
        }
    }
}

/// An observed list, the table that applies its changes, and the changes.
private struct Watched {
    let list: ObservedResults
    let sections: String?
    var changes: ObservedResults.Iterator
    var shown: Shown

    init(_ list: ObservedResults, _ sections: String?) async throws {
        self.list = list
        self.sections = sections
        changes = list.makeAsyncIterator()
        shown = Shown(sections: sections == nil ? [[]] : [])
        let first = try #require(try await changes.next())
        shown.apply(first)
    }

    /// An observed list for each request.
    static func lists(_ observe: (StoreRequest, String?) throws -> ObservedResults) async throws -> [Watched] {
        var lists: [Watched] = []
        for (request, sections) in try Board.requests() {
            lists.append(try await Watched(try observe(request, sections), sections))
        }
        return lists
    }

    /// Compares the list and the table with a new fetch.
    mutating func check(_ store: some PredicateStore, _ edit: String) async throws {
        // A changed value of a related object may cause a change of a row whose shown values stay the same.
        while Shown(list.results) != shown, let change = try await changes.next() {
            shown.apply(change)
            #expect(shown == Shown(change.results), "a change after \(edit)")
            if shown != Shown(change.results) { break }
        }
        var request = list.request
        if request.sort.isEmpty { request.sort = [PredicateSortKey("id")] }
        let fresh = Shown(try store.fetch(request), by: sections)
        #expect(Shown(list.results) == fresh, "the list after \(edit): \(request)")
        #expect(shown == fresh, "the applied changes after \(edit): \(request)")
    }
}

extension Shown {
    fileprivate init(sections: [[Row]]) { self.sections = sections }
}

@Suite struct ObservedResultsTests {
    /// Makes one random edit of a store. Returns its description.
    private static func edit(_ store: some PredicateStore, _ next: inout Int, _ random: inout SplitMix) throws -> String
    {
        func some() throws -> FormatPredicate {
            let first = random.below(60)
            return try FormatPredicate("id >= %@ AND id <= %@", first, first + random.below(4))
        }
        switch random.below(9) {
        case 0, 1:
            let count = 1 + random.below(3)
            let items = (0..<count).map { Board.item(next + $0, &random) }
            next += count
            try store.insert(items, into: "Item")
            return "inserting \(count)"
        case 2:
            // Keeps about a hundred of the inserted items, so that a long run does not become slower.
            let older = try FormatPredicate("id >= 1000 AND id < %@", next - random.below(100))
            let deleted = random.chance(50) ? try some() : older
            return "deleting \(try store.delete(StoreRequest("Item", where: deleted)))"
        case 3:
            let rank = random.chance(20) ? PredicateValue.null : .integer(Int64(random.below(12)))
            return
                "ranks \(try store.update(StoreRequest("Item", where: try some()), set: [KeyAssignment("rank", rank)]))"
        case 4:
            let part = PredicateValue.string(random.pick(["x", "X", "y", "z"]))
            return
                "parts \(try store.update(StoreRequest("Item", where: try some()), set: [KeyAssignment("part", part)]))"
        case 5:
            let items = (0..<1 + random.below(4)).map { _ in Board.item(random.below(60), &random) }
            try store.upsert(items, into: "Item")
            return "upserting \(items.count)"
        case 6:
            try store.upsert([Board.owner(random.below(6), &random)], into: "Owner")
            return "an owner"
        case 7:
            do throws(StoreFailure) {
                try store.upsert([Board.tag(random.below(40), &random)], into: "Tag")
                return "a tag"
            } catch {
                guard case .constraint = error else { throw error }
                return "a refused tag"
            }
        default:
            let request = StoreRequest(
                "Item", where: try some(), sort: [PredicateSortKey("rank")], limit: 1 + random.below(2))
            return
                "titles \(try store.update(request, set: [KeyAssignment("title", .string(random.pick(Board.titles)))]))"
        }
    }

    private struct Undo: Error {}

    @Test func listsInMemoryEqualFreshFetches() async throws {
        let store = try InMemoryStore(try Board.schema(), [:])
        var random = SplitMix(0x0B5)
        try Board.fill(store, &random)
        var lists = try await Watched.lists { try store.observe($0, sections: $1) }
        var next = 1000
        for _ in 0..<TestDepth.count(1000) {
            let edit = try Self.edit(store, &next, &random)
            for index in lists.indices { try await lists[index].check(store, edit) }
        }
    }

    @Test(arguments: [false, true]) func listsInDatabasesEqualFreshFetches(writeAheadLog: Bool) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("observed-\(UUID()).sqlite").path
        defer { WritingTests.remove(path) }
        let store = try Board.database(path, writeAheadLog: writeAheadLog)
        var random = SplitMix(writeAheadLog ? 0x0B6 : 0x0B7)
        try Board.fill(store, &random)
        let other = try SQLiteStore(path: path, schema: try Board.schema(), mode: .readWrite)
        var lists = try await Watched.lists { try store.observe($0, sections: $1) }
        var next = 1000
        for _ in 0..<TestDepth.count(1000) {
            var edit = ""
            switch random.below(8) {
            case 0:
                edit = try "elsewhere, " + Self.edit(other, &next, &random)
                for watched in lists { try watched.list.refresh() }
            case 1:
                edit = "undone"
                try? store.transaction {
                    edit += try " " + Self.edit(store, &next, &random)
                    throw Undo()
                }
            case 2:
                try store.transaction {
                    edit = try Self.edit(store, &next, &random)
                    try? store.transaction {
                        edit += try " and undone " + Self.edit(store, &next, &random)
                        throw Undo()
                    }
                    edit += try " and " + Self.edit(store, &next, &random)
                }
            case 3:
                edit = "a statement"
                _ = try store.rows(
                    "UPDATE item SET rank = coalesce(rank, 0) + 1 WHERE id % 7 = ?", [.integer(Int64(random.below(7)))])
            default: edit = try Self.edit(store, &next, &random)
            }
            for index in lists.indices { try await lists[index].check(store, edit) }
        }
    }

    #if os(Linux)
        private static let variable = "PREDICATE_EDITED_DATABASE"
        private static let edited = ProcessInfo.processInfo.environment[variable]

        /// In the other process: makes a random edit for each line of its input.
        @Test(.enabled(if: edited != nil)) func editsUntilItsInputEnds() throws {
            let store = try SQLiteStore(path: try #require(Self.edited), schema: try Board.schema(), mode: .readWrite)
            var random = SplitMix(0x0B8)
            var next = 1_000_000
            while let line = readLine() { try OtherProcess.report("\(line): \(Self.edit(store, &next, &random)).") }
        }

        @Test(arguments: [false, true]) func listsFollowTheEditsOfAnotherProcess(writeAheadLog: Bool) async throws {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("observed-\(UUID()).sqlite").path
            defer { WritingTests.remove(path) }
            let store = try Board.database(path, writeAheadLog: writeAheadLog)
            var random = SplitMix(writeAheadLog ? 0x0B9 : 0x0BA)
            try Board.fill(store, &random)
            var lists = try await Watched.lists { try store.observe($0, sections: $1) }
            let editor = try OtherProcess(test: "editsUntilItsInputEnds", environment: [Self.variable: path])
            var next = 1000
            for turn in 0..<TestDepth.count(500) {
                try editor.send("edit \(turn)")
                try #require(editor.wait(for: "edit \(turn): "))
                for watched in lists { try watched.list.refresh() }
                // Both processes edit in turn.
                if random.chance(50) { _ = try Self.edit(store, &next, &random) }
                for index in lists.indices { try await lists[index].check(store, "edit \(turn) of the other process") }
            }
            _ = try editor.end()
        }
    #endif

    // MARK: Single cases

    private static func keys(_ list: ObservedResults) -> [Int64] {
        list.results.compactMap { if case .integer(let number) = $0["id"] { number } else { nil } }
    }

    @Test func aChangeHasTheRowsOfATableView() async throws {
        let store = try InMemoryStore(
            try Board.schema(),
            [
                "Item": [("a", "x"), ("b", "x"), ("c", "y")].enumerated().map { index, item in
                    ValueDictionary([
                        ("id", .integer(Int64(index))), ("title", .string(item.0)), ("part", .string(item.1)),
                        ("open", .bool(true)),
                    ])
                }
            ])
        let list = try store.observe(StoreRequest("Item", sort: [PredicateSortKey("title")]), sections: "part")
        #expect(list.request.sort.map(\.path) == ["part", "title"])
        var changes = list.makeAsyncIterator()
        let first = try await changes.next()
        #expect(
            first?.insertedSections == [0, 1] && first?.inserted.map(\.description) == ["[0, 0]", "[0, 1]", "[1, 0]"])
        let c = StoreRequest("Item", where: try FormatPredicate("title == 'c'"))
        _ = try store.update(c, set: [KeyAssignment("part", .string("x"))])
        let second = try #require(try await changes.next())
        #expect(second.moved.map(\.from.description) == ["[1, 0]"] && second.moved.map(\.to.description) == ["[0, 2]"])
        #expect(second.deletedSections == [1] && second.insertedSections.isEmpty && second.deleted.isEmpty)
        // Its position among the others stays the same.
        _ = try store.update(c, set: [KeyAssignment("title", .string("d"))])
        let third = try #require(try await changes.next())
        #expect(third.moved.isEmpty && third.changed.map(\.to.description) == ["[0, 2]"])
        #expect(third.results.sections.map(\.value) == [.string("x")] && third.results[2]["title"] == .string("d"))
        // Writing the same values is no change.
        _ = try store.update(StoreRequest("Item"), set: [KeyAssignment("open", .bool(true))])
        _ = try store.delete(StoreRequest("Item"))
        let last = try #require(try await changes.next())
        #expect(last.deleted.count == 3 && last.deletedSections == [0] && last.results.isEmpty)
    }

    @Test func theNextObjectEntersTheWindow() throws {
        let store = try Board.database(":memory:")
        var random = SplitMix(state: 1)
        try store.insert((0..<500).map { Board.item($0, &random) }, into: "Item")
        let list = try store.observe(StoreRequest("Item", sort: [PredicateSortKey("id")], limit: 3, offset: 1))
        for first in 1..<300 {
            #expect(Self.keys(list) == (first..<first + 3).map(Int64.init))
            _ = try store.delete(StoreRequest("Item", where: FormatPredicate("id == %@", first)))
        }
    }

    @Test func iterationsThatWaitGetOneChange() async throws {
        let store = try Board.database(":memory:")
        var random = SplitMix(state: 2)
        let list = try store.observe(StoreRequest("Item"))
        var changes = list.makeAsyncIterator()
        var shown = Shown(sections: [[]])
        shown.apply(try #require(try await changes.next()))
        for id in 0..<300 { try store.insert([Board.item(id, &random)], into: "Item") }
        let all = try #require(try await changes.next())
        #expect(all.inserted.count == 300)
        shown.apply(all)
        _ = try store.delete(StoreRequest("Item", where: FormatPredicate("id < 10")))
        shown.apply(try #require(try await changes.next()))
        #expect(shown == Shown(list.results) && list.results.count == 290)
    }

    @Test func changesOfOtherConnectionsArePolled() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("observed-\(UUID()).sqlite").path
        defer { WritingTests.remove(path) }
        let store = try Board.database(path)
        let other = try SQLiteStore(path: path, schema: try Board.schema(), mode: .readWrite)
        let list = try store.observe(StoreRequest("Item"), polling: .milliseconds(5))
        let counts = Task {
            var counts: [Int] = []
            for try await change in list {
                counts.append(change.results.count)
                if change.results.count == 2 { break }
            }
            return counts
        }
        var random = SplitMix(state: 3)
        try other.insert([Board.item(1, &random), Board.item(2, &random)], into: "Item")
        #expect(try await counts.value.last == 2)
    }

    @Test func cancelledIterationsEnd() async throws {
        let store = try Board.database(":memory:")
        let list = try store.observe(StoreRequest("Item"))
        let task = Task {
            var count = 0
            for try await _ in list { count += 1 }
            return count
        }
        task.cancel()
        #expect(try await task.value <= 1)
    }

    /// The list also follows changes by a trigger, which no call names.
    @Test func triggersAreFollowed() throws {
        let store = try Board.database(":memory:")
        var random = SplitMix(state: 4)
        try Board.fill(store, &random)
        _ = try store.rows(
            "CREATE TRIGGER gone AFTER DELETE ON owner BEGIN DELETE FROM item WHERE owner_id = OLD.id; END")
        let list = try store.observe(StoreRequest("Item"))
        _ = try store.delete(StoreRequest("Owner", where: FormatPredicate("id == 1")))
        #expect(
            Self.keys(list)
                == (try store.fetch(StoreRequest("Item", sort: [PredicateSortKey("id")]))).map {
                    if case .integer(let number) = $0["id"] { number } else { -1 }
                })
        #expect(!list.results.contains { $0["owner"] == .integer(1) } && list.results.count < 40)
    }

    @Test func keysThatTheDatabaseMakesAreFollowed() throws {
        let store = try Board.database(":memory:")
        let list = try store.observe(
            StoreRequest("Item", sort: [PredicateSortKey("title", descending: true)], limit: 2))
        for title in ["a", "c", "b"] {
            try store.insert([ValueDictionary([("title", .string(title)), ("open", .bool(true))])], into: "Item")
        }
        #expect(list.results.map { $0["title"] } == [.string("c"), .string("b")])
        _ = try store.update(
            StoreRequest("Item", where: FormatPredicate("title == 'a'")), set: [KeyAssignment("id", .integer(99))])
        _ = try store.delete(StoreRequest("Item", where: FormatPredicate("title == 'c'")))
        #expect(Self.keys(list) == [3, 99])
    }

    @Test func nowIsReadAgainByRefresh() throws {
        let schema = try PredicateSchema([
            .init("Alert", primaryKey: ["id"], attributes: [.init("id", .integer), .init("due", .date)])
        ])
        let soon = Date.now.timeIntervalSinceReferenceDate + 0.01
        let store = try InMemoryStore(
            schema, ["Alert": [ValueDictionary([("id", .integer(1)), ("due", .date(soon))])]])
        let list = try store.observe(StoreRequest("Alert", where: FormatPredicate("due <= now()")))
        while Date.now.timeIntervalSinceReferenceDate <= soon {}
        try list.refresh()
        #expect(list.results.count == 1)
    }

    @Test func invalidObservationsThrow() throws {
        let store = try Board.database(":memory:")
        func message(_ request: StoreRequest, _ sections: String? = nil) -> String {
            errorText { _ = try store.observe(request, sections: sections) }
        }
        #expect(message(StoreRequest("Itm")).contains("Item"))
        #expect(message(StoreRequest("Item"), "prt").contains("part"))
        #expect(message(StoreRequest("Item", where: try FormatPredicate("titel == 'a'"))).contains("title"))
        var groups = StoreRequest("Item")
        groups.groupBy = ["part"]
        #expect(message(groups).contains("records"))
        let list = try store.observe(StoreRequest("Item"))
        #expect(throws: StoreFailure.self) { try store.transaction { _ = try store.observe(StoreRequest("Item")) } }
        #expect(throws: StoreFailure.self) { try store.transaction { try list.refresh() } }
        // A row that does not fit the schema ends the iterations with an error, but does not make the writer fail.
        _ = try store.rows("INSERT INTO item (id, title, open) VALUES (1, 'a', 'x')")
        #expect(list.results.isEmpty)
        #expect(throws: StoreFailure.self) { try list.refresh() }
        _ = try store.rows("UPDATE item SET open = 1")
        #expect(Self.keys(list) == [1])
    }
}
