// `lint --rules`: compares the rules of a file with each other, and with an earlier version of the file.

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
        if invocation.has(.failOn), !invocation.has(.since), !invocation.has(.before) {
            throw CommandEnd.usage("--fail-on needs --since or --before")
        }
        for option in [OptionDescription.fix, .diff, .list, .baseline, .writeBaseline, .stamp]
        where invocation.has(option) {
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
                let names = other.map { known[$0].rule.name }
                let those =
                    names.count == 1
                    ? "rule \(names[0]) selects" : "rules \(names.joined(separator: ", ")) together select"
                diagnostics.append(PredicateDiagnostic(.ruleShadowed, at: rule.span, rule.name, those))
            case .duplicate(let other):
                diagnostics.append(
                    PredicateDiagnostic(.ruleDuplicate, at: rule.span, rule.name, known[other].rule.name))
            case nil: break
            }
        }
        if let before = try earlierFile() {
            diagnostics += changes(from: try predicates(before, keepsErrors: false), to: rules, entity)
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
            var predicate: FormatPredicate?
            if case .predicate(let tree) = read.tree, !read.hasErrors {
                predicate = tree
            } else if keepsErrors {
                code = code.combined(with: read.code)
                wrong += 1
                for found in read.diagnostics where found.severity == .error {
                    errors.append(
                        PredicateDiagnostic(
                            found.id, at: rule.text.source(found.span), details: found.details,
                            suggestion: found.suggestion))
                }
            }
            found.append((rule, predicate))
        }
        return found
    }

    private mutating func show(_ diagnostics: [PredicateDiagnostic], _ file: RuleFile, _ count: Int) throws {
        let filter = try invocation.findingFilter()
        let shown = diagnostics.filter { filter.reports($0) }
        let isStrict = invocation.has(.strict) && shown.contains { $0.severity == .warning }
        if isStrict { code = code.combined(with: .refused) }
        if let name = invocation[.failOn], case let ids = DiagnosticID.changes(named: name),
            diagnostics.contains(where: { ids.contains($0.id) })
        {
            code = code.combined(with: .refused)
        }
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
        let changes = diagnostics.count { DiagnosticID.changes(named: "changed").contains($0.id) }
        var summary = Report.summary(wrong: wrong, warnings: warnings)
        if changes > 0 {
            summary = (wrong + warnings == 0 ? "none wrong" : summary) + ", \(changes) changed"
        }
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

    /// What has changed since the earlier rules: rules that select other objects than the earlier one of the same name, and
    /// rules that only one of the files has.
    private func changes(from earlier: [ReadRule], to rules: [ReadRule], _ entity: String?) -> [PredicateDiagnostic] {
        let before = Dictionary(earlier.map { ($0.rule.name, $0.predicate) }) { first, _ in first }
        var found: [PredicateDiagnostic] = []
        for (rule, predicate) in rules {
            guard let old = before[rule.name] else {
                found.append(PredicateDiagnostic(.ruleAdded, at: rule.span, rule.name))
                continue
            }
            guard let predicate, old != predicate else { continue }
            found += change(of: rule, from: old, to: predicate, entity).map { [$0] } ?? []
        }
        let names = Set(rules.map(\.rule.name))
        for (rule, _) in earlier where !names.contains(rule.name) {
            found.append(PredicateDiagnostic(.ruleRemoved, at: .none, rule.name))
        }
        return found
    }

    /// The finding about a rule that was changed; nil if it selects the same objects.
    private func change(
        of rule: RuleFile.Rule, from old: FormatPredicate?, to predicate: FormatPredicate, _ entity: String?
    ) -> PredicateDiagnostic? {
        func undecided(_ reason: String, _ known: String = "") -> PredicateDiagnostic {
            PredicateDiagnostic(.ruleUndecided, at: rule.span, rule.name, reason, known)
        }
        func looser(_ object: PredicateValue, _ rest: String...) -> PredicateDiagnostic {
            let parts = [object.example] + rest
            return PredicateDiagnostic(.ruleLooser, at: rule.span, rule.name, parts.joined(separator: "; "))
        }
        func tighter(_ what: String) -> PredicateDiagnostic {
            PredicateDiagnostic(.ruleChanged, at: rule.span, rule.name, what)
        }
        func lost(_ object: PredicateValue) -> String { "only the earlier selects \(object.example)" }
        guard let old else { return undecided("the earlier rule cannot be read") }
        let comparison = PredicateComparison(old, predicate, for: schema?.schema, entity: entity)
        switch (comparison.onlyFirst, comparison.onlySecond) {
        case (.refuted, .refuted): return nil
        case (.refuted, .proven(let object)):
            return looser(object)
        case (.refuted, .unknown(let reason)):
            return undecided("\(reason)", "it selects all objects of the earlier rule")
        case (.proven(let object), .refuted): return tighter(lost(object))
        case (.proven(let one), .proven(let other)): return looser(other, lost(one))
        case (.proven(let object), .unknown(let reason)): return undecided("\(reason)", lost(object))
        case (.unknown, .refuted): return tighter("it selects no others, and perhaps fewer")
        case (.unknown, .proven(let object)): return looser(object, "it may have lost others")
        case (.unknown, .unknown(let reason)): return undecided("\(reason)")
        }
    }
}

extension DiagnosticID {
    /// The findings about changes that `--fail-on` names.
    fileprivate static func changes(named name: String) -> Set<DiagnosticID> {
        switch name {
        case "looser": [.ruleLooser]
        case "undecided": [.ruleUndecided]
        default: [.ruleAdded, .ruleChanged, .ruleLooser, .ruleRemoved, .ruleUndecided]
        }
    }
}
