// How a bound value is computed from the constants of a predicate, and the conditions that the constants must satisfy.
// The compilation records both (Constant.swift); cached SQL repeats both for other constants (Cache/).

/// The constant from which a bound value is computed, and the steps. A class, because few bindings have a source.
final class ValueSource: Hashable, Sendable {
    /// The number of the constant in the tree.
    let constant: Int
    /// Which elements are used, if the constant is a list.
    let element: Element?
    let steps: [Derivation]

    enum Element: Hashable, Sendable {
        case at(Int)
        /// Each element, so that the list may have any length.
        case each
    }

    init(constant: Int, element: Element? = nil, steps: [Derivation] = []) {
        self.constant = constant
        self.element = element
        self.steps = steps
    }

    static func == (left: ValueSource, right: ValueSource) -> Bool {
        left === right || left.constant == right.constant && left.element == right.element && left.steps == right.steps
    }

    func hash(into hasher: inout Hasher) { hasher.combine(constant) }

    /// Whether it is the unchanged constant.
    var isWhole: Bool { element == nil && steps.isEmpty }

    func deriving(_ step: Derivation) -> ValueSource {
        ValueSource(constant: constant, element: element, steps: steps + [step])
    }

    /// The value for other constants; nil if the computation fails.
    func value(_ constants: [PredicateValue]) -> PredicateValue? {
        guard let element else { return steps.apply(to: constants[constant]) }
        guard case .at(let index) = element, case .array(let elements) = constants[constant], index < elements.count
        else { return nil }
        return steps.apply(to: elements[index])
    }

    /// Whether every value has the property.
    fileprivate func allSatisfy(_ constants: [PredicateValue], _ property: (PredicateValue) -> Bool) -> Bool {
        guard element == .each else { return value(constants).map(property) ?? false }
        guard case .array(let elements) = constants[constant] else { return false }
        return elements.allSatisfy { steps.apply(to: $0).map(property) ?? false }
    }
}

/// A step that computes a value from another one; the result may be nil.
enum Derivation: Hashable, Sendable {
    /// A number as a double without -0.0; nil for NaN and other values.
    case double
    /// A text folded like the values of a folded column.
    case folded(ComparisonOptions)
    /// The smallest text after all texts that begin with this one.
    case successor
    /// Bounds for the index of a column that SQLite compares as a number (NumericColumns.swift).
    case above, below
    /// The bound of an encoded column, as its dialect binds it.
    case stored(Encoding, Order, in: ClosedRange<Int64>, zone: String)
    /// The distinct elements of a list, derived by these steps, as JSON; nil if there are at most `limit`.
    case json([Derivation], moreThan: Int)

    func callAsFunction(_ value: PredicateValue) -> PredicateValue? {
        switch (self, value) {
        case (.double, _):
            // Adding 0 converts -0.0 to 0.0.
            value.doubleValue.flatMap { $0.isNaN ? nil : .double($0 + 0) }
        case (.folded(let options), .string(let text)): .string(options.folded(text))
        case (.successor, .string(let text)): TextBound.successor(text).map(PredicateValue.string)
        case (.above, .string(let text)): .string(TextBound.above(text))
        case (.below, .string(let text)): .string(TextBound.below(text))
        case (.stored(let encoding, let order, let range, let zone), _):
            encoding.bound(order, value, in: range).map { encoding.binding($0, zone: zone) }
        case (.json(let steps, let limit), .array(let elements)): Self.json(elements, steps, moreThan: limit)
        default: nil
        }
    }

    private static func json(
        _ elements: [PredicateValue], _ steps: [Derivation], moreThan limit: Int
    ) -> PredicateValue? {
        var values: [PredicateValue] = []
        for element in elements {
            guard let value = steps.apply(to: element) else { return nil }
            values.append(value)
        }
        values = values.uniqued()
        return values.count > limit ? JSONList.text(values).map(PredicateValue.string) : nil
    }
}

extension [Derivation] {
    fileprivate func apply(to value: PredicateValue) -> PredicateValue? {
        var value = value
        for step in self {
            guard let next = step(value) else { return nil }
            value = next
        }
        return value
    }
}

/// A test of a constant that affects the SQL.
enum ConstantTest: Hashable, Sendable {
    /// Whether a text has U+0000.
    case holdsNUL
    /// Whether a text is empty, or its fold is.
    case vanishes(ComparisonOptions)
    case isNaN, isFinite
    /// Whether a number's absolute value is less.
    case isSmaller(than: Double)

    func callAsFunction(_ value: PredicateValue) -> Bool {
        switch (self, value) {
        case (.holdsNUL, .string(let text)), (.holdsNUL, .url(let text)): text.utf8.contains(0)
        case (.vanishes(let options), .string(let text)):
            text.isEmpty || !options.isEmpty && options.folded(text).isEmpty
        case (.isNaN, .date(let seconds)): seconds.isNaN
        case (.isNaN, _): value.doubleValue?.isNaN ?? false
        case (.isFinite, .date(let seconds)): seconds.isFinite
        case (.isFinite, _): value.doubleValue?.isFinite ?? false
        case (.isSmaller(let limit), _): value.doubleValue.map { abs($0) < limit } ?? false
        default: false
        }
    }
}

/// A condition that the constants of a predicate must satisfy to reuse the SQL.
enum ConstantGuard: Hashable, Sendable {
    case test(ValueSource, ConstantTest, Bool)
    /// Two values have an order, and the first is greater if `isDescending`.
    case order(ValueSource, ValueSource, isDescending: Bool)
    /// No two values are equal.
    case distinct([ValueSource])

    func holds(_ constants: [PredicateValue]) -> Bool {
        switch self {
        case .test(let source, let test, let answer):
            return source.allSatisfy(constants) { test($0) == answer }
        case .order(let one, let other, let isDescending):
            guard let one = one.value(constants), let other = other.value(constants),
                let order = try? one.order(against: other, for: "BETWEEN")
            else { return false }
            return (order > 0) == isDescending
        case .distinct(let sources):
            var seen = Set<EqualityKey>(minimumCapacity: sources.count)
            return sources.allSatisfy { $0.value(constants).map { seen.insert(EqualityKey($0)).inserted } ?? false }
        }
    }
}
