// Prints the results of tests: as text, JSON Lines, annotations or JUnit's XML.

struct TestResult {
    let test: RuleTest
    var cases: [CaseResult] = []
    var coverage: CoverageResult?
}

/// The coverage of a rule, and objects for what is not covered.
struct CoverageResult {
    /// The maximum number of objects that are searched for one rule.
    private static let objectLimit = 20

    let coverage: RuleCoverage
    /// For the index of a term and an outcome that it never had: an object with that outcome.
    let objects: [(term: Int, outcome: Bool, object: PredicateValue)]

    init(_ coverage: RuleCoverage, from objects: [PredicateValue], _ variables: PredicateVariables, _ run: PredicateRun)
    {
        self.coverage = coverage
        var found: [(term: Int, outcome: Bool, object: PredicateValue)] = []
        var rest = Self.objectLimit
        for (index, term) in coverage.terms.enumerated() {
            let known = term.outcomes.union(term.impossible)
            for outcome in [true, false] where !known.contains(outcome ? .true : .false) && rest > 0 {
                rest -= 1
                let object = coverage.object(
                    coveringTerm: index, as: outcome, from: objects, variables: variables, run: run)
                if let object { found.append((index, outcome, object)) }
            }
        }
        self.objects = found
    }

    /// A percentage without fraction. It is 100 only if all is covered.
    static func percent(_ counts: (covered: Int, all: Int)) -> Int { Int(RuleCoverage.percentage(counts)) }

    func lines(_ name: String) -> [String] {
        var lines = ["\(DisplayText.visible(name)): \(Self.percent(coverage.counts)) % covered"]
        guard coverage.terms.contains(where: { $0.gap != nil }) else { return lines }
        lines.append(coverage.description)
        let source = SourceText(Array(coverage.text.utf8))
        for (term, outcome, object) in objects {
            let span = SourceSpan(coverage.terms[term].start, coverage.terms[term].end)
            let text = "\(source.text(span)) is \(outcome) with \(TaggedJSON.text(object))"
            lines.append("  " + DisplayText.visible(text))
        }
        return lines
    }

    var json: PredicateValue {
        let terms = coverage.terms.enumerated().map { index, term -> PredicateValue in
            var fields: [(String, PredicateValue)] = [
                ("text", .string(term.text)), ("start", .integer(Int64(term.start))),
                ("end", .integer(Int64(term.end))),
                ("outcomes", .array(term.outcomes.map(\.rawValue).sorted().map { .string($0) })),
            ]
            if let gap = term.gap { fields.append(("gap", .string(gap))) }
            for found in objects where found.term == index {
                let object = TaggedValue.encode(found.object, for: .json)
                fields.append((found.outcome ? "trueWith" : "falseWith", object))
            }
            return .object(fields)
        }
        return .object([
            ("text", .string(coverage.text)), ("percent", .integer(Int64(Self.percent(coverage.counts)))),
            ("terms", .array(terms)),
        ])
    }
}

extension CaseResult {
    /// The explanations as lines of text.
    var details: [String] {
        explanations.flatMap { place, explanation -> [String] in
            // The first line is the answer.
            let lines = explanation.description.split(separator: "\n").dropFirst()
            return (place.map { ["  " + DisplayText.visible($0)] } ?? [])
                + lines.map { $0.hasPrefix("  ") ? String($0) : "  " + $0 }
        }
    }

    /// `expected true, but the rule is false`
    var sentence: String? { problem.map { "expected \(expected), but \($0)" } }

    fileprivate var json: PredicateValue {
        var fields: [(String, PredicateValue)] = [
            ("name", .string(name)), ("line", .integer(Int64(line))), ("passed", .bool(problem == nil)),
            ("expected", .string(expected)),
        ]
        if let problem { fields.append(("problem", .string(problem))) }
        let shown = explanations.map { place, explanation in
            PredicateValue.object((place.map { [("object", .string($0))] } ?? []) + explanation.fields)
        }
        if !shown.isEmpty { fields.append(("explanations", .array(shown))) }
        return .object(fields)
    }
}

extension TestResult {
    /// A line of JSON.
    var json: String {
        var fields: [(String, PredicateValue)] = [
            ("file", .string(test.file)), ("line", .integer(Int64(test.line))), ("name", .string(test.name)),
            ("rule", .string(test.rule.source)), ("cases", .array(cases.map(\.json))),
        ]
        if let coverage { fields.append(("coverage", coverage.json)) }
        let text = JSON.text(.object(fields))
        guard test.rule.hasErrors else { return text }
        let found = JSONRenderer().render(test.rule.diagnostics, source: test.rule.source)
        return text.dropLast() + ",\"diagnostics\":\(found)}"
    }
}

/// The results as JUnit's XML, as CI servers read it.
struct JUnitReport {
    private var suites: [String] = []
    private var (cases, failures, time) = (0, 0, Duration.zero)

    mutating func add(_ result: TestResult) {
        let all = result.cases.map { one -> String in
            let head =
                "    <testcase classname=\"\(Self.escaped(result.test.file))\" name=\"\(Self.escaped(one.name))\""
                + " file=\"\(Self.escaped(result.test.file))\" line=\"\(one.line)\" time=\"\(Self.seconds(one.time))\""
            guard let sentence = one.sentence else { return head + "/>" }
            let text = Self.escaped(one.details.joined(separator: "\n"))
            let failure = "      <failure type=\"failure\" message=\"\(Self.escaped(sentence))\">\(text)</failure>"
            return [head + ">", failure, "    </testcase>"].joined(separator: "\n")
        }
        let failed = result.cases.count { $0.problem != nil }
        let time = result.cases.reduce(Duration.zero) { $0 + $1.time }
        let head =
            "  <testsuite name=\"\(Self.escaped(result.test.name))\" tests=\"\(all.count)\" failures=\"\(failed)\""
            + " errors=\"0\" skipped=\"0\" time=\"\(Self.seconds(time))\">"
        suites += [head] + all + ["  </testsuite>"]
        cases += all.count
        failures += failed
        self.time += time
    }

    var text: String {
        let head =
            "<testsuites tests=\"\(cases)\" failures=\"\(failures)\" errors=\"0\" time=\"\(Self.seconds(time))\">"
        return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", head] + suites + ["</testsuites>"])
            .joined(separator: "\n")
    }

    /// `0.042`
    static func seconds(_ time: Duration) -> String {
        let thousandths = Int(time / .milliseconds(1))
        let rest = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    /// Text for an attribute or an element. https://www.w3.org/TR/xml/#charsets lists the characters of XML.
    private static func escaped(_ text: String) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "\n": "&#10;"
            case "\r": "&#13;"
            case "\t": "&#9;"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: nil
            }
        }
    }
}
