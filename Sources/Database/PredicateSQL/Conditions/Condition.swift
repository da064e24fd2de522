// The tree between predicate and SQL: Lowering makes it of a predicate, in terms of tables and columns, and Emitter writes
// it in a dialect. `NOT (age > 1 AND name == nil)`, whose keys may be nil, is
//
//     .any([.leaf(.compare(.lessOrEqual, age, 1)), .leaf(.isNull(age)), .leaf(.isNull(name), negated: true)])
//     "t0"."age" <= ? OR "t0"."age" IS NULL OR "t0"."name" IS NOT NULL
//
// A condition is true or false, as a predicate is. Its SQL may be NULL instead of FALSE, which AND, OR, EXISTS and WHERE
// do not distinguish. NOT does, so it occurs only at leaves and subqueries, and what is negated includes NULL (SQL of
// each construct: Truth). "Evaluation" means evaluation of the predicate in memory, here and in Lowering.

/// An operand of a comparison: a column, a constant that will be bound, or a value that the engine computes.
///
/// A class, so that passing it on copies one word.
final class Operand {
    enum Kind: Hashable {
        case column(alias: Int, name: String)
        /// The element to which a list function applies its condition.
        case element(alias: Int)
        case constant(Constant)
        /// A computed value. NULL where evaluation fails or gives nil.
        case call(Scalar, [Operand])
        /// An aggregate over the rows of a scope that satisfy a condition.
        case aggregate(Aggregate, Operand?, Scope, Condition)
    }
    let kind: Kind
    let type: SQLType
    let isNullable: Bool
    /// Whether evaluation may fail, for example by integer overflow or division by zero.
    let mayFail: Bool
    /// Whether evaluation may give NaN, which engines order differently or lack.
    let mayBeNaN: Bool
    /// How an integer column encodes another type.
    let encoding: Encoding?
    /// The range of an integer column, if the schema gives it.
    let range: ClosedRange<Int64>?
    /// The columns that hold a text column's folded values.
    let folds: [ComparisonOptions: String]
    /// The collation of a text column, if the schema gives it.
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

    /// The same value, read from another place.
    convenience init(_ operand: Operand, kind: Kind) {
        self.init(
            kind: kind, type: operand.type, isNullable: operand.isNullable, mayFail: operand.mayFail,
            mayBeNaN: operand.mayBeNaN, encoding: operand.encoding, range: operand.range)
    }

    static func constant(_ value: PredicateValue, _ type: SQLType) -> Operand { constant(Constant(value), type) }

    static func constant(_ constant: Constant, _ type: SQLType) -> Operand {
        Operand(kind: .constant(constant), type: type, isNullable: constant.isNil)
    }

    var constant: Constant? { if case .constant(let constant) = kind { constant } else { nil } }

    static func call(_ scalar: Scalar, _ arguments: [Operand], _ type: SQLType) -> Operand {
        let range = range(scalar, arguments)
        let scalar = plain(scalar, arguments, in: range)
        let isDivision = if case .decimals(.divide) = scalar { type == .decimal } else { false }
        let mayDivideByZero = isDivision && arguments[1].constant?.fixed().doubleValue ?? 0 == 0
        return Operand(
            kind: .call(scalar, arguments), type: type, isNullable: arguments.contains { $0.isNullable || $0.mayFail },
            mayFail: scalar.mayFail || mayDivideByZero || arguments.contains { $0.mayFail },
            mayBeNaN: scalar.mayBeNaN || arguments.contains { $0.mayBeNaN }, range: range)
    }

    /// Whether the engine stores a double, which has 0.0 and -0.0.
    var hasTwoZeros: Bool { type == .double || type == .date && encoding == nil }

    /// Whether it is compared as a text and so has a collation.
    var isTextual: Bool { type == .text || type == .url }

    /// The type with which constants compared with it are bound.
    func boundType(_ dialect: SQLDialect) -> SQLType { encoding?.type(dialect) ?? type }

    /// Converts a timestamp column to a point in time, for comparison with other points in time.
    var asMoment: Operand {
        Operand(
            kind: .call(.asMoment, [self]), type: type, isNullable: isNullable, encoding: .dates(.timestampWithZone))
    }

    var asDouble: Operand { type == .double ? self : .call(.asDouble, [self], .double) }

    /// Whether an engine must compute it for each row. A list element is only read.
    var isComputed: Bool {
        switch kind {
        case .call(.element, _): false
        case .call: true
        case .column, .element, .constant, .aggregate: false
        }
    }

    /// Whether it is computed and may be nil although no operand is.
    var mayLackValue: Bool { if case .call(.part, _) = kind { true } else { false } }

    /// A date as its seconds since 2001; nil for another type.
    var seconds: Operand? {
        guard type == .date else { return nil }
        guard case .dates(let storage) = encoding else {
            return Operand(kind: kind, type: .double, isNullable: isNullable, mayFail: mayFail, mayBeNaN: mayBeNaN)
        }
        return Operand(kind: .call(.seconds(storage), [self]), type: .double, isNullable: isNullable)
    }

    /// Whether the operand or one of its arguments, at any depth, has a property.
    func contains(_ property: (Operand) -> Bool) -> Bool {
        if property(self) { return true }
        guard case .call(_, let arguments) = kind else { return false }
        return arguments.contains { $0.contains(property) }
    }

    var hasSubqueries: Bool {
        contains { if case .aggregate(_, _, let scope, _) = $0.kind { !scope.isLambda } else { false } }
    }

    /// Whether it costs little to compute it several times.
    var isShort: Bool {
        guard case .call(let scalar, let arguments) = kind else { return !hasSubqueries }
        return (scalar.isPlainOperator || scalar == .asDouble) && arguments.allSatisfy { $0.isShort }
    }

    /// Whether the engine returns NaN instead of NULL. Computed doubles return NULL.
    var showsNaN: Bool {
        switch kind {
        case .call(.doubles, _), .call(.squareRoot, _): false
        case .call(_, let arguments): arguments.contains { $0.showsNaN }
        default: mayBeNaN
        }
    }

    /// Whether it has a value even where evaluation fails.
    var isWideSum: Bool { if case .aggregate(.sum(.wide), _, _, _) = kind { true } else { false } }

    /// Whether NULL always means nil.
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

extension Order {
    /// Whether the right side is an upper bound.
    var isUpper: Bool { self == .less || self == .lessOrEqual }

    /// The SQL operator with spaces around it.
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
}

/// A test of operands.
indirect enum Leaf: Hashable {
    case isNull(Operand)
    case compare(Order, Operand, Operand)
    /// Whether both are NULL or both are equal.
    case same(Operand, Operand)
    case find(TextPlace, in: Operand, Operand)
    case list(Operand, [Constant])
    /// Membership in a list with too many values for placeholders, bound as one JSON text.
    case json(Operand, Constant)
    /// A regular expression. `heads` are texts, one of which begins each match; given only if there are few, so that an
    /// index can find them.
    case regex(Operand, String, heads: [String], shortcut: RegexShortcut?)
    case glob(Operand, String)
    /// A glob that ignores the case of ASCII letters. Used only for ASCII texts.
    case caselessGlob(Operand, String)
    /// A function of `SQLFunction`. With `order`, its result is compared with 0.
    case function(SQLFunction, Operand, Operand, options: String, order: Order?)
    /// Whether the key belongs to a group of the scope's filtered rows for which `having` holds.
    case group(Operand, Scope, Condition, having: Condition)
    /// Whether the key is in the rows of the scope that fulfil one of the conditions. Each condition becomes a separate
    /// query, which can use an index where an OR cannot.
    case union(Operand, Operand, Scope, [Condition])
}

/// Decides most texts without a slow pattern. Inside CASE, PostgreSQL does not even compile the pattern when it plans
/// the query.
enum RegexShortcut: Hashable {
    /// A glob that ignores case decides for texts of ASCII.
    case ascii(glob: String)
    /// Texts below this one match.
    case below(String)
}

extension Leaf {
    var operands: [Operand] {
        switch self {
        case .isNull(let operand), .list(let operand, _), .json(let operand, _), .glob(let operand, _),
            .caselessGlob(let operand, _), .regex(let operand, _, heads: _, shortcut: _):
            [operand]
        case .compare(_, let left, let right), .same(let left, let right), .find(_, in: let left, let right),
            .function(_, let left, let right, options: _, order: _):
            [left, right]
        case .group(let key, _, _, having: _), .union(let key, _, _, _): [key]
        }
    }

    /// The same test of other operands; nil for leaves other than comparisons and tests for NULL.
    func mapping(_ operand: (Operand) -> Operand) -> Leaf? {
        switch self {
        case .isNull(let one): .isNull(operand(one))
        case .compare(let order, let left, let right): .compare(order, operand(left), operand(right))
        case .same(let left, let right): .same(operand(left), operand(right))
        default: nil
        }
    }

    var hasSubqueries: Bool {
        switch self {
        case .group, .union: true
        default: operands.contains { $0.hasSubqueries }
        }
    }
}

indirect enum Condition: Hashable {
    case constant(Bool)
    /// AND.
    case all([Condition])
    /// OR.
    case any([Condition])
    case leaf(Leaf, negated: Bool)
    /// Whether some row of the scope satisfies the condition; negated: whether no row does.
    case exists(Scope, Condition, negated: Bool)
    /// Compares the number of rows that satisfy the condition.
    case count(Scope, Condition, Order, Int64)
    /// A condition whose evaluation may fail, such as `10 / age > 2` for 0: where it is true and where it is false. Both
    /// are false where it fails (Truth.swift).
    case partial(whenTrue: Condition, whenFalse: Condition)
    /// A condition that the dialect cannot express: its tightest upper and lower bounds, and the reason.
    case bounded(over: Condition, under: Condition, SQLReason)

    static func leaf(_ leaf: Leaf) -> Condition { .leaf(leaf, negated: false) }
    /// True where evaluation gives nil; false where it fails.
    static func isNull(_ operand: Operand) -> Condition {
        guard case .call(_, let arguments) = operand.kind else {
            return operand.isNullable ? .leaf(.isNull(operand)) : .constant(false)
        }
        if operand.mayLackValue { return .every(arguments.map(succeeds) + [.leaf(.isNull(operand))]) }
        return .every(arguments.map(succeeds) + [.some(arguments.map(isNull))])
    }
    static func isNotNull(_ operand: Operand) -> Condition { not(isNull(operand)) }

    /// True where evaluation does not fail.
    static func succeeds(_ operand: Operand) -> Condition {
        if !operand.mayFail { return .constant(true) }
        switch operand.kind {
        // NULL may also mean NaN, which is not a failure.
        case .call(let scalar, let arguments) where !scalar.mayFail: return .every(arguments.map(succeeds))
        case .aggregate where operand.isWideSum:
            return .every([fits(operand, .greaterOrEqual), fits(operand, .lessOrEqual)])
        default: return .some([.leaf(.isNull(operand), negated: true), isNull(operand)])
        }
    }

    /// Whether a wide sum is within one of the bounds of 64-bit integers.
    static func fits(_ operand: Operand, _ order: Order) -> Condition {
        .compare(order, operand, .constant(.integer(order == .lessOrEqual ? .max : .min), .integer))
    }

    static func compare(_ order: Order, _ left: Operand, _ right: Operand) -> Condition {
        .leaf(.compare(order, left, right))
    }

    /// The conjunction, flattened, without repeated tests for NULL, and without constants where that is exact.
    static func every(_ parts: [Condition]) -> Condition { joined(parts, isAll: true) }

    /// The disjunction, likewise.
    static func some(_ parts: [Condition]) -> Condition { joined(parts, isAll: false) }

    private static func joined(_ parts: [Condition], isAll: Bool) -> Condition {
        var kept = parts
        // Fast path: usually there is nothing to remove or to flatten.
        if parts.contains(where: { $0.isConstant || $0.parts(ofAll: isAll) != nil }) {
            kept = []
            for part in parts {
                if case .constant(let value) = part {
                    if value == isAll { continue }
                    // An earlier inexact term may fail before this one is evaluated, and an object whose
                    // evaluation fails never matches. So keep the terms up to the last inexact one.
                    guard let last = kept.lastIndex(where: { $0.isBounded || $0.isPartial }) else { return part }
                    let decided = Array(kept[...last]) + [part]
                    return isAll ? .all(decided) : .any(decided)
                }
                if let inner = part.parts(ofAll: isAll) { kept += inner } else { kept.append(part) }
            }
        }
        kept = withoutRepeatedNullTests(kept)
        return kept.isEmpty ? .constant(isAll) : kept.count == 1 ? kept[0] : isAll ? .all(kept) : .any(kept)
    }

    private func parts(ofAll isAll: Bool) -> [Condition]? {
        switch self {
        case .all(let parts): isAll ? parts : nil
        case .any(let parts): isAll ? nil : parts
        default: nil
        }
    }

    var isConstant: Bool { if case .constant = self { true } else { false } }

    /// Replaces subqueries by bounds, because a list function cannot contain subqueries.
    func withoutSubqueries(_ reason: SQLReason) -> Condition {
        let unknown = Condition.bounded(over: .constant(true), under: .constant(false), reason)
        switch self {
        case .constant: return self
        case .leaf(let leaf, _): return leaf.hasSubqueries ? unknown : self
        case .exists(let scope, _, _), .count(let scope, _, _, _): return scope.isLambda ? self : unknown
        case .all(let parts): return .every(parts.map { $0.withoutSubqueries(reason) })
        case .any(let parts): return .some(parts.map { $0.withoutSubqueries(reason) })
        case .partial(let one, let other):
            return .partial(whenTrue: one.withoutSubqueries(reason), whenFalse: other.withoutSubqueries(reason))
        case .bounded(let over, let under, let first):
            return .bounded(over: over.withoutSubqueries(reason), under: under.withoutSubqueries(reason), first)
        }
    }

    /// Whether the condition compares one of some columns, so that it does not hold if they are NULL.
    func compares(_ isOneOfThem: (_ alias: Int, _ name: String) -> Bool) -> Bool {
        func isColumn(_ operand: Operand) -> Bool {
            if case .column(let alias, let name) = operand.kind { isOneOfThem(alias, name) } else { false }
        }
        return switch self {
        case .leaf(.compare(_, let one, let other), negated: false): isColumn(one) || isColumn(other)
        case .leaf(.list(let one, _), negated: false), .leaf(.json(let one, _), negated: false): isColumn(one)
        case .all(let parts): parts.contains { $0.compares(isOneOfThem) }
        default: false
        }
    }

    /// Whether it has no parts.
    var isSimple: Bool {
        switch self {
        case .leaf, .constant: true
        default: false
        }
    }

    /// Compares only tests for NULL, because hashing whole branches at every level would be quadratic.
    private static func withoutRepeatedNullTests(_ parts: [Condition]) -> [Condition] {
        func tested(_ part: Condition) -> Operand? {
            if case .leaf(.isNull(let operand), negated: false) = part { operand } else { nil }
        }
        guard parts.count(where: { tested($0) != nil }) > 1 else { return parts }
        var seen: Set<Operand> = []
        return parts.filter { part in tested(part).map { seen.insert($0).inserted } ?? true }
    }

    /// The negation, with NOT moved to the leaves.
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

/// The rows of a table with its joins, either of the statement or of a subquery.
///
/// A class, because translating comparisons adds joins to it.
final class Scope: Hashable {
    struct Join: Hashable {
        let alias: Int
        /// The entity of the joined row.
        let entity: String
        let table: String
        let key: [String]
        /// Alias of the table that holds the foreign key.
        let base: Int
        let columns: [String]
        /// Restricts a shared table to the rows of the entity.
        let kind: Condition
        /// Whether the foreign key is never NULL.
        let hasKey: Bool
        /// For a join with groups: the aggregate. The groups have the columns `key` and `value`.
        var value: Operand?
    }

    let table: String
    let alias: Int
    /// How the rows are linked to a row of the enclosing query.
    let link: Link?
    /// The columns of a join table that refer to the objects. A pair with a NULL is none.
    let filled: [String]
    var joins: [Join] = []

    enum Link: Hashable {
        /// `"t1"."owner_id" = "t0"."id"`
        case foreignKey(columns: [String], outer: [Operand])
        /// The elements of a list column, as rows with one column `value`.
        case elements(of: Operand, as: SQLType)
        /// The elements of a list column, passed to a function. Its condition cannot read tables.
        case lambda(over: Operand, of: SQLType)
    }

    init(table: String, alias: Int, link: Link? = nil, filled: [String] = []) {
        self.table = table
        self.alias = alias
        self.link = link
        self.filled = filled
    }

    /// Whether its rows are elements passed to a function, not rows of a subquery.
    var isLambda: Bool { if case .lambda = link { true } else { false } }

    static func == (left: Scope, right: Scope) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
