// Reading a predicate or an expression as a command line or a request gives it: text, arguments, variables, extensions.

import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateSyntax

/// How texts are to be read.
struct TextReader {
    enum Kind: String { case predicate, expression }

    var kind = Kind.predicate
    var arguments = FormatArguments.unbound
    /// Replaced in the tree before anything else is done with it.
    var substitutions: PredicateVariables = [:]
    var language: LanguageOptions = []
    /// Where there is a schema, what it says of the text is found too.
    var checker: TypeChecker?
    /// The other versions of the schema that are asked about.
    var otherVersions: [VersionChecker] = []
    /// Where it is known who reads the text, what that reader does not take is found too.
    var profile: ProfileChecker?

    func read(_ text: String) -> PredicateText {
        let language = profile.map { $0.profile.language.union(self.language) } ?? self.language
        let read: PredicateText
        switch kind {
        case .predicate:
            let parsed = FormatPredicate.parse(text, arguments: arguments, options: language)
            let tree = PredicateText.Tree.predicate(FormatPredicate(parsed.tree, source: text))
            read = PredicateText(tree, parsed.diagnostics, text, language)
        case .expression:
            let parsed = FormatExpression.parse(text, arguments: arguments, options: language)
            let tree = PredicateText.Tree.expression(FormatExpression(parsed.tree, source: text))
            read = PredicateText(tree, parsed.diagnostics, text, language)
        }
        var checked = read.substituting(substitutions).checked(by: checker).checked(by: profile)
        if !checked.hasErrors { for version in otherVersions { checked.add(version.breaks(checked)) } }
        return checked
    }
}

/// A text that was read, and what was found about it.
struct PredicateText {
    enum Tree {
        case predicate(FormatPredicate)
        case expression(FormatExpression)
    }

    private(set) var tree: Tree
    private(set) var diagnostics: [Diagnostic]
    /// How a command ends that only reads the text.
    private(set) var code: ExitCode
    let source: String
    private let language: LanguageOptions

    init(_ tree: Tree, _ diagnostics: [Diagnostic], _ source: String, _ language: LanguageOptions) {
        self.tree = tree
        self.diagnostics = diagnostics
        code = ExitCode(checking: diagnostics)
        self.source = source
        self.language = language
    }

    /// How the text is evaluated: extensions that it may use in its text, it may use then too.
    var options: EvaluationOptions {
        var options = EvaluationOptions()
        options.language = language
        return options
    }

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// The canonical text.
    var canonical: String {
        switch tree {
        case .predicate(let predicate): predicate.root.description
        case .expression(let expression): expression.root.description
        }
    }

    /// The tree, a node a line.
    var treeText: String {
        switch tree {
        case .predicate(let predicate): TreeDump.dump(predicate.root)
        case .expression(let expression): TreeDump.dump(expression.root)
        }
    }

    /// The canonical text over several lines.
    func pretty(width: Int) -> String {
        let printer = PrettyPrinter(width: width)
        return switch tree {
        case .predicate(let predicate): printer.print(predicate.root)
        case .expression(let expression): printer.print(expression.root)
        }
    }

    /// The format with every value as `%@`, and every key that is no plain word as `%K`.
    var redacted: String {
        switch tree {
        case .predicate(let predicate): ExactForm(predicate.root).format
        case .expression(let expression): ExactForm(expression.root).format
        }
    }

    /// Adds a finding where the text does not stand in its canonical spelling.
    mutating func compareSpelling() {
        guard !hasErrors, source != canonical else { return }
        let whole = SourceSpan(0, source.utf8.count)
        diagnostics.append(Diagnostic(.notCanonical, at: whole, fixIts: [.init(whole, canonical)]))
        code = .negative
    }

    /// The text with its variables replaced; one that has no value is an error. Where nothing is to be replaced, all stay.
    func substituting(_ variables: PredicateVariables) -> PredicateText {
        guard !variables.isEmpty, !hasErrors else { return self }
        var text = self
        do throws(PredicateFailure) {
            switch tree {
            case .predicate(let predicate): text.tree = .predicate(try predicate.substituting(variables))
            case .expression(let expression): text.tree = .expression(try expression.substituting(variables))
            }
        } catch {
            text.diagnostics += error.diagnostics
            text.code = ExitCode(checking: text.diagnostics)
        }
        return text
    }

    /// The text with the findings of a schema beside those of reading. What did not parse stays a text that does not
    /// parse.
    func checked(by checker: TypeChecker?) -> PredicateText {
        guard let checker else { return self }
        let all =
            switch tree {
            case .predicate(let predicate): checker.check(predicate.root, source: source, adding: diagnostics)
            case .expression(let expression):
                checker.check(expression.root, source: source, adding: diagnostics).diagnostics
            }
        return found(all)
    }

    /// Adds findings about what the text says.
    mutating func add(_ findings: [Diagnostic]) { self = found(diagnostics + findings) }

    /// The text with these findings and no others.
    private func found(_ diagnostics: [Diagnostic]) -> PredicateText {
        var text = self
        text.diagnostics = diagnostics
        if text.hasErrors, code != .syntax { text.code = .refused }
        return text
    }

    /// Puts other findings in the place of some.
    mutating func replace(_ body: (Diagnostic) -> Diagnostic) { diagnostics = diagnostics.map(body) }

    /// The text with what its reader does not take.
    func checked(by checker: ProfileChecker?) -> PredicateText {
        guard let checker else { return self }
        let all =
            switch tree {
            case .predicate(let predicate): checker.check(predicate.root, source: source, adding: diagnostics)
            case .expression(let expression): checker.check(expression.root, source: source, adding: diagnostics)
            }
        return found(all)
    }

    /// The text as if nothing had been found about it but what keeps it from being read.
    var withoutFindings: PredicateText {
        guard code != .syntax else { return self }
        var text = self
        text.diagnostics = []
        text.code = .success
        return text
    }

    /// The value for an object: a Boolean for a predicate.
    func evaluate(_ object: Value, variables: PredicateVariables) throws(PredicateFailure) -> Value {
        switch tree {
        case .predicate(let predicate):
            .bool(try predicate.evaluate(object, variables: variables, options: options))
        case .expression(let expression):
            try expression.evaluate(object, variables: variables, options: options)
        }
    }
}

extension Invocation {
    /// How the options say that texts are to be read.
    func textReader(unbound: Bool) throws -> TextReader {
        var reader = TextReader()
        reader.kind = self[.kind].flatMap(TextReader.Kind.init) ?? .predicate
        reader.language = try language()
        reader.profile = try profile().map { ProfileChecker(profile: $0, checksKeys: !has(.schema)) }
        if let text = self[.arguments] {
            reader.arguments = .bound(
                try decoded(text, .arguments, "a JSON array") { try $0.arguments(reader.language) })
        } else if !unbound {
            reader.arguments = .bound([])
        }
        return reader
    }

    /// The values of `--variables`.
    func variables(_ language: LanguageOptions) throws -> PredicateVariables {
        guard let text = self[.variables] else { return [:] }
        return try decoded(text, .variables, "a JSON object") { try $0.variables(language) }
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

    func language() throws -> LanguageOptions {
        var options: LanguageOptions = []
        for name in list(.extensions) {
            switch name {
            case "ddm": options.insert(.deviceManagementTerms)
            case "unicode": options.insert(.unicodeIdentifiers)
            case "concat": options.insert(.stringConcatenation)
            default:
                throw CommandEnd.usage(
                    "unknown extension '\(name)'",
                    hint: OptionParser.didYouMean(name, ["ddm", "unicode", "concat"])
                        ?? "there are ddm, unicode and concat")
            }
        }
        return options
    }

    /// The one text that is the first operand, or the file's whole content.
    func text(otherOperands: Bool = false) throws -> String {
        switch (has(.file) && otherOperands ? nil : operands.first, self[.file]) {
        case (let operand?, nil): return operand
        case (nil, let name?): return try input.text(name).trimmingBlankEnd()
        case (nil, nil):
            throw CommandEnd.usage("there is no predicate", hint: "predicate \(command.name) 'age > 21'")
        default: throw CommandEnd.usage("a predicate and --file are one too many")
        }
    }
}

extension String {
    /// Without the line breaks and blanks at its end, so that a position behind the text is on its last line.
    fileprivate func trimmingBlankEnd() -> String {
        var text = self
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
