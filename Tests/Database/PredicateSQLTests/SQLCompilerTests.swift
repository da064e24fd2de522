// Tests of the cache of shapes: it returns the same as compiling, for every predicate and after any other predicates.

import PredicateTestSupport
import Testing

@testable import PredicateSQL

@Suite struct SQLCompilerTests {
    /// Predicates of one shape each, and values of many types for the argument.
    static let formats = [
        "age == %@", "age != %@", "rank < %@", "height > %@", "weight <= %@", "name == %@", "nick != %@",
        "name ==[c] %@", "name BEGINSWITH %@", "NOT name BEGINSWITH %@", "name CONTAINS %@", "name CONTAINS[cd] %@",
        "name ENDSWITH %@", "name LIKE %@", "active == %@", "vip != %@", "born < %@", "token == %@", "photo == %@",
        "debt > %@", "ANY orders.total > %@", "ALL orders.note == %@", "orders.@count > %@", "age IN {%@, 3}",
        "name IN {%@, 'b'}", "%@ == age", "%@ < height", "age BETWEEN {%@, 10}",
        "age > %@ AND (name == 'x' OR rank < 5)",
    ]
    static let values: [PredicateValue] = [
        .null, .bool(true), .bool(false), .integer(0), .integer(1), .integer(5), .integer(-7), .integer(.max),
        .integer(9_007_199_254_740_993), .double(0), .double(-0.0), .double(1), .double(2.5), .double(3.5),
        .double(1e300), .double(.infinity), .double(.nan), .string(""), .string("a"), .string("Bob"), .string("a\0"),
        .string("é"), .string("\u{301}"), .string("\u{10FFFF}"), .string("a*"), .string("~"), .string("\u{7F}"),
        .date(0), .date(1.5), .date(-3), .date(.infinity), .uuid(UniversalID(high: 1, low: 2)),
        .uuid(UniversalID(high: 3, low: 4)), .data([]), .data([1]), .data([2, 3]), .decimal(DecimalNumber(5)),
    ]

    @Test(.cases) func cacheReturnsWhatCompilingReturns() {
        forEachCase(SQLDialect.tested) { dialect in
            let schema = try Fixtures.schema()
            let compiler = SQLCompiler(dialect, schema: schema)
            for _ in 0..<2 {
                for format in Self.formats {
                    for value in TestDepth.some(Self.values, every: 10) {
                        let predicate = try FormatPredicate(format, arguments: [value])
                        let expected = try? predicate.sql(dialect, entity: "Person", in: schema)
                        let found = try? compiler.query(predicate, entity: "Person")
                        if found != expected { Issue.record("\(predicate)") }
                    }
                }
            }
        }
    }

    @Test(.cases) func cacheReturnsWhatCompilingReturnsForRandomPredicates() {
        forEachCase(SQLDialect.tested) { dialect in
            let corpus = try Corpus(stream: 3)
            let engine = try #require(Engine.named(.sqlite))
            var compilers: [String: SQLCompiler] = [:]
            var random = SplitMix(8)
            for index in 0..<TestDepth.count(60) {
                let (data, cases) = try corpus.batch(index, for: engine)
                let compiler = compilers[data.named.name] ?? SQLCompiler(dialect, schema: data.schema, capacity: 50)
                compilers[data.named.name] = compiler
                for one in cases {
                    for number in 0..<4 {
                        let predicate = number == 0 ? one.predicate : Self.varied(one.predicate, &random)
                        let expected = try? predicate.sql(dialect, entity: one.entity, in: data.schema)
                        let found = try? compiler.query(predicate, entity: one.entity)
                        if found != expected { Issue.record("\(dialect): \(predicate)") }
                    }
                }
            }
        }
    }

    /// Columns whose values differ from the attributes' values: folded texts, units of decimals, ticks of dates.
    @Test(.inCI, .cases) func cacheReturnsWhatCompilingReturnsForEncodedColumns() {
        forEachCase(SQLDialect.tested) { dialect in
            let schema = try ExactnessTests.schema()
            let compiler = SQLCompiler(dialect, schema: schema)
            let texts = ["ann", "ANN", "Ánn", "", "\u{301}", "a\u{301}", "\u{301}a", "a\0b", "ß", "z\u{10FFFF}"]
            let tests: [(formats: [String], values: [PredicateValue])] = [
                (
                    [
                        "title ==[cd] %@", "title <[cd] %@", "other !=[cd] %@", "title BEGINSWITH[cd] %@",
                        "other CONTAINS[cd] %@", "NOT title ENDSWITH[cd] %@", "%@ CONTAINS[cd] other", "title == %@",
                    ], texts.map(PredicateValue.string)
                ),
                (
                    ["price %@", "cost %@", "NOT cost %@"],
                    [.integer(1), .integer(.max), .double(1.5)]
                        + ["0", "1.5", "1.25", "1.255", "92233720368547758.07", "-92233720368547758.08", "1e30"]
                        .compactMap { DecimalNumber($0).map(PredicateValue.decimal) }
                ),
                (
                    ["told %@", "seen %@", "NOT seen %@", "read %@"],
                    [
                        0, 1, 0.0005, 0.0000005, -978_307_200, 722_620_800.123456, 1e17, -1e17, 252_423_993_599.999999,
                        -63_113_904_000, .infinity, -.infinity, .nan,
                    ].map(PredicateValue.date)
                ),
            ]
            for (formats, values) in tests {
                let operators = formats[0].contains("[") ? [""] : ["== ", "!= ", "< ", "<= ", "> ", ">= "]
                for format in formats {
                    for sign in operators {
                        for value in values {
                            let text = format.replacing(" %@", with: " \(sign)%@")
                            let predicate = try FormatPredicate(text, arguments: [value])
                            Self.compare(compiler, .select(), predicate, "Person")
                        }
                    }
                }
            }
        }
    }

    /// A long list is bound as one value, so lists of other lengths have the same text.
    @Test(.cases) func listsOfOtherLengthsCompileNothing() {
        forEachCase(SQLDialect.tested) { dialect in
            let schema = try Fixtures.schema()
            let compiler = SQLCompiler(dialect, schema: schema)
            let numbers = [65, 66, 200, 64, 65].map { count in (0..<Int64(count)).map { PredicateValue.integer($0 * 3) }
            }
            let texts = numbers.map { $0.map { PredicateValue.string("\($0)") } }
            let others: [[PredicateValue]] = [
                numbers[0] + [.double(1)], numbers[0] + [.double(1.5)], numbers[0] + [.null], numbers[0] + numbers[0],
                numbers[3] + numbers[3], texts[0] + [.string("a\0")], texts[0] + [.string("\"\u{1}")], [], texts[0],
            ]
            for format in ["rank IN %@", "name IN %@", "height IN %@", "NOT age IN %@", "ANY orders.total IN %@"] {
                for list in numbers + texts + others {
                    let predicate = try FormatPredicate(format, arguments: [.array(list)])
                    Self.compare(compiler, .select(), predicate, "Person")
                }
            }
            guard dialect != .ansi else { return }
            for (format, lists) in [("rank IN %@", numbers), ("name IN %@", texts)] {
                let compiler = SQLCompiler(dialect, schema: schema)
                _ = try compiler.query(FormatPredicate(format, arguments: [.array(lists[0])]), entity: "Person")
                for list in lists {
                    let predicate = try FormatPredicate(format, arguments: [.array(list)])
                    #expect(
                        compiler.isCached(nil, predicate, entity: "Person") == (list.count > 64),
                        "\(dialect), \(list.count)")
                }
            }
        }
    }

    @Test func listsAndRangesAreCached() throws {
        let schema = try Fixtures.schema()
        let compiler = SQLCompiler(.postgreSQL, schema: schema)
        let lists: [PredicateValue] = [
            .array([.integer(1), .integer(2)]), .array([.integer(2), .integer(1)]), .array([.integer(7), .integer(7)]),
            .array([.integer(3), .integer(9)]), .array([.integer(1), .null]), .array([.string("a"), .integer(1)]),
            .array([]), .array([.integer(4)]), .array([.double(0), .double(1)]), .array([.double(-0.0), .double(0)]),
        ]
        for format in ["age IN %@", "age BETWEEN %@", "NOT age IN %@", "height IN %@", "height BETWEEN %@"] {
            for list in lists {
                let predicate = try FormatPredicate(format, arguments: [list])
                let expected = try? predicate.sql(.postgreSQL, entity: "Person", in: schema)
                #expect((try? compiler.query(predicate, entity: "Person")) == expected, "\(predicate)")
            }
        }
    }

    // MARK: Statements

    private static let requests: [SQLQuery.Request] = [
        .select(), .select(sort: [PredicateSortKey("name")], limit: 3),
        .select(sort: [PredicateSortKey("name")], limit: 8),
        .select(sort: [PredicateSortKey("boss.nick", descending: true)], limit: 3, offset: 2),
        .select(limit: 0, offset: 7), .select(offset: 4), .select(sort: [PredicateSortKey("extra")], limit: 3),
        .select(sort: [PredicateSortKey("orders.@count")]), .count, .bounds, .delete,
        .update([KeyAssignment("rank", .integer(3))]), .update([KeyAssignment("rank", .integer(4))]),
        .update([KeyAssignment("rank", .double(4))]), .update([KeyAssignment("nick", .null)]),
        .update([KeyAssignment("nick", .string("x")), KeyAssignment("boss", .integer(1))]),
        .update([KeyAssignment("nick", .string("")), KeyAssignment("boss", .string("k"))]),
        .update([KeyAssignment("debt", .decimal(DecimalNumber(5)))]), .update([KeyAssignment("debt", .integer(.max))]),
        .update([KeyAssignment("debt", DecimalNumber("0.12345678901").map(PredicateValue.decimal) ?? .null)]),
        .update([KeyAssignment("rnk", .integer(3))]), .update([]),
    ]

    /// Each statement is compared after statements with other requests and other values.
    @Test(.inCI, .cases) func cachedStatementsAreThoseOfCompiling() {
        forEachCase(SQLDialect.tested) { dialect in
            let schema = try Fixtures.schema()
            let compiler = SQLCompiler(dialect, schema: schema)
            let formats = [
                "age == %@", "name BEGINSWITH %@", "NOT name CONTAINS[cd] %@", "boss.nick != %@", "age IN {%@, 3}",
            ]
            for format in formats {
                for value: PredicateValue in [
                    .integer(1), .string("a"), .null, .integer(2), .string("b"), .string(""), .double(2.5),
                ] {
                    let predicate = try FormatPredicate(format, arguments: [value])
                    for request in Self.requests { Self.compare(compiler, request, predicate, "Person") }
                }
            }
        }
    }

    /// Compares the cached result with a new one, including errors.
    private static func compare(
        _ compiler: SQLCompiler, _ request: SQLQuery.Request, _ predicate: FormatPredicate, _ entity: String
    ) {
        func answer(
            _ body: () throws(PredicateFailure) -> SQLStatement
        ) -> Result<SQLStatement, PredicateFailure> { Result(catching: body) }
        let new = answer { () throws(PredicateFailure) in
            try predicate.sql(request, compiler.dialect, entity: entity, in: compiler.schema)
        }
        let known = answer { () throws(PredicateFailure) in try compiler.statement(request, predicate, entity: entity) }
        if known != new {
            Issue.record("\(compiler.dialect), \(entity), \(request): \(predicate)\n\(known)\n\(new)")
        }
    }

    /// Random predicates with changed constants, and random requests. The result must not depend on earlier predicates.
    @Test(.cases) func cachedRandomStatementsAreThoseOfCompiling() {
        forEachCase(SQLDialect.tested) { dialect in
            let corpus = try Corpus(stream: 4)
            let engine = try #require(Engine.named(.sqlite))
            var random = SplitMix(7)
            var compilers: [String: SQLCompiler] = [:]
            var known = 0
            for index in 0..<(TestDepth.isQuickest ? 1 : TestDepth.isQuick ? 2 : 8) {
                let (data, cases) = try corpus.requests(index, for: engine)
                let compiler = compilers[data.named.name] ?? SQLCompiler(dialect, schema: data.schema, capacity: 50)
                compilers[data.named.name] = compiler
                for one in TestDepth.isQuickest ? Array(cases.prefix(100)) : cases {
                    for _ in 0..<3 {
                        let predicate = Self.varied(one.predicate, &random)
                        let requests: [SQLQuery.Request] = [
                            .select(
                                sort: one.sort, limit: one.limit.map { $0 + Int(random.next() % 9) }, offset: one.offset
                            ),
                            .count, .bounds, .update(one.assignment.map { [$0] } ?? []),
                        ]
                        for request in requests {
                            known += compiler.isCached(request, predicate, entity: one.entity) ? 1 : 0
                            Self.compare(compiler, request, predicate, one.entity)
                        }
                    }
                }
            }
            #expect(known > (TestDepth.isQuick ? TestDepth.least(10) : 100))
        }
    }

    /// Replaces most constants with others of the same or of another type.
    private static func varied(_ predicate: FormatPredicate, _ random: inout SplitMix) -> FormatPredicate {
        var seeded = random
        func value(_ old: PredicateValue, depth: Int = 0) -> PredicateValue {
            if seeded.chance(30) { return old }
            if case .array(let elements) = old, depth == 0 {
                let count = seeded.chance(70) ? elements.count : Int(seeded.next() % 70)
                return .array(
                    (0..<count).map { value(elements.isEmpty ? .null : elements[$0 % elements.count], depth: 1) })
            }
            guard let type = SQLType.allCases.first(where: { Self.isOf($0, old) }), seeded.chance(90) else {
                return .null
            }
            return Pools.value(type, &seeded)
        }
        let rewriter = PredicateRewriter<Never>(expression: { node in
            guard case .value(let old) = node.kind else { return node }
            return ExpressionNode(.value(value(old)), span: node.span)
        })
        defer { random = seeded }
        return FormatPredicate(rewriter.rewrite(predicate.root), source: predicate.source)
    }

    private static func isOf(_ type: SQLType, _ value: PredicateValue) -> Bool {
        switch (type, value) {
        case (.boolean, .bool), (.integer, .integer), (.double, .double), (.decimal, .decimal), (.text, .string),
            (.date, .date), (.data, .data), (.uuid, .uuid), (.url, .url):
            true
        default: false
        }
    }

    /// Other values and other limits need no new compilation.
    @Test(.cases) func otherValuesCompileNothing() {
        let cases: [(String, [PredicateValue], [PredicateValue])] = [
            ("age > %@ AND name BEGINSWITH %@", [.integer(1), .string("a")], [.integer(7), .string("bcd")]),
            ("rank IN %@", [.array([.integer(1), .integer(2)])], [.array([.integer(8), .integer(5)])]),
            ("name CONTAINS[cd] %@ OR born < %@", [.string("a"), .date(1)], [.string("é z"), .date(9)]),
            ("%@ < height AND NOT debt > %@", [.integer(1), .integer(2)], [.integer(-7), .integer(70)]),
            (
                "ANY orders.total BETWEEN %@", [.array([.integer(1), .integer(2)])],
                [.array([.integer(3), .integer(3)])]
            ),
        ]
        forEachCase(cases) { format, first, second in
            let compiler = SQLCompiler(.sqlite, schema: try Fixtures.schema())
            let (one, other) = (
                try FormatPredicate(format, arguments: first), try FormatPredicate(format, arguments: second)
            )
            let pairs: [(SQLQuery.Request, SQLQuery.Request)] = [
                (
                    .select(sort: [PredicateSortKey("name")], limit: 1, offset: 2),
                    .select(sort: [PredicateSortKey("name")], limit: 9, offset: 1)
                ),
                (.count, .count), (.bounds, .bounds), (.delete, .delete),
                (.update([KeyAssignment("rank", .integer(1))]), .update([KeyAssignment("rank", .integer(2))])),
            ]
            for (request, next) in pairs {
                #expect(!compiler.isCached(request, one, entity: "Person"))
                let text = try compiler.statement(request, one, entity: "Person").text
                #expect(compiler.isCached(next, other, entity: "Person"))
                #expect(try compiler.statement(next, other, entity: "Person").text == text)
            }
            // Another sort, a limit without an offset, or another column needs another text.
            #expect(
                !compiler.isCached(
                    .select(sort: [PredicateSortKey("nick")], limit: 1, offset: 2), one, entity: "Person"))
            #expect(!compiler.isCached(.select(sort: [PredicateSortKey("name")], limit: 1), one, entity: "Person"))
            #expect(!compiler.isCached(.update([KeyAssignment("weight", .double(1))]), one, entity: "Person"))
        }
    }
}

extension SQLCompiler {
    /// Whether the SQL of a request is in the cache; that of the query if there is no request.
    fileprivate func isCached(_ request: SQLQuery.Request?, _ predicate: FormatPredicate, entity: String) -> Bool {
        guard let known = find(predicate, entity, PredicateShape.hash(predicate.root, of: entity)) else { return false }
        guard let request else { return true }
        let written = try? WrittenRequest(request, entity, dialect, schema)
        return written.flatMap { known.shape.statement($0, known.query, known.constants) } != nil
    }
}
