// The matrix in SQL: every construct in every position selects, sorts and stores on the real engines what memory does. How
// much of it each dialect computes is kept in Tests/House/Engines/matrix.tsv.

import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateTestSupport
import Testing

/// An expression in a position, with a constant that it has for some object.
private struct Cell: Sendable, CustomStringConvertible {
    let one: MatrixExpression
    let position: Matrix.Position
    let constant: PredicateValue

    var description: String { "\(position) \(one.text) with \(constant)" }

    var request: RequestCase? {
        if let condition = position.condition(one.text) {
            let count = condition.split(separator: "%@", omittingEmptySubsequences: false).count - 1
            let arguments = Array(repeating: constant, count: count)
            guard let predicate = try? FormatPredicate(condition, arguments: arguments, in: Matrix.environment) else {
                return nil
            }
            return RequestCase(predicate, sort: [], limit: nil)
        }
        let key = PredicateSortKey(one.text, descending: position == .page, in: Matrix.environment)
        let isPage = position == .page
        return RequestCase(.constant(true), sort: [key], limit: isPage ? 4 : nil, offset: isPage ? 3 : 0)
    }

    var assignment: KeyAssignment? {
        guard let key = Matrix.key(for: constant), let expression = one.parsed else { return nil }
        return KeyAssignment(key, expression)
    }

    /// All cells whose expression has a value for an object.
    static func all(isHostile: Bool, _ constructs: Set<String>? = nil) -> [Cell] {
        let graphs = Matrix.graphs(Matrix.objects(isHostile: isHostile))
        func cells(_ variable: String, _ positions: [Matrix.Position]) -> [Cell] {
            Matrix.expressions(of: variable).filter { constructs?.contains($0.construct) ?? true }.flatMap { one in
                let parsed = try? FormatExpression(one.meaning ?? one.text, arguments: [], in: Matrix.environment)
                for object in graphs {
                    let value = try? parsed?.evaluate(object, variables: variable.isEmpty ? [:] : ["p": object])
                    guard let value, !value.isNil else { continue }
                    return positions.map { Cell(one: one, position: $0, constant: value) }
                }
                return []
            }
        }
        return cells("", Matrix.Position.allCases.filter { $0 != .subquery }) + cells("$p", [.subquery])
    }
}

extension RequestCase {
    /// A request with several cells; nil if one is not a condition or an order.
    fileprivate init?(joining cells: [Cell], _ random: inout SplitMix) {
        let (one, other, third) = (random.pick(cells), random.pick(cells), random.pick(cells))
        guard let left = one.request?.predicate, let right = other.request?.predicate else { return nil }
        let order = Cell(one: third.one, position: .sort, constant: third.constant).request?.sort ?? []
        let isSorted = third.position != .subquery && random.chance(50)
        let joined = random.chance(50) ? left && right : left || !right
        self.init(joined, sort: isSorted ? order : [], limit: random.chance(30) ? random.below(8) : nil)
    }
}

extension DataSet {
    /// The rows of the matrix' objects, as an engine stores them.
    fileprivate init(matrix objects: [ValueDictionary], storing engine: Engine) throws {
        self.init(NamedSchema(name: "matrix", schema: try Matrix.schema()))
        tables[0].rows = objects.map { object in
            tables[0].columns.map { column in
                let key = column.name == "owner_id" ? "owner" : column.name
                return engine.storable(object[key] ?? .null, in: column)
            }
        }
    }
}

extension RequestOracle {
    /// Stores the value of an expression in every row, and compares what the rows have then.
    fileprivate func complaint(ofUpdate cell: Cell) async -> String? {
        guard let assignment = cell.assignment, engine.changesRows else { return nil }
        do {
            let all = RequestCase(FormatPredicate.constant(true), sort: [], limit: nil)
            guard let update = try? statement(.update([assignment]), all) else { return nil }
            var rowsOfValue: [PredicateValue: [Int64]] = [:]
            for key in rows(all.predicate, all.entity) {
                let value = try assignment.expression.reading("Thing", data.schema).evaluate(graph.object("Thing", key))
                rowsOfValue[value, default: []].append(key)
            }
            for (value, rows) in rowsOfValue {
                let test = try FormatPredicate("%K == %@", arguments: [.string(assignment.key), value])
                guard let query = try statement(.select(), RequestCase(test, sort: [], limit: nil)), query.query.isExact
                else { continue }
                let found = try await after(update, EngineQuery(query))
                try expect(found.sorted(), rows.sorted(), "what has \(value)", update)
            }
            return nil
        } catch is PredicateFailure {
            // Its evaluation fails for a row.
            return nil
        } catch {
            return "\(error)"
        }
    }
}

@Suite struct MatrixTests {
    @Test(arguments: Engine.chosen) func enginesAnswerAsMemory(_ engine: Engine) async throws {
        try await engine.withConnection { connection in
            // A million requests of SQLite in a full run.
            let longFactor = if case .library = engine.opening { 250 } else { 20 }
            var (cells, joined, wrong) = (0, 0, [String]())
            for isHostile in [false, true] {
                var random = SplitMix(state: TestDepth.seed &+ (isHostile ? 2 : 1))
                let chosen = Cell.all(isHostile: isHostile).shuffled(using: &random)
                let data = try DataSet(matrix: Matrix.objects(isHostile: isHostile), storing: engine)
                try await connection.load(data.tables)
                let oracle = RequestOracle(engine, connection, data)
                // Conditions of two cells, sorted by a third.
                for _ in 0..<TestDepth.count(engine.requests / 2, full: engine.requests * longFactor) {
                    guard let request = RequestCase(joining: chosen, &random) else { continue }
                    joined += 1
                    if case .wrong(let complaint) = await oracle.outcome(request) {
                        wrong.append("\(request)\n\(complaint)")
                    }
                }
                for cell in chosen.prefix(TestDepth.count(engine.requests, full: chosen.count)) {
                    cells += 1
                    if cell.position == .update {
                        let complaint = await oracle.complaint(ofUpdate: cell)
                        if let complaint { wrong.append("\(cell)\n\(complaint)") }
                    } else if let request = cell.request, case .wrong(let complaint) = await oracle.outcome(request) {
                        wrong.append("\(cell)\n\(complaint)")
                    }
                }
            }
            TestDepth.note("\(engine.dialect): \(cells) cells of the matrix, \(joined) joined, \(wrong.count) wrong")
            for complaint in wrong.prefix(8) { Issue.record("\(complaint)") }
            #expect(wrong.isEmpty)
        }
    }

    // MARK: What each dialect computes

    /// For a construct and a dialect: in each position, the number of cells in SQL, left to memory, and refused.
    private typealias Counts = [String: [String]]

    private static let file = Run.file("matrix.tsv")

    private static func counts(_ constructs: Set<String>?) throws -> Counts {
        let schema = try Matrix.schema()
        let cells = Dictionary(grouping: Cell.all(isHostile: false, constructs), by: \.one.construct)
        var found: Counts = [:]
        for (construct, cells) in cells {
            for dialect in SQLDialect.all {
                found["\(construct)\t\(dialect.name)"] = Matrix.Position.allCases.map { position in
                    var tally = [0, 0, 0]
                    for cell in cells where cell.position == position { tally[kind(cell, dialect, schema)] += 1 }
                    return tally.map(String.init).joined(separator: "/")
                }
            }
        }
        return found
    }

    /// 0 in SQL, 1 left to memory, 2 refused.
    private static func kind(_ cell: Cell, _ dialect: SQLDialect, _ schema: PredicateSchema) -> Int {
        do throws(PredicateFailure) {
            if cell.position == .update {
                guard let assignment = cell.assignment else { return 2 }
                _ = try FormatPredicate.constant(true).sql(.update([assignment]), dialect, entity: "Thing", in: schema)
                return 0
            }
            guard let request = cell.request else { return 2 }
            let statement = try request.predicate.sql(
                .select(sort: request.sort, limit: request.limit, offset: request.offset), dialect, entity: "Thing",
                in: schema, allowingConstantComparisons: true)
            return statement.query.isExact && statement.isSorted ? 0 : 1
        } catch { return cell.position == .update && error.diagnostics.contains { $0.id == .sqlInexact } ? 1 : 2 }
    }

    /// UPDATE_GOLDEN=1 writes the file again.
    @Test func dialectsComputeWhatTheyDid() throws {
        let isWriting = Run.environment["UPDATE_GOLDEN"] == "1" && !Run.isCI
        let constructs = Set(Matrix.expressions().map(\.construct)).union(Matrix.expressions(of: "$p").map(\.construct))
        let chosen = isWriting ? constructs : Set(TestDepth.some(constructs.sorted(), every: 60))
        let found = try Self.counts(chosen)
        if isWriting {
            let head = (["construct", "dialect"] + Matrix.Position.allCases.map(\.rawValue)).joined(separator: "\t")
            let lines = found.map { $0 + "\t" + $1.joined(separator: "\t") }.sorted()
            try Data(([head] + lines).joined(separator: "\n").appending("\n").utf8).write(to: Self.file)
        }
        let kept = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").dropFirst()
        var rows: Counts = [:]
        for line in kept {
            let fields = line.split(separator: "\t").map(String.init)
            rows[fields.prefix(2).joined(separator: "\t")] = Array(fields.dropFirst(2))
        }
        for (key, counts) in found { #expect(rows[key] == counts, "\(key): UPDATE_GOLDEN=1 writes matrix.tsv again") }
        // A construct without a value for any object has no cells.
        if chosen.count == constructs.count { #expect(Set(rows.keys) == Set(found.keys)) }
    }
}
