// Finds and checks the predicates of a file. All diagnostics have positions in the file.

package struct Linter {
    package let environment: PredicateEnvironment
    /// The profile of all predicates; nil if their places determine it.
    let profile: Profile?
    let schema: LintSchema?
    let rules: DocumentRules
    let calls: [CallPattern]
    let filter: FindingFilter
    private let profiles: KnownProfiles
    private let documentWords: [[UInt8]]

    /// - Parameter keys: keys of documents whose texts are predicates.
    package init(
        environment: PredicateEnvironment, profile: Profile? = nil, schema: LintSchema? = nil, keys: [String] = [],
        calls: [CallPattern] = [], filter: FindingFilter = FindingFilter(), profiles: KnownProfiles = KnownProfiles()
    ) {
        (self.environment, self.profile, self.schema, self.calls) = (environment, profile, schema, calls)
        (self.filter, self.profiles) = (filter, profiles)
        rules = DocumentRules(keys: keys)
        documentWords = rules.words
    }

    /// Checks a file. Returns nil if it has no predicates. Throws `DocumentProblem` if it may have predicates
    /// but cannot be read.
    package func lint(_ file: SourceFile, _ raw: [UInt8]) throws(DocumentProblem) -> LintedFile? {
        let check = try FileCheck(self, file, raw)
        while check.step() {}
        return check.predicates.isEmpty ? nil : check.result
    }

    // MARK: Finding

    /// The predicates of a file, not parsed yet. Throws `DocumentProblem` for a document that cannot be read.
    package func find(
        _ kind: SourceFile.Kind, _ bytes: [UInt8]
    ) throws(DocumentProblem) -> ([FoundPredicate], ModelVersion?) {
        switch kind {
        case .swift: return (SwiftScanner.predicates(in: bytes, calls: calls), nil)
        case .objectiveC, .python:
            return (ObjectiveCScanner.predicates(in: bytes, calls: calls, isPython: kind == .python), nil)
        case .shell: return (ShellScanner.predicates(in: bytes), nil)
        case .propertyList:
            guard bytes.containsAny(of: documentWords) else { return ([], nil) }
            let isBinary = PropertyList.isBinary(bytes)
            let document = isBinary ? DocumentNode(try PropertyList.parse(bytes)) : try .propertyList(bytes)
            return (rules.predicates(in: document, spelling: isBinary ? .verbatim : .markup), nil)
        case .json:
            guard bytes.containsAny(of: documentWords) else { return ([], nil) }
            return (rules.predicates(in: try JSON.document(bytes), spelling: .json), nil)
        case .yaml:
            guard bytes.containsAny(of: documentWords) else { return ([], nil) }
            return (rules.predicates(in: try YAMLDocument.parse(bytes), spelling: .yaml), nil)
        case .dataModel: return try XcodeFiles.dataModel(bytes)
        case .predicates: return (Self.lines(bytes), nil)
        case .unknown: return ([], nil)
        }
    }

    /// The predicates of a file, in the form that `--file` reads.
    private static func lines(_ bytes: [UInt8]) -> [FoundPredicate] {
        let places = SourceLines(bytes)
        var found: [FoundPredicate] = []
        var begun: Range<Int>?
        func end() {
            guard let range = begun else { return }
            let first = bytes[range].firstIndex { $0 > 32 } ?? range.lowerBound
            let last = bytes[range].lastIndex { $0 > 32 } ?? range.lowerBound
            found.append(FoundPredicate(text: SourcedText(bytes, first..<last + 1), arguments: .hidden, owner: "line"))
            begun = nil
        }
        for index in 0..<places.count {
            var line = places.range(ofLine: index)
            if index == 0, bytes.starts(with: "\u{FEFF}".utf8) { line = line.lowerBound + 3..<line.upperBound }
            let role = PredicateLines.role(of: bytes[line])
            if role == .continues, let first = begun?.lowerBound {
                begun = first..<line.upperBound
            } else {
                end()
                begun = role == .ends ? nil : line
            }
        }
        end()
        return found
    }

    // MARK: Checking

    private func profile(for found: FoundPredicate) -> Profile? {
        if let profile { return profile }
        guard let name = found.site.profile else {
            // Only MapLibre and its predecessor have functions with these names.
            return found.text.bytes.containsAny(of: Self.mapMarks) ? profiles["maplibre"] : nil
        }
        return profiles[name]
    }

    private static let mapMarks = ["mgl_", "MGL_", "MLN_"].map { Array($0.utf8) }

    /// The text reader for a predicate, without a schema.
    package func reader(for found: FoundPredicate) -> TextReader {
        var reader = TextReader(kind: found.kind, arguments: found.arguments == .none ? FormatArguments.none : .unbound)
        reader.environment = environment.adding(profile(for: found)?.language ?? [])
        return reader
    }

    /// The completer for a predicate: with the keys of its profile, else of the schema.
    package func completer(for found: FoundPredicate) -> Completer {
        let profile = profile(for: found)
        var completer = Completer(profile)
        completer.environment = environment.adding(profile?.language ?? [])
        if let schema, profile?.schema == nil || self.profile != nil {
            completer.schema = schema.schema
            let read = reader(for: found).read(found.text.text)
            completer.entity =
                entity(of: found.site, schema) ?? fitting(read, schema.schema, [:], nil).entity
                ?? schema.schema.entityNames.first ?? ""
        }
        return completer
    }

    private func entity(of site: CallSite, _ schema: LintSchema) -> String? {
        site.entity.flatMap { schema.schema.entity($0)?.name } ?? schema.entity
    }

    func check(
        _ found: FoundPredicate, _ model: ModelVersion?, _ bytes: [UInt8]
    ) -> (PredicateText, [PredicateDiagnostic]) {
        let profile = profile(for: found)
        // The schema describes the objects of a store, not those of another program.
        let isStored = found.site.profile.map { $0 == "coredata-sqlite" } ?? true
        let schema = isStored || self.profile != nil ? self.schema : nil
        var reader = reader(for: found)
        let (pasted, hasOpenHole) = found.insertedTexts(environment)
        reader.profile = profile.map { profile in
            // The inserted text may be a value of any type.
            let checksKeys = schema == nil && model == nil && !hasOpenHole
            var checker = ProfileChecker(profile: profile, checksKeys: checksKeys)
            // A program can pass arguments; a command or a document cannot.
            checker.takesArguments = found.arguments != .none
            return checker.textProfile
        }
        var read = reader.read(found.text.text)
        if hasOpenHole && !found.expectsHoles || found.isPartial {
            // The inserted text may be anything, such as an operator or a list. So only the insertion is reported.
            return (TextReader(kind: found.kind, arguments: .unbound).read("TRUEPREDICATE"), pasted)
        }
        let unbound = read
        if schema != nil || model != nil, let keys = found.boundKeys(read) {
            reader.arguments = keys
            read = reader.read(found.text.text)
        }
        if let model, let entity = found.site.entity {
            read = fitting(read, model.schema, model.model.transientKeys, entity).text
        } else if let schema {
            read = typed(read, schema, found.site)
        }
        let mapped = found.mapped(
            read.diagnostics.filter { diagnostic in
                !found.holes.contains { $0.span.start < diagnostic.span.end && diagnostic.span.start < $0.span.end }
            }, in: bytes)
        let all = mapped + pasted + found.argumentCount(unbound) + found.argumentTypes(unbound)
        return (read, all.enumerated().sorted { ($0.1.span.start, $0.0) < ($1.1.span.start, $1.0) }.map { $0.1 })
    }

    private func typed(_ read: PredicateText, _ schema: LintSchema, _ site: CallSite) -> PredicateText {
        let entity = entity(of: site, schema)
        var text = fitting(read, schema.schema, schema.model?.transientKeys ?? [:], entity).text
        if site.isInMemory, text.hasErrors, !read.hasErrors {
            // The predicate may be about plain objects. Keys that look like misspelled keys of the schema are still
            // reported.
            let errors = text.diagnostics.filter { $0.severity == .error }
            return errors.contains { $0.id == .unknownKey && $0.suggestion != nil } ? text : read
        }
        guard !text.hasErrors else { return text }
        for version in schema.otherVersions {
            let other = fitting(read, version.schema, version.model.transientKeys, entity).text
            text.add(
                other.diagnostics.filter { $0.severity == .error }.map {
                    PredicateDiagnostic(.modelVersion, at: $0.span, version.name, $0.message, $0.label ?? "")
                })
        }
        return text
    }

    /// Checks the types against an entity. If the source does not name the entity, uses the one with the fewest errors,
    /// or among these the one with the latest first error.
    private func fitting(
        _ read: PredicateText, _ schema: PredicateSchema, _ transient: [String: Set<String>], _ entity: String?
    ) -> (text: PredicateText, entity: String?) {
        var best: (text: PredicateText, entity: String?) = (read, nil)
        // Which entity is meant cannot be guessed from SELF.
        guard entity != nil || read.readsKeys else { return best }
        var least = (Int.max, 0)
        for name in entity.map({ [$0] }) ?? schema.entityNames {
            guard let checker = try? TypeChecker(schema: schema, entity: name, in: environment) else { continue }
            var checked = read.checked(by: checker)
            checked.renameTransientKeys(transient)
            let errors = checked.diagnostics.filter { $0.severity == .error }
            let score = (errors.count, -(errors.first?.span.start ?? 0))
            if score < least {
                best = (checked, name)
                least = score
            }
            if errors.isEmpty { break }
        }
        return best
    }
}

extension PredicateText {
    /// Changes an unknown-key diagnostic to a transient-key one if the model has the key as a transient attribute.
    fileprivate mutating func renameTransientKeys(_ transient: [String: Set<String>]) {
        replace { diagnostic in
            guard diagnostic.id == .unknownKey, diagnostic.details.count == 2,
                transient[diagnostic.details[0]]?.contains(diagnostic.details[1]) == true
            else { return diagnostic }
            return PredicateDiagnostic(.transientKey, at: diagnostic.span, details: diagnostic.details)
        }
    }
}

extension FoundPredicate {
    /// The replacement as the file spells it; nil if it cannot be written there.
    private func spelled(_ fix: PredicateDiagnostic.FixIt, in file: [UInt8]) -> String? {
        if case .markup = spelling, text.isCDATA(at: fix.span.start, in: file) {
            return fix.replacement.contains("]]>") ? nil : fix.replacement
        }
        return spelling.spell(fix.replacement)
    }

    /// Moves diagnostics to their positions in the file. Drops the fix-its of a diagnostic if one of them would also
    /// replace quotation marks or a `+`, or cannot be written in the file.
    fileprivate func mapped(_ diagnostics: [PredicateDiagnostic], in file: [UInt8]) -> [PredicateDiagnostic] {
        diagnostics.map { diagnostic in
            let fixIts = diagnostic.fixIts.compactMap { fix -> PredicateDiagnostic.FixIt? in
                guard text.isContiguous(fix.span), let replacement = spelled(fix, in: file) else { return nil }
                return .init(text.source(fix.span), replacement)
            }
            return PredicateDiagnostic(
                diagnostic.id, at: text.source(diagnostic.span), details: diagnostic.details,
                severity: diagnostic.severity, suggestion: diagnostic.suggestion,
                fixIts: fixIts.count == diagnostic.fixIts.count ? fixIts : [])
        }
    }
}

extension PredicateText {
    fileprivate var readsKeys: Bool {
        var found = false
        PredicateWalker(expression: { if case .keyPath = $0.kind { found = true } }).walk(syntaxTree)
        return found
    }

    /// Calls `body` for each conversion that has no argument.
    func forEachConversion(_ body: @escaping (FormatConversion, SourceSpan) -> Void) {
        PredicateWalker(expression: { node in
            if case .argument(let conversion) = node.kind { body(conversion, node.span) }
        }).walk(syntaxTree)
    }
}
