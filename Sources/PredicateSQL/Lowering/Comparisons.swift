// What a comparison of two targets becomes: equality, order, membership, ranges, with the nil table (LANGUAGE 5.2) spelt
// out. What numbers and texts need is in Numbers.swift and Texts.swift.
import PredicateModel
import PredicateSyntax

extension Lowering {
    func relate(_ relation: Relation, _ left: Target, _ right: Target) throws(Unsupported) -> Condition {
        if case .choice(let condition, let one, let other) = left {
            return choice(condition, try relate(relation, one, right), try relate(relation, other, right))
        }
        if case .choice(let condition, let one, let other) = right {
            return choice(condition, try relate(relation, left, one), try relate(relation, left, other))
        }
        if let order = Order(relation.operator) { return try compare(order, relation, left, right) }
        if case .constant(let left) = left, case .constant(let right) = right {
            return try constants(relation, left, right)
        }
        switch relation.operator {
        case .beginsWith: return try find(.prefix, relation, in: left, right)
        case .endsWith: return try find(.suffix, relation, in: left, right)
        case .contains: return try member(right, of: left, relation)
        case .in: return try member(left, of: right, relation)
        case .between: return try between(left, right)
        case .like, .matches: return try pattern(relation, left, right)
        default: throw Unsupported("\(relation.operator.spelling) has no counterpart in SQL")
        }
    }

    private func choice(_ condition: Condition, _ one: Condition, _ other: Condition) -> Condition {
        .some([.every([condition, one]), .every([.not(condition), other])])
    }

    private func constants(_ relation: Relation, _ left: Value, _ right: Value) throws(Unsupported) -> Condition {
        try relation.refuseLocale()
        let comparison = Comparison(relation.operator, relation.written)
        return .constant(try Self.folded { () throws(EvaluationFault) in try comparison.test(left, right) })
    }

    // MARK: Equality and order

    func compare(
        _ order: Order, _ relation: Relation, _ left: Target, _ right: Target
    ) throws(Unsupported) -> Condition {
        switch (left, right) {
        case (.constant(let left), .constant(let right)):
            return try constants(Relation(order.comparison, relation.written), left, right)
        case (.constant, _): return try compare(order.mirrored, relation, right, left)
        case (.value(let column), .constant(let value)):
            return value.isNil ? nilTest(order, column) : try compare(order, relation, column, value)
        case (.value(let one), .value(let other)): return try compare(order, relation, one, other, nilsMatch: true)
        case (.opaque(let column), .constant(let value)) where value.isNil: return nilTest(order, column)
        case (.toOne(let key, _, _), .constant(let value)) where value.isNil: return nilTest(order, key)
        case (.row(let row), .constant(let value)) where value.isNil && !row.isOptional:
            return .constant(order == .different)
        case (.count(let many), .constant(let value)): return try compare(order, many, value)
        case (.extreme(let many, let isGreatest), .constant(let value)):
            return try extreme(order, relation, many, isGreatest, value)
        case (.opaque, _), (_, .opaque): throw Unsupported("the schema does not say what the attribute holds")
        case (.count, _), (_, .count): throw Unsupported("a count is compared with constants only")
        case (.many, _), (_, .many): throw Unsupported("a whole collection is compared in memory")
        default: throw Unsupported("these are compared in memory")
        }
    }

    /// A column against nil: equal to it, and by `<=` and `>=` too.
    func nilTest(_ order: Order, _ column: Operand) -> Condition {
        switch order {
        case .equal, .lessOrEqual, .greaterOrEqual: .isNull(column)
        case .different: .isNotNull(column)
        case .less, .greater: .constant(false)
        }
    }

    /// A column against a constant that is not nil, brought to the column's type.
    func compare(
        _ order: Order, _ relation: Relation, _ column: Operand, _ value: Value
    ) throws(Unsupported) -> Condition {
        // nil differs from every constant: exactly where it is not equal.
        if order == .different { return .not(try compare(.equal, relation, column, value)) }
        switch (column.type, value) {
        case (.boolean, _) where value.isNumber: return try truth(Relation(order.comparison, []), column, value)
        case (.integer, _) where value.isNumber: return try integers(order, column, value)
        case (.double, _) where value.isNumber: return try doubles(order, column, value)
        case (.decimal, _) where value.isNumber: return try decimals(order, column, value)
        case (.text, .string(let text)): return try texts(order, relation, column, text)
        case (.date, .date(let seconds)):
            if seconds.isNaN { return .constant(false) }
            if !seconds.isFinite, !dialect.storesInfinity { throw Unsupported("the engine stores no infinity") }
            return floating(order, column, .constant(value, .date))
        case (.uuid, .uuid): return .compare(order, column, .constant(value, .uuid))
        case (.data, .data) where order == .equal: return .compare(order, column, .constant(value, .data))
        case (.url, .url(let text)) where order == .equal:
            if !dialect.storesNUL, text.utf8.contains(0) { return .constant(false) }
            return .compare(order, column, .constant(value, .url))
        default:
            if order == .equal { return .constant(false) }
            throw Unsupported("these have no order")
        }
    }

    /// Two columns. `nilsMatch`: whether nil equals nil, which IN, for one, denies.
    func compare(
        _ order: Order, _ relation: Relation, _ one: Operand, _ other: Operand, nilsMatch: Bool
    ) throws(Unsupported) -> Condition {
        if order == .different { return .not(try compare(.equal, relation, one, other, nilsMatch: nilsMatch)) }
        let bothNil = nilsMatch ? Condition.every([.isNull(one), .isNull(other)]) : .constant(false)
        var (left, right) = (one, other)
        if left.type != right.type {
            switch (left.type, right.type) {
            case (.integer, .double): left = left.asDouble
            case (.double, .integer): right = right.asDouble
            case (.integer, .decimal) where dialect.storesDecimals, (.decimal, .integer) where dialect.storesDecimals:
                break
            case (.boolean, _) where right.type.isNumber, (_, .boolean) where left.type.isNumber,
                (.decimal, _) where right.type.isNumber, (_, .decimal) where left.type.isNumber:
                throw Unsupported("engines compare these types of numbers differently")
            default:
                if order == .equal { return bothNil }
                throw Unsupported("these have no order")
            }
        }
        if left.type == .decimal, !dialect.storesDecimals { throw Unsupported("the engine stores no decimals") }
        let isFolded = left.type == .text && !relation.options.isEmpty
        if order == .equal {
            if isFolded { return .some([bothNil, try folded(.equal, order: nil, relation, left, right)]) }
            if dialect.equalityTellsZeros, left.type == .double || left.type == .date {
                return .some([floating(.equal, left, right), bothNil])
            }
            return left.isNullable && right.isNullable && nilsMatch
                ? .leaf(.same(left, right)) : .compare(.equal, left, right)
        }
        if [.boolean, .data, .url].contains(left.type) { throw Unsupported("engines order these values differently") }
        let plain =
            isFolded
            ? try folded(.compare, order: order, relation, left, right) : Condition.compare(order, left, right)
        return order == .less || order == .greater ? plain : .some([plain, bothNil])
    }

    // MARK: Membership and ranges

    /// IN and CONTAINS: a substring of a text, else membership, which ignores the options and knows no nil.
    func member(_ object: Target, of container: Target, _ relation: Relation) throws(Unsupported) -> Condition {
        if case .constant(let value) = object, value.isNil { return .constant(false) }
        switch container {
        case .constant(let value):
            if value.isNil { return .constant(false) }
            if case .string = value { return try find(.anywhere, relation, in: container, object) }
            guard let elements = value.elements else { throw Unsupported("it is no collection") }
            if case .value(let column) = object { return try list(column, elements) }
            return try someEqual(object, elements.map(Target.constant))
        case .value(let column) where column.type == .text:
            return try find(.anywhere, relation, in: container, object)
        case .list(let nodes):
            return try someEqual(object, try targets(nodes))
        case .many(let many):
            if object.isMany { throw Unsupported("both sides are collections") }
            return .exists(many.scope, .every([many.filter, try equal(many.element, object)]), negated: false)
        default: throw Unsupported("what it holds is known in memory only")
        }
    }

    private func someEqual(_ object: Target, _ elements: [Target]) throws(Unsupported) -> Condition {
        var conditions: [Condition] = []
        for element in elements { conditions.append(try equal(object, element)) }
        return .some(conditions)
    }

    /// Equality of members: nil is none.
    private func equal(_ left: Target, _ right: Target) throws(Unsupported) -> Condition {
        let relation = Relation(.equal, [])
        switch (left, right) {
        case (.constant(let value), _) where value.isNil, (_, .constant(let value)) where value.isNil:
            return .constant(false)
        case (.value(let one), .value(let other)): return try compare(.equal, relation, one, other, nilsMatch: false)
        default: return try compare(.equal, relation, left, right)
        }
    }

    /// A column in constants: one list of the values that it can be, and conditions for the others.
    private func list(_ column: Operand, _ elements: [Value]) throws(Unsupported) -> Condition {
        if column.type == .boolean { return try truth(Relation(.in, []), column, .array(elements)) }
        var values: [Value] = []
        var seen: Set<EqualityKey> = []
        var conditions: [Condition] = []
        for element in elements where !element.isNil {
            let condition = try compare(.equal, Relation(.equal, []), column, element)
            guard case .leaf(.compare(.equal, column, let operand), _) = condition,
                case .constant(let value) = operand.kind
            else {
                conditions.append(condition)
                continue
            }
            if seen.insert(EqualityKey(value)).inserted { values.append(value) }
        }
        if values.count == 1 {
            conditions.append(.compare(.equal, column, .constant(values[0], column.type)))
        } else if !values.isEmpty {
            conditions.append(.leaf(.list(column, values)))
        }
        return .some(conditions)
    }

    func between(_ left: Target, _ right: Target) throws(Unsupported) -> Condition {
        let bounds: [Target]
        switch right {
        case .constant(let value):
            if value.isNil { return .constant(false) }
            guard case .array(let values) = value else { throw Unsupported("its bounds are no list of two") }
            bounds = values.map(Target.constant)
        case .list(let nodes): bounds = try targets(nodes)
        default: throw Unsupported("its bounds are known in memory only")
        }
        guard bounds.count == 2 else { throw Unsupported("its bounds are no list of two") }
        for bound in bounds + [left] {
            if case .constant(let value) = bound, value.isNil { return .constant(false) }
        }
        if case .constant(let one) = bounds[0], case .constant(let other) = bounds[1] {
            let order = try Self.folded { () throws(EvaluationFault) in try one.order(against: other, for: "BETWEEN") }
            guard let order else { return .constant(false) }
            return order > 0
                ? try within(left, bounds[1], bounds[0]) : try within(left, bounds[0], bounds[1])
        }
        // Bounds of one type have one order, whichever way they stand; an integer and a double do not quite.
        guard let type = type(left), type == self.type(bounds[0]), type == self.type(bounds[1]) else {
            throw Unsupported("its bounds are of other types than its value")
        }
        return .some([try within(left, bounds[0], bounds[1]), try within(left, bounds[1], bounds[0])])
    }

    private func within(_ value: Target, _ lower: Target, _ upper: Target) throws(Unsupported) -> Condition {
        .every([try plain(.greaterOrEqual, value, lower), try plain(.lessOrEqual, value, upper)])
    }

    /// Order in which nil has no place.
    private func plain(_ order: Order, _ left: Target, _ right: Target) throws(Unsupported) -> Condition {
        let relation = Relation(order.comparison, [])
        if case .value(let one) = left, case .value(let other) = right {
            return try compare(order, relation, one, other, nilsMatch: false)
        }
        return try compare(order, relation, left, right)
    }

    private func type(_ target: Target) -> SQLType? {
        switch target {
        case .value(let column): column.type
        case .constant(.integer), .constant(.bool): .integer
        case .constant(.double(let value)): value.isNaN ? nil : .double
        case .constant(.string): .text
        case .constant(.date(let seconds)): seconds.isNaN ? nil : .date
        case .constant(.uuid): .uuid
        default: nil
        }
    }
}
