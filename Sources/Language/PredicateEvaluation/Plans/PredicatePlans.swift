// The nodes of a compiled predicate: compounds, comparisons, quantifiers.

final class ConstantPredicate: PredicatePlan {
    let known: Bool
    init(_ known: Bool) { self.known = known }
    func test(_ context: inout EvaluationContext) throws(EvaluationFault) -> Bool { known }
}

/// AND stops at the first false child, OR at the first true one.
final class CompoundPredicate: PredicatePlan {
    let isAnd: Bool
    let children: [any PredicatePlan]
    init(isAnd: Bool, _ children: [any PredicatePlan]) {
        self.isAnd = isAnd
        self.children = children
    }
    func test(_ context: inout EvaluationContext) throws(EvaluationFault) -> Bool {
        for child in children where try child.test(&context) != isAnd { return !isAnd }
        return isAnd
    }
}

final class NotPredicate: PredicatePlan {
    let child: any PredicatePlan
    init(_ child: any PredicatePlan) { self.child = child }
    func test(_ context: inout EvaluationContext) throws(EvaluationFault) -> Bool { try !child.test(&context) }
}

/// The two sides of a comparison, with the spans for its errors.
struct ComparisonSides: Sendable {
    let left: any ExpressionPlan
    let right: any ExpressionPlan
    let comparison: Comparison
    let spans: NodeSpans
}

/// `left operator right`
final class ComparisonPredicate: PredicatePlan {
    let sides: ComparisonSides
    init(_ sides: ComparisonSides) { self.sides = sides }
    func test(_ context: inout EvaluationContext) throws(EvaluationFault) -> Bool {
        let left = try sides.left.value(&context)
        let right = try sides.right.value(&context)
        do throws(EvaluationFault) { return try context.test(sides.comparison, left, right) } catch {
            throw sides.spans.locate(error)
        }
    }
}

/// `left operator constant`, with the constant prepared in advance (PreparedComparison.swift).
final class PreparedPredicate: PredicatePlan {
    let left: any ExpressionPlan
    let prepared: PreparedComparison
    let spans: NodeSpans
    init(_ left: any ExpressionPlan, _ prepared: PreparedComparison, _ spans: NodeSpans) {
        self.left = left
        self.prepared = prepared
        self.spans = spans
    }
    func test(_ context: inout EvaluationContext) throws(EvaluationFault) -> Bool {
        let a = try left.value(&context)
        do throws(EvaluationFault) { return try prepared.test(a, &context) } catch { throw spans.locate(error) }
    }
}

/// `ANY left operator right`, `ALL …`: compares each element with the whole right side (LANGUAGE 5.9).
final class QuantifiedPredicate: PredicatePlan {
    let sides: ComparisonSides
    /// The prepared comparison, if the right side is constant.
    let prepared: PreparedComparison?
    let isAll: Bool

    init(_ sides: ComparisonSides, prepared: PreparedComparison?, isAll: Bool) {
        self.sides = sides
        self.prepared = prepared
        self.isAll = isAll
    }

    func test(_ context: inout EvaluationContext) throws(EvaluationFault) -> Bool {
        let collection = try sides.left.value(&context)
        let right = try sides.right.value(&context)
        return try test(collection, right, &context)
    }

    private func test(
        _ collection: PredicateValue, _ right: PredicateValue, _ context: inout EvaluationContext
    ) throws(EvaluationFault) -> Bool {
        if collection.isNil { return isAll }
        guard let elements = collection.elements else {
            let fault = EvaluationFault(.notACollection, isAll ? "ALL" : "ANY", collection.typeDescription, at: .left)
            throw sides.spans.locate(fault)
        }
        do throws(EvaluationFault) {
            for element in elements {
                try context.step()
                let isHit: Bool
                if let prepared {
                    isHit = try prepared.test(element, &context)
                } else {
                    isHit = try context.test(sides.comparison, element, right)
                }
                if isHit != isAll { return isHit }
            }
        } catch {
            throw sides.spans.locate(error)
        }
        return isAll
    }
}
