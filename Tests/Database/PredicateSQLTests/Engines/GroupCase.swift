// Groups of the rows that a random predicate selects, compared with groups made here in memory. Each request selects
// the number of rows of each group, so the results of all engines have the same form; HAVING and the order use other
// values.

import PredicateStores
import PredicateTestSupport

struct GroupCase: Sendable, CustomStringConvertible {
    let request: StoreRequest
    /// The condition of HAVING as a path and a comparison: `@count`, `> 1`.
    let having: (path: String, test: String)?

    init?(_ one: Case, _ paths: KeyPaths, _ random: inout SplitMix) throws {
        guard let attributes = paths.attributes[one.entity], !attributes.isEmpty else { return nil }
        let choices = attributes.sorted { $0.key.rawValue < $1.key.rawValue }
        func path(_ types: [SQLType], _ random: inout SplitMix) -> String? {
            let fitting = choices.filter { types.contains($0.key) }
            return fitting.isEmpty ? nil : random.pick(random.pick(fitting).value)
        }
        var request = StoreRequest(one.entity, where: one.predicate)
        request.groupBy = (0..<random.below(3)).compactMap { _ in path(SQLType.allCases, &random) }
        var aggregates = ["@count"]
        for _ in 0..<random.below(3) {
            let isTotal = random.chance(50)
            let types: [SQLType] = isTotal ? [.integer, .decimal] : [.integer, .double, .date, .text, .decimal]
            guard let path = path(types, &random) else { continue }
            aggregates.append(random.pick(isTotal ? ["@sum.", "@avg."] : ["@min.", "@max."]) + path)
        }
        request.properties = ["@count"]
        let known = request.groupBy + aggregates
        request.sort = (0..<random.below(3)).map { _ in
            PredicateSortKey(
                random.pick(known), descending: random.chance(50),
                nils: random.chance(50) ? random.pick([.first, .last]) : nil)
        }
        if random.chance(40) { (request.limit, request.offset) = (random.below(5), random.below(3)) }
        var having: (path: String, test: String)?
        if random.chance(60) {
            let path = random.pick(known)
            let tests = path.hasPrefix("@count") ? ["> 1", "== 2", "< 3"] : ["!= nil", "== nil"]
            let number = path.hasPrefix("@sum") || path.hasPrefix("@avg") ? ["> 0", "<= 1", "!= 5"] : []
            let found = (path: path, test: random.pick(tests + number))
            request.having = try FormatPredicate("%K " + found.test, found.path)
            having = found
        }
        self.request = request
        self.having = having
    }

    var description: String {
        "\(request.entity): \(request.predicate) by \(request.groupBy) having \(request.having), \(request.sort), "
            + "\(request.limit.map(String.init) ?? "no limit"), offset \(request.offset)"
    }
}

extension RequestOracle {
    /// Checks the numbers of rows of the groups. Returns whether SQL created the groups.
    func checkGroups(_ one: GroupCase) async throws -> Bool {
        guard let plan = try SQLCompiler(engine.dialect, schema: data.schema).records(one.request)?.fetch else {
            return false
        }
        let answer: [[String]]
        do {
            answer = try await connection.rows(EngineQuery(plan.statement))
        } catch {
            throw EngineFailure("\(error)\n\(one)\n\(plan.statement.text)\n\(plan.statement.bindings)")
        }
        // The columns of the keys come first.
        let place = Set(one.request.groupBy).count
        let found = answer.compactMap { $0.count > place ? Int64($0[place]) : nil }
        let isCut = one.request.limit != nil || one.request.offset > 0
        if plan.residual != nil || plan.limitsInMemory && isCut { return false }
        let expected = try groups(one, isCut: isCut)
        let isOrdered = isCut || !one.request.sort.isEmpty && plan.sort.isEmpty
        try expect(
            isOrdered ? found : found.sorted(), isOrdered ? expected : expected.sorted(), "the groups of \(one)",
            plan.statement)
        return true
    }

    private func groups(_ one: GroupCase, isCut: Bool) throws -> [Int64] {
        let request = one.request
        var groups: [[EqualityKey]: [PredicateValue]] = [:]
        var order: [[EqualityKey]] = request.groupBy.isEmpty ? [[]] : []
        if request.groupBy.isEmpty { groups[[]] = [] }
        for number in rows(request.predicate, request.entity) {
            let object = graph.object(request.entity, number)
            let key = request.groupBy.map { path in
                let value = Self.value(path, of: object)
                // All NaN are one group.
                if case .double(let number) = value, number.isNaN { return EqualityKey(.type("NaN")) }
                return EqualityKey(value)
            }
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(object)
        }
        func value(_ path: String, _ key: [EqualityKey]) -> PredicateValue {
            let objects = groups[key] ?? []
            if let index = request.groupBy.firstIndex(of: path) {
                return objects.first.map { Self.value(request.groupBy[index], of: $0) } ?? .null
            }
            let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
            let values = parts.count == 1 ? objects : objects.map { Self.value(parts[1], of: $0) }
            return (try? CollectionOperator.named(parts[0])?.result(values, in: .standard)) ?? .null
        }
        if let having = one.having {
            let matcher = try FormatPredicate("value " + having.test).compiled()
            order = order.filter { matcher.matches(.dictionary(ValueDictionary([("value", value(having.path, $0))]))) }
        }
        var sorter = Sorter<[EqualityKey]>(keys: request.sort + request.groupBy.map { PredicateSortKey($0) })
        for key in order {
            sorter.add(key, fields: (request.sort.map(\.path) + request.groupBy).map { value($0, key) })
        }
        let counts = sorter.finish().map { Int64(groups[$0]?.count ?? 0) }
        return Array(counts.dropFirst(request.offset).prefix(request.limit ?? .max))
    }
}
