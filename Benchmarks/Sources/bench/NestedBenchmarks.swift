// Filters structs by values that plans do not read from memory: enums, published structs, and aggregates of nested
// structs. The reference is a closure by hand.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

enum NestedBenchmarks {
    private enum Status: String, QueryableValue, CaseIterable {
        case open, paid, shipped, returned
    }

    private struct Customer: Queryable {
        var name: String
        var city: String
        static let keys: KeyTable<Customer> = [.key("name", \.name), .key("city", \.city)]
    }

    private struct Line: Queryable {
        var price: Double
        var amount: Int
        static let keys: KeyTable<Line> = [.key("price", \.price), .key("amount", \.amount)]
    }

    private struct Order: Queryable {
        var id: Int
        var status: Status
        var customer: Customer
        var lines: [Line]
        static let keys: KeyTable<Order> = [
            .key("id", \.id), .key("status", \.status), .key("customer", \.customer), .key("lines", \.lines),
        ]
    }

    private static let orders = (0..<50_000).map { index in
        Order(
            id: index, status: Status.allCases[index * 7 % 4],
            customer: Customer(name: "customer number \(index % 1000)", city: "city \(index % 13)"),
            lines: (0..<(index % 5)).map { Line(price: Double(index * 31 % 97 + $0), amount: $0) })
    }

    static var all: [Benchmark] {
        [
            one("enum ==", "status == 'open'") { $0.status == .open },
            one("enum IN", "status IN {'open', 'paid'}") { $0.status == .open || $0.status == .paid },
            one("struct == nil", "customer == nil") { $0.id < 0 },
            one("@sum", "lines.@sum.price > 150") { $0.lines.reduce(0) { $0 + $1.price } > 150 },
            one("@max", "lines.@max.amount == 3") { $0.lines.map(\.amount).max() == 3 },
        ]
    }

    private static func one(_ name: String, _ text: String, _ test: @escaping (Order) -> Bool) -> Benchmark {
        let matcher = try! FormatPredicate(text).compiled(for: Order.self)
        precondition(orders.filter(matcher).map(\.id) == orders.filter(test).map(\.id), text)
        return Benchmark("nested \(name)", items: orders.count, against: "filter by hand") {
            orders.count(where: test)
        } ours: {
            orders.count(matching: matcher)
        }
    }
}
