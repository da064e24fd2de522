// Tests that a predicate that is too deep, too long or too large for an engine becomes the residual, and never causes
// an error of the engine. They run on a real SQLite, whose parser has the lowest limits.

import Foundation
import PredicateEvaluation
import PredicateTestSupport
import Testing

@testable import PredicateSQL

@Suite(.enabled(if: SQLiteDatabase.isAvailable))
struct LimitTests {
    private static func people(_ seed: UInt64) throws -> DataSet {
        var random = SplitMix(seed)
        let sqlite = try #require(Engine.named(.sqlite))
        return DataSet(NamedSchema(name: "people", schema: try Fixtures.schema()), storing: sqlite, &random)
    }

    private static func run(_ predicate: FormatPredicate) throws -> SQLQuery {
        let database = try SQLiteDatabase()
        let people = try Self.people(7)
        try people.tables.forEach(database.fill)
        let query = try predicate.sql(.sqlite, entity: "Person", in: Fixtures.schema())
        let found = try database.run(query.statement, query.bindings).map(Int.init)
        let objects = ObjectGraph(people).objects(of: "Person").map(\.object)
        // A row for which the predicate throws is not selected.
        func holds(_ predicate: FormatPredicate, _ index: Int) -> Bool {
            (try? predicate.evaluate(objects[index])) ?? false
        }
        let expected = objects.indices.filter { holds(predicate, $0) }
        let kept = found.filter { row in query.residual.map { holds($0, row) } ?? true }
        #expect(kept.sorted() == expected)
        return query
    }

    @Test(.cases) func alternatingGroupsCauseNoEngineError() {
        forEachCase([5, 10, 20, 40, 90] as [Int]) { depth in
            var predicate = try FormatPredicate("rank > 0")
            for level in 0..<depth {
                let other = try FormatPredicate(level % 3 == 0 ? "nick CONTAINS 'a'" : "age < 3")
                predicate = level % 2 == 0 ? predicate || other : predicate && other
                if level % 5 == 0 { predicate = !predicate }
            }
            let query = try Self.run(predicate)
            #expect(query.isExact == (depth <= 20))
        }
    }

    @Test(.cases) func nestedSubqueriesCauseNoEngineError() {
        forEachCase([1, 3, 5, 8, 20] as [Int]) { depth in
            // Each level uses the friends of the level above.
            var text = "$v\(depth).rank >= 0"
            for level in (1...depth).reversed() {
                let owner = level == 1 ? "" : "$v\(level - 1)."
                text = "SUBQUERY(\(owner)friends, $v\(level), \(text)).@count >= 0"
            }
            // There are too many friends of friends to visit all of them, so the test only checks that the engine can parse
            // the statement.
            if depth <= 5 { _ = try Self.run(FormatPredicate(text)) }
            let counted = text.replacingOccurrences(of: ">= 0", with: "> 1")
            let predicate = try FormatPredicate(counted)
            let query = try predicate.sql(.sqlite, entity: "Person", in: Fixtures.schema())
            let database = try SQLiteDatabase()
            try Self.people(8).tables.forEach(database.fill)
            try database.run(query.statement, query.bindings)
            if query.isExact {
                let change = try predicate.sql(
                    .update([KeyAssignment("rank", .integer(1))]), .sqlite, entity: "Person", in: Fixtures.schema())
                try database.run(change.text, change.bindings)
            }
            #expect(query.isExact == (depth <= 5))
            if depth > 8 { #expect(query.reasons.first?.sentence.contains("nested too deeply") == true) }
        }
    }

    @Test(.cases) func longChainsAreExact() {
        forEachCase([10, 500, TestDepth.isQuick ? 2_000 : 5_000] as [Int]) { count in
            let parts = try (0..<count).map { try FormatPredicate("rank == %@ AND age == %@", $0, $0) }
            #expect(try Self.run(.or(parts)).isExact)
            #expect(try Self.run(.not(.or(parts))).isExact)
        }
    }

    /// A chain in a chain in a chain: the height of the engine's expression tree is the sum of their lengths.
    @Test(.cases) func nestedChainsCauseNoEngineError() {
        forEachCase([(2, 60), (4, 60), (4, 300), (12, 90)] as [(Int, Int)]) { levels, length in
            var predicate = try FormatPredicate("rank > 0")
            for level in 0..<levels {
                let others = try (1..<length).map { try FormatPredicate("rank != %@", $0) }
                predicate = level % 2 == 0 ? .and([predicate] + others) : .or([predicate] + others.map { !$0 })
            }
            let query = try Self.run(predicate)
            #expect(query.isExact == (levels < 12))
        }
    }

    /// Each of 20 levels writes its condition twice. Without a limit the text would contain it a million times.
    @Test func nestedInexactCountsHaveALimitedLength() throws {
        var text = "$v20.age ** 2 > 2"
        for level in (1...20).reversed() {
            let owner = level == 1 ? "" : "$v\(level - 1)."
            text = "SUBQUERY(\(owner)friends, $v\(level), \(text)).@count == 1"
        }
        let query = try FormatPredicate(text).sql(.postgreSQL, entity: "Person", in: Fixtures.schema())
        #expect(!query.isExact)
        #expect(query.text.utf8.count < 100_000)
        var choice = "name"
        for _ in 0..<20 { choice = "TERNARY(\(choice) == 'x', name, nick)" }
        let chosen = try FormatPredicate(choice + " == 'y'").sql(.postgreSQL, entity: "Person", in: Fixtures.schema())
        #expect(!chosen.isExact)
        #expect(chosen.text.utf8.count < 100_000)
    }

    /// A function in a function, and with groups and subqueries around it.
    @Test func deepOperandsCauseNoEngineError() throws {
        for (depth, isExact) in [(5, true), (40, false)] {
            let calls = String(repeating: "uppercase:(", count: depth)
            let deep = "\(calls)name\(String(repeating: ")", count: depth)) != nick"
            #expect(try Self.run(FormatPredicate(deep)).isExact == isExact)
            var text = deep
            for level in 0..<12 { text = "(\(text)) \(level % 2 == 0 ? "OR" : "AND") rank > \(level)" }
            _ = try Self.run(FormatPredicate(text))
            _ = try Self.run(FormatPredicate("ANY friends.name == nick OR (rank > 0 AND (\(deep) OR age > 3))"))
        }
    }

    /// What has only constants is computed before anything is compared.
    @Test func constantsBesideCollectionsEnd() throws {
        let constants = ["floor(1)", "ceiling(1.5)", "trunc(2)", "abs(-1)", "1 + floor(1)", "TERNARY(1 == 1, 1, rank)"]
        for one in constants {
            for order in ["<", "<=", "==", "!=", ">", ">=", "BETWEEN {0, 3} AND 1 <", "IN {1, 2} OR 1 =="] {
                for term in ["ANY friends.rank > 1", "friends.@count > 1", "'a' IN tags", "orders.@sum.total > 2"] {
                    let predicate = try FormatPredicate("\(term) OR \(one) \(order) 2 AND NOT 2 \(order) \(one)")
                    for dialect in TestDepth.isQuickest ? SQLDialect.tested : SQLDialect.all {
                        _ = try predicate.sql(dialect, entity: "Person", in: Fixtures.schema())
                    }
                }
            }
            _ = try Self.run(FormatPredicate("ANY friends.rank > 1 OR \(one) == 2"))
        }
    }

    @Test func aStepLimitIsAnError() throws {
        var limits = PredicateLimits()
        limits.translationSteps = 10
        let environment = PredicateEnvironment(limits: limits)
        let predicate = try FormatPredicate(text: "rank > 1 OR age < 2 OR name == 'a' OR nick == 'b'", in: environment)
        let failure = #expect(throws: PredicateFailure.self) {
            try predicate.sql(.sqlite, entity: "Person", in: Fixtures.schema())
        }
        #expect(failure?.diagnostics.map(\.id) == [.limitExceeded])
        #expect(failure?.description.contains("the limit is 10") == true)
    }

    /// The same for a function that writes its argument twice.
    @Test(.cases) func nestedFunctionsHaveALimitedLength() {
        forEachCase(["abs:(X)", "-X", "modulus:by:(X, 7)", "onesComplement:(X)"] as [String]) { function in
            for depth in [3, 60] {
                var text = "age"
                for _ in 0..<depth { text = function.replacingOccurrences(of: "X", with: "(\(text))") }
                for dialect in SQLDialect.all {
                    let query = try FormatPredicate(text + " == 3").sql(
                        dialect, entity: "Person", in: Fixtures.schema())
                    #expect(query.text.utf8.count < 10_000)
                    #expect(depth == 3 || !query.isExact)
                }
                _ = try Self.run(FormatPredicate(text + " == 3"))
            }
        }
    }

    @Test func tooManyValuesGoToTheResidual() throws {
        let values = (0..<40_000).map { PredicateValue.integer(Int64($0)) }
        let predicate = try FormatPredicate("rank IN %@", arguments: [.array(values)])
        let query = try predicate.sql(.ansi, entity: "Person", in: Fixtures.schema())
        #expect(!query.isExact)
        #expect(query.bindings.isEmpty)
        #expect(query.reasons.map(\.sentence) == ["it has 40000 values, but the database allows 1000"])
        // A dialect that binds a list as one value has no such limit.
        #expect(try Self.run(predicate).isExact)
    }

    /// A list of n keys IN a list of n keys is n² comparisons; the order of folded texts needs long patterns.
    @Test func longTranslationsStop() throws {
        let dialect = SQLDialect.postgreSQL.changing { $0.limits.translation = 10_000 }
        let keys = (0..<30).map { $0 % 2 == 0 ? "rank" : "age + \($0)" }.joined(separator: ", ")
        let orders = (0..<8).map { "name <[cd] 'Grace \($0)'" }
        for text in ["ANY {\(keys)} IN {\(keys)}", orders.joined(separator: " AND "), orders.joined(separator: " OR ")]
        {
            let predicate = try FormatPredicate("rank > 1 AND (\(text))")
            let query = try predicate.sql(dialect, entity: "Person", in: Fixtures.schema())
            #expect(query.reasons.map(\.description) == ["the predicate: its SQL would be longer than 10000 bytes"])
            #expect(query.text.hasPrefix("\"t0\".\"rank\" > $1"))
            let whole = try predicate.sql(.postgreSQL, entity: "Person", in: Fixtures.schema())
            #expect(!whole.reasons.contains { $0.construct == "the predicate" })
        }
    }

    @Test func conditionsTooLongForTheEngineGoToTheResidual() throws {
        let dialect = SQLDialect.clickHouse.changing { $0.limits.text = 2_000 }
        for (count, isExact) in [(10, true), (100, false)] {
            let text = (0..<count).map { "rank == \($0)" }.joined(separator: " OR ")
            let query = try FormatPredicate(text).sql(dialect, entity: "Person", in: Fixtures.schema())
            #expect(query.reasons.map(\.sentence) == (isExact ? [] : ["its SQL would be longer than 2000 bytes"]))
        }
    }

    /// The parameter limit decides whether the statement has the column of sure rows, and whether there are bounds: the
    /// column repeats some of the condition's values, and the bounds repeat all of them.
    @Test(.cases) func sureColumnNeedsFreeParameters() {
        forEachCase(
            [(150, true, true), (250, true, false), (400, false, false)] as [(Int, Bool, Bool)]
        ) { count, isTold, isBounded in
            let values = PredicateValue.array((0..<count).map { .integer(Int64($0)) })
            let predicate = try FormatPredicate(
                "rank IN %@ AND (age IN %@ OR nick MATCHES 'a.*b')", arguments: [values, values])
            let schema = try Fixtures.schema()
            let select = try predicate.sql(.select(), .ansi, entity: "Person", in: schema)
            // The bound of the pattern has three texts.
            let condition = 2 * count + 3
            #expect(select.hasCertain == isTold && select.bindings.count == condition + (isTold ? count : 0))
            let bounds = try predicate.sql(.bounds, .ansi, entity: "Person", in: schema)
            #expect(bounds.text.hasPrefix("SELECT 0, COUNT(*)") != isBounded)
            #expect(bounds.bindings.count == condition + (isBounded ? condition + count : 0))
        }
    }
}

/// Tests of the query's properties: requirements, reasons, columns, joins, and errors.
@Suite struct QueryTests {
    private static func sql(
        _ format: String, _ dialect: SQLDialect = .sqlite, requireExact: Bool = false
    ) throws -> SQLQuery {
        try FormatPredicate(format).sql(dialect, entity: "Person", in: Fixtures.schema(), requireExact: requireExact)
    }

    @Test func reasonsHaveSpans() throws {
        let query = try Self.sql("age > 1 AND (name == 'a' OR height ** 2 > 2)")
        #expect(!query.isExact)
        #expect(query.residual?.description == "name == \"a\" OR height ** 2 > 2")
        let reason = try #require(query.reasons.first)
        #expect(reason.construct == "height ** 2 > 2")
        #expect(reason.span == SourceSpan(28, 43))
        #expect(query.text == "\"t0\".\"age_years\" > ?")
    }

    @Test func reasonsNameTheColumn() throws {
        #expect(try Self.sql("nick MATCHES 'a.*b'", .ansi).reasons.map(\.column) == ["nick"])
    }

    @Test func requiringExactnessThrows() throws {
        #expect(try Self.sql("name == 'a'", requireExact: true).isExact)
        let failure = #expect(throws: PredicateFailure.self) {
            try Self.sql("height ** 2 > 2 AND rank ** 2 > 3", requireExact: true)
        }
        #expect(failure?.diagnostics.map(\.id) == [.sqlInexact, .sqlInexact])
        #expect(failure?.description.contains("height ** 2 > 2 cannot be translated exactly") == true)
    }

    @Test(.cases) func typeErrorsThrow() {
        let cases: [String] = [
            "nam == 'a'", "name > 3", "orders.total > 3", "CAST(name, 'Class') == nil", "orders.items.title == 'x'",
        ]
        forEachCase(cases) { (format) throws in #expect(throws: PredicateFailure.self) { try Self.sql(format) } }
    }

    @Test func unknownEntityThrows() throws {
        let failure = #expect(throws: PredicateFailure.self) {
            try FormatPredicate("name == 'a'").sql(.sqlite, entity: "Persn", in: Fixtures.schema())
        }
        #expect(failure?.diagnostics.map(\.id) == [.unknownEntity])
    }

    @Test func requirementsAreListed() throws {
        #expect(
            try Self.sql("name CONTAINS[cd] 'e' OR nick LIKE 'a?b'").requirements == [
                .function("predicate_contains"), .function("predicate_like"),
            ])
        #expect(
            try Self.sql("name < 'x' AND boss.nick == 'y' AND age > 1", .postgreSQL).requirements == [
                .binaryCollation(table: "person", column: "name"), .binaryCollation(table: "person", column: "nick"),
            ])
        #expect(try Self.sql("boss.age > 1", .clickHouse).requirements == [.setting("join_use_nulls = 1")])
        #expect(try Self.sql("boss.age > 1").requirements == [])
    }

    @Test func joinsAreSharedAndOnlyIfUsed() throws {
        let query = try Self.sql("boss.name == 'a' OR boss.nick == 'b' OR boss.boss.age == 1")
        #expect(
            query.from == """
                "person" AS "t0" LEFT JOIN "person" AS "t1" ON "t1"."id" = "t0"."boss_id" \
                LEFT JOIN "person" AS "t2" ON "t2"."id" = "t1"."boss_id"
                """)
        #expect(try Self.sql("boss.name == 'a' AND FALSEPREDICATE").from == "\"person\" AS \"t0\"")
        #expect(try Self.sql("boss == nil").from == "\"person\" AS \"t0\"")
    }

    /// If an engine cannot store U+0000, no stored text contains it.
    @Test func textsWithNULEqualNothing() throws {
        func text(_ format: String) throws -> String {
            try FormatPredicate(format, arguments: [.string("a\0b")])
                .sql(.postgreSQL, entity: "Person", in: Fixtures.schema()).text
        }
        #expect(try text("name == %@") == "FALSE")
        #expect(try text("name != %@") == "TRUE")
        #expect(try text("name CONTAINS %@") == "FALSE")
        #expect(try text("name BEGINSWITH %@") == "FALSE")
        #expect(try text("name IN {%@, 'x'}") == "\"t0\".\"name\" = $1::text")
    }

    @Test func dialectsAreFoundByName() {
        #expect(SQLDialect.all.map(\.name).allSatisfy { SQLDialect.named($0.uppercased())?.name == $0 })
        #expect(SQLDialect.named("mariadb") == .mySQL)
        #expect(SQLDialect.named("dbase") == nil)
    }
}
