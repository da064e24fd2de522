// Compiles comparisons of numbers, dates and Booleans with constants. Every operator becomes an interval
// (PredicateModel/Operators/Interval.swift), so that one loop serves all operators.

/// A test of one value; each conforming type is compiled to its own loop.
protocol ValueTest: Sendable {
    associatedtype Input
    /// Whether there is a faster loop for values stored without gaps, as in columns.
    static var isPacked: Bool { get }
    /// A placeholder for nil in code without branches; its result is discarded.
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
    /// An arbitrary value.
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

/// `lower <= value <= upper` with a single comparison. Signed integers are read as unsigned ones with the same bits, so
/// that each width is compiled only once.
private struct IntegerInterval<Input: FixedWidthInteger & UnsignedInteger & Sendable>: ValueTest {
    static var isPacked: Bool { true }
    let lower: Input
    let width: Input
    @inline(__always) func select(packed rows: Rows, _ live: RowMask) -> RowMask {
        if Input.bitWidth > 8 { return rows.selectPacked(live, holds) }
        return rows.selectBytes(live, from: UInt8(truncatingIfNeeded: lower), width: UInt8(truncatingIfNeeded: width))
    }
    @inline(__always) func holds(_ value: Input) -> Bool { value &- lower <= width }
}

/// Membership in a set of integers within a small range.
private struct IntegerBits<Input: FixedWidthInteger & UnsignedInteger & Sendable>: ValueTest {
    let lower: Input
    let bits: [UInt64]
    @inline(__always) func holds(_ value: Input) -> Bool {
        let place = UInt64(truncatingIfNeeded: value &- lower)
        let word = Int(truncatingIfNeeded: place &>> 6)
        return place < 1 << 16 && word < bits.count && bits[word] &>> (place & 63) & 1 != 0
    }
}

private struct IntegerMembers<Input: FixedWidthInteger & UnsignedInteger & Sendable>: ValueTest {
    let members: Set<UInt64>
    func holds(_ value: Input) -> Bool { members.contains(UInt64(truncatingIfNeeded: value)) }
}

private struct MeasureInterval<Input: Measure>: ValueTest {
    static var isPacked: Bool { true }
    let lower: Double
    let upper: Double
    @inline(__always) func holds(_ value: Input) -> Bool {
        let measure = value.measure
        // Without a branch, because the results are unpredictable.
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

/// Tests the codes of texts by a table with the result for each text.
///
/// @unchecked Sendable: nothing writes to the answers.
private struct CodeAnswers<Code: FixedWidthInteger & Sendable>: ValueTest, @unchecked Sendable {
    static var isPacked: Bool { true }
    private let memory: PackedValues
    private let answers: UnsafePointer<Bool>
    init(_ answers: [Bool]) {
        memory = PackedValues(answers)
        self.answers = memory.start.assumingMemoryBound(to: Bool.self)
    }
    @inline(__always) func holds(_ code: Code) -> Bool { answers[Int(truncatingIfNeeded: code)] }
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
        if Test.isPacked, field.column != nil { return packed(test, negated: negated) }
        let offset = field.offset
        let ifNil = Rows.bit(ifNil != negated)
        let (block, row): (BlockTest, StoredTest)
        if field.isOptional {
            block = { rows, live, _ in
                let any = Test.any
                // Without branches, because nil values are unpredictable.
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
        } else {
            block = { rows, live, _ in rows.select(live) { test.holds($0.read(offset, as: Test.Input.self)) } }
            row = { object, _ in test.holds(object.read(offset, as: Test.Input.self)) }
        }
        let node = BlockNode.test(block, cost: 1, row: RowNode(test: row))
        return negated ? .not(node) : node
    }

    /// The node for a test of a column's values, which have no gaps.
    private func packed<Test: ValueTest>(_ test: Test, negated: Bool = false) -> BlockNode {
        let node = BlockNode.test({ rows, live, _ in test.select(packed: rows, live) }, cost: 1)
        return negated ? .not(node) : node
    }

    /// A look-up in a set. Numbers of less than 64 bits are widened first, so that it is compiled for few types.
    private func widened() -> BlockNode? {
        field.numbers.flatMap { NumberExpression($0.kind, $0.node).compared(prepared) }
    }

    func booleans() -> BlockNode? {
        guard let no = try? comparison.test(.bool(false), right), let yes = try? comparison.test(.bool(true), right)
        else { return nil }
        if no == yes { return nilTest(otherwise: yes) }
        guard case .booleans(let bits) = field.column?.storage else { return node(BooleanTest(), negated: no) }
        let test = BlockNode.test({ rows, live, _ in live.intersection(bits.mask(at: rows.first)) }, cost: 1)
        return no ? .not(test) : test
    }

    /// Tests codes by a table with the results for all texts.
    func coded<Code: FixedWidthInteger & UnsignedInteger & Sendable>(
        _ type: Code.Type, _ answers: [Bool]
    ) -> BlockNode {
        for answer in [true, false] {
            guard let first = answers.firstIndex(of: answer), let last = answers.lastIndex(of: answer) else {
                return .constant(!answer)
            }
            guard answers[first...last].allSatisfy({ $0 == answer }) else { continue }
            let width = Code(truncatingIfNeeded: last - first)
            return node(IntegerInterval(lower: Code(truncatingIfNeeded: first), width: width), negated: !answer)
        }
        return packed(CodeAnswers<Code>(answers))
    }

    func integers<T: FixedWidthInteger & QueryableValue & Sendable>(_ type: T.Type) -> BlockNode?
    where T.Magnitude: Sendable {
        if comparison.operator == .in { return T.bitWidth < 64 ? widened() : integerMembers(isUnsigned: T.isWide) }
        let represented = T.isWide ? Int64.min...Int64.max : Int64(T.min)...Int64(T.max)
        guard let interval = integerInterval(in: represented, isUnsigned: T.isWide) else { return nil }
        guard let range = interval.range else { return nilTest(otherwise: interval.isNegated) }
        let lower = T.isWide ? range.lowerBound ^ .min : range.lowerBound
        return node(
            IntegerInterval(
                lower: T.Magnitude(truncatingIfNeeded: lower),
                width: T.Magnitude(truncatingIfNeeded: range.upperBound &- range.lowerBound)),
            negated: interval.isNegated)
    }

    private func span(of constant: PredicateValue, isUnsigned: Bool) -> IntegerSpan? {
        try? IntegerSpan(of: constant, in: comparison.rules, isUnsigned: isUnsigned)
    }

    /// The integers for which the comparison holds, as those of `IntegerSpan`; nil if blocks cannot evaluate it. Empty
    /// if the result is the same for all values of the field.
    ///
    /// - Parameter represented: the integers of the field's type.
    private func integerInterval(in represented: ClosedRange<Int64>, isUnsigned: Bool) -> Interval<Int64>? {
        let interval: Interval<Int64>
        if comparison.operator == .between {
            guard let (lower, upper) = bounds() else { return nil }
            let first = lower.flatMap { span(of: $0, isUnsigned: isUnsigned)?.first }
            interval = Interval(first, upper.flatMap { span(of: $0, isUnsigned: isUnsigned)?.last })
        } else {
            guard let order = Order(comparison.operator) else { return nil }
            guard let span = span(of: right, isUnsigned: isUnsigned) else {
                // NaN, which has no order, or a constant for which the comparison throws.
                return (try? comparison.test(field.sample, right)).map { Interval(nil, nil, isNegated: $0) }
            }
            interval = span.interval(order)
        }
        let negated = interval.isNegated
        guard let range = interval.range, range.overlaps(represented) else {
            return Interval(nil, nil, isNegated: negated)
        }
        if case .integers(let column) = field.column?.storage {
            if !range.overlaps(column.range) { return Interval(nil, nil, isNegated: negated) }
            if range.lowerBound <= column.range.lowerBound, range.upperBound >= column.range.upperBound {
                return Interval(nil, nil, isNegated: !negated)
            }
        }
        let inside = range.clamped(to: represented)
        return Interval(inside.lowerBound, inside.upperBound, isNegated: negated)
    }

    /// The bounds of BETWEEN in ascending order. nil if a value of the field makes the comparison throw; both bounds
    /// are nil if no value is between them.
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

    /// Membership in a list of integers of 64 bits.
    private func integerMembers(isUnsigned: Bool) -> BlockNode? {
        guard let elements = listElements else { return nil }
        var members: [Int64] = []
        for element in elements where element.isNumber {
            guard let range = span(of: element, isUnsigned: isUnsigned)?.interval(.equal).range else { continue }
            // From 2^53 on a double can equal several integers.
            if range.lowerBound != range.upperBound { return nil }
            members.append(range.lowerBound)
        }
        guard let low = members.min(), let high = members.max() else { return nilTest(otherwise: false) }
        let flip: Int64 = isUnsigned ? .min : 0
        let span = UInt64(bitPattern: high &- low)
        guard span < 1 << 12 else {
            return node(IntegerMembers<UInt64>(members: Set(members.map { UInt64(bitPattern: $0 ^ flip) })))
        }
        var bits = [UInt64](repeating: 0, count: Int(span >> 6) + 1)
        for member in members {
            let place = UInt64(bitPattern: member &- low)
            bits[Int(place >> 6)] |= 1 << (place & 63)
        }
        return node(IntegerBits(lower: UInt64(bitPattern: low ^ flip), bits: bits))
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
        switch comparison.operator {
        case .in:
            if T.self == Float.self { return widened() }
            guard let elements = listElements else { return nil }
            return node(MeasureMembers<T>(members: Set(elements.compactMap(measure).filter { !$0.isNaN })))
        case .between:
            guard let (lower, upper) = bounds() else { return nil }
            return interval(Interval(lower.flatMap(measure), upper.flatMap(measure)), of: T.self)
        default:
            guard let order = Order(comparison.operator), let constant = measure(of: right) else { return nil }
            return interval(Interval(order, constant), of: T.self)
        }
    }

    private func interval<T: Measure>(_ interval: Interval<Double>, of type: T.Type) -> BlockNode {
        let negated = interval.isNegated
        guard let range = interval.range else { return nilTest(otherwise: negated) }
        let (lower, upper) = (range.lowerBound, range.upperBound)
        if upper == .infinity { return node(MeasureFrom<T>(lower: lower), negated: negated) }
        if lower == -.infinity { return node(MeasureUpTo<T>(upper: upper), negated: negated) }
        return node(MeasureInterval<T>(lower: lower, upper: upper), negated: negated)
    }
}

extension FixedWidthInteger {
    /// Whether some values do not fit a signed 64-bit integer. `IntegerSpan` flips their highest bit.
    static var isWide: Bool { max.leadingZeroBitCount == 0 && bitWidth == 64 }
}

extension PredicateValue {
    var isDecimal: Bool { if case .decimal = self { true } else { false } }
}
