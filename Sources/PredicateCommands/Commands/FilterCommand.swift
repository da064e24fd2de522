// `predicate filter`: selects the records that match a predicate. This file describes the options;
// FilterRun.swift runs the command.

import PredicateModel
import PredicateRecords

extension OptionDescription {
    private static let formats = ["json", "jsonl", "csv", "plist"]

    static let from = OptionDescription(
        "--from", choices: formats, "the input's format; by its name or its first bytes unless told")
    static let to = OptionDescription("--to", choices: formats, "the output's format; the input's unless told")
    static let delimiter = OptionDescription(
        "--delimiter", value: "TEXT", "what separates the fields of CSV; a comma unless told, \\t is a tab")
    static let types = OptionDescription(
        "--types", value: "NAME=TYPE,…",
        "what fields stand for: " + AttributeType.fieldNames.joined(separator: " "))
    static let countOnly = OptionDescription("--count", "print only how many there are")
    static let sort = OptionDescription(
        "--sort", value: "NAMES", "sort by fields; a minus before a name is descending, [cd] behind it folds")
    static let limit = OptionDescription("--limit", value: "N", "at most so many")
    static let offset = OptionDescription("--offset", value: "N", "leave out the first so many")
    static let keys = OptionDescription("--keys", value: "NAMES", "only these fields, in this order")
    static let onError = OptionDescription(
        "--on-error", choices: ["stop", "skip"], "at a record that cannot be read or tested; stop unless told")
    static let threads = OptionDescription(
        "--threads", value: "N", "on how many threads records are tested; as many as there are processors unless told")
    static let example = OptionDescription(
        "--example", choices: Example.all.map(\.name), "filter sample data that is built in")
}

extension CommandDescription {
    static let filter = CommandDescription(
        name: "filter", summary: "selects the records for which a predicate is true",
        operands: "PREDICATE [FILE…]", operandCount: 0...Int.max,
        options: [
            .from, .to, .delimiter, .types, .keys, .sort, .offset, .limit, .countOnly, .onError, .threads, .example,
            .file,
        ] + OptionDescription.common,
        details: """
            Reads JSON (an array), JSON Lines, CSV with a header line and property lists, from files or from standard input.
            A record that goes out in the format it came in keeps its text. The exit code is 1 where none is selected.
            """,
        examples: [
            "predicate filter 'priority > 2' --example todo",
            "predicate filter 'dueDate < CAST(\"2026-03-01\", \"NSDate\")' --types dueDate=date --example todo --sort dueDate",
            "cat orders.csv | predicate filter 'total > 100' --types total=decimal --to jsonl",
        ]
    ) { invocation in
        try FilterRun(invocation).run()
    }
}
