// A client: filtering collections of any type. NewCodeTests.swift runs it and compiles it in other modes.

import Foundation
import PredicateFoundation

private struct ClientPoint: Queryable {
    var x: Int
    static let keys: KeyTable<ClientPoint> = [.key("x", \.x)]
}

/// A type that is not Equatable.
private struct ClientLine: Queryable {
    var start: ClientPoint
    static let keys: KeyTable<ClientLine> = [.key("start", \.start)]
}

enum FilteringClient {
    static func run() async throws -> [String] {
        var found = [
            "\(try ["apple", "pear"].filter("SELF BEGINSWITH 'a'"))",
            "\(try ["apple", "fig"].filter(FormatPredicate("length < 4")))",
            "\(try [1, 2, 3].filter("SELF > %@", 1))",
            "\(try [Date(timeIntervalSinceReferenceDate: 5)].filter("SELF > %@", Date.distantPast).count)",
            "\(try [PredicateValue.integer(1), .string("b")].filter("SELF == 1"))",
            "\(try [ClientLine(start: ClientPoint(x: 1)), ClientLine(start: ClientPoint(x: 2))].filter("start == %@", ClientPoint(x: 2)).count)",
            "\(try [["a": 1], ["a": 5]].filter("a > 3"))",
        ]
        do {
            _ = try [1].filter("SELF BEGINSWITH 'a'")
        } catch {
            found.append(error.diagnostics[0].message)
        }
        let isBig = try FormatPredicate("SELF > 2").compiled(for: Int.self)
        var numbers = [1, 2, 3, 4]
        let first = numbers.partition(matching: isBig)
        found.append("\(numbers[first...].sorted())")
        numbers.removeAll(matching: isBig)
        found.append("\(numbers.sorted()) \([5, 1].first(matching: isBig) ?? 0)")
        found.append("\(Array((1...10).lazy.filter(isBig).prefix(2)))")
        let stream = AsyncStream<Int> { stream in
            for number in 1...4 { stream.yield(number) }
            stream.finish()
        }
        for await number in stream.filter(isBig) { found.append("\(number)") }
        return found
    }
}
