// One run of `predicate match`: reads the inputs (RecordRun), and writes a line for each record that a rule selects.

/// Lines of output, up to a record that cannot be read.
struct MatchedRecords: BatchOutput {
    var lines: [UInt8] = []
    /// The number of records that some rule selects; for `--count` also of those that each rule selects.
    var selected = 0
    var counts: [Int] = []
    var problem: RecordProblem?

    init(_ batch: RecordBatch) { self.init() }
    init() {}
}

/// Matches records and formats the output for them.
struct Matching: RecordTester, Sendable {
    let rules: MatchRules
    let clock: RunClock
    let explains: Bool
    let counts: Bool
    /// The file's name, if there are several files.
    var file: String?

    func test(
        _ record: BatchRecord, _ reader: BatchReader, _ goal: Void, _ findings: inout BatchFindings<MatchedRecords>
    ) -> Bool {
        findings.update { add(record.value, at: (reader.line, 0), to: &$0) }
        return true
    }

    /// Appends the output line of a record, if a rule selects it.
    func add(
        _ value: PredicateValue, at position: @autoclosure () -> (line: Int, index: Int), to part: inout MatchedRecords
    ) {
        let matches = rules.set.matching(value)
        if matches.isEmpty { return }
        part.selected += 1
        if counts {
            if part.counts.isEmpty { part.counts = Array(repeating: 0, count: rules.rules.count) }
            for rule in matches { part.counts[rule] += 1 }
            return
        }
        let place = position()
        part.lines += "{".utf8
        if let file { part.lines += "\"file\":\(file),".utf8 }
        part.lines += (place.line > 0 ? "\"line\":\(place.line)" : "\"record\":\(place.index + 1)").utf8
        part.lines += ",\"matches\":[".utf8
        for (index, rule) in matches.enumerated() {
            if index > 0 { part.lines.append(UInt8(ascii: ",")) }
            part.lines += rules.rules[rule].id.utf8
        }
        part.lines.append(UInt8(ascii: "]"))
        if explains { part.lines += why(matches, value).utf8 }
        part.lines += "}\n".utf8
    }

    private func why(_ matches: [Int], _ value: PredicateValue) -> String {
        let run = PredicateRun(clock: clock.seconds)
        let parts = matches.compactMap { number -> String? in
            let rule = rules.rules[number]
            guard let explanation = try? rule.predicate.explanation(for: value, run: run) else { return nil }
            return "{\"id\":\(rule.id),\"explanation\":\(explanation.json)}"
        }
        return ",\"why\":[\(parts.joined(separator: ","))]"
    }
}

final class MatchRun: RecordConsumer {
    private let invocation: Invocation
    private let run: RecordRun
    private let rules: MatchRules
    private var matching: Matching
    /// For `--count`: the number of records that each rule selects.
    private var totals: [Int]
    private var selected = 0

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        guard let name = invocation.operands.first else {
            throw CommandEnd.usage("a file of rules is required", hint: "predicate match rules.jsonl records.jsonl")
        }
        run = try RecordRun(invocation, wantsValues: true)
        rules = try MatchRules(name, invocation, run.clock)
        run.options.keepsText = false
        run.options.fields = rules.keys?.sorted()
        let counts = invocation.has(.countByRule)
        guard !counts || !invocation.has(.whyMatched) else {
            throw CommandEnd.usage("--why and --count cannot be used together")
        }
        run.findings.types = RecordTypes(rules.rules.map(\.check))
        for key in Set(rules.rules.flatMap { $0.keys ?? [] }).sorted() { run.findings.presence.expect([[key]]) }
        matching = Matching(rules: rules, clock: run.clock, explains: invocation.has(.whyMatched), counts: counts)
        totals = Array(repeating: 0, count: counts ? rules.rules.count : 0)
    }

    func match() throws -> ExitCode {
        var isGood = true
        let names = try invocation.inputNames()
        let types = try invocation.columnTypes(of: names, run.options)
        for name in names where isGood {
            run.options.columnTypes = types[name]
            matching.file = names.count > 1 ? JSON.text(.string(name)) : nil
            isGood = try run.read(invocation.open(name, run.options), for: self)
        }
        for (rule, count) in zip(rules.rules, totals) where isGood {
            try invocation.output.line("{\"id\":\(rule.id),\"count\":\(count)}")
        }
        if isGood { try tellTypes() }
        try run.showSkipped()
        return isGood ? selected > 0 ? .success : .negative : .failed
    }

    /// Reports comparisons that met no value of a comparable type, and keys that no record has.
    private func tellTypes() throws {
        let types = run.findings.types
        _ = try types.show(in: run.report)
        let seen = Set(types.shape.keys.filter { types.shape.fields[$0]?.count ?? 0 > 0 })
        run.findings.presence.note(seen: seen, unclear: [])
        for (_, key, message) in run.findings.presence.missing() {
            let ids = rules.rules.filter { $0.keys?.contains(key) ?? false }.map(\.id)
            let shown = ids.prefix(3).joined(separator: ", ") + (ids.count > 3 ? " and \(ids.count - 3) more" : "")
            try run.note("warning: \(ids.count == 1 ? "rule" : "rules") \(shown): \(message)")
        }
    }

    // MARK: Records

    var tester: @Sendable () -> Matching { { [matching] in matching } }
    var isFull: Bool { false }
    var collectsKeys: Bool { false }
    func goal(for source: RecordInput) {}

    func take(_ part: MatchedRecords, of findings: BatchFindings<MatchedRecords>) throws -> Bool {
        selected += part.selected
        for (rule, count) in part.counts.enumerated() { totals[rule] += count }
        if !part.lines.isEmpty { try invocation.output.send(part.lines) }
        return try part.problem.map(take) ?? true
    }

    func take(_ record: Record, ofStream: Bool) throws -> Bool {
        var part = MatchedRecords()
        matching.add(record.value, at: (record.line, record.index), to: &part)
        selected += part.selected
        for (rule, count) in part.counts.enumerated() { totals[rule] += count }
        try invocation.output.put(String(decoding: part.lines, as: UTF8.self))
        return true
    }

    func take(_ problem: RecordProblem) throws -> Bool { try run.take(problem) }
}
