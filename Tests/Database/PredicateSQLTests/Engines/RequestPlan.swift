// Checks requests for the rows that a random predicate selects: the sorted rows with offset and limit, their number,
// and the rows after a change. Each is compared with memory.

import PredicateEvaluation
import PredicateSQL
import PredicateTestSupport

struct RequestCase: Sendable, CustomStringConvertible {
    let entity: String
    let predicate: FormatPredicate
    let sort: [PredicateSortKey]
    let limit: Int?
    let offset: Int
    let assignment: KeyAssignment?

    /// Rows that are counted, updated and deleted.
    init(_ one: Case, set assignment: KeyAssignment) {
        entity = one.entity
        predicate = one.predicate
        sort = []
        limit = nil
        offset = 0
        self.assignment = assignment
    }

    /// All rows of the same entity.
    init(all one: RequestCase) {
        entity = one.entity
        predicate = .constant(true)
        sort = []
        limit = nil
        offset = 0
        assignment = nil
    }

    /// A cell of the matrix.
    init(_ predicate: FormatPredicate, sort: [PredicateSortKey], limit: Int?, offset: Int = 0) {
        (entity, self.predicate, self.sort, self.limit, self.offset) = ("Thing", predicate, sort, limit, offset)
        assignment = nil
    }

    init(_ one: Case, _ data: DataSet, _ paths: KeyPaths, _ engine: Engine, _ random: inout SplitMix) {
        entity = one.entity
        predicate = one.predicate
        let choices = (paths.attributes[entity] ?? [:]).sorted { $0.key.rawValue < $1.key.rawValue }
        sort = (0..<random.next() % 3).compactMap { _ in
            guard !choices.isEmpty else { return nil }
            let (type, names) = random.pick(choices)
            let options: [ComparisonOptions] = [[.caseInsensitive], [.caseInsensitive, .diacriticInsensitive]]
            return PredicateSortKey(
                random.pick(names), descending: random.chance(50),
                options: type == .text && random.chance(30) ? random.pick(options) : [],
                nils: random.chance(50) ? random.pick([.first, .last]) : nil)
        }
        limit = random.chance(50) ? Int(random.next() % 6) : nil
        offset = random.chance(40) ? Int(random.next() % 4) : 0
        assignment = Self.assignment(entity, data, engine, &random)
    }

    /// A new value for the selected rows: one that few rows have, nil, or another row.
    private static func assignment(
        _ entity: String, _ data: DataSet, _ engine: Engine, _ random: inout SplitMix
    ) -> KeyAssignment? {
        guard let found = data.schema.entity(entity) else { return nil }
        let relationships = found.relationships.filter { if case .column? = $0.link { true } else { false } }
        if !relationships.isEmpty, random.chance(25) {
            let relationship = random.pick(relationships)
            let keys = ObjectGraph(data).keys(of: relationship.target)
            if keys.isEmpty || relationship.isOptional && random.chance(30) {
                return relationship.isOptional ? KeyAssignment(relationship.name, .null) : nil
            }
            let length = data.schema.primaryKey(of: relationship.target).count
            let number = random.pick(keys)
            let parts = (0..<length).map { KeyNumber.part($0, of: number, length) }
            return KeyAssignment(relationship.name, length == 1 ? parts[0] : .array(parts))
        }
        let attributes = found.attributes.filter { $0.sqlType != nil && !found.primaryKey.contains($0.column) }
        guard !attributes.isEmpty else { return nil }
        let attribute = random.pick(attributes)
        if attribute.isOptional, random.chance(20) { return KeyAssignment(attribute.name, .null) }
        let value: PredicateValue? =
            switch attribute.type {
            case .boolean: .bool(random.chance(50))
            case .integer: .integer(777)
            case .double: .double(777.5)
            case .date: .date(777.25)
            case .decimal: DecimalNumber("777.75").map(PredicateValue.decimal)
            case .string: .string("'changed' ⌘")
            case .data: .data([7, 0, 7])
            case .uuid: .uuid(UniversalID(high: 7, low: 7))
            case .url: .url("https://changed.example/?a='b'")
            case .any, .null, .number, .entity, .collection: nil
            }
        return value.map { KeyAssignment(attribute.name, $0) }
    }

    var description: String {
        let set = assignment.map { ", \($0.key) = \($0.value)" } ?? ""
        return "\(entity): \(predicate), by \(sort), limit \(limit.map(String.init) ?? "none"), offset \(offset)\(set)"
    }
}

/// Runs the requests of one case. Requires that the data is loaded, and leaves it unchanged.
struct RequestOracle {
    let engine: Engine
    let connection: any EngineConnection
    let data: DataSet
    let graph: ObjectGraph

    init(_ engine: Engine, _ connection: any EngineConnection, _ data: DataSet) {
        self.engine = engine
        self.connection = connection
        self.data = data
        graph = ObjectGraph(data)
    }

    enum Outcome {
        /// The type checker rejects the predicate.
        case refused
        /// The properties of the statements: whether SQL sorted, applied the limit, and was exact; how many rows were
        /// returned with a residual, and how many of those do not need it.
        case right(isSorted: Bool, isLimited: Bool, isExact: Bool, rows: Int, sure: Int)
        case wrong(String)
    }

    func outcome(_ one: RequestCase) async -> Outcome {
        do {
            guard
                let select = try statement(.select(sort: one.sort, limit: one.limit, offset: one.offset), one)
            else { return .refused }
            let expected = rows(one.predicate, one.entity)
            let isExact = select.query.isExact
            let found = try await keys(select)
            try check(one, select, expected, found)
            let sure = try await sure(select, expected)
            try await checkCount(one, expected, isExact)
            try await checkBounds(one, expected, isExact)
            try await checkChanges(one, expected, isExact)
            return .right(
                isSorted: select.isSorted, isLimited: select.isLimited, isExact: isExact,
                rows: isExact ? 0 : found.count, sure: sure)
        } catch {
            return .wrong("\(error)")
        }
    }

    // MARK: In memory

    /// The keys of the rows that satisfy a predicate.
    func rows(_ predicate: FormatPredicate, _ entity: String) -> [Int64] {
        guard let matcher = try? predicate.reading(entity, data.schema).compiled() else { return [] }
        return graph.objects(of: entity).filter { (try? matcher.test($0.object)) == true }.map(\.key)
    }

    /// The keys in the order of memory. Equal rows are sorted by key.
    private func sorted(_ keys: [Int64], _ one: RequestCase) -> [Int64] {
        var sorter = Sorter<Int64>(keys: one.sort)
        for key in keys.sorted() {
            let object = graph.object(one.entity, key)
            sorter.add(key, fields: one.sort.map { Self.value(of: $0, object) })
        }
        return sorter.finish()
    }

    /// The value of a sort key; nil if its expression fails.
    private static func value(of key: PredicateSortKey, _ object: PredicateValue) -> PredicateValue {
        if key.isKeyPath, key.environment.language.isEmpty { return value(key.path, of: object) }
        return (try? key.expression().evaluate(object)) ?? .null
    }

    static func value(_ path: String, of object: PredicateValue) -> PredicateValue {
        path.split(separator: ".").reduce(object) { value, key in
            guard case .object(let reference) = value else { return .null }
            return reference.object.value(forKey: String(key)) ?? .null
        }
    }

    // MARK: In SQL

    /// nil if the type checker rejects the predicate.
    func statement(_ request: SQLQuery.Request, _ one: RequestCase) throws -> SQLStatement? {
        do throws(PredicateFailure) {
            return try one.predicate.sql(
                request, engine.dialect, entity: one.entity, in: data.schema, allowingConstantComparisons: true)
        } catch {
            if error.diagnostics.contains(where: { $0.id == .sqlInexact }) { throw error }
            return nil
        }
    }

    private func keys(_ statement: SQLStatement) async throws -> [Int64] {
        do {
            return try await connection.select([EngineQuery(statement)]).first?.get() ?? []
        } catch {
            throw EngineFailure("\(error)\n\(statement.text)\n\(statement.bindings)")
        }
    }

    func expect(_ found: [Int64], _ wanted: [Int64], _ what: String, _ statement: SQLStatement) throws {
        guard found != wanted else { return }
        throw EngineFailure("\(what): \(found), not \(wanted)\n\(statement.text)\n\(statement.bindings)")
    }

    private func check(_ one: RequestCase, _ select: SQLStatement, _ expected: [Int64], _ found: [Int64]) throws {
        let wanted = sorted(expected, one)
        let window = Array(wanted.dropFirst(one.offset).prefix(one.limit ?? .max))
        let isCut = one.limit != nil || one.offset > 0
        let isOrdered = select.isSorted && (isCut || !one.sort.isEmpty)
        if isCut, select.isLimited {
            guard select.query.residual == nil, select.isSorted else {
                throw EngineFailure("a limit is pushed past what memory does: \(select.text)")
            }
            return try expect(found, window, "the window", select)
        }
        let kept = select.query.residual.map { rows($0, one.entity) }
        let rest = found.filter { kept?.contains($0) ?? true }
        try expect(isOrdered ? rest : rest.sorted(), isOrdered ? wanted : wanted.sorted(), "the order", select)
    }

    private func checkCount(_ one: RequestCase, _ expected: [Int64], _ isExact: Bool) async throws {
        guard let count = try exact(.count, one, isExact) else { return }
        try expect(try await keys(count), [Int64(expected.count)], "the count", count)
    }

    /// The number of rows that do not need the residual. All of them must be selected.
    private func sure(_ select: SQLStatement, _ expected: [Int64]) async throws -> Int {
        guard select.hasCertain else { return 0 }
        let sure = try await connection.rows(EngineQuery(select)).compactMap { row in
            ["1", "true"].contains(row.last?.lowercased()) ? row.first.flatMap { Int64($0) } : nil
        }
        let wrong = sure.filter { !expected.contains($0) }
        try expect(wrong, [], "what is sure and not selected", select)
        return sure.count
    }

    private func checkBounds(_ one: RequestCase, _ expected: [Int64], _ isExact: Bool) async throws {
        guard let bounds = try statement(.bounds, one) else { return }
        let found: [Int]
        do {
            found = try await connection.rows(EngineQuery(bounds)).flatMap { $0.compactMap { Int($0) } }
        } catch {
            throw EngineFailure("\(error)\n\(bounds.text)\n\(bounds.bindings)")
        }
        guard found.count == 2, found[0] <= expected.count, expected.count <= found[1], !isExact || found[0] == found[1]
        else { throw EngineFailure("\(found) are no bounds of \(expected.count)\n\(bounds.text)\n\(bounds.bindings)") }
    }

    /// The statement of a count or a change. SQL counts and changes only if the predicate is exact, and changes
    /// only if the engine supports it.
    private func exact(_ request: SQLQuery.Request, _ one: RequestCase, _ isPossible: Bool) throws -> SQLStatement? {
        do {
            guard let found = try statement(request, one) else {
                throw EngineFailure("the type checker refuses it as \(request) only")
            }
            if isPossible { return found }
            throw EngineFailure("it is said, though it cannot be: \(found.text)")
        } catch let error as PredicateFailure {
            if isPossible { throw EngineFailure("\(request) is refused: \(error)") }
            return nil
        }
    }

    private func checkChanges(_ one: RequestCase, _ expected: [Int64], _ isExact: Bool) async throws {
        guard let table = data.schema.entity(one.entity)?.table, let rows = data.table(table)?.rows else { return }
        let all = rows.compactMap { if case .integer(let key) = $0[0] { key } else { nil } }
        let everything = RequestCase(all: one)
        let isPossible = isExact && engine.changesRows
        if let delete = try exact(.delete, one, isPossible), let select = try statement(.select(), everything) {
            let left = try await after(delete, EngineQuery(select))
            try expect(left.sorted(), all.filter { !expected.contains($0) }.sorted(), "what is left", delete)
        }
        guard let assignment = one.assignment, let places = columns(assignment.key, one.entity),
            let update = try exact(.update([assignment]), one, isPossible)
        else { return }
        let parts = Self.parts(assignment.value, places.count)
        let had = rows.filter { data.table(table)?.values(places, $0) == parts }.compactMap { row in
            if case .integer(let key) = row[0] { key } else { nil }
        }
        guard let select = try self.select(everything, assignment, places) else { return }
        let changed = try await after(update, select)
        try expect(changed.sorted(), Set(had + expected).sorted(), "what has the new value", update)
    }

    /// Runs a change, then a query, and returns the query's rows. The change is rolled back.
    func after(_ change: SQLStatement, _ query: EngineQuery) async throws -> [Int64] {
        do {
            _ = try await connection.rows(EngineQuery(sql: "BEGIN"))
            let found: [Int64]
            do {
                _ = try await connection.rows(EngineQuery(change))
                found = try await connection.select([query]).first?.get() ?? []
            } catch {
                _ = try await connection.rows(EngineQuery(sql: "ROLLBACK"))
                throw error
            }
            _ = try await connection.rows(EngineQuery(sql: "ROLLBACK"))
            return found
        } catch {
            throw EngineFailure("\(error)\n\(change.text)\n\(change.bindings)\n\(query.sql)")
        }
    }

    private func columns(_ key: String, _ entity: String) -> [String]? {
        switch data.schema.key(key, of: entity) {
        case .attribute(let attribute): return [attribute.column]
        case .relationship(let relationship):
            if case .column(let columns)? = relationship.link { return columns }
            return nil
        case nil: return nil
        }
    }

    /// The value for each of `count` columns.
    private static func parts(_ value: PredicateValue, _ count: Int) -> [PredicateValue] {
        if case .array(let parts) = value { return parts }
        return [PredicateValue](repeating: value, count: count)
    }

    /// The rows whose columns contain the assigned values.
    private func select(_ all: RequestCase, _ assignment: KeyAssignment, _ columns: [String]) throws -> EngineQuery? {
        let quote = engine.dialect.quotation
        guard let everything = try statement(.select(), all) else { return nil }
        guard assignment.value.isNil == false,
            case .attribute(let attribute)? = data.schema.key(assignment.key, of: all.entity)
        else {
            let tests = zip(columns, Self.parts(assignment.value, columns.count)).map { column, value in
                let name = quote + column.replacing(quote, with: quote + quote) + quote
                let test = if case .integer(let key) = value { " = \(key)" } else { " IS NULL" }
                return " AND \(data.schema.root(quote)).\(name)\(test)"
            }
            return EngineQuery(
                sql: everything.text + tests.joined(), values: everything.bindings, types: everything.bindingTypes)
        }
        let equality = PredicateNode(
            .comparison(
                ComparisonNode(
                    ExpressionNode(.keyPath([attribute.name])), .equal, ExpressionNode(.value(assignment.value)))))
        let query = try FormatPredicate(equality).sql(engine.dialect, entity: all.entity, in: data.schema)
        return EngineQuery(sql: query.statement, values: query.bindings, types: query.bindingTypes)
    }
}

extension EngineQuery {
    init(_ statement: SQLStatement) {
        self.init(sql: statement.text, values: statement.bindings, types: statement.bindingTypes)
    }
}
