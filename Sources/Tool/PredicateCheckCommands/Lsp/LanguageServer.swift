// The language server: reads requests, keeps the open documents, and answers with the linter, the completer and the
// formatter. LanguageServer+Features.swift implements the answers.

final class LanguageServer {
    let invocation: Invocation
    private(set) var encoding = PositionEncoding.utf16
    private var channel: MessageChannel
    private var linters: Linters
    private var documents: [String: LspDocument] = [:]
    /// The checks of documents, which may not be complete; nil for a document that cannot be read. A change discards
    /// them.
    private var checks: [String: FileCheck?] = [:]
    /// The documents whose diagnostics the editor does not have yet.
    private var unpublished: Set<String> = []
    private var hasReportedConfiguration = false
    /// The number of checks that were begun, for tests.
    private(set) var checkCount = 0
    private var isInitialized = false
    private var isShutDown = false

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        channel = MessageChannel(invocation.input, invocation.output)
        linters = try Linters(invocation)
    }

    /// Answers requests until `exit` or the end of the input. Returns 0 after `shutdown`, as the protocol requires.
    func run() throws -> ExitCode {
        while true {
            // What has arrived comes first: a check that a change makes useless is not continued.
            while !channel.hasInput, try work() {}
            guard let message = try channel.read() else { break }
            switch message {
            case .malformed(let code, let reason, let isChange):
                try fail(.null, code, reason)
                // Which document it changes is unknown.
                for uri in isChange ? documents.keys.sorted() : [] { try forget(uri) }
            case .value(let fields):
                // A response to a request of the server; the server sends no requests.
                guard let method = fields["method"]?.jsonText else { continue }
                if method == "exit" { return isShutDown ? .success : .negative }
                try handle(method, id: fields["id"], fields["params"] ?? .null)
            }
        }
        while try work() {}
        return isShutDown ? .success : .negative
    }

    // MARK: Messages

    private func handle(_ method: String, id: PredicateValue?, _ parameters: PredicateValue) throws {
        guard let id else { return try notice(method, parameters) }
        guard isInitialized || method == "initialize" else {
            return try fail(id, -32002, "the first request must be 'initialize'")
        }
        guard !isShutDown else { return try fail(id, -32600, "the server is shut down") }
        switch method {
        case "initialize": try reply(id, initialize(parameters))
        case "shutdown":
            while try work() {}
            isShutDown = true
            try reply(id, .null)
        case "textDocument/completion": try reply(id, completion(parameters))
        case "textDocument/hover": try reply(id, hover(parameters))
        case "textDocument/formatting": try reply(id, formatting(parameters))
        case "textDocument/codeAction": try reply(id, codeActions(parameters))
        case "textDocument/documentSymbol": try reply(id, symbols(parameters))
        case "textDocument/prepareRename": try reply(id, renamed(parameters) ?? .null)
        case "textDocument/rename":
            let name = parameters[member: "newName"]?.jsonText ?? ""
            guard FunctionCatalog.isWord(name), !Keywords.isReserved(name) else {
                return try fail(id, -32803, "'\(name)' is no name for a key or a variable")
            }
            try reply(id, rename(parameters, to: name))
        default: try fail(id, -32601, "there is no method '\(method)'")
        }
    }

    private func notice(_ method: String, _ parameters: PredicateValue) throws {
        guard isInitialized, !isShutDown else { return }
        let item = parameters[member: "textDocument"] ?? .null
        guard let uri = item[member: "uri"]?.jsonText else {
            if method == "workspace/didChangeWatchedFiles" { try readConfigurations() }
            return
        }
        switch method {
        case "textDocument/didOpen":
            documents[uri] = LspDocument(
                uri: uri, language: item[member: "languageId"]?.jsonText ?? "",
                text: item[member: "text"]?.jsonText ?? "")
            documents[uri]?.version = item[member: "version"]
            hasChanged(uri)
        case "textDocument/didChange":
            for change in parameters[member: "contentChanges"]?.jsonList ?? [] {
                guard documents[uri]?.apply(change, encoding) != false else { return try forget(uri) }
            }
            documents[uri]?.version = item[member: "version"]
            hasChanged(uri)
        case "textDocument/didSave":
            if uri.hasSuffix(LintConfiguration.fileName) { try readConfigurations() }
        case "textDocument/didClose":
            documents[uri] = nil
            hasChanged(uri)
        default: break
        }
    }

    private func initialize(_ parameters: PredicateValue) -> PredicateValue {
        let encodings = parameters[member: "capabilities"]?[member: "general"]?[member: "positionEncodings"]?.jsonList
        if encodings?.contains(.string(PositionEncoding.utf8.rawValue)) == true { encoding = .utf8 }
        isInitialized = true
        let triggers: [PredicateValue] = [" ", ".", "@", "(", "[", "$"].map { .string($0) }
        let sync = PredicateValue.object([("openClose", .bool(true)), ("change", .integer(2)), ("save", .bool(true))])
        let capabilities: [(String, PredicateValue)] = [
            ("positionEncoding", .string(encoding.rawValue)), ("textDocumentSync", sync),
            ("completionProvider", .object([("triggerCharacters", .array(triggers))])),
            ("hoverProvider", .bool(true)), ("documentFormattingProvider", .bool(true)),
            ("codeActionProvider", .object([("codeActionKinds", .array([.string("quickfix")]))])),
            ("documentSymbolProvider", .bool(true)),
            ("renameProvider", .object([("prepareProvider", .bool(true))])),
        ]
        let server = PredicateValue.object([
            ("name", .string("predicate")), ("version", .string(PredicateCommand.version)),
        ])
        return .object([("capabilities", .object(capabilities)), ("serverInfo", server)])
    }

    private func reply(_ id: PredicateValue, _ result: PredicateValue) throws {
        try channel.write([("id", id), ("result", result)])
    }

    private func fail(_ id: PredicateValue, _ code: Int64, _ reason: String) throws {
        try channel.write([
            ("id", id), ("error", .object([("code", .integer(code)), ("message", .string(reason))])),
        ])
    }

    private func notify(_ method: String, _ parameters: [(String, PredicateValue)]) throws {
        try channel.write([("method", .string(method)), ("params", .object(parameters))])
    }

    // MARK: Documents

    func document(_ parameters: PredicateValue) -> LspDocument? {
        parameters[member: "textDocument"]?[member: "uri"]?.jsonText.flatMap { documents[$0] }
    }

    private func hasChanged(_ uri: String) {
        checks[uri] = nil
        unpublished.insert(uri)
    }

    /// Closes a document because its text is unknown: a change of it cannot be read.
    private func forget(_ uri: String) throws {
        documents[uri] = nil
        hasChanged(uri)
        try show("a change cannot be read; open \(uri) again to check it")
    }

    private func show(_ message: String) throws {
        try notify("window/showMessage", [("type", .integer(1)), ("message", .string(message))])
    }

    /// Discards the configurations that were read, and checks all documents again.
    private func readConfigurations() throws {
        linters = try Linters(invocation)
        hasReportedConfiguration = false
        for uri in documents.keys { hasChanged(uri) }
    }

    /// The linter for a document. If a configuration cannot be read, that is reported once, and only the options of the
    /// command line are used.
    func linter(_ document: LspDocument) throws -> Linter {
        do {
            return try linters.linter(for: document.file.path).linter
        } catch is CommandEnd {
            if !hasReportedConfiguration {
                try show("\(LintConfiguration.fileName) cannot be read; 'predicate lint' says why")
            }
            hasReportedConfiguration = true
            return linters.standard.linter
        }
    }

    /// The check of a document, as far as it is done; nil for a document that cannot be read.
    func check(_ document: LspDocument) -> FileCheck? {
        if let known = checks[document.uri] { return known }
        checkCount += 1
        let check = try? FileCheck(linter(document), document.file, document.bytes)
        checks[document.uri] = .some(check)
        return check
    }

    /// Continues the check of a document that has changed, or sends its diagnostics. Returns false if nothing is left.
    private func work() throws -> Bool {
        guard let uri = unpublished.min() else { return false }
        let document = documents[uri]
        let check = document.flatMap(check)
        if let check, !check.isDone {
            // A few milliseconds.
            for _ in 0..<64 where !check.isDone { _ = check.step() }
            return true
        }
        unpublished.remove(uri)
        let found = document.map { document in check?.sent.map { diagnostic($0, document) } ?? [] } ?? []
        try notify(
            "textDocument/publishDiagnostics",
            [("uri", .string(uri))] + (document?.version.map { [("version", $0)] } ?? [])
                + [("diagnostics", .array(found))])
        return true
    }

    func diagnostic(_ diagnostic: PredicateDiagnostic, _ document: LspDocument) -> PredicateValue {
        let severity: Int64 =
            switch diagnostic.severity {
            case .error: 1
            case .warning: 2
            case .note: 3
            }
        let message = diagnostic.message + (diagnostic.label.map { "; " + $0 } ?? "")
        return .object([
            ("range", document.range(diagnostic.span, encoding)), ("severity", .integer(severity)),
            ("code", .string(diagnostic.id.rawValue)), ("source", .string("predicate")), ("message", .string(message)),
        ])
    }
}

extension FileCheck {
    /// The number of findings that an editor gets.
    private static var limit: Int { 1_000 }

    /// Whether all findings are known, or more than an editor gets.
    var isDone: Bool { count == predicates.count || result.diagnostics.count > Self.limit }

    /// The first findings. If there are more, the last one says so.
    var sent: [PredicateDiagnostic] {
        let all = result.diagnostics
        guard all.count > Self.limit else { return all }
        let (place, sentence) = (all[Self.limit].span, "more findings were left out")
        return all.prefix(Self.limit)
            + [PredicateDiagnostic(.limitExceeded, at: place, sentence, "\(Self.limit)", severity: .warning)]
    }

    /// The findings in a range, also of predicates that are not checked yet.
    func diagnostics(in range: ClosedRange<Int>) -> [PredicateDiagnostic] {
        func isInside(_ span: SourceSpan) -> Bool { span.start <= range.upperBound && range.lowerBound <= span.end }
        var all = result.diagnostics.filter { isInside($0.span) }
        for index in count..<predicates.count where isInside(predicates[index].text.span) && all.count <= Self.limit {
            all += check(index).diagnostics.filter { isInside($0.span) }
        }
        return all
    }
}
