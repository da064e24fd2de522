// Compares @max and @min with a constant without an aggregate: the maximum is greater than a number if and only if some
// element is. This is exact on every engine and can use an index.

extension Lowering {
    func extreme(_ many: Many, _ isGreatest: Bool) throws(Unsupported) -> Operand {
        guard case .value(let element) = many.element,
            [.integer, .double, .date, .text, .decimal].contains(element.type),
            many.isFound(by: dialect), !many.scope.isLambda, element.isPlain
        else { throw Unsupported("minimum and maximum of these values are computed in memory") }
        try requireSupport(element)
        let kind = Operand.Kind.aggregate(isGreatest ? .maximum : .minimum, element, many.scope, many.filter)
        return Operand(kind: kind, type: element.type, isNullable: true, encoding: element.encoding)
    }

    /// Skips nil elements. The extreme of no elements and of a nil collection is nil.
    func extreme(
        _ order: Order, _ relation: Relation, _ many: Many, _ isGreatest: Bool, _ value: Constant
    ) throws(Unsupported) -> Condition {
        guard case .value(let element) = many.element,
            [.integer, .double, .date, .text, .decimal].contains(element.type)
        else {
            throw Unsupported("minimum and maximum of these values are computed in memory")
        }
        try requireSupport(element)
        func some(_ condition: Condition) -> Condition {
            .exists(many.scope, .every([many.filter, condition]), negated: false)
        }
        // NaN elements are ignored.
        let present = try some(
            element.mayBeNaN ? compareDoubles(.lessOrEqual, element, Constant(.double(.infinity))) : .isNotNull(element)
        )
        if value.isNil { return nilTest(order, .not(present)) }
        if order == .different { return .not(try extreme(.equal, relation, many, isGreatest, value)) }
        if value.isNumber, value.satisfies(.isNaN) { return .constant(false) }
        let beyond: Order = isGreatest ? .greater : .less
        if order == .equal {
            let equal = try compareConstant(.equal, relation, element, value)
            // A constant of another type equals nothing and has no order.
            if case .constant(false) = equal { return equal }
            return .every([some(equal), .not(some(try compareConstant(beyond, relation, element, value)))])
        }
        // A condition that holds for all elements holds for their extreme, so in groups the extreme itself can be
        // compared.
        func inGroups() throws(Unsupported) -> Condition? {
            guard dialect.subqueries.groupsThresholds, relation.options.isEmpty,
                Grouping(root.scope, joinsGroups: dialect.subqueries.joinsGroups).groups(
                    many.scope, many.filter, element)
            else { return nil }
            return try compareConstant(order, relation, try extreme(many, isGreatest), value)
        }
        let reaches =
            isGreatest ? order == .greater || order == .greaterOrEqual : order == .less || order == .lessOrEqual
        let condition = try compareConstant(reaches ? order : order.complement, relation, element, value)
        if !reaches, let condition = try? inGroups() { return condition }
        return reaches ? some(condition) : .every([present, .not(some(condition))])
    }
}
