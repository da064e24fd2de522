// The tree between predicate and SQL: every node is TRUE or FALSE, never unknown, although its leaves may be NULL. NOT
// stands only at leaves and subqueries; a leaf in positive position may be NULL for FALSE (SQL.md 2.1).
import PredicateModel
import PredicateSyntax

/// What a leaf speaks of: a column, a constant that will be bound, or what an engine computes of them.
///
/// A class, because it is handed from rule to rule: one word each time.
final class Operand {
    enum Kind: Hashable {
        case column(alias: Int, name: String)
        /// The element that a function over a list is asking about.
        case element(alias: Int)
        case constant(Value)
        /// NULL where memory fails, and where it has nil.
        case call(Scalar, [Operand])
        /// Of the rows of a scope that satisfy a condition.
        case aggregate(Aggregate, Operand?, Scope, Condition)
    }
    let kind: Kind
    let type: SQLType
    let isNullable: Bool
    /// Whether memory may fail to compute it: an integer overflows, something is divided by zero.
    let mayFail: Bool
    /// Whether memory may compute NaN, which engines order differently, or have no word for.
    let mayBeNaN: Bool
    /// What an integer column's values stand for, where memory has something else.
    let encoding: Encoding?
    /// What an integer column may hold, where the schema says so.
    let range: ClosedRange<Int64>?
    /// The columns that hold a text column's values folded.
    let folds: [ComparisonOptions: String]
    /// How a text column compares, where the schema says so.
    let collation: TextCollation?

    init(
        kind: Kind, type: SQLType, isNullable: Bool, mayFail: Bool = false, mayBeNaN: Bool = false,
        encoding: Encoding? = nil, range: ClosedRange<Int64>? = nil, folds: [ComparisonOptions: String] = [:],
        collation: TextCollation? = nil
    ) {
        self.kind = kind
        self.type = type
        self.isNullable = isNullable
        self.mayFail = mayFail
        self.mayBeNaN = mayBeNaN
        self.encoding = encoding
        self.range = range
        self.folds = folds
        self.collation = collation
    }

    static func constant(_ value: Value, _ type: SQLType) -> Operand {
        Operand(kind: .constant(value), type: type, isNullable: value.isNil)
    }

    static func call(_ scalar: Scalar, _ arguments: [Operand], _ type: SQLType) -> Operand {
        let range = range(scalar, arguments)
        return Operand(
            kind: .call(scalar, arguments), type: type, isNullable: arguments.contains { $0.isNullable || $0.mayFail },
            mayFail: scalar.mayFail && range == nil || arguments.contains(where: \.mayFail),
            mayBeNaN: scalar.mayBeNaN || arguments.contains(where: \.mayBeNaN), range: range)
    }

    /// What a result can be, where that is known; then it never fails.
    private static func range(_ scalar: Scalar, _ arguments: [Operand]) -> ClosedRange<Int64>? {
        var sides: [ClosedRange<Int64>] = []
        for argument in arguments {
            if case .constant(.integer(let number)) = argument.kind {
                sides.append(number...number)
            } else if let range = argument.range {
                sides.append(range)
            } else {
                return nil
            }
        }
        guard case .integers(let op) = scalar, sides.count == 2, op != .divide || !sides[1].contains(0) else {
            return nil
        }
        var ends: [Int64] = []
        for left in [sides[0].lowerBound, sides[0].upperBound] {
            for right in [sides[1].lowerBound, sides[1].upperBound] {
                let result = try? OperatorRules.standard.apply(op, .integer(left), .integer(right))
                guard case .integer(let end)? = result else { return nil }
                ends.append(end)
            }
        }
        guard [.add, .subtract, .multiply, .divide].contains(op), let low = ends.min(), let high = ends.max() else {
            return nil
        }
        return low...high
    }

    /// Whether it is a double in the engine, too.
    var hasTwoZeros: Bool { type == .double || type == .date && encoding == nil }

    /// Whether it is compared as a text, and so has a collation.
    var isTextual: Bool { type == .text || type == .url }

    /// What its constants are bound as.
    func boundType(_ dialect: Dialect) -> SQLType { encoding?.type(dialect) ?? type }

    /// A column of timestamps among moments.
    var asMoment: Operand {
        Operand(
            kind: .call(.asMoment, [self]), type: type, isNullable: isNullable, encoding: .dates(.timestampWithZone))
    }

    var asDouble: Operand { type == .double ? self : .call(.asDouble, [self], .double) }

    /// Whether an engine has to compute it, row by row. An element is only read.
    var isComputed: Bool {
        switch kind {
        case .call(.element, _): false
        case .call: true
        case .column, .element, .constant, .aggregate: false
        }
    }

    var hasSubqueries: Bool {
        switch kind {
        case .column, .element, .constant: false
        case .call(_, let arguments): arguments.contains(where: \.hasSubqueries)
        case .aggregate(_, _, let scope, _): !scope.isLambda
        }
    }

    /// Whether the engine has NaN there, and not NULL, as in what is computed of two doubles.
    var showsNaN: Bool {
        switch kind {
        case .call(.doubles, _), .call(.squareRoot, _): false
        case .call(_, let arguments): arguments.contains(where: \.showsNaN)
        default: mayBeNaN
        }
    }

    /// Whether it has a value where memory fails.
    var isWideSum: Bool {
        if case .aggregate(.sum(.wide), _, _, _) = kind { return true }
        return false
    }

    /// Whether SQL's NULL is memory's nil and nothing else.
    var isPlain: Bool { !mayFail && !mayBeNaN }
}

extension Operand: Hashable {
    static func == (left: Operand, right: Operand) -> Bool {
        left === right
            || left.kind == right.kind && left.type == right.type && left.isNullable == right.isNullable
                && left.mayFail == right.mayFail && left.mayBeNaN == right.mayBeNaN && left.encoding == right.encoding
                && left.range == right.range && left.folds == right.folds && left.collation == right.collation
    }

    func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

enum Order: Hashable, Sendable {
    case equal, different, less, lessOrEqual, greater, greaterOrEqual

    /// As it stands between two sides.
    var infix: String {
        switch self {
        case .equal: " = "
        case .different: " <> "
        case .less: " < "
        case .lessOrEqual: " <= "
        case .greater: " > "
        case .greaterOrEqual: " >= "
        }
    }

    /// Of values that are comparable, and so never NaN.
    var complement: Order {
        switch self {
        case .equal: .different
        case .different: .equal
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        }
    }

    func holds(_ left: Int64, _ right: Int64) -> Bool {
        switch self {
        case .equal: left == right
        case .different: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }

    var mirrored: Order {
        switch self {
        case .equal, .different: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    var comparison: ComparisonOperator {
        switch self {
        case .equal: .equal
        case .different: .notEqual
        case .less: .lessThan
        case .lessOrEqual: .lessThanOrEqual
        case .greater: .greaterThan
        case .greaterOrEqual: .greaterThanOrEqual
        }
    }

    init?(_ comparison: ComparisonOperator) {
        switch comparison {
        case .equal: self = .equal
        case .notEqual: self = .different
        case .lessThan: self = .less
        case .lessThanOrEqual: self = .lessOrEqual
        case .greaterThan: self = .greater
        case .greaterThanOrEqual: self = .greaterOrEqual
        default: return nil
        }
    }
}

enum Leaf: Hashable {
    case isNull(Operand)
    case compare(Order, Operand, Operand)
    /// Both are NULL, or both are equal.
    case same(Operand, Operand)
    case find(TextPlace, in: Operand, Operand)
    case list(Operand, [Value])
    /// A list too long for places of its own, as one value: JSON.
    case json(Operand, String)
    case regex(Operand, String)
    case glob(Operand, String)
    /// A function of `SQLFunction`; `order` is what its result is compared with 0 by.
    case function(SQLFunction, Operand, Operand, options: String, order: Order?)
}

extension Leaf {
    var operands: [Operand] {
        switch self {
        case .isNull(let operand), .list(let operand, _), .json(let operand, _), .regex(let operand, _),
            .glob(let operand, _):
            [operand]
        case .compare(_, let left, let right), .same(let left, let right), .find(_, in: let left, let right),
            .function(_, let left, let right, options: _, order: _):
            [left, right]
        }
    }

    /// Whether it reads other rows than those that are joined.
    var hasSubqueries: Bool { operands.contains(where: \.hasSubqueries) }
}

indirect enum Condition: Hashable {
    case constant(Bool)
    case all([Condition])
    case any([Condition])
    case leaf(Leaf, negated: Bool)
    /// Some row of the scope satisfies the condition, or none does.
    case exists(Scope, Condition, negated: Bool)
    /// How many rows of the scope satisfy the condition.
    case count(Scope, Condition, Order, Int64)
    /// What memory may fail to decide: where it finds true, and where it finds false (Truth.swift).
    case partial(whenTrue: Condition, whenFalse: Condition)
    /// What the dialect cannot say: the tightest it can say on either side, and why.
    case bounded(over: Condition, under: Condition, SQLReason)

    static func leaf(_ leaf: Leaf) -> Condition { .leaf(leaf, negated: false) }
    /// Where memory has nil. Never true where it fails.
    static func isNull(_ operand: Operand) -> Condition {
        guard case .call(_, let arguments) = operand.kind else {
            return operand.isNullable ? .leaf(.isNull(operand)) : .constant(false)
        }
        return .every(arguments.map(succeeds) + [.some(arguments.map(isNull))])
    }
    static func isNotNull(_ operand: Operand) -> Condition { not(isNull(operand)) }

    /// Where memory can compute it.
    static func succeeds(_ operand: Operand) -> Condition {
        if !operand.mayFail { return .constant(true) }
        switch operand.kind {
        // NULL may be NaN, which is no failure.
        case .call(let scalar, let arguments) where !scalar.mayFail: return .every(arguments.map(succeeds))
        case .aggregate where operand.isWideSum:
            return .every([fits(operand, .greaterOrEqual), fits(operand, .lessOrEqual)])
        default: return .some([.leaf(.isNull(operand), negated: true), isNull(operand)])
        }
    }

    /// Whether a wide sum is one of 64 bits, as far as one side of them goes.
    static func fits(_ operand: Operand, _ order: Order) -> Condition {
        .compare(order, operand, .constant(.integer(order == .lessOrEqual ? .max : .min), .integer))
    }

    static func compare(_ order: Order, _ left: Operand, _ right: Operand) -> Condition {
        .leaf(.compare(order, left, right))
    }

    /// True where all are, flattened, without repetitions.
    static func every(_ parts: [Condition]) -> Condition { joined(parts, isAll: true) }

    /// True where some are, flattened, without repetitions.
    static func some(_ parts: [Condition]) -> Condition { joined(parts, isAll: false) }

    private static func joined(_ parts: [Condition], isAll: Bool) -> Condition {
        var kept = parts
        // Mostly there is nothing to leave out, and nothing to flatten.
        if parts.contains(where: { $0.isConstant || $0.parts(ofAll: isAll) != nil }) {
            kept = []
            for part in parts {
                if case .constant(let value) = part {
                    if value == isAll { continue }
                    // What is not exact may fail before this is reached, and an object that fails is never selected.
                    guard let last = kept.lastIndex(where: { $0.isBounded || $0.isPartial }) else { return part }
                    let decided = Array(kept[...last]) + [part]
                    return isAll ? .all(decided) : .any(decided)
                }
                if let inner = part.parts(ofAll: isAll) { kept += inner } else { kept.append(part) }
            }
        }
        kept = unique(kept)
        return kept.isEmpty ? .constant(isAll) : kept.count == 1 ? kept[0] : isAll ? .all(kept) : .any(kept)
    }

    private func parts(ofAll isAll: Bool) -> [Condition]? {
        switch self {
        case .all(let parts): isAll ? parts : nil
        case .any(let parts): isAll ? nil : parts
        default: nil
        }
    }

    private var isConstant: Bool { if case .constant = self { true } else { false } }

    /// What a function over a list can ask of each element: nothing that takes a subquery.
    func withoutSubqueries(_ reason: SQLReason) -> Condition {
        let unsaid = Condition.bounded(over: .constant(true), under: .constant(false), reason)
        switch self {
        case .constant: return self
        case .leaf(let leaf, _): return leaf.hasSubqueries ? unsaid : self
        case .exists(let scope, _, _), .count(let scope, _, _, _): return scope.isLambda ? self : unsaid
        case .all(let parts): return .every(parts.map { $0.withoutSubqueries(reason) })
        case .any(let parts): return .some(parts.map { $0.withoutSubqueries(reason) })
        case .partial(let one, let other):
            return .partial(whenTrue: one.withoutSubqueries(reason), whenFalse: other.withoutSubqueries(reason))
        case .bounded(let over, let under, let first):
            return .bounded(over: over.withoutSubqueries(reason), under: under.withoutSubqueries(reason), first)
        }
    }

    /// Whether there is nothing in it.
    var isSimple: Bool {
        switch self {
        case .leaf, .constant: true
        default: false
        }
    }

    private static func unique(_ parts: [Condition]) -> [Condition] {
        // Only leaves: to hash whole branches at every level would be quadratic. A bound value never decides.
        func tested(_ part: Condition) -> Operand? {
            if case .leaf(.isNull(let operand), negated: false) = part { operand } else { nil }
        }
        guard parts.count(where: { tested($0) != nil }) > 1 else { return parts }
        var seen: Set<Operand> = []
        return parts.filter { part in tested(part).map { seen.insert($0).inserted } ?? true }
    }

    /// The opposite, with NOT pushed down to the leaves.
    static func not(_ condition: Condition) -> Condition {
        switch condition {
        case .constant(let value): .constant(!value)
        case .all(let parts): some(parts.map(not))
        case .any(let parts): every(parts.map(not))
        case .leaf(.compare(let order, let left, let right), false) where left.isPlain && right.isPlain:
            some([compare(order.complement, left, right), isNull(left), isNull(right)])
        case .leaf(let leaf, let negated): .leaf(leaf, negated: !negated)
        case .exists(let scope, let inner, let negated): .exists(scope, inner, negated: !negated)
        case .count(let scope, let inner, let order, let number): .count(scope, inner, order.complement, number)
        case .partial(let whenTrue, let whenFalse): .partial(whenTrue: whenFalse, whenFalse: whenTrue)
        case .bounded(let over, let under, let reason): .bounded(over: not(under), under: not(over), reason)
        }
    }
}

/// Rows of one table and what is joined to them: the statement's own, or those of a subquery.
///
/// A class, because comparisons add joins to it while they are lowered.
final class Scope: Hashable {
    struct Join: Hashable {
        let alias: Int
        /// The entity that the row must be of.
        let entity: String
        let table: String
        let key: [String]
        /// Whose columns lead to the key.
        let base: Int
        let columns: [String]
        /// Which rows of a shared table are of the entity.
        let kind: Condition
    }

    let table: String
    let alias: Int
    /// Which rows belong to the row outside, and the table of pairs where there is one.
    let link: Link?
    var joins: [Join] = []

    enum Link: Hashable {
        /// `"t1"."owner_id" = "t0"."id"`
        case foreignKey(columns: [String], outer: [Operand])
        /// `FROM pairs JOIN table ON table.key = pairs.to WHERE pairs.from = outer`
        case pairs(table: String, alias: Int, from: [String], to: [String], key: [String], outer: [Operand])
        /// The elements of a list that a column holds; each is a row of one column, `value`.
        case elements(of: Operand, as: SQLType)
        /// The same, each handed to a function, inside of which no table is read.
        case lambda(over: Operand, of: SQLType)
    }

    init(table: String, alias: Int, link: Link? = nil) {
        self.table = table
        self.alias = alias
        self.link = link
    }

    /// Whether its rows are elements that a function goes through, not those of a subquery.
    var isLambda: Bool { if case .lambda = link { true } else { false } }

    static func == (left: Scope, right: Scope) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
