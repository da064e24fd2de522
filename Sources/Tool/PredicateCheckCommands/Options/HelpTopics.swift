// The help topics: `predicate help dates`, and `.help dates` at the prompt. Lists that are defined elsewhere, such as
// the functions, are read from there.

package struct HelpTopic: Sendable {
    package let name: String
    package let summary: String
    let paragraphs: [String]
    /// A table: a name and its explanation.
    var rows: [(String, String)] = []
    /// Example predicates with their meanings.
    var examples: [(predicate: String, meaning: String)] = []

    package var page: String {
        var parts = ["\(name): \(summary)"] + paragraphs
        if !rows.isEmpty { parts.insert(HelpText.table(rows), at: min(2, parts.count)) }
        let shown = examples.map { ($0.predicate, $0.meaning) }
        if !shown.isEmpty { parts.append("examples:\n" + HelpText.table(shown)) }
        return parts.joined(separator: "\n\n")
    }

    package static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name.lowercased() } }

    /// All topics in alphabetical order.
    package static let all: [HelpTopic] = [
        arguments, dates, exitCodes, functions, keys, nilValues, operators, options, patterns, quantifiers, schema,
        values, variables,
    ]

    private static let arguments = HelpTopic(
        name: "arguments", summary: "values that are passed separately from the text",
        paragraphs: [
            """
            On the command line --args takes an array, at the prompt .args:
              predicate eval 'age > %ld AND name == %@' --args '[21, "Ada"]' …
            """,
            "An argument is never parsed as part of the text. In quotes, '%@' is a text of two characters.",
        ],
        rows: [
            ("%@", "any value: text, number, date, list"), ("%K", "a key, or keys separated by dots"),
            ("%d %i %u %ld %lu", "a whole number"), ("%f %g %e", "a number"),
        ],
        examples: [("%K BEGINSWITH %@", "a key and a value as arguments")])

    private static let dates = HelpTopic(
        name: "dates", summary: "dates and times",
        paragraphs: [
            "There are no date literals. CAST converts an ISO 8601 text, or seconds since 2001-01-01 UTC, to a date.",
            """
            Dates in JSON and CSV are texts: --types born=date converts them. A database column is a text or a number;
            a schema file can declare it as a date.
            """,
            """
            The extensions dates and typed-texts are on in filter, fetch, match, why and repl, and elsewhere with
            --extensions dates,typed-texts. A text that is compared with a date is read; without a time it is the whole day.
            A date has the keys year, month, day, hour, minute and weekday (1 is Monday), in the time zone of the machine,
            or of --time-zone.
            """,
        ],
        examples: [
            ("due < CAST(\"2026-03-01\", \"NSDate\")", "before a day"),
            ("due < now()", "in the past"),
            ("due > CAST(CAST(now(), \"NSNumber\") - 86400, \"NSDate\")", "in the last day, or later"),
            ("due == \"2026-03-01\"", "on a day"),
            ("due >= today() - days(7)", "since a week ago"),
            ("due + months(1) > now()", "less than a month ago, or later"),
        ])

    private static let exitCodes = HelpTopic(
        name: "exit-codes", summary: "the exit codes of all commands",
        paragraphs: [
            """
            For several predicates, the exit code is the lowest code other than 0. In predicate test, 1 is only for failed
            cases: a wrong file or a rule with errors has its code, also if a case fails.
            """
        ],
        rows: [
            ("0", "success, or true"), ("1", "false, no rows, or a failed test"), ("2", "the command line is wrong"),
            ("3", "a predicate has a syntax error"), ("4", "a predicate has a type error, or is refused"),
            ("5", "reading, writing or evaluating failed"),
        ])

    private static let functions = HelpTopic(
        name: "functions", summary: "the functions of the language",
        paragraphs: ["A predicate can call no other function. sum(x) is sum:(x)."],
        rows: FunctionCatalog.standard.functions.map { ($0.signature, $0.summary) },
        examples: [("abs(balance) > 100", ""), ("uppercase(city) == \"LONDON\"", "")])

    private static let keys = HelpTopic(
        name: "keys", summary: "the values of a record",
        paragraphs: [
            """
            A dot reads a key of a key: address.city, or through a relationship, employer.title. After a list, the
            rest of the path is read from each element, and a comparison needs ANY, ALL or NONE. Write # before a key
            that is a reserved word: #first. SELF is the record itself. After a list:
            """
        ],
        rows: CollectionOperator.all.compactMap { operation in operation.summary.map { (operation.name, $0) } },
        examples: [
            ("employer.title == \"Engines\"", "a key of another object"),
            ("orders.@sum.total > 100", "the sum over many"),
            ("tags[0] == \"new\"", "an element; also [FIRST], [LAST], [SIZE]"),
        ])

    private static let nilValues = HelpTopic(
        name: "nil", summary: "no value",
        paragraphs: [
            """
            A missing key is nil. Nil equals only nil, so nil != 5 is true. < and > are false if a side is nil; <= and
            >= are true if both sides are nil. Comparisons of texts, IN and BETWEEN are false. SQL gives the same
            results.
            """
        ],
        examples: [("city == nil", "is nil"), ("city != \"London\"", "also if it is nil")])

    private static let operators = HelpTopic(
        name: "operators", summary: "comparisons, AND, OR and arithmetic",
        paragraphs: [
            """
            AND, OR, NOT, or &&, ||, !; NOT binds closest, then AND. Numbers: + - * / ** (power), and & | ^ << >>
            (bits). Words may be written in lower case.
            """
        ],
        rows: Completer.comparisons.map { ($0.0.spelling, $0.1) },
        examples: [
            ("age BETWEEN {18, 30}", "includes both bounds"), ("city IN {\"London\", \"Paris\"}", "equals an element"),
            ("NOT (done == YES OR age < 3)", "neither"),
        ])

    private static let options = HelpTopic(
        name: "options", summary: "letters in brackets after an operator",
        paragraphs: ["They change how texts are compared. BETWEEN takes none."],
        rows: Completer.options.map { ("[\($0.text)]", $0.detail) },
        examples: [("name CONTAINS[cd] \"elo\"", "finds Élodie too"), ("city ==[c] \"london\"", "")])

    private static let patterns = HelpTopic(
        name: "patterns", summary: "LIKE and MATCHES",
        paragraphs: [
            """
            LIKE: * matches any text, ? any character; a backslash before them makes them ordinary characters. MATCHES
            takes an ICU regular expression for the whole text. In a quoted text a backslash is written twice.
            """
        ],
        examples: [
            ("name LIKE[c] \"a*\"", "begins with a or A"), ("code MATCHES \"[A-Z]{2}\\\\d+\"", "two letters, digits"),
        ])

    private static let quantifiers = HelpTopic(
        name: "quantifiers", summary: "conditions on the elements of a list",
        paragraphs: [
            """
            Write them before the left side, whose path has a list. ALL and NONE are true for an empty list. To test
            several conditions on the same element, SUBQUERY(list, $x, condition) returns the elements that match.
            """
        ],
        rows: [
            ("ANY, SOME", "at least one element"), ("ALL", "each element"), ("NONE", "no element"),
        ],
        examples: [
            ("ANY orders.total > 100", ""), ("ALL tags BEGINSWITH \"a\"", ""),
            ("SUBQUERY(orders, $o, $o.total > 9 AND $o.note == nil).@count > 1", "at least two"),
        ])

    private static let schema = HelpTopic(
        name: "schema", summary: "the keys and their types",
        paragraphs: [
            """
            With a schema, keys and types are checked before evaluation, and predicates can be translated to SQL.
            Records and databases have a schema, which .schema shows at the prompt. Otherwise give a JSON file by
            --schema:
              { "entities": { "Person": { "attributes": { "name": "string", "age": "integer" },
                                          "relationships": { "pets": {"to": "Pet", "many": true} } }, … } }
            """,
            "Types: boolean integer double decimal string date data uuid url list any.",
            """
            In a database a table is an entity and a foreign key a relationship: if the table orders has a column
            person_id, each order has the key person, and each person has the to-many key orders.
            """,
        ])

    private static let values = HelpTopic(
        name: "values", summary: "how values are written",
        paragraphs: ["Write a key without quotes and a text in quotes."],
        rows: [
            ("\"text\" 'text'", "a text; \\\" \\' \\\\ \\n \\u00E9 in it"), ("21 -3 0x1F 0b101", "whole numbers"),
            ("1.5 2e3", "numbers"), ("YES NO TRUE FALSE", "Booleans"), ("nil NULL", "no value"),
            ("{1, 2, 3}", "a list"),
        ],
        examples: [("name == 'O\\'Hara'", ""), ("done == YES AND priority IN {1, 2}", "")])

    private static let variables = HelpTopic(
        name: "variables", summary: "names with a dollar sign",
        paragraphs: [
            """
            They get values when a predicate is evaluated: --variables takes an object; at the prompt, .let name = value
            sets one. SUBQUERY names its own.
            """
        ],
        examples: [("age >= $least", "--variables '{\"least\": 21}'")])
}
