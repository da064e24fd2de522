// Random predicates over the world: every construct that is compiled, some that are not, with hostile constants.

import PredicateSyntax

struct PredicateGenerator {
    var random: Seeded
    /// For the `%@` of the text, in order.
    private(set) var arguments: [Value] = []
    private var variables = 0

    init(_ random: Seeded) { self.random = random }

    /// Where keys are read from: a prefix, and the paths of each type behind it.
    private struct Place {
        let prefix: String
        let paths: [SQLTypeName: [String]]

        static let person = Place(
            prefix: "",
            paths: [
                .text: ["name", "nick", "boss.name", "boss.nick", "boss.boss.nick"],
                .integer: ["age", "rank", "boss.age", "boss.rank"], .double: ["height", "weight", "boss.height"],
                .boolean: ["active", "vip", "boss.vip"], .date: ["born", "boss.born"], .data: ["photo"],
                .uuid: ["token", "boss.token"], .decimal: ["debt"],
            ])
        static func order(_ prefix: String) -> Place {
            Place(
                prefix: prefix,
                paths: [
                    .text: ["note", "owner.name", "owner.nick"], .integer: ["total", "owner.age"], .double: ["weight"],
                ])
        }
        static func friend(_ prefix: String) -> Place {
            Place(
                prefix: prefix,
                paths: [
                    .text: ["name", "nick", "boss.nick"], .integer: ["age", "rank"], .double: ["height", "weight"],
                    .boolean: ["active", "vip"], .date: ["born"],
                ])
        }
    }

    mutating func predicate() -> String {
        arguments = []
        variables = 0
        return compound(.person, depth: 3, quantifiers: 2)
    }

    private mutating func compound(_ place: Place, depth: Int, quantifiers: Int) -> String {
        guard depth > 0, random.chance(60) else { return leaf(place, quantifiers) }
        let inner = { (self: inout Self) in self.compound(place, depth: depth - 1, quantifiers: quantifiers) }
        switch random.next() % 5 {
        case 0, 1: return "(" + inner(&self) + " AND " + inner(&self) + ")"
        case 2, 3: return "(" + inner(&self) + " OR " + inner(&self) + ")"
        default: return "NOT (" + inner(&self) + ")"
        }
    }

    private mutating func leaf(_ place: Place, _ quantifiers: Int) -> String {
        if quantifiers > 0, random.chance(30) { return collection(place, quantifiers - 1) }
        switch random.next() % 20 {
        case 0..<6: return comparison(place)
        case 6..<11: return text(place)
        case 11..<13: return membership(place)
        case 13..<15: return range(place)
        case 15..<17: return nilTest(place)
        case 17: return place.prefix.isEmpty ? random.pick(["TRUEPREDICATE", "FALSEPREDICATE"]) : comparison(place)
        default: return outside(place)
        }
    }

    // MARK: Operands

    private mutating func constant(_ value: Value) -> String {
        arguments.append(value)
        return "%@"
    }

    private mutating func path(_ place: Place, _ type: SQLTypeName) -> String {
        place.prefix + random.pick(place.paths[type] ?? ["name"])
    }

    private mutating func type(_ place: Place) -> SQLTypeName {
        random.pick(SQLTypeName.allCases.filter { place.paths[$0] != nil })
    }

    /// A constant that a column of the type is compared with: now and then nil, or a number of another class.
    private mutating func constant(for type: SQLTypeName) -> String {
        if random.chance(6) { return "nil" }
        if type == .integer || type == .double || type == .boolean || type == .decimal, random.chance(30) {
            return constant(Pools.value(random.pick([.integer, .double, .boolean, .decimal]), &random))
        }
        return constant(Pools.value(type, &random))
    }

    private mutating func options() -> String {
        random.chance(50) ? "" : random.pick(["[c]", "[d]", "[cd]", "[n]", "[cn]"])
    }

    private mutating func operatorFor(_ type: SQLTypeName) -> String {
        random.pick(type == .data ? ["==", "!="] : ["==", "!=", "<", "<=", ">", ">="])
    }

    // MARK: Leaves

    private mutating func comparison(_ place: Place) -> String {
        let type = type(place)
        let options = type == .text ? options() : ""
        let left = path(place, type)
        let op = operatorFor(type) + options
        if random.chance(25) { return "\(left) \(op) \(path(place, type))" }
        if type == .integer, random.chance(20) { return "\(left) \(op) \(path(place, .double))" }
        let right = constant(for: type)
        return random.chance(20) ? "\(right) \(op) \(left)" : "\(left) \(op) \(right)"
    }

    private mutating func text(_ place: Place) -> String {
        let op = random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"])
        let left = path(place, .text)
        // Folded patterns take long to compile, for every object again.
        let options = op == "LIKE" || op == "MATCHES" ? (random.chance(15) ? options() : "") : options()
        switch op {
        case "LIKE":
            let needle = random.pick(Pools.texts)
            let glob = random.pick([
                needle, needle + "*", "*" + needle, "*" + needle + "*", "a?*", "*", "?", "a*b*", "\\*",
            ])
            return "\(left) LIKE\(options) \(constant(.string(glob)))"
        case "MATCHES":
            let pattern = random.pick([
                "abc", "a.*", "[a-zé]+", "a?b?c?", ".", "\\w+", "(a|ab)(c|bc)?", "(?i)ss", "^a$", "a{2,3}|b",
            ])
            return "\(left) MATCHES\(options) \(constant(.string(pattern)))"
        default:
            if random.chance(20) { return "\(left) \(op)\(options) \(path(place, .text))" }
            if random.chance(10) {
                return "\(left) IN\(options) \(constant(.string(random.pick(Pools.texts) + "abcé")))"
            }
            return "\(left) \(op)\(options) \(constant(for: .text))"
        }
    }

    private mutating func membership(_ place: Place) -> String {
        let type = type(place)
        let left = path(place, type)
        if random.chance(25) {
            return "\(left) IN {\(constant(for: type)), \(path(place, type)), \(constant(for: type))}"
        }
        var values: [Value] = []
        for _ in 0..<random.next() % 5 {
            values.append(random.chance(10) ? .null : Pools.value(random.chance(85) ? type : .integer, &random))
        }
        return random.chance(70)
            ? "\(left) IN \(constant(.array(values)))" : "\(constant(.array(values))) CONTAINS \(left)"
    }

    private mutating func range(_ place: Place) -> String {
        let type = random.pick([SQLTypeName.text, .integer, .double, .date].filter { place.paths[$0] != nil })
        let left = path(place, type)
        let lower = random.chance(20) ? path(place, type) : constant(for: type)
        return "\(left) BETWEEN {\(lower), \(constant(for: type))}"
    }

    private mutating func nilTest(_ place: Place) -> String {
        let op = random.pick(["==", "!="])
        if place.prefix.isEmpty, random.chance(40) { return "\(random.pick(["boss", "boss.boss"])) \(op) nil" }
        return "\(path(place, type(place))) \(op) nil"
    }

    /// What is left to memory.
    private mutating func outside(_ place: Place) -> String {
        switch random.next() % 6 {
        case 4, 5:
            let type = type(place)
            // Arguments are numbered as they stand.
            let condition = comparison(place)
            let one = path(place, type)
            let other = random.chance(50) ? path(place, type) : constant(for: type)
            return "TERNARY(\(condition), \(one), \(other)) \(operatorFor(type)) \(path(place, type))"
        case 0: return "\(path(place, .integer)) / 2 > \(constant(.integer(random.pick([0, 1, 2]))))"
        case 1: return "\(path(place, .text)).length >= 2"
        case 2: return "\(path(place, .integer)) / \(path(place, .integer)) == 1"
        default: return "uppercase:(\(path(place, .text))) == \(constant(for: .text))"
        }
    }

    // MARK: Collections

    private mutating func collection(_ place: Place, _ quantifiers: Int) -> String {
        guard place.prefix.isEmpty else {
            return place.paths[.boolean] == nil
                ? "\(place.prefix)items.@count \(operatorFor(.integer)) \(random.next() % 3)"
                : "ANY \(place.prefix)orders.total > \(constant(for: .integer))"
        }
        let name = random.pick(["orders", "friends", "boss.orders"])
        let inner = name == "friends" ? Place.friend(name + ".") : .order(name + ".")
        let modifier = random.pick(["ANY", "ALL", "NONE"])
        switch random.next() % 6 {
        case 0, 1: return modifier + " " + quantified(inner)
        case 2 where random.chance(50):
            let type = random.pick([SQLTypeName.integer, .double])
            let key = random.pick(
                name == "friends" ? [type == .integer ? "age" : "height"] : [type == .integer ? "total" : "weight"])
            return "\(name).\(random.pick(["@max", "@min"])).\(key) \(operatorFor(type)) \(constant(for: type))"
        case 2: return "\(name).@count \(operatorFor(.integer)) \(constant(for: .integer))"
        case 3:
            let type = type(inner)
            let value = random.chance(60) ? constant(for: type) : path(place, type)
            return random.chance(50) ? "\(value) IN \(path(inner, type))" : "\(path(inner, type)) CONTAINS \(value)"
        default:
            let variable = "$v\(variables)"
            variables += 1
            let element = name == "friends" ? Place.friend(variable + ".") : .order(variable + ".")
            let condition = compound(element, depth: 2, quantifiers: quantifiers)
            let rows = "SUBQUERY(\(name), \(variable), \(condition))"
            if random.chance(20) {
                return "\(modifier) \(rows).\(name == "friends" ? "name" : "note") != \(constant(for: .text))"
            }
            return "\(rows).@count \(operatorFor(.integer)) \(random.pick(["0", "1", "2", "1.5", "-1"]))"
        }
    }

    private mutating func quantified(_ inner: Place) -> String {
        switch random.next() % 4 {
        case 0: return comparison(inner)
        case 1: return text(inner)
        case 2:
            let type = type(inner)
            return "\(path(inner, type)) \(operatorFor(type)) \(constant(for: type))"
        default:
            let type = type(inner)
            return "\(path(inner, type)) \(operatorFor(type)) \(path(.person, type))"
        }
    }
}
