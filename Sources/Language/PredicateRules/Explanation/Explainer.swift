// Evaluates the parts of a predicate one by one with the evaluator: each term, each operand, each element.

extension FormatPredicate {
    /// - Parameter findsChanges: whether to search for changes, which takes most of the time.
    package func explanation(
        of object: PredicateValue, variables: PredicateVariables, run: PredicateRun, findsChanges: Bool = true
    ) throws(PredicateFailure) -> PredicateExplanation {
        try Explainer(self, variables, run).explain(object, findsChanges: findsChanges)
    }

    /// The predicate with positions in its text. One built in code has none, so its canonical text is parsed to get them.
    var withPlaces: FormatPredicate {
        if !root.span.isEmpty, root.span.end <= source.utf8.count { return self }
        guard let reread = try? FormatPredicate(text: exactDescription, in: environment), reread == self else {
            return self
        }
        return reread
    }
}

struct Explainer {
    typealias Part = PredicateExplanation.Part

    /// The maximum number of elements of a collection that are shown.
    private static let shownElements = 8
    /// The maximum nesting of SUBQUERYs whose elements are shown; each level multiplies the number of parts.
    static let shownLevels = 2

    private let predicate: FormatPredicate
    private let variables: PredicateVariables
    private let run: PredicateRun
    private let plan: DynamicPlan
    /// The number of SUBQUERYs that enclose the part.
    private var level = 0

    init(
        _ predicate: FormatPredicate, _ variables: PredicateVariables, _ run: PredicateRun
    ) throws(PredicateFailure) {
        self.run = run.atOneInstant
        self.variables = variables
        plan = try Binding(variables: variables, run: self.run).plan(predicate, isStrict: false)
        self.predicate = predicate.withPlaces
    }

    func explain(
        _ object: PredicateValue, findsChanges: Bool = true
    ) throws(PredicateFailure) -> PredicateExplanation {
        var root =
            plan.dependsOnOrder || !Prover.takes(predicate.root)
            ? leaf(predicate.root, object, variables) : part(predicate.root, object, variables)
        Self.mark(&root)
        let least = LeastChanges(predicate: predicate, variables: variables, run: run, plan: plan)
        let changes = plan.dependsOnOrder || !findsChanges ? [] : least.search(object, root)
        return PredicateExplanation(text: predicate.source, root: root, changes: changes)
    }

    // MARK: Parts

    @inline(never)
    private func part(_ node: PredicateNode, _ object: PredicateValue, _ variables: PredicateVariables) -> Part {
        switch node.kind {
        case .constant, .error: return leaf(node, object, variables)
        case .comparison(let comparison): return self.comparison(comparison, node, object, variables)
        case .not(let child):
            let part = part(child, object, variables)
            let outcome: PredicateExplanation.Outcome =
                part.outcome == .true ? .false : part.outcome == .false ? .true : part.outcome
            return Self.make(node, outcome, message: part.message, parts: [part])
        case .and(let children): return compound(children, isAnd: true, node, object, variables)
        case .or(let children): return compound(children, isAnd: false, node, object, variables)
        }
    }

    @inline(never)
    private func compound(
        _ children: [PredicateNode], isAnd: Bool, _ node: PredicateNode, _ object: PredicateValue,
        _ variables: PredicateVariables
    ) -> Part {
        var parts: [Part] = []
        var outcome: PredicateExplanation.Outcome = isAnd ? .true : .false
        var isDecided = false
        for child in children {
            if isDecided {
                parts.append(Self.make(child, .skipped))
                continue
            }
            let part = part(child, object, variables)
            parts.append(part)
            if part.outcome != outcome {
                outcome = part.outcome
                isDecided = true
            }
        }
        let message = outcome == .raised ? parts.first { $0.outcome == .raised }?.message : nil
        return Self.make(node, outcome, message: message, parts: parts)
    }

    private static func make(
        _ node: PredicateNode, _ outcome: PredicateExplanation.Outcome, message: String? = nil,
        operands: [(text: String, value: String)] = [], element: Int? = nil, parts: [Part] = []
    ) -> Part {
        Part(
            text: node.description, start: node.span.start, end: node.span.end, element: element, outcome: outcome,
            message: message, operands: operands, parts: parts)
    }

    /// A part that is evaluated as a whole. It is compiled again, because the nodes of `plan` are not enough: a comparison of
    /// constants keeps no operands, and one element of ANY has no node. Reading the parts from `plan` takes 60 lines more.
    private func leaf(
        _ node: PredicateNode, _ object: PredicateValue, _ variables: PredicateVariables,
        operands: [(text: String, value: String)] = [], element: Int? = nil, parts: [Part] = []
    ) -> Part {
        do throws(PredicateFailure) {
            let answer = try predicate.replacingRoot(node).evaluate(object, variables: variables, run: run)
            return Self.make(node, answer ? .true : .false, operands: operands, element: element, parts: parts)
        } catch {
            let message = error.diagnostics.first { $0.severity == .error }?.message
            return Self.make(node, .raised, message: message, operands: operands, element: element, parts: parts)
        }
    }

    /// A part of the predicate.
    private func expression(_ node: ExpressionNode) -> FormatExpression {
        FormatExpression(node, source: predicate.source, in: predicate.environment)
    }

    // MARK: Comparisons

    private func comparison(
        _ comparison: ComparisonNode, _ node: PredicateNode, _ object: PredicateValue, _ variables: PredicateVariables
    ) -> Part {
        var operands: [(text: String, value: String)] = []
        var values: [PredicateValue?] = []
        for side in [comparison.left, comparison.right] {
            let value = try? expression(side).evaluate(object, variables: variables, run: run)
            values.append(value)
            if side.constant == nil, let value {
                operands.append((side.description, Self.shown(value)))
            }
        }
        var parts: [Part] = []
        if comparison.modifier != .direct, let elements = values[0]?.elements, let right = values[1] {
            parts = self.elements(elements, comparison, right, node.span)
        } else if level < Self.shownLevels, let (collection, name, condition) = Self.subquery(in: comparison) {
            parts = kept(collection, name, condition, object, variables)
        }
        return leaf(node, object, variables, operands: operands, parts: parts)
    }

    /// The elements that ANY or ALL tests, each as a separate comparison.
    private func elements(
        _ elements: [PredicateValue], _ comparison: ComparisonNode, _ right: PredicateValue, _ span: SourceSpan
    ) -> [Part] {
        var parts: [Part] = []
        for (index, element) in elements.enumerated() {
            let test = ComparisonNode(
                ExpressionNode(.value(element)), comparison.operator, ExpressionNode(.value(right)),
                options: comparison.options)
            let part = leaf(PredicateNode(.comparison(test), span: span), .null, variables, element: index)
            let decides = part.outcome != (comparison.modifier == .all ? .true : .false)
            if decides || parts.count < Self.shownElements { parts.append(part) }
            if decides { break }
        }
        return parts
    }

    /// The SUBQUERY whose elements a comparison counts or reads.
    static func subquery(in comparison: ComparisonNode) -> (ExpressionNode, String, PredicateNode)? {
        for side in [comparison.left, comparison.right] {
            var next: ExpressionNode? = side
            while let node = next {
                switch node.kind {
                case .subquery(let collection, let name, let condition): return (collection, name, condition)
                case .member(let base, _), .index(let base, _): next = base
                case .call(_, let arguments) where arguments.count == 1: next = arguments[0]
                default: next = nil
                }
            }
        }
        return nil
    }

    /// The elements of a SUBQUERY, each with its condition.
    private func kept(
        _ collection: ExpressionNode, _ name: String, _ condition: PredicateNode, _ object: PredicateValue,
        _ variables: PredicateVariables
    ) -> [Part] {
        let value = try? expression(collection).evaluate(object, variables: variables, run: run)
        var explainer = self
        explainer.level += 1
        return (value?.elements ?? []).prefix(Self.shownElements).enumerated().map { index, element in
            var inner = variables
            inner[name] = FormatArgument.value(element)
            let part = explainer.part(condition, object, inner)
            return Part(
                text: part.text, start: part.start, end: part.end, element: index, outcome: part.outcome,
                message: part.message, operands: part.operands, parts: part.parts)
        }
    }

    /// A value as predicates print it, shortened.
    static func shown(_ value: PredicateValue) -> String {
        let text = value.description
        return text.count <= 60 ? text : String(text.prefix(57)) + "…"
    }

    // MARK: Deciding parts

    /// Marks the children that decided the result of a part which itself decided.
    @inline(never)
    private static func mark(_ part: inout Part) {
        part.decides = true
        for index in part.parts.indices {
            let inner = part.parts[index]
            if inner.outcome == .skipped { continue }
            // Under NOT the only child decides. In a compound, and among elements, the children with the same result as
            // the whole decide: the false term of a false AND, all terms of a true AND.
            let isNegation = part.parts.count == 1 && inner.element == nil
            if isNegation || inner.outcome == part.outcome { mark(&part.parts[index]) }
        }
    }
}
