// `predicate match`: finds the rules that select each record. This file reads the rules; MatchRun.swift reads the
// records.

extension CommandDescription {
    package static let match = CommandDescription(
        name: "match", summary: "finds the rules that select each record",
        operands: "RULES [FILE…]", operandCount: 0...Int.max,
        options: OptionDescription.reading + [
            .countByRule, .whyMatched, .onError, .threads, .example, .noExtensions,
        ] + OptionDescription.common.filter { $0.name != OptionDescription.arguments.name },
        details: """
            RULES is JSON Lines. A rule is {"predicate": "…", "id"?: "…", "arguments"?: […], "variables"?: {…}}; without an
            id its line is its id. Records are read as by predicate filter, from files or standard input.

            Prints a line of JSON for each record that some rule selects: {"file"?, "line", "matches": [ID, …]}, with the
            rules in their order. A rule whose evaluation fails for a record does not select it. The exit code is 1 if no
            record is selected. Thousands of rules take little more time than one, because only those are tested that an
            index finds.

            --why adds "why": [{"id", "explanation"}] in the form of predicate why --output json.
            """,
        examples: [
            "predicate match rules.jsonl orders.jsonl",
            "tail -f events.jsonl | predicate match alerts.jsonl",
        ]
    ) { invocation in try MatchRun(invocation).match() }
}

/// The rules of one file.
struct MatchRules: Sendable {
    struct Rule: Sendable {
        /// The identifier as JSON.
        let id: String
        let predicate: FormatPredicate
        let check: RecordCheck
        /// The keys that the rule reads from a record; nil for all.
        let keys: Set<String>?
    }

    private(set) var rules: [Rule] = []
    /// The rules by their position in `rules`.
    let set: PredicateSet<Int, PredicateValue>
    /// The keys that the rules read; nil if some rule reads records as a whole.
    private(set) var keys: Set<String>? = []

    /// Prints the errors of all rules and throws if there are any.
    init(_ name: String, _ invocation: Invocation, _ clock: RunClock) throws {
        let defaults = try invocation.variables(invocation.environment())
        var reader = try invocation.textReader(unbound: false)
        reader.clock = clock
        let report = Report(invocation)
        var seen: Set<String> = []
        var code = ExitCode.success
        set = try PredicateSet(run: PredicateRun(clock: clock.seconds))
        try invocation.forEachLine(of: name) { text, file, line in
            let place = "\(file ?? name):\(line)"
            do {
                let read = try Self.text(text, line: line, reader, defaults)
                guard seen.insert(read.id).inserted else {
                    throw RequestProblem("another rule has the id \(DisplayText.visible(read.id))")
                }
                code = code.combined(with: try add(read.id, read.text, report, file, line))
            } catch let problem as RequestProblem {
                try invocation.output.note("\(place): \(DisplayText.visible(problem.message))")
                code = code.combined(with: .usage)
            } catch let problem as JSONProblem {
                try invocation.output.note(
                    "\(place): column \(problem.column): \(DisplayText.visible(problem.message))")
                code = code.combined(with: .usage)
            }
        }
        guard code == .success else { throw CommandEnd.exit(code) }
        try set.insert(contentsOf: rules.enumerated().map { ($0, $1.predicate) })
    }

    /// Reads a line: the ID of the rule as JSON, and its predicate.
    static func text(
        _ line: String, line number: Int, _ reader: TextReader, _ defaults: PredicateVariables
    ) throws -> (id: String, text: PredicateText) {
        guard case .dictionary(let fields) = try JSON.parse(line) else {
            throw RequestProblem("a rule must be an object: {\"id\": \"a\", \"predicate\": \"age > 21\"}")
        }
        for key in fields.keys where !["id", "predicate", "arguments", "variables"].contains(key) {
            throw RequestProblem("a rule has no '\(key)'; it has id, predicate, arguments and variables")
        }
        guard case .string(let text)? = fields["predicate"] else {
            throw RequestProblem("\"predicate\" must be a text")
        }
        let id = fields["id"] ?? .integer(Int64(number))
        switch id {
        case .string, .integer: break
        default: throw RequestProblem("\"id\" must be a text or an integer")
        }
        var reader = reader
        reader.substitutions = defaults
        try read(fields, into: &reader)
        return (JSON.text(id), reader.read(text))
    }

    /// Reads the arguments and the variables of a rule.
    static func read(_ fields: ValueDictionary, into reader: inout TextReader) throws {
        if let arguments = fields["arguments"] {
            reader.arguments = .bound(try TaggedReader(arguments).arguments(reader.environment))
        }
        if let variables = fields["variables"] {
            reader.substitutions.merge(try TaggedReader(variables).variables(reader.environment)) { $1 }
        }
    }

    private mutating func add(
        _ id: String, _ text: PredicateText, _ report: Report, _ file: String?, _ line: Int
    ) throws -> ExitCode {
        var findings = text.diagnostics
        var code = ExitCode(checking: findings)
        if case .predicate(let predicate) = text.tree, !text.hasErrors {
            do throws(PredicateFailure) {
                let read = try predicate.compiled(for: PredicateValue.self).rootKeys
                keys = read.flatMap { keys?.union($0) }
                let check = RecordCheck(text, file: file, line: line)
                rules.append(Rule(id: id, predicate: predicate, check: check, keys: read))
                findings = check.early
            } catch {
                findings = text.diagnostics(after: error)
                code = ExitCode(evaluating: error)
            }
        }
        try report.show(findings, source: text.source, file: file, line: line)
        return code
    }
}
