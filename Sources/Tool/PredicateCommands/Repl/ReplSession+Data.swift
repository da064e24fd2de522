// The commands that open, show and save records.

import Foundation

extension ReplSession {
    /// The default number of records of `.sample`.
    private static let sampleSize = 5
    /// The maximum number of values of a key in `.schema`.
    private static let shownValues = 6

    func open(_ line: CommandLine) throws {
        let invocation = try PredicateCommand.predicate.invocation(of: Self.opening, line.words, input, output)
        let names = invocation.operands
        guard !names.isEmpty else { throw CommandEnd.usage("a file is required", hint: ".open people.json") }
        if invocation.values.isEmpty {
            try open(names, readerOptions, as: nil)
        } else {
            let options = try invocation.readerOptions(keepsText: false)
            try open(names, options, as: invocation[.asEntity])
            types = invocation[.types]
        }
        try greet()
    }

    /// The options of `.open`, which are those of the command.
    static let opening = CommandDescription(
        name: "repl", summary: "", operands: "FILE…", operandCount: 1...Int.max,
        options: OptionDescription.reading + [.asEntity], examples: []
    ) { _ in .success }

    /// Prints a summary of the records.
    func greet() throws {
        if let memory = source as? MemorySource, let first = memory.problems.first {
            try note("\(memory.problems.count) cannot be read; the first: \(first)", .warning)
        }
        for warning in (source as? DatabaseSource)?.warnings ?? [] { try note(DisplayText.visible(warning), .warning) }
        try answer(source.summary)
    }

    func read(_ line: CommandLine) throws {
        guard let name = line.words.first, line.words.count == 1 else {
            throw CommandEnd.usage("\(line.name) takes one file")
        }
        try readFile(name)
    }

    func sample(_ line: CommandLine) throws {
        let count = try line.number(least: 1, "a number") ?? Self.sampleSize
        try show(records: try selected(selection(.constant(true), limit: count)).records)
    }

    func save(_ line: CommandLine) throws {
        let words = line.words
        guard let name = words.first, words.count == 1 || words.dropFirst() == ["overwrite"] else {
            throw CommandEnd.usage("\(line.name) takes one file", hint: ".save found.csv")
        }
        guard let format = RecordFormat(path: name) else {
            throw CommandEnd.usage(
                "unknown format of '\(name)'", hint: "the name must end in .json, .jsonl, .csv or .plist")
        }
        let place = OutputPlace(
            name, input, inputs: words.count == 1 ? source.files : [],
            store: source.dialect == nil ? nil : source.files.first, kind: .records(format),
            hint: ".save \(name) overwrite")
        try place.check()
        let records = try rows(of: selected(selection(lastPredicate, limit: nil)).records)
        let columns = self.columns?.map(\.heading) ?? source.columns(of: entity)
        try place.write(try interruptible { try RecordWriter.bytes(of: records, format, columns: columns) })
        let count = records.count
        try note("\(DisplayText.count(count, "record")) written to \(name)")
    }

    // MARK: The schema

    func showKeys(_ line: CommandLine) throws {
        let path = line.words.first ?? ""
        let target =
            if let known = knownEntity(at: path) { known } else {
                try source.schema.entity(path)?.name ?? entityName(at: path)
            }
        guard let target else {
            throw CommandEnd.usage("'\(path)' does not refer to an object with keys")
        }
        try show(source.schema.keys(of: target).map { StyledText($0) })
    }

    /// The entity at the end of a path of names as `.schema` lists them, which need not be words: `a.unit-price`. Contains
    /// nil for the path of an attribute, and is nil for other texts.
    private func knownEntity(at path: String) -> String?? {
        var target: String? = entity
        for name in path.split(separator: ".") {
            guard let last = target, let key = source.schema.key(String(name), of: last) else { return nil }
            target = if case .relationship(let relationship) = key { relationship.target } else { nil }
        }
        return .some(target)
    }

    /// The entity at the end of a path; nil if its value is not an object. Throws for an unknown key.
    private func entityName(at path: String) throws -> String? {
        guard let checker else { return nil }
        let parsed = FormatExpression.parse(path, in: environment)
        let result = checker.check(parsed)
        if let error = result.diagnostics.first(where: { $0.severity == .error }) {
            throw CommandEnd.usage(error.message, hint: error.label)
        }
        return result.type.entity
    }

    func showSchema(_ line: CommandLine) throws {
        var names = source.schema.entityNames
        if let word = line.words.first {
            guard names.contains(word) else {
                throw CommandEnd.unknown("there is no entity", word, among: names)
            }
            names = [word]
        }
        var lines: [StyledText] = []
        for name in names {
            guard let entity = source.schema.entity(name) else { continue }
            if !lines.isEmpty { lines.append(StyledText()) }
            lines.append(StyledText(name, .bold))
            lines += rows(of: entity)
        }
        try show(lines)
    }

    private func rows(of entity: PredicateSchema.Entity) -> [StyledText] {
        // The name of an entity for nested objects starts with their key path.
        let root =
            source.entities.filter { entity.name == $0 || entity.name.hasPrefix($0 + ".") }
            .max { $0.count < $1.count } ?? entity.name
        let path = entity.name.dropFirst(root.count + 1).split(separator: ".").map(String.init)
        var rows: [(String, String, String)] = entity.attributes.map { attribute in
            let domain = source.domain(of: path + [attribute.name], in: root)
            let texts = domain.count <= Self.shownValues ? domain.map(Completer.literal) : []
            return (
                attribute.name, attribute.type.shown + (attribute.isOptional ? "?" : ""), texts.joined(separator: ", ")
            )
        }
        rows += entity.relationships.map { relationship in
            let many = relationship.isToMany ? "many " : ""
            return (relationship.name, "→ " + many + relationship.target + (relationship.isOptional ? "?" : ""), "")
        }
        let names = rows.map { DisplayText.columns($0.0) }.max() ?? 0
        let types = rows.map { DisplayText.columns($0.1) }.max() ?? 0
        return rows.map { name, type, values in
            var row = StyledText("  " + name.padded(to: names))
            row.append("  " + (values.isEmpty ? type : type.padded(to: types)), .function)
            if !values.isEmpty { row.append("  " + DisplayText.visible(values), .dim) }
            return row
        }
    }

    // MARK: Statistics

    func showStatistics(_ line: CommandLine) throws {
        let records = try all()
        let known = try interruptible { Columns.names(of: records.map(\.withoutObjects)) }
        let names = line.words
        for name in names where !known.contains(name) && name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
            throw CommandEnd.usage("there is no key '\(name)'", hint: OptionParser.didYouMean(name, known))
        }
        let columns =
            try names.isEmpty
            ? known.map { try OutputKey($0, expressionReader(overAll: false), [:], isName: true) }
            : names.map(outputKey)
        let found = try rows(of: records, columns)
        let statistics = try interruptible {
            columns.indices.map { index in
                Statistics(name: columns[index].text, values: found.flatMap { $0.values(at: index) })
            }
        }
        let hasNil = statistics.contains(where: \.hasNil)
        try show(rows: statistics.map { $0.row(hasNil: hasNil) }, as: .table)
    }
}

extension PredicateValue {
    /// The values of a row in one column: the elements if it is a list, else the value itself.
    fileprivate func values(at column: Int) -> [PredicateValue] {
        guard case .dictionary(let row) = self else { return [] }
        switch row.values[column] {
        case .array(let elements), .set(let elements): return elements
        case let value: return [value]
        }
    }
}

/// A row of `.stats`.
private struct Statistics {
    private let values: [PredicateValue]
    let hasNil: Bool

    init(name: String, values: [PredicateValue]) {
        let present = values.filter { !$0.isNil }
        let sorted = present.filter { if case .dictionary = $0 { false } else { true } }
            .sorted { ValueOrder.compare($0, $1) < 0 }
        // The mean of `@avg`.
        let mean = try? CollectionOperator.first(of: .average).result(values, in: .standard)
        hasNil = present.count < values.count
        self.values = [
            .string(name), .integer(Int64(present.count)), .integer(Int64(values.count - present.count)),
            .integer(Int64(Set(present).count)), sorted.first ?? .null, sorted.last ?? .null,
            present.isEmpty ? .null : mean ?? .null,
        ]
    }

    /// - Parameter hasNil: whether some key has nil, which the mean counts as 0, as `@avg` does.
    func row(hasNil: Bool) -> PredicateValue {
        let names = ["key", "count", "nil", "distinct", "least", "greatest", hasNil ? "mean, nil as 0" : "mean"]
        return .dictionary(ValueDictionary(shape: ValueDictionary.Shape(names), values: values))
    }
}
