// A database at the prompt: tables are entities, foreign keys are relationships. SQL selects as much as it can express;
// the rest is tested in memory. `.explain` shows both parts.

import Foundation

/// The tables of a database, opened read-only.
final class DatabaseSource: DataSource {
    /// The maximum number of values to complete, and the maximum length of such a value.
    private static let domainLimit = 64
    private static let longestChoice = 40
    /// The maximum number of entities named in the summary.
    private static let namedEntities = 8

    let name: String
    /// The tables that cannot be read.
    let warnings: [String]
    private let store: any DatabaseStore
    private var domains: [[String]: [PredicateValue]] = [:]

    init(_ name: String, _ address: DatabaseAddress) throws {
        self.name = name
        store = try address.open()
        warnings = store.warningsOfUnreadableTables()
        guard !store.schema.entities.isEmpty else {
            throw CommandEnd.failure(.failed, "'\(name)' has no tables")
        }
    }

    var schema: PredicateSchema { store.schema }
    var entities: [String] { store.schema.entityNames }
    var dialect: SQLDialect? { store.dialect }
    func isDescribed(_ entity: String) -> Bool { true }

    /// The summary has no counts, because counting would read whole tables.
    var summary: String {
        let shown = entities.prefix(Self.namedEntities).joined(separator: ", ")
        let rest = entities.count - Self.namedEntities
        return "tables: " + shown + (rest > 0 ? " and \(rest) more (.schema)" : "")
    }

    /// Runs a store operation and converts its errors.
    private func answer<Result>(_ body: () throws(StoreFailure) -> Result) throws -> Result {
        do throws(StoreFailure) {
            return try body()
        } catch {
            switch error {
            case .request(let failure): throw failure
            case .engine(_, let message, _, _): throw CommandEnd.failure(.failed, "\(name): \(message)")
            case .unusable(let problem, _): throw CommandEnd.failure(.failed, "\(name): \(problem.description)")
            default: throw CommandEnd.failure(.failed, error.description)
            }
        }
    }

    func count(of entity: String, isCancelled: () -> Bool) throws -> Int? {
        try answer { [store] () throws(StoreFailure) in
            do throws(StoreFailure) {
                let (count, wasCancelled) = try Interruptible.run(
                    isCancelled: isCancelled, interrupt: store.interrupt
                ) { () throws(StoreFailure) in try store.count(StoreRequest(entity)) }
                return wasCancelled ? nil : count
            } catch .cancelled {
                return nil
            }
        }
    }

    var files: [String] { [name] }

    func columns(of entity: String) -> [String] {
        schema.lineage(of: entity).flatMap { $0.attributes.map(\.name) }
    }

    // MARK: Values

    func domain(of path: [String], in entity: String) -> [PredicateValue] {
        let place = [entity] + path
        if let known = domains[place] { return known }
        let values = values(at: path, of: entity)
        domains[place] = values
        return values
    }

    private func values(at path: [String], of entity: String) -> [PredicateValue] {
        guard let (attribute, target) = schema.attribute(at: path, of: entity) else { return [] }
        guard [.string, .integer, .double, .boolean].contains(attribute.type) else { return [] }
        // Completion ignores errors of the database, and does not read tables of a server.
        guard let values = try? (store as? SQLiteStore)?.values(of: attribute.name, in: target, most: Self.domainLimit)
        else {
            return []
        }
        let hasLong = values.contains { value in
            guard case .string(let text) = value else { return false }
            return text.utf8.count > Self.longestChoice
        }
        return hasLong ? [] : values
    }

    // MARK: Selecting

    private func request(_ selection: Selection, limit: Int?) throws(PredicateFailure) -> StoreRequest {
        let predicate = try selection.predicate.substituting(selection.variables)
        var reader = TextReader()
        (reader.environment, reader.substitutions) = (selection.predicate.environment, selection.variables)
        let sort = selection.sort.keys.map { $0.substituting(reader) }
        return StoreRequest(selection.entity, where: predicate, sort: sort, limit: limit)
    }

    func select(_ selection: Selection) throws -> SelectedRecords {
        let all = try request(selection, limit: nil)
        let limit = selection.limit
        let start = ContinuousClock.now
        var isTold = false
        return try answer { [store] () throws(StoreFailure) in
            let plan = try store.plan(all)
            func isCancelled() -> Bool {
                if !isTold, let slowness = plan.slowness, ContinuousClock.now - start > SlowNotice.patience {
                    isTold = true
                    selection.tellSlowness(slowness)
                }
                return selection.isCancelled()
            }
            let (found, wasCancelled) = try Interruptible.run(isCancelled: isCancelled, interrupt: store.interrupt) {
                () throws(StoreFailure) in try Self.select(all, plan, limit: limit, from: store)
            }
            var answer = found ?? SelectedRecords()
            answer.wasCancelled = answer.wasCancelled || wasCancelled
            return answer
        }
    }

    private static func select(
        _ all: StoreRequest, _ plan: FetchPlan, limit: Int?, from store: any DatabaseStore
    ) throws(StoreFailure) -> SelectedRecords {
        var answer = SelectedRecords()
        do throws(StoreFailure) {
            // If the predicate is exact, SQL limits and counts; otherwise every row is tested in memory.
            var request = all
            if plan.residual == nil { request.limit = limit }
            let cursor = try request.limit == nil ? store.cursor(plan) : store.cursor(request)
            while let object = try cursor.next() {
                answer.count += 1
                if answer.records.count < limit ?? .max { answer.records.append(.object(ObjectReference(object))) }
            }
            if request.limit == answer.count { answer.count = try store.count(all) }
            answer.failed = cursor.failures.count
            answer.firstFailure = cursor.failures.first.map { (nil, $0) }
        } catch .cancelled {
            answer.wasCancelled = true
        }
        return answer
    }

    /// The database for commands that do not link the stores.
    var known: KnownDatabase {
        KnownDatabase(schema: schema, dialect: store.dialect) { predicate, entity, clock in
            let request = StoreRequest(entity, where: predicate, clock: clock)
            return try self.answer { () throws(StoreFailure) in
                let plan = try self.store.plan(request)
                let steps = try self.store.steps(of: plan.statement)
                return (try self.store.advice(of: plan, request, steps), steps)
            }
        }
    }

    func plan(of selection: Selection, width: Int?) throws -> [String] {
        let request = try request(selection, limit: selection.limit)
        return try answer { () throws(StoreFailure) in try store.explanation(of: request, width: width) }
    }

    func checkFaults(_ records: [PredicateValue]) throws {
        guard case .object(let reference)? = records.first, let object = reference.object as? StoredObject else {
            return
        }
        try answer { () throws(StoreFailure) in try object.checkFaults() }
    }
}
