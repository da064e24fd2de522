// A constant of a predicate that knows its place, so that compiled SQL can be used again for other constants.
// Lowering may ask for a constant's kind, test it, or derive another value from it: cached SQL repeats the tests
// and the derivations for new constants (Cache/). Whoever reads the value itself makes it a part
// of the shape, because the SQL may depend on it in any way.
import PredicateModel
import PredicateSyntax

struct Constant {
    private let known: PredicateValue
    /// nil if the value is the same for every predicate of the shape.
    private let place: Place?

    private final class Place {
        let source: ValueSource
        let record: ConstantRecord

        init(_ source: ValueSource, _ record: ConstantRecord) {
            self.source = source
            self.record = record
        }
    }

    /// A value that does not depend on the predicate's constants, or on none that may vary.
    init(_ value: PredicateValue) {
        known = value
        place = nil
    }

    /// The constant with a number in the tree.
    init(_ value: PredicateValue, number: Int, _ record: ConstantRecord) {
        self.init(value, ValueSource(constant: number), record)
    }

    private init(_ value: PredicateValue, _ source: ValueSource, _ record: ConstantRecord) {
        known = value
        place = Place(source, record)
    }

    /// The value. Reading it makes it a part of the shape.
    var value: PredicateValue {
        if let place { place.record.fix(place.source.constant) }
        return known
    }

    /// The value for a placeholder, and how to compute it for other constants.
    func binding(_ type: SQLType) -> SQLFragment.Binding {
        SQLFragment.Binding(value: known, type: type, source: place?.source)
    }

    // MARK: Kinds, which are always a part of the shape

    var isNil: Bool { known.isNil }
    var isNumber: Bool { known.isNumber }
    var isText: Bool { if case .string = known { true } else { false } }
    var isDate: Bool { if case .date = known { true } else { false } }
    var isDouble: Bool { if case .double = known { true } else { false } }
    var isArray: Bool { if case .array = known { true } else { false } }
    var isObject: Bool { if case .object = known { true } else { false } }
    var isInteger: Bool { if case .integer = known { true } else { false } }
    var type: SQLType? { SQLType(known) }

    /// The elements of a list; nil for other values.
    var elements: [Constant]? {
        guard let place, case .array(let elements) = known, place.source.isWhole, elements.count <= Self.mostElements
        else { return value.elements?.map { Constant($0) } }
        let number = place.source.constant
        return elements.indices.map {
            Constant(elements[$0], ValueSource(constant: number, element: .at($0)), place.record)
        }
    }

    /// The maximum number of elements that are bound separately in cached SQL.
    private static let mostElements = 64

    /// The elements of a long list of any length, all of one kind; nil for other values. Only `json` makes a value of
    /// them.
    var members: [Constant]? {
        guard let place, case .array(let elements) = known, place.source.isWhole, elements.count > Self.mostElements,
            elements.allSatisfy({ $0.hasKind(of: elements[0]) })
        else { return nil }
        let source = ValueSource(constant: place.source.constant, element: .each)
        return elements.map { Constant($0, source, place.record) }
    }

    /// A long list as one JSON text, if each of its members became one of the values by the same steps; else nil.
    func json(of values: [Constant], moreThan limit: Int) -> Constant? {
        guard let place, let source = values.first?.place?.source, source.element == .each,
            source.constant == place.source.constant, values.allSatisfy({ $0.place?.source == source }),
            let json = deriving(.json(source.steps, moreThan: limit))
        else { return nil }
        place.record.vary(place.source.constant)
        return json
    }

    // MARK: Values, which become a part of the shape by reading

    /// The text; nil for other values.
    var text: String? {
        guard isText, case .string(let text) = value else { return nil }
        return text
    }

    var integer: Int64? {
        guard isInteger, case .integer(let number) = value else { return nil }
        return number
    }

    var double: Double? {
        guard type == .double, case .double(let number) = value else { return nil }
        return number
    }

    var decimal: DecimalNumber? {
        guard type == .decimal, case .decimal(let number) = value else { return nil }
        return number
    }

    /// A number, or the seconds of a date.
    var number: Double? { if case .date(let seconds) = value { seconds } else { value.doubleValue } }

    // MARK: Decisions that cached SQL repeats

    /// Whether the constant passes the test. Cached SQL is used only for constants with the same answer.
    func satisfies(_ test: ConstantTest) -> Bool {
        let answer = test(known)
        if let place { place.record.require(.test(place.source, test, answer)) }
        return answer
    }

    /// The value that follows from the constant; nil if there is none.
    func deriving(_ derivation: Derivation) -> Constant? {
        guard let result = derivation(known) else {
            // Other constants may have a value here.
            _ = value
            return nil
        }
        guard let place else { return Constant(result) }
        return Constant(result, place.source.deriving(derivation), place.record)
    }

    /// Whether two constants are in ascending order, 0 if they are equal; nil if they have no order.
    func order(against other: Constant) throws(EvaluationFault) -> Int? {
        let order: Int?
        do throws(EvaluationFault) {
            order = try known.order(against: other.known, for: "BETWEEN")
        } catch {
            (_, _) = (value, other.value)
            throw error
        }
        guard let order, let place, let otherPlace = other.place else {
            (_, _) = (value, other.value)
            return order
        }
        place.record.require(.order(place.source, otherPlace.source, isDescending: order > 0))
        return order
    }

    /// Without the elements that equal an earlier one. Cached SQL is used only for lists with as many elements.
    static func uniqued(_ constants: [Constant]) -> [Constant] {
        var seen = Set<EqualityKey>(minimumCapacity: constants.count)
        let kept = constants.filter { seen.insert(EqualityKey($0.known)).inserted }
        let places = constants.compactMap(\.place)
        let isFree = places.count == constants.count && !places.contains { $0.source.element == .each }
        if isFree, kept.count == constants.count, let record = places.first?.record {
            if places.count > 1 { record.require(.distinct(places.map(\.source))) }
        } else {
            for constant in constants { _ = constant.value }
        }
        return kept
    }
}

extension Constant: Hashable {
    static func == (left: Constant, right: Constant) -> Bool {
        left.known == right.known && left.place?.source == right.place?.source
    }

    func hash(into hasher: inout Hasher) { hasher.combine(known) }
}

extension PredicateValue {
    /// Whether both are of one type: lists if they have as many elements, of the same kinds.
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

/// What a compilation has asked of the constants.
final class ConstantRecord {
    /// For each numbered constant of the predicate, in the order of the tree, whether the SQL depends on its value.
    private(set) var isFixed: [Bool] = []
    /// The lists that may have any length.
    private(set) var varying: Set<Int> = []
    /// What other constants must satisfy.
    private(set) var guards: [ConstantGuard] = []

    /// Numbers the constants on the sides of the next comparison.
    func number(_ comparison: ComparisonNode) -> (left: Constant?, right: Constant?) {
        guard comparison.hasNumberedConstants else { return (nil, nil) }
        return (number(comparison.left), number(comparison.right))
    }

    private func number(_ side: ExpressionNode) -> Constant? {
        guard let value = side.numberedConstant else { return nil }
        isFixed.append(false)
        return Constant(value, number: isFixed.count - 1, self)
    }

    fileprivate func fix(_ constant: Int) { isFixed[constant] = true }
    fileprivate func vary(_ constant: Int) { varying.insert(constant) }

    fileprivate func require(_ condition: ConstantGuard) {
        if guards.last != condition { guards.append(condition) }
    }
}

extension ComparisonNode {
    /// Whether constants on its sides are numbered. The type checker reads the patterns of the other operators.
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
    /// The constant, if constants of this kind are numbered.
    var numberedConstant: PredicateValue? {
        switch kind {
        case .value(.type), .value(.object), .value(.set), .value(.dictionary): nil
        case .value(let value): value
        default: nil
        }
    }
}
