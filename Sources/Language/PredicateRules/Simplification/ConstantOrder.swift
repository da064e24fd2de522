// The order of constants in lists.

extension [PredicateValue] {
    /// The distinct constants (`1` and `1.0` are two), sorted by type, then by value.
    func distinctInOrder() -> [PredicateValue] {
        let ranked = distinct().map { (rank: ConstantKind($0)?.rawValue ?? .max, value: $0) }
        let sorted = ranked.ordered { one, other in
            if one.rank != other.rank { return one.rank < other.rank }
            return (try? one.value.order(against: other.value, for: "")) ?? 0 < 0
        }
        return sorted.map { $0.value }
    }
}
