// Compiles comparisons of columns of numbers and dates. Every operator becomes an interval, so that one loop
// serves all operators. Integer bounds are found by binary search with the scalar rules; double bounds are the
// neighbouring doubles.
import PredicateModel
import PredicateSyntax

extension ColumnComparison {
    // MARK: Integers

    func integers(_ column: IntegerColumn) -> ColumnNode? {
        switch comparison.operator {
        case .in: return integerMembers(column)
        case .between:
            guard let (lower, upper) = bounds(.integer(column.least)) else { return nil }
            return interval(column, from: lower.flatMap(least), before: upper.flatMap(leastAbove))
        case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: break
        default: return nil
        }
        guard order(of: 0, against: right) != nil else {
            // NaN, which has no order.
            guard let answer = try? comparison.test(.integer(0), right) else { return nil }
            return nilTest(otherwise: answer)
        }
        let (least, above) = (least(right), leastAbove(right))
        switch comparison.operator {
        case .lessThan: return interval(column, from: .min, before: least)
        case .lessThanOrEqual: return interval(column, from: .min, before: above)
        case .greaterThan: return interval(column, from: above, before: nil)
        case .greaterThanOrEqual: return interval(column, from: least, before: nil)
        case .equal: return interval(column, from: least, before: above)
        default: return interval(column, from: least, before: above, negated: true)
        }
    }

    /// - Parameters:
    ///   - lower: the smallest integer of the interval; nil means that it is empty.
    ///   - end: the smallest integer above the interval; nil means that there is none.
    private func interval(
        _ column: IntegerColumn, from lower: Int64?, before end: Int64?, negated: Bool = false
    ) -> ColumnNode {
        guard let lower, end.map({ lower < $0 }) ?? true else { return nilTest(otherwise: negated) }
        let upper = end.map { $0 &- 1 } ?? .max
        if upper < column.least || lower > column.greatest { return nilTest(otherwise: negated) }
        if lower <= column.least, upper >= column.greatest { return nilTest(otherwise: !negated) }
        let range = max(lower, column.least)...min(upper, column.greatest)
        let inner = Absent(nils: self.column.nils, answer: ifNil != negated)
        let test: ColumnTest =
            switch column.values {
            case .int8(let values): Self.interval(bytes: values, range, inner)
            case .int16(let values): Self.interval(values, range, inner)
            case .int32(let values): Self.interval(values, range, inner)
            case .int64(let values): Self.interval(values, range, inner)
            }
        return negated ? .not(.test(test, cost: 1)) : .test(test, cost: 1)
    }

    /// Tests an interval whose bounds are between the column's minimum and maximum, so that they fit its width.
    @inline(__always) private static func interval<T: FixedWidthInteger & Sendable>(
        _ values: [T], _ range: ClosedRange<Int64>, _ absent: Absent
    ) -> ColumnTest where T.Magnitude: Sendable {
        let lower = T(truncatingIfNeeded: range.lowerBound)
        let width = T.Magnitude(truncatingIfNeeded: range.upperBound &- range.lowerBound)
        return { span, mask, _ in
            values.withUnsafeBufferPointer { values in
                mask.narrow(span, absent) { T.Magnitude(truncatingIfNeeded: values[$0] &- lower) <= width }
            }
        }
    }

    /// Tests an interval of bytes, 64 at a time.
    static func interval<Byte: FixedWidthInteger & Sendable>(
        bytes values: [Byte], _ range: ClosedRange<Int64>, _ absent: Absent
    ) -> ColumnTest {
        let lower = UInt8(truncatingIfNeeded: range.lowerBound)
        let width = UInt8(truncatingIfNeeded: range.upperBound &- range.lowerBound)
        return { span, mask, _ in
            values.withUnsafeBytes { values in
                mask.narrowWords(
                    span, absent,
                    dense: { row in
                        BlockMask.bits(of: values, at: row) {
                            ($0 &- SIMD16(repeating: lower)) .<= SIMD16(repeating: width)
                        }
                    }, sparse: { values[$0] &- lower <= width })
            }
        }
    }

    /// The smallest integer not below a constant. `leastAbove` returns the smallest integer above it. Both use
    /// the scalar rules, whose order of integers is monotonic.
    private func least(_ constant: PredicateValue) -> Int64? {
        least { (order(of: $0, against: constant) ?? -1) >= 0 }
    }

    private func leastAbove(_ constant: PredicateValue) -> Int64? {
        least { (order(of: $0, against: constant) ?? -1) > 0 }
    }

    private func order(of value: Int64, against constant: PredicateValue) -> Int? {
        (try? PredicateValue.integer(value).order(against: constant, for: "", in: comparison.rules)) ?? nil
    }

    /// Binary search for the smallest integer that passes; all greater ones must pass too.
    private func least(_ passes: (Int64) -> Bool) -> Int64? {
        guard passes(.max) else { return nil }
        var (low, high) = (Int64.min, Int64.max)
        while low < high {
            let middle = low &+ Int64(truncatingIfNeeded: UInt64(bitPattern: high &- low) / 2)
            if passes(middle) { high = middle } else { low = middle &+ 1 }
        }
        return low
    }

    /// BETWEEN's bounds in ascending order. Two nil bounds if no value is between them; nil if a value throws.
    private func bounds(_ sample: PredicateValue) -> (lower: PredicateValue?, upper: PredicateValue?)? {
        guard (try? comparison.test(sample, right)) != nil, case .array(let bounds) = right, bounds.count == 2 else {
            return nil
        }
        func order(_ one: PredicateValue, _ other: PredicateValue) -> Int? {
            (try? one.order(against: other, for: "", in: comparison.rules)) ?? nil
        }
        if bounds[0].isNil || bounds[1].isNil { return (nil, nil) }
        guard let swapped = order(bounds[0], bounds[1]), order(sample, bounds[0]) != nil,
            order(sample, bounds[1]) != nil
        else { return (nil, nil) }
        return swapped > 0 ? (bounds[1], bounds[0]) : (bounds[0], bounds[1])
    }

    /// IN with a list. If the column's range is small, evaluates the comparison once for every integer in it;
    /// otherwise looks integers up in a set.
    private func integerMembers(_ column: IntegerColumn) -> ColumnNode? {
        guard let elements = listElements else { return nil }
        let (range, overflow) = column.greatest.subtractingReportingOverflow(column.least)
        if overflow || range >= 1 << 12 { return manyIntegers(column, elements) }
        var answers: [Bool] = []
        for value in column.least...column.greatest {
            guard let answer = try? comparison.test(.integer(value), right) else { return nil }
            answers.append(answer)
        }
        let test: ColumnTest =
            switch column.values {
            case .int8(let values): Self.members(values, answers, column.least, absent)
            case .int16(let values): Self.members(values, answers, column.least, absent)
            case .int32(let values): Self.members(values, answers, column.least, absent)
            case .int64(let values): Self.members(values, answers, column.least, absent)
            }
        return .test(test, cost: 2)
    }

    @inline(__always) private static func members<T: FixedWidthInteger & Sendable>(
        _ values: [T], _ answers: [Bool], _ least: Int64, _ absent: Absent
    ) -> ColumnTest {
        { span, mask, _ in
            values.withUnsafeBufferPointer { values in
                answers.withUnsafeBufferPointer { answers in
                    mask.narrow(span, absent) { answers[Int(truncatingIfNeeded: Int64(values[$0]) &- least)] }
                }
            }
        }
    }

    private func manyIntegers(_ column: IntegerColumn, _ elements: [PredicateValue]) -> ColumnNode? {
        var members: Set<Int64> = []
        for element in elements {
            switch element {
            // From 2^53 on a double can equal several integers.
            case .float, .double: if let number = element.doubleValue, number.magnitude >= 0x1p53 { return nil }
            default: break
            }
            if let member = element.exactInteger { members.insert(member) }
        }
        let known = members
        let absent = absent
        return .test(
            { span, mask, _ in
                mask.narrowSparsely(span, absent) { known.contains(column.value(at: $0)) }
            }, cost: 12)
    }

    /// The elements of IN's right side, if it is a list.
    var listElements: [PredicateValue]? {
        switch right {
        case .array(let elements), .set(let elements): elements
        default: nil
        }
    }

    // MARK: Doubles

    /// The constant as a double for comparison; nil for other kinds, which throw or never equal.
    private func measure(of constant: PredicateValue) -> Double? {
        guard case .dates = column.storage else { return constant.doubleValue }
        if case .date(let seconds) = constant { return seconds }
        return nil
    }

    /// Whether integers stored as doubles compare with the constant as before. Not with decimals, which compare
    /// exactly.
    private func isExact(_ constant: PredicateValue) -> Bool {
        if case .decimal = constant { return false }
        return true
    }

    func measures(_ values: [Double], mayBeIntegers: Bool) -> ColumnNode? {
        if mayBeIntegers, !(listElements ?? [right]).allSatisfy(isExact) { return nil }
        let infinity = Double.infinity
        switch comparison.operator {
        case .in:
            guard let elements = listElements else { return nil }
            let members = Set(elements.compactMap(measure).filter { !$0.isNaN })
            let absent = absent
            return .test(
                { span, mask, _ in mask.narrowSparsely(span, absent) { members.contains(values[$0]) } }, cost: 8)
        case .between:
            guard let (lower, upper) = bounds(mayBeIntegers || column.isNumeric ? .double(0) : .date(0)) else {
                return nil
            }
            guard let lower = lower.flatMap(measure), let upper = upper.flatMap(measure) else {
                return nilTest(otherwise: false)
            }
            return interval(values, lower, upper)
        default: break
        }
        guard let constant = measure(of: right) else { return nil }
        // Strict bounds become the neighbouring doubles. NaN makes an empty interval.
        switch comparison.operator {
        case .equal: return interval(values, constant, constant)
        case .notEqual: return interval(values, constant, constant, negated: true)
        case .lessThan: return interval(values, -infinity, constant == -infinity ? .nan : constant.nextDown)
        case .lessThanOrEqual: return interval(values, -infinity, constant)
        case .greaterThan: return interval(values, constant == infinity ? .nan : constant.nextUp, infinity)
        case .greaterThanOrEqual: return interval(values, constant, infinity)
        default: return nil
        }
    }

    private func interval(
        _ values: [Double], _ lower: Double, _ upper: Double, negated: Bool = false
    ) -> ColumnNode {
        let inner = Absent(nils: column.nils, answer: ifNil != negated)
        // Most intervals have only one bound, which needs only one comparison.
        let test: ColumnTest
        if upper == .infinity {
            test = { span, mask, _ in
                values.withUnsafeBufferPointer { values in mask.narrow(span, inner) { values[$0] >= lower } }
            }
        } else if lower == -.infinity {
            test = { span, mask, _ in
                values.withUnsafeBufferPointer { values in mask.narrow(span, inner) { values[$0] <= upper } }
            }
        } else {
            test = { span, mask, _ in
                values.withUnsafeBufferPointer { values in
                    mask.narrow(span, inner) { (values[$0] >= lower) & (values[$0] <= upper) }
                }
            }
        }
        return negated ? .not(.test(test, cost: 1)) : .test(test, cost: 1)
    }
}

extension Column {
    var isNumeric: Bool {
        switch storage {
        case .integers, .doubles, .booleans: true
        default: false
        }
    }
}

extension Bool {
    /// AND without a branch.
    @inline(__always) fileprivate static func & (left: Bool, right: Bool) -> Bool {
        unsafeBitCast(unsafeBitCast(left, to: UInt8.self) & unsafeBitCast(right, to: UInt8.self), to: Bool.self)
    }
}
