// The nodes of a compiled expression. Each evaluates its children and calls one function of PredicateModel.
// Stack frames are kept small, because evaluation recurses to the height of the tree and a thread may have 512
// KB of stack.

/// A compiled expression.
protocol ExpressionPlan: AnyObject, Sendable {
    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue
    /// The value, if it is constant.
    var constant: PredicateValue? { get }
}

/// A compiled predicate.
protocol PredicatePlan: AnyObject, Sendable {
    func test(_ context: inout EvaluationContext) throws(EvaluationFault) -> Bool
}

extension ExpressionPlan {
    var constant: PredicateValue? { nil }
}

final class ConstantExpression: ExpressionPlan {
    let known: PredicateValue
    init(_ known: PredicateValue) { self.known = known }
    var constant: PredicateValue? { known }
    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue { known }
}

final class SelfExpression: ExpressionPlan {
    static let shared = SelfExpression()
    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue { context.object }
}

/// A variable of a SUBQUERY or an assignment, or an unbound variable. Other variables are compiled into the plan.
final class VariableExpression: ExpressionPlan {
    let name: String
    /// nil for an unbound variable.
    let slot: Int?
    let otherwise: (any ExpressionPlan)?
    let span: SourceSpan

    /// - Parameter otherwise: the caller's binding, used until an assignment binds the slot.
    init(_ name: String, slot: Int?, otherwise: (any ExpressionPlan)? = nil, span: SourceSpan) {
        self.name = name
        self.slot = slot
        self.otherwise = otherwise
        self.span = span
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        if let slot, let value = context.slots[slot] { return value }
        if let otherwise { return try otherwise.value(&context) }
        throw EvaluationFault(.unboundVariable, name).located(at: span)
    }
}

/// `$x := a`
final class AssignmentExpression: ExpressionPlan {
    let slot: Int
    let operand: any ExpressionPlan
    init(slot: Int, _ operand: any ExpressionPlan) {
        self.slot = slot
        self.operand = operand
    }
    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        let value = try operand.value(&context)
        context.slots[slot] = value
        return value
    }
}

/// An expression whose value depends only on the values of its operands.
protocol OperandExpression: ExpressionPlan {
    var operands: [any ExpressionPlan] { get }
}

/// An operation on one or two operands.
final class OperationExpression: OperandExpression {
    enum Operation: Sendable {
        /// `a + b`, `a UNION b`
        case binary(BinaryOperator)
        /// `-a`
        case negation
        /// `CAST(a, "NSNumber")`
        case cast(String)
        /// `a[b]`
        case element
        /// `a[FIRST]`
        case symbol(IndexSymbol)
    }

    let operation: Operation
    let left: any ExpressionPlan
    let right: (any ExpressionPlan)?
    let spans: NodeSpans
    init(
        _ operation: Operation, _ left: any ExpressionPlan, _ right: (any ExpressionPlan)? = nil, at spans: NodeSpans
    ) {
        self.operation = operation
        self.left = left
        self.right = right
        self.spans = spans
    }

    var operands: [any ExpressionPlan] { right.map { [left, $0] } ?? [left] }

    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        let a = try left.value(&context)
        guard let right else { return try apply(a, .null, &context) }
        let b = try right.value(&context)
        return try apply(a, b, &context)
    }

    private func apply(
        _ a: PredicateValue, _ b: PredicateValue, _ context: inout EvaluationContext
    ) throws(EvaluationFault) -> PredicateValue {
        do throws(EvaluationFault) {
            switch operation {
            case .binary(let op): return try context.functions.rules.apply(op, a, b)
            case .negation: return try context.functions.rules.negate(a)
            case .cast(let type): return try Conversions.cast(a, to: type)
            case .element: return try Indexing.element(b, of: a)
            case .symbol(let symbol): return try Indexing.element(symbol, of: a)
            }
        } catch {
            throw spans.locate(error)
        }
    }
}

/// A function call, or a method call with the target as first argument.
final class CallExpression: OperandExpression {
    let function: PredicateFunction
    let operands: [any ExpressionPlan]
    let spans: NodeSpans
    init(_ function: PredicateFunction, _ operands: [any ExpressionPlan], _ spans: NodeSpans) {
        self.function = function
        self.operands = operands
        self.spans = spans
    }
    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        var values: [PredicateValue] = []
        values.reserveCapacity(operands.count)
        for operand in operands { values.append(try operand.value(&context)) }
        return try call(values, &context)
    }
    private func call(_ values: [PredicateValue], _ context: inout EvaluationContext) throws(EvaluationFault)
        -> PredicateValue
    {
        do throws(EvaluationFault) {
            return try function.call(values, &context.functions)
        } catch {
            throw spans.locate(error)
        }
    }
}

/// `{a, b}`
final class AggregateExpression: OperandExpression {
    let operands: [any ExpressionPlan]
    init(_ operands: [any ExpressionPlan]) { self.operands = operands }
    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        var values: [PredicateValue] = []
        values.reserveCapacity(operands.count)
        for element in operands { values.append(try element.value(&context)) }
        return .array(values)
    }
}

/// `TERNARY(p, a, b)`: evaluates only the selected branch.
final class TernaryExpression: ExpressionPlan {
    let condition: any PredicatePlan
    let yes: any ExpressionPlan
    let no: any ExpressionPlan
    init(_ condition: any PredicatePlan, _ yes: any ExpressionPlan, _ no: any ExpressionPlan) {
        self.condition = condition
        self.yes = yes
        self.no = no
    }
    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        try condition.test(&context) ? try yes.value(&context) : try no.value(&context)
    }
}

/// `SUBQUERY(collection, $x, p)`
final class SubqueryExpression: ExpressionPlan {
    let collection: any ExpressionPlan
    let slot: Int
    let condition: any PredicatePlan
    let span: SourceSpan
    init(_ collection: any ExpressionPlan, slot: Int, _ condition: any PredicatePlan, span: SourceSpan) {
        self.collection = collection
        self.slot = slot
        self.condition = condition
        self.span = span
    }
    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        let collection = try collection.value(&context)
        if collection.isNil { return .null }
        guard let elements = collection.elements else {
            throw EvaluationFault(.notACollection, "SUBQUERY", collection.typeDescription).located(at: span)
        }
        var kept: [PredicateValue] = []
        for element in elements {
            try context.step()
            context.slots[slot] = element
            if try condition.test(&context) { kept.append(element) }
        }
        context.slots[slot] = nil
        if case .set = collection { return .set(kept) }
        return .array(kept)
    }
}

/// The spans of a node and its parts, for errors.
struct NodeSpans: Sendable {
    private let whole: SourceSpan
    private let left: SourceSpan
    private let right: SourceSpan
    /// The spans of all parts if there are more than two.
    private let parts: [SourceSpan]

    init(_ whole: SourceSpan, _ left: SourceSpan, _ right: SourceSpan? = nil) {
        (self.whole, self.left, self.right, parts) = (whole, left, right ?? whole, [])
    }

    init(_ whole: SourceSpan, arguments: [SourceSpan]) {
        self.whole = whole
        left = arguments.first ?? whole
        right = arguments.count > 1 ? arguments[1] : whole
        parts = arguments.count > 2 ? arguments : []
    }

    func locate(_ fault: EvaluationFault) -> EvaluationFault {
        switch fault.place {
        case .whole: fault.located(at: whole)
        case .left, .argument(0): fault.located(at: left)
        case .right, .argument(1): fault.located(at: right)
        case .argument(let position):
            fault.located(at: parts.indices.contains(position) ? parts[position] : whole)
        }
    }
}
