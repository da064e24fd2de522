// One aggregate of all groups, such as `@sum.price`. It has a small state for each group, to which the values of records
// are added one by one. GroupTable.swift has the groups.

/// The states of an aggregate. They are in one array for all groups, so that a value changes one element in place.
struct AggregateColumn: Sendable {
    private let name: String
    /// nil keeps the values themselves.
    private let kind: CollectionOperator.Kind?
    // Only the array of the kind is used.
    private var sums: [Aggregates.Sum] = []
    private var best: [PredicateValue] = []
    private var lists: [[PredicateValue]] = []
    /// The first fault of each group that has one.
    private var faults: [Int: EvaluationFault] = [:]
    /// The number of nil values, which `@avg` counts as 0.
    private(set) var nilCount = 0

    /// - Parameter operation: nil, and operators of lists, keep the values of each group.
    init(_ operation: CollectionOperator?) {
        name = operation?.name ?? ""
        if case .union? = operation?.kind { kind = nil } else { kind = operation?.kind }
    }

    var keepsValues: Bool { kind == nil }

    /// Adds the state of a new group.
    mutating func begin() {
        switch kind {
        case .count: break
        case .sum, .average: sums.append(Aggregates.Sum())
        case .minimum, .maximum: best.append(.null)
        case .union, nil: lists.append([])
        }
    }

    /// Adds a value to a group. After a fault the result of the group is the fault.
    @inline(__always)
    mutating func add(_ value: PredicateValue, to group: Int) {
        do throws(EvaluationFault) {
            switch kind {
            case .count: break
            case .sum, .average:
                if case .null = value { nilCount += 1 }
                try sums[group].add(value, for: name)
            case .minimum:
                if try Aggregates.isBetter(value, than: best[group], -1, for: name) { best[group] = value }
            case .maximum:
                if try Aggregates.isBetter(value, than: best[group], 1, for: name) { best[group] = value }
            case .union, nil: lists[group].append(value)
            }
        } catch {
            if faults[group] == nil { faults[group] = error }
        }
    }

    /// Adds the values of records, whose groups are `places[groups[record]]`.
    mutating func add(_ values: [PredicateValue], _ groups: [Int32], _ places: [Int32]) {
        for (value, group) in zip(values, groups) { add(value, to: Int(places[Int(group)])) }
    }

    /// The aggregate of a group with `count` records; the list of its values if there is no operator.
    func result(of group: Int, count: Int) throws(EvaluationFault) -> PredicateValue {
        if let fault = faults[group] { throw fault }
        switch kind {
        case .count: return .integer(Int64(count))
        case .sum: return try sums[group].sum(for: name)
        case .average: return try sums[group].average(of: count)
        case .minimum, .maximum: return best[group]
        case .union, nil: return .array(lists[group])
        }
    }
}
