// The first pass: translates a predicate's tree to conditions. This file handles the Boolean structure and quantifiers;
// Lowering+Keys.swift resolves names, Scalars.swift translates functions. The second pass (Compare/) translates
// comparisons to conditions.

/// Thrown for what cannot be translated; the enclosing comparison catches it and becomes a pair of bounds.
struct Unsupported: Error {
    let sentence: String
    var column: String?
    /// Whether the cause is the whole predicate rather than one comparison.
    let isOfPredicate: Bool

    init(_ sentence: String, column: String? = nil, isOfPredicate: Bool = false) {
        (self.sentence, self.column, self.isOfPredicate) = (sentence, column, isOfPredicate)
    }

    /// The SQL of the predicate is longer than a limit.
    static func tooLong(_ limit: Int) -> Unsupported {
        Unsupported("its SQL would be longer than \(limit) bytes", isOfPredicate: true)
    }

    static var tooDeep: Unsupported { Unsupported("it is nested too deeply for the database") }
    static var noTest: Unsupported { Unsupported("the database has no such test") }
}

/// What an expression refers to.
enum Target {
    case constant(Constant)
    case value(Operand)
    /// The year of a date, which is compared as a range of dates where it can be.
    case year(of: Operand)
    /// An attribute of a type that SQL cannot compare; it can only be tested for NULL.
    case opaque(Operand)
    /// A row that exists.
    case row(Row)
    /// A to-one relationship, by the columns that hold the key of the other row.
    indirect case toOne([Operand], from: Row, to: String)
    indirect case many(Many)
    indirect case count(Many)
    /// `rows.@max.total`: the maximum or minimum of a value of each row.
    indirect case extreme(Many, isGreatest: Bool)
    /// `rows.@sum.weight` or `@avg` of doubles, whose last digits depend on the order in which they are added.
    indirect case total(Many, isSum: Bool)
    /// `TERNARY(p, a, b)`
    indirect case choice(Condition, Target, Target)
    /// `{1, age, name}`
    case list([ExpressionNode])
}

/// A row of a table in a scope. A class, so that passing it on copies one word.
final class Row {
    let scope: Scope
    let alias: Int
    let entity: String
    /// Whether it comes from a LEFT JOIN that may find no row.
    let isOptional: Bool

    init(scope: Scope, alias: Int, entity: String, isOptional: Bool) {
        self.scope = scope
        self.alias = alias
        self.entity = entity
        self.isOptional = isOptional
    }
}

/// The rows of a to-many relationship, or a value of each row.
struct Many {
    let scope: Scope
    var element: Target
    var filter = Condition.constant(true)
    /// True where evaluation can decide for every row whether it belongs to the collection.
    var succeeds = Condition.constant(true)
    /// The key of the owning row. If it is NULL, the collection is nil rather than empty.
    var owner: Operand

    /// Whether keys after a collection operator can be read from each element: rows, or elements of a list.
    var isOfMembers: Bool {
        switch element {
        case .row, .value: true
        // The objects of pairs.
        case .toOne(let key, let row, _):
            row.alias == row.scope.alias && key.compactMap({ $0.name }) == row.scope.filled
        default: false
        }
    }

    /// Whether a subquery finds exactly the right rows even if outer columns are NULL.
    func isFound(by dialect: SQLDialect) -> Bool {
        guard !filter.isBounded, case .constant(true) = succeeds else { return false }
        return if case .constant(true) = filter { true } else { !dialect.subqueries.correlationLosesNull }
    }
}

/// The state of translating one predicate.
final class Lowering {
    let schema: PredicateSchema
    let dialect: SQLDialect
    /// The rules and the functions of the predicate's environment.
    let rules: OperatorRules
    let root: Row
    let rootColumns: [String]
    /// The subquery that replaces the table of the rows, if any.
    var rows: SQLFragment?
    /// The table of each alias; nil for the elements of a list.
    private(set) var tables: [String?]
    var variables: [String: Target] = [:]
    /// Missing folded columns that would help.
    private(set) var advice: [SQLAdvice] = []
    /// The number of enclosing TERNARYs; the condition of each is written twice.
    var choices = 0
    /// Numbers the constants, if the SQL may be reused for other constants.
    private var record: ConstantRecord?
    /// The comparison being translated.
    private var comparison: PredicateNode?
    /// The approximate number of bytes that the SQL of all comparisons needs, with its values.
    private var size = 0
    /// Counted for each node in each pass. One pass at a time uses it, so the runtime need not check every access.
    @exclusivity(unchecked) private(set) var steps = 0
    let stepLimit: Int
    /// What the emitter could not write. Then its SQL is not used.
    private(set) var failure: Unsupported?
    /// The greatest height of an operand (Height.swift). Read for each node.
    @exclusivity(unchecked) var mostHeight = 1

    init(
        _ schema: PredicateSchema, _ entity: String, _ dialect: SQLDialect, in environment: PredicateEnvironment,
        record: ConstantRecord? = nil
    ) throws(PredicateFailure) {
        self.record = record
        guard let found = schema.entity(entity) else {
            throw PredicateFailure(.unknownEntity, entity)
        }
        self.schema = schema
        self.dialect = dialect.naming(schema)
        rules = environment === PredicateEnvironment.standard ? .standard : OperatorRules(in: environment)
        stepLimit = environment.limits.translationSteps
        let table = schema.table(of: found.name)
        if schema.hasAncestorRowsWithoutCode(entity) {
            throw PredicateFailure(
                .sqlInexact, "the entity '\(entity)'",
                "the schema needs a \"discriminator\" and a \"code\" to find its rows in \(table)")
        }
        root = Row(scope: Scope(table: table, alias: 0), alias: 0, entity: entity, isOptional: false)
        rootColumns = schema.columns(of: entity)
        if !schema.documents.isEmpty { mostHeight = Self.heightOfDocument }
        tables = [table]
    }

    var functions: FunctionCatalog { rules.environment.functions }

    func newAlias(_ table: String?) -> Int {
        tables.append(table)
        return tables.count - 1
    }

    /// Records that a column has no folded column, if an index on one could serve the comparison.
    func advise(_ relation: Relation, _ alias: Int, _ column: String) {
        guard Order(relation.operator) != nil || relation.operator == .beginsWith, let table = tables[alias],
            SQLCollation(relation.options) != nil, schema.documents[column] == nil
        else { return }
        add(SQLAdvice(table, column, relation.options, dialect))
    }

    /// Records that an index on an expression could serve the comparison of an attribute inside a JSON column.
    private func advise(_ relation: Relation, _ sides: [Target]) {
        guard relation.options.isEmpty,
            relation.operator != .notEqual && Order(relation.operator) != nil
                || [.beginsWith, .in, .between].contains(relation.operator)
        else { return }
        for case .value(let operand) in sides {
            guard case .column(let alias, let name) = operand.kind, let document = schema.documents[name],
                let table = tables[alias], dialect.indexes(document),
                !dialect.stored.indexedDocuments.contains(SQLColumn(table: table, column: name))
            else { continue }
            add(SQLAdvice(table, document, dialect))
        }
    }

    /// Records that no index serves a foreign key.
    func advise(_ table: String, key columns: [String]) {
        if dialect.stored.unindexedKeys[table]?.contains(columns) ?? false {
            add(SQLAdvice(table, key: columns, dialect))
        }
    }

    private func add(_ found: SQLAdvice) { if !advice.contains(found) { advice.append(found) } }

    /// Adds to the size of the SQL and throws beyond a limit, which also limits the time for one predicate.
    func reserve(_ bytes: Int) throws(Unsupported) {
        size += bytes
        if size > dialect.limits.translation { throw .tooLong(dialect.limits.translation) }
    }

    /// Counts a step of a pass; false beyond the limit. Then the pass ends, and the translation fails.
    func step() -> Bool {
        steps += 1
        return steps <= stepLimit
    }

    /// Records what the emitter cannot write.
    func fail(_ unsupported: Unsupported) { failure = failure ?? unsupported }

    // MARK: Predicates

    /// A condition that holds where the predicate is true.
    func lower(_ node: PredicateNode) -> Condition {
        let meaning = meaning(node)
        if meaning.hasSmallTruth { return meaning.truth }
        let reason = reason(Unsupported("the evaluation of too many of its terms can fail"), node)
        return .bounded(over: meaning.upperTruth, under: .constant(false), reason)
    }

    /// A condition that represents where the predicate is true, false, or fails to evaluate.
    func meaning(_ node: PredicateNode) -> Condition {
        guard step() else { return .constant(true) }
        switch node.kind {
        case .constant(let value): return .constant(value)
        case .and(let parts): return .every(parts.map(meaning))
        case .or(let parts): return .some(parts.map(meaning))
        case .not(let part): return .not(meaning(part))
        case .error: return bounded(Unsupported("it has a syntax error"), node)
        case .comparison(let comparison):
            do throws(Unsupported) {
                return try lower(comparison, node)
            } catch {
                return bounded(error, node)
            }
        }
    }

    private func bounded(_ unsupported: Unsupported, _ node: PredicateNode) -> Condition {
        .bounded(over: .constant(true), under: .constant(false), reason(unsupported, node))
    }

    /// The reason why a node is inexact; by default the node is the comparison being translated.
    private func reason(_ unsupported: Unsupported, _ node: PredicateNode? = nil) -> SQLReason {
        if unsupported.isOfPredicate { return .ofPredicate(unsupported.sentence) }
        let node = node ?? comparison ?? PredicateNode(.constant(true))
        return SQLReason(
            construct: node.description, span: node.span, column: unsupported.column, sentence: unsupported.sentence)
    }

    /// The current comparison with its bounds and the reason why it is not exact.
    func bounded(over: Condition, under: Condition = .constant(false), _ unsupported: Unsupported) -> Condition {
        .bounded(over: over, under: under, reason(unsupported))
    }

    private func lower(_ comparison: ComparisonNode, _ node: PredicateNode) throws(Unsupported) -> Condition {
        try reserve(32)
        // Only constants in comparisons outside of subqueries are numbered.
        let record = record
        self.record = nil
        defer { self.record = record }
        let sides = record?.number(comparison)
        let left = if let constant = sides?.left { Target.constant(constant) } else { try target(comparison.left) }
        let right = if let constant = sides?.right { Target.constant(constant) } else { try target(comparison.right) }
        self.comparison = node
        let relation = Relation(comparison.operator, comparison.options)
        let condition =
            comparison.modifier == .direct
            ? try compareWithinBounds(relation, left, right)
            : try quantified(comparison.modifier, relation, left, right, node)
        // If evaluation of a subquery may fail, it also fails for rows that do not affect the result.
        if left.isBounded || right.isBounded, !condition.isBounded {
            throw Unsupported("its subquery is evaluated in memory")
        }
        let successes = Condition.every(left.successes + right.successes)
        if case .constant(true) = successes { return condition }
        return .partial(
            whenTrue: .every([successes, condition.truth]), whenFalse: .every([successes, condition.falsity]))
    }

    private func quantified(
        _ modifier: ComparisonModifier, _ relation: Relation, _ left: Target, _ right: Target, _ node: PredicateNode
    ) throws(Unsupported) -> Condition {
        let isAll = modifier == .all
        let elements: [Target]
        switch left {
        case .many(let many):
            guard !right.isMany else { throw Unsupported("both sides are collections") }
            let condition = inside(many.scope, attempt(relation, many.element, right, node), node)
            let sought = Condition.every([many.filter, isAll ? condition.falsity : condition.truth])
            let exists = Condition.exists(many.scope, sought, negated: isAll)
            guard condition.isPartial else { return exists }
            // Evaluation computes the right side once, even if there are no elements.
            guard case .value(let operand) = right, operand.mayFail else {
                throw Unsupported("the evaluation of an element can fail")
            }
            let successes = Condition.succeeds(operand)
            return .partial(whenTrue: .every([successes, exists]), whenFalse: .every([successes, .not(exists)]))
        case .constant(let value):
            if value.isNil { return try failing(.constant(isAll), left, right) }
            guard let values = value.elements() else { throw Unsupported("its left side is not a collection") }
            elements = values.map(Target.constant)
        case .list(let nodes): elements = try targets(nodes)
        default: throw Unsupported("its left side is not a collection of rows")
        }
        let conditions = try elements.map { (element) throws(Unsupported) in
            try reserve(64)
            return attempt(relation, element, right, node)
        }
        return try failing(isAll ? .every(conditions) : .some(conditions), left, right)
    }

    /// Translates the comparison for one element. If that is not possible, the comparison is replaced by bounds for
    /// that element, inside the quantifier.
    private func attempt(_ relation: Relation, _ left: Target, _ right: Target, _ node: PredicateNode) -> Condition {
        do throws(Unsupported) {
            return try compareWithinBounds(relation, left, right)
        } catch {
            return bounded(error, node)
        }
    }

    /// Translates the comparison; if that is not possible in general, translates it with bounds for operands that are
    /// not extreme.
    private func compareWithinBounds(
        _ relation: Relation, _ left: Target, _ right: Target
    ) throws(Unsupported) -> Condition {
        if !schema.documents.isEmpty { advise(relation, [left, right]) }
        do throws(Unsupported) {
            return try compareExactly(relation, left, right)
        } catch {
            guard var moderation = Moderation([left, right], dialect), let one = moderation.target(left),
                let other = moderation.target(right)
            else { throw error }
            let condition = try compareExactly(relation, one, other)
            let exceptions = moderation.exceptions
            return .bounded(
                over: .some(exceptions + [condition]), under: .every(exceptions.map(Condition.not) + [condition]),
                reason(error))
        }
    }

    /// A condition on the rows of a scope. Inside a list function, subqueries are replaced by bounds.
    func inside(_ scope: Scope, _ condition: Condition, _ node: PredicateNode? = nil) -> Condition {
        guard scope.isLambda else { return condition }
        return condition.withoutSubqueries(
            reason(Unsupported("the database cannot read other rows for each element of a list"), node))
    }

    func targets(_ nodes: [ExpressionNode]) throws(Unsupported) -> [Target] {
        try nodes.map { (node) throws(Unsupported) in try target(node) }
    }

    /// Translates `SUBQUERY(collection, $x, predicate)`.
    func subquery(
        _ collection: ExpressionNode, _ variable: String, _ predicate: PredicateNode
    ) throws(Unsupported) -> Target {
        guard case .many(var many) = try target(collection) else {
            throw Unsupported("only a to-many relationship can have a SUBQUERY")
        }
        let shadowed = variables[variable]
        variables[variable] = many.element
        let condition = inside(many.scope, meaning(predicate), predicate)
        variables[variable] = shadowed
        guard condition.hasSmallTruth else { throw Unsupported("the evaluation of too many of its terms can fail") }
        if condition.isPartial {
            let failing = Condition.every([many.filter, condition.failure])
            many.succeeds = .every([many.succeeds, .exists(many.scope, failing, negated: true)])
        }
        many.filter = .every([many.filter, condition.truth])
        return .many(many)
    }
}

extension Target {
    /// Whether its rows cannot be selected exactly.
    var isBounded: Bool {
        switch self {
        case .many(let many), .count(let many), .extreme(let many, _), .total(let many, _): many.filter.isBounded
        case .choice(let condition, let one, let other): condition.isBounded || one.isBounded || other.isBounded
        default: false
        }
    }

    /// The conditions under which evaluation can compute the rows.
    var successes: [Condition] {
        switch self {
        case .many(let many), .count(let many), .extreme(let many, _), .total(let many, _): [many.succeeds]
        case .choice(let condition, let one, let other):
            one.successes.map { .some([.not(condition), $0]) } + other.successes.map { .some([condition, $0]) }
        default: []
        }
    }

    /// The entity whose keys are read from it; nil for values.
    var entity: String? {
        switch self {
        case .row(let row): row.entity
        case .toOne(_, _, let entity): entity
        case .many(let many): many.element.entity
        default: nil
        }
    }

    var isNil: Bool { if case .constant(let value) = self { value.isNil } else { false } }
    var isMany: Bool { if case .many = self { true } else { false } }
    var isList: Bool { if case .list = self { true } else { false } }
}

/// The operator of a comparison with its effective options.
struct Relation {
    let `operator`: ComparisonOperator
    let written: ComparisonOptions
    let options: ComparisonOptions
    /// Whether nil equals nil. In IN, CONTAINS and BETWEEN, nil equals nothing (LANGUAGE 5.2, 5.7).
    let nilsMatch: Bool

    init(_ operator: ComparisonOperator, _ options: ComparisonOptions, nilsMatch: Bool = true) {
        self.operator = `operator`
        self.nilsMatch = nilsMatch
        written = options
        self.options = OperatorRules.effective(options)
    }

    /// The options for the registered functions, such as `cd`.
    var letters: String {
        (options.contains(.caseInsensitive) ? "c" : "") + (options.contains(.diacriticInsensitive) ? "d" : "")
    }

    func refuseLocale() throws(Unsupported) {
        if options.contains(.localeSensitive) { throw Unsupported("[l] compares by a locale, which happens in memory") }
    }
}
