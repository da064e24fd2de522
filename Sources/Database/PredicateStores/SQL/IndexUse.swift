// Which indexes serve a request. The engine's plan decides; what the predicate requires of an index's first column, and
// whether the condition of a partial index follows from it, gives the reason why an index does not serve.
package import PredicateModel
import PredicateRules
import PredicateSyntax

/// An index, and whether the plan of a request uses it to find rows.
package struct IndexUse: Sendable {
    package enum Answer: Sendable {
        /// It does; the line of the plan.
        case serves(String)
        /// It does if the condition of the index is added to the predicate, from which it follows.
        case servesWith(FormatPredicate)
        /// It does not; the reason in words, if one is certain.
        case doesNotServe(String?)
        /// It does not, because the predicate does not read the first column.
        case isUnread
    }

    package let index: StoredIndex
    package let answer: Answer
}

extension SQLStore {
    /// The indexes of the entity's table and their use, those that serve first; nil for engines without a catalogue of
    /// indexes.
    ///
    /// - Parameter steps: returns the plan of a request.
    package func indexUses(
        for request: StoreRequest, steps: (StoreRequest) throws(StoreFailure) -> [String]
    ) throws(StoreFailure) -> [IndexUse]? {
        guard let indexes = try indexes(of: request.entity) else { return nil }
        let plan = indexes.isEmpty ? [] : try steps(request)
        var uses: [IndexUse] = []
        for index in indexes {
            uses.append(IndexUse(index: index, answer: try answer(index, request, plan, steps)))
        }
        return uses.sorted { ($0.rank, $0.index.name) < ($1.rank, $1.index.name) }
    }

    private func answer(
        _ index: StoredIndex, _ request: StoreRequest, _ plan: [String],
        _ steps: (StoreRequest) throws(StoreFailure) -> [String]
    ) throws(StoreFailure) -> IndexUse.Answer {
        if let step = index.step(in: plan) { return .serves(step) }
        var answer = IndexColumn(index, request, schema)?.answer ?? .doesNotServe(nil)
        guard let condition = index.condition else { return answer }
        switch request.predicate.implies(condition, for: schema, entity: request.entity) {
        case .proven:
            var other = request
            other.predicate = request.predicate && condition
            if index.step(in: try steps(other)) != nil { answer = .servesWith(condition) }
        case .refuted(let object):
            if case .isUnread = answer { break }
            answer = .doesNotServe("it may lack a selected row, such as \(object)")
        case .unknown: break
        }
        return answer
    }
}

extension IndexUse: CustomStringConvertible {
    /// `orders_customer (customer, total): serves; SEARCH t0 USING INDEX orders_customer (customer=?)`
    package var description: String {
        let answer =
            switch answer {
            case .serves(let step): "serves; \(step)"
            case .servesWith(let condition):
                "serves with its condition, which follows from the predicate: AND \(condition)"
            case .doesNotServe, .isUnread: reason.map { "does not serve; " + $0 } ?? "the plan does not use it"
            }
        return "\(index): \(answer)"
    }

    /// Why the index does not serve, if that is certain.
    package var reason: String? {
        switch answer {
        case .serves, .servesWith: nil
        case .doesNotServe(let reason): reason
        case .isUnread: "the predicate does not read the first column"
        }
    }

    /// A line for each index, and one for all whose first column the predicate does not read.
    package static func lines(_ uses: [IndexUse]) -> [String] {
        let unread = uses.filter { $0.rank == 3 }.map { "\($0.index)" }.joined(separator: ", ")
        let lines = uses.filter { $0.rank < 3 }.map(\.description)
        return unread.isEmpty ? lines : lines + ["the predicate does not read the first column of \(unread)"]
    }

    /// For an index that would serve with its condition: the condition to add.
    package var advice: String? {
        guard case .servesWith(let condition) = answer else { return nil }
        return "the index \(index.name) serves the predicate with its condition, which follows from it\n"
            + "AND \(condition)"
    }

    fileprivate var rank: Int {
        switch answer {
        case .serves: 0
        case .servesWith: 1
        case .doesNotServe: 2
        case .isUnread: 3
        }
    }
}

extension StoredIndex: CustomStringConvertible {
    /// `orders_customer (customer, total)`
    package var description: String {
        "\(name) (\(columns.map { $0.name ?? "an expression" }.joined(separator: ", ")))"
    }

    /// The line of a plan that finds rows by the index: `SEARCH t0 USING INDEX i (a=?)`, `Index Cond: (a = 1)`. A partial
    /// index is also used by reading all of it.
    fileprivate func step(in plan: [String]) -> String? {
        for (place, step) in plan.enumerated() where isNamed(in: step) {
            let next = plan.indices.contains(place + 1) ? plan[place + 1].trimmingSpaces : ""
            if next.hasPrefix("Index Cond:") { return next }
            if isPartial || step.trimmingSpaces.hasPrefix("SEARCH ") { return step.trimmingSpaces }
        }
        return nil
    }

    private func isNamed(in step: String) -> Bool {
        ["INDEX ", "USING ", "using ", "using \"", "Index Scan on ", "Index Scan on \""].contains { word in
            step.ranges(of: word + name).contains { range in
                let rest = step[range.upperBound...]
                return rest.isEmpty || [" (", "  (", "\"", " on "].contains { rest.hasPrefix($0) }
            }
        }
    }
}

/// The first column of an index, and how a predicate reads it.
private struct IndexColumn {
    private let name: String
    private let isExact: Bool
    /// The predicate in a form without superfluous NOT.
    private let root: PredicateNode
    /// The keys that are stored in the column.
    private let keys: Set<String>

    /// nil if the index begins with an expression.
    init?(_ index: StoredIndex, _ request: StoreRequest, _ schema: PredicateSchema) {
        guard let column = index.columns.first, let name = column.name else { return nil }
        (self.name, isExact) = (name, column.isExact)
        root = request.predicate.simplified(for: schema, entity: request.entity).root
        var keys: Set<String> = []
        for entity in schema.lineage(of: request.entity) {
            for attribute in entity.attributes where attribute.column.lowercased() == name.lowercased() {
                keys.insert(attribute.name)
            }
            for relationship in entity.relationships {
                guard case .column(let columns) = relationship.link else { continue }
                if columns.contains(where: { $0.lowercased() == name.lowercased() }) { keys.insert(relationship.name) }
            }
        }
        self.keys = keys
    }

    /// Why an index that begins with the column does not serve. There is a reason only if it is certain.
    var answer: IndexUse.Answer {
        var comparisons: [ComparisonNode] = []
        var readsSelf = false
        PredicateWalker(
            predicate: { node in
                if case .comparison(let comparison) = node.kind { comparisons.append(comparison) }
            }, expression: { if case .selfObject = $0.kind { readsSelf = true } }
        ).walk(root)
        if readsSelf || keys.isEmpty { return .doesNotServe(nil) }
        let sides = comparisons.flatMap { [$0.left, $0.right] }.filter { reads($0) }
        guard let first = sides.first else { return .isUnread }
        if !sides.contains(where: isKey) {
            return .doesNotServe("the predicate reads \(name) in \(first), not alone")
        }
        let options = comparisons.filter { reads($0) }.map(\.options)
        if isExact, let first = options.first, options.allSatisfy({ !$0.isDisjoint(with: Self.folding) }) {
            return .doesNotServe("the predicate compares \(name) with \(first.spelling)")
        }
        let bound = root.upperBound(combinesOr: true, negates: true) { comparison in
            let mayBound = reads(comparison) && comparison.operator != .notEqual
            return mayBound ? PredicateNode(.comparison(comparison)) : nil
        }
        return .doesNotServe(bound.bound == nil ? "\(name) may have any value in a case of the predicate" : nil)
    }

    private static let folding: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]

    private func reads(_ comparison: ComparisonNode) -> Bool { reads(comparison.left) || reads(comparison.right) }

    private func isKey(_ node: ExpressionNode) -> Bool {
        if case .keyPath(let path) = node.kind { keys.contains(path[0]) } else { false }
    }

    private func reads(_ node: ExpressionNode) -> Bool {
        var found = false
        PredicateWalker(expression: { if isKey($0) { found = true } }).walk(node)
        return found
    }
}
