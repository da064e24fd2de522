// The words of filters: names of operators on screens, sentences, problems. EditorSentence.swift puts them together.

/// The words for filters in a language.
///
///     var words = EditorWords.english
///     words["containsCD"] = "has"
///     filter.sentence(fields, words)    // Title has 'swift'
///
/// `english` and `german` are complete; for another language replace all words of `english`. `{field}`, `{value}` and
/// other names in braces are replaced by parts of the sentence, in any order.
public struct EditorWords: Sendable {
    /// The words by their names. An operator has its raw value as its name.
    public var words: [String: String]
    /// Writes a value, such as a date in the person's locale; nil for values that are written as usual.
    public var format: @Sendable (EditorField, PredicateValue) -> String? = { _, _ in nil }

    /// Creates a catalogue from words by their names, which are those of `english`.
    public init(_ words: [String: String]) { self.words = words }

    /// The words with a name. A missing one is that of `english`.
    public subscript(name: String) -> String {
        get { words[name] ?? Self.english.words[name] ?? name }
        set { words[name] = newValue }
    }

    /// The name of an operator, for a menu.
    ///
    ///     EditorWords.english.name(of: .inTheLast, for: field)    // in the last
    public func name(of operator: EditorOperator, for field: EditorField) -> String {
        name(of: `operator`, for: field, isPlural: false)
    }

    /// - Parameter isPlural: whether it is said of several values: `all of Tags are exactly …`. A catalogue may have no such
    ///   words.
    func name(of operator: EditorOperator, for field: EditorField, isPlural: Bool) -> String {
        func word(_ name: String) -> String? { (isPlural ? words["plural " + name] : nil) ?? words[name] }
        let (raw, base) = (`operator`.rawValue, `operator`.base.rawValue)
        let isDate = field.kind == .date || field.kind == .dateTime
        if isDate, let name = word("date " + raw) { return name }
        if !`operator`.options.isEmpty { return words[raw] ?? word(base) ?? self[base] }
        let name = word(raw) ?? self[raw]
        let isExact = `operator`.form?.ignores == true && field.kind == .text && field.choices.isEmpty
        return isExact ? filled("exactly", ["operator": name]) : name
    }

    /// The name of a quantifier, for a menu: `any of`.
    public func name(of quantifier: EditorQuantifier) -> String {
        let (name, threshold, _) = quantifier.form
        return filled(name == "exactly" ? "exactly of" : name, ["count": "\(threshold ?? 0)"])
    }

    /// The name of a unit of time, for a menu: `days`, and `day` for one.
    public func name(of unit: EditorPeriod.Unit, count: Int = 2) -> String {
        self[count == 1 ? "one " + unit.rawValue : unit.rawValue]
    }

    /// The words with their parts.
    func filled(_ name: String, _ parts: [String: String]) -> String {
        var text = ""
        var rest = self[name][...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            text += rest[..<open]
            text += parts[String(rest[rest.index(after: open)..<close])] ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    public static let english = EditorWords(column: 1)
    public static let german = EditorWords(column: 2)

    private init(column: Int) {
        let rows = Self.table.split(separator: "\n").map { $0.split(separator: "|").map { String($0.trimmingSpaces) } }
        self.init(Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[column]) }))
    }

    /// The name, English and German. A name that begins with `date` is that of an operator for dates; `plural` is said of
    /// several values, `next` of a time to come, and `sentence` is a whole row with this operator.
    private static let table = """
        = | is | ist
        != | is not | ist nicht
        < | is less than | ist kleiner als
        <= | is at most | ist höchstens
        > | is greater than | ist größer als
        >= | is at least | ist mindestens
        date < | is before | ist vor dem
        date <= | is on or before | ist spätestens am
        date > | is after | ist nach dem
        date >= | is on or after | ist frühestens am
        contains | contains | enthält
        doesNotContain | does not contain | enthält nicht
        beginsWith | begins with | beginnt mit
        doesNotBeginWith | does not begin with | beginnt nicht mit
        endsWith | ends with | endet mit
        doesNotEndWith | does not end with | endet nicht mit
        exactly | {operator} exactly | {operator} genau
        null | is not set | ist nicht gesetzt
        notNull | is set | ist gesetzt
        empty | is empty | ist leer
        notEmpty | is not empty | ist nicht leer
        in | is one of | ist eines von
        notIn | is none of | ist keines von
        between | is between | liegt zwischen
        notBetween | is not between | liegt nicht zwischen
        inTheLast | in the last | liegt zurück höchstens
        notInTheLast | not in the last | liegt nicht zurück höchstens
        inTheNext | in the next | ist in höchstens
        notInTheNext | not in the next | ist nicht in höchstens
        today | is today | ist heute
        thisWeek | is this week | ist diese Woche
        thisMonth | is this month | ist diesen Monat
        thisYear | is this year | ist dieses Jahr
        plural = | are | sind
        plural != | are not | sind nicht
        plural < | are less than | sind kleiner als
        plural <= | are at most | sind höchstens
        plural > | are greater than | sind größer als
        plural >= | are at least | sind mindestens
        plural date < | are before | sind vor dem
        plural date <= | are on or before | sind spätestens am
        plural date > | are after | sind nach dem
        plural date >= | are on or after | sind frühestens am
        plural contains | contain | enthalten
        plural doesNotContain | do not contain | enthalten nicht
        plural beginsWith | begin with | beginnen mit
        plural doesNotBeginWith | do not begin with | beginnen nicht mit
        plural endsWith | end with | enden mit
        plural doesNotEndWith | do not end with | enden nicht mit
        plural null | are not set | sind nicht gesetzt
        plural notNull | are set | sind gesetzt
        plural empty | are empty | sind leer
        plural notEmpty | are not empty | sind nicht leer
        plural in | are one of | sind eines von
        plural notIn | are none of | sind keines von
        plural between | are between | liegen zwischen
        plural notBetween | are not between | liegen nicht zwischen
        plural inTheNext | in the next | sind in höchstens
        plural notInTheNext | not in the next | sind nicht in höchstens
        plural today | are today | sind heute
        plural thisWeek | are this week | sind diese Woche
        plural thisMonth | are this month | sind diesen Monat
        plural thisYear | are this year | sind dieses Jahr
        predicate | condition | Bedingung
        some | any of | mindestens eines von
        all | all of | alle von
        none | none of | keines von
        atLeast | at least {count} of | mindestens {count} von
        atMost | at most {count} of | höchstens {count} von
        exactly of | exactly {count} of | genau {count} von
        days | days | Tage
        next days | days | Tagen
        one days | day | Tag
        weeks | weeks | Wochen
        one weeks | week | Woche
        months | months | Monate
        next months | months | Monaten
        one months | month | Monat
        years | years | Jahre
        next years | years | Jahren
        one years | year | Jahr
        sentence inTheLast | {field} in the last {value} | {field} liegt höchstens {value} zurück
        sentence notInTheLast | {field} not in the last {value} | {field} liegt nicht höchstens {value} zurück
        plural sentence inTheLast | {field} in the last {value} | {field} liegen höchstens {value} zurück
        plural sentence notInTheLast | {field} not in the last {value} | {field} liegen nicht höchstens {value} zurück
        row | {field} {operator} {value} | {field} {operator} {value}
        list | {quantifier} {field} {operator} {value} | {quantifier} {field} {operator} {value}
        text | '{text}' | „{text}“
        opaque | the condition “{text}” | die Bedingung „{text}“
        and | and | und
        or | or | oder
        not | not ({group}) | nicht ({group})
        yes | yes | ja
        no | no | nein
        everything | everything | alles
        problem | {field}: {problem} | {field}: {problem}
        unknownField | there is no such field | Dieses Feld gibt es nicht
        unknownOperator | the operator is not known | Der Operator ist nicht bekannt
        operatorDoesNotFit | the field cannot have this operator | Dieser Operator passt nicht zum Feld
        noValue | a value is missing | Ein Wert fehlt
        integer | '{text}' is not a whole number | „{text}“ ist keine ganze Zahl
        number | '{text}' is not a number | „{text}“ ist keine Zahl
        boolean | '{text}' is not yes or no | „{text}“ ist weder ja noch nein
        date | '{text}' is not a date, such as 2024-05-01 | „{text}“ ist kein Datum wie 2024-05-01
        uuid | '{text}' is not a UUID | „{text}“ ist keine UUID
        other | '{text}' does not fit the field | „{text}“ passt nicht zum Feld
        notBounds | two values are needed, separated by a comma | Es fehlen zwei Werte, getrennt durch ein Komma
        notPeriod | a number of days, weeks, months or years is needed | Eine Zahl von Tagen, Wochen oder Monaten fehlt
        otherField | '{text}' is not a field with values of this kind | „{text}“ ist kein Feld mit Werten dieser Art
        invalidText | the condition is not valid: {text} | Die Bedingung ist nicht gültig: {text}
        """
}
