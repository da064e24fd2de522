// The cache of shapes: what it answers is what compiling answers, for every predicate and whatever it saw before.

import PredicateModel
import PredicateSQL
import PredicateSyntax
import Testing

@Suite struct SQLCompilerTests {
    /// Predicates of one shape each, and values of many kinds in its place.
    static let formats = [
        "age == %@", "age != %@", "rank < %@", "height > %@", "weight <= %@", "name == %@", "nick != %@",
        "name ==[c] %@",
        "name BEGINSWITH %@", "NOT name BEGINSWITH %@", "name CONTAINS %@", "name CONTAINS[cd] %@", "name ENDSWITH %@",
        "name LIKE %@", "active == %@", "vip != %@", "born < %@", "token == %@", "photo == %@", "debt > %@",
        "ANY orders.total > %@", "ALL orders.note == %@", "orders.@count > %@", "age IN {%@, 3}", "name IN {%@, 'b'}",
        "%@ == age", "%@ < height", "age BETWEEN {%@, 10}", "age > %@ AND (name == 'x' OR rank < 5)",
    ]
    static let values: [Value] = [
        .null, .bool(true), .bool(false), .integer(0), .integer(1), .integer(5), .integer(-7), .integer(.max),
        .integer(9_007_199_254_740_993), .double(0), .double(-0.0), .double(1), .double(2.5), .double(3.5),
        .double(1e300),
        .double(.infinity), .double(.nan), .string(""), .string("a"), .string("Bob"), .string("a\0"), .string("é"),
        .string("\u{301}"), .string("\u{10FFFF}"), .string("a*"), .string("~"), .string("\u{7F}"), .date(0), .date(1.5),
        .date(-3), .date(.infinity), .uuid(UniversalID(high: 1, low: 2)), .uuid(UniversalID(high: 3, low: 4)),
        .data([]),
        .data([1]), .data([2, 3]), .decimal(DecimalNumber(5)),
    ]

    @Test(arguments: Dialect.all) func answersWhatCompilingAnswers(_ dialect: Dialect) throws {
        let schema = try Fixtures.schema()
        let compiler = SQLCompiler(dialect, schema: schema)
        for _ in 0..<2 {
            for format in Self.formats {
                for value in Self.values {
                    let predicate = try FormatPredicate(format, arguments: [value])
                    let expected = try? predicate.sql(dialect, entity: "Person", in: schema)
                    let found = try? compiler.query(predicate, entity: "Person")
                    #expect(found == expected, "\(predicate)")
                }
            }
        }
    }

    @Test(arguments: Dialect.all) func answersWhatCompilingAnswersForAnything(_ dialect: Dialect) throws {
        let corpus = try Corpus(seed: 20_240_603)
        let engine = try #require(Engine.named(.sqlite))
        var compilers: [String: SQLCompiler] = [:]
        for index in 0..<60 {
            let (data, cases) = try corpus.batch(index, for: engine)
            let compiler = compilers[data.named.name] ?? SQLCompiler(dialect, schema: data.schema, capacity: 50)
            compilers[data.named.name] = compiler
            for one in cases {
                let expected = try? one.predicate.sql(dialect, entity: one.entity, in: data.schema)
                for _ in 0..<2 {
                    let found = try? compiler.query(one.predicate, entity: one.entity)
                    #expect(found == expected, "\(one.predicate)")
                }
            }
        }
    }

    @Test func listsAndRanges() throws {
        let schema = try Fixtures.schema()
        let compiler = SQLCompiler(.postgreSQL, schema: schema)
        let lists: [Value] = [
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
}
