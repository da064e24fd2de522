// Compares blocks with the evaluation of single objects: enums, published structs, and aggregates of nested structs.
import Dispatch
import PredicateTestSupport
import Predicates
import Testing

@testable import PredicateEvaluation

struct BlockNestedTests {
    enum Status: String, QueryableValue, CaseIterable { case open, paid, shipped, returned }
    enum Rank: Int, QueryableValue, CaseIterable { case low = -1, middle = 5, high = 10 }

    struct Line: Queryable {
        var price: Double
        var amount: Int
        var discount: Double?
        var status: Status
        static let keys: KeyTable<Line> = [
            .key("price", \.price), .key("amount", \.amount), .key("discount", \.discount), .key("status", \.status),
        ]
    }

    struct Order: Queryable {
        var status: Status
        var formerStatus: Status?
        var rank: Rank
        var main: Line
        var other: Line?
        var lines: [Line]
        var oldLines: [Line]?
        var history: [Status]
        static let keys: KeyTable<Order> = [
            .key("status", \.status), .key("formerStatus", \.formerStatus), .key("rank", \.rank), .key("main", \.main),
            .key("other", \.other), .key("lines", \.lines), .key("oldLines", \.oldLines), .key("history", \.history),
        ]
    }

    static let orders: [Order] = {
        var random = SplitMix(11)
        func line() -> Line {
            Line(
                price: random.pick(BlockRow.doubles), amount: random.pick(BlockRow.integers),
                discount: random.below(2) == 0 ? nil : 1, status: random.pick(Status.allCases))
        }
        func lines() -> [Line] { (0..<random.below(4)).map { _ in line() } }
        return (0..<600).map { _ in
            Order(
                status: random.pick(Status.allCases),
                formerStatus: random.below(3) == 0 ? nil : random.pick(Status.allCases),
                rank: random.pick(Rank.allCases), main: line(), other: random.below(3) == 0 ? nil : line(),
                lines: lines(), oldLines: random.below(3) == 0 ? nil : lines(),
                history: (0..<random.below(4)).map { _ in random.pick(Status.allCases) })
        }
    }()

    private func check(_ text: String, isFast: Bool = true) throws {
        let predicate = try FormatPredicate(text)
        let matcher = try predicate.compiled(for: Order.self)
        if isFast, case .rows? = matcher.blocks?.node { Issue.record("\(text): no block") }
        // An object does not match if its evaluation throws.
        let expected = Self.orders.indices.filter { (try? predicate.evaluate(Self.orders[$0])) == true }
        #expect(Self.orders.indices(matching: matcher) == expected, "\(text)")
        #expect(Self.orders.indices.filter { matcher.matches(Self.orders[$0]) } == expected, "\(text)")
    }

    @Test(arguments: ["status", "formerStatus", "main.status", "other.status"])
    func enumsWithTexts(_ key: String) throws {
        for test in [
            "== 'open'", "!= 'paid'", "IN {'open', 'paid', 'none'}", "== nil", "!= nil", "BEGINSWITH 's'",
            "LIKE[c] 'RE*'", "MATCHES '.*p.*'", "> 'open'", "==[cd] 'OPÉN'", "CONTAINS 'p'", "== 'none'",
        ] {
            try check("\(key) \(test)")
        }
    }

    @Test func otherEnums() throws {
        for text in [
            "rank > 0", "rank == 5", "rank IN {5, 10}", "rank BETWEEN {-1, 5}", "rank == nil", "rank != 10.0",
            "ANY history == 'open'", "ALL history IN {'open', 'paid'}", "NONE history == 'paid'",
            "ANY lines.status == 'open'", "SUBQUERY(lines, $l, $l.status IN {'open', 'paid'}).@count > 1",
        ] {
            try check(text)
        }
    }

    @Test func publishedStructs() throws {
        for text in ["main == nil", "main != nil", "other == nil", "NOT (other != nil)", "main == nil OR other == nil"]
        {
            try check(text)
        }
    }

    @Test(arguments: ["sum", "min", "max", "avg"], ["price", "amount"])
    func aggregates(_ name: String, _ key: String) throws {
        // The mean of integers is left to the dynamic plan.
        let isFast = name != "avg" || key != "amount"
        let tests = ["> 2", "== 0", "!= 3", "<= -1.5", "== nil", "!= nil", "BETWEEN {0, 100}", "IN {0, 1, 1.5}"]
        for test in TestDepth.some(tests, every: 1) {
            try check("lines.@\(name).\(key) \(test)", isFast: isFast)
        }
        try check("oldLines.@\(name).\(key) > 2", isFast: false)
        try check("lines.@\(name).discount > 2", isFast: false)
        try check("lines.@\(name).\(key) / 2 > 1", isFast: false)
        try check("10 / lines.@\(name).\(key) > 1", isFast: false)
    }

    /// A partial sum may overflow although the sum does not.
    @Test func overflow() throws {
        func order(_ amounts: Int...) -> Order {
            var order = Self.orders[0]
            order.lines = amounts.map { Line(price: 1, amount: $0, discount: nil, status: .open) }
            return order
        }
        let matcher = try FormatPredicate("lines.@sum.amount > 5").compiled(for: Order.self)
        let orders = [order(.max, .max), order(.max, .max, -.max), order(.max, 1), order(.min, -1, .max, .max)]
        #expect(orders.indices(matching: matcher) == [1, 3])
    }

    @Test func severalThreadsTestEnums() throws {
        let predicate = try FormatPredicate("status == 'open' OR formerStatus == 'paid'")
        let matcher = try predicate.compiled(for: Order.self)
        let expected = Self.orders.indices.filter { (try? predicate.evaluate(Self.orders[$0])) == true }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<20 { #expect(Self.orders.indices(matching: matcher) == expected) }
        }
    }
}
