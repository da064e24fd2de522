// Translates the comparison of two targets: equality, order, membership and ranges, with the nil table of
// LANGUAGE 5.2. Numbers.swift and Texts.swift handle numbers and texts.

extension Lowering {
    /// Translates the comparison of two sides. Throws `Unsupported` for what cannot be translated. A TERNARY is two
    /// sides in one.
    func compareExactly(_ relation: Relation, _ left: Target, _ right: Target) throws(Unsupported) -> Condition {
        if case .choice(let condition, let one, let other) = left {
            return choice(
                condition, try compareExactly(relation, one, right), try compareExactly(relation, other, right))
        }
        if case .choice(let condition, let one, let other) = right {
            return choice(condition, try compareExactly(relation, left, one), try compareExactly(relation, left, other))
        }
        if let (one, other) = try secondsOfComputed(left, right) { return try compareExactly(relation, one, other) }
        if let condition = try years(relation, left, right) { return condition }
        let (one, other) = (try computingYears(left), try computingYears(right))
        return try failing(applyOperator(relation, one, other), one, other)
    }

    /// Evaluation computes both sides, with all elements of a list, before it compares them. So each failure matters,
    /// even if the result is constant, or if another element decides it.
    func failing(_ condition: Condition, _ left: Target, _ right: Target) throws(Unsupported) -> Condition {
        guard condition.isConstant || left.isList || right.isList else { return condition }
        let failing = try (operands(left) + operands(right)).filter { $0.mayFail }
        if failing.isEmpty { return condition }
        for operand in failing { try requireSupport(operand) }
        let (successes, plain) = (failing.map(Condition.succeeds), condition.upperTruth)
        return .partial(whenTrue: .every(successes + [plain]), whenFalse: .every(successes + [.not(plain)]))
    }

    private func operands(_ target: Target) throws(Unsupported) -> [Operand] {
        switch target {
        case .value(let operand), .year(let operand): return [operand]
        case .list(let nodes):
            var operands: [Operand] = []
            for target in try targets(nodes) { operands += try self.operands(target) }
            return operands
        default: return []
        }
    }

    /// Translates the comparison of two sides without TERNARY, by the family of the operator.
    private func applyOperator(_ relation: Relation, _ left: Target, _ right: Target) throws(Unsupported) -> Condition {
        if let order = Order(relation.operator) { return try compareTargets(order, relation, left, right) }
        if case .constant(let left) = left, case .constant(let right) = right {
            return try compareConstants(relation, left, right)
        }
        switch relation.operator {
        case .beginsWith: return try find(.prefix, relation, in: left, right)
        case .endsWith: return try find(.suffix, relation, in: left, right)
        case .contains: return try member(right, of: left, relation)
        case .in: return try member(left, of: right, relation)
        case .between: return try between(left, right)
        case .like, .matches: return try pattern(relation, left, right)
        default: throw Unsupported("\(relation.operator.spelling) has no equivalent in SQL")
        }
    }

    private func choice(_ condition: Condition, _ one: Condition, _ other: Condition) -> Condition {
        func either(_ one: Condition, _ other: Condition) -> Condition {
            .some([.every([condition.truth, one]), .every([condition.falsity, other])])
        }
        guard condition.isPartial || one.isPartial || other.isPartial else { return either(one, other) }
        return .partial(whenTrue: either(one.truth, other.truth), whenFalse: either(one.falsity, other.falsity))
    }

    private func compareConstants(
        _ relation: Relation, _ left: Constant, _ right: Constant
    ) throws(Unsupported) -> Condition {
        try relation.refuseLocale()
        let comparison = Comparison(relation.operator, relation.written)
        return .constant(
            try Self.folded { () throws(EvaluationFault) in try comparison.test(left.fixed(), right.fixed()) })
    }

    // MARK: Equality and order

    /// Equality or order of two sides. They are exchanged here, not by `ComparisonNode.keyed`: which form they must have
    /// depends on what their keys are in the schema, such as columns, objects and counts.
    func compareTargets(
        _ order: Order, _ relation: Relation, _ left: Target, _ right: Target
    ) throws(Unsupported) -> Condition {
        if !relation.nilsMatch, left.isNil || right.isNil { return .constant(false) }
        switch (left, right) {
        case (.constant(let left), .constant(let right)):
            return try compareConstants(Relation(order.comparison, relation.written), left, right)
        case (.year, _), (_, .year):
            return try compareTargets(order, relation, try computingYears(left), try computingYears(right))
        case (.constant, _): return try compareTargets(order.mirrored, relation, right, left)
        case (.value(let column), .constant(let value)):
            return value.isNil ? try nilTest(order, column) : try compareConstant(order, relation, column, value)
        case (.value(let one), .value(let other)): return try compareOperands(order, relation, one, other)
        case (.opaque(let column), .constant(let value)) where value.isNil: return try nilTest(order, column)
        case (.toOne(let key, _, _), .constant(let value)) where value.isNil: return nilTest(order, isNil(key))
        case (.row(let row), .constant(let value)) where value.isNil:
            return nilTest(order, isNil(row.isOptional ? try key(of: row) : []))
        case (.row, .row), (.row, .toOne), (.toOne, .row), (.toOne, .toOne):
            return try compareObjects(order, relation, left, right)
        case (.row, .constant(let value)) where value.isObject, (.toOne, .constant(let value)) where value.isObject:
            return try compareObjects(order, relation, left, right)
        case (.count(let many), .constant(let value)): return try compareCount(order, many, value)
        case (.extreme(let many, let isGreatest), .constant(let value)):
            return try extreme(order, relation, many, isGreatest, value)
        case (.total(let many, let isSum), _): return try compareTotal(order, many, isSum: isSum, right)
        case (_, .total(let many, let isSum)): return try compareTotal(order.mirrored, many, isSum: isSum, left)
        case (.many(let many), .constant(let value)) where value.isNil: return try nilTest(order, many.owner)
        case (.opaque, _), (_, .opaque): throw Unsupported("the schema gives it no type that SQL can compare")
        case (.count, _), (.extreme, _), (_, .count), (_, .extreme):
            return try aggregates(order, relation, left, right)
        case (.many, _), (_, .many): throw Unsupported("a whole collection is compared in memory")
        default: throw Unsupported("these values are compared in memory")
        }
    }

    /// Compares values some of which are counts or extremes.
    private func aggregates(
        _ order: Order, _ relation: Relation, _ left: Target, _ right: Target
    ) throws(Unsupported) -> Condition {
        if case .count(let many) = left, many.owner.isNullable { return try count(many, order, relation, right) }
        if case .count(let many) = right, many.owner.isNullable {
            return try count(many, order.mirrored, relation, left)
        }
        return try compareOperands(order, relation, try aggregate(left), try aggregate(right))
    }

    /// Compares the count of a relationship whose owner may be nil.
    private func count(
        _ many: Many, _ order: Order, _ relation: Relation, _ other: Target
    ) throws(Unsupported) -> Condition {
        let relation = Relation(order.comparison, relation.written, nilsMatch: relation.nilsMatch)
        return try compareExactly(relation, try computed(of: many) { .count($0) }, other)
    }

    private func aggregate(_ target: Target) throws(Unsupported) -> Operand {
        switch target {
        case .value(let operand): return operand
        case .count(let many): return try count(many)
        case .extreme(let many, let isGreatest): return try extreme(many, isGreatest)
        default: throw Unsupported("these values are compared in memory")
        }
    }

    private func compareObjects(
        _ order: Order, _ relation: Relation, _ left: Target, _ right: Target
    ) throws(Unsupported) -> Condition {
        guard order == .equal || order == .different else { throw Unsupported("objects have no order") }
        let isSame = try same(left, right, nilsMatch: relation.nilsMatch)
        return order == .equal ? isSame : .not(isSame)
    }

    /// Two objects are equal if their keys are.
    private func same(_ left: Target, _ right: Target, nilsMatch: Bool) throws(Unsupported) -> Condition {
        let (one, entity) = try key(left, "")
        let (other, target) = try key(right, entity)
        // Keys are unique only within a table.
        let bothNil = nilsMatch ? Condition.every([isNil(one), isNil(other)]) : .constant(false)
        guard schema.table(of: entity) == schema.table(of: target), one.count == other.count else { return bothNil }
        if nilsMatch, one.count == 1, one[0].isNullable, other[0].isNullable {
            return .leaf(.same(one[0], other[0]))
        }
        return .some([.every(zip(one, other).map { .compare(.equal, $0, $1) }), bothNil])
    }

    /// The columns or values of an object's key, and its entity.
    private func key(_ target: Target, _ entity: String) throws(Unsupported) -> ([Operand], String) {
        switch target {
        case .toOne(let columns, _, let entity): return (columns, entity)
        case .row(let row): return (try key(of: row), row.entity)
        case .constant(let constant):
            guard case .object(let reference) = constant.fixed() else { break }
            let attributes = schema.lineage(of: entity).flatMap { $0.attributes }
            let values = try primaryKey(entity).map { (column) throws(Unsupported) -> Operand in
                let attribute = attributes.first { $0.column == column }
                guard let value = reference.object.value(forKey: attribute?.name ?? column), let type = SQLType(value)
                else { throw Unsupported("the object does not publish its key '\(column)'") }
                return Operand.constant(value, type)
            }
            return (values, entity)
        default: break
        }
        throw Unsupported("these values are compared in memory")
    }

    /// A key is nil if any of its parts is nil, because it then refers to no row.
    private func isNil(_ key: [Operand]) -> Condition { .some(key.map(Condition.isNull)) }

    /// Compares a value with nil, by the condition that it is nil. True for nil with `==`, `<=` and `>=`.
    func nilTest(_ order: Order, _ isNil: Condition) -> Condition {
        switch order {
        case .equal, .lessOrEqual, .greaterOrEqual: isNil
        case .different: .not(isNil)
        case .less, .greater: .constant(false)
        }
    }

    func nilTest(_ order: Order, _ column: Operand) throws(Unsupported) -> Condition {
        if column.mayFail || column.isComputed && column.contains({ $0.mayLackValue }) { try requireSupport(column) }
        return guarded(nilTest(order, .isNull(column)), [column])
    }

    /// Compares a column with a constant that is not nil, converted to the column's type.
    func compareConstant(
        _ order: Order, _ relation: Relation, _ column: Operand, _ value: Constant
    ) throws(Unsupported) -> Condition {
        // nil differs from every constant, so `!=` is the negation of `==`.
        if order == .different { return .not(try compareConstant(.equal, relation, column, value)) }
        if column.isDecimalMean, value.isNumber { return try mean(order, column, value.fixed()) }
        if column.isComputed || column.encoding != nil, let found = try compareByRanges(order, relation, column, value)
        {
            return found
        }
        if column.hasDecimals {
            let result = try computed(column)
            guard result.type == .decimal, value.isNumber else {
                return try compareConstant(order, relation, result, value)
            }
            try requireSupport(result)
            if let found = try compareComputedDecimals(order, result, value.fixed()) { return found }
            throw Unsupported("the constant has more digits than the engine computes with")
        }
        return guarded(try compareByType(order, relation, column, value), [column])
    }

    /// Compares by ranges of the column, if its values and the constant have an order.
    private func compareByRanges(
        _ order: Order, _ relation: Relation, _ column: Operand, _ constant: Constant
    ) throws(Unsupported) -> Condition? {
        if order == .equal, let mapped = try caseMapped(column, relation, constant, { $0.equal }) { return mapped }
        guard constant.isNumber && column.type.isNumber || column.type == .date && constant.type == .date else {
            return nil
        }
        if let condition = stored(order, column, constant) { return condition }
        let value = constant.fixed()
        if case .date(let seconds) = value, seconds.isNaN { return nil }
        if value.doubleValue?.isNaN ?? false {
            if column.mayFail { throw Unsupported("NaN is compared in memory") }
            return nil
        }
        return ranges(order, column, value)
    }

    /// Compares an encoded column with the integer or timestamp of a constant; nil if the constant is not between two
    /// others.
    private func stored(_ order: Order, _ column: Operand, _ constant: Constant) -> Condition? {
        guard case .column = column.kind, let encoding = column.encoding, let type = encoding.type(dialect) else {
            return nil
        }
        let bound = order == .less ? Order.lessOrEqual : order == .greater ? .greaterOrEqual : order
        let zone = dialect.zoneOfMoments
        return constant.deriving(.stored(encoding, order, in: encoding.range(dialect), zone: zone)).map {
            .compare(bound, column, .constant($0, type))
        }
    }

    /// Compares a column with a constant that is not nil, according to the column's type.
    private func compareByType(
        _ order: Order, _ relation: Relation, _ column: Operand, _ value: Constant
    ) throws(Unsupported) -> Condition {
        try requireSupport(column)
        switch (column.type, value.type) {
        case (.boolean, _) where value.isNumber: return try truth(Relation(order.comparison, []), column, value.fixed())
        case (.integer, _) where value.isNumber: return try compareIntegers(order, column, value)
        case (.double, _) where value.isNumber: return try compareDoubles(order, column, value)
        case (.decimal, _) where value.isNumber: return try compareDecimals(order, column, value)
        case (.text, .text): return try compareTexts(order, relation, column, value)
        case (.date, .date):
            if value.satisfies(.isNaN) { return .constant(false) }
            if let answer = infinite(order, column, value) { return answer }
            return floating(order, column, .constant(value, .date))
        case (.uuid, .uuid): return .compare(order, column, .constant(value, .uuid))
        case (.data, .data) where order == .equal: return .compare(order, column, .constant(value, .data))
        case (.url, .url) where order == .equal:
            if !dialect.texts.storesNUL, value.satisfies(.holdsNUL) { return .constant(false) }
            return .compare(order, column, .constant(value, .url))
        default:
            if order == .equal { return .constant(false) }
            throw Unsupported("the values have no order")
        }
    }

    /// Compares two columns.
    func compareOperands(
        _ order: Order, _ relation: Relation, _ one: Operand, _ other: Operand
    ) throws(Unsupported) -> Condition {
        if order == .different { return .not(try compareOperands(.equal, relation, one, other)) }
        if one.type == .text, other.type == .text, let (plain, sides) = try unfolded(relation, [one, other]) {
            return try compareOperands(order, plain, sides[0], sides[1])
        }
        if one.hasDecimals || other.hasDecimals {
            return try compareOperands(order, relation, try computed(one), try computed(other))
        }
        try requireSupport(one)
        try requireSupport(other)
        let bothNil = relation.nilsMatch ? Condition.every([.isNull(one), .isNull(other)]) : .constant(false)
        return guarded(try compareColumns(order, relation, one, other, bothNil), [one, other])
    }

    private func compareColumns(
        _ order: Order, _ relation: Relation, _ one: Operand, _ other: Operand, _ bothNil: Condition
    ) throws(Unsupported) -> Condition {
        var (left, right) = (one, other)
        let isOrder = order != .equal
        if left.type == .boolean, right.type.isNumber || isOrder && right.type == .boolean {
            left = .call(.asInteger, [left], .integer)
        }
        if right.type == .boolean, left.type.isNumber || isOrder && left.type == .boolean {
            right = .call(.asInteger, [right], .integer)
        }
        switch (left.encoding, right.encoding) {
        case (.dates(.timestamp), .dates(.timestampWithZone)): left = left.asMoment
        case (.dates(.timestampWithZone), .dates(.timestamp)): right = right.asMoment
        default: break
        }
        try requireSupport(left)
        try requireSupport(right)
        if left.type != right.type {
            switch (left.type, right.type) {
            case (.integer, .double): left = left.asDouble
            case (.double, .integer): right = right.asDouble
            case (.integer, .decimal), (.decimal, .integer): break
            case (.decimal, .double): left = try double(left)
            case (.double, .decimal): right = try double(right)
            default:
                if order == .equal { return bothNil }
                throw Unsupported("the values have no order")
            }
        }
        let isDecimal = left.type == .decimal || right.type == .decimal
        if isDecimal {
            if left.isDecimalMean || right.isDecimalMean {
                throw Unsupported("a mean of decimals is compared with constants only")
            }
            let isStored = dialect.decimals.areStored || left.encoding == right.encoding
            if !isStored || left.isComputed || right.isComputed { (left, right) = try comparable(left, right) }
        } else if left.encoding != right.encoding {
            throw Unsupported("the columns store their values in different forms", column: left.name)
        }
        let isFolded = left.type == .text && !relation.options.isEmpty
        if order == .equal {
            if isFolded { return .some([bothNil, try folded(.equal, relation, left, right)]) }
            if dialect.numbers.equalitySeparatesZeros, left.hasTwoZeros {
                return .some([compareNumbers(.equal, left, right), bothNil])
            }
            guard left.isNullable, right.isNullable, relation.nilsMatch else {
                return compareNumbers(.equal, left, right)
            }
            return left.isPlain && right.isPlain
                ? .leaf(.same(left, right)) : .some([compareNumbers(.equal, left, right), bothNil])
        }
        if [.data, .url].contains(left.type) { throw Unsupported("databases order these values differently") }
        let plain = isFolded ? try folded(order, relation, left, right) : compareNumbers(order, left, right)
        return order == .less || order == .greater ? plain : .some([plain, bothNil])
    }

    /// Compares numbers. NaN has no order, even if the engine orders it.
    private func compareNumbers(_ order: Order, _ left: Operand, _ right: Operand) -> Condition {
        var parts = [floating(order, left, right)]
        if dialect.numbers.nanIsGreatest {
            for operand in [left, right] where operand.showsNaN {
                parts.append(.compare(.lessOrEqual, operand, .constant(.double(.infinity), .double)))
            }
        }
        return .every(parts)
    }

    // MARK: Membership and ranges

    /// IN and CONTAINS: a substring search in a text, else membership, which ignores the options and never
    /// matches nil.
    func member(_ object: Target, of container: Target, _ relation: Relation) throws(Unsupported) -> Condition {
        if object.isNil { return .constant(false) }
        switch container {
        case .constant(let value):
            if value.isNil { return .constant(false) }
            if value.isText { return try find(.anywhere, relation, in: container, object) }
            if case .value(let column) = object, let condition = try list(column, value) { return condition }
            guard let elements = value.elements() else { throw Unsupported("it is not a collection") }
            return try someEqual(object, elements.map(Target.constant))
        case .value(let column) where column.type == .text:
            return try find(.anywhere, relation, in: container, object)
        case .extreme: return try find(.anywhere, relation, in: container, object)
        case .list(let nodes):
            return try someEqual(object, try targets(nodes))
        case .many(let many):
            if object.isMany { throw Unsupported("both sides are collections") }
            let isEqual = inside(many.scope, try equal(many.element, object)).truth
            let exists = Condition.exists(many.scope, .every([many.filter, isEqual]), negated: false)
            return guarded(exists, try operands(object))
        default: throw Unsupported("its elements are known only in memory")
        }
    }

    private func someEqual(_ object: Target, _ elements: [Target]) throws(Unsupported) -> Condition {
        .some(
            try elements.map { (element) throws(Unsupported) in
                try reserve(64)
                return try equal(object, element)
            })
    }

    /// Equality for membership, in which nil equals nothing.
    private func equal(_ left: Target, _ right: Target) throws(Unsupported) -> Condition {
        try compareTargets(.equal, Relation(.equal, [], nilsMatch: false), left, right)
    }

    /// nil if the constant is not a collection.
    private func list(_ column: Operand, _ list: Constant) throws(Unsupported) -> Condition? {
        guard let elements = bindsAsJSON(column) ? list.members ?? list.elements() : list.elements() else { return nil }
        return try self.list(column, elements, of: list)
    }

    private func bindsAsJSON(_ column: Operand) -> Bool {
        !column.isComputed && dialect.lists.jsonLists[column.boundType(dialect)] != nil
    }

    func list(
        _ column: Operand, _ elements: [Constant], of list: Constant? = nil
    ) throws(Unsupported) -> Condition {
        if column.type == .boolean { return try truth(Relation(.in, []), column, .array(elements.map({ $0.fixed() }))) }
        try reserve(elements.count * 4)
        var values: [Constant] = []
        var conditions: [Condition] = []
        for element in elements where !element.isNil {
            let condition = try compareConstant(.equal, Relation(.equal, []), column, element)
            guard case .leaf(.compare(.equal, column, let operand), _) = condition,
                case .constant(let value) = operand.kind
            else {
                conditions.append(condition)
                continue
            }
            values.append(value)
        }
        if conditions.isEmpty, let json = list?.json(of: values, moreThan: dialect.lists.inlineLimit) {
            return .leaf(.json(column, json))
        }
        values = Constant.uniqued(values)
        let type = column.boundType(dialect)
        if values.count == 1 {
            conditions.append(.compare(.equal, column, .constant(values[0], type)))
        } else if values.count > dialect.lists.inlineLimit, bindsAsJSON(column),
            let json = JSONList.text(values.map { $0.fixed() })
        {
            conditions.append(.leaf(.json(column, Constant(.string(json)))))
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
            guard value.isArray, let values = value.elements() else {
                throw Unsupported("its bounds are not a list of two values")
            }
            bounds = values.map(Target.constant)
        case .list(let nodes): bounds = try targets(nodes)
        default: throw Unsupported("its bounds are known only in memory")
        }
        guard bounds.count == 2 else { throw Unsupported("its bounds are not a list of two values") }
        if (bounds + [left]).contains(where: { $0.isNil }) { return .constant(false) }
        if case .constant(let one) = bounds[0], case .constant(let other) = bounds[1] {
            let order = try Self.folded { () throws(EvaluationFault) in try one.order(against: other) }
            guard let order else { return .constant(false) }
            return order > 0
                ? try within(left, bounds[1], bounds[0]) : try within(left, bounds[0], bounds[1])
        }
        // If value and bounds have one type, both directions of the interval can be tested; the order of an
        // integer and a double is not fully consistent.
        guard let type = type(left), type == self.type(bounds[0]), type == self.type(bounds[1]) else {
            return .some([
                .every([try compareNonNil(.lessOrEqual, bounds[0], bounds[1]), try within(left, bounds[0], bounds[1])]),
                .every([try compareNonNil(.greater, bounds[0], bounds[1]), try within(left, bounds[1], bounds[0])]),
            ])
        }
        return .some([try within(left, bounds[0], bounds[1]), try within(left, bounds[1], bounds[0])])
    }

    private func within(_ value: Target, _ lower: Target, _ upper: Target) throws(Unsupported) -> Condition {
        .every([try compareNonNil(.greaterOrEqual, value, lower), try compareNonNil(.lessOrEqual, value, upper)])
    }

    /// Compares with an order in which nil never matches.
    private func compareNonNil(_ order: Order, _ left: Target, _ right: Target) throws(Unsupported) -> Condition {
        try compareTargets(order, Relation(order.comparison, [], nilsMatch: false), left, right)
    }

    private func type(_ target: Target) -> SQLType? {
        switch target {
        case .value(let column): column.type
        case .constant(let constant):
            switch constant.type {
            case .integer, .boolean: .integer
            case .double where constant.isDouble && !constant.satisfies(.isNaN): .double
            case .date where !constant.satisfies(.isNaN): .date
            case .text: .text
            case .uuid: .uuid
            default: nil
            }
        default: nil
        }
    }
}
