// The operators of rows, with the names that stored filters have. RowConditions.swift has their trees,
// EditorWords.swift their words.
public import PredicateSyntax

/// The operator of a row. Its raw value is its name in stored filters.
///
/// The first 18 are the default operators of react-querybuilder. An operator for texts may ignore case (`C`),
/// diacritics (`D`) or both: `EditorOperator.contains.ignoring([.caseInsensitive])` has the name `containsC`. A name
/// that is not known is kept, and its row has a problem.
public struct EditorOperator: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    public static let equal: EditorOperator = "="
    public static let notEqual: EditorOperator = "!="
    public static let less: EditorOperator = "<"
    public static let greater: EditorOperator = ">"
    public static let lessOrEqual: EditorOperator = "<="
    public static let greaterOrEqual: EditorOperator = ">="
    public static let contains: EditorOperator = "contains"
    public static let beginsWith: EditorOperator = "beginsWith"
    public static let endsWith: EditorOperator = "endsWith"
    public static let doesNotContain: EditorOperator = "doesNotContain"
    public static let doesNotBeginWith: EditorOperator = "doesNotBeginWith"
    public static let doesNotEndWith: EditorOperator = "doesNotEndWith"
    /// The value is nil.
    public static let isNotSet: EditorOperator = "null"
    /// The value is not nil.
    public static let isSet: EditorOperator = "notNull"
    public static let isIn: EditorOperator = "in"
    public static let isNotIn: EditorOperator = "notIn"
    public static let between: EditorOperator = "between"
    public static let notBetween: EditorOperator = "notBetween"

    // Texts without regard to case and diacritics, which is what people expect.
    public static let equalCD: EditorOperator = "=CD"
    public static let notEqualCD: EditorOperator = "!=CD"
    public static let containsCD: EditorOperator = "containsCD"
    public static let beginsWithCD: EditorOperator = "beginsWithCD"
    public static let endsWithCD: EditorOperator = "endsWithCD"
    public static let doesNotContainCD: EditorOperator = "doesNotContainCD"

    // Dates relative to the clock of the run. The value of the first four is an `EditorPeriod`.
    public static let inTheLast: EditorOperator = "inTheLast"
    public static let notInTheLast: EditorOperator = "notInTheLast"
    public static let inTheNext: EditorOperator = "inTheNext"
    public static let notInTheNext: EditorOperator = "notInTheNext"
    public static let today: EditorOperator = "today"
    /// Monday to Sunday.
    public static let thisWeek: EditorOperator = "thisWeek"
    public static let thisMonth: EditorOperator = "thisMonth"
    public static let thisYear: EditorOperator = "thisYear"

    /// A condition that no row can show. The row's value is the text of the predicate.
    public static let predicate: EditorOperator = "predicate"

    /// What a row with an operator needs as its value, for the choice of a control.
    public enum Operands: Sendable, Hashable {
        /// No value: `isSet`, `today`.
        case none
        /// One value.
        case one
        /// At least one value: `isIn`.
        case list
        /// The lower and the upper bound, which are included: `between`.
        case bounds
        /// An `EditorPeriod`: `inTheLast`.
        case period
    }

    /// The value that a row with this operator needs.
    public var operands: Operands { form?.operands ?? .one }

    /// The operator that ignores case or diacritics of texts; the same operator if it does not compare texts.
    public func ignoring(_ options: ComparisonOptions) -> EditorOperator {
        guard base.form?.ignores == true else { return self }
        let letters = ComparisonOptions.letters.filter { options.contains($0.option) }
        return EditorOperator(rawValue: base.rawValue + String(letters.map { $0.letter }).uppercased())
    }
}

extension EditorOperator {
    /// The operator of the language for a name.
    struct Form: Sendable {
        let base: EditorOperator
        let comparison: ComparisonOperator
        var isNegated = false
        var operands = Operands.one
        /// Whether it may ignore case and diacritics.
        var ignores = false
        /// The tree for an operator that is no comparison with a constant. The key is `date`, and `#` a step.
        var template: String?
    }

    static let forms: [Form] = [
        Form(base: .equal, comparison: .equal, ignores: true),
        Form(base: .notEqual, comparison: .notEqual, ignores: true),
        Form(base: .less, comparison: .lessThan),
        Form(base: .greater, comparison: .greaterThan),
        Form(base: .lessOrEqual, comparison: .lessThanOrEqual),
        Form(base: .greaterOrEqual, comparison: .greaterThanOrEqual),
        Form(base: .contains, comparison: .contains, ignores: true),
        Form(base: .beginsWith, comparison: .beginsWith, ignores: true),
        Form(base: .endsWith, comparison: .endsWith, ignores: true),
        Form(base: .doesNotContain, comparison: .contains, isNegated: true, ignores: true),
        Form(base: .doesNotBeginWith, comparison: .beginsWith, isNegated: true, ignores: true),
        Form(base: .doesNotEndWith, comparison: .endsWith, isNegated: true, ignores: true),
        Form(base: .isNotSet, comparison: .equal, operands: .none),
        Form(base: .isSet, comparison: .notEqual, operands: .none),
        Form(base: .isIn, comparison: .in, operands: .list),
        Form(base: .isNotIn, comparison: .in, isNegated: true, operands: .list),
        Form(base: .between, comparison: .between, operands: .bounds),
        Form(base: .notBetween, comparison: .between, isNegated: true, operands: .bounds),
        Form(base: .inTheLast, comparison: .between, operands: .period, template: last),
        Form(base: .notInTheLast, comparison: .between, isNegated: true, operands: .period, template: "NOT " + last),
        Form(base: .inTheNext, comparison: .between, operands: .period, template: next),
        Form(base: .notInTheNext, comparison: .between, isNegated: true, operands: .period, template: "NOT " + next),
        Form(
            base: .today, comparison: .equal, operands: .none,
            template: "date >= today() AND date < today() + days(1)"),
        Form(
            base: .thisWeek, comparison: .equal, operands: .none,
            template: """
                (date >= today() - days(6) AND date < today() + days(1) AND date.weekday <= today().weekday) OR \
                (date >= today() + days(1) AND date < today() + days(7) AND date.weekday > today().weekday)
                """),
        Form(
            base: .thisMonth, comparison: .equal, operands: .none,
            template: "date.year == today().year AND date.month == today().month"),
        Form(base: .thisYear, comparison: .equal, operands: .none, template: "date.year == today().year"),
    ]

    // From the beginning of a day: a list that is open does not lose entries from hour to hour, and a date without a
    // time counts as its day. Finder's searches have the same bounds.
    private static let last = "date BETWEEN {today() - #, now()}"
    private static let next = "date BETWEEN {today(), now() + #}"

    private static let formsByName = Dictionary(uniqueKeysWithValues: forms.map { ($0.base.rawValue, $0) })

    /// nil for an unknown operator and for `predicate`.
    var form: Form? { Self.formsByName[base.rawValue] }

    private var split: (name: Substring, options: ComparisonOptions) {
        var (name, options) = (rawValue[...], ComparisonOptions())
        for (letter, option) in ComparisonOptions.letters.prefix(2).reversed() where name.hasSuffix(letter.uppercased())
        {
            (name, options) = (name.dropLast(), options.union(option))
        }
        return Self.formsByName[String(name)]?.ignores == true ? (name, options) : (rawValue[...], [])
    }

    /// The operator without options.
    var base: EditorOperator { EditorOperator(rawValue: String(split.name)) }

    /// What the operator ignores in texts.
    public var options: ComparisonOptions { split.options }
}

/// How many elements of a to-many field a row needs.
public enum EditorQuantifier: Sendable, Hashable {
    /// At least one element. The quantifier of a row on a to-many field that has none.
    case any
    /// All elements, also if there are none.
    case all
    case none
    case atLeast(Int)
    case atMost(Int)
    case exactly(Int)

    /// Its `mode` in stored filters.
    var name: String {
        switch self {
        case .any: "some"
        case .all: "all"
        case .none: "none"
        case .atLeast: "atLeast"
        case .atMost: "atMost"
        case .exactly: "exactly"
        }
    }

    var threshold: Int? {
        switch self {
        case .any, .all, .none: nil
        case .atLeast(let count), .atMost(let count), .exactly(let count): count
        }
    }

    init?(name: String, threshold: Int?) {
        switch (name, threshold) {
        case ("some", _): self = .any
        case ("all", _): self = .all
        case ("none", _): self = .none
        case ("atLeast", let count?): self = .atLeast(count)
        case ("atMost", let count?): self = .atMost(count)
        case ("exactly", let count?): self = .exactly(count)
        default: return nil
        }
    }
}

/// The value of `inTheLast` and `inTheNext`: a number of days, weeks, months or years.
///
/// *In the last 7 days* is from the beginning of the day 7 days ago until now, as in Finder's searches: today and the 7
/// days before. *In the next 7 days* is from the beginning of today until this time 7 days from now, so a due date
/// without a time counts on its day. Months and years are those of the calendar.
public struct EditorPeriod: Sendable, Hashable {
    public enum Unit: String, Sendable, Hashable, CaseIterable { case days, weeks, months, years }

    public var count: Int
    public var unit: Unit

    public init(_ count: Int, _ unit: Unit) {
        self.count = count
        self.unit = unit
    }

    /// The form in stored filters: `{"n": 7, "unit": "days"}`.
    public var value: PredicateValue {
        .dictionary(ValueDictionary([("n", .integer(Int64(count))), ("unit", .string(unit.rawValue))]))
    }

    /// A century is enough, and its steps never leave the calendar.
    static let counts = 1...36_525

    /// nil for a value of another form.
    public init?(_ value: PredicateValue) {
        guard case .dictionary(let parts) = value, case .string(let name)? = parts["unit"],
            let unit = Unit(rawValue: name)
        else { return nil }
        switch parts["n"] {
        case .integer(let count)?: self.init(Int(clamping: count), unit)
        case .string(let text)?:
            guard let count = Int(text) else { return nil }
            self.init(count, unit)
        default: return nil
        }
    }
}
