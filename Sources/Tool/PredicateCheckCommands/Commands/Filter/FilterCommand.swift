// `predicate filter`: selects the records that match a predicate. This file describes the options;
// FilterRun.swift runs the command.

extension CommandDescription {
    package static let filter = CommandDescription(
        name: "filter", summary: "selects the records that match a predicate",
        operands: "PREDICATE [FILE…]", operandCount: 0...Int.max,
        options: OptionDescription.reading + [
            .to, .keys, .group, .having, .distinct, .sort, .offset, .limit, .countOnly, .onError, .lenient, .strict,
            .threads, .whyNot, .example, .file, .noExtensions,
        ] + OptionDescription.common,
        details: """
            Reads JSON (an array), JSON Lines, CSV with a header line and property lists, from files or standard input;
            files may be compressed by gzip or zstd. A folder stands for the files of records in it, by their extensions,
            in the order of their names, without those in folders below. A record that is written in the format of the
            input keeps its text; CSV is written with a header line.
            --null takes texts as they stand in the file: "NA" in quotation marks is a text. It, --no-header and --columns
            are for CSV, and an error for a file of another format. --file-key adds the name as it was given, such as
            logs/may.csv; a record that has the key already is an error.

            A column of CSV has one type: numbers, Booleans or text. It is text if one field is, such as 007; --types
            overrules. Of several files, a column that is text in one is text in all. It is Boolean only if all its
            fields are both words of one pair: true and false, True and False, TRUE and FALSE, or yes and no in one of
            these spellings. Of a pipe the first 10,000 records decide; a later misfit is an error. CSV output has the
            keys of all records as its columns. A second column with the name a is a_2. For a name with a dot write
            SELF["unit.price"], for one with a space or a hyphen %K and --args '["unit price"]'.

            A date of --types is ISO 8601. when=unix, unix-ms or 2001 reads numbers: seconds or milliseconds since 1970,
            seconds since 2001. when=dd.MM.yyyy or when=%d.%m.%Y reads texts of that form.

            --group counts the records with equal keys: --group 'city, @avg.age' --sort -@count. Keys are expressions;
            what begins with an operator, as @sum.price / @count, is computed of each group. --keys chooses other columns.
            --having '@count > 10' prints only some groups. --sort and --having know columns by the names of AS.

            A key that no record has is an error of --keys and a warning elsewhere. A comparison that met no value of a
            comparable type, such as id == "1" of numbers, is a warning. The exit code is 1 if no record is selected.
            """,
        examples: [
            "predicate filter 'priority > 2' --example todo",
            "predicate filter 'dueDate < CAST(\"2026-03-01\", \"NSDate\")' --types dueDate=date --example todo --sort dueDate",
            "predicate filter TRUEPREDICATE --example todo --group 'done, @avg.priority' --sort -@count",
            "cat orders.csv | predicate filter 'total > 100' --types total=decimal --to jsonl",
        ]
    ) { invocation in
        if invocation.has(.whyNot) { return try WhyNotRun(invocation).run() }
        return try FilterRun(invocation).filter()
    }
}
