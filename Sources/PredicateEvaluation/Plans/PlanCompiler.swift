// From the tree to the plan: predicates and comparisons here, expressions in PlanCompiler+Expressions.swift. Every method
// that recurses handles one kind of node, so that its frame stays small even in a debug build: the tree may be 200 high
// and the stack 512 KB.
import PredicateModel
import PredicateSyntax

final class PlanCompiler {
    let options: EvaluationOptions
    let rules: OperatorRules
    let variables: [String: FormatArgument]
    /// Whether a variable that nothing binds is an error at once, not where it is reached.
    let isStrict: Bool
    var diagnostics: [Diagnostic] = []
    var slotCount = 0
    var cacheCount = 0
    /// The variables of the SUBQUERYs around, innermost last, and their slots.
    var scope: [(name: String, slot: Int)] = []
    /// The variables that some `:=` binds, and their slots.
    var assigned: [String: Int] = [:]
    /// Whether an expression that the caller bound to a variable is being compiled.
    var isExpanding = false
    /// For folding: an evaluation without an object.
    private var scratch: FunctionContext

    init(options: EvaluationOptions, variables: [String: FormatArgument], isStrict: Bool) {
        self.options = options
        self.variables = variables
        self.isStrict = isStrict
        rules = options.rules
        scratch = FunctionContext(rules: rules, clock: options.clock, seed: options.seed)
    }

    func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    func report(_ id: DiagnosticID, at span: SourceSpan, _ details: String...) {
        report(Diagnostic(id, at: span, details: details, severity: .error))
    }

    func makeSlot() -> Int {
        slotCount += 1
        return slotCount - 1
    }

    func findAssignments(in node: PredicateNode) {
        Walker(expression: noteAssignment).walk(node)
    }

    func findAssignments(in node: ExpressionNode) {
        Walker(expression: noteAssignment).walk(node)
    }

    private func noteAssignment(_ node: ExpressionNode) {
        guard case .assignment(let name, _) = node.kind, assigned[name] == nil else { return }
        assigned[name] = makeSlot()
    }

    /// Computes a node of constants once. What would raise stays in the plan and raises where it is reached.
    func fold(
        _ plan: any ExpressionPlan, if constant: Bool,
        _ compute: (inout FunctionContext) throws(EvaluationFault) -> Value
    ) -> any ExpressionPlan {
        guard constant, let value = try? compute(&scratch) else { return plan }
        return ConstantExpression(value)
    }

    func predicate(_ node: PredicateNode) -> any PredicatePlan {
        switch node.kind {
        case .constant(let value): return ConstantPredicate(value)
        case .comparison: return comparison(node)
        case .and(let children): return AndPredicate(predicates(children))
        case .or(let children): return OrPredicate(predicates(children))
        case .not(let child): return NotPredicate(predicate(child))
        case .error:
            report(.expectedExpression, at: node.span, "a text that could not be read")
            return ConstantPredicate(false)
        }
    }

    private func predicates(_ nodes: [PredicateNode]) -> [any PredicatePlan] {
        var plans: [any PredicatePlan] = []
        plans.reserveCapacity(nodes.count)
        for node in nodes { plans.append(predicate(node)) }
        return plans
    }

    private func comparison(_ node: PredicateNode) -> any PredicatePlan {
        guard case .comparison(let comparison) = node.kind else { return ConstantPredicate(false) }
        let left = expression(comparison.left)
        let right = expression(comparison.right)
        return finish(comparison, node.span, left, right)
    }

    private func finish(
        _ node: ComparisonNode, _ span: SourceSpan, _ left: any ExpressionPlan, _ right: any ExpressionPlan
    ) -> any PredicatePlan {
        let comparison = Comparison(node.operator, node.options, rules: rules)
        let spans = NodeSpans(span, [node.left.span, node.right.span])
        if case .tokenMatches = node.operator { report(.tokenMatches, at: node.operatorSpan) }
        if case .custom(let selector) = node.operator, options.functions.operators[selector] == nil {
            report(.refusedOperator, at: node.operatorSpan, selector)
        }
        var prepared: PreparedComparison?
        if let constant = right.constant {
            do throws(EvaluationFault) {
                prepared = try PreparedComparison(comparison, constant)
            } catch {
                report(spans.locate(error).diagnostic)
            }
        }
        if node.modifier != .direct {
            return QuantifiedPredicate(
                left, comparison, right, prepared: prepared, isAll: node.modifier == .all, spans)
        }
        guard let prepared else { return ComparisonPredicate(left, comparison, right, spans) }
        if let constant = left.constant, !comparison.isVolatile, let answer = try? prepared.test(constant) {
            return ConstantPredicate(answer)
        }
        return PreparedPredicate(left, prepared, spans)
    }
}

extension Comparison {
    /// Whether it may answer differently for the same operands: only what the host registered might.
    var isVolatile: Bool {
        if case .custom = `operator` { true } else { false }
    }
}
