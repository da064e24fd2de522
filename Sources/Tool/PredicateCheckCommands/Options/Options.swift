// The options of all commands, so that a name has one meaning, or two that stand beside each other.

// MARK: - What every command with a predicate takes

extension OptionDescription {
    static let arguments = OptionDescription(
        "--args", value: "JSON", "an array: the arguments for %@, %K …")
    package static let variables = OptionDescription(
        "--variables", value: "JSON", "an object: the values of $variables")
    package static let file = OptionDescription(
        "--file", short: "-f", value: "FILE", "read one predicate a line from a file; - is standard input")
    static let kind = OptionDescription(
        "--kind", choices: ["predicate", "expression"], "the kind of text; default: predicate")
    package static let output = OptionDescription(
        "--output", choices: ["text", "json", "github"], "the form of results and errors; github: annotations")
    package static let noColor = OptionDescription(
        "--no-color", "print no colours, as with NO_COLOR or TERM=dumb")
    package static let extensions = OptionDescription(
        "--extensions", value: "NAMES",
        "enable ddm (@status …), unicode (letters in keys), concat (+ joins texts), dates, typed-texts"
    )
    /// A command with this option has the extensions `dates` and `typed-texts` without asking for them.
    package static let noExtensions = OptionDescription(
        "--no-extensions",
        "switch off dates and typed-texts, which are on: due >= today() - days(7), due == \"2026-05-31\"")
    package static let timeZone = OptionDescription(
        "--time-zone", value: "ZONE", "the time zone of days, as UTC or +02:00; default: the machine's")
    static let batch = OptionDescription(
        "--batch", value: "FILE", "answer requests, one JSON object a line; - is standard input")
    package static let help = OptionDescription("--help", short: "-h", "print this help")

    /// The options of every command that reads a predicate.
    package static let common: [OptionDescription] = [
        arguments, variables, extensions, timeZone, output, noColor, help,
    ]
}

// MARK: - Schemas and profiles

extension OptionDescription {
    package static let schema = OptionDescription(
        "--schema", value: "FILE",
        "check keys and types: a JSON file, - (standard input), a data model or a database")
    package static let entity = OptionDescription(
        "--entity", value: "NAME", "the entity of the objects; optional if the schema has one entity")
    static let modelVersion = OptionDescription(
        "--model-version", value: "NAME", "the version of a Core Data model, or all; default: the current one")
    static let profile = OptionDescription(
        "--profile", value: "NAME",
        "the program that reads, such as munki ('predicate help lint' lists them), or a file")

    static let schemas: [OptionDescription] = [.schema, .entity, .modelVersion]
}

// MARK: - Databases

extension OptionDescription {
    package static let database = OptionDescription(
        "--database", value: "DB", "a SQLite file, duckdb:FILE, postgresql://… or sc://… (Spark), opened for reading")
    package static let driver = OptionDescription(
        "--driver", value: "LIB", "the ADBC driver for the database, a shared library; default: by the address")
    package static let driverOption = OptionDescription(
        "--option", value: "NAME=VALUE", "an option of the driver; may be given several times")

    package static let databases: [OptionDescription] = [.database, .driver, .driverOption]
    package static let table = OptionDescription(
        "--entity", value: "NAME", "the table, or the schema's entity; optional if there is only one")
    package static let databaseSchema = OptionDescription(
        "--schema", value: "FILE", "a JSON schema file; default: the schema is read from the database")
    package static let columnTypes = OptionDescription(
        "--types", value: "NAME=TYPE,…",
        "read columns as these types; dates as date, unix, unix-ms, julian or their form, such as YYYY-MM-DD")
    package static let rowsTo = OptionDescription(
        "--to", choices: ["json", "jsonl", "csv"] + RowTable.forms,
        "the format of the rows; default: a table on a terminal, else json")
    package static let explainPlan = OptionDescription(
        "--explain", "print the SQL, its values, what is tested in memory and why, and the engine's plan")
    package static let whyRow = OptionDescription(
        "--why", value: "KEY", "explain why the row with this primary key is selected or not; several columns: 3,7")
    package static let verify = OptionDescription(
        "--verify", "print where the database differs from the schema, and select nothing")
}

// MARK: - Records: filter, and what other commands share with it

extension OptionDescription {
    private static let formats = ["json", "jsonl", "csv", "plist"]

    package static let from = OptionDescription(
        "--from", choices: formats, "the format of the input; default: by its name or first bytes")
    package static let at = OptionDescription(
        "--at", value: "PATH", "the place of the records in a JSON document or property list: results, data.items")
    package static let keyField = OptionDescription(
        "--key-field", value: "NAME", "with --at '*', the values of an object as records: the field for their keys")
    static let to = OptionDescription(
        "--to", choices: formats + RowTable.forms,
        "the format of the output; default: a table on a terminal, else that of the input")
    package static let delimiter = OptionDescription(
        "--delimiter", value: "TEXT", "the separator of CSV fields, \\t for a tab; default: a comma")
    package static let noHeader = OptionDescription(
        "--no-header", "CSV has no header line; its columns are c1, c2 …")
    package static let columnNames = OptionDescription(
        "--columns", value: "NAME,…", "CSV has no header line; these are its columns")
    package static let nilTexts = OptionDescription(
        "--null", value: "TEXT,…", "unquoted CSV fields that are nil, as empty ones are: NA,NULL,\\N")
    package static let fileKey = OptionDescription(
        "--file-key", value: "KEY", "add the name of its file to each record, under this key")
    package static let types = OptionDescription(
        "--types", value: "NAME=TYPE,…",
        "convert fields to these types: " + ExpressionType.Kind.fieldNames.joined(separator: " "))
    /// How files of records are read: the options of every command that reads them.
    package static let reading: [OptionDescription] = [
        .from, .at, .keyField, .delimiter, .noHeader, .columnNames, .nilTexts, .fileKey, .types,
    ]
    package static let asEntity = OptionDescription(
        "--as", value: "NAME", "the records of all files are one entity with this name; default: one for each file")
    package static let countOnly = OptionDescription("--count", "print only the number of matches")
    package static let sort = OptionDescription(
        "--sort", value: "NAMES", "sort by fields; -name sorts descending, name[cd] ignores case and accents")
    package static let limit = OptionDescription("--limit", value: "N", "print at most N")
    package static let offset = OptionDescription("--offset", value: "N", "skip the first N")
    package static let keys = OptionDescription(
        "--keys", value: "KEYS", "print only these keys and expressions, in this order; x * 2 AS name names a column")
    package static let group = OptionDescription(
        "--group", value: "KEYS", "count records by keys and expressions, and compute @sum.x, @avg.x … of each group")
    package static let having = OptionDescription(
        "--having", value: "PREDICATE", "print only groups that match: '@count > 10 AND @avg.x > 2'")
    package static let distinct = OptionDescription("--distinct", "print each row of --keys once, in order")
    static let lenient = OptionDescription("--lenient", "allow keys that no record has; they are nil")
    static let strict = OptionDescription("--strict", "warnings are errors")
    package static let onError = OptionDescription(
        "--on-error", choices: ["stop", "skip"], "at a record that cannot be read or tested; default: stop")
    static let threads = OptionDescription(
        "--threads", value: "N", "the number of threads; default: the number of processors")
    static let whyNot = OptionDescription(
        "--why-not", value: "N", "print the N records that nearly match, with what would make them match")
    package static let example = OptionDescription(
        "--example", choices: Example.all.map(\.name), "read built-in sample data")
}

// MARK: - format

extension OptionDescription {
    static let pretty = OptionDescription("--pretty", "print over several lines, indented")
    static let width = OptionDescription("--width", value: "COLUMNS", "the width of --pretty; default: 80")
    static let tree = OptionDescription("--tree", "print the tree instead of the text")
    static let checkSpelling = OptionDescription(
        "--check", "print only texts that are not canonical; exit with 1 if there are any")
    static let redact = OptionDescription("--redact", "print %@ instead of every value, for logs")
    static let words = OptionDescription("--words", "print predicates in words: Title contains 'swift'")
    static let simplify = OptionDescription("--simplify", "print a simpler predicate with the same answers")
    static let know = OptionDescription(
        "--know", value: "JSON", "an object with values of keys: print the part that is still to be tested")
    static let knowAs = OptionDescription(
        "--know-as", value: "NAME", "the prefix of the known values: with user, tenant is $user.tenant")
}

// MARK: - eval and why

extension OptionDescription {
    static let object = OptionDescription("--object", value: "JSON", "the object; default: standard input")
    static let expression = OptionDescription("--expression", "evaluate an expression and print its value")
}

// MARK: - sql

extension OptionDescription {
    static let dialect = OptionDescription(
        "--dialect", value: "NAME", "the SQL dialect: " + SQLDialect.all.map(\.name).joined(separator: ", "))
    static let exact = OptionDescription("--exact", "reject a predicate that cannot be translated exactly")
    static let advise = OptionDescription(
        "--advise", "also print the plan of the database, and the index that is missing")
    static let countRows = OptionDescription("--count", "print a statement that counts the rows")
    static let boundRows = OptionDescription(
        "--bounds", "print a statement for a lower and an upper bound of the count")
    static let deleteRows = OptionDescription("--delete", "print a statement that deletes the rows")
    static let updateRows = OptionDescription(
        "--update", value: "KEY=VALUE", "print a statement that sets a key of the rows; may be repeated")
    static let allowConstants = OptionDescription(
        "--allow-constant-comparisons", "let --update and --delete have a condition that does not depend on the row")
    package static let clock = OptionDescription(
        "--clock", value: "DATE", "the instant of now(), or memory to leave it to the residual; default: now")
}

// MARK: - lint and lsp

extension OptionDescription {
    static let key = OptionDescription(
        "--key", value: "NAME", "a key of property lists, JSON and YAML with predicates; may be repeated")
    static let select = OptionDescription("--select", value: "IDS", "report only these diagnostics: unknown-key,…")
    static let ignore = OptionDescription("--ignore", value: "IDS", "do not report these diagnostics")
    static let baseline = OptionDescription(
        "--baseline", value: "FILE", "do not report the findings that this file lists")
    static let writeBaseline = OptionDescription(
        "--write-baseline", value: "FILE", "write all findings to this file, and report none")
    static let lintOutput = OptionDescription(
        "--output", choices: ["text", "json", "github", "sarif", "compiler"],
        "the form of the findings; sarif: for code scanners; compiler: a line each, for build systems")
    static let stamp = OptionDescription(
        "--stamp", value: "FILE", "write this file if the exit code is 0, for build systems")
    static let fix = OptionDescription(
        "--fix", "apply the corrections that are certain to the files, and report the rest")
    static let diff = OptionDescription("--diff", "with --fix, print the corrections as a patch, and write no file")
    package static let list = OptionDescription("--list", "print every predicate and its place")
    static let rules = OptionDescription(
        "--rules", value: "FILE", "compare the rules of a file with each other, instead of searching paths")
    static let since = OptionDescription(
        "--since", value: "REVISION", "with --rules: compare them with those of a revision of Git")
    static let before = OptionDescription(
        "--before", value: "FILE", "with --rules: compare them with those of an earlier file")
    static let failOn = OptionDescription(
        "--fail-on", choices: ["changed", "looser", "undecided"],
        "with --since or --before: end with 4 if a rule was changed so")
    static let call = OptionDescription(
        "--call", value: "NAME(LABEL:)", "a function, method or macro that takes a format; may be repeated")
}

// MARK: - test

extension OptionDescription {
    static let filterTests = OptionDescription(
        "--filter", value: "TEXT", "run only the tests that have this text in their name")
    static let coverage = OptionDescription(
        "--coverage", "print the terms of each rule that were never true, never false or never evaluated")
    static let failUnder = OptionDescription(
        "--fail-under", value: "N", "fail if less than N percent of the outcomes of all terms are covered")
    static let testOutput = OptionDescription(
        "--output", choices: ["text", "json", "github", "junit"], "the form of the results; junit: XML for CI servers")
}

// MARK: - match

extension OptionDescription {
    static let whyMatched = OptionDescription("--why", "add to each match why the rule selects the record")
    static let countByRule = OptionDescription("--count", "print the number of records that each rule selects")
}

// MARK: - import

extension OptionDescription {
    package static let into = OptionDescription(
        "--into", value: "FILE", "the SQLite database to write into; it is made if it does not exist")
    package static let keepGoing = OptionDescription(
        "--keep-going", "import the valid records even if others are not; every loss is reported")
    package static let reportOnly = OptionDescription("--dry-run", "import nothing; report what would be imported")
    package static let updateExisting = OptionDescription(
        "--update", "update rows with the same primary key; default: such a record is a loss")
    package static let ignoredKeys = OptionDescription(
        "--ignore-keys", value: "NAME,…", "keys of the records that are not imported")
    package static let losses = OptionDescription(
        "--losses", value: "FILE", "write the records that were not imported, with the reasons, as JSON Lines")
}

// MARK: - migrate

extension OptionDescription {
    package static let migratedDatabase = OptionDescription("--database", value: "FILE", "a SQLite database")
    package static let fromVersion = OptionDescription(
        "--from", value: "FILE", "its present version: a schema file or a data model; default: the recorded one")
    package static let toVersion = OptionDescription("--to", value: "FILE", "the version to migrate to")
    package static let mapping = OptionDescription(
        "--mapping", value: "FILE", "how objects are made where names and types are not enough, as JSON")
    package static let allowLosing = OptionDescription(
        "--allow-losing", value: "NAME", "an index, trigger, view or constraint that need not be kept; may be repeated")
    package static let dryRun = OptionDescription(
        "--dry-run", "migrate, print the steps and the obstacles, and undo it: nothing is changed")
    package static let savedPredicates = OptionDescription(
        "--predicates", value: "FILE",
        "the saved predicates, one a line: print those with other names in the new version, and those that it breaks")
    package static let predicatesEntity = OptionDescription(
        "--entity", value: "NAME", "the entity of the predicates, by its name in the new version")
}

// MARK: - repl, complete, help

extension OptionDescription {
    package static let noHistory = OptionDescription("--no-history", "do not read or write the history file")
    package static let firstEntity = OptionDescription(
        "--entity", value: "NAME", "the file or table that predicates select from at first")
    package static let cursor = OptionDescription("--cursor", value: "N", "the offset in bytes; default: the end")
}
