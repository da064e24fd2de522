// The operators of rows, with the names that stored filters have, and the table of their conditions. EditorWords.swift
// has their words.

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
        guard let form, form.ignores else { return self }
        let letters = ComparisonOptions.letters.filter { options.contains($0.option) }
        return EditorOperator(rawValue: form.base.rawValue + String(letters.map { $0.letter }).uppercased())
    }
}

extension EditorOperator {
    /// An operator as a condition, from which rows become predicates and predicates rows.
    struct Form: Sendable {
        let base: EditorOperator
        let operands: Operands
        /// The fields that can have it.
        let kinds: [EditorField.Kind]
        /// The condition, with the keys `key` and `value` in place of those of a row.
        let template: PredicateNode
        /// Whether it may ignore case and diacritics.
        let ignores: Bool

        init(_ base: EditorOperator, _ text: String, _ operands: Operands, _ kinds: [EditorField.Kind]) {
            (self.base, self.operands, self.kinds) = (base, operands, kinds)
            template = FormatParser.predicate(text, options: EditorFields.language).tree.movingSpans { _ in .none }
            let ignoring: [ComparisonOperator] = [.equal, .notEqual, .contains, .beginsWith, .endsWith]
            ignores = operands == .one && template.comparison.map { ignoring.contains($0.node.operator) } ?? false
        }

        /// The condition for a key and a value.
        func condition(
            _ key: ExpressionNode, _ value: ExpressionNode, _ options: ComparisonOptions
        ) -> PredicateNode {
            let rewriter = PredicateRewriter<Never>(
                predicate: { node in
                    guard !options.isEmpty, case .comparison(var comparison) = node.kind else { return node }
                    comparison.options = options
                    return PredicateNode(.comparison(comparison))
                },
                expression: { node in
                    guard case .keyPath(let keys) = node.kind else { return node }
                    switch keys[0] {
                    case "key": return keys.dropFirst().reduce(key) { $0.appending($1) }
                    case "value": return value
                    default: return node
                    }
                })
            return rewriter.rewrite(template)
        }
    }

    /// All operators in the order of menus.
    static let forms: [Form] = {
        let (texts, dates): ([EditorField.Kind], [EditorField.Kind]) = ([.text], [.date, .dateTime])
        let ordered = texts + [.integer, .number, .decimal] + dates
        let listed = ordered + [.uuid, .url]
        let compared = listed + [.boolean]
        let all = EditorField.Kind.allCases
        // From the beginning of a day: a list that is open does not lose entries from hour to hour, and a date without
        // a time counts as its day. Finder's searches have the same bounds.
        let (last, next) = ("key BETWEEN {today() - value, now()}", "key BETWEEN {today(), now() + value}")
        let week = """
            (key >= today() - days(6) AND key < today() + days(1) AND key.weekday <= today().weekday) OR \
            (key >= today() + days(1) AND key < today() + days(7) AND key.weekday > today().weekday)
            """
        return [
            Form(.contains, "key CONTAINS value", .one, texts),
            Form(.doesNotContain, "NOT key CONTAINS value", .one, texts),
            Form(.beginsWith, "key BEGINSWITH value", .one, texts),
            Form(.doesNotBeginWith, "NOT key BEGINSWITH value", .one, texts),
            Form(.endsWith, "key ENDSWITH value", .one, texts),
            Form(.doesNotEndWith, "NOT key ENDSWITH value", .one, texts),
            Form(.equal, "key == value", .one, compared),
            Form(.notEqual, "key != value", .one, compared),
            Form(.less, "key < value", .one, ordered),
            Form(.lessOrEqual, "key <= value", .one, ordered),
            Form(.greater, "key > value", .one, ordered),
            Form(.greaterOrEqual, "key >= value", .one, ordered),
            Form(.between, "key BETWEEN value", .bounds, ordered),
            Form(.notBetween, "NOT key BETWEEN value", .bounds, ordered),
            Form(.isIn, "key IN value", .list, listed),
            Form(.isNotIn, "NOT key IN value", .list, listed),
            Form(.inTheLast, last, .period, dates),
            Form(.notInTheLast, "NOT " + last, .period, dates),
            Form(.inTheNext, next, .period, dates),
            Form(.notInTheNext, "NOT " + next, .period, dates),
            Form(.today, "key >= today() AND key < today() + days(1)", .none, dates),
            Form(.thisWeek, week, .none, dates),
            Form(.thisMonth, "key.year == today().year AND key.month == today().month", .none, dates),
            Form(.thisYear, "key.year == today().year", .none, dates),
            Form(.isSet, "key != nil", .none, all),
            Form(.isNotSet, "key == nil", .none, all),
        ]
    }()

    private static let formsByName = Dictionary(uniqueKeysWithValues: forms.map { ($0.base.rawValue, $0) })

    /// The form of the name without the letters of its options, and the options.
    private var split: (form: Form?, options: ComparisonOptions) {
        var (name, options) = (rawValue[...], ComparisonOptions())
        for (letter, option) in ComparisonOptions.letters.prefix(2).reversed() where name.hasSuffix(letter.uppercased())
        {
            (name, options) = (name.dropLast(), options.union(option))
        }
        let form = Self.formsByName[String(name)]
        return options.isEmpty || form?.ignores == true ? (form, options) : (nil, [])
    }

    /// nil for an unknown operator and for `predicate`.
    var form: Form? { split.form }

    /// The operator without options.
    var base: EditorOperator { form?.base ?? self }

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

    /// All of them, those with a number with the given one.
    static func cases(_ count: Int) -> [EditorQuantifier] {
        [.any, .all, .none, .atLeast(count), .atMost(count), .exactly(count)]
    }

    /// Its `mode` in stored filters, its number, and how the count of elements is compared with it, or else with 0.
    var form: (name: String, threshold: Int?, comparison: ComparisonOperator) {
        switch self {
        case .any: ("some", nil, .greaterThan)
        case .all: ("all", nil, .equal)
        case .none: ("none", nil, .greaterThan)
        case .atLeast(let count): ("atLeast", count, .greaterThanOrEqual)
        case .atMost(let count): ("atMost", count, .lessThanOrEqual)
        case .exactly(let count): ("exactly", count, .equal)
        }
    }

    /// Whether a sentence is about several elements: `all of Tags are …`.
    var isPlural: Bool {
        switch self {
        case .any, .none: false
        case .all: true
        case .atLeast(let count), .atMost(let count), .exactly(let count): count != 1
        }
    }

    init?(name: String, threshold: Int?) {
        guard let found = Self.cases(threshold ?? 0).first(where: { $0.form.name == name }),
            found.form.threshold == nil || threshold != nil
        else { return nil }
        self = found
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
        guard case .dictionary(let parts) = value, let count = parts["n"].flatMap({ Int($0.text) }),
            let unit = parts["unit"]?.stringValue.flatMap(Unit.init(rawValue:))
        else { return nil }
        self.init(count, unit)
    }
}
