// `predicate filter`: selects the records that match a predicate. This file describes the options;
// FilterRun.swift runs the command.

import PredicateModel
import PredicateRecords

extension OptionDescription {
    private static let formats = ["json", "jsonl", "csv", "plist"]

    static let from = OptionDescription(
        "--from", choices: formats, "the format of the input; default: by its name or first bytes")
    static let at = OptionDescription(
        "--at", value: "PATH", "the place of the records in a JSON document or property list: results, data.items")
    static let to = OptionDescription(
        "--to", choices: formats + RowTable.forms,
        "the format of the output; default: a table on a terminal, else that of the input")
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
    static let keys = OptionDescription(
        "--keys", value: "KEYS", "print only these keys and expressions, in this order; x * 2 AS name names a column")
    static let lenient = OptionDescription("--lenient", "allow keys that no record has; they are nil")
    static let strict = OptionDescription("--strict", "warnings are errors")
    static let onError = OptionDescription(
        "--on-error", choices: ["stop", "skip"], "at a record that cannot be read or tested; default: stop")
    static let threads = OptionDescription(
        "--threads", value: "N", "the number of threads; default: the number of processors")
    static let whyNot = OptionDescription(
        "--why-not", value: "N", "print the N records that nearly match, with what would make them match")
    static let example = OptionDescription(
        "--example", choices: Example.all.map(\.name), "filter built-in sample data")
}

extension CommandDescription {
    static let filter = CommandDescription(
        name: "filter", summary: "selects the records that match a predicate",
        operands: "PREDICATE [FILE…]", operandCount: 0...Int.max,
        options: [
            .from, .at, .to, .delimiter, .types, .keys, .sort, .offset, .limit, .countOnly, .onError, .lenient, .strict,
            .threads, .whyNot, .example, .file,
        ] + OptionDescription.common,
        details: """
            Reads JSON (an array), JSON Lines, CSV with a header line and property lists, from files or standard input;
            files may be compressed by gzip or zstd. A record that is written in the format of the input keeps its text.

            A column of CSV has one type: numbers, Booleans or text. It is text if one field is, such as 007; --types
            overrules. Of a pipe the first 10,000 records decide; a later misfit is an error. CSV output has the keys of
            all records as its columns.

            A date of --types is ISO 8601. when=unix, unix-ms or 2001 reads numbers: seconds or milliseconds since 1970,
            seconds since 2001. when=dd.MM.yyyy or when=%d.%m.%Y reads texts of that form.

            A key that no record has is an error of --keys and a warning elsewhere. The exit code is 1 if no record is
            selected.
            """,
        examples: [
            "predicate filter 'priority > 2' --example todo",
            "predicate filter 'dueDate < CAST(\"2026-03-01\", \"NSDate\")' --types dueDate=date --example todo --sort dueDate",
            "cat orders.csv | predicate filter 'total > 100' --types total=decimal --to jsonl",
        ]
    ) { invocation in
        if invocation.has(.whyNot) { return try WhyNotRun(invocation).run() }
        return try FilterRun(invocation).run()
    }
}
