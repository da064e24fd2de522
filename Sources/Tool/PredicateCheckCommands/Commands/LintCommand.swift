// `predicate lint`: finds and checks the predicates in sources, property lists and data models.

extension CommandDescription {
    package static let lint = CommandDescription(
        name: "lint", summary: "finds and checks the predicates in source files",
        operands: "PATH…", operandCount: 0...Int.max,
        options: OptionDescription.schemas + [
            .profile, .key, .call, .select, .ignore, .strict, .baseline,
            .writeBaseline, .fix, .diff, .list, .rules, .since, .before, .failOn, .arguments, .variables, .extensions,
            .lintOutput, .stamp, .noColor, .help,
        ],
        details: """
            Searches files and folders, with all that is below them except .git, .build, node_modules, Pods and
            Carthage:
              Swift             NSPredicate(format:), NSExpression(format:), FormatPredicate(_:), FormatPredicate(text:) …
              Objective-C       predicateWithFormat:, expressionWithFormat:, macros that pass a format on
              Python            predicateWithFormat_(…) of PyObjC
              property lists,   NSExtensionActivationRule; Munki's condition and installable_condition; the Predicate of
              JSON and YAML     an activation; StopProcessingIf of AutoPkg; every key named by --key
              data models       fetch requests and fetched properties; the filters of bindings in .xib files
              shell scripts     log show --predicate, log stream --predicate
            and calls of your own, named by --call: 'find(where:)', 'PRED(_:)', 'fetch:where:'. Findings have the file,
            line and column. Text that a program inserts into a format is a warning. With a schema and no entity, a
            predicate is checked against the entity that fits best.

            A profile describes the program that reads the predicates. The place of a predicate determines it: CKQuery,
            OSLogStore, XCUIElementQuery, NSMetadataQuery, PHFetchOptions, NSFetchRequest, style layers of MapLibre,
            property lists, data models. --profile replaces it. There are
              \(ProfileLibrary.names.prefix(7).joined(separator: ", ")),
              \(ProfileLibrary.names.dropFirst(7).joined(separator: ", ")).
            A file extends one:
              { "name": "ours", "extends": "munki", "keys": { "entity": "munki", "entities":
              { "munki": { "attributes": { "department": "string" } } } } }
            Literal arguments are checked against their conversions, and keys of %K against the schema.

            The comment predicate:ignore, or predicate:ignore ID, hides the findings of its line; alone on a line, those
            of the next. The nearest .predicate.json above a file holds defaults of the options, also for paths:
              { "schema": "App/Model.xcdatamodeld", "calls": ["find(where:)"], "keys": […], "select": […], "ignore": […],
                "strict": true, "baseline": FILE, "paths": { "UITests": { "profile": "xcuielementquery" } } }
            --fix corrects spelling, quotes, brackets, options and operators where one correction is certain, and leaves
            a file as it is where the result would have more errors. With --diff it prints a patch instead, and ends with 1
            if there is one.

            --rules compares the rules of one file: a JSON object with a predicate for each name, a JSON array of
            predicates, rules as for predicate match, or one predicate a line. Warnings are rules that are true for no
            object or for every object, those with the same objects as an earlier rule, and those whose objects are all
            objects of an earlier rule. --since and --before add what has changed: for each rule that selects other objects
            than the earlier one of the same name, an object that only one of them selects, in which $variables have values,
            too; rules that were added or removed; and a warning where it was not found out whether a rule selects more.

            With --output json each file that has findings, or with --list predicates, is a line:
            {"file", "predicates": N | [{"line", "column", "in", "predicate", "ok"}], "diagnostics": […]}.
            """,
        examples: [
            "predicate lint Sources",
            "predicate lint --profile munki manifests pkgsinfo --output github",
            "predicate lint App --schema App/Model.xcdatamodeld --model-version all",
            "predicate lint --rules alerts.json --since main",
        ]
    ) { invocation in
        if let name = invocation[.rules] {
            var rules = try RuleLint(invocation, name)
            return try rules.run()
        }
        for option in [OptionDescription.since, .before, .failOn] where invocation.has(option) {
            throw CommandEnd.usage("\(option.name) needs --rules")
        }
        guard !invocation.operands.isEmpty else {
            throw CommandEnd.usage("a path is required", hint: "predicate lint Sources")
        }
        return try LintRun(invocation).run()
    }
}

/// One run of the command.
private struct LintRun {
    private let invocation: Invocation
    private let linters: Linters
    private let report: Report
    private var code = ExitCode.success
    private var predicates = 0
    private var wrong = 0
    private var warnings = 0
    /// The number of findings that are in the baseline.
    private var listed = 0
    private var unread = 0
    private var corrections = 0
    /// The numbers of findings that --fix left, by their ID and the reason.
    private var left: [String: Int] = [:]
    private var toldReasons: Set<String> = []
    private var baselines: [String: Baseline] = [:]
    private var written = Baseline()
    /// The findings, for `--output sarif`.
    private var sarif: SARIFReport?

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        guard !invocation.has(.diff) || invocation.has(.fix) else { throw CommandEnd.usage("--diff needs --fix") }
        linters = try Linters(invocation)
        report = Report(invocation, isResult: true)
        if invocation[.output] == "sarif" { sarif = SARIFReport() }
        if let name = invocation[.baseline] { try readBaseline(name, invocation.input) }
    }

    private mutating func readBaseline(_ name: String, _ input: CommandInput) throws {
        guard baselines[name] == nil else { return }
        do { baselines[name] = try Baseline(try input.bytes(name)) } catch let problem as JSONProblem {
            throw CommandEnd.failure(.failed, "the baseline '\(name)' is not JSON: \(problem)")
        }
    }

    consuming func run() throws -> ExitCode {
        let (files, problems) = try invocation.input.sourceFiles(invocation.operands)
        let inputs = files.map(\.path)
        let baseline = try place(.writeBaseline, .baseline, inputs)
        let stamp = try place(.stamp, .stamp, inputs)
        for problem in problems { try tellUnread(problem) }
        for file in files {
            let linter: ConfiguredLinter
            let bytes: [UInt8]
            do {
                linter = try linters.linter(for: file.path)
                bytes = try invocation.input.bytes(file.path)
            } catch CommandEnd.failure(_, let reason) {
                try tellUnread(reason)
                continue
            }
            do {
                try lint(file, bytes, linter)
            } catch let problem as DocumentProblem {
                let place = TextPosition(of: problem.offset, in: bytes)
                try tellUnread("\(file.path):\(place.line):\(place.column): cannot be read: \(problem.message)")
            }
        }
        if baseline != nil || stamp != nil { try invocation.output.flush() }
        try baseline?.write(Array(written.text.utf8))
        if code == .success { try stamp?.write(OutputPlace.Kind.stampText) }
        if let sarif {
            try invocation.output.line(sarif.text)
        } else if invocation.has(.diff) {
            for line in summary(files.count) { try invocation.output.note(line) }
        } else if report.format == .text {
            for line in summary(files.count) { try invocation.output.line(line) }
        }
        return code
    }

    /// The file of an option, which may replace only a file of the same kind.
    private func place(
        _ option: OptionDescription, _ kind: OutputPlace.Kind, _ inputs: [String]
    ) throws -> OutputPlace? {
        let place = invocation[option].map { OutputPlace($0, invocation.input, inputs: inputs, kind: kind) }
        try place?.check()
        return place
    }

    /// Prints why a file or a folder is left out, and counts it.
    private mutating func tellUnread(_ reason: String) throws {
        let start = report.format == .compiler ? "error: " : ""
        // A data model may be that of many files.
        if toldReasons.insert(reason).inserted { try invocation.output.note(start + DisplayText.visible(reason)) }
        unread += 1
        code = code.combined(with: .failed)
    }

    private mutating func lint(_ file: SourceFile, _ bytes: [UInt8], _ linter: ConfiguredLinter) throws {
        var bytes = bytes
        if invocation.has(.fix), let fixed = try Fixer(linter: linter.linter).fixed(file, bytes) {
            if invocation.has(.diff) {
                try invocation.output.put(Patch.text(file.path, bytes, fixed.bytes))
                code = code.combined(with: .negative)
            } else {
                try OutputPlace(file.path, invocation.input).write(fixed.bytes)
            }
            bytes = fixed.bytes
            corrections += fixed.count
        }
        guard var found = try linter.linter.lint(file, bytes) else { return }
        try takeBaseline(&found, linter.baseline)
        code = code.combined(with: found.code)
        if linter.isStrict, !found.diagnostics.isEmpty || !found.hidden.isEmpty {
            code = code.combined(with: .refused)
        }
        predicates += found.predicates.count
        wrong += found.predicates.count { $0.isWrong }
        let shown = found.diagnostics + found.hidden.flatMap(\.diagnostics)
        warnings += shown.count { $0.severity == .warning }
        if invocation.has(.fix) {
            let isText = found.hidden.isEmpty && String(validUTF8: bytes) != nil
            for finding in shown {
                left["\(finding.id.rawValue) (\(Fixer.reason(finding, isText: isText)))", default: 0] += 1
            }
        }
        if !invocation.has(.diff) { try show(found, isStrict: linter.isStrict) }
    }

    /// Removes the findings that the baseline lists, and collects the others for a new baseline.
    private mutating func takeBaseline(_ file: inout LintedFile, _ name: String?) throws {
        let writes = invocation.has(.writeBaseline)
        guard writes || name != nil else { return }
        if !writes, let name { try readBaseline(name, invocation.input.ofRegularFiles) }
        var baseline = writes ? nil : name.flatMap { baselines[$0] }
        let input = invocation.input
        let path = input.path(file.path, fromFolderOf: invocation[.writeBaseline] ?? name ?? file.path)
        func take(_ diagnostics: inout [PredicateDiagnostic], _ source: String) {
            let lines = BaselineLines(path: path, source: source)
            let found = diagnostics.count
            diagnostics.removeAll { diagnostic in
                let entry = lines.entry(diagnostic)
                if writes { written.add(entry) }
                return writes || baseline?.takes(entry) ?? false
            }
            listed += found - diagnostics.count
        }
        take(&file.diagnostics, file.source)
        for index in file.hidden.indices {
            let source = file.hidden[index].source
            take(&file.hidden[index].diagnostics, source)
        }
        file.hidden.removeAll { $0.diagnostics.isEmpty }
        if !writes, let name { baselines[name] = baseline }
        let left = file.diagnostics + file.hidden.flatMap(\.diagnostics)
        if !left.contains(where: { $0.severity == .error }) {
            file.code = .success
            file.predicates = file.predicates.map { ($0.found, $0.span, false) }
        }
    }

    private func summary(_ files: Int) -> [String] {
        let fileText = DisplayText.count(files, "file")
        let rest = unread == 0 ? "" : "; \(DisplayText.count(unread, "file")) cannot be read"
        guard predicates > 0 else { return ["no predicates in \(fileText)\(rest)"] }
        let fixed = corrections == 0 ? "" : corrections == 1 ? "; 1 corrected" : "; \(corrections) corrected"
        let result = Report.summary(wrong: wrong, warnings: warnings)
        let baseline =
            listed == 0
            ? ""
            : "; \(DisplayText.count(listed, "finding")) "
                + (invocation[.writeBaseline].map { "written to \($0)" } ?? "in the baseline")
        let kept = left.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return [
            "\(DisplayText.count(predicates, "predicate")) in \(fileText), \(result)\(baseline)\(fixed)\(rest)"
        ] + (kept.isEmpty ? [] : ["left: \(kept)"])
    }

    private mutating func show(_ file: LintedFile, isStrict: Bool) throws {
        guard sarif == nil else {
            sarif?.add(file.diagnostics, source: file.source, file: file.path)
            for (source, _, diagnostics) in file.hidden { sarif?.add(diagnostics, source: source, file: file.path) }
            return
        }
        let lists = invocation.has(.list)
        if report.format == .json {
            guard lists || !file.diagnostics.isEmpty || !file.hidden.isEmpty else { return }
            return try invocation.output.line(json(file, lists: lists))
        }
        if lists {
            let places = SourceLines(file.source)
            for (found, span, _) in file.predicates {
                let place = places.position(of: span.start)
                try invocation.output.line(
                    DisplayText.visible("\(file.path):\(place.line):\(place.column): \(found.owner): ")
                        + DisplayText.visible(found.text.text.split(whereSeparator: \.isNewline).joined(separator: " "))
                )
            }
        }
        try report.show(file.diagnostics, source: file.source, file: file.path, isStrict: isStrict)
        for (source, owner, diagnostics) in file.hidden {
            try report.show(diagnostics, source: source, file: "\(file.path) (\(owner))", isStrict: isStrict)
        }
    }

    private func json(_ file: LintedFile, lists: Bool) -> String {
        let findings = ([(file.source, file.diagnostics)] + file.hidden.map { ($0.source, $0.diagnostics) })
            .flatMap { JSONRenderer().objects($1, source: $0) }
        let members = file.members(lists: lists) + [("diagnostics", "[" + findings.joined(separator: ",") + "]")]
        return "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}"
    }
}
