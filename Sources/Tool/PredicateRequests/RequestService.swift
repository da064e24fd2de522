// Answers the requests of programs in other languages, one JSON text each: {"command", "id"?, …}. Nothing is read from
// files. Batch mode of the command reads the same requests, with options of its command line (Request.swift).

/// Answers requests. It keeps the schemas and the objects that it was sent, by their handles.
package struct RequestService {
    /// The most bytes of a request. The values of JSON need up to 40 times its size, and a module has 4 GB.
    package static let longestRequest = 32 << 20

    private var schemas: [Int64: PredicateSchema] = [:]
    private var objects: [Int64: (values: [PredicateValue], shape: FieldShape)] = [:]
    private var lastHandle: Int64 = 0
    let profiles = KnownProfiles()

    package init() {}

    /// The answer to a request, which may be malformed.
    package mutating func answer(_ request: ArraySlice<UInt8>) -> Answer {
        guard request.count <= Self.longestRequest else {
            return Answer(id: .null, RequestProblem("a request has at most \(Self.longestRequest >> 20) MB"))
        }
        return Answer(line: request) { (fields) throws(AnswerProblem) in
            do throws(RequestProblem) {
                return try answer(RequestFields(fields))
            } catch {
                throw .request(error)
            }
        }
    }

    private mutating func answer(_ fields: RequestFields) throws(RequestProblem) -> Answer {
        switch try fields.text("command") ?? "check" {
        case "check": return Answer(checking: try text(fields, isBound: false).read)
        case "format": return try format(fields)
        case "eval":
            let (read, request) = try text(fields, isBound: true)
            return Answer(evaluating: read, input: try request.input(), variables: [:])
        case "filter": return try filter(fields)
        case "why": return try why(fields)
        case "sql": return try sql(fields)
        case "simplify": return try simplify(fields)
        case "complete": return try complete(fields)
        case "explain": return try explain(fields)
        case "records": return try records(fields)
        case "lint": return try lint(fields)
        case "profiles": return try profileList()
        case "schema":
            lastHandle += 1
            schemas[lastHandle] = try schema(fields.value("schema"))
            return Answer(members: [("schema", "\(lastHandle)")])
        case "release":
            if case .integer(let handle)? = fields.values["schema"], schemas.removeValue(forKey: handle) != nil {
                return Answer(members: [])
            }
            if case .integer(let handle)? = fields.values["objects"], objects.removeValue(forKey: handle) != nil {
                return Answer(members: [])
            }
            throw RequestProblem("\"schema\" or \"objects\" must be a handle")
        case let name: throw RequestProblem("unknown command '\(name)'")
        }
    }

    // MARK: Texts

    /// The text of a request, checked against its schema.
    /// - Parameter isBound: whether a conversion such as `%@` needs an argument.
    private func text(
        _ fields: RequestFields, isBound: Bool
    ) throws(RequestProblem) -> (read: PredicateText, request: Request) {
        var reader = TextReader(arguments: isBound ? .bound([]) : .unbound)
        if let (schema, entity) = try target(fields) {
            do throws(PredicateFailure) {
                reader.checker = try TypeChecker(schema: schema, entity: entity, in: reader.environment)
            } catch {
                throw RequestProblem(error.description)
            }
        }
        reader.profile = try textProfile(fields, checksKeys: reader.checker == nil)
        let request = try Request(fields.values, reader, variables: [:], replacesVariables: true)
        return (request.read(), request)
    }

    func schema(_ value: PredicateValue) throws(RequestProblem) -> PredicateSchema {
        if case .integer(let handle) = value {
            guard let schema = schemas[handle] else { throw RequestProblem("there is no schema \(handle)") }
            return schema
        }
        do throws(SchemaError) {
            return try PredicateSchema(value: value)
        } catch {
            throw RequestProblem(error.problems.map { $0.description }.joined(separator: "; "))
        }
    }

    /// The schema and the entity of a request; nil without a schema.
    private func target(_ fields: RequestFields) throws(RequestProblem) -> (PredicateSchema, String)? {
        guard let value = fields.values["schema"] else { return nil }
        let schema = try schema(value)
        guard let entity = try fields.text("entity") ?? schema.defaultEntity else {
            let names = schema.entityNames.joined(separator: ", ")
            throw RequestProblem("the schema has several entities; name one: \"entity\" is one of \(names)")
        }
        return (schema, entity)
    }

    private func predicate(
        _ read: PredicateText, _ command: String
    ) throws(RequestProblem) -> FormatPredicate {
        guard case .predicate(let predicate) = read.tree else {
            throw RequestProblem("\(command) takes a predicate, not an expression")
        }
        return predicate
    }

    private func format(_ fields: RequestFields) throws(RequestProblem) -> Answer {
        let read = try text(fields, isBound: false).read
        var answer = Answer(checking: read)
        if read.hasErrors { return answer }
        switch fields.values["shape"] {
        case nil: break
        case .string("tree"): answer.tree = read.treeValue
        case .string("redacted"): answer.members = [("text", JSON.text(.string(read.redacted)))]
        case .string("pretty"):
            guard case .integer(let width) = fields.values["width"] ?? .integer(80), let width = Int(exactly: width)
            else {
                throw RequestProblem("\"width\" must be a number")
            }
            answer.members = [("text", JSON.text(.string(read.pretty(width: min(max(width, 20), 1000)))))]
        default: throw RequestProblem("\"shape\" must be \"tree\", \"pretty\" or \"redacted\"")
        }
        return answer
    }

    // MARK: Objects

    /// The indices of the objects that match, and why others could not be tested.
    private func filter(_ fields: RequestFields) throws(RequestProblem) -> Answer {
        let (read, request) = try text(fields, isBound: true)
        let objects: [PredicateValue]
        switch try fields.value("objects") {
        case .array(let list):
            objects = try list.map { (object) throws(RequestProblem) in
                try TaggedReader(object).evaluationInput(read.environment).object
            }
        case .integer(let handle): objects = try kept(handle)
        default: throw RequestProblem("\"objects\" must be an array or a handle")
        }
        var answer = Answer(checking: read)
        guard !read.hasErrors else { return answer }
        let predicate = try predicate(read, "filter")
        let variables = try request.input().variables
        var (indices, failures): ([PredicateValue], [PredicateValue]) = ([], [])
        do throws(PredicateFailure) {
            var run = try PlanRun(predicate, variables: variables, run: read.run.atOneInstant)
            for (index, object) in objects.enumerated() {
                do throws(PredicateFailure) {
                    if try run.test(object) { indices.append(.integer(Int64(index))) }
                } catch {
                    let message = PredicateValue.string(error.diagnostics.first?.message ?? "")
                    failures.append(.object([("index", .integer(Int64(index))), ("message", message)]))
                }
            }
        } catch {
            answer.refuse(error)
            return answer
        }
        answer.members = [("indices", JSON.text(.array(indices)))]
        if !failures.isEmpty { answer.members.append(("failures", JSON.text(.array(failures)))) }
        return answer
    }

    private func kept(_ handle: Int64) throws(RequestProblem) -> [PredicateValue] {
        guard let objects = objects[handle] else { throw RequestProblem("there are no objects \(handle)") }
        return objects.values
    }

    /// Why an object matches or not: the input, or the object of a handle at an index.
    private func why(_ fields: RequestFields) throws(RequestProblem) -> Answer {
        let (read, request) = try text(fields, isBound: true)
        var input = try request.input()
        if case .integer(let handle)? = fields.values["objects"] {
            let objects = try kept(handle)
            guard case .integer(let index)? = fields.values["index"], objects.indices.contains(Int(clamping: index))
            else {
                throw RequestProblem("\"index\" must be the index of an object")
            }
            input.object = objects[Int(clamping: index)]
        }
        let warned = read.warned(byTypesOfObjects: input.shape.checker(read.environment))
        var answer = Answer(checking: warned)
        guard !read.hasErrors else { return answer }
        let predicate = try predicate(read, "why")
        do throws(PredicateFailure) {
            let explanation = try predicate.explanation(
                of: input.object, variables: input.variables, run: read.run.atOneInstant)
            answer.members = [("explanation", explanation.json)]
        } catch {
            answer.refuse(error)
        }
        return answer
    }

    /// The objects of a text in a format of `filter`, and their schema. With `keep`, `filter` takes their handle.
    private mutating func records(_ fields: RequestFields) throws(RequestProblem) -> Answer {
        guard let text = try fields.text("text") else { throw RequestProblem("\"text\" must be a text") }
        var options = ReaderOptions()
        options.keepsText = false
        let reader = RecordReader(bytes: Array(text.utf8), name: try fields.text("name") ?? "records", options: options)
        let shape = FieldShape()
        var (values, problems): ([PredicateValue], [PredicateValue]) = ([], [])
        while let event = reader.next() {
            switch event {
            case .record(let record):
                shape.add(record.value)
                values.append(record.value)
            case .problem(let problem):
                let line = PredicateValue.integer(Int64(problem.line))
                problems.append(.object([("line", line), ("message", .string(problem.message))]))
            }
        }
        let texts = values.map { TaggedJSON.text($0) }
        var members: [(name: String, json: String)] = [("objects", "[" + texts.joined(separator: ",") + "]")]
        if case .bool(true)? = fields.values["keep"] {
            lastHandle += 1
            objects[lastHandle] = (values, shape)
            members.append(("handle", "\(lastHandle)"))
        }
        if let schema = try? PredicateSchema(shape.entities(named: "record"), defaultEntity: "record") {
            // An answer is one line; the text of a schema has several.
            let lines = SchemaText.text(schema, isDatabase: false).utf8.split(separator: UInt8(ascii: "\n"))
            members.append(("schema", lines.map { String(Substring($0).drop { $0 == " " }) }.joined()))
        }
        if !problems.isEmpty { members.append(("problems", JSON.text(.array(problems)))) }
        return Answer(members: members)
    }

    // MARK: Translation

    private func sql(_ fields: RequestFields) throws(RequestProblem) -> Answer {
        let read = try text(fields, isBound: true).read
        guard let (schema, entity) = try target(fields) else { throw RequestProblem("sql needs \"schema\"") }
        guard let name = try fields.text("dialect"), let dialect = SQLDialect.named(name) else {
            let names = SQLDialect.all.map { $0.name }.joined(separator: ", ")
            throw RequestProblem("\"dialect\" must be one of \(names)")
        }
        guard !read.hasErrors else { return Answer(checking: read) }
        let predicate = try predicate(read, "sql")
        let checker = try? TypeChecker(schema: schema, entity: entity, in: read.environment)
        return Answer(
            translating: predicate, read.warned(by: checker), dialect, entity, schema, option: "allowConstants")
    }

    private func simplify(_ fields: RequestFields) throws(RequestProblem) -> Answer {
        let read = try text(fields, isBound: false).read
        guard !read.hasErrors else { return Answer(checking: read) }
        let target = try target(fields)
        let simple = try predicate(read, "simplify").simplified(for: target?.0, entity: target?.1)
        var answer = Answer(checking: read)
        answer.members = [("simplified", JSON.text(.string(simple.description)))]
        return answer
    }

    /// The completions at an offset in UTF-8 bytes, by default at the end. Objects give the values of a key.
    private func complete(_ fields: RequestFields) throws(RequestProblem) -> Answer {
        guard let text = try fields.text("format") else { throw RequestProblem("\"format\" must be a text") }
        guard case .integer(let offset) = fields.values["offset"] ?? .integer(Int64(text.utf8.count)), offset >= 0,
            offset <= text.utf8.count
        else { throw RequestProblem("\"offset\" must be a place in the text") }
        var completer = try completer(fields)
        if let (schema, entity) = try target(fields) { (completer.schema, completer.entity) = (schema, entity) }
        if case .integer(let handle)? = fields.values["objects"] {
            let shape = objects[handle]?.shape
            completer.domain = { path in shape?.field(at: path)?.domain ?? [] }
        }
        let found = completer.candidates(for: text, at: Int(offset))
        return Answer(members: [("completions", JSON.text(found.json))])
    }

    private func explain(_ fields: RequestFields) throws(RequestProblem) -> Answer {
        guard let name = try fields.text("diagnostic"), let id = DiagnosticID(rawValue: name) else {
            throw RequestProblem("\"diagnostic\" must be the ID of a diagnostic")
        }
        return Answer(members: [
            ("severity", JSON.text(.string(id.texts.severity.rawValue))), ("sentence", JSON.text(.string(id.sentence))),
            ("explanation", JSON.text(.string(id.texts.explanation))),
        ])
    }
}

/// The members of a request.
package struct RequestFields {
    let values: ValueDictionary

    package init(_ values: ValueDictionary) { self.values = values }

    func value(_ name: String) throws(RequestProblem) -> PredicateValue {
        guard let value = values[name] else { throw RequestProblem("\"\(name)\" is required") }
        return value
    }

    /// A text; nil if the request does not have it.
    package func text(_ name: String) throws(RequestProblem) -> String? {
        guard let value = values[name] else { return nil }
        guard case .string(let text) = value else { throw RequestProblem("\"\(name)\" must be a text") }
        return text
    }

    /// A list of texts; empty if the request does not have it.
    func texts(_ name: String) throws(RequestProblem) -> [String] {
        guard let value = values[name] else { return [] }
        var texts: [String] = []
        if case .array(let values) = value {
            for case .string(let text) in values { texts.append(text) }
            if texts.count == values.count { return texts }
        }
        throw RequestProblem("\"\(name)\" must be a list of texts")
    }
}
