// One run of `predicate match`. Inputs that can be split into batches are matched by several threads.

import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateRules
import PredicateSyntax

/// The result of a batch, in the order of its records.
private struct MatchFindings: Sendable {
    enum Item: Sendable {
        /// Lines of output.
        case lines([UInt8])
        case problem(RecordProblem)
    }

    let batch: RecordBatch
    /// The types of the records, if they are collected.
    var types: FieldShape?
    var items: [Item] = []
    /// For `--count`: the number of records that each rule selects.
    var counts: [Int] = []
    var recordCount = 0
    var selected = 0
}

/// Matches records and formats the output for them.
private struct Matching: Sendable {
    let rules: MatchRules
    let explains: Bool
    let counts: Bool
    /// The file's name, if there are several files.
    var file: String?

    /// Appends the output line of a record to `lines`. Returns whether a rule selects the record.
    func add(
        _ value: PredicateValue, at position: @autoclosure () -> (line: Int, index: Int), _ lines: inout [UInt8],
        _ totals: inout [Int]
    ) -> Bool {
        let matches = rules.set.matching(value)
        if matches.isEmpty { return false }
        if counts {
            for rule in matches { totals[rule] += 1 }
            return true
        }
        let place = position()
        lines += "{".utf8
        if let file { lines += "\"file\":\(file),".utf8 }
        lines += (place.line > 0 ? "\"line\":\(place.line)" : "\"record\":\(place.index + 1)").utf8
        lines += ",\"matches\":[".utf8
        for (index, rule) in matches.enumerated() {
            if index > 0 { lines.append(UInt8(ascii: ",")) }
            lines += rules.rules[rule].id.utf8
        }
        lines.append(UInt8(ascii: "]"))
        if explains { lines += why(matches, value).utf8 }
        lines += "}\n".utf8
        return true
    }

    private func why(_ matches: [Int], _ value: PredicateValue) -> String {
        let parts = matches.compactMap { number -> String? in
            let rule = rules.rules[number]
            guard let explanation = try? rule.predicate.explanation(for: value, options: rule.options) else {
                return nil
            }
            return "{\"id\":\(rule.id),\"explanation\":\(explanation.json)}"
        }
        return ",\"why\":[\(parts.joined(separator: ","))]"
    }
}

final class MatchRun {
    private let invocation: Invocation
    private let clock = RunClock()
    private let rules: MatchRules
    private var readerOptions: ReaderOptions
    private let threads: Int
    private let skipsErrors: Bool
    private var matching: Matching
    private var totals: [Int]
    private var selected = 0
    private var skipped = SkippedRecords()
    private var progress = ProgressLine()
    private var types: RecordTypes
    private var presence = KeyPresence(wantsValues: true)

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        guard let name = invocation.operands.first else {
            throw CommandEnd.usage("a file of rules is required", hint: "predicate match rules.jsonl records.jsonl")
        }
        rules = try MatchRules(name, invocation, clock)
        readerOptions = try invocation.readerOptions()
        readerOptions.keepsText = false
        readerOptions.fields = rules.keys?.sorted()
        threads = try invocation.threads()
        skipsErrors = invocation[.onError] == "skip"
        let counts = invocation.has(.countByRule)
        guard !counts || !invocation.has(.whyMatched) else {
            throw CommandEnd.usage("--why and --count cannot be used together")
        }
        types = RecordTypes(rules.rules.map(\.check))
        for key in Set(rules.rules.flatMap { $0.keys ?? [] }).sorted() { presence.expect([[key]]) }
        matching = Matching(rules: rules, explains: invocation.has(.whyMatched), counts: counts)
        totals = Array(repeating: 0, count: counts ? rules.rules.count : 0)
    }

    func run() throws -> ExitCode {
        var isGood = true
        let names = try invocation.inputNames()
        for name in names where isGood {
            matching.file = names.count > 1 ? JSON.text(.string(name)) : nil
            isGood = try match(invocation.open(name, readerOptions))
        }
        progress.clear()
        for (rule, count) in zip(rules.rules, totals) where isGood {
            try invocation.output.line("{\"id\":\(rule.id),\"count\":\(count)}")
        }
        if isGood { try tellTypes() }
        for line in skipped.summary("record") { try note(line) }
        return isGood ? selected > 0 ? .success : .negative : .failed
    }

    /// Reports comparisons that met no value of a comparable type, and keys that no record has.
    private func tellTypes() throws {
        _ = try types.show(in: Report(invocation))
        presence.note(seen: Set(types.shape.keys.filter { types.shape.fields[$0]?.count ?? 0 > 0 }), unclear: [])
        for (_, key, message) in presence.missing() {
            let ids = rules.rules.filter { $0.keys?.contains(key) ?? false }.map(\.id)
            let shown = ids.prefix(3).joined(separator: ", ") + (ids.count > 3 ? " and \(ids.count - 3) more" : "")
            try note("warning: \(ids.count == 1 ? "rule" : "rules") \(shown): \(message)")
        }
    }

    /// Matches one input. Returns false if an error ends the run.
    private func match(_ reader: RecordReader) throws -> Bool {
        let output = invocation.output
        reader.beforeWaiting = { try? output.flush() }
        defer { presence.note(reader.source) }
        if try !matchBatches(reader) { return false }
        while let event = reader.next() {
            progress.advance(reader)
            switch event {
            case .problem(let problem):
                if try !take(problem) { return false }
            case .record(let record):
                presence.note(record.value)
                if reader.totalBytes == nil { clock.advance() }
                if !types.open.isEmpty { types.add(record) }
                var lines: [UInt8] = []
                if matching.add(record.value, at: (record.line, record.index), &lines, &totals) {
                    selected += 1
                    try output.put(String(decoding: lines, as: UTF8.self))
                }
            }
        }
        return true
    }

    /// Matches the part of the input that can be split into batches. Returns false if an error ends the run.
    private func matchBatches(_ reader: RecordReader) throws -> Bool {
        let output = invocation.output
        let isStream = reader.totalBytes == nil
        let isSmall = reader.totalBytes.map { $0 < 2 * readerOptions.batchSize } ?? false
        var isGood = true
        try OrderedThreads.run(
            threads: isSmall ? 1 : threads,
            next: { [self] waits -> NextWork<(RecordBatch, [RecordCheck])> in
                if waits, isStream { try output.flush() }
                if isStream { clock.advance() }
                return switch reader.nextBatch(waits: waits) {
                case .wouldWait: .wouldWait
                case .rest: .end
                case .batch(let batch): .work((presence.noted(batch), types.open))
                }
            },
            worker: { [matching, readerOptions, skipsErrors, count = totals.count] in
                var reader: BatchReader?
                return { work in
                    let (batch, checks) = work
                    let known = reader ?? BatchReader(batch.source, options: readerOptions)
                    reader = known
                    return Self.findings(batch, known, matching, checks, skipsErrors: skipsErrors, count: count)
                }
            },
            finish: { [self] (findings: MatchFindings) in
                progress.advance(reader, by: findings.recordCount)
                types.add(findings.types)
                isGood = try take(findings)
                reader.reuse(findings.batch)
                if isStream { try output.flush() }
                return isGood
            })
        return isGood
    }

    private static func findings(
        _ batch: RecordBatch, _ reader: BatchReader, _ matching: Matching, _ checks: [RecordCheck], skipsErrors: Bool,
        count: Int
    ) -> MatchFindings {
        var findings = MatchFindings(batch: batch, counts: Array(repeating: 0, count: count))
        var lines: [UInt8] = []
        var types = checks.isEmpty ? nil : BatchTypes(checks, of: batch.source.format)
        reader.read(batch) { result in
            findings.recordCount += 1
            switch result {
            case .failure(let problem):
                findings.items += [.lines(lines), .problem(problem)]
                lines = []
                return skipsErrors && !problem.endsInput
            case .success(let record):
                types?.add(record.value)
                if matching.add(record.value, at: (reader.line, 0), &lines, &findings.counts) { findings.selected += 1 }
                return true
            }
        }
        findings.items.append(.lines(lines))
        findings.types = types?.shape
        return findings
    }

    private func take(_ findings: MatchFindings) throws -> Bool {
        selected += findings.selected
        for (rule, count) in findings.counts.enumerated() { totals[rule] += count }
        for item in findings.items {
            switch item {
            case .lines(let lines): if !lines.isEmpty { try invocation.output.send(lines) }
            case .problem(let problem): if try !take(problem) { return false }
            }
        }
        return true
    }

    private func take(_ problem: RecordProblem) throws -> Bool {
        try skipped.take(problem, skips: skipsErrors, note)
    }

    private func note(_ text: String) throws {
        progress.clear()
        try invocation.output.note(DisplayText.visible(text))
    }
}
