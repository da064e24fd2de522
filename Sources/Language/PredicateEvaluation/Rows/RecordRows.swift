// The row plan for values: records with a common shape, and single values; and for objects whose keys another module reads.

/// Reads a key of the object at an address; nil if only the whole object can be converted.
package typealias HostKeyLoader = @Sendable (UnsafeRawPointer) -> PredicateValue?

enum RecordRows {
    /// A comparison of a record's key, or of the value itself, with a constant.
    static func leaf(_ plan: any PredicatePlan) -> RowNode? {
        guard let plan = plan as? PreparedPredicate, !plan.prepared.isPattern else { return nil }
        let prepared = plan.prepared
        switch plan.left {
        case let key as RootKeyExpression: return entry(key.key, key.cache, prepared)
        case is SelfExpression:
            return leaf(cost: 10) { value, _ throws(EvaluationFault) in
                try prepared.test(value.assumingMemoryBound(to: PredicateValue.self).pointee)
            }
        default: return nil
        }
    }

    /// A comparison of an object's key with a constant, if the key has a loader.
    static func leaf(_ plan: any PredicatePlan, _ loader: (String) -> HostKeyLoader?) -> RowNode? {
        guard let plan = plan as? PreparedPredicate, let key = plan.left as? RootKeyExpression,
            let load = loader(key.key)
        else { return nil }
        let prepared = plan.prepared
        return leaf(cost: 50, needsState: prepared.isPattern) { object, run throws(EvaluationFault) in
            guard let value = load(object) else { return nil }
            guard prepared.isPattern else { return try prepared.test(value) }
            guard let state = run.state else { return nil }
            return try prepared.test(value, &state.context)
        }
    }

    private static func entry(_ key: String, _ cache: Int, _ prepared: PreparedComparison) -> RowNode {
        leaf(cost: 20, needsState: true) { value, run throws(EvaluationFault) in
            guard let state = run.state,
                case .dictionary(let record) = value.assumingMemoryBound(to: PredicateValue.self).pointee
            else { return nil }
            let position = state.context.position(of: key, in: record.shape, cache: cache)
            return try prepared.test(position < 0 ? .null : record.values[position])
        }
    }

    private static func leaf(
        cost: Int, needsState: Bool = false,
        _ test: @escaping @Sendable (UnsafeRawPointer, inout RowRun) throws(EvaluationFault) -> Bool?
    ) -> RowNode {
        let stored: StoredTest = { object, run in
            do throws(EvaluationFault) {
                if let answer = try test(object, &run) { return answer }
            } catch {}
            return run.doubt()
        }
        return RowNode(test: stored, cost: cost, mayRaise: true, needsState: needsState)
    }
}
