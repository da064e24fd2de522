// Random changes of a schema, with their effect on the data.
import PredicateStores
import PredicateTestSupport

extension MigrationWorld {
    /// The next version: some random changes.
    func changed(_ random: inout SplitMix) throws -> MigrationWorld {
        var new = self
        for index in new.entities.indices {
            new.entities[index].formerly = nil
            for key in new.entities[index].attributes.indices { new.entities[index].attributes[key].formerly = nil }
            for key in new.entities[index].relationships.indices {
                new.entities[index].relationships[key].formerly = nil
            }
            for _ in 0..<random.below(4) { new.changeAttribute(of: index, &random) }
        }
        for key in new.entities[0].relationships.indices.reversed() where random.chance(50) {
            new.changeLink(key, &random)
        }
        if random.chance(30) { new.addRelationship() }
        if random.chance(30) { new.rename("B", to: "B2") }
        if random.chance(50) { try new.split() }
        if random.chance(50) { try new.merge() }
        return new
    }

    private mutating func changeAttribute(of index: Int, _ random: inout SplitMix) {
        // Mappings read `n`, so it stays.
        let keys = entities[index].attributes.indices.filter { key in
            let one = entities[index].attributes[key]
            return one.name != "n" && one.formerly == nil && one.name.hasPrefix("k")
        }
        guard !keys.isEmpty, random.chance(75) else { return addAttribute(to: index, &random) }
        let key = random.pick(keys)
        let name = entities[index].attributes[key].name
        switch random.below(5) {
        case 0:
            entities[index].attributes.remove(at: key)
            for row in entities[index].rows.keys { entities[index].rows[row]?[name] = nil }
        case 1:
            let new = "r" + name
            entities[index].attributes[key].formerly = name
            entities[index].attributes[key].name = new
            for row in entities[index].rows.keys {
                let value = entities[index].rows[row]?.removeValue(forKey: name)
                entities[index].rows[row]?[new] = value
            }
        case 2 where entities[index].attributes[key].initial == nil: entities[index].attributes[key].isOptional = true
        case 3 where entities[index].attributes[key].initial == nil:
            let initial = entities[index].attributes[key].kind.value(&random)
            entities[index].attributes[key].isOptional = false
            entities[index].attributes[key].initial = initial
            for row in entities[index].rows.keys where entities[index].rows[row]?[name] == .null {
                entities[index].rows[row]?[name] = initial
            }
        default:
            let kind = entities[index].attributes[key].kind
            guard entities[index].attributes[key].initial == nil, !kind.wider.isEmpty else { return }
            let (wider, widen) = random.pick(kind.wider)
            entities[index].attributes[key].kind = wider
            for row in entities[index].rows.keys {
                guard let value = entities[index].rows[row]?[name], value != .null else { continue }
                entities[index].rows[row]?[name] = widen(value)
            }
        }
    }

    private mutating func addAttribute(to index: Int, _ random: inout SplitMix) {
        let name = "x\(random.below(1_000_000))"
        var one = Attribute(name: name, kind: random.pick(Kind.allCases), isOptional: random.chance(50))
        if !one.isOptional || random.chance(50) { one.initial = one.kind.value(&random) }
        guard !entities[index].attributes.contains(where: { $0.name == name }) else { return }
        entities[index].attributes.append(one)
        for row in entities[index].rows.keys { entities[index].rows[row]?[name] = one.initial ?? .null }
    }

    /// Stores a relationship in another form that can contain all its links, renames it, or drops it.
    private mutating func changeLink(_ key: Int, _ random: inout SplitMix) {
        let one = entities[0].relationships[key]
        let links = entities[0].links[one.name] ?? [:]
        switch random.below(4) {
        case 0:
            entities[0].relationships.remove(at: key)
            entities[0].links[one.name] = nil
        case 1:
            entities[0].relationships[key].formerly = one.name
            entities[0].relationships[key].name = "r" + one.name
            let links = entities[0].links.removeValue(forKey: one.name)
            entities[0].links["r" + one.name] = links
        default:
            let all = links.values.flatMap(\.self)
            var fitting = [Link.join]
            if links.values.allSatisfy({ $0.count <= 1 }) { fitting.append(.column) }
            if Set(all).count == all.count { fitting.append(.foreignKey) }
            entities[0].relationships[key].link = random.pick(fitting)
        }
    }

    private mutating func addRelationship() {
        entities[0].relationships.append(Relationship(name: "extra", target: "S", link: .column))
    }

    private mutating func rename(_ name: String, to new: String) {
        for index in entities.indices {
            if entities[index].name == name { (entities[index].name, entities[index].formerly) = (new, name) }
            for key in entities[index].relationships.indices where entities[index].relationships[key].target == name {
                entities[index].relationships[key].target = new
            }
        }
    }

    /// Splits S into S, with the rows where n is at least 0, and Low, with values of related objects.
    private mutating func split() throws {
        guard let index = entities.firstIndex(where: { $0.name == "S" }),
            !entities.contains(where: { $0.relationships.contains { $0.target == "S" } })
        else { return }
        let target = entities.first { $0.name == "B" || $0.name == "B2" }
        var low = Entity(
            name: "Low",
            attributes: [
                Attribute(name: "twice", kind: .integer, isOptional: true),
                Attribute(name: "about", kind: .integer, isOptional: true),
                Attribute(name: "isOdd", kind: .boolean, isOptional: false),
                Attribute(name: "label", kind: .string, isOptional: false),
            ], relationships: [Relationship(name: "ref", target: target?.name ?? "B", link: .column)])
        for (key, row) in entities[index].rows {
            var number: Int64?
            if case .integer(let found)? = row["n"] { number = found }
            if let number, number >= 0 { continue }
            entities[index].rows[key] = nil
            let other = entities[index].links["ref"]?[key]?.first
            low.rows[key] = [
                "twice": number.map { .integer($0 * 2 + 1) } ?? .null,
                "about": other.flatMap { target?.rows[$0]?["n"] } ?? .null,
                "isOdd": .integer(key % 2), "label": .string("\(key)"),
            ]
            low.links["ref", default: [:]][key] = other.map { [$0] } ?? []
        }
        entities.append(low)
        mapping.add("S", from: "S", where: try FormatPredicate("n >= 0"))
        mapping.add(
            "Low", from: "S", where: try FormatPredicate("n == nil OR n < 0"),
            values: [
                "twice": .expression(try FormatExpression("n * 2 + 1")),
                "about": .expression(try FormatExpression("ref.n")),
                "isOdd": .predicate(try FormatPredicate("modulus:by:(id, 2) == 1")),
                "label": .expression(try FormatExpression("id")),
            ])
    }

    /// Merges M and N into MN, with the keys 2n and 2n + 1.
    private mutating func merge() throws {
        var merged = Entity(
            name: "MN",
            attributes: [
                Attribute(name: "n", kind: .integer, isOptional: true),
                Attribute(name: "isFromM", kind: .boolean, isOptional: false),
            ])
        for (offset, name) in ["M", "N"].enumerated() {
            guard let index = entities.firstIndex(where: { $0.name == name }) else { return }
            for (key, row) in entities[index].rows {
                merged.rows[key * 2 + Int64(offset)] = [
                    "n": row["n"] ?? .null, "isFromM": .integer(offset == 0 ? 1 : 0),
                ]
            }
            entities.remove(at: index)
            mapping.add(
                "MN", from: name,
                values: [
                    "id": .expression(try FormatExpression("id * 2 + %@", offset)),
                    "isFromM": .predicate(.constant(offset == 0)),
                ])
        }
        entities.append(merged)
    }
}
