// Adapts correlated subqueries to engines with limits. In ClickHouse and Spark, a subquery may use columns only of the
// directly enclosing query. ClickHouse also rewrites the subquery to a join on these columns, which loses rows where
// they are NULL. So NULL is tested outside of the subquery.

/// Rewrites `EXISTS (p)` to `(o IS NOT NULL AND EXISTS (p)) OR (o IS NULL AND EXISTS (p with NULL for o))`.
struct Correlation {
    /// The maximum number of columns to split on. Each one doubles the condition.
    private static let limit = 3
    let lowering: Lowering
    /// The predicate term being rewritten.
    let term: PredicateNode

    /// - Parameter outer: the scope of the enclosing subquery; nil at the top.
    func expand(_ condition: Condition, in outer: Scope? = nil) -> Condition {
        guard lowering.step() else { return condition }
        if let outer, condition.reads(beyond: outer) {
            return inMemory("its subquery reads rows of a query that does not directly enclose it")
        }
        switch condition {
        case .constant, .leaf, .partial: return condition
        case .all(let parts): return .every(parts.map { expand($0, in: outer) })
        case .any(let parts): return .some(parts.map { expand($0, in: outer) })
        case .bounded(let over, let under, let reason):
            return .bounded(over: expand(over, in: outer), under: expand(under, in: outer), reason)
        // A list function is not a subquery.
        case .exists(let scope, _, _) where scope.isLambda: return condition
        case .count(let scope, _, _, _) where scope.isLambda: return condition
        case .exists(let scope, let inner, let negated):
            let whole = parted(.exists(scope, expand(inner, in: scope), negated: false))
            return negated ? .not(whole) : whole
        case .count(let scope, let inner, let order, let number):
            return parted(.count(scope, expand(inner, in: scope), order, number))
        }
    }

    /// Splits the condition on the outer columns for which the subquery may be true even if they are NULL.
    private func parted(_ subquery: Condition) -> Condition {
        if !lowering.dialect.subqueries.correlationLosesNull { return subquery }
        let outside = subquery.columnsFromOutside
        let deciding = outside.filter { $0.isNullable && !subquery.isDecidedByJoin(without: $0) }
        if deciding.isEmpty { return subquery }
        if deciding.count > Self.limit {
            return inMemory("its subquery reads too many nullable columns of the outer query")
        }
        return Self.parted(subquery, deciding[...])
    }

    private func inMemory(_ sentence: String) -> Condition {
        let reason = SQLReason(construct: term.description, span: term.span, column: nil, sentence: sentence)
        return .bounded(over: .constant(true), under: .constant(false), reason)
    }

    private static func parted(_ subquery: Condition, _ columns: ArraySlice<Operand>) -> Condition {
        guard let column = columns.first else { return subquery }
        let rest = columns.dropFirst()
        return .some([
            .every([.isNotNull(column), parted(subquery, rest)]),
            .every([.isNull(column), parted(subquery.withNull(for: column), rest)]),
        ])
    }
}

extension Operand {
    /// The columns that the operand consists of. Empty for an aggregate, because lowering ensures that its columns are
    /// not NULL.
    fileprivate var columns: [Operand] {
        switch kind {
        case .column: [self]
        case .element, .constant, .aggregate: []
        case .call(_, let arguments): arguments.flatMap { $0.columns }
        }
    }

    fileprivate func reads(_ other: Operand) -> Bool { columns.contains { $0.kind == other.kind } }

    /// Whether one of its subqueries reads rows outside of the scope.
    fileprivate func reads(beyond scope: Scope) -> Bool {
        switch kind {
        case .column, .element, .constant: return false
        case .call(_, let arguments): return arguments.contains { $0.reads(beyond: scope) }
        case .aggregate(_, let element, let inner, let filter):
            let columns = inner.outer.flatMap { $0.columns } + filter.columnsFromOutside + (element?.columns ?? [])
            return columns.contains { $0.isRow(of: inner.aliases.union(scope.aliases)) == false }
        }
    }

    /// Whether the operand is a column of one of the aliases; nil if it is not a column.
    fileprivate func isRow(of aliases: Set<Int>) -> Bool? {
        if case .column(let alias, _) = kind { aliases.contains(alias) } else { nil }
    }
}

extension Leaf {
    /// The leaf with NULL in place of a column. A comparison with NULL is NULL; tests for NULL have a constant result.
    fileprivate func withNull(for column: Operand, negated: Bool) -> Condition {
        guard operands.contains(where: { $0.reads(column) }) else { return .leaf(self, negated: negated) }
        switch self {
        case .isNull: return .constant(!negated)
        case .same(let left, let right):
            let isNull = Condition.every([left, right].filter { !$0.reads(column) }.map(Condition.isNull))
            return negated ? .not(isNull) : isNull
        default: return .constant(negated)
        }
    }
}

extension Scope {
    /// The operands of the enclosing query that the link reads.
    var outer: [Operand] {
        switch link {
        case .foreignKey(_, let outer)?: outer
        case .elements(of: let outer, as: _)?, .lambda(over: let outer, of: _)?: [outer]
        case nil: []
        }
    }

    fileprivate func isLinked(by column: Operand) -> Bool { outer.contains { $0.reads(column) } }

    var aliases: Set<Int> { Set(joins.map { $0.alias } + [alias]) }
}

extension Condition {
    /// The columns that do not belong to a scope inside, without duplicates, in order.
    fileprivate var columnsFromOutside: [Operand] {
        let found: [Operand]
        switch self {
        case .constant, .partial: found = []
        case .leaf(let leaf, _): found = leaf.operands.flatMap { $0.columns }
        case .all(let parts), .any(let parts): found = parts.flatMap { $0.columnsFromOutside }
        case .bounded(let over, let under, _): found = over.columnsFromOutside + under.columnsFromOutside
        case .exists(let scope, let inner, _), .count(let scope, let inner, _, _):
            found = (inner.columnsFromOutside + scope.outer).filter {
                if case .column(let alias, _) = $0.kind { !scope.aliases.contains(alias) } else { false }
            }
        }
        var seen: Set<Operand.Kind> = []
        return found.filter { seen.insert($0.kind).inserted }
    }

    /// Whether the condition contains a subquery that reads rows outside of the scope.
    fileprivate func reads(beyond scope: Scope) -> Bool {
        switch self {
        case .leaf(let leaf, _): return leaf.operands.contains { $0.reads(beyond: scope) }
        case .exists(let inner, _, _) where inner.isLambda, .count(let inner, _, _, _) where inner.isLambda:
            return false
        case .exists, .count: return columnsFromOutside.contains { $0.isRow(of: scope.aliases) == false }
        case .constant, .partial, .all, .any, .bounded: return false
        }
    }

    fileprivate func withNull(for column: Operand) -> Condition {
        switch self {
        case .constant, .partial: return self
        case .leaf(let leaf, let negated): return leaf.withNull(for: column, negated: negated)
        case .all(let parts): return .every(parts.map { $0.withNull(for: column) })
        case .any(let parts): return .some(parts.map { $0.withNull(for: column) })
        case .bounded(let over, let under, let reason):
            return .bounded(over: over.withNull(for: column), under: under.withNull(for: column), reason)
        case .exists(let scope, let inner, let negated):
            let rest = scope.isLinked(by: column) ? .constant(false) : inner.withNull(for: column)
            if case .constant(false) = rest { return .constant(negated) }
            return .exists(scope, rest, negated: negated)
        case .count(let scope, let inner, let order, let number):
            let rest = scope.isLinked(by: column) ? .constant(false) : inner.withNull(for: column)
            if case .constant(false) = rest { return .constant(order.holds(0, number)) }
            return .count(scope, rest, order, number)
        }
    }

    /// Whether the subquery counts no rows if the column is NULL, so that the empty result of the engine's join is
    /// correct.
    fileprivate func isDecidedByJoin(without column: Operand) -> Bool {
        switch self {
        case .exists(let scope, let inner, _), .count(let scope, let inner, _, _):
            if scope.isLinked(by: column) { return true }
            if case .constant(false) = inner.withNull(for: column) { return true }
            return false
        default: return false
        }
    }
}
