// The options of command lines for predicates and expressions: arguments, variables, the language.

extension Invocation {
    /// The reader for the options of the command line.
    package func textReader(unbound: Bool) throws -> TextReader {
        var reader = TextReader()
        reader.kind = self[.kind].flatMap(TextReader.Kind.init) ?? .predicate
        reader.environment = try environment()
        if reader.environment.language.contains(.typedTexts), command.options.contains(.types),
            !command.options.contains(.database)
        {
            reader.declared = try fieldTypes(Example.named(self[.example])?.types)?.checker(reader.environment)
        }
        reader.profile = try profile().map { ProfileChecker(profile: $0, checksKeys: !has(.schema)).textProfile }
        if let text = self[.arguments] {
            reader.arguments = .bound(
                try decoded(text, .arguments, "a JSON array") { try $0.arguments(reader.environment) })
        } else if !unbound {
            reader.arguments = .bound([])
        }
        return reader
    }

    /// The values of `--variables`.
    package func variables(_ environment: PredicateEnvironment) throws -> PredicateVariables {
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
            throw CommandEnd.usage("\(option.name): \(problem)", hint: "it takes \(shape); quote it for the shell")
        }
    }

    /// The environment with the extensions of the command line.
    package func environment() throws -> PredicateEnvironment {
        var language: LanguageOptions = []
        for name in list(.extensions) {
            guard let option = LanguageOptions.named(name) else {
                let names = LanguageOptions.named.map { $0.name }
                throw CommandEnd.unknown(
                    "unknown extension", name, among: names, else: "there are \(names.joined(separator: ", "))")
            }
            language.insert(option)
        }
        if command.options.contains(.noExtensions) && !has(.noExtensions) { language.formUnion([.dates, .typedTexts]) }
        if language.isDisjoint(with: [.dates, .typedTexts]) { return PredicateEnvironment.standard.adding(language) }
        return PredicateEnvironment(language: language, timeZone: try timeZone())
    }

    /// The zone of `--time-zone`, by default the machine's.
    private func timeZone() throws -> PredicateTimeZone {
        guard let name = self[.timeZone] else { return .local }
        guard let zone = PredicateTimeZone(name) else {
            throw CommandEnd.usage(
                "--time-zone takes UTC or an offset such as +02:00, not '\(name)'",
                hint: "set the machine's zone for one command: TZ=\(name) predicate \(self.command.name) …")
        }
        return zone
    }

    /// The text to read: the first operand, or the content of a file.
    package func text(otherOperands: Bool = false) throws -> String {
        switch (has(.file) && otherOperands ? nil : operands.first, self[.file]) {
        case (let operand?, nil): return operand
        case (nil, let name?):
            var texts: [String] = []
            try forEachLine(of: name) { text, _, _ in texts.append(text) }
            guard texts.count < 2 else {
                throw CommandEnd.usage(
                    "'\(name)' has \(texts.count) predicates, and \(command.name) takes one",
                    hint: "a line that goes on with the one before begins with a space")
            }
            return texts.first ?? ""
        case (nil, nil):
            throw CommandEnd.usage("a predicate is required", hint: "predicate \(command.name) 'age > 21'")
        default: throw CommandEnd.usage("give a predicate or --file, not both")
        }
    }
}
