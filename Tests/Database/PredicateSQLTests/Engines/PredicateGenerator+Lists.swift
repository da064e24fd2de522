// Generates conditions on list columns for random predicates: quantified, searched, counted and filtered.

import PredicateSQL
import PredicateTestSupport

extension PredicateGenerator {
    mutating func list(_ name: String, _ place: Place, _ quantifiers: Int) -> String? {
        guard let (list, type) = list(place) else { return nil }
        switch name {
        case "listQuantified":
            return "\(random.pick(["ANY", "ALL", "NONE", "SOME"])) \(element(list, type, place))"
        case "listMember":
            let value = operand(type, place)
            return random.chance(50) ? "\(value) IN \(list)" : "\(list) CONTAINS \(value)"
        case "listCount":
            let number = random.chance(80) ? random.pick(["0", "1", "2", "1.5"]) : operand(.integer, place)
            return "\(list)\(random.pick([".@count", "[SIZE]"])) \(order(.integer)) \(number)"
        case "listExtreme":
            guard type != .boolean else { return nil }
            let all = ["@min", "@max"] + (type == .integer ? ["@sum", "@avg"] : [])
            return "\(list).\(random.pick(all)).self \(order(type)) \(operand(type, place))"
        case "listSubquery":
            let variable = "$v\(variables)"
            variables += 1
            let filtered = "SUBQUERY(\(list), \(variable), \(filter(variable, type, place, 2, quantifiers)))"
            let number = random.chance(85) ? random.pick(["0", "1", "2", "-1"]) : operand(.integer, place)
            return "\(filtered).@count \(order(.integer)) \(number)"
        default: return nil
        }
    }

    private mutating func list(_ place: Place) -> (path: String, type: SQLType)? {
        guard !place.isMany, let lists = paths.lists[place.entity] else { return nil }
        let (type, found) = random.pick(lists.sorted { $0.key.rawValue < $1.key.rawValue })
        return (place.prefix + random.pick(found), type)
    }

    /// A constant, or a key of the object that has the list, or of the root object outside all subqueries.
    private mutating func operand(_ type: SQLType, _ place: Place) -> String {
        let owner = random.chance(70) ? place : root
        return random.chance(35) ? path(owner, type) ?? constant(for: type) : constant(for: type)
    }

    /// A comparison of an element.
    private mutating func element(_ element: String, _ type: SQLType, _ place: Place) -> String {
        if type == .text, random.chance(50) {
            let op = random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"])
            return "\(element) \(op)\(options()) \(op == "LIKE" ? constant(for: .text) : operand(.text, place))"
        }
        if type == .text, random.chance(10) {
            return "\(element).length \(order(.integer)) \(random.pick(["0", "1", "2"]))"
        }
        // The operand of a quantifier cannot be part of another expression.
        if type == .double, element.hasPrefix("$"), random.chance(25) {
            let op = random.pick(["+", "-", "*", "/"])
            return "\(operand(type, place)) \(op) \(element) \(order(type)) \(operand(type, place))"
        }
        if random.chance(12) { return "\(element) IN \(constant(.array([value(type), value(type), .null])))" }
        return "\(element) \(order(type))\(type == .text ? options() : "") \(operand(type, place))"
    }

    /// The condition of a subquery on the variable for an element. Some conditions refer to other lists and other rows.
    private mutating func filter(
        _ variable: String, _ type: SQLType, _ place: Place, _ depth: Int, _ quantifiers: Int
    ) -> String {
        func inner(_ self: inout Self) -> String { self.filter(variable, type, place, depth - 1, quantifiers) }
        switch depth > 0 ? weights.structure.pick(&random) : "leaf" {
        case "and": return "(\(inner(&self)) AND \(inner(&self)))"
        case "or": return "(\(inner(&self)) OR \(inner(&self)))"
        case "not": return "NOT (\(inner(&self)))"
        default: break
        }
        if random.chance(10) { return leaf(place, quantifiers) }
        guard random.chance(20), let (other, otherType) = list(place), otherType == type else {
            return element(variable, type, place)
        }
        return random.chance(50)
            ? "\(variable) IN \(other)"
            : "\(random.pick(["ANY", "ALL", "NONE"])) \(other) \(order(type)) \(variable)"
    }
}
