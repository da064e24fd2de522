// Reads the predicates and expressions of command lines and requests, with their arguments, variables and
// environment.

import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateRules
import PredicateSyntax

/// Options for reading texts.
struct TextReader {
    enum Kind: String { case predicate, expression }

    var kind = Kind.predicate
    var arguments = FormatArguments.unbound
    /// Variables to replace in the tree after parsing.
    var substitutions: PredicateVariables = [:]
    var environment = PredicateEnvironment.standard
    /// Checks against a schema, if there is one.
    var checker: TypeChecker?
    /// Checks against other versions of the schema.
    var otherVersions: [VersionChecker] = []
    /// Checks against a profile, if there is one.
    var profile: ProfileChecker?
    /// The clock of `now()`; nil reads the system's clock for each evaluation.
    var clock: RunClock?
    /// Simplifies predicates; nil unless `--simplify` or `--know` is given.
    var simplification: Simplification?

    func read(_ text: String) -> PredicateText {
        let environment = environment.adding(profile?.profile.language ?? [])
        var read: PredicateText
        switch kind {
        case .predicate:
            let parsed = FormatPredicate.parse(text, arguments: arguments, in: environment)
            let predicate = FormatPredicate(parsed.tree, source: text, in: environment)
            read = PredicateText(.predicate(predicate), parsed.diagnostics, text)
        case .expression:
            let parsed = FormatExpression.parse(text, arguments: arguments, in: environment)
            let expression = FormatExpression(parsed.tree, source: text, in: environment)
            read = PredicateText(.expression(expression), parsed.diagnostics, text)
        }
        read.clock = clock
        var checked = read.substituting(substitutions).checked(by: checker).checked(by: profile)
        if !checked.hasErrors { for version in otherVersions { checked.add(version.breaks(checked)) } }
        if let simplification { checked.simplify(simplification, checker) }
        return checked
    }
}

/// How a predicate is simplified.
struct Simplification {
    /// The values of keys that are known; nil if none are given.
    var known: [String: PredicateValue]?
    /// The variable whose keys are known; nil if keys of the object are.
    var prefix: String?
}

/// A text that was read, with its diagnostics.
struct PredicateText {
    enum Tree {
        case predicate(FormatPredicate)
        case expression(FormatExpression)
    }

    private(set) var tree: Tree
    /// All diagnostics, in the order of the text.
    private(set) var diagnostics: [Diagnostic] = []
    /// The diagnostics of the parser and of replacing variables.
    private var syntax: [Diagnostic]
    /// The diagnostics that neither the parser nor the type checker finds.
    private var others: [Diagnostic] = []
    /// The exit code for a command that only parses and checks the text.
    private(set) var code: ExitCode
    let source: String
    fileprivate(set) var clock: RunClock?

    /// - Parameter syntax: the diagnostics of the parser.
    init(_ tree: Tree, _ syntax: [Diagnostic], _ source: String) {
        self.tree = tree
        self.syntax = syntax
        self.source = source
        code = .success
        diagnostics = findings(of: .text(environment))
        code = ExitCode(checking: diagnostics)
    }

    private func findings(of checker: TypeChecker, assumesKeys: Bool = false) -> [Diagnostic] {
        let found = syntaxTree.findings(source: source, syntax: syntax, by: checker, assumesKeys: assumesKeys)
        return others.isEmpty ? found : Findings(found + others, limit: checker.environment.limits.diagnostics).inOrder
    }

    /// The diagnostics of the text if each of its words is a key of the objects.
    var diagnosticsAssumingKeys: [Diagnostic] { findings(of: .text(environment), assumesKeys: true) }

    /// The run for evaluating the text, with its clock.
    var run: PredicateRun { PredicateRun(clock: clock?.seconds) }

    private var text: any FormatText {
        switch tree {
        case .predicate(let predicate): predicate
        case .expression(let expression): expression
        }
    }

    var environment: PredicateEnvironment { text.environment }

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// The canonical text.
    var canonical: String { "\(text.root)" }

    /// The tree, one node per line.
    var treeText: String { TreeDump.dump(syntaxTree) }

    /// The tree as JSON.
    var treeValue: PredicateValue { syntaxTree.value }

    var syntaxTree: PredicateTree { text.tree }

    /// The canonical text over several lines.
    func pretty(width: Int) -> String {
        let printer = PrettyPrinter(width: width)
        return switch tree {
        case .predicate(let predicate): printer.print(predicate.root)
        case .expression(let expression): printer.print(expression.root)
        }
    }

    /// The format with `%@` for every value and `%K` for every key without a literal form.
    var redacted: String {
        switch tree {
        case .predicate(let predicate): ExactForm(predicate.root).format
        case .expression(let expression): ExactForm(expression.root).format
        }
    }

    /// Adds a diagnostic if the text is not in canonical form.
    mutating func compareSpelling() {
        guard !hasErrors, source != canonical else { return }
        let whole = SourceSpan(0, source.utf8.count)
        diagnostics.append(Diagnostic(.notCanonical, at: whole, fixIts: [.init(whole, canonical)]))
        code = .negative
    }

    /// Returns the text with its variables replaced. If any values are given, a variable without a value is an error;
    /// if none are given, all variables stay.
    func substituting(_ variables: PredicateVariables) -> PredicateText {
        guard !variables.isEmpty, !hasErrors else { return self }
        var text = self
        do throws(PredicateFailure) {
            switch tree {
            case .predicate(let predicate): text.tree = .predicate(try predicate.substituting(variables))
            case .expression(let expression): text.tree = .expression(try expression.substituting(variables))
            }
        } catch {
            text.syntax += error.diagnostics
            text.diagnostics += error.diagnostics
            text.code = ExitCode(checking: text.diagnostics)
        }
        return text
    }

    /// The text with the diagnostics of a schema. A text with syntax errors keeps its exit code.
    func checked(by checker: TypeChecker?) -> PredicateText {
        guard let checker else { return self }
        return found(findings(of: checker))
    }

    /// Returns the text with the warnings of a check by types. Its errors are left to evaluation or translation.
    func warned(by checker: TypeChecker?) -> PredicateText {
        guard let checker, !hasErrors else { return self }
        var text = self
        text.diagnostics = checked(by: checker).diagnostics.filter { $0.severity != .error }
        return text
    }

    /// Simplifies a predicate without errors.
    fileprivate mutating func simplify(_ simplification: Simplification, _ checker: TypeChecker?) {
        guard case .predicate(var predicate) = tree, !hasErrors else { return }
        if let known = simplification.known {
            do throws(PredicateFailure) {
                let shared = simplification.prefix == nil ? predicate.warnings(knowing: known.keys) : []
                add(shared.map { Diagnostic($0.id, at: $0.span, details: [$0.details[0], Self.prefixAdvice]) })
                predicate = try predicate.partial(knowing: known, as: simplification.prefix).predicate
            } catch {
                return add(error.diagnostics)
            }
        }
        tree = .predicate(predicate.simplified(for: checker?.schema, entity: checker?.entity))
    }

    private static let prefixAdvice = "for the known value, write $user.KEY and add --know-as user"

    /// Adds diagnostics about the meaning of the text.
    mutating func add(_ findings: [Diagnostic]) {
        others += findings
        self = found(diagnostics + findings)
    }

    /// The text with exactly these diagnostics.
    private func found(_ diagnostics: [Diagnostic]) -> PredicateText {
        var text = self
        text.diagnostics = diagnostics
        if text.hasErrors {
            if code != .syntax { text.code = .refused }
        } else if code != .negative {
            // A profile may know what the parser does not.
            text.code = .success
        }
        return text
    }

    /// Replaces diagnostics.
    mutating func replace(_ body: (Diagnostic) -> Diagnostic) { diagnostics = diagnostics.map(body) }

    /// The text with the diagnostics of a profile.
    func checked(by checker: ProfileChecker?) -> PredicateText {
        guard let checker else { return self }
        let (rules, isDropped) = checker.check(syntaxTree)
        var text = checked(by: checker.keys)
        text.others += rules
        let all = text.diagnostics.compactMap(checker.named).filter { !isDropped($0) } + rules
        return text.found(all.ordered { $0.span.start < $1.span.start })
    }

    /// The text without diagnostics, except for syntax errors.
    var withoutFindings: PredicateText {
        guard code != .syntax else { return self }
        var text = self
        text.diagnostics = []
        text.code = .success
        return text
    }

    /// Evaluates the text for an object. Returns a Boolean for a predicate.
    func evaluate(_ object: PredicateValue, variables: PredicateVariables) throws(PredicateFailure) -> PredicateValue {
        switch tree {
        case .predicate(let predicate):
            .bool(try predicate.evaluate(object, variables: variables, run: run))
        case .expression(let expression):
            try expression.evaluate(object, variables: variables, run: run)
        }
    }
}

extension Invocation {
    /// The reader for the options of the command line.
    func textReader(unbound: Bool) throws -> TextReader {
        var reader = TextReader()
        reader.kind = self[.kind].flatMap(TextReader.Kind.init) ?? .predicate
        reader.environment = try environment()
        reader.profile = try profile().map { ProfileChecker(profile: $0, checksKeys: !has(.schema)) }
        if let text = self[.arguments] {
            reader.arguments = .bound(
                try decoded(text, .arguments, "a JSON array") { try $0.arguments(reader.environment) })
        } else if !unbound {
            reader.arguments = .bound([])
        }
        return reader
    }

    /// The values of `--variables`.
    func variables(_ environment: PredicateEnvironment) throws -> PredicateVariables {
        guard let text = self[.variables] else { return [:] }
        return try decoded(text, .variables, "a JSON object") { try $0.variables(environment) }
    }

    /// The simplification requested by `--simplify` and `--know`; nil if there is none.
    func simplification(_ environment: PredicateEnvironment) throws -> Simplification? {
        guard let text = self[.know] else { return has(.simplify) ? Simplification() : nil }
        let arguments = try decoded(text, .know, "a JSON object") { try $0.variables(environment) }.arguments
        let known = try arguments.mapValues { argument in
            guard case .value(let value) = argument else {
                throw CommandEnd.usage("--know: an expression is not a value", hint: "it takes a JSON object")
            }
            return value
        }
        return Simplification(known: known, prefix: self[.knowAs])
    }

    private func decoded<Result>(
        _ text: String, _ option: OptionDescription, _ shape: String, _ decode: (TaggedReader) throws -> Result
    ) throws -> Result {
        do {
            return try decode(TaggedReader(JSON.parse(text)))
        } catch let problem as RequestProblem {
            throw CommandEnd.usage("\(option.name): \(problem.message)", hint: "it takes \(shape)")
        } catch let problem as JSONProblem {
            throw CommandEnd.usage(
                "\(option.name): \(problem)", hint: "it takes \(shape); quote it for the shell")
        }
    }

    /// The environment with the extensions of the command line.
    func environment() throws -> PredicateEnvironment {
        var language: LanguageOptions = []
        for name in list(.extensions) {
            switch name {
            case "ddm": language.insert(.deviceManagementTerms)
            case "unicode": language.insert(.unicodeIdentifiers)
            case "concat": language.insert(.stringConcatenation)
            default:
                throw CommandEnd.unknown(
                    "unknown extension", name, among: ["ddm", "unicode", "concat"],
                    else: "there are ddm, unicode and concat")
            }
        }
        return PredicateEnvironment.standard.adding(language)
    }

    /// The text to read: the first operand, or the content of a file.
    func text(otherOperands: Bool = false) throws -> String {
        switch (has(.file) && otherOperands ? nil : operands.first, self[.file]) {
        case (let operand?, nil): return operand
        case (nil, let name?): return try input.text(name).trimmingBlankEnd()
        case (nil, nil):
            throw CommandEnd.usage("a predicate is required", hint: "predicate \(command.name) 'age > 21'")
        default: throw CommandEnd.usage("give a predicate or --file, not both")
        }
    }
}

extension String {
    /// Removes trailing white space, so that a position after the text is on its last line.
    fileprivate func trimmingBlankEnd() -> String {
        var text = self
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
