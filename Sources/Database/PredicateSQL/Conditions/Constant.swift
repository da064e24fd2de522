// A constant of a predicate that knows its position in the tree, so that compiled SQL can be reused for other
// constants. Lowering may read a constant's type, test it, or derive another value from it; cached SQL repeats the
// tests and derivations for new constants (Cache/). Code that calls `fixed()` gets the value itself, which makes the value
// part of the shape, because the SQL may depend on it in any way.

struct Constant {
    private let known: PredicateValue
    /// The position in the tree; nil if the value is the same for every predicate of the shape.
    private let origin: Origin?

    private final class Origin {
        let source: ValueSource
        let record: ConstantRecord

        init(_ source: ValueSource, _ record: ConstantRecord) {
            self.source = source
            self.record = record
        }
    }

    /// Creates a constant whose value does not depend on the predicate's constants, or only on fixed ones.
    init(_ value: PredicateValue) {
        known = value
        origin = nil
    }

    fileprivate init(_ value: PredicateValue, _ source: ValueSource, _ record: ConstantRecord) {
        known = value
        origin = Origin(source, record)
    }

    /// The value, which becomes part of the shape.
    func fixed() -> PredicateValue {
        if let origin { origin.record.fix(origin.source.constant) }
        return known
    }

    /// The value for a placeholder, with the way to compute it from other constants.
    func binding(_ type: SQLType) -> SQLFragment.Binding {
        SQLFragment.Binding(value: known, type: type, source: origin?.source)
    }

    // MARK: Types, which are always part of the shape

    var isNil: Bool { known.isNil }
    var isNumber: Bool { known.isNumber }
    var isText: Bool { if case .string = known { true } else { false } }
    var isDouble: Bool { if case .double = known { true } else { false } }
    var isArray: Bool { if case .array = known { true } else { false } }
    var isObject: Bool { if case .object = known { true } else { false } }
    var isInteger: Bool { if case .integer = known { true } else { false } }
    var type: SQLType? { SQLType(known) }

    /// The elements of a list; nil for other values. Those that cached SQL does not bind are part of the shape.
    func elements() -> [Constant]? {
        guard let origin, case .array(let elements) = known, origin.source.isWhole, elements.count <= Self.mostElements
        else { return fixed().elements?.map { Constant($0) } }
        let number = origin.source.constant
        return elements.indices.map {
            Constant(elements[$0], ValueSource(constant: number, element: .at($0)), origin.record)
        }
    }

    /// The maximum number of elements that are bound separately in cached SQL.
    private static let mostElements = 64

    /// The elements of a long list of any length, all of one type; nil for other values. Only `json` may use them as a
    /// value.
    var members: [Constant]? {
        guard let origin, case .array(let elements) = known, origin.source.isWhole, elements.count > Self.mostElements,
            elements.allSatisfy({ $0.hasKind(of: elements[0]) })
        else { return nil }
        let source = ValueSource(constant: origin.source.constant, element: .each)
        return elements.map { Constant($0, source, origin.record) }
    }

    /// A long list as one JSON text, if all of its elements were derived by the same steps; else nil.
    func json(of values: [Constant], moreThan limit: Int) -> Constant? {
        guard let origin, let source = values.first?.origin?.source, source.element == .each,
            source.constant == origin.source.constant, values.allSatisfy({ $0.origin?.source == source }),
            let json = deriving(.json(source.steps, moreThan: limit))
        else { return nil }
        origin.record.vary(origin.source.constant)
        return json
    }

    // MARK: Values, which become part of the shape

    /// The text, which becomes part of the shape; nil for a value of another type, which does not. The next functions
    /// do the same for other types.
    func fixedText() -> String? { isText ? fixed().stringValue : nil }

    func fixedInteger() -> Int64? { isInteger ? fixed().exactInteger : nil }

    func fixedDouble() -> Double? {
        guard type == .double, case .double(let number) = fixed() else { return nil }
        return number
    }

    func fixedDecimal() -> DecimalNumber? {
        guard type == .decimal, case .decimal(let number) = fixed() else { return nil }
        return number
    }

    /// A number, or the seconds of a date.
    func fixedNumber() -> Double? {
        let value = fixed()
        return if case .date(let seconds) = value { seconds } else { value.doubleValue }
    }

    // MARK: Tests and derivations, which cached SQL repeats

    /// Whether the constant passes the test. Cached SQL is used only for constants with the same result.
    func satisfies(_ test: ConstantTest) -> Bool {
        let answer = test(known)
        if let origin { origin.record.require(.test(origin.source, test, answer)) }
        return answer
    }

    /// The value derived from the constant; nil if there is none.
    func deriving(_ derivation: Derivation) -> Constant? {
        guard let result = derivation(known) else {
            // For other constants the derivation may succeed.
            _ = fixed()
            return nil
        }
        guard let origin else { return Constant(result) }
        return Constant(result, origin.source.deriving(derivation), origin.record)
    }

    /// -1, 0 or 1 for the order of two constants; nil if they have no order.
    func order(against other: Constant) throws(EvaluationFault) -> Int? {
        let order: Int?
        do throws(EvaluationFault) {
            order = try known.order(against: other.known, for: "BETWEEN")
        } catch {
            (_, _) = (fixed(), other.fixed())
            throw error
        }
        guard let order, let origin, let otherOrigin = other.origin else {
            (_, _) = (fixed(), other.fixed())
            return order
        }
        origin.record.require(.order(origin.source, otherOrigin.source, isDescending: order > 0))
        return order
    }

    /// Removes elements that equal an earlier one. Cached SQL is used only for lists with as many distinct elements.
    static func uniqued(_ constants: [Constant]) -> [Constant] {
        var seen = Set<EqualityKey>(minimumCapacity: constants.count)
        let kept = constants.filter { seen.insert(EqualityKey($0.known)).inserted }
        let origins = constants.compactMap { $0.origin }
        let isFree = origins.count == constants.count && !origins.contains { $0.source.element == .each }
        if isFree, kept.count == constants.count, let record = origins.first?.record {
            if origins.count > 1 { record.require(.distinct(origins.map({ $0.source }))) }
        } else {
            for constant in constants { _ = constant.fixed() }
        }
        return kept
    }
}

extension Constant: Hashable {
    static func == (left: Constant, right: Constant) -> Bool {
        left.known == right.known && left.origin?.source == right.origin?.source
    }

    func hash(into hasher: inout Hasher) { hasher.combine(known) }
}

extension PredicateValue {
    /// Whether both values have the same type. Lists must also have the same number of elements, of the same types.
    func hasKind(of other: PredicateValue) -> Bool {
        switch (self, other) {
        case (.integer, .integer), (.string, .string), (.double, .double), (.bool, .bool), (.date, .date),
            (.null, .null), (.nsNull, .nsNull), (.float, .float), (.decimal, .decimal), (.data, .data), (.uuid, .uuid),
            (.url, .url):
            true
        case (.array(let elements), .array(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.hasKind(of: $1) }
        default: self == other
        }
    }
}

/// The facts about the constants that a compilation has used. Its SQL is valid for all constants with the same facts.
struct ConstantFacts: Sendable, Equatable {
    /// For each numbered constant of the predicate, in tree order, whether the SQL depends on its value.
    fileprivate(set) var isFixed: [Bool] = []
    /// The lists whose length may vary.
    fileprivate(set) var varying: Set<Int> = []
    /// The conditions that other constants must satisfy.
    fileprivate(set) var guards: [ConstantGuard] = []
}

/// Collects the facts during a compilation.
final class ConstantRecord {
    private(set) var facts = ConstantFacts()

    /// Numbers the constants on both sides of the next comparison.
    func number(_ comparison: ComparisonNode) -> (left: Constant?, right: Constant?) {
        guard comparison.hasNumberedConstants else { return (nil, nil) }
        return (number(comparison.left), number(comparison.right))
    }

    private func number(_ side: ExpressionNode) -> Constant? {
        guard let value = side.numberedConstant else { return nil }
        facts.isFixed.append(false)
        return Constant(value, ValueSource(constant: facts.isFixed.count - 1), self)
    }

    fileprivate func fix(_ constant: Int) { facts.isFixed[constant] = true }
    fileprivate func vary(_ constant: Int) { facts.varying.insert(constant) }

    fileprivate func require(_ condition: ConstantGuard) {
        if facts.guards.last != condition { facts.guards.append(condition) }
    }
}

extension ComparisonNode {
    /// Whether constants on its sides are numbered. They are not for operators whose patterns the type checker reads.
    var hasNumberedConstants: Bool {
        switch self.operator {
        case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .beginsWith, .endsWith,
            .contains, .in, .between:
            true
        default: false
        }
    }
}

extension ExpressionNode {
    /// The value if constants of its type are numbered; else nil.
    var numberedConstant: PredicateValue? {
        switch kind {
        case .value(.type), .value(.object), .value(.set), .value(.dictionary): nil
        case .value(let value): value
        default: nil
        }
    }
}
