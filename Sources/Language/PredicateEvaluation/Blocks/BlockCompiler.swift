// Compiles a DynamicPlan, whose constants are folded and patterns prepared, to nodes that test blocks of rows
// (BlockPlan.swift) or single objects (RowPlan.swift).

struct BlockCompiler {
    let field: ([String]) -> Field?
    private let catalog: FunctionCatalog
    /// The variable that refers to the object, inside a SUBQUERY; nil means SELF.
    private let slot: Int?
    /// Compiles a leaf for single objects that have no fields, such as dictionaries.
    private var ownLeaf: ((any PredicatePlan) -> RowNode?)?
    /// The limit on the steps of an object, for its test by the dynamic plan; nil if there are no single objects.
    private var steps: Int?
    /// Whether some leaf can test single objects without the dynamic plan.
    private var hasRows = false
    private(set) var leaves = 0
    /// The size of the scratch memory that the largest step of a path needs.
    private(set) var scratchBytes = 0

    init(field: @escaping ([String]) -> Field?, catalog: FunctionCatalog, slot: Int? = nil) {
        self.field = field
        self.catalog = catalog
        self.slot = slot
    }

    /// A compiler for objects.
    /// - Parameter leaf: compiles a leaf for objects without fields.
    init(
        _ plan: DynamicPlan, leaf: ((any PredicatePlan) -> RowNode?)? = nil, field: @escaping ([String]) -> Field?
    ) {
        self.init(field: field, catalog: plan.functions)
        ownLeaf = leaf
        steps = plan.rules.limits.steps
    }

    /// The test of a single object by the dynamic plan.
    private func dynamicRow(_ plan: any PredicatePlan) -> RowNode? { steps.map { .dynamic(plan, steps: $0) } }

    /// The test of single objects; undecided if no leaf can test them.
    func row(_ node: BlockNode, mayReorder: Bool) -> RowNode {
        hasRows ? node.row(mayReorder: mayReorder, { dynamicRow($0) }) ?? .undecided : .undecided
    }

    /// - Parameter mayReorder: whether all enclosing nodes are ANDs.
    mutating func node(_ plan: any PredicatePlan, mayReorder: Bool) -> BlockNode {
        switch plan {
        case let constant as ConstantPredicate: return .constant(constant.known)
        case let terms as CompoundPredicate: return compound(terms, mayReorder: mayReorder && terms.isAnd)
        case let not as NotPredicate:
            let child = node(not.child, mayReorder: false)
            if case .rows = child { return .rows(plan) }
            return .not(child)
        default:
            leaves += 1
            if let row = ownLeaf?(plan) {
                hasRows = true
                return .test({ _, _, _ in .none }, cost: row.cost, mayRaise: row.mayRaise, row: row)
            }
            guard let node = leaf(plan) else { return .rows(plan) }
            guard node.row == nil else {
                hasRows = true
                return node
            }
            return dynamicRow(plan).map(node.with) ?? node
        }
    }

    /// Combines the children of AND or OR. Children that only the dynamic plan can evaluate become one node, so
    /// that a row is converted to a value once.
    private mutating func compound(_ plan: CompoundPredicate, mayReorder: Bool) -> BlockNode {
        let children = (plan.isAnd ? joined(plan.children, mayReorder: mayReorder) : plan.children).map {
            node($0, mayReorder: mayReorder)
        }
        var nodes: [BlockNode] = []
        var others: [any PredicatePlan] = []
        func flush() {
            if !others.isEmpty {
                nodes.append(.rows(others.count == 1 ? others[0] : CompoundPredicate(isAnd: plan.isAnd, others)))
            }
            others = []
        }
        for child in BlockNode.ordered(children, mayReorder: mayReorder) {
            if case .rows(let plan) = child {
                others.append(plan)
            } else {
                flush()
                nodes.append(child)
            }
        }
        flush()
        return nodes.count == 1 ? nodes[0] : plan.isAnd ? .and(nodes) : .or(nodes)
    }

    /// Joins `age >= 21 AND age < 65` to `age BETWEEN {21, 64}`, which reads the field once. Only neighbours, unless terms
    /// may be moved: a term between them may throw.
    private func joined(_ terms: [any PredicatePlan], mayReorder: Bool) -> [any PredicatePlan] {
        // Not `map(range)`, which would copy the compiler.
        let ranges = terms.map { range($0) }
        guard ranges.count(where: { $0 != nil }) > 1 else { return terms }
        var result: [(plan: any PredicatePlan, range: KeyRange?)] = []
        for (term, range) in zip(terms, ranges) {
            let candidates = mayReorder ? result[...] : result.suffix(1)
            if let range, let place = candidates.firstIndex(where: { $0.range?.keys == range.keys }),
                let both = result[place].range.flatMap({ intersection($0, range) })
            {
                result[place] = (both.term, both)
            } else {
                result.append((term, range))
            }
        }
        return result.map { $0.plan }
    }

    /// A comparison of a key path with an integer, and the integers that fulfil it.
    private struct KeyRange {
        let term: PreparedPredicate
        let keys: [String]
        let values: ClosedRange<Int64>
    }

    private func range(_ plan: any PredicatePlan) -> KeyRange? {
        guard let term = plan as? PreparedPredicate, case .integer = term.prepared.form,
            let order = Order(term.prepared.comparison.operator), order != .equal, order != .different,
            let values = (try? IntegerSpan(of: term.prepared.right))?.interval(order).range,
            let keys = keys(of: term.left)
        else { return nil }
        return KeyRange(term: term, keys: keys, values: values)
    }

    /// nil unless the path leads to a field of integers and some integer is in both ranges.
    private func intersection(_ one: KeyRange, _ other: KeyRange) -> KeyRange? {
        guard one.values.overlaps(other.values), field(one.keys)?.kind == .integer else { return nil }
        let values = one.values.clamped(to: other.values)
        // A field of UInt64 may have greater values.
        if values.upperBound == .max { return nil }
        let bounds = [PredicateValue.integer(values.lowerBound), .integer(values.upperBound)]
        let comparison = Comparison(.between, [], rules: one.term.prepared.comparison.rules)
        guard let between = try? PreparedComparison(comparison, .array(bounds)) else { return nil }
        return KeyRange(term: PreparedPredicate(one.term.left, between, one.term.spans), keys: one.keys, values: values)
    }

    mutating func leaf(_ plan: any PredicatePlan) -> BlockNode? {
        switch plan {
        case let plan as PreparedPredicate:
            if let subquery = Self.counted(plan.left) { return count(subquery, plan.prepared) }
            if let field = field(of: plan.left) { return comparison(field, plan.prepared) }
            return mapped(plan.left, plan.prepared) ?? computed(plan.left, plan.prepared)
                ?? aggregated(plan.left, plan.prepared)
        case let plan as QuantifiedPredicate: return plan.prepared.flatMap { quantified(plan, $0) }
        case let plan as ComparisonPredicate:
            // `'x' IN tags` means `tags CONTAINS 'x'`.
            if let node = computed(plan.sides) { return node }
            let comparison = plan.sides.comparison
            guard comparison.operator == .in, let constant = plan.sides.left.constant,
                let field = field(of: plan.sides.right), field.kind == .list,
                let contains = try? PreparedComparison(
                    Comparison(.contains, comparison.options, rules: comparison.rules), constant)
            else { return nil }
            return membership(field, contains)
        default: return nil
        }
    }

    private func field(of expression: any ExpressionPlan) -> Field? { keys(of: expression).flatMap(field) }

    /// The key path, if the expression is a key path from the object; else nil.
    private func keys(of expression: any ExpressionPlan) -> [String]? {
        switch expression {
        case let key as RootKeyExpression: slot == nil ? key.keys : nil
        case let path as PathExpression: isObject(path.base) ? path.path.keys : nil
        default: isObject(expression) ? [] : nil
        }
    }

    private func isObject(_ expression: any ExpressionPlan) -> Bool {
        guard let slot else { return expression is SelfExpression }
        return (expression as? VariableExpression)?.slot == slot
    }

    private mutating func comparison(
        _ field: Field, _ prepared: PreparedComparison, _ mapping: TextMapping? = nil
    ) -> BlockNode? {
        if field.kind == .list, prepared.comparison.operator == .contains { return membership(field, prepared) }
        guard let comparison = FieldComparison(field, prepared, mapping), let node = comparison.node() else {
            return nil
        }
        return reach(field, node, ifNil: comparison.ifNil)
    }

    // MARK: Functions

    /// The function and the text field that it is applied to; nil for other calls. The last key of a path may also be a
    /// text method, such as `name.length`.
    private func call(_ expression: any ExpressionPlan) -> (function: PredicateFunction, text: Field?)? {
        if let call = expression as? CallExpression {
            return (call.function, call.operands.count == 1 ? field(of: call.operands[0]) : nil)
        }
        guard let keys = keys(of: expression), let last = keys.last, let method = catalog.property(named: last),
            let field = field(keys.dropLast()), field.kind == .string
        else { return nil }
        return (method, field)
    }

    /// Compiles `lowercase:(name) == 'x'`.
    private mutating func mapped(_ expression: any ExpressionPlan, _ prepared: PreparedComparison) -> BlockNode? {
        guard let call = call(expression), let text = call.text, text.kind == .string,
            let mapping = TextMapping(call.function)
        else { return nil }
        return comparison(text, prepared, mapping)
    }

    /// Compiles `name.length > 3` and `age + 1 > 3`.
    private mutating func computed(_ expression: any ExpressionPlan, _ prepared: PreparedComparison) -> BlockNode? {
        number(expression)?.compared(prepared)
    }

    /// Compiles `age * 2 > rank`.
    private mutating func computed(_ sides: ComparisonSides) -> BlockNode? {
        guard let left = number(sides.left), let right = number(sides.right) else { return nil }
        return left.compared(sides.comparison, right)
    }

    /// The maximum height of computed expressions. Each level holds memory for a block, and the thread's stack
    /// may be small. The dynamic plan evaluates higher expressions.
    private static let height = 16

    private mutating func number(_ expression: any ExpressionPlan, height: Int = height) -> NumberExpression? {
        if height == 0 { return nil }
        if let constant = expression.constant { return NumberExpression(constant: constant) }
        if let plan = expression as? OperationExpression {
            guard let left = number(plan.left, height: height - 1) else { return nil }
            switch plan.operation {
            case .binary(let op):
                guard let right = plan.right.flatMap({ number($0, height: height - 1) }) else { return nil }
                return .binary(op, left, right)
            case .negation: return left.negated
            case .cast(let type): return left.cast(to: type)
            case .element, .symbol: return nil
            }
        }
        if let field = field(of: expression) {
            guard let numbers = field.numbers else { return nil }
            return NumberExpression(
                numbers.kind, reach(field, numbers.node, ifNil: false), inPlace: field.isLane ? field.offset : nil)
        }
        guard let call = call(expression), let intrinsic = call.function.intrinsic else { return nil }
        if intrinsic == .length {
            guard let text = call.text, text.kind == .string, text.column == nil else { return nil }
            return NumberExpression(.integer, reach(text, LengthSource.node(text), ifNil: false))
        }
        guard let arguments = (expression as? CallExpression)?.operands else { return nil }
        var numbers: [NumberExpression] = []
        for argument in arguments {
            guard let number = number(argument, height: height - 1) else { return nil }
            numbers.append(number)
        }
        return .call(intrinsic, numbers)
    }

    /// Converts a node for the objects that contain a field to a node for the objects at the start of its path.
    /// - Parameter ifNil: the result if a value on the path is nil.
    private mutating func reach(_ field: Field, _ node: BlockNode, ifNil: Bool) -> BlockNode {
        var node = node
        for step in field.steps.reversed() {
            scratchBytes = max(scratchBytes, step.scratchBytes)
            node = step.node(node, ifNil: ifNil)
        }
        return node
    }

    // MARK: Lists

    /// A list field and its elements.
    private struct Elements {
        let list: Field
        let walk: any ElementWalk
        /// Finds the field of a key path of an element.
        let field: (ArraySlice<String>) -> Field?
    }

    /// - Parameter countsSteps: whether each element counts as a step.
    private mutating func elements(_ field: Field?, countsSteps: Bool) -> Elements? {
        guard let field, field.kind == .list else { return nil }
        if case .lists(let lists) = field.column?.storage {
            let walk = ColumnWalk(lists: lists, countsSteps: countsSteps)
            return Elements(list: field, walk: walk) { Field.find($0, in: lists.elements) }
        }
        guard let type = field.list else { return nil }
        scratchBytes = max(scratchBytes, type.stride * RowMask.capacity)
        let walk = ListWalk(field.offset, type, countsSteps: countsSteps)
        return Elements(list: field, walk: walk) { Field.find($0, in: type.element) }
    }

    /// Compiles `ANY tags == 'x'` and `ALL pets.age > 3`. Keys after a list are read from its elements.
    private mutating func quantified(_ plan: QuantifiedPredicate, _ prepared: PreparedComparison) -> BlockNode? {
        guard let keys = keys(of: plan.sides.left) else { return nil }
        if field(keys)?.kind == .nothing { return .constant(plan.isAll) }
        for end in (0...keys.count).reversed() {
            guard let elements = elements(field(Array(keys[..<end])), countsSteps: true) else { continue }
            // After mapped keys `@count` counts the list itself, so the dynamic plan evaluates it.
            if keys[end...].contains(where: { $0.hasPrefix("@") }) { return nil }
            guard let element = elements.field(keys[end...]),
                let ifNull = try? prepared.comparison.test(.nsNull, prepared.right),
                let comparison = FieldComparison(element, prepared), comparison.ifNil == ifNull,
                let inner = self.comparison(element, prepared)
            else { return nil }
            return some(elements, plan.isAll ? .not(inner) : inner, mayRaise: true, isAll: plan.isAll)
        }
        return nil
    }

    /// Compiles `tags CONTAINS 'x'`. Membership ignores the comparison options.
    private mutating func membership(_ field: Field, _ prepared: PreparedComparison) -> BlockNode? {
        // No list contains nil, and nil contains nothing.
        if prepared.right.isNil { return .constant(false) }
        let equality = Comparison(.equal, [], rules: prepared.comparison.rules)
        guard let elements = elements(field, countsSteps: false), let element = elements.field([]),
            let prepared = try? PreparedComparison(equality, prepared.right),
            let inner = comparison(element, prepared)
        else { return nil }
        return some(elements, inner, mayRaise: false, isAll: false)
    }

    /// Selects rows with an element that passes; with `isAll`, rows without one.
    private mutating func some(
        _ elements: Elements, _ inner: BlockNode, mayRaise: Bool, isAll: Bool
    ) -> BlockNode? {
        guard !inner.mayRaise else { return nil }
        let any = BlockNode.test(
            elements.walk.some(inner), cost: 10 + 3 * inner.cost, mayRaise: mayRaise, runsCode: inner.runsCode)
        return reach(elements.list, isAll ? .not(any) : any, ifNil: isAll)
    }

    /// Compiles `lines.@sum.price > 100`, for numbers that the elements of a stored list store.
    private mutating func aggregated(_ expression: any ExpressionPlan, _ prepared: PreparedComparison) -> BlockNode? {
        guard let keys = keys(of: expression), let place = keys.firstIndex(where: { $0.hasPrefix("@") }),
            let kind = CollectionOperator.named(keys[place])?.kind,
            let elements = elements(field(Array(keys[..<place])), countsSteps: true),
            let walk = elements.walk as? ListWalk, !elements.list.isOptional,
            let number = elements.field(keys[(place + 1)...]), number.isLane, let type = number.type,
            let comparison = FieldComparison(Field(type), prepared), let test = comparison.node(),
            let aggregate = walk.aggregate(kind, number, test, ifNil: comparison.ifNil)
        else { return nil }
        scratchBytes = max(scratchBytes, MemoryLayout<Int64>.stride * RowMask.capacity)
        return reach(elements.list, .test(aggregate, cost: 30, mayRaise: true), ifNil: comparison.ifNil)
    }

    /// The SUBQUERY of an expression `SUBQUERY(…).@count`.
    private static func counted(_ expression: any ExpressionPlan) -> SubqueryExpression? {
        guard let path = expression as? PathExpression, path.path.isCount else { return nil }
        return path.base as? SubqueryExpression
    }

    /// Compiles `SUBQUERY(tags, $t, …).@count > 1`.
    private mutating func count(_ subquery: SubqueryExpression, _ prepared: PreparedComparison) -> BlockNode? {
        guard let elements = elements(field(of: subquery.collection), countsSteps: true) else { return nil }
        var compiler = BlockCompiler(field: { elements.field($0[...]) }, catalog: catalog, slot: subquery.slot)
        let inner = compiler.node(subquery.condition, mayReorder: false)
        let number = Field(Int.self, isOptional: elements.list.isOptional)
        guard !inner.mayRaise, let comparison = FieldComparison(number, prepared),
            let test = FieldComparison(Field(Int.self), prepared)?.node()
        else { return nil }
        scratchBytes = max(scratchBytes, compiler.scratchBytes, MemoryLayout<Int>.stride * RowMask.capacity)
        let counts = elements.walk.counts(inner, test, ifNil: comparison.ifNil)
        let node = BlockNode.test(counts, cost: 20 + 3 * inner.cost, mayRaise: true, runsCode: inner.runsCode)
        return reach(elements.list, node, ifNil: comparison.ifNil)
    }
}
