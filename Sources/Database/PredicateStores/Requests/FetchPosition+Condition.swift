// A position as a condition of the language: `price >= 5 AND (price > 5 OR price == 5 AND id > 7)`. So SQL, bounds and
// the capabilities of back ends need nothing else for it. The first term lets an index begin at the position.

extension StoreRequest {
    /// Returns the request for the objects after the position. It keeps the position if the language has no order of some
    /// key; the condition then also selects objects before it, which are tested in memory.
    func comparingPosition(in schema: PredicateSchema) -> StoreRequest {
        guard let after else { return self }
        let all = zip(orderKeys(in: schema), after.values).map { PositionPart($0, $1, schema, entity) }
        let parts = all.prefix { $0 != nil }.compactMap(\.self)
        var request = self
        if parts.count == all.count { request.after = nil }
        /// What must hold if the keys up to now are equal.
        var rest = PredicateNode(.constant(parts.count < all.count))
        for (index, part) in parts.enumerated().reversed() {
            let terms: [PredicateNode] =
                switch rest.kind {
                case .constant(false): part.after
                case .constant: part.bound.map { [$0] } ?? part.after + [part.same]
                default: part.after + [PredicateNode(.and([part.same, rest]))]
                }
            rest = terms.count == 1 ? terms[0] : PredicateNode(terms.isEmpty ? .constant(false) : .or(terms))
            if index == 0, terms.count > 1, let bound = part.bound { rest = PredicateNode(.and([bound, rest])) }
        }
        if case .constant(true) = rest.kind { return request }
        let isAll = predicate.root.kind == .constant(true)
        request.predicate = predicate.replacingRoot(isAll ? rest : PredicateNode(.and([predicate.root, rest])))
        return request
    }
}

/// The comparison of a key with its value in a position, in the language.
private struct PositionPart {
    /// Selects the objects that the order has after the value: one of these holds.
    let after: [PredicateNode]
    /// Selects the objects that have the value.
    let same: PredicateNode
    /// `key >= value`, if that is the same as both together.
    let bound: PredicateNode?

    /// nil for a key that the language cannot compare: an expression, a text in a locale, or a type without an order.
    init?(_ key: PredicateSortKey, _ value: PredicateValue, _ schema: PredicateSchema, _ entity: String) {
        guard let (attribute, path) = schema.attribute(at: key, of: entity), !key.options.contains(.localeSensitive),
            let value = attribute.converted(value)
        else { return nil }
        switch attribute.type {
        case .boolean, .integer, .double, .decimal, .string, .uuid: break
        case .date where !value.isNaN: break
        default: return nil
        }
        let left = ExpressionNode(.keyPath(path))
        func test(_ operation: ComparisonOperator, _ right: ExpressionNode) -> PredicateNode {
            let options = attribute.type == .string && !(right.constant?.isNil ?? true) ? key.options : []
            return PredicateNode(.comparison(ComparisonNode(left, operation, right, options: options)))
        }
        func test(_ operation: ComparisonOperator, _ right: PredicateValue) -> PredicateNode {
            test(operation, ExpressionNode(.value(right)))
        }
        // Only NaN differs from itself. In the order it is before all numbers.
        let isNaN = test(.notEqual, left)
        var after: [PredicateNode] = []
        var bound: PredicateNode?
        switch value {
        case _ where value.isNil:
            same = test(.equal, .null)
            if key.nils == .first { after = [test(.notEqual, .null)] }
        case _ where value.isNaN:
            same = isNaN
            if !key.isDescending { after = [test(.greaterThanOrEqual, .double(-.infinity))] }
        default:
            same = test(.equal, value)
            after = [test(key.isDescending ? .lessThan : .greaterThan, value)]
            bound = test(key.isDescending ? .lessThanOrEqual : .greaterThanOrEqual, value)
            if key.isDescending, attribute.allowsNaN { after.append(isNaN) }
        }
        // The attributes of a missing object are nil.
        if key.nils == .last, !value.isNil, attribute.isOptional || path.count > 1 { after.append(test(.equal, .null)) }
        self.after = after
        self.bound = after.count == 1 ? bound : nil
    }
}

extension PredicateSchema {
    /// The attribute of a sort key, and its path through to-one relationships; nil for other keys.
    func attribute(at key: PredicateSortKey, of entity: String) -> (attribute: Attribute, path: [String])? {
        let path = self.key(key.path, of: entity) == nil ? key.path.keyPathKeys : [key.path]
        var entity = entity
        for name in path.dropLast() {
            guard case .relationship(let step)? = self.key(name, of: entity), !step.isToMany else { return nil }
            entity = step.target
        }
        guard let last = path.last, case .attribute(let attribute)? = self.key(last, of: entity) else { return nil }
        return (attribute, path)
    }
}
