// `predicate compare`: what two predicates have in common.

extension CommandDescription {
    package static let compare = CommandDescription(
        name: "compare", summary: "says what two predicates have in common",
        operands: "PREDICATE PREDICATE", operandCount: 0...2,
        options: OptionDescription.schemas + [.types, .file, .noExtensions] + OptionDescription.common,
        details: """
            Says whether one predicate implies the other, and prints an object that only the first selects, one that only
            the second selects, one of both and one of neither. Each object was evaluated; "none exists" was proven, and
            "none found" means that neither was. An object that a predicate cannot be evaluated for is not selected.

            Without --schema a key may have a value of any type. With it, and --entity, the objects are those of the
            schema. --file reads the two predicates from a file.

            The exit code is 0 if both select the same objects, 1 if they differ, and 5 if that was not found out.

            --output json prints {"relation", "onlyFirst", "onlySecond", "both", "neither"}. The relation is "equal",
            "implies", "impliedBy", "disjoint", "overlap" or "unknown". Each other member is {"object"}, {"none": true}
            or {"unknown": REASON}.
            """,
        examples: [
            "predicate compare 'age > 21' 'age >= 18'",
            "predicate compare --schema model.json --entity Person 'NOT age > 3' 'age <= 3'",
        ]
    ) { invocation in
        let texts = try invocation.comparedTexts()
        var reader = try invocation.textReader(unbound: false)
        reader.substitutions = try invocation.variables(reader.environment)
        let schema = try invocation.schemaOption(reader.environment)
        reader.checker = try invocation.typeChecker(reader.environment)?.checker
        let report = Report(invocation)
        var predicates: [FormatPredicate] = []
        var code = ExitCode.success
        for text in texts {
            let read = reader.read(text)
            try report.show(read.diagnostics.filter { $0.severity == .error }, source: text, file: invocation[.file])
            code = code.combined(with: read.code)
            if case .predicate(let predicate) = read.tree { predicates.append(predicate) }
        }
        guard code == .success, predicates.count == 2 else { return code }
        let comparison = PredicateComparison(
            predicates[0], predicates[1], for: schema?.schema, entity: try schema?.entityName())
        try invocation.output.line(report.format == .json ? comparison.json : comparison.text)
        switch comparison.relation {
        case .equal: return .success
        case .unknown: return .failed
        default: return .negative
        }
    }
}

extension Invocation {
    fileprivate func comparedTexts() throws -> [String] {
        var texts = operands
        if let name = self[.file] { try forEachLine(of: name) { text, _, _ in texts.append(text) } }
        guard texts.count == 2 else {
            throw CommandEnd.usage(
                "two predicates are required, not \(texts.count)", hint: "predicate compare 'age > 21' 'age >= 18'")
        }
        return texts
    }
}

extension PredicateComparison {
    enum Relation: String { case equal, implies, impliedBy, disjoint, overlap, unknown }

    var relation: Relation {
        switch (onlyFirst, onlySecond, both) {
        case (.refuted, .refuted, _): .equal
        case (.refuted, _, _): .implies
        case (_, .refuted, _): .impliedBy
        case (_, _, .refuted): .disjoint
        case (.proven, .proven, .proven): .overlap
        default: .unknown
        }
    }

    private var samples: [(name: String, words: String, sample: PredicateSatisfiability)] {
        [
            ("onlyFirst", "only the first", onlyFirst), ("onlySecond", "only the second", onlySecond),
            ("both", "both", both), ("neither", "neither", neither),
        ]
    }

    fileprivate var text: String {
        let relation =
            switch relation {
            case .equal: "both select the same objects"
            case .implies: "the first implies the second"
            case .impliedBy: "the second implies the first"
            case .disjoint: "no object is selected by both"
            case .overlap: "neither implies the other"
            case .unknown: "it is not known whether one implies the other"
            }
        let lines = samples.map { _, words, sample in
            let found =
                switch sample {
                case .proven(let object): object.example
                case .refuted: "none exists"
                case .unknown(let reason): "none found; \(reason)"
                }
            return "  \(words): \(DisplayText.visible(found, limit: 1 << 20))"
        }
        return ([relation] + lines).joined(separator: "\n")
    }

    fileprivate var json: String {
        let members = samples.map { name, _, sample in
            let value =
                switch sample {
                case .proven(let object): "{\"object\":\(TaggedJSON.text(object))}"
                case .refuted: "{\"none\":true}"
                case .unknown(let reason): "{\"unknown\":\(JSON.text(.string(reason.description)))}"
                }
            return "\"\(name)\":\(value)"
        }
        return "{\"relation\":\"\(relation.rawValue)\",\(members.joined(separator: ","))}"
    }
}

extension PredicateValue {
    /// An object and the values of variables, which PredicateComparison reads as keys: `{"x":1} with $user.id = 1`.
    var example: String {
        guard case .dictionary(let fields) = self else { return TaggedJSON.text(self) }
        let pairs = zip(fields.keys, fields.values)
        let object = ValueDictionary(pairs.filter { !$0.0.hasPrefix("$") }.map { ($0, $1) })
        let variables = pairs.filter { $0.0.hasPrefix("$") }.map { "\($0) = \(TaggedJSON.text($1))" }
        let text = TaggedJSON.text(.dictionary(object))
        return variables.isEmpty ? text : "\(text) with \(variables.joined(separator: ", "))"
    }
}
