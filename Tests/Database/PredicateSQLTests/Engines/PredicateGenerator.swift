// Generates random predicates for a schema: every construct, weighted by Tests/House/Engines/weights.json, with
// hostile constants and with constants that some row contains. PredicateGenerator+Collections.swift generates
// conditions on collections.

import PredicateSQL
import PredicateTestSupport

struct PredicateGenerator {
    let data: DataSet
    let paths: KeyPaths
    let weights: Weights
    var random: SplitMix
    /// The constants in the order in which they were drawn. The text has a placeholder for each of them.
    private var constants: [PredicateValue] = []
    var variables = 0
    /// The objects that the predicate is applied to. Keys without a prefix refer to them.
    private(set) var root = Place(entity: "")

    /// The position of a key: an entity and the prefix that refers to it.
    struct Place {
        let entity: String
        var prefix = ""
        /// Whether the prefix contains a to-many relationship. If so, another one must not follow.
        var isMany = false
    }

    init(_ data: DataSet, _ paths: KeyPaths, _ weights: Weights, _ random: SplitMix) {
        self.data = data
        self.paths = paths
        self.weights = weights
        self.random = random
    }

    /// A predicate on the rows of an entity. The test fails if the text does not parse.
    mutating func predicate(of entity: String) throws -> FormatPredicate {
        constants = []
        variables = 0
        root = Place(entity: entity)
        let marked = compound(root, depth: 3, quantifiers: 2)
        var format = ""
        var arguments: [PredicateValue] = []
        for (index, part) in marked.split(separator: "\u{1}", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 0 {
                format += part
            } else if let number = Int(part) {
                format += "%@"
                arguments.append(constants[number])
            }
        }
        return try FormatPredicate(format, arguments: arguments)
    }

    mutating func compound(_ place: Place, depth: Int, quantifiers: Int) -> String {
        func inner(_ self: inout Self) -> String { self.compound(place, depth: depth - 1, quantifiers: quantifiers) }
        guard depth > 0 else { return leaf(place, quantifiers) }
        switch weights.structure.pick(&random) {
        case "and": return "(\(inner(&self)) AND \(inner(&self)))"
        case "or": return "(\(inner(&self)) OR \(inner(&self)))"
        case "not": return "NOT (\(inner(&self)))"
        default: return leaf(place, quantifiers)
        }
    }

    /// Draws constructs until the schema can provide the keys for one of them.
    mutating func leaf(_ place: Place, _ quantifiers: Int) -> String {
        while true {
            let name = weights.leaves.pick(&random)
            let written =
                simple(name, place) ?? textual(name, place) ?? membership(name, place)
                ?? computed(name, place, quantifiers) ?? functional(name, place) ?? collection(name, place, quantifiers)
                ?? list(name, place, quantifiers)
            if let written { return written }
        }
    }

    // MARK: Operands

    mutating func constant(_ value: PredicateValue) -> String {
        constants.append(value)
        return "\u{1}\(constants.count - 1)\u{1}"
    }

    mutating func path(_ place: Place, _ type: SQLType) -> String? {
        guard let found = paths.attributes[place.entity]?[type], !found.isEmpty else { return nil }
        return place.prefix + random.pick(found)
    }

    mutating func type(_ place: Place, among types: [SQLType] = SQLType.allCases) -> SQLType? {
        let found = types.filter { paths.attributes[place.entity]?[$0] != nil }
        return found.isEmpty ? nil : random.pick(found)
    }

    mutating func value(_ type: SQLType) -> PredicateValue {
        if random.chance(50), let value = data.someValue(type, &random) { return value }
        return Pools.value(type, &random)
    }

    /// A constant that a column of the type is compared with. Sometimes nil, or a number of another type.
    mutating func constant(for type: SQLType) -> String {
        if random.chance(6) { return "nil" }
        if [.integer, .double, .boolean, .decimal].contains(type), random.chance(25) {
            return constant(value(random.pick([.integer, .double, .boolean, .decimal])))
        }
        return constant(value(type))
    }

    mutating func options() -> String { weights.options.pick(&random) }

    mutating func order(_ type: SQLType) -> String {
        random.pick(type == .data || type == .url ? ["==", "!="] : ["==", "!=", "<", "<=", ">", ">="])
    }

    /// Two operands in this or in the reverse order.
    mutating func either(_ one: String, _ op: String, _ other: String) -> String {
        random.chance(20) ? "\(other) \(op) \(one)" : "\(one) \(op) \(other)"
    }

    // MARK: Leaves

    private mutating func simple(_ name: String, _ place: Place) -> String? {
        switch name {
        case "compareConstant":
            guard let type = type(place), let left = path(place, type) else { return nil }
            return either(left, order(type) + (type == .text ? options() : ""), constant(for: type))
        case "compareColumns":
            guard let type = type(place), let left = path(place, type), let right = path(place, type) else {
                return nil
            }
            return "\(left) \(order(type))\(type == .text ? options() : "") \(right)"
        case "compareMixed":
            let pair = random.pick([[SQLType.integer, .double], [.integer, .decimal], [.boolean, .integer]])
            guard let left = path(place, pair[0]), let right = path(place, pair[1]) else { return nil }
            return either(left, order(pair[0]), right)
        case "nilTest":
            let op = random.pick(["==", "!="])
            if random.chance(30), let found = paths.toOne[place.entity] {
                return "\(place.prefix)\(random.pick(found)) \(op) nil"
            }
            if random.chance(20), let found = paths.unknown[place.entity] {
                return "\(place.prefix)\(random.pick(found)) \(op) nil"
            }
            guard let type = type(place), let left = path(place, type) else { return nil }
            return either(left, op, "nil")
        case "bool":
            guard let left = path(place, .boolean) else { return nil }
            return either(left, random.pick(["==", "!="]), random.pick(["YES", "NO", "TRUE", "1", "0", "2"]))
        case "truth": return random.pick(["TRUEPREDICATE", "FALSEPREDICATE"])
        default: return nil
        }
    }

    private mutating func textual(_ name: String, _ place: Place) -> String? {
        guard let left = path(place, .text) else { return nil }
        switch name {
        case "beginsWith": return "\(left) BEGINSWITH\(options()) \(part())"
        case "endsWith": return "\(left) ENDSWITH\(options()) \(part())"
        case "contains": return "\(left) CONTAINS\(options()) \(part())"
        case "textIn": return "\(left) IN\(options()) \(constant(.string(random.pick(Pools.texts) + "abcé")))"
        case "textColumns":
            guard let right = path(place, .text) else { return nil }
            return "\(left) \(random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS"]))\(options()) \(right)"
        case "like":
            let needle = random.pick(Pools.texts)
            let glob = random.pick([
                needle, needle + "*", "*" + needle, "*" + needle + "*", "a?*", "*", "?", "a*b*", "\\*", "?\(needle)",
                "", "*a*c*",
            ])
            return "\(left) LIKE\(random.chance(25) ? options() : "") \(constant(.string(glob)))"
        case "matches":
            let pattern = random.pick([
                "abc", "a.*", "[a-zé]+", "a?b?c?", ".", "\\w+", "(a|ab)(c|bc)?", "(?i)ss", "^a$", "a{2,3}|b", "[^a]*",
                "\\s*", "\\d+", ".*b.*", "(a|b|c)*", "\\p{L}+", "[[a-z]--[b]]+", "", "a\\Zb?", "(?=a).*",
            ])
            return "\(left) MATCHES\(random.chance(15) ? options() : "") \(constant(.string(pattern)))"
        default: return nil
        }
    }

    /// A needle: a text that some row contains, or a part of one.
    private mutating func part() -> String {
        guard random.chance(60), case .string(let text) = value(.text), !text.isEmpty else {
            return constant(for: .text)
        }
        let scalars = Array(text.unicodeScalars)
        let start = Int(random.next() % UInt64(scalars.count))
        let end = start + 1 + Int(random.next() % UInt64(scalars.count - start))
        var piece = String.UnicodeScalarView()
        piece.append(contentsOf: scalars[random.chance(50) ? 0..<end : start..<scalars.count])
        return constant(.string(String(piece)))
    }

    private mutating func membership(_ name: String, _ place: Place) -> String? {
        guard let type = type(place), let left = path(place, type) else { return nil }
        switch name {
        case "inList", "listContains":
            var values: [PredicateValue] = []
            for _ in 0..<random.next() % 5 {
                values.append(random.chance(10) ? .null : value(random.chance(85) ? type : .integer))
            }
            let list = constant(.array(values))
            return name == "inList" ? "\(left) IN \(list)" : "\(list) CONTAINS \(left)"
        case "inColumns":
            guard let other = path(place, type) else { return nil }
            return "\(left) IN {\(constant(for: type)), \(other), \(constant(for: type))}"
        case "between", "betweenColumns":
            guard let type = self.type(place, among: [.text, .integer, .double, .date, .decimal]),
                let left = path(place, type), let other = path(place, type)
            else { return nil }
            let lower = name == "between" ? constant(for: type) : other
            return "\(left) BETWEEN {\(lower), \(constant(for: type))}"
        default: return nil
        }
    }

    private mutating func computed(_ name: String, _ place: Place, _ quantifiers: Int) -> String? {
        switch name {
        case "ternary":
            guard let type = type(place), let one = path(place, type), let right = path(place, type) else { return nil }
            let condition = compound(place, depth: 0, quantifiers: 0)
            let other = random.chance(50) ? path(place, type) ?? one : constant(for: type)
            return "TERNARY(\(condition), \(one), \(other)) \(order(type)) \(right)"
        case "arithmetic":
            guard let type = type(place, among: [.integer, .double]), let left = path(place, type) else { return nil }
            let number = constant(type == .integer ? .integer(random.pick([0, 1, 2, -1, 10])) : .double(0.5))
            return "\(left) \(random.pick(["+", "-", "*", "/"])) \(number) \(order(type)) \(constant(for: type))"
        case "arithmeticColumns":
            guard let type = type(place, among: [.integer, .double]), let left = path(place, type),
                let right = path(place, type)
            else { return nil }
            return "\(left) \(random.pick(["+", "-", "*", "/"])) \(right) \(order(type)) \(constant(for: type))"
        case "function":
            if random.chance(50), let number = path(place, random.pick([.integer, .double])) {
                let call = random.pick(["abs:", "floor:", "ceiling:", "trunc:"])
                return "\(call)(\(number)) \(order(.integer)) \(constant(for: .integer))"
            }
            guard let text = path(place, .text) else { return nil }
            return random.chance(50)
                ? "\(text).length \(order(.integer)) \(constant(.integer(random.pick([0, 1, 2, 3]))))"
                : "\(random.pick(["uppercase:", "lowercase:"]))(\(text)) == \(constant(for: .text))"
        default: return nil
        }
    }
}
