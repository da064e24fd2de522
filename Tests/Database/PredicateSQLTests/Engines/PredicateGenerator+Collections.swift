// Generates quantifiers, counts, aggregates and subqueries for random predicates.

import PredicateSQL
import PredicateTestSupport

extension PredicateGenerator {
    mutating func collection(_ name: String, _ place: Place, _ quantifiers: Int) -> String? {
        if name == "identity" {
            guard let found = paths.toOne[place.entity], !place.isMany else { return nil }
            return
                "\(place.prefix)\(random.pick(found)) \(random.pick(["==", "!="])) \(place.prefix)\(random.pick(found))"
        }
        guard quantifiers > 0, !place.isMany, let found = paths.toMany[place.entity] else { return nil }
        let many = random.pick(found)
        let path = place.prefix + many.path
        let inner = Place(entity: many.target, prefix: path + ".", isMany: true)
        switch name {
        case "quantified": return random.pick(["ANY", "ALL", "NONE", "SOME"]) + " " + quantified(inner, place)
        case "manyContains":
            guard let type = type(inner), let left = self.path(inner, type) else { return nil }
            let value = random.chance(40) ? self.path(place, type) ?? constant(for: type) : constant(for: type)
            return random.chance(50) ? "\(value) IN \(left)" : "\(left) CONTAINS \(value)"
        case "count":
            let number = random.chance(70) ? random.pick(["0", "1", "2"]) : constant(for: .integer)
            return random.chance(85)
                ? "\(path).@count \(order(.integer)) \(number)" : "\(path)[SIZE] \(order(.integer)) \(number)"
        case "extreme":
            guard let own = paths.own[many.target],
                let type = [SQLType.integer, .double, .date, .text, .decimal].filter({ own[$0] != nil }).randomElement(
                    using: &random)
            else { return nil }
            return
                "\(path).\(random.pick(["@max", "@min"])).\(random.pick(own[type] ?? [])) \(order(type)) \(constant(for: type))"
        case "total":
            guard let own = paths.own[many.target],
                let type = [SQLType.integer, .double].filter({ own[$0] != nil }).randomElement(using: &random)
            else { return nil }
            let other = random.chance(30) ? self.path(place, type) ?? constant(for: type) : constant(for: type)
            return
                "\(path).\(random.pick(["@sum", "@avg"])).\(random.pick(own[type] ?? [])) \(order(type)) \(other)"
        case "subqueryCount":
            return
                "\(subquery(path, many.target, quantifiers)).@count \(order(.integer)) \(random.pick(["0", "1", "2", "1.5", "-1"]))"
        case "subqueryQuantified":
            guard let own = paths.own[many.target], let type = own.keys.sorted(by: { $0.rawValue < $1.rawValue }).first,
                let key = own[type]?.first
            else { return nil }
            let rows = subquery(path, many.target, quantifiers)
            return "\(random.pick(["ANY", "ALL", "NONE"])) \(rows).\(key) \(order(type)) \(constant(for: type))"
        default: return nil
        }
    }

    private mutating func subquery(_ path: String, _ target: String, _ quantifiers: Int) -> String {
        let variable = "$v\(variables)"
        variables += 1
        let element = Place(entity: target, prefix: variable + ".")
        return "SUBQUERY(\(path), \(variable), \(compound(element, depth: 2, quantifiers: quantifiers - 1)))"
    }

    /// A comparison of an attribute of each element with a constant, or with a key of the outer object.
    private mutating func quantified(_ inner: Place, _ outer: Place) -> String {
        guard let type = type(inner), let left = path(inner, type) else { return inner.prefix.dropLast() + " == nil" }
        if type == .text, random.chance(50) {
            let op = random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"])
            return "\(left) \(op)\(options()) \(constant(for: .text))"
        }
        if random.chance(12) { return "\(left) IN \(constant(.array([value(type), value(type), .null])))" }
        let right = random.chance(25) ? path(outer, type) ?? constant(for: type) : constant(for: type)
        return "\(left) \(order(type))\(type == .text ? options() : "") \(right)"
    }
}
