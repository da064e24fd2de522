// Completions as JSON.

extension PredicateCompletion {
    fileprivate var json: PredicateValue {
        var fields: [(String, PredicateValue)] = [("text", .string(text)), ("kind", .string(kind.rawValue))]
        if !detail.isEmpty { fields.append(("detail", .string(detail))) }
        if !suffix.isEmpty { fields.append(("suffix", .string(suffix))) }
        return .object(fields)
    }
}

extension PredicateCompletions {
    /// The candidates as JSON. The names are API.
    package var json: PredicateValue {
        let (start, end) = (Int64(range.lowerBound), Int64(range.upperBound))
        let candidates = PredicateValue.array(items.map { $0.json })
        return .object([("start", .integer(start)), ("end", .integer(end)), ("candidates", candidates)])
    }
}
