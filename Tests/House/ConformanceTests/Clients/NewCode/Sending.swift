// A client: objects that are not Sendable. NewCodeTests.swift runs it and compiles it in other modes.

import Foundation
import PredicateFoundation

private final class ClientCounter: Queryable {
    var count = 3
    init() {}
    static let keys: KeyTable<ClientCounter> = [.key("count", \.count)]
}

private struct ClientLimit: Queryable, Sendable {
    var count: Int
    static let keys: KeyTable<ClientLimit> = [.key("count", \.count)]
}

enum SendingClient {
    static func run() throws -> [String] {
        let predicate = try FormatPredicate("count == 3")
        let (counter, limit) = (ClientCounter().queryValue, ClientLimit(count: 3).predicateValue)
        return [
            "\(try predicate.evaluate(counter)) \(try predicate.evaluate(limit))", elsewhere(predicate, counter),
            elsewhere(predicate, limit), elsewhere(try FormatPredicate("SELF.count == {3}"), .array([counter])),
        ]
    }

    /// Evaluates on another thread.
    private static func elsewhere(_ predicate: FormatPredicate, _ value: PredicateValue) -> String {
        let answer = ClientAnswer()
        let thread = Thread {
            do throws(PredicateFailure) {
                answer.set("\(try predicate.evaluate(value))")
            } catch {
                answer.set(error.diagnostics[0].message)
            }
        }
        thread.start()
        return answer.wait()
    }
}

/// The answer of another thread.
private nonisolated final class ClientAnswer: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var text = ""

    func set(_ text: String) {
        self.text = text
        done.signal()
    }

    func wait() -> String {
        done.wait()
        return text
    }
}
