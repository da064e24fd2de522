// The row plan for values: records with a common shape, and single values.

enum RecordRows {
    /// A comparison of a record's key, or of the value itself, with a constant.
    static func leaf(_ plan: any PredicatePlan) -> RowNode? {
        guard let plan = plan as? PreparedPredicate, !plan.prepared.isPattern else { return nil }
        let prepared = plan.prepared
        switch plan.left {
        case let key as RootKeyExpression: return entry(key.key, key.cache, prepared)
        case is SelfExpression:
            return leaf(cost: 10) { value, _ throws(EvaluationFault) in try prepared.test(value.pointee) }
        default: return nil
        }
    }

    private static func entry(_ key: String, _ cache: Int, _ prepared: PreparedComparison) -> RowNode {
        leaf(cost: 20, needsState: true) { value, run throws(EvaluationFault) in
            guard let state = run.state, case .dictionary(let record) = value.pointee else { return nil }
            let position = state.context.position(of: key, in: record.shape, cache: cache)
            return try prepared.test(position < 0 ? .null : record.values[position])
        }
    }

    private static func leaf(
        cost: Int, needsState: Bool = false,
        _ test: @escaping @Sendable (UnsafePointer<PredicateValue>, inout RowRun) throws(EvaluationFault) -> Bool?
    ) -> RowNode {
        let stored: StoredTest = { object, run in
            do throws(EvaluationFault) {
                if let answer = try test(object.assumingMemoryBound(to: PredicateValue.self), &run) { return answer }
            } catch {}
            return run.doubt()
        }
        return RowNode(test: stored, cost: cost, mayRaise: true, needsState: needsState)
    }
}
