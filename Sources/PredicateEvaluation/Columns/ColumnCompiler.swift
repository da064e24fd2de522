// Compiles a DynamicPlan, whose constants are folded and patterns prepared, to nodes that test columns
// (ColumnPlan.swift).
import PredicateModel
import PredicateSyntax

/// The object that key paths of an expression start from.
struct ColumnScope {
    /// The rows of the table, or the elements of a column of lists.
    let base: Column
    /// The SUBQUERY variable that refers to an element; nil means that keys start at SELF.
    let slot: Int?
}

/// The value at the end of a path.
enum ColumnTarget {
    case column(Column)
    /// A list for each row that is not nil; a column holds the elements.
    case list(ListColumn, elements: Column, nils: Bits?)
    /// The number of elements of each row's list; nil without a list.
    case listCount(ListColumn, nils: Bits?)
}

struct ColumnCompiler {
    let plan: DynamicPlan
    private let root: ColumnScope
    private(set) var leaves = 0

    init(table: PredicateTable, plan: DynamicPlan) {
        self.plan = plan
        root = ColumnScope(base: table.rows, slot: nil)
    }

    /// - Parameter isFree: whether all enclosing nodes are ANDs.
    mutating func node(_ plan: any PredicatePlan, isFree: Bool) -> ColumnNode {
        switch plan {
        case let constant as ConstantPredicate: return .constant(constant.known)
        case let and as AndPredicate: return compound(and.children, isFree, AndPredicate.init) { .and($0) }
        case let or as OrPredicate: return compound(or.children, false, OrPredicate.init) { .or($0) }
        case let not as NotPredicate:
            let child = node(not.child, isFree: false)
            if case .rows = child { return .rows(plan) }
            return .not(child)
        default:
            leaves += 1
            return leaf(plan, root) ?? .rows(plan)
        }
    }

    /// Combines the children of AND or OR. Consecutive children that only the dynamic plan can evaluate become
    /// one node, so that a row is converted to a value once.
    private mutating func compound(
        _ children: [any PredicatePlan], _ isFree: Bool, _ dynamic: ([any PredicatePlan]) -> any PredicatePlan,
        _ block: ([ColumnNode]) -> ColumnNode
    ) -> ColumnNode {
        var nodes: [ColumnNode] = []
        var others: [any PredicatePlan] = []
        func flush() {
            if !others.isEmpty { nodes.append(.rows(others.count == 1 ? others[0] : dynamic(others))) }
            others = []
        }
        for child in ColumnNode.ordered(children.map { node($0, isFree: isFree) }, isFree: isFree) {
            if case .rows(let plan) = child {
                others.append(plan)
            } else {
                flush()
                nodes.append(child)
            }
        }
        flush()
        return nodes.count == 1 ? nodes[0] : block(nodes)
    }

    /// The condition of a SUBQUERY over the elements; nil if columns cannot evaluate all of it.
    private func condition(_ plan: any PredicatePlan, _ scope: ColumnScope) -> ColumnNode? {
        switch plan {
        case let constant as ConstantPredicate: return .constant(constant.known)
        case let and as AndPredicate: return conditions(and.children, scope).map { .and($0) }
        case let or as OrPredicate: return conditions(or.children, scope).map { .or($0) }
        case let not as NotPredicate: return condition(not.child, scope).map { .not($0) }
        default: return leaf(plan, scope)
        }
    }

    private func conditions(_ plans: [any PredicatePlan], _ scope: ColumnScope) -> [ColumnNode]? {
        var nodes: [ColumnNode] = []
        for plan in plans {
            guard let node = condition(plan, scope) else { return nil }
            nodes.append(node)
        }
        return ColumnNode.ordered(nodes, isFree: true)
    }

    private func leaf(_ plan: any PredicatePlan, _ scope: ColumnScope) -> ColumnNode? {
        switch plan {
        case let plan as PreparedPredicate:
            if let node = subqueryCount(plan, scope) { return node }
            switch target(of: plan.left, scope) {
            case .column(let column): return comparison(column, plan.prepared)
            case .listCount(let lists, let nils): return ListTests.count(lists, nils, plan.prepared)
            case .list(let lists, let elements, let nils):
                let (comparison, right) = (plan.prepared.comparison, plan.prepared.right)
                if right.isNil { return ColumnComparison(Column(.lists(lists), nils: nils), plan.prepared)?.nilTest() }
                guard comparison.operator == .contains, scope.slot == nil else { return nil }
                return membership(right, lists, elements, comparison.rules)
            case nil: return nil
            }
        case let plan as QuantifiedPredicate:
            guard let prepared = plan.prepared, scope.slot == nil else { return nil }
            return quantified(plan, prepared, target(of: plan.left, scope))
        case let plan as ComparisonPredicate:
            guard plan.comparison.operator == .in, let object = plan.left.constant, scope.slot == nil,
                case .list(let lists, let elements, _) = target(of: plan.right, scope)
            else { return nil }
            return membership(object, lists, elements, plan.comparison.rules)
        default: return nil
        }
    }

    private func comparison(_ column: Column, _ prepared: PreparedComparison) -> ColumnNode? {
        ColumnComparison(column, prepared)?.node(EvaluationContext(object: .null, plan: plan))
    }

    private func quantified(
        _ plan: QuantifiedPredicate, _ prepared: PreparedComparison, _ target: ColumnTarget?
    ) -> ColumnNode? {
        switch target {
        case .list(let lists, let elements, _):
            guard let node = comparison(elements, prepared) else { return nil }
            return ListTests.quantified(lists, node, isAll: plan.isAll)
        case .column(let column):
            guard case .none = column.storage else { return nil }
            return .constant(plan.isAll)
        default: return nil
        }
    }

    /// IN and CONTAINS with a list: true if an element equals the object. Ignores the comparison options.
    private func membership(
        _ object: PredicateValue, _ lists: ListColumn, _ elements: Column, _ rules: OperatorRules
    ) -> ColumnNode? {
        if object.isNil { return .constant(false) }
        guard let equal = try? PreparedComparison(Comparison(.equal, [], rules: rules), object),
            let node = comparison(elements, equal)
        else { return nil }
        return ListTests.quantified(lists, node, isAll: false, takesSteps: false)
    }

    /// Compiles `SUBQUERY(list, $x, …).@count > 1`.
    private func subqueryCount(_ plan: PreparedPredicate, _ scope: ColumnScope) -> ColumnNode? {
        guard scope.slot == nil, let path = plan.left as? PathExpression, path.path.isCount,
            let subquery = path.base as? SubqueryExpression,
            case .list(let lists, let elements, let nils) = target(of: subquery.collection, scope),
            let node = condition(subquery.condition, ColumnScope(base: elements, slot: subquery.slot))
        else { return nil }
        return ListTests.subquery(lists, nils, node, plan.prepared)
    }

    // MARK: Paths

    private func target(of expression: any ExpressionPlan, _ scope: ColumnScope) -> ColumnTarget? {
        switch expression {
        case let key as RootKeyExpression: scope.slot == nil ? Self.follow([key.key], from: scope.base) : nil
        case let path as PathExpression: isBase(path.base, scope) ? Self.follow(path.path.keys, from: scope.base) : nil
        case is SelfExpression, is VariableExpression:
            isBase(expression, scope) ? Self.follow([], from: scope.base) : nil
        default: nil
        }
    }

    private func isBase(_ expression: any ExpressionPlan, _ scope: ColumnScope) -> Bool {
        guard let slot = scope.slot else { return expression is SelfExpression }
        return (expression as? VariableExpression)?.slot == slot
    }

    /// Follows keys from a column. A key of a list is read from its elements; a key of nil is nil.
    private static func follow(_ keys: [String], from base: Column) -> ColumnTarget? {
        var column = base
        var crossed: (lists: ListColumn, nils: Bits?)?
        for (index, key) in keys.enumerated() {
            if case .lists(let lists) = column.storage {
                guard crossed == nil else { return nil }
                crossed = (lists, column.nils)
                column = lists.elements
            }
            if CollectionOperator.isCount(key), index == keys.count - 1, let crossed {
                return .listCount(crossed.lists, nils: crossed.nils)
            }
            switch column.storage {
            case .none where crossed == nil: return .column(column)
            case .none where !key.hasPrefix("@") && key != "self": continue
            case .records(let records) where !key.hasPrefix("@") && key != "self":
                column = records.positions[key].map { records.columns[$0] } ?? Column(.none, nils: nil)
            default: return nil
            }
        }
        if case .lists(let lists) = column.storage {
            return crossed == nil ? .list(lists, elements: lists.elements, nils: column.nils) : nil
        }
        return crossed.map { .list($0.lists, elements: column, nils: $0.nils) } ?? .column(column)
    }
}
