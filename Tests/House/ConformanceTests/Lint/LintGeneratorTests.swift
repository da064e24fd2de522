// Writes every predicate of the golden files (and of the shared corpus, if it is beside the checkout) into Swift and
// Objective-C sources and lints them. Lint must find each at its position, with exactly the diagnostics of `check`.

import Foundation
import GoldenCases
import PredicateCommands
import PredicateRules
import PredicateRecords
import PredicateTestSupport
import Testing

@Suite struct LintGeneratorTests {
    struct Sample: Hashable {
        let text: String
        var isExpression = false
    }

    static let conformance = Project.root.deletingLastPathComponent().appendingPathComponent("shared/conformance")
    static let hasConformance = FileManager.default.fileExists(
        atPath: conformance.appendingPathComponent("corpus.jsonl").path)

    static func lines(_ name: String) throws -> [ValueDictionary] {
        try String(contentsOf: conformance.appendingPathComponent(name), encoding: .utf8).split(separator: "\n").map {
            guard case .dictionary(let fields) = try JSON.parse(String($0)) else {
                throw CocoaError(.coderInvalidValue)
            }
            return fields
        }
    }

    @Test(arguments: [true, false], TestDepth.isQuick ? [1] : [1, 2, 3] as [UInt64])
    func golden(isSwift: Bool, seed: UInt64) throws {
        let cases = try GoldenTests.files.flatMap { try GoldenFile(Project.text($0)).cases }
        let samples = cases.map { Sample(text: $0.format, isExpression: $0.directives["kind"] == "expression") }
        #expect(samples.count > 500)
        try run(TestDepth.some(samples, every: 1), isSwift: isSwift, seed: seed)
    }

    @Test(.enabled(if: hasConformance), arguments: [true, false], TestDepth.isQuick ? [4] : [4, 5] as [UInt64])
    func corpus(isSwift: Bool, seed: UInt64) throws {
        let samples = try Self.lines("corpus.jsonl").filter { $0["expect"] == .string("parse") }.map { fields in
            guard case .string(let text)? = fields["format"] else { throw CocoaError(.coderInvalidValue) }
            return Sample(text: text, isExpression: fields["kind"] == .string("expression"))
        }
        #expect(samples.count > 1000)
        let wrong = try run(TestDepth.some(samples, every: 1), isSwift: isSwift, seed: seed)
        #expect(wrong == [], "these are right, and were reported")
    }

    /// The profiles accept predicates that people wrote for these programs. Three texts of the corpus are exceptions:
    /// two compare strings instead of elements, and one uses a rule for which its profile has a warning.
    @Test(
        .enabled(if: hasConformance),
        arguments: [
            ("oslog", "oslog"), ("munki", "munki"), ("xcuitest", "xcuitest"), ("ddm", "ddm"),
            ("extension", "nsextension"), ("xcdatamodel", "coredata-sqlite"),
        ])
    func profilesTakeTheirCorpus(domain: String, profile: String) throws {
        let texts = try Self.lines("corpus.jsonl").compactMap { fields -> String? in
            guard fields["domain"] == .string(domain), fields["kind"] == .string("predicate"),
                fields["expect"] == .string("parse") || domain == "ddm",
                case .string(let text)? = fields["format"], !text.contains("SELF beginsWith"),
                // Formats of the driver's own queries, and a key of its documents that it refuses.
                !["hasFocus", "elementType", "isVisible"].contains(where: text.hasPrefix)
            else { return nil }
            return text
        }
        #expect(texts.count > 5)
        let requests = texts.map { JSON.text(.dictionary(ValueDictionary([("format", .string($0))]))) + "\n" }.joined()
        let captured = Captured(keepsErrors: false)
        _ = PredicateCommand.run(
            ["check", "--profile", profile, "--batch", "-"], input: CommandInput(text: requests),
            output: captured.output)
        let answers = captured.text.split(separator: "\n")
        #expect(answers.count == texts.count)
        for (text, answer) in zip(texts, answers) {
            #expect(answer.contains("\"ok\":true") && !answer.contains("\"profile-key\""), "\(text)\n\(answer)")
        }
    }

    /// The statuses that conformance/run.py counts.
    @Test(.enabled(if: hasConformance), arguments: [true, false], TestDepth.isQuick ? [6] : [6, 7] as [UInt64])
    func invalid(isSwift: Bool, seed: UInt64) throws {
        let counted: Set<PredicateValue> = [
            .string("asserted-in-test-against-Apple"), .string("documented-by-Apple"), .string("reported"),
        ]
        let samples = try Self.lines("invalid.jsonl").filter { $0["status"].map(counted.contains) == true }.map {
            fields in
            guard case .string(let text)? = fields["format"] else { throw CocoaError(.coderInvalidValue) }
            return Sample(text: text)
        }
        #expect(samples.count > 10)
        let wrong = try run(samples, isSwift: isSwift, seed: seed)
        #expect(wrong == samples.map(\.text), "these are wrong, and were not reported")
    }

    /// Lints a file with the samples. Returns the texts with errors.
    @discardableResult
    private func run(_ samples: [Sample], isSwift: Bool, seed: UInt64) throws -> [String] {
        var writer = LiteralWriter(isSwift: isSwift, seed: seed)
        var expected: [[PredicateDiagnostic]] = []
        for sample in samples {
            let (diagnostics, conversions) = Self.read(sample)
            writer.add(sample.text, isExpression: sample.isExpression, arguments: conversions)
            // In the text of a map its methods are known.
            let isOfMap = sample.text.contains("mgl_") || sample.text.contains("MGL_")
            expected.append(diagnostics.filter { !isOfMap || $0.id != .refusedMethod })
        }
        let found = try lint(writer.source, isSwift ? "swift" : "m")
        let places = Places(writer.source)
        guard found.predicates.count == samples.count else {
            let missing = Set(writer.written.map(\.text)).subtracting(found.predicates.map(\.text)).sorted()
            Issue.record(
                "seed \(seed): \(found.predicates.count) of \(samples.count) found; missing \(missing.prefix(5))")
            return []
        }
        var findings: Set<String> = []
        for (index, entry) in writer.written.enumerated() {
            let predicate = found.predicates[index]
            let start = places.of(entry.offsets.first ?? entry.end)
            #expect(predicate.text == entry.text, "seed \(seed), \(entry.form)")
            #expect((predicate.line, predicate.column) == start, "seed \(seed), \(entry.form): \(entry.text)")
            #expect(
                predicate.isFine != expected[index].contains { $0.severity == .error }, "\(entry.form): \(entry.text)")
            for diagnostic in expected[index] {
                let offset = diagnostic.span.start
                let place = places.of(offset < entry.offsets.count ? entry.offsets[offset] : entry.end)
                findings.insert("\(diagnostic.id.rawValue) \(place.0):\(place.1)")
            }
        }
        #expect(found.findings.subtracting(findings).sorted().prefix(5) == [], "seed \(seed): unexpected")
        #expect(findings.subtracting(found.findings).sorted().prefix(5) == [], "seed \(seed): missing")
        return found.predicates.filter { !$0.isFine }.map(\.text)
    }

    /// The expected diagnostics and the number of arguments; nil if it cannot be counted.
    private static func read(_ sample: Sample) -> ([PredicateDiagnostic], Int?) {
        var count = 0
        func visit(_ node: PredicateNode) { node.kind.forEachChild({ visit($0) }, { visit($0) }) }
        func visit(_ node: ExpressionNode) {
            if case .argument = node.kind { count += 1 }
            node.kind.forEachChild({ visit($0) }, { visit($0) })
        }
        let tree: PredicateTree
        let syntax: [PredicateDiagnostic]
        if sample.isExpression {
            let parsed = FormatExpression.parse(sample.text)
            visit(parsed.tree)
            (tree, syntax) = (.expression(parsed.tree), parsed.diagnostics)
        } else {
            let parsed = FormatPredicate.parse(sample.text)
            visit(parsed.tree)
            (tree, syntax) = (.predicate(parsed.tree), parsed.diagnostics)
        }
        let diagnostics = tree.findings(source: sample.text, syntax: syntax, by: .text(.standard))
        return (diagnostics, diagnostics.contains { $0.severity == .error } ? nil : count)
    }

    private struct Found {
        struct Predicate {
            let text: String
            let line: Int
            let column: Int
            let isFine: Bool
        }
        var predicates: [Predicate] = []
        var findings: Set<String> = []
    }

    private func lint(_ source: [UInt8], _ suffix: String) throws -> Found {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(suffix)")
        try Data(source).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let captured = Captured(keepsErrors: false)
        _ = PredicateCommand.run(
            ["lint", "--list", "--output", "json", file.path], input: CommandInput(text: nil), output: captured.output)
        var found = Found()
        guard case .dictionary(let answer)? = try? JSON.parse(captured.text),
            case .array(let predicates)? = answer["predicates"], case .array(let findings)? = answer["diagnostics"]
        else { return found }
        for case .dictionary(let fields) in predicates {
            guard case .string(let text)? = fields["predicate"], case .integer(let line)? = fields["line"],
                case .integer(let column)? = fields["column"]
            else { continue }
            found.predicates.append(
                .init(text: text, line: Int(line), column: Int(column), isFine: fields["ok"] == .bool(true)))
        }
        for case .dictionary(let fields) in findings {
            guard case .string(let id)? = fields["id"], case .integer(let line)? = fields["line"],
                case .integer(let column)? = fields["column"]
            else { continue }
            found.findings.insert("\(id) \(line):\(column)")
        }
        return found
    }

    /// Computes lines and columns independently of the linter.
    private struct Places {
        private var starts = [0]
        private let source: [UInt8]

        init(_ source: [UInt8]) {
            self.source = source
            for (offset, byte) in source.enumerated() where byte == 10 { starts.append(offset + 1) }
        }

        func of(_ offset: Int) -> (Int, Int) {
            let line = starts.lastIndex { $0 <= offset } ?? 0
            let column = source[starts[line]..<min(offset, source.count)].count { $0 & 0xC0 != 0x80 }
            return (line + 1, column + 1)
        }
    }
}
