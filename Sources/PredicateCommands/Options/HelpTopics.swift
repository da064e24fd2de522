// The help topics: `predicate help dates`, and `.help dates` in the REPL. Lists that exist elsewhere, such as
// functions, are read from there.

import PredicateModel
import PredicateSyntax

/// A help topic.
struct HelpTopic: Sendable {
    let name: String
    let summary: String
    let paragraphs: [String]
    /// A table: a name and its explanation.
    var rows: [(String, String)] = []
    /// Example predicates with their meanings.
    var examples: [(predicate: String, meaning: String)] = []

    /// The page as text.
    var page: String {
        var parts = ["\(name): \(summary)"] + paragraphs
        if !rows.isEmpty { parts.insert(HelpText.table(rows), at: min(2, parts.count)) }
        let shown = examples.map { ($0.predicate, $0.meaning) }
        if !shown.isEmpty { parts.append("examples:\n" + HelpText.table(shown)) }
        return parts.joined(separator: "\n\n")
    }

    static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name.lowercased() } }

    /// All topics in alphabetical order.
    static let all: [HelpTopic] = [
        arguments, dates, exitCodes, functions, keys, nilValues, operators, options, patterns, quantifiers, schema,
        values, variables,
    ]

    private static let arguments = HelpTopic(
        name: "arguments", summary: "values that are handed in beside the text",
        paragraphs: [
            """
            On the command line --args takes an array, at the prompt .args does:
              predicate eval 'age > %ld AND name == %@' --args '[21, "Ada"]' …
            """,
            "What is handed in is never read as part of the text. In quotes, '%@' is the two characters.",
        ],
        rows: [
            ("%@", "any value: text, number, date, list"), ("%K", "a key, or keys with dots between"),
            ("%d %i %u %ld %lu", "a whole number"), ("%f %g %e", "a number"),
        ],
        examples: [("%K BEGINSWITH %@", "a key and a value from outside")])

    private static let dates = HelpTopic(
        name: "dates", summary: "moments",
        paragraphs: [
            "The language has no literal for them; CAST makes one of an ISO 8601 text, or of seconds since 2001 in UTC.",
            """
            Records of JSON and CSV hold texts: --types born=date makes dates of them. A column of a database is what it
            stores, a text or a number; a schema may call it a date.
            """,
        ],
        examples: [
            ("due < CAST(\"2026-03-01\", \"NSDate\")", "before a day"),
            ("due < now()", "in the past"),
            ("due > CAST(CAST(now(), \"NSNumber\") - 86400, \"NSDate\")", "in the last day, or later"),
        ])

    private static let exitCodes = HelpTopic(
        name: "exit-codes", summary: "what a script can test",
        paragraphs: ["Of several predicates the least but 0 that occurs."],
        rows: [
            ("0", "fine, or true"), ("1", "false, or no rows"), ("2", "the command line is wrong"),
            ("3", "a predicate does not parse"), ("4", "a predicate does not type-check, or is refused"),
            ("5", "reading, writing or evaluating failed"),
        ])

    private static let functions = HelpTopic(
        name: "functions", summary: "what can be called",
        paragraphs: ["Nothing else is ever called, whatever the text says. sum(x) is sum:(x)."],
        rows: FunctionCatalog.standard.functions.map { ($0.signature, $0.summary) },
        examples: [("abs(balance) > 100", ""), ("uppercase(city) == \"LONDON\"", "")])

    private static let keys = HelpTopic(
        name: "keys", summary: "what a record is asked for",
        paragraphs: [
            """
            A dot leads on: address.city, or through a relationship, employer.title. Where a list is on the way, the rest
            is asked of each element, and a comparison needs ANY, ALL or NONE. A reserved word is a key behind a number
            sign, #first; SELF is the record itself. Behind a list:
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
            A key that is missing is nil too. Nil equals nil only, so != is true of nil and a value. < and > are false
            with nil; <= and >= are true where both sides are nil. Texts, IN and BETWEEN are false. SQL is made to say
            the same.
            """
        ],
        examples: [("city == nil", "has none"), ("city != \"London\"", "also where there is none")])

    private static let operators = HelpTopic(
        name: "operators", summary: "what compares and joins",
        paragraphs: [
            """
            AND, OR, NOT, or &&, ||, !; NOT binds closest, then AND. Numbers: + - * / ** (power), and & | ^ << >>
            (bits). The words are the same in small letters.
            """
        ],
        rows: Completer.comparisons.map { ($0.0.spelling, $0.1) },
        examples: [
            ("age BETWEEN {18, 30}", "both ends included"), ("city IN {\"London\", \"Paris\"}", "one of a list"),
            ("NOT (done == YES OR age < 3)", "neither"),
        ])

    private static let options = HelpTopic(
        name: "options", summary: "letters in brackets behind an operator",
        paragraphs: ["They are about texts; BETWEEN takes none."],
        rows: Completer.options.map { ("[\($0.text)]", $0.detail) },
        examples: [("name CONTAINS[cd] \"elo\"", "finds Élodie too"), ("city ==[c] \"london\"", "")])

    private static let patterns = HelpTopic(
        name: "patterns", summary: "LIKE and MATCHES",
        paragraphs: [
            """
            LIKE: * is any text, ? any character, a backslash takes their meaning away. MATCHES: a regular expression of
            ICU, for the whole text. In a text of the language a backslash is written twice.
            """
        ],
        examples: [
            ("name LIKE[c] \"a*\"", "begins with a or A"), ("code MATCHES \"[A-Z]{2}\\\\d+\"", "two letters, digits"),
        ])

    private static let quantifiers = HelpTopic(
        name: "quantifiers", summary: "conditions about many",
        paragraphs: [
            """
            They stand before the left side, which leads through a list. ALL and NONE are true of an empty list. Where
            several conditions are about one element, SUBQUERY(list, $x, condition) gives the elements for which they hold.
            """
        ],
        rows: [
            ("ANY, SOME", "at least one element"), ("ALL", "each element"), ("NONE", "not one element"),
        ],
        examples: [
            ("ANY orders.total > 100", ""), ("ALL tags BEGINSWITH \"a\"", ""),
            ("SUBQUERY(orders, $o, $o.total > 9 AND $o.note == nil).@count > 1", "two of them at least"),
        ])

    private static let schema = HelpTopic(
        name: "schema", summary: "what is known of the keys",
        paragraphs: [
            """
            With a schema, keys and types are checked before anything runs, and predicates become SQL. Records and
            databases bring their own, which .schema shows at the prompt; else it is a JSON file for --schema:
              { "entities": { "Person": { "attributes": { "name": "string", "age": "integer" },
                                          "relationships": { "pets": {"to": "Pet", "many": true} } }, … } }
            """,
            "Types: boolean integer double decimal string date data uuid url list any.",
            """
            In a database a table is an entity, a foreign key a relationship: of orders with a person_id, person leads to
            one row, and back from the other table orders to many.
            """,
        ])

    private static let values = HelpTopic(
        name: "values", summary: "how values are written",
        paragraphs: ["A key is written without quotes, a text with them."],
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
            They are bound when a predicate is run: --variables takes an object, .let name = value is the prompt's.
            SUBQUERY names its own.
            """
        ],
        examples: [("age >= $least", "--variables '{\"least\": 21}'")])
}
