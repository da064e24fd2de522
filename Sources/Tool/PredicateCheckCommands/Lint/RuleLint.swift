// `lint --rules`: compares the rules of a file with each other, and with an earlier version of the file.

import PredicateModel
import PredicateRecords
import PredicateRequests
import PredicateRules
import PredicateSyntax

struct RuleLint {
    private let invocation: Invocation
    private let name: String
    private let report: Report
    private let schema: SchemaOption?
    private var reader: TextReader
    private var code = ExitCode.success
    /// The errors of rules that cannot be read, with places in the file.
    private var errors: [PredicateDiagnostic] = []
    private var wrong = 0

    init(_ invocation: Invocation, _ name: String) throws {
        guard invocation.operands.isEmpty else { throw CommandEnd.usage("give --rules or paths, not both") }
        for option in [OptionDescription.fix, .diff, .list, .baseline, .writeBaseline] where invocation.has(option) {
            throw CommandEnd.usage("\(option.name) and --rules cannot be used together")
        }
        (self.invocation, self.name) = (invocation, name)
        report = Report(invocation, isResult: true)
        reader = try invocation.textReader(unbound: false)
        schema = try invocation.schemaOption(reader.environment)
        reader.checker = try invocation.typeChecker(reader.environment)?.checker
    }

    mutating func run() throws -> ExitCode {
        let file = try RuleFile(try invocation.input.bytes(name), name: shownName)
        let rules = try predicates(file, keepsErrors: true)
        let entity = try schema?.entityName()
        let known = rules.filter { $0.predicate != nil }
        let findings = RuleComparison(known.compactMap(\.predicate), for: schema?.schema, entity: entity).findings()
        var diagnostics = errors
        for ((rule, _), finding) in zip(known, findings) {
            switch finding {
            case .never: diagnostics.append(PredicateDiagnostic(.ruleNever, at: rule.span, rule.name))
            case .always: diagnostics.append(PredicateDiagnostic(.ruleAlways, at: rule.span, rule.name))
            case .shadowed(let other):
                diagnostics.append(PredicateDiagnostic(.ruleShadowed, at: rule.span, rule.name, known[other].rule.name))
            case .duplicate(let other):
                diagnostics.append(
                    PredicateDiagnostic(.ruleDuplicate, at: rule.span, rule.name, known[other].rule.name))
            case nil: break
            }
        }
        if let before = try earlierFile() {
            diagnostics += changes(from: try predicates(before, keepsErrors: false), to: known, entity)
        }
        try show(diagnostics.ordered { $0.span.start < $1.span.start }, file, rules.count)
        return code
    }

    private var shownName: String { name == "-" ? "<stdin>" : name }

    private typealias ReadRule = (rule: RuleFile.Rule, predicate: FormatPredicate?)

    /// The predicates of the rules; nil for those that cannot be read.
    private mutating func predicates(_ file: RuleFile, keepsErrors: Bool) throws -> [ReadRule] {
        let defaults = try invocation.variables(reader.environment)
        var found: [ReadRule] = []
        for rule in file.rules {
            var reader = reader
            reader.substitutions = defaults
            if let fields = rule.fields { try MatchRules.read(fields, into: &reader) }
            let read = reader.read(rule.text.text)
            if case .predicate(let predicate) = read.tree, !read.hasErrors {
                found.append((rule, predicate))
                continue
            }
            if keepsErrors {
                code = code.combined(with: read.code)
                wrong += 1
                for found in read.diagnostics where found.severity == .error {
                    errors.append(
                        PredicateDiagnostic(
                            found.id, at: rule.text.source(found.span), details: found.details,
                            suggestion: found.suggestion))
                }
            }
            found.append((rule, nil))
        }
        return found
    }

    private mutating func show(_ diagnostics: [PredicateDiagnostic], _ file: RuleFile, _ count: Int) throws {
        let filter = try invocation.findingFilter()
        let shown = diagnostics.filter { filter.reports($0) }
        let isStrict = invocation.has(.strict) && shown.contains { $0.severity == .warning }
        if isStrict { code = code.combined(with: .refused) }
        if invocation[.output] == "sarif" {
            var sarif = SARIFReport()
            sarif.add(shown, source: file.source, file: shownName)
            return try invocation.output.line(sarif.text)
        }
        if report.format == .json {
            let objects = JSONRenderer().objects(shown, source: file.source).joined(separator: ",")
            let file = JSON.text(.string(shownName))
            return try invocation.output.line(
                "{\"file\":\(file),\"predicates\":\(count),\"diagnostics\":[\(objects)]}")
        }
        try report.show(shown, source: file.source, file: shownName)
        guard report.format == .text else { return }
        let warnings = shown.count { $0.severity == .warning }
        let summary = Report.summary(wrong: wrong, warnings: warnings)
        try invocation.output.line("\(DisplayText.count(count, "rule")), \(summary)")
    }

    // MARK: Earlier rules

    /// The earlier version of the file; nil if none is asked for.
    private func earlierFile() throws -> RuleFile? {
        if let other = invocation[.before] {
            guard !invocation.has(.since) else { throw CommandEnd.usage("give --before or --since, not both") }
            return try RuleFile(try invocation.input.bytes(other), name: other)
        }
        guard let revision = invocation[.since] else { return nil }
        guard !revision.isEmpty, !revision.hasPrefix("-"), !revision.contains(":") else {
            throw CommandEnd.usage("--since takes a revision, such as main or HEAD~1, not '\(revision)'")
        }
        let path = invocation.input.absolutePath(name)
        let parts = path.split(separator: "/")
        let folder = "/" + parts.dropLast().joined(separator: "/")
        let words = ["git", "-C", folder, "show", "\(revision):./\(parts.last ?? "")"]
        guard let bytes = SystemCommand.output(of: words) else {
            throw CommandEnd.failure(.failed, "git cannot show '\(name)' of \(revision)")
        }
        return try RuleFile(bytes, name: "\(revision):\(name)")
    }

    /// The rules that select other objects than the earlier rule with the same name.
    private func changes(from earlier: [ReadRule], to rules: [ReadRule], _ entity: String?) -> [PredicateDiagnostic] {
        var byName: [String: FormatPredicate] = [:]
        for (rule, predicate) in earlier { byName[rule.name] = byName[rule.name] ?? predicate }
        return rules.compactMap { rule, predicate in
            guard let predicate, let old = byName[rule.name], old != predicate else { return nil }
            let comparison = PredicateComparison(old, predicate, for: schema?.schema, entity: entity)
            let samples = [("only the earlier", comparison.onlyFirst), ("only this one", comparison.onlySecond)]
            let texts = samples.compactMap { words, sample in
                if case .proven(let object) = sample { "\(words) selects \(TaggedJSON.text(object))" } else { nil }
            }
            if texts.isEmpty { return nil }
            return PredicateDiagnostic(.ruleChanged, at: rule.span, rule.name, texts.joined(separator: "; "))
        }
    }
}
