// Aggregates of numbers that the elements of a list store: `lines.@sum.price`. All other aggregates are evaluated by the
// dynamic plan.

/// The aggregate of a number of the elements of a list.
private enum AggregateResult<Number> {
    case number(Number)
    /// nil, for an extreme or a mean without elements.
    case nothing
    /// The dynamic plan must decide: integers overflow.
    case unknown
}

/// A number of each element of a list.
private struct ListNumbers<Number> {
    let start: UnsafeRawPointer
    let stride: Int
    let count: Int

    @inline(__always) func reduce<Result>(_ first: Result, _ next: (inout Result, Number) -> Void) -> Result {
        var (result, place) = (first, start)
        for _ in 0..<count {
            next(&result, place.load(as: Number.self))
            place += stride
        }
        return result
    }
}

extension ListNumbers where Number == Double {
    /// NaN is no extreme.
    func extreme(_ isBetter: (Double, Double) -> Bool) -> AggregateResult<Double> {
        let best = reduce(Double.nan) { if $0.isNaN || isBetter($1, $0) { $0 = $1 } }
        return best.isNaN ? .nothing : .number(best)
    }

    var sum: Double { reduce(0) { $0 += $1 } }
}

extension ListNumbers where Number == Int64 {
    func extreme(_ isBetter: (Int64, Int64) -> Bool) -> AggregateResult<Int64> {
        if count == 0 { return .nothing }
        return .number(reduce(start.load(as: Int64.self)) { if isBetter($1, $0) { $0 = $1 } })
    }

    /// nil if a part of the sum overflows.
    var sum: Int64? {
        let (sum, overflow) = reduce((0 as Int64, false)) {
            let (next, overflow) = $0.0.addingReportingOverflow($1)
            $0 = (next, $0.1 || overflow)
        }
        return overflow ? nil : sum
    }
}

extension ListWalk {
    /// A test of an aggregate of the numbers at an offset in the elements. nil if blocks cannot compute it.
    /// - Parameters:
    ///   - test: tests an aggregate that is stored as a row.
    ///   - ifNil: the result for nil.
    func aggregate(
        _ kind: CollectionOperator.Kind, _ field: Field, _ test: BlockNode, ifNil: Bool
    ) -> BlockTest? {
        switch (kind, field.kind) {
        case (.sum, .integer):
            reduce(field, test, ifNil) { (list: ListNumbers<Int64>) in
                list.sum.map { .number($0) } ?? .unknown
            }
        case (.sum, .double): reduce(field, test, ifNil) { (list: ListNumbers<Double>) in .number(list.sum) }
        case (.average, .double):
            reduce(field, test, ifNil) { (list: ListNumbers<Double>) in
                list.count == 0 ? .nothing : .number(list.sum / Double(list.count))
            }
        case (.minimum, .integer): reduce(field, test, ifNil) { (list: ListNumbers<Int64>) in list.extreme(<) }
        case (.maximum, .integer): reduce(field, test, ifNil) { (list: ListNumbers<Int64>) in list.extreme(>) }
        case (.minimum, .double): reduce(field, test, ifNil) { (list: ListNumbers<Double>) in list.extreme(<) }
        case (.maximum, .double): reduce(field, test, ifNil) { (list: ListNumbers<Double>) in list.extreme(>) }
        default: nil
        }
    }

    private func reduce<Number>(
        _ field: Field, _ test: BlockNode, _ ifNil: Bool,
        _ aggregate: @escaping @Sendable (ListNumbers<Number>) -> AggregateResult<Number>
    ) -> BlockTest {
        let (offset, test) = (field.offset, test.block)
        return { rows, live, run in
            var empty = RowMask.none
            let found = run.withCounts(rows, live, test) { places, run in
                live.forEach { row in
                    let (start, count) = list(of: rows.object(row))
                    if countsSteps, count > run.stepShare { run.doubt(row) }
                    places[row] = 0
                    switch aggregate(ListNumbers(start: start + offset, stride: stride, count: count)) {
                    case .number(let number):
                        UnsafeMutableRawPointer(places + row).storeBytes(of: number, as: Number.self)
                    case .nothing: empty.insert(row)
                    case .unknown: run.doubt(row)
                    }
                }
            }
            return ifNil ? found.union(empty) : found.subtracting(empty)
        }
    }
}
