// Generates arithmetic and functions for random predicates: with constants on both sides, nested, and with values for
// which they fail.

import PredicateSQL
import PredicateTestSupport

extension PredicateGenerator {
    mutating func functional(_ name: String, _ place: Place) -> String? {
        switch name {
        case "chain":
            guard let type = type(place, among: [.integer, .double, .decimal]), let left = path(place, type) else {
                return nil
            }
            return "\(chain(left, type)) \(order(type)) \(constant(for: type))"
        case "chainRange":
            guard let type = type(place, among: [.integer, .double]), let left = path(place, type) else { return nil }
            let value = chain(left, type)
            return random.chance(50)
                ? "\(value) BETWEEN {\(constant(for: type)), \(constant(for: type))}"
                : "\(value) IN \(constant(.array([self.value(type), self.value(.integer), .null])))"
        case "chainColumns":
            guard let type = type(place, among: [.integer, .double]), let left = path(place, type),
                let right = path(place, random.pick([.integer, type]))
            else { return nil }
            return "\(chain(left, type)) \(order(type)) \(right)"
        case "functionNil":
            guard let left = path(place, .integer), let right = path(place, .integer), let text = path(place, .text)
            else { return nil }
            let value = random.pick(["\(left) / \(right)", "\(left) + 1", "abs:(\(left))", "\(text).length"])
            return "\(value) \(random.pick(["==", "!=", "<="])) nil"
        case "modulus":
            guard let left = path(place, .integer), let right = path(place, .integer) else { return nil }
            let divisor = random.chance(50) ? right : constant(.integer(random.pick([0, 2, -1, 3])))
            return "modulus:by:(\(left), \(divisor)) \(order(.integer)) \(constant(.integer(random.pick([0, 1, -1]))))"
        case "mapped":
            guard let text = path(place, .text) else { return nil }
            let op = random.pick(["==", "!=", "BEGINSWITH", "ENDSWITH", "CONTAINS"])
            return "\(random.pick(["uppercase:", "lowercase:"]))(\(text)) \(op) \(constant(for: .text))"
        case "length":
            guard let text = path(place, .text) else { return nil }
            let right = path(place, .integer)
            let number = constant(.integer(random.pick([0, 1, 2, 3, 7])))
            return "length:(\(text)) \(order(.integer)) \(random.chance(25) ? right ?? number : number)"
        case "cast":
            let classes: [SQLType: String] = [
                .integer: "NSNumber", .double: "NSNumber", .text: "NSString", .date: "NSDate", .boolean: "NSNumber",
            ]
            guard let type = type(place, among: [.integer, .double, .text, .date]), let left = path(place, type) else {
                return nil
            }
            return "CAST(\(left), '\(classes[type] ?? "NSString")') \(order(type)) \(constant(for: type))"
        case "longList":
            guard let type = type(place, among: [.integer, .text]), let left = path(place, type) else { return nil }
            let own = (0..<4).map { _ in value(type) }
            let many = (0..<100).map {
                type == .integer ? PredicateValue.integer(Int64($0) * 7) : .string("\"\\\n\($0)é")
            }
            return "\(random.chance(30) ? "NOT " : "")\(left) IN \(constant(.array(own + many)))"
        case "countColumns":
            guard !place.isMany, let many = paths.toMany[place.entity], let right = path(place, .integer) else {
                return nil
            }
            return "\(place.prefix)\(random.pick(many).path).@count \(order(.integer)) \(right)"
        default: return nil
        }
    }

    /// One to three operations, most of them with a constant.
    private mutating func chain(_ start: String, _ type: SQLType) -> String {
        var text = start
        for _ in 0...random.next() % 3 {
            let number = constant(
                type == .integer && random.chance(80)
                    ? .integer(random.pick([0, 1, 2, -1, -3, 10, .max, .min, 1 << 31]))
                    : .double(random.pick([0.5, 2, -1, 1e300, 0, 0.1])))
            switch random.next() % 10 {
            case 0..<5: text = "(\(text) \(random.pick(["+", "-", "*", "/"])) \(number))"
            case 5, 6: text = "(\(number) \(random.pick(["+", "-", "*"])) \(text))"
            case 7: text = "(-\(text))"
            case 8 where type != .decimal: text = "sqrt:(\(text))"
            default: text = "\(random.pick(["abs:", "floor:", "ceiling:", "trunc:"]))(\(text))"
            }
        }
        return text
    }
}
