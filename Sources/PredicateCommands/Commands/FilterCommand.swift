// `predicate filter`: selects the records that match a predicate. This file describes the options;
// FilterRun.swift runs the command.

import PredicateModel
import PredicateRecords

extension OptionDescription {
    private static let formats = ["json", "jsonl", "csv", "plist"]

    static let from = OptionDescription(
        "--from", choices: formats, "the format of the input; default: by its name or first bytes")
    static let to = OptionDescription("--to", choices: formats, "the format of the output; default: that of the input")
    static let delimiter = OptionDescription(
        "--delimiter", value: "TEXT", "the separator of CSV fields, \\t for a tab; default: a comma")
    static let types = OptionDescription(
        "--types", value: "NAME=TYPE,…",
        "convert fields to these types: " + AttributeType.fieldNames.joined(separator: " "))
    static let countOnly = OptionDescription("--count", "print only the number of matches")
    static let sort = OptionDescription(
        "--sort", value: "NAMES", "sort by fields; -name sorts descending, name[cd] ignores case and accents")
    static let limit = OptionDescription("--limit", value: "N", "print at most N")
    static let offset = OptionDescription("--offset", value: "N", "skip the first N")
    static let keys = OptionDescription("--keys", value: "NAMES", "print only these fields, in this order")
    static let onError = OptionDescription(
        "--on-error", choices: ["stop", "skip"], "at a record that cannot be read or tested; default: stop")
    static let threads = OptionDescription(
        "--threads", value: "N", "the number of threads; default: the number of processors")
    static let example = OptionDescription(
        "--example", choices: Example.all.map(\.name), "filter built-in sample data")
}

extension CommandDescription {
    static let filter = CommandDescription(
        name: "filter", summary: "selects the records that match a predicate",
        operands: "PREDICATE [FILE…]", operandCount: 0...Int.max,
        options: [
            .from, .to, .delimiter, .types, .keys, .sort, .offset, .limit, .countOnly, .onError, .threads, .example,
            .file,
        ] + OptionDescription.common,
        details: """
            Reads JSON (an array), JSON Lines, CSV with a header line and property lists, from files or standard input.
            A record that is written in the format of the input keeps its text. The exit code is 1 if none is selected.
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
