// The classes of values for which a comparison has the same possible results.

/// Classes of values. Together they are all values that a key may have.
struct ValueClasses: OptionSet {
    let rawValue: UInt16

    static let null = ValueClasses(rawValue: 1)
    /// Numbers except NaN.
    static let number = ValueClasses(rawValue: 2)
    static let notANumber = ValueClasses(rawValue: 4)
    static let text = ValueClasses(rawValue: 8)
    /// Dates except the one that is NaN.
    static let date = ValueClasses(rawValue: 16)
    static let notADate = ValueClasses(rawValue: 32)
    static let uuid = ValueClasses(rawValue: 64)
    /// Arrays, sets and dictionaries.
    static let collection = ValueClasses(rawValue: 128)
    /// Data, URLs and objects, which have no order.
    static let other = ValueClasses(rawValue: 256)
    /// Reading the key fails.
    static let unreadable = ValueClasses(rawValue: 512)
    static let readable = ValueClasses(rawValue: 511)

    /// Each class alone.
    var each: [ValueClasses] {
        (0..<10).map { ValueClasses(rawValue: 1 << $0) }.filter { contains($0) }
    }

    /// The class of a value.
    init(of value: PredicateValue) {
        switch value {
        case .null, .nsNull: self = .null
        case .string: self = .text
        case .date(let seconds): self = seconds.isNaN ? .notADate : .date
        case .uuid: self = .uuid
        case .array, .set, .dictionary: self = .collection
        default: self = value.isNumber ? value.isNaN ? .notANumber : .number : .other
        }
    }

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The classes of the values of a type.
    init(of type: ExpressionType) {
        switch type.kind {
        case .any: self = .readable
        case .null: self = .null
        case .boolean, .integer, .decimal: self = .number
        case .double, .number: self = [.number, .notANumber]
        case .string: self = .text
        case .date: self = [.date, .notADate]
        case .uuid: self = .uuid
        case .data, .url: self = .other
        case .entity: self = [.collection, .other]
        case .collection: self = .collection
        }
        if type.isOptional { insert(.null) }
    }
}

extension TypeChecker {
    /// Whether doubles and dates may be NaN: properties of Swift types may, attributes of a store only where the schema
    /// allows it.
    var allowsNaN: Bool {
        !reportsTypes || schema.describesTypes || schema.entities.contains { $0.attributes.contains { $0.allowsNaN } }
    }

    func classes(of type: ExpressionType) -> ValueClasses {
        ValueClasses(of: type).subtracting(allowsNaN ? [] : [.notANumber, .notADate])
    }
}

extension ValueClasses {
    /// The results of a comparison of a value with itself.
    func outcomes(ofItself order: Order) -> Outcomes {
        each.reduce([]) { $0.union($1.outcomes(ofOneClass: order)) }
    }

    private func outcomes(ofOneClass order: Order) -> Outcomes {
        let isEquality = order == .equal || order == .different
        let holds = order == .equal || order == .lessOrEqual || order == .greaterOrEqual
        switch self {
        case .null, .number, .text, .date, .uuid: return Outcomes(holds)
        // NaN equals nothing and has no order.
        case .notANumber, .notADate: return Outcomes(order == .different)
        case .unreadable: return .raised
        // A list may contain NaN, and an object of the app decides itself.
        default: return isEquality ? .answers : .raised
        }
    }
}

extension KeyCondition {
    /// The results that the test of a value, or of an element, may have for values of one class.
    /// - Parameter mayReachLimit: whether matching a pattern may take too long.
    func outcomes(for kind: ValueClasses, mayReachLimit: Bool) -> Outcomes {
        let outcomes = testOutcomes(for: kind, mayReachLimit: mayReachLimit)
        return isNegated ? outcomes.negated : outcomes
    }

    private func testOutcomes(for kind: ValueClasses, mayReachLimit: Bool) -> Outcomes {
        if kind == .unreadable { return .raised }
        if kind == .null { return test == .isNil ? .true : .false }
        /// The results of a comparison by order with constants.
        func ordered(_ constant: PredicateValue) -> Outcomes {
            switch (ValueClasses(of: constant), kind) {
            case (.number, .number), (.text, .text), (.date, .date), (.uuid, .uuid): .answers
            case (.number, .notANumber), (.notANumber, .notANumber), (.notANumber, .number): .false
            case (.date, .notADate), (.notADate, .notADate), (.notADate, .date): .false
            default: .raised
            }
        }
        switch test {
        case .isNil: return .false
        case .members(let list): return list.contains { ValueClasses(of: $0) == kind } ? .answers : .false
        case .order(_, let constant): return ordered(constant)
        case .range(let low, let high):
            let both = ordered(low).union(ordered(high))
            return both.contains(.raised) ? .raised : both
        // An empty text is found nowhere.
        case .text("", _), .part(""), .pattern(_, ""): return kind == .text ? .false : .raised
        case .text, .part: return kind == .text ? .answers : .raised
        case .pattern(.like, let pattern) where kind == .text && pattern.allSatisfy({ $0 == "*" }): return .true
        case .pattern: return kind == .text ? mayReachLimit ? .all : .answers : .raised
        case .contains(let constant):
            if kind == .text {
                guard case .string(let text) = constant else { return .raised }
                return text.isEmpty ? .false : .answers
            }
            return kind == .collection ? .answers : .raised
        }
    }

    /// The condition of the elements of ANY or ALL, or of the key itself.
    var ofElement: KeyCondition { KeyCondition(key, test, isNegated: isNegated, options: options) }

    /// The constants of the test.
    package var constants: [PredicateValue] {
        switch test {
        case .isNil: []
        case .members(let list): list
        case .order(_, let constant), .contains(let constant): [constant]
        case .range(let low, let high): [low, high]
        case .text(let text, _), .part(let text), .pattern(_, let text): [.string(text)]
        }
    }
}
