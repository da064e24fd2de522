// `predicate test`: runs tests of rules. RuleTest.swift has their form, TestReport.swift prints the results.

extension CommandDescription {
    package static let test = CommandDescription(
        name: "test", summary: "runs tests of rules",
        operands: "FILE…", operandCount: 0...Int.max,
        options: [.filterTests, .coverage, .failUnder, .testOutput, .noColor, .help],
        details: """
            A test is an object in JSON or YAML, or a list of them; in JSON Lines, a line, with its cases in the lines
            below it. A folder stands for the files *.test.json, *.test.jsonl and *.test.yaml in it and below.
              { "rule": "age >= 18 AND country == $here", "variables": {"here": "FR"},
                "cases": [ { "name": "an adult", "object": {"age": 20, "country": "FR"}, "expect": true },
                           { "object": {"age": "x"}, "expect": "error", "error": "operand-type" },
                           { "data": "people.csv", "key": "id", "expect": [1, 4] } ] }
            A test has "rule", or "ruleFile" with one predicate, or "ruleFile" and "ruleID" for a rule of predicate
            match; and name, arguments (for %@), variables, clock (the instant of now()), timeZone (default: UTC),
            extensions, types (of fields), schema and entity. A case has "object", "objects" or "data", a file of
            records; and name, variables, clock. "expect" is true, false, "error" or, with several objects, the values
            of "key" (default: id) of those that match. "error" is the ID of the error or a part of its message. File
            names are relative to the test file. A key of an object that no rule reads, or that the schema lacks, is a
            warning.

            The exit code is 1 if a case fails or the coverage is too small. It is 2 for a wrong test file, 3 or 4 for a
            rule with errors that no case expects, and 5 if a file cannot be read.

            --coverage marks the terms of each rule that were never true, never false or never evaluated, and prints
            objects that would cover them. --output json prints a line for each test: {"file", "line", "name", "rule",
            "cases": [{"name", "line", "passed", "expected", "problem"?, "explanations"?}], "coverage"?, "diagnostics"?}
            """,
        examples: [
            "predicate test rules",
            "predicate test rules/alerts.test.json --coverage --fail-under 90",
            "predicate test rules --output junit > report.xml",
        ]
    ) { invocation in
        guard !invocation.operands.isEmpty else {
            throw CommandEnd.usage("a test file is required", hint: "predicate test rules/alerts.test.json")
        }
        return try TestRun(invocation).run()
    }
}

/// One run of the command.
private struct TestRun {
    private let invocation: Invocation
    private let report: Report
    private let covers: Bool
    private var results: [TestResult] = []
    /// The coverage of each rule, with the objects of its cases, in the order of the first tests.
    private var rules: [(coverage: RuleCoverage, objects: [PredicateValue], run: CaseRun)] = []
    private var code = ExitCode.success

    init(_ invocation: Invocation) {
        self.invocation = invocation
        covers = invocation.has(.coverage) || invocation.has(.failUnder)
        report = Report(invocation, isResult: ["text", "github"].contains(invocation[.output] ?? "text"))
    }

    /// Whether results are printed as text.
    private var isText: Bool { ["text", nil].contains(invocation[.output]) }

    consuming func run() throws -> ExitCode {
        let start = ContinuousClock.now
        let limit = try invocation.count(.failUnder)
        if let limit, limit > 100 { throw CommandEnd.usage("--fail-under takes a percentage, not \(limit)") }
        let files = try invocation.input.testFiles(invocation.operands)
        let reader = TestReader(invocation)
        var tests: [RuleTest] = []
        for file in files { tests += try reader.tests(in: file, invocation.input) }
        if let text = invocation[.filterTests] {
            tests.removeAll { !$0.name.contains(text) }
            if tests.isEmpty, reader.code == .success { throw CommandEnd.usage("no test has '\(text)' in its name") }
        }
        for test in tests {
            for warning in test.unreadKeys(ifReadBy: tests) { try invocation.output.note(DisplayText.visible(warning)) }
            try run(test)
        }
        code = code.combined(with: reader.code)
        if covers { addCoverage() }
        try printResults()
        let failed = results.flatMap(\.cases).count { $0.problem != nil }
        if isText { try printSummary(files.count, failed, ContinuousClock.now - start) }
        let counts = rules.map(\.coverage.counts).reduce((0, 0)) { ($0.0 + $1.covered, $0.1 + $1.all) }
        let isSmall = limit.map { CoverageResult.percent(counts) < $0 } ?? false
        if let limit, isSmall {
            try invocation.output.note("the coverage is \(CoverageResult.percent(counts)) %, less than \(limit) %")
        }
        return code == .success && (failed > 0 || isSmall) ? .negative : code
    }

    private mutating func run(_ test: RuleTest) throws {
        var run = CaseRun(test, invocation)
        let known = test.predicate.flatMap { predicate in rules.firstIndex { $0.coverage.isOf(predicate) } }
        if covers { run.coverage = known.map { rules[$0].coverage } ?? test.predicate.map { RuleCoverage($0) } }
        if run.dependsOnClock {
            let advice = "the rule reads the clock, so its answers may change: add \"clock\""
            try invocation.output.note(DisplayText.visible("\(test.file):\(test.line): warning: \(advice)"))
        }
        var result = TestResult(test: test)
        var isRefused = false
        for one in test.cases {
            let found = try run.run(one)
            result.cases.append(found)
            code = code.combined(with: found.code)
            guard found.problem != nil else { continue }
            if !test.rule.hasErrors { try show(found, of: test) }
            isRefused = isRefused || test.rule.hasErrors
        }
        if isRefused {
            // Its cases fail for one reason.
            code = code.combined(with: test.rule.code)
            let (file, line) = test.rulePlace
            if invocation[.output] != "json" {
                try report.show(test.rule.diagnostics, source: test.rule.source, file: file, line: line)
            }
        }
        results.append(result)
        guard let coverage = run.coverage else { return }
        if let known {
            rules[known].coverage = coverage
            rules[known].objects += run.objects
        } else {
            rules.append((coverage, run.objects, run))
        }
    }

    private func show(_ found: CaseResult, of test: RuleTest) throws {
        guard let sentence = found.sentence else { return }
        if isText {
            let place = "\(test.file):\(found.line): \(test.name), \(found.name): "
            try invocation.output.line(DisplayText.visible(place) + DisplayText.visible(sentence))
            for line in found.details { try invocation.output.line(line) }
        } else if invocation[.output] == "github" {
            let message = ([sentence] + found.details).joined(separator: "\n")
            let title = "\(test.name), \(found.name)"
            let line = GitHubRenderer.annotation("error", file: test.file, line: found.line, title: title, message)
            try invocation.output.line(line)
        }
    }

    /// Adds its rule's coverage, which is that of all its tests, to each result.
    private mutating func addCoverage() {
        let all = rules.map { rule in
            let (variables, run) = rule.run.evaluation(of: nil)
            return CoverageResult(rule.coverage, from: rule.objects, variables, run)
        }
        for (index, result) in results.enumerated() {
            guard let predicate = result.test.predicate else { continue }
            results[index].coverage = all.first { $0.coverage.isOf(predicate) }
        }
    }

    private func printResults() throws {
        switch invocation[.output] {
        case "json":
            for result in results { try invocation.output.line(result.json) }
            return
        case "junit":
            var junit = JUnitReport()
            for result in results { junit.add(result) }
            try invocation.output.line(junit.text)
        default: break
        }
        guard invocation.has(.coverage) else { return }
        var shown: Set<[RuleCoverage.Term]> = []
        for result in results {
            guard let found = result.coverage, shown.insert(found.coverage.terms).inserted else { continue }
            for line in found.lines(result.test.name) {
                if isText { try invocation.output.line(line) } else { try invocation.output.note(line) }
            }
        }
    }

    private func printSummary(_ files: Int, _ failed: Int, _ time: Duration) throws {
        let count = results.map(\.cases.count).reduce(0, +)
        let result = count == 0 ? "" : failed == 0 ? ", all passed" : ", \(failed) failed"
        // Shorter times say nothing.
        let seconds = time < .seconds(1) ? "" : " in \(JUnitReport.seconds(time)) s"
        try invocation.output.line(
            "\(DisplayText.count(count, "case")) of \(DisplayText.count(results.count, "test")) in "
                + "\(DisplayText.count(files, "file"))\(result)\(seconds)")
    }
}
