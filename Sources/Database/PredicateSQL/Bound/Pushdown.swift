// Decides what SQL tests and what is tested in memory. Each term of the top-level AND is handled separately. If it is
// not exact, it is replaced by its upper bound (SQL of each construct: Bounds). A query is exact if no bound was
// needed.

struct Pushdown {
    let predicate: FormatPredicate
    let lowering: Lowering
    let record: ConstantRecord?
    /// With aliases that fit the schema.
    let dialect: SQLDialect

    init(
        _ predicate: FormatPredicate, _ dialect: SQLDialect, _ schema: PredicateSchema, _ entity: String,
        record: ConstantRecord? = nil
    ) throws(PredicateFailure) {
        self.predicate = predicate
        self.record = record
        lowering = try Lowering(schema, entity, dialect, in: predicate.environment, record: record)
        self.dialect = lowering.dialect
    }

    /// The result: the condition for SQL, and the residual.
    struct Pushed {
        /// The condition that SQL tests.
        let whole: Condition
        /// The rendered condition and its emitter; FROM needs the aliases that it used.
        let condition: SQLFragment
        let emitter: Emitter
        var residual: [PredicateNode] = []
        var reasons: [SQLReason] = []
        /// The inexact conditions of the residual's terms, before they were replaced by bounds.
        var inexact: [Condition] = []
        /// The advice about the predicate, without advice about a request's order.
        let advice: [SQLAdvice]
    }

    /// - Throws: `limit-exceeded` if the passes take more steps than `PredicateLimits.translationSteps`.
    func pushed() throws(PredicateFailure) -> Pushed {
        var conditions = [lowering.kind(of: lowering.root)]
        var residual: [PredicateNode] = []
        var inexact: [Condition] = []
        var approximator = Approximator(lowering)
        for term in predicate.root.terms(isAnd: true) {
            let whole = expanded(lowering.lower(term), term)
            approximator.isExact = true
            conditions.append(approximator.bound(whole, .over))
            if approximator.isExact { continue }
            inexact.append(whole)
            residual.append(term)
        }
        var condition = Condition.every(conditions)
        // Only conditions with a second table can have groups.
        var grouping = Grouping(lowering.root.scope, joinsGroups: dialect.subqueries.joinsGroups)
        if dialect.subqueries.groupsThresholds, lowering.tables.count > 1 { condition = grouping.grouped(condition) }
        if dialect.subqueries.splitsDisjunctions, lowering.tables.count > 1,
            let key = try? lowering.key(of: lowering.root),
            key.count == 1
        {
            condition = grouping.split(condition, key[0], lowering.root.scope)
        }
        var emitter = Emitter(lowering)
        let text = emitter.emit(condition)
        if lowering.steps > lowering.stepLimit {
            let what = "the translation to SQL takes too many steps"
            throw PredicateFailure(.limitExceeded, what, "\(lowering.stepLimit)", source: predicate.source)
        }
        var sentence = lowering.failure?.sentence
        if text.bindingCount > dialect.limits.parameters {
            sentence = "it has \(text.bindingCount) values, but the database allows \(dialect.limits.parameters)"
        } else if text.length > dialect.limits.text {
            sentence = Unsupported.tooLong(dialect.limits.text).sentence
        } else if condition.depth(dialect) > dialect.limits.depth {
            sentence = "its chains are nested too deeply for the database"
        }
        guard let sentence else {
            return Pushed(
                whole: condition, condition: text, emitter: emitter, residual: residual, reasons: approximator.reasons,
                inexact: inexact, advice: lowering.advice)
        }
        emitter = Emitter(lowering)
        let root = predicate.root
        let reason = SQLReason(construct: root.description, span: root.span, column: nil, sentence: sentence)
        let nothing = Condition.constant(true)
        return Pushed(
            whole: nothing, condition: emitter.emit(nothing), emitter: emitter, residual: [root], reasons: [reason],
            advice: [])
    }

    /// Rewrites subqueries that the engine cannot execute directly.
    private func expanded(_ condition: Condition, _ term: PredicateNode) -> Condition {
        guard dialect.subqueries.correlatesNextOnly else { return condition }
        return Correlation(lowering: lowering, term: term).expand(condition)
    }

    /// The SQL condition for rows that certainly match; they skip the test in memory. Without subqueries it is cheap.
    /// Constant if SQL cannot decide, or if there is no residual.
    func certainMatches(_ pushed: Pushed, subqueries: Bool) -> Condition {
        // The residual is the whole predicate, not only some terms.
        if pushed.inexact.count < pushed.residual.count { return .constant(false) }
        var approximator = Approximator(lowering)
        return .every(pushed.inexact.map { approximator.bound($0.certainMatches(subqueries: subqueries), .under) })
    }

    /// The root's columns, as a list for SELECT.
    var columns: SQLFragment {
        dialect.columns(lowering.rootColumns, of: 0, lowering.schema.documents, named: dialect.selection.namesResults)
    }

    func query(_ pushed: Pushed) throws(PredicateFailure) -> Compiled<SQLQuery> {
        var emitter = pushed.emitter
        let text = pushed.condition
        let from = emitter.from(lowering.root.scope)
        let columns = columns
        for part in [columns, from, text] { try requireNames(part) }
        var bindings: [PredicateValue] = []
        var types: [SQLType] = []
        from.collectBindings(&bindings, &types)
        // Placeholders are numbered in the order of the statement: FROM before the condition.
        let condition = text.text(in: dialect, after: bindings.count)
        text.collectBindings(&bindings, &types)
        let left = pushed.residual.count == 1 ? pushed.residual[0] : PredicateNode(.and(pushed.residual))
        let source = from.text(in: dialect)
        let query = SQLQuery(
            text: condition, from: source,
            statement: "SELECT \(columns.text(in: dialect)) FROM \(source) WHERE \(condition)",
            bindings: bindings, bindingTypes: types,
            residual: pushed.residual.isEmpty
                ? nil : FormatPredicate(left, source: predicate.source, in: predicate.environment),
            reasons: pushed.reasons, requirements: requirements(emitter, types),
            improvements: pushed.advice)
        return Compiled(result: query, fragments: [from, text])
    }

    /// Throws if the engine cannot accept a name.
    func requireNames(_ statement: SQLFragment) throws(PredicateFailure) {
        guard let name = statement.unfit(for: dialect) else { return }
        throw PredicateFailure(
            .sqlInexact, "the name '\(DisplayText.visible(name))'", "the database does not allow it",
            source: predicate.source)
    }

    func requirements(_ emitter: Emitter, _ types: [SQLType]) -> [SQLRequirement] {
        var requirements = emitter.functions.map { $0.rawValue }.sorted().map(SQLRequirement.function)
        if emitter.hasJoins, let setting = dialect.subqueries.outerJoinSetting {
            requirements.append(.setting(setting))
        }
        if let setting = dialect.timestamps.sessionSetting,
            emitter.comparesMoments || types.contains(.timestampWithZone)
        {
            requirements.append(.setting(setting))
        }
        if dialect.texts.comparesByCodePoint { return requirements }
        var last: Emitter.Column?
        for column in emitter.textColumns.sorted(by: { ($0.alias, $0.name) < ($1.alias, $1.name) }) {
            // List elements have no entry here; they are compared with the collation of the list's column.
            guard column != last, let table = lowering.tables[column.alias] else { continue }
            last = column
            let requirement = SQLRequirement.binaryCollation(table: table, column: column.name)
            if !requirements.contains(requirement) { requirements.append(requirement) }
        }
        return requirements
    }
}

/// Replaces inexact conditions by upper bounds or by lower bounds.
struct Approximator {
    enum Direction {
        /// Upper bound: holds wherever the condition holds.
        case over
        /// Lower bound: holds only where the condition holds.
        case under

        var opposite: Direction { self == .over ? .under : .over }
    }

    private let lowering: Lowering
    private let limits: SQLLimits
    /// The reasons of all bounds so far, without duplicates.
    private(set) var reasons: [SQLReason] = []
    private var noted: Set<SQLReason> = []
    /// Whether no bound was needed since the caller last set this to true.
    var isExact = true
    /// How many equality counts are split so far; each split doubles the SQL.
    private var splits = 0

    init(_ lowering: Lowering) {
        self.lowering = lowering
        limits = lowering.dialect.limits
    }

    /// - Parameters:
    ///   - groups: the number of enclosing groups.
    ///   - subqueries: the number of enclosing subqueries.
    mutating func bound(
        _ condition: Condition, _ direction: Direction, groups: Int = 0, subqueries: Int = 0
    ) -> Condition {
        guard lowering.step() else { return condition }
        let room = limits.parserStack - Lowering.heightOfStatement - 3 * groups - 6 * subqueries
        let hasRoom = room > lowering.mostHeight + Lowering.heightOfLeaf + 3
        var isDeep = groups > limits.nesting || subqueries > limits.subqueries
        if !hasRoom, case .leaf = condition, lowering.height(of: condition) > room { isDeep = true }
        if isDeep {
            note(.ofPredicate(Unsupported.tooDeep.sentence))
            return .constant(direction == .over)
        }
        let fits = hasRoom && groups < limits.nesting
        switch condition {
        case .constant, .leaf: return condition
        case .all(let parts) where fits && parts.allSatisfy({ $0.isSimple }): return condition
        case .any(let parts) where fits && parts.allSatisfy({ $0.isSimple }): return condition
        case .all(let parts):
            return .every(parts.map { bound($0, direction, groups: groups + 1, subqueries: subqueries) })
        case .any(let parts):
            return .some(parts.map { bound($0, direction, groups: groups + 1, subqueries: subqueries) })
        case .exists(let scope, let inner, let negated):
            let side = negated ? direction.opposite : direction
            let inside = bound(inner, side, groups: groups + 1, subqueries: subqueries + 1)
            if case .constant(false) = inside { return .constant(negated) }
            return .exists(scope, inside, negated: negated)
        case .count: return count(condition, direction, groups, subqueries)
        // Truth.swift has resolved all partial conditions.
        case .partial(let whenTrue, _): return bound(whenTrue, direction, groups: groups, subqueries: subqueries)
        case .bounded(let over, let under, let reason):
            note(reason)
            return bound(direction == .over ? over : under, direction, groups: groups, subqueries: subqueries)
        }
    }

    /// If the count has a lower limit, it and the inner condition are bounded in the same direction; with an upper
    /// limit, in opposite directions. An equality needs both.
    private mutating func count(
        _ condition: Condition, _ direction: Direction, _ groups: Int, _ subqueries: Int
    ) -> Condition {
        guard case .count(let scope, let inner, let order, let number) = condition else { return condition }
        let side: Direction
        switch order {
        case .greater, .greaterOrEqual: side = direction
        case .less, .lessOrEqual: side = direction.opposite
        case .equal, .different:
            guard inner.isBounded else {
                side = direction
                break
            }
            guard splits < 3 else {
                note(.ofPredicate("inexact counts are nested too deeply"))
                return .constant(direction == .over)
            }
            splits += 1
            defer { splits -= 1 }
            let orders: [Order] = order == .equal ? [.greaterOrEqual, .lessOrEqual] : [.greater, .less]
            let parts = orders.map { Condition.count(scope, inner, $0, number) }
            let split = order == .equal ? Condition.every(parts) : .some(parts)
            return bound(split, direction, groups: groups, subqueries: subqueries)
        }
        let inside = bound(inner, side, groups: groups + 1, subqueries: subqueries + 1)
        if case .constant(false) = inside { return .constant(order.holds(0, number)) }
        return .count(scope, inside, order, number)
    }

    private mutating func note(_ reason: SQLReason) {
        isExact = false
        if noted.insert(reason).inserted { reasons.append(reason) }
    }
}

extension Condition {
    /// The height of the expression in the engine. A chain of terms is as high as its length.
    func depth(_ dialect: SQLDialect) -> Int {
        switch self {
        case .constant, .leaf: return 5
        case .all(let parts), .any(let parts):
            var height = 0
            var count = parts.count
            while count > dialect.limits.chain {
                height += dialect.limits.chain
                count = (count + dialect.limits.chain - 1) / dialect.limits.chain
            }
            return height + count + (parts.map { $0.depth(dialect) }.max() ?? 0)
        case .exists(_, let inner, _), .count(_, let inner, _, _): return inner.depth(dialect) + 5
        case .bounded(let over, _, _), .partial(let over, _): return over.depth(dialect)
        }
    }

    /// True only if the terms before the first term that SQL cannot express, and that might fail, already decide the
    /// result: AND and OR evaluate their terms from left to right (LANGUAGE C 3).
    func certainMatches(subqueries: Bool) -> Condition {
        switch self {
        case .constant: return self
        case .leaf(let leaf, _): return subqueries || !leaf.hasSubqueries ? self : .constant(false)
        case .all(let parts): return .every(parts.map { $0.certainMatches(subqueries: subqueries) })
        case .any(let parts):
            let last = parts.firstIndex { $0.isBounded } ?? parts.endIndex - 1
            return .some(parts[...last].map { $0.certainMatches(subqueries: subqueries) })
        case .exists(let scope, let inner, _), .count(let scope, let inner, _, _):
            return (subqueries || scope.isLambda) && !inner.isBounded ? self : .constant(false)
        case .bounded(_, let under, _): return under.certainMatches(subqueries: subqueries)
        case .partial: return .constant(false)
        }
    }

    /// Whether it contains an inexact condition.
    var isBounded: Bool {
        switch self {
        case .constant, .leaf: false
        case .all(let parts), .any(let parts): parts.contains { $0.isBounded }
        case .exists(_, let inner, _), .count(_, let inner, _, _): inner.isBounded
        case .partial(let whenTrue, let whenFalse): whenTrue.isBounded || whenFalse.isBounded
        case .bounded: true
        }
    }
}
