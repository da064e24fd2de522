// The plan nodes that read keys.

/// A single key of the object, such as `age`; the most frequent node.
final class RootKeyExpression: ExpressionPlan {
    let key: String
    /// The path that consists of the key.
    let keys: [String]
    let cache: Int
    let span: SourceSpan
    /// - Parameter keys: a path of one key.
    init(_ keys: [String], cache: Int, span: SourceSpan) {
        key = keys[0]
        self.keys = keys
        self.cache = cache
        self.span = span
    }
    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        if case .dictionary(let dictionary) = context.object {
            return context.look(up: key, in: dictionary, cache: cache)
        }
        return try other(&context)
    }
    private func other(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        do throws(EvaluationFault) {
            return try context.value(of: context.object, forKey: key)
        } catch {
            throw error.located(at: span)
        }
    }
}

/// A path from a base: `a.b`, `$x.name`, `items.@sum.price`.
final class PathExpression: ExpressionPlan {
    let base: any ExpressionPlan
    let path: DottedPath
    let span: SourceSpan
    init(_ base: any ExpressionPlan, _ path: DottedPath, span: SourceSpan) {
        self.base = base
        self.path = path
        self.span = span
    }
    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        let value = try base.value(&context)
        do throws(EvaluationFault) { return try context.value(of: value, at: path) } catch {
            throw error.located(at: span)
        }
    }
}

/// A step whose value is a text that contains the key path: `Record1.$age` (LANGUAGE 2.5, 3.7).
final class ComputedStepExpression: ExpressionPlan {
    let base: any ExpressionPlan
    let step: any ExpressionPlan
    let span: SourceSpan
    init(_ base: any ExpressionPlan, _ step: any ExpressionPlan, span: SourceSpan) {
        self.base = base
        self.step = step
        self.span = span
    }
    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        let value = try base.value(&context)
        let step = try step.value(&context)
        do throws(EvaluationFault) { return try read(value, step, &context) } catch { throw error.located(at: span) }
    }
    private func read(
        _ value: PredicateValue, _ step: PredicateValue, _ context: inout EvaluationContext
    ) throws(EvaluationFault) -> PredicateValue {
        if value.isNil || step.isNil { return .null }
        guard case .string(let text) = step else {
            throw EvaluationFault(.operandType, "a key", step.typeDescription, at: .whole)
        }
        let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // The keys may differ from row to row, so temporary caches are used, after those of the plan.
        context.shapes += Array(repeating: EvaluationContext.ShapeCache(), count: keys.count)
        defer { context.shapes.removeLast(keys.count) }
        return try context.value(of: value, at: DottedPath(keys: keys, cache: context.shapes.count - keys.count))
    }
}
