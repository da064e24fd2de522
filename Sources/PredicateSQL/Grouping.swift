// Thresholds of to-many keys as one subquery over all groups instead of one for each row:
//
//     "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" GROUP BY "t1"."person_id" HAVING COUNT(*) > 3)
//
// A parent without rows has no group. So a threshold that an empty collection does not reach becomes IN, and one
// that it reaches becomes NOT IN of the opposite. The last pass before the SQL is written (Emitter.swift), for
// dialects with `groupsThresholds`.
import PredicateModel
import PredicateSyntax

struct Grouping {
    /// The statement's own rows and what is joined to them. Only their collections are grouped: those of rows
    /// inside a subquery are asked of few rows.
    private let aliases: Set<Int>

    init(_ root: Scope) { aliases = root.aliases }

    func grouped(_ condition: Condition) -> Condition {
        switch condition {
        case .all(let parts): return narrows(parts) ? condition : .every(parts.map(grouped))
        case .any(let parts): return .some(parts.map(grouped))
        case .leaf(let leaf, let negated): return group(leaf, negated) ?? condition
        case .count(let scope, let filter, let order, let number):
            let count = Operand(kind: .aggregate(.count, nil, scope, filter), type: .integer, isNullable: false)
            return group(.compare(order, count, .constant(.integer(number), .integer)), false) ?? condition
        case .constant, .exists, .partial, .bounded: return condition
        }
    }

    /// nil if the leaf is no threshold, or its rows depend on the row outside by more than their key.
    private func group(_ leaf: Leaf, _ negated: Bool) -> Condition? {
        guard case .compare(let order, let left, let right) = leaf else { return nil }
        if case .constant = left.kind, case .aggregate = right.kind {
            return group(.compare(order.mirrored, right, left), negated)
        }
        guard case .aggregate(let aggregate, let element, let scope, let filter) = left.kind,
            case .constant(let bound) = right.kind, let key = scope.groupKey,
            case .column(let alias, _) = key.kind, aliases.contains(alias),
            filter.reads(only: scope.aliases), element?.reads(only: scope.aliases) ?? true
        else { return nil }
        var emptyReaches = false
        if aggregate.isNeverNull {
            guard let reaches = try? Comparison(order.comparison).test(.integer(0), bound) else { return nil }
            emptyReaches = reaches
        }
        // The group that decides is the one that does what an empty collection does not.
        func whole(_ having: Leaf, _ negated: Bool) -> Condition? {
            // NULL is not IN, and not NOT IN either.
            negated && key.isNullable ? nil : .leaf(.group(key, scope, filter, having: having), negated: negated)
        }
        if emptyReaches == negated { return whole(leaf, negated) }
        guard left.isPlain, aggregate.isNeverNull else { return nil }
        return whole(.compare(order.complement, left, right), !negated)
    }

    /// Whether one of the terms selects few rows by an index, so that a subquery for each of these is cheaper than
    /// all groups: an equality, a list, or a range with two ends.
    private func narrows(_ terms: [Condition]) -> Bool {
        var bounded: Set<Operand> = []
        for case .leaf(let leaf, negated: false) in terms {
            switch leaf {
            case .compare(.equal, let column, let other):
                if column.isSelective, case .constant = other.kind { return true }
            case .compare(.greater, let column, let other), .compare(.greaterOrEqual, let column, let other),
                .compare(.less, let column, let other), .compare(.lessOrEqual, let column, let other):
                guard column.isSelective, case .constant = other.kind else { continue }
                if !bounded.insert(column).inserted { return true }
            case .list(let column, _), .json(let column, _): if column.isSelective { return true }
            default: continue
            }
        }
        return false
    }
}

extension Operand {
    /// Whether it is a column of many different values.
    fileprivate var isSelective: Bool {
        guard case .column = kind, type != .boolean else { return false }
        return range.map { $0.upperBound.subtractingReportingOverflow($0.lowerBound).partialValue.magnitude > 100 }
            ?? true
    }

    /// Whether all its columns are of these tables or of those of its own subqueries.
    fileprivate func reads(only aliases: Set<Int>) -> Bool {
        switch kind {
        case .constant: true
        case .column(let alias, _), .element(let alias): aliases.contains(alias)
        case .call(_, let arguments): arguments.allSatisfy { $0.reads(only: aliases) }
        case .aggregate(_, let element, let scope, let filter):
            scope.outer.allSatisfy { $0.reads(only: aliases) } && filter.reads(only: aliases.union(scope.aliases))
                && element?.reads(only: aliases.union(scope.aliases)) ?? true
        }
    }
}

extension Condition {
    fileprivate func reads(only aliases: Set<Int>) -> Bool {
        switch self {
        case .constant: true
        case .leaf(let leaf, _): leaf.operands.allSatisfy { $0.reads(only: aliases) }
        case .all(let parts), .any(let parts): parts.allSatisfy { $0.reads(only: aliases) }
        case .exists(let scope, let inner, _), .count(let scope, let inner, _, _):
            scope.outer.allSatisfy { $0.reads(only: aliases) } && inner.reads(only: aliases.union(scope.aliases))
        case .partial, .bounded: false
        }
    }
}

extension Scope {
    /// The key of the row outside that the rows are grouped by, if it has one column.
    fileprivate var groupKey: Operand? {
        switch link {
        case .foreignKey(_, let outer)?, .pairs(_, _, _, _, _, let outer)?: outer.count == 1 ? outer[0] : nil
        case .elements?, .lambda?, nil: nil
        }
    }

    /// The column that holds that key.
    var groupColumn: (alias: Int, name: String)? {
        switch link {
        case .foreignKey(let columns, _)?: columns.first.map { (alias, $0) }
        case .pairs(_, let pairs, let from, _, _, _)?: from.first.map { (pairs, $0) }
        case .elements?, .lambda?, nil: nil
        }
    }
}
