// Reads test files: JSON, JSON Lines and YAML. Grammar/tests.schema.json describes their form.

/// Reads test files, and prints what is wrong in them.
final class TestReader {
    private let invocation: Invocation
    /// The worst problem of all files.
    private(set) var code = ExitCode.success
    /// The maximum number of problems that are printed for a file.
    private static let shownProblems = 20
    private var problems = 0

    /// The file names in test files are those of regular files only.
    init(_ invocation: Invocation) {
        self.invocation = invocation.reading(invocation.input.ofRegularFiles)
    }

    /// A file whose tests are read.
    private struct File {
        let name: String
        /// Ends with a slash unless it is empty.
        let folder: String
        var tests: [RuleTest] = []
    }

    /// Reads a file. Prints its problems; a file with problems has no tests.
    func tests(in name: String, _ input: CommandInput) throws -> [RuleTest] {
        let slash = name.lastIndex(of: "/")
        var file = File(name: name == "-" ? "<stdin>" : name, folder: slash.map { String(name[...$0]) } ?? "")
        problems = 0
        do {
            try read(try input.bytes(name), &file)
            for test in file.tests where test.cases.isEmpty { try problem(file, test.line, "the test has no cases") }
            if file.tests.isEmpty, problems == 0 { try problem(file, 1, "the file has no tests") }
        } catch CommandEnd.failure(let end, let reason) {
            try problem(nil, 0, reason, end)
        } catch CommandEnd.usage(let reason, let hint) {
            try problem(file, 1, reason + (hint.map { ": " + $0 } ?? ""))
        } catch CommandEnd.exit(let end) {
            problems += 1
            code = code.combined(with: end)
            try invocation.output.note(DisplayText.visible("\(file.name) is not read further"))
        }
        return problems == 0 ? file.tests : []
    }

    private func read(_ bytes: [UInt8], _ file: inout File) throws {
        do {
            let isYAML = file.name.hasSuffix(".yaml") || file.name.hasSuffix(".yml")
            switch isYAML ? nil : RecordFormat(path: file.name) ?? bytes.withUnsafeBufferPointer(RecordFormat.sniff) {
            case .json?: try add(try DataNode.json(bytes), 1, &file)
            case .jsonl?: try readLines(bytes, &file)
            default: try add(try DataNode.yaml(bytes), 1, &file)
            }
        } catch let fault as DocumentProblem {
            let place = TextPosition(of: fault.offset, in: bytes)
            try problem(file, place.line, "column \(place.column): \(fault.message)")
        }
    }

    /// A line is a test, or a case of the test above it.
    private func readLines(_ bytes: [UInt8], _ file: inout File) throws {
        var rest = bytes
        var reader = LineReader {
            defer { rest = [] }
            return rest
        }
        var number = 0
        while let line = try reader.line() {
            number += 1
            guard line.contains(where: { $0 > 32 }) else { continue }
            do {
                let node = try DataNode.json(Array(line))
                let isTest = node["rule"] != nil || node["ruleFile"] != nil
                if isTest || file.tests.isEmpty {
                    try add(node, number, &file)
                } else if let last = file.tests.indices.last,
                    let read = try testCase(node, number, file, of: file.tests[last])
                {
                    file.tests[last].cases.append(read)
                }
            } catch let fault as DocumentProblem {
                try problem(file, number, "column \(fault.offset + 1): \(fault.message)")
            }
        }
    }

    private func add(_ node: DataNode, _ line: Int, _ file: inout File) throws {
        for node in node.value.jsonList == nil ? [node] : node.elements {
            if let test = try test(node, line, file) { file.tests.append(test) }
        }
    }

    private func problem(_ file: File?, _ line: Int, _ message: String, _ end: ExitCode = .usage) throws {
        try invocation.output.note(DisplayText.visible((file.map { "\($0.name):\(line): " } ?? "") + message))
        code = code.combined(with: end)
        problems += 1
        if problems == Self.shownProblems { throw CommandEnd.exit(end) }
    }

    // MARK: Tests

    static let testFields = [
        "name", "rule", "ruleFile", "ruleID", "arguments", "variables", "clock", "timeZone", "extensions", "schema",
        "entity", "types", "cases",
    ]

    /// Collects the problems of one object of the file.
    private struct Fields: FieldReading {
        var problems: [SchemaError.Problem] = []

        mutating func run<Result>(_ path: String, _ body: () throws -> Result) throws -> Result? {
            do {
                return try body()
            } catch let problem as RequestProblem {
                report(path, problem.message)
            } catch let problem as TaggedValueProblem {
                report(path, problem.message)
            } catch let problem as FieldTypeProblem {
                report(path, problem.message)
            }
            return nil
        }

        /// An instant, as seconds since 2001-01-01 UTC.
        mutating func instant(_ fields: ValueDictionary) -> Double? {
            guard let text = text(fields, "clock", "") else { return nil }
            if let seconds = CalendarDate.seconds(iso8601: text) { return seconds }
            report("clock", "'\(text)' is not a date such as 2026-03-01T12:00:00Z")
            return nil
        }
    }

    /// Prints the problems with their lines. Returns whether there are none.
    private func show(_ fields: Fields, _ node: DataNode, _ line: Int, _ file: File) throws -> Bool {
        for found in fields.problems {
            try problem(file, node.place(of: found.path).line + line - 1, found.description)
        }
        return fields.problems.isEmpty
    }

    /// - Parameter line: the first line of the text whose value the node is.
    private func test(_ node: DataNode, _ line: Int, _ file: File) throws -> RuleTest? {
        var fields = Fields()
        guard let values = fields.object(node.value, at: "", Self.testFields, or: "a test") else {
            _ = try show(fields, node, line, file)
            return nil
        }
        let environment = environment(values, &fields)
        var types = FieldTypes()
        let named = fields.members(values["types"], at: "types").map { name, type in "\(name)=\(type.jsonText ?? "?")" }
        if !named.isEmpty {
            types = try fields.run("types") { try FieldTypes(named.joined(separator: ",")) } ?? types
        }
        var reader = TextReader()
        reader.environment = environment
        reader.arguments = .bound([])
        if let list = values["arguments"] {
            let bound = try fields.run("arguments") { try TaggedReader(list).arguments(environment) }
            reader.arguments = .bound(bound ?? [])
        }
        let variables = try self.variables(values, environment, &fields)
        var options: [String: [String]] = [:]
        if let entity = fields.text(values, "entity", "") { options[OptionDescription.entity.name] = [entity] }
        if let schema = fields.text(values, "schema", "") {
            options[OptionDescription.schema.name] = [invocation.input.path(schema, in: file.folder)]
            reader.checker = try invocation.reading(invocation.input, options).typeChecker(environment)?.checker
        } else if !options.isEmpty {
            fields.report("entity", "\"entity\" needs \"schema\"")
        }
        if environment.language.contains(.typedTexts) { reader.declared = types.checker(environment) ?? reader.checker }
        let name = fields.text(values, "name", "")
        let clock = fields.instant(values)
        let rule = try rule(values, reader, file, &fields)
        if let cases = values["cases"], cases.jsonList == nil {
            fields.report("cases", "expected a list of cases, not \(cases.typeDescription)")
        }
        let place = node.place().line + line - 1
        guard try show(fields, node, line, file), let rule else { return nil }
        let ruleLine = rule.line ?? node.place(of: "rule").line + line - 1
        var test = RuleTest(
            file: file.name, line: place, name: name ?? rule.name, rulePlace: (rule.file ?? file.name, ruleLine),
            rule: rule.text, types: types, checker: reader.checker, folder: file.folder, variables: variables,
            clock: clock, cases: [])
        for node in node["cases"]?.elements ?? [] {
            if let read = try testCase(node, line, file, of: test) { test.cases.append(read) }
        }
        return test
    }

    private func environment(_ values: ValueDictionary, _ fields: inout Fields) -> PredicateEnvironment {
        let language = fields.language(values["extensions"], at: "extensions")
        let zone = fields.text(values, "timeZone", "")
        let read = zone.flatMap { PredicateTimeZone($0) }
        if let zone, read == nil { fields.report("timeZone", "'\(zone)' is not UTC or an offset such as +02:00") }
        return PredicateEnvironment(language: language, timeZone: read ?? .utc)
    }

    private func variables(
        _ values: ValueDictionary, _ environment: PredicateEnvironment, _ fields: inout Fields
    ) throws -> PredicateVariables {
        guard let members = values["variables"] else { return [:] }
        return try fields.run("variables") { try TaggedReader(members).variables(environment) } ?? [:]
    }

    private typealias Rule = (text: PredicateText, name: String, file: String?, line: Int?)

    private func rule(
        _ values: ValueDictionary, _ reader: TextReader, _ file: File, _ fields: inout Fields
    ) throws -> Rule? {
        guard let name = fields.text(values, "ruleFile", "") else {
            guard let text = fields.text(values, "rule", "") else {
                if values["rule"] == nil, values["ruleFile"] == nil {
                    fields.report("", "a test needs \"rule\", a predicate, or \"ruleFile\"")
                }
                return nil
            }
            if values["ruleID"] != nil { fields.report("ruleID", "\"ruleID\" needs \"ruleFile\"") }
            return (reader.read(text), text, nil, nil)
        }
        if values["rule"] != nil { fields.report("rule", "give \"rule\" or \"ruleFile\", not both") }
        let path = invocation.input.path(name, in: file.folder)
        guard let id = values["ruleID"] else {
            var found: [(text: String, line: Int)] = []
            try invocation.forEachLine(of: path) { text, _, line in found.append((text, line)) }
            guard found.count == 1 else {
                fields.report("ruleFile", "'\(path)' has \(DisplayText.count(found.count, "predicate")), not one")
                return nil
            }
            return (reader.read(found[0].text), name, path, found[0].line)
        }
        return try rule(JSON.text(id), in: path, reader, &fields)
    }

    /// A rule of a file that `predicate match` reads.
    private func rule(
        _ id: String, in path: String, _ reader: TextReader, _ fields: inout Fields
    ) throws -> Rule? {
        var found: Rule?
        // The other form of a file of rules is an object: {"adult": "age >= 18"}.
        let bytes = try invocation.input.bytes(path)
        let rules = (try? JSON.parse(bytes)) == nil ? [] : try RuleFile(bytes, name: path).rules
        if let rule = rules.first(where: { JSON.text(.string($0.name)) == id && $0.fields == nil }) {
            let line = TextPosition(of: rule.span.start, in: bytes).line
            return (reader.read(rule.text.text), id, path, line)
        }
        try invocation.forEachLine(of: path) { text, _, line in
            do {
                let read = try MatchRules.text(text, line: line, reader, [:])
                if read.id == id { found = (read.text, id, path, line) }
            } catch let problem as RequestProblem {
                throw CommandEnd.failure(.usage, "\(path):\(line): \(problem.message)")
            } catch let problem as JSONProblem {
                throw CommandEnd.failure(.usage, "\(path):\(line): column \(problem.column): \(problem.message)")
            }
        }
        if found == nil { fields.report("ruleID", "'\(path)' has no rule with the id \(id)") }
        return found
    }

    // MARK: Cases

    static let caseFields = ["name", "object", "objects", "data", "key", "expect", "error", "variables", "clock"]

    private func testCase(_ node: DataNode, _ line: Int, _ file: File, of test: RuleTest) throws -> RuleCase? {
        var fields = Fields()
        let place = node.place().line + line - 1
        guard let values = fields.object(node.value, at: "", Self.caseFields, or: "a case") else {
            _ = try show(fields, node, line, file)
            return nil
        }
        let objects = try objects(values, test, &fields)
        let expectation = expectation(values, &fields)
        let variables = try self.variables(values, test.rule.environment, &fields)
        let name = fields.text(values, "name", "")
        let clock = fields.instant(values)
        guard try show(fields, node, line, file), let objects, let expectation else { return nil }
        let shown = values["object"] ?? values["objects"] ?? values["data"] ?? .null
        return RuleCase(
            name: name ?? String(JSON.text(shown).prefix(60)), line: place, objects: objects,
            expectation: expectation, variables: variables, clock: clock)
    }

    private func objects(
        _ values: ValueDictionary, _ test: RuleTest, _ fields: inout Fields
    ) throws -> RuleCase.Objects? {
        let given = ["object", "objects", "data"].filter { values[$0] != nil }
        guard given.count == 1 else {
            fields.report("", "a case needs one of \"object\", \"objects\", a list, and \"data\", a file of records")
            return nil
        }
        if given == ["data"] { return fields.text(values, "data", "").map { .data($0) } }
        var list = [values["object"] ?? .null]
        if let objects = values["objects"] {
            guard case .array(let elements) = objects else {
                fields.report("objects", "expected a list of objects, not \(objects.typeDescription)")
                return nil
            }
            list = elements
        }
        return try fields.run(given[0]) {
            .values(try list.map { try test.types.convert(TaggedJSON.decodeValue($0)) })
        }
    }

    private func expectation(_ values: ValueDictionary, _ fields: inout Fields) -> RuleCase.Expectation? {
        let error = fields.text(values, "error", "")
        let key = fields.text(values, "key", "")
        switch values["expect"] {
        case .bool(let answer)? where values["error"] == nil && values["key"] == nil: return .answer(answer)
        case .string("error")? where values["key"] == nil, nil where values["error"] != nil: return .error(error)
        case .array(let ids)? where values["error"] == nil && values["object"] == nil:
            return .matches(ids, key: key ?? "id")
        case .array?:
            fields.report("expect", "a list of ids needs \"objects\" or \"data\", and has no \"error\"")
        case .bool?, .string("error")?:
            fields.report("expect", "\"error\" is for \"expect\": \"error\", and \"key\" for a list of ids")
        case nil: fields.report("", "a case needs \"expect\": true, false, \"error\" or a list of ids")
        case let other?:
            let found = other.jsonText.map { "'\($0)'" } ?? other.typeDescription
            fields.report("expect", "expected true, false, \"error\" or a list of ids, not \(found)")
        }
        return nil
    }
}
