// Compiles comparisons of numbers, dates and Booleans with constants. Every operator becomes an interval, so
// that one loop serves all operators. Integer bounds are found by binary search with the scalar rules; double
// bounds are the neighbouring doubles.
import PredicateModel
import PredicateSyntax

/// A test of one value; each conforming type is compiled to its own loop.
protocol ValueTest: Sendable {
    associatedtype Input
    /// Whether there is a faster loop for values without gaps, those of columns.
    static var isPacked: Bool { get }
    /// Any value; used in place of nil where both branches are evaluated.
    static var any: Input { get }
    func holds(_ value: Input) -> Bool
    func select(packed rows: Rows, _ live: RowMask) -> RowMask
}

extension ValueTest {
    static var isPacked: Bool { false }
    @inline(__always) func select(packed rows: Rows, _ live: RowMask) -> RowMask { rows.selectPacked(live, holds) }
}

/// A type that is compared as a double: Double, Float and Date.
protocol Measure: Sendable {
    var measure: Double { get }
    /// Any value.
    static var any: Self { get }
}
extension Double: Measure {
    static var any: Double { 0 }
    var measure: Double { self }
}
extension Float: Measure {
    static var any: Float { 0 }
    var measure: Double { Double(self) }
}

extension ValueTest where Input: FixedWidthInteger {
    @inline(__always) static var any: Input { 0 }
}
extension ValueTest where Input: Measure {
    @inline(__always) static var any: Input { .any }
}

/// `lower <= value <= upper`, as a single comparison.
private struct IntegerInterval<Input: FixedWidthInteger & Sendable>: ValueTest
where Input.Magnitude: Sendable {
    static var isPacked: Bool { true }
    let lower: Input
    let width: Input.Magnitude
    @inline(__always) func select(packed rows: Rows, _ live: RowMask) -> RowMask {
        if Input.bitWidth > 8 { return rows.selectPacked(live, holds) }
        return rows.selectBytes(live, from: UInt8(truncatingIfNeeded: lower), width: UInt8(truncatingIfNeeded: width))
    }
    @inline(__always) func holds(_ value: Input) -> Bool {
        Input.Magnitude(truncatingIfNeeded: value &- lower) <= width
    }
}

/// Membership in a set of integers within a small range.
private struct IntegerBits<Input: FixedWidthInteger & Sendable>: ValueTest {
    let lower: UInt64
    let bits: [UInt64]
    @inline(__always) func holds(_ value: Input) -> Bool {
        let place = UInt64(truncatingIfNeeded: value) &- lower
        let word = Int(truncatingIfNeeded: place &>> 6)
        return place < 1 << 16 && word < bits.count && bits[word] &>> (place & 63) & 1 != 0
    }
}

private struct IntegerMembers<Input: FixedWidthInteger & Sendable>: ValueTest {
    let members: Set<UInt64>
    func holds(_ value: Input) -> Bool { members.contains(UInt64(truncatingIfNeeded: value)) }
}

private struct MeasureInterval<Input: Measure>: ValueTest {
    static var isPacked: Bool { true }
    let lower: Double
    let upper: Double
    @inline(__always) func holds(_ value: Input) -> Bool {
        let measure = value.measure
        // No branch, because the answers are unpredictable.
        return Rows.bit(measure >= lower) & Rows.bit(measure <= upper) != 0
    }
}

/// An interval without an upper bound, which needs only one comparison.
private struct MeasureFrom<Input: Measure>: ValueTest {
    static var isPacked: Bool { true }
    let lower: Double
    @inline(__always) func holds(_ value: Input) -> Bool { value.measure >= lower }
}

private struct MeasureUpTo<Input: Measure>: ValueTest {
    static var isPacked: Bool { true }
    let upper: Double
    @inline(__always) func holds(_ value: Input) -> Bool { value.measure <= upper }
}

/// Codes of texts, by the answer for each text.
private struct CodeAnswers<Code: FixedWidthInteger & Sendable>: ValueTest {
    static var isPacked: Bool { true }
    let answers: PackedValues
    @inline(__always) func holds(_ code: Code) -> Bool {
        answers.start.load(fromByteOffset: Int(truncatingIfNeeded: code), as: UInt8.self) != 0
    }
}

private struct MeasureMembers<Input: Measure>: ValueTest {
    let members: Set<Double>
    func holds(_ value: Input) -> Bool { members.contains(value.measure) }
}

private struct BooleanTest: ValueTest {
    static var any: Bool { false }
    @inline(__always) func holds(_ value: Bool) -> Bool { value }
}

extension FieldComparison {
    /// The node for a test. With `negated` the comparison holds where the test does not.
    private func node<Test: ValueTest>(_ test: Test, negated: Bool = false) -> BlockNode {
        let offset = field.offset
        let ifNil = Rows.bit(ifNil != negated)
        let (block, row): (BlockTest, StoredTest)
        if field.isOptional {
            block = { rows, live, _ in
                let any = Test.any
                // No branches, because nil values are unpredictable.
                return rows.select(live) {
                    let value = $0.read(offset, as: Test.Input?.self)
                    let isNil = Rows.bit(value == nil)
                    return (Rows.bit(test.holds(value ?? any)) & ~isNil) | (isNil & ifNil) != 0
                }
            }
            row = { object, _ in
                guard let value = object.read(offset, as: Test.Input?.self) else { return ifNil != 0 }
                return test.holds(value)
            }
        } else if Test.isPacked, field.column != nil {
            block = { rows, live, _ in test.select(packed: rows, live) }
            row = { _, run in run.doubt() }
        } else {
            block = { rows, live, _ in rows.select(live) { test.holds($0.read(offset, as: Test.Input.self)) } }
            row = { object, _ in test.holds(object.read(offset, as: Test.Input.self)) }
        }
        let node = BlockNode.test(block, cost: 1, row: RowNode(test: row))
        return negated ? .not(node) : node
    }

    func booleans() -> BlockNode? {
        guard let no = try? comparison.test(.bool(false), right), let yes = try? comparison.test(.bool(true), right)
        else { return nil }
        if no == yes { return nilTest(otherwise: yes) }
        guard case .booleans(let bits) = field.column?.storage else { return node(BooleanTest(), negated: no) }
        let test = BlockNode.test({ rows, live, _ in live.intersection(bits.mask(at: rows.first)) }, cost: 1)
        return no ? .not(test) : test
    }

    /// Tests codes by the answers for all texts.
    func coded<Code: FixedWidthInteger & Sendable>(_ type: Code.Type, _ answers: [Bool]) -> BlockNode
    where Code.Magnitude: Sendable {
        for answer in [true, false] {
            guard let first = answers.firstIndex(of: answer), let last = answers.lastIndex(of: answer) else {
                return .constant(!answer)
            }
            guard answers[first...last].allSatisfy({ $0 == answer }) else { continue }
            let width = Code.Magnitude(truncatingIfNeeded: last - first)
            return node(IntegerInterval(lower: Code(truncatingIfNeeded: first), width: width), negated: !answer)
        }
        return node(CodeAnswers<Code>(answers: PackedValues(answers.map { UInt8(Rows.bit($0)) })))
    }

    func integers<T: FixedWidthInteger & QueryableValue & Sendable>(_ type: T.Type) -> BlockNode?
    where T.Magnitude: Sendable {
        switch comparison.operator {
        case .in: return integerMembers(type)
        case .between:
            guard let (lower, upper) = bounds() else { return nil }
            return interval(T.self, from: lower.flatMap(least), before: upper.flatMap(leastAbove))
        case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: break
        default: return nil
        }
        guard order(of: T.zero, against: right) != nil else {
            // NaN, which has no order, or a constant for which the comparison throws.
            guard let answer = try? comparison.test(T.zero.queryValue, right) else { return nil }
            return nilTest(otherwise: answer)
        }
        let (least, above): (T?, T?) = (least(right), leastAbove(right))
        return switch comparison.operator {
        case .lessThan: interval(T.self, from: .min, before: least)
        case .lessThanOrEqual: interval(T.self, from: .min, before: above)
        case .greaterThan: interval(T.self, from: above, before: nil)
        case .greaterThanOrEqual: interval(T.self, from: least, before: nil)
        default: interval(T.self, from: least, before: above, negated: comparison.operator == .notEqual)
        }
    }

    /// - Parameters:
    ///   - lower: the smallest value of the interval; nil means that it is empty.
    ///   - end: the smallest value above the interval; nil means that there is none.
    private func interval<T: FixedWidthInteger & Sendable>(
        _ type: T.Type, from lower: T?, before end: T?, negated: Bool = false
    ) -> BlockNode where T.Magnitude: Sendable {
        guard let lower, end.map({ lower < $0 }) ?? true else { return nilTest(otherwise: negated) }
        let upper = end.map { $0 &- 1 } ?? .max
        if case .integers(let column) = field.column?.storage {
            // The bounds of the column's type fit, so these do.
            let (least, most) = (
                T(truncatingIfNeeded: column.range.lowerBound), T(truncatingIfNeeded: column.range.upperBound)
            )
            if upper < least || lower > most { return .constant(negated) }
            if lower <= least, upper >= most { return .constant(!negated) }
        }
        return node(
            IntegerInterval(lower: lower, width: T.Magnitude(truncatingIfNeeded: upper &- lower)), negated: negated)
    }

    /// The smallest integer not below a constant. `leastAbove` returns the smallest integer above it. Both use
    /// the scalar rules, whose order of integers is monotonic.
    private func least<T: FixedWidthInteger & QueryableValue>(_ constant: PredicateValue) -> T? {
        // The usual case, which needs no search.
        if case .integer(let value) = constant { return value <= T.min ? .min : T(exactly: value) }
        return least { (order(of: $0, against: constant) ?? -1) >= 0 }
    }

    private func leastAbove<T: FixedWidthInteger & QueryableValue>(_ constant: PredicateValue) -> T? {
        if case .integer(let value) = constant { return value < T.min ? .min : value < T.max ? T(value) + 1 : nil }
        return least { (order(of: $0, against: constant) ?? -1) > 0 }
    }

    private func order<T: QueryableValue>(of value: T, against constant: PredicateValue) -> Int? {
        try? value.queryValue.order(against: constant, for: "", in: comparison.rules)
    }

    /// Binary search for the smallest integer that passes; all greater ones must pass too.
    private func least<T: FixedWidthInteger>(_ passes: (T) -> Bool) -> T? {
        guard passes(.max) else { return nil }
        var low = T.min
        var high = T.max
        while low < high {
            let half = T.Magnitude(truncatingIfNeeded: high &- low) / 2
            let middle = low &+ T(truncatingIfNeeded: half)
            if passes(middle) { high = middle } else { low = middle &+ 1 }
        }
        return low
    }

    /// BETWEEN's bounds in ascending order. nil if a value of the field throws; two nil bounds if no value is
    /// between them.
    private func bounds() -> (lower: PredicateValue?, upper: PredicateValue?)? {
        guard (try? comparison.test(field.sample, right)) != nil, case .array(let bounds) = right, bounds.count == 2
        else { return nil }
        if bounds[0].isNil || bounds[1].isNil { return (nil, nil) }
        guard let order = try? bounds[0].order(against: bounds[1], for: "", in: comparison.rules),
            (try? field.sample.order(against: bounds[0], for: "", in: comparison.rules)) != nil,
            (try? field.sample.order(against: bounds[1], for: "", in: comparison.rules)) != nil
        else { return (nil, nil) }
        return order > 0 ? (bounds[1], bounds[0]) : (bounds[0], bounds[1])
    }

    private func integerMembers<T: FixedWidthInteger & QueryableValue & Sendable>(
        _ type: T.Type
    ) -> BlockNode? {
        guard let elements = listElements else { return nil }
        var members: [T] = []
        for element in elements where element.isNumber {
            guard order(of: T.zero, against: element) != nil else { continue }
            guard let first: T = least(element), order(of: first, against: element) == 0 else { continue }
            // From 2^53 on a double can equal several integers.
            if let end: T = leastAbove(element), end &- 1 != first { return nil }
            members.append(first)
        }
        guard let low = members.min(), let high = members.max() else { return nilTest(otherwise: false) }
        let lower = UInt64(truncatingIfNeeded: low)
        let span = UInt64(truncatingIfNeeded: high) &- lower
        guard span < 1 << 12 else {
            return node(IntegerMembers<T>(members: Set(members.map { UInt64(truncatingIfNeeded: $0) })))
        }
        var bits = [UInt64](repeating: 0, count: Int(span >> 6) + 1)
        for member in members {
            let place = UInt64(truncatingIfNeeded: member) &- lower
            bits[Int(place >> 6)] |= 1 << (place & 63)
        }
        return node(IntegerBits<T>(lower: lower, bits: bits))
    }

    /// The elements of IN's right side, if it is a list.
    var listElements: [PredicateValue]? {
        switch right {
        case .array(let elements), .set(let elements): elements
        default: nil
        }
    }

    /// The constant as a double for comparison; nil for other kinds, which throw or never equal.
    private func measure(of constant: PredicateValue) -> Double? {
        if field.kind == .date {
            if case .date(let seconds) = constant { return seconds }
            return nil
        }
        return constant.doubleValue
    }

    func measures<T: Measure>(_ type: T.Type) -> BlockNode? {
        let infinity = Double.infinity
        switch comparison.operator {
        case .in:
            guard let elements = listElements else { return nil }
            return node(MeasureMembers<T>(members: Set(elements.compactMap(measure).filter { !$0.isNaN })))
        case .between:
            guard let (lower, upper) = bounds() else { return nil }
            guard let lower = lower.flatMap(measure), let upper = upper.flatMap(measure) else {
                return nilTest(otherwise: false)
            }
            return node(MeasureInterval<T>(lower: lower, upper: upper))
        default: break
        }
        guard let constant = measure(of: right) else { return nil }
        // Strict bounds become the neighbouring doubles. NaN makes an empty interval.
        return switch comparison.operator {
        case .equal: node(MeasureInterval<T>(lower: constant, upper: constant))
        case .notEqual: node(MeasureInterval<T>(lower: constant, upper: constant), negated: true)
        case .lessThan: node(MeasureUpTo<T>(upper: constant == -infinity ? .nan : constant.nextDown))
        case .lessThanOrEqual: node(MeasureUpTo<T>(upper: constant))
        case .greaterThan: node(MeasureFrom<T>(lower: constant == infinity ? .nan : constant.nextUp))
        case .greaterThanOrEqual: node(MeasureFrom<T>(lower: constant))
        default: nil
        }
    }
}

extension PredicateValue {
    var isDecimal: Bool { if case .decimal = self { true } else { false } }
}
