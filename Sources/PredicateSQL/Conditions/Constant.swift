// A constant of a predicate that knows its position in the tree, so that compiled SQL can be reused for other
// constants. Lowering may read a constant's type, test it, or derive another value from it; cached SQL repeats the
// tests and derivations for new constants (Cache/). Code that reads the value itself makes the value part of the shape,
// because the SQL may depend on it in any way.
import PredicateModel
import PredicateSyntax

struct Constant {
    private let known: PredicateValue
    /// The position in the tree; nil if the value is the same for every predicate of the shape.
    private let place: Place?

    private final class Place {
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
        place = nil
    }

    fileprivate init(_ value: PredicateValue, _ source: ValueSource, _ record: ConstantRecord) {
        known = value
        place = Place(source, record)
    }

    /// The value. Reading it makes it part of the shape.
    var value: PredicateValue {
        if let place { place.record.fix(place.source.constant) }
        return known
    }

    /// The value for a placeholder, with the way to compute it from other constants.
    func binding(_ type: SQLType) -> SQLFragment.Binding {
        SQLFragment.Binding(value: known, type: type, source: place?.source)
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

    /// The elements of a long list of any length, all of one type; nil for other values. Only `json` may use them as a
    /// value.
    var members: [Constant]? {
        guard let place, case .array(let elements) = known, place.source.isWhole, elements.count > Self.mostElements,
            elements.allSatisfy({ $0.hasKind(of: elements[0]) })
        else { return nil }
        let source = ValueSource(constant: place.source.constant, element: .each)
        return elements.map { Constant($0, source, place.record) }
    }

    /// A long list as one JSON text, if all of its elements were derived by the same steps; else nil.
    func json(of values: [Constant], moreThan limit: Int) -> Constant? {
        guard let place, let source = values.first?.place?.source, source.element == .each,
            source.constant == place.source.constant, values.allSatisfy({ $0.place?.source == source }),
            let json = deriving(.json(source.steps, moreThan: limit))
        else { return nil }
        place.record.vary(place.source.constant)
        return json
    }

    // MARK: Values, which reading makes part of the shape

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

    // MARK: Tests and derivations, which cached SQL repeats

    /// Whether the constant passes the test. Cached SQL is used only for constants with the same result.
    func satisfies(_ test: ConstantTest) -> Bool {
        let answer = test(known)
        if let place { place.record.require(.test(place.source, test, answer)) }
        return answer
    }

    /// The value derived from the constant; nil if there is none.
    func deriving(_ derivation: Derivation) -> Constant? {
        guard let result = derivation(known) else {
            // Reads the value to fix it, because for other constants the derivation may succeed.
            _ = value
            return nil
        }
        guard let place else { return Constant(result) }
        return Constant(result, place.source.deriving(derivation), place.record)
    }

    /// -1, 0 or 1 for the order of two constants; nil if they have no order.
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

    /// Removes elements that equal an earlier one. Cached SQL is used only for lists with as many distinct elements.
    static func uniqued(_ constants: [Constant]) -> [Constant] {
        var seen = Set<EqualityKey>(minimumCapacity: constants.count)
        let kept = constants.filter { seen.insert(EqualityKey($0.known)).inserted }
        let places = constants.compactMap { $0.place }
        let isFree = places.count == constants.count && !places.contains { $0.source.element == .each }
        if isFree, kept.count == constants.count, let record = places.first?.record {
            if places.count > 1 { record.require(.distinct(places.map({ $0.source }))) }
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
