// A client: values to and from Swift. NewCodeTests.swift runs it and compiles it in other modes.

import Foundation
import PredicateFoundation

private enum ClientStatus: String, QueryableValue { case open, done }

private enum ClientPayment: Codable { case none, paid(on: Date, Decimal) }

private struct ClientOrder: Codable {
    var id: UUID
    var total: Decimal
    var at: Date
    var payment: ClientPayment
    var lines: [String: [Double]]
    var note: String?
}

enum ValuesClient {
    static func run() throws -> [String] {
        let date = Date(timeIntervalSinceReferenceDate: 0.123456789)
        let order = ClientOrder(
            id: UUID(), total: Decimal(string: "0.1") ?? 0, at: date, payment: .paid(on: date, 3),
            lines: ["a": [0.1]], note: nil)
        let value = try PredicateValue.encoding(order)
        let predicate = try FormatPredicate(
            "total == %@ AND id == %@ AND at == payment.paid.on AND at == %@ AND payment.paid._1 == 3 AND note == nil",
            order.total, order.id, date)
        var variables: PredicateVariables = ["y": 1]
        variables["x"] = nil
        let values: [PredicateValue] = [.null, .date(0.5), .uuid(UniversalID(order.id)), .array([.double(.infinity)])]
        let saved = try JSONEncoder().encode(values)
        let references: [(any FormatArgumentConvertible)?] = [
            NSDate(timeIntervalSinceReferenceDate: 1), NSUUID(), NSURL(string: "https://example.org"), NSData(),
            5 as NSNumber,
        ]
        let passedOn = try FormatPredicate("a == %@ OR b == %@ OR c == %@ OR d == %@ OR e == %@", arguments: references)
        let record = PredicateValue.dictionary(ValueDictionary([("a", .integer(1)), ("b", .integer(2))]))
        return [
            "\(try predicate.evaluate(value))",
            "\(PredicateValue.array([.string("a\"b"), .null, .bool(true)]))",
            "\(PredicateValue.integer(3).as(Int.self) ?? 0) \(PredicateValue.integer(300).as(UInt8.self) == nil)",
            "\(PredicateValue.string("open").as(ClientStatus.self) == .open) \(PredicateValue.date(0).as(Date.self) != nil)",
            "\(record.as([String: Int].self) == ["a": 1, "b": 2]) \(record.as([String: String].self) == nil)",
            "\(PredicateValue.null.as(Int?.self) == .some(nil)) \(PredicateValue.array([.integer(1)]).as([Double].self) ?? [])",
            "\(PredicateValue.string("x").stringValue ?? "") \(PredicateValue.double(1.5).anyValue as? Double ?? 0)",
            "\(try JSONDecoder().decode([PredicateValue].self, from: saved) == values)",
            "\(try FormatPredicate("a == $x").evaluate(["b": 1], variables: variables))",
            "\(PredicateValue.uuid(UniversalID(order.id)).as(UUID.self) == order.id) \(PredicateValue("a") == "a")",
            "\(try passedOn.evaluate(["c": PredicateValue.url("https://example.org")])) \(try passedOn.evaluate(["e": 6]))",
        ]
    }
}
