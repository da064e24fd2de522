// The language server over pipes: a client writes messages with Content-Length and reads the answers.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

/// A server in a thread, with both ends of its pipes.
private final class Client: @unchecked Sendable {
    private let toServer = Pipe()
    private let fromServer = Pipe()
    private let ended = DispatchSemaphore(value: 0)
    private var buffer: [UInt8] = []
    private var identifier = 0
    private(set) var code: Int32 = -1

    init(_ options: [String] = []) {
        let (input, output) = (toServer.fileHandleForReading, fromServer.fileHandleForWriting)
        let thread = Thread { [self] in
            code = PredicateCommand.run(
                ["lsp"] + options,
                input: CommandInput(isTerminal: false) { [UInt8](input.availableData) },
                output: CommandOutput(write: { try output.write(contentsOf: Data($0)) }, writeError: { _ in }))
            try? output.close()
            ended.signal()
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    func send(_ text: String, length: Int? = nil) {
        toServer.fileHandleForWriting.write(Data("Content-Length: \(length ?? text.utf8.count)\r\n\r\n\(text)".utf8))
    }

    func notify(_ method: String, _ parameters: String) {
        send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters)}"#)
    }

    /// Sends a request and returns its result, or the error with its code.
    func request(_ method: String, _ parameters: String = "{}") throws -> PredicateValue {
        identifier += 1
        send(#"{"jsonrpc":"2.0","id":\#(identifier),"method":"\#(method)","params":\#(parameters)}"#)
        let answer = try receive()
        #expect(answer[member: "id"] == .integer(Int64(identifier)))
        return answer[member: "result"] ?? answer[member: "error"] ?? .null
    }

    /// Returns the next message of the server.
    func receive() throws -> PredicateValue {
        while true {
            let text = String(decoding: buffer, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n"),
                let length = Int(text[..<end.lowerBound].dropFirst("Content-Length: ".count))
            {
                let start = text[..<end.upperBound].utf8.count
                if buffer.count >= start + length {
                    defer { buffer.removeFirst(start + length) }
                    return try JSON.parse(Array(buffer[start..<start + length]))
                }
            }
            let data = fromServer.fileHandleForReading.availableData
            guard !data.isEmpty else { throw CocoaError(.fileReadUnknown) }
            buffer += data
        }
    }

    /// Closes the input and returns the exit code.
    func end() -> Int32 {
        try? toServer.fileHandleForWriting.close()
        ended.wait()
        return code
    }
}

@Suite struct LanguageServerTests {
    private func open(_ client: Client, _ name: String, _ language: String, _ text: String) throws -> [PredicateValue] {
        let content = JSON.text(.string(text))
        client.notify(
            "textDocument/didOpen",
            #"{"textDocument":{"uri":"file:///none/\#(name)","languageId":"\#(language)","version":1,"text":\#(content)}}"#
        )
        return try client.receive()[member: "params"]?[member: "diagnostics"]?.jsonList ?? []
    }

    private func place(_ name: String, _ line: Int, _ character: Int) -> String {
        #"{"textDocument":{"uri":"file:///none/\#(name)"},"position":{"line":\#(line),"character":\#(character)}}"#
    }

    private func range(_ diagnostic: PredicateValue?) -> [Int?] {
        let range = diagnostic?[member: "range"]
        return ["start", "end"].flatMap { end in
            ["line", "character"].map { range?[member: end]?[member: $0]?.jsonNumber }
        }
    }

    /// Edits the file: each range is from a line and character to another. Returns the place of the first diagnostic.
    private func change(_ client: Client, _ edits: (Int, Int, Int, Int, text: String)...) throws -> [Int?] {
        let changes = edits.map {
            #"{"range":{"start":{"line":\#($0.0),"character":\#($0.1)},"end":{"line":\#($0.2),"character":\#($0.3)}},"#
                + #""text":"\#($0.text)"}"#
        }
        client.notify(
            "textDocument/didChange",
            #"{"textDocument":{"uri":"file:///none/a.swift"},"contentChanges":[\#(changes.joined(separator: ","))]}"#)
        return range(try client.receive()[member: "params"]?[member: "diagnostics"]?.jsonList?.first)
    }

    @Test func namesAreChangedAndPredicatesListed() throws {
        let client = Client()
        _ = try client.request("initialize", #"{"capabilities":{}}"#)
        let lines = [
            "age > $least AND SUBQUERY(pets, $p, $p.age > 2).@count > 0", "length(age) > 1 OR $p == $least",
            "name == 'age'",
        ]
        _ = try open(client, "a.predicate", "predicate", lines.joined(separator: "\n"))
        func rename(_ line: Int, _ character: Int, to name: String) throws -> [String] {
            let place = place("a.predicate", line, character).dropLast()
            let answer = try client.request("textDocument/rename", place + ",\"newName\":\"\(name)\"}")
            guard let edits = answer[member: "changes"]?[member: "file:///none/a.predicate"]?.jsonList else {
                return [answer[member: "message"]?.jsonText ?? "none"]
            }
            return edits.map { edit in
                "\(range(edit).prefix(2).compactMap { $0 }) \(edit[member: "newText"]?.jsonText ?? "")"
            }
        }
        #expect(try rename(0, 1, to: "years") == ["[0, 0] years", "[0, 39] years", "[1, 7] years"])
        #expect(try rename(1, 26, to: "floor") == ["[0, 6] $floor", "[1, 25] $floor"])
        // The variable of the SUBQUERY is another one than that of the second line.
        #expect(try rename(0, 33, to: "pet") == ["[0, 32] $pet", "[0, 36] $pet"])
        #expect(try rename(1, 20, to: "pet") == ["[1, 19] $pet"])
        #expect(try rename(0, 1, to: "two words") == ["'two words' is no name for a key or a variable"])
        #expect(try rename(0, 5, to: "years") == ["none"])
        #expect(try client.request("textDocument/prepareRename", place("a.predicate", 2, 10)) == .null)
        let symbols =
            try client.request(
                "textDocument/documentSymbol", #"{"textDocument":{"uri":"file:///none/a.predicate"}}"#
            ).jsonList ?? []
        #expect(symbols.compactMap { $0[member: "name"]?.jsonText } == lines)
        #expect(client.end() == 1)
    }

    @Test func aSession() throws {
        let client = Client()
        #expect(try client.request("textDocument/hover")[member: "code"] == .integer(-32002))
        let capabilities = try client.request("initialize", #"{"capabilities":{}}"#)[member: "capabilities"]
        #expect(capabilities?[member: "positionEncoding"] == .string("utf-16"))
        client.notify("initialized", "{}")

        // The emoji has two UTF-16 code units, the accented letter has one.
        let source = "let é = \"😀\"; let p = NSPredicate(format: \"name BEGINWITH 'A'\")\n"
        let found = try open(client, "a.swift", "swift", source)
        #expect(found.count == 1 && found[0][member: "code"] == .string("unknown-operator"))
        #expect(range(found.first) == [0, 48, 0, 57])

        let hover = try client.request("textDocument/hover", place("a.swift", 0, 50))
        let shown = hover[member: "contents"]?[member: "value"]?.jsonText ?? ""
        #expect(shown.contains("did you mean BEGINSWITH?") && shown.contains("The operators are"))

        let actions = try client.request(
            "textDocument/codeAction",
            #"{"textDocument":{"uri":"file:///none/a.swift"},"range":{"start":{"line":0,"character":48},"#
                + #""end":{"line":0,"character":48}},"context":{"diagnostics":[]}}"#)
        let titles = actions.jsonList?.compactMap { $0[member: "title"]?.jsonText }
        #expect(titles == ["write BEGINSWITH", "ignore unknown-operator here"])
        let edits = actions.jsonList?.compactMap {
            $0[member: "edit"]?[member: "changes"]?[member: "file:///none/a.swift"]?.jsonList?.first?[member: "newText"]
        }
        #expect(edits == [.string("BEGINSWITH"), .string("// predicate:ignore unknown-operator\n")])

        // An incremental change that corrects the mistake; then the whole text.
        client.notify(
            "textDocument/didChange",
            #"{"textDocument":{"uri":"file:///none/a.swift","version":2},"contentChanges":[{"range":{"start":{"line":0,"#
                + #""character":48},"end":{"line":0,"character":57}},"text":"BEGINSWITH"}]}"#)
        #expect(try client.receive()[member: "params"]?[member: "diagnostics"] == .array([]))
        let operation = try client.request("textDocument/hover", place("a.swift", 0, 50))
        #expect(
            operation[member: "contents"]?[member: "value"]?.jsonText?.hasPrefix("`BEGINSWITH`: begins with") == true)
        client.notify(
            "textDocument/didChange",
            #"{"textDocument":{"uri":"file:///none/a.swift","version":3},"contentChanges":[{"text":"NSPredicate(format: \"a >\")"}]}"#
        )
        #expect(try client.receive()[member: "params"]?[member: "diagnostics"]?.jsonList?.count == 1)
        client.notify("textDocument/didClose", #"{"textDocument":{"uri":"file:///none/a.swift"}}"#)
        #expect(try client.receive()[member: "params"]?[member: "diagnostics"] == .array([]))

        #expect(try client.request("unknown/method")[member: "code"] == .integer(-32601))
        client.send("{]")
        #expect(try client.receive()[member: "error"]?[member: "code"] == .integer(-32700))
        #expect(try client.request("shutdown") == .null)
        client.notify("exit", "{}")
        #expect(client.end() == 0)
    }

    @Test func eachLanguageIsChecked() throws {
        let client = Client()
        let start = #"{"capabilities":{"general":{"positionEncodings":["utf-16","utf-8"]}}}"#
        let capabilities = try client.request("initialize", start)[member: "capabilities"]
        #expect(capabilities?[member: "positionEncoding"] == .string("utf-8"))
        let documents = [
            ("a.m", "objective-c", "id p = [NSPredicate predicateWithFormat:@\"b == 'é' AND \" @\"a === 1\"];"),
            (
                "a.plist", "xml",
                "<plist><dict>\n<key>NSExtensionActivationRule</key>\n<string>a === 1</string></dict></plist>"
            ),
            ("a.json", "json", #"{"installable_condition": "a === 1"}"#),
            ("a.yaml", "yaml", "installable_condition: a === 1\n"), ("a.predicate", "predicate", "b == 1\na === 1\n"),
            // The file name has no extension, so the language decides.
            ("untitled", "swift", "NSPredicate(format: \"a === 1\")"),
        ]
        for (name, language, text) in documents {
            let codes = try open(client, name, language, text).map { $0[member: "code"] }
            #expect(codes.contains(.string("single-equals-chain")), "\(name)")
        }
        let formatted = try client.request(
            "textDocument/formatting", #"{"textDocument":{"uri":"file:///none/a.predicate"},"options":{}}"#)
        #expect(formatted == .array([]))
        _ = try open(client, "b.swift", "swift", #"NSPredicate(format: "name beginswith[dc] \"x\" && done = yes")"#)
        let edits = try client.request(
            "textDocument/formatting", #"{"textDocument":{"uri":"file:///none/b.swift"},"options":{}}"#)
        #expect(edits.jsonList?.first?[member: "newText"] == .string("name BEGINSWITH[cd] 'x' AND done == 1"))
        // The input ends without `shutdown`, so the exit code is 1.
        #expect(client.end() == 1)
    }

    @Test func completionKnowsTheProfileOfTheCall() throws {
        let client = Client()
        _ = try client.request("initialize", #"{"capabilities":{}}"#)
        let text = #"let q = store.getEntries(matching: NSPredicate(format: "subs"))"#
        _ = try open(client, "a.swift", "swift", text)
        let items = try client.request("textDocument/completion", place("a.swift", 0, 60))[member: "items"]?.jsonList
        let labels = items?.compactMap { $0[member: "label"]?.jsonText }
        #expect(labels == ["subsystem"])
        #expect(items?.first?[member: "textEdit"]?[member: "newText"] == .string("subsystem"))
        #expect(range(items?.first?[member: "textEdit"]) == [0, 56, 0, 60])
        #expect(try client.request("textDocument/completion", place("a.swift", 0, 3)) == .null)
        _ = client.end()
    }

    /// A bar marks the cursor.
    @Test func completionKnowsTermsWordsAndKeysOfTheReader() throws {
        let activation = #"{"Type":"com.apple.activation.simple","Payload":{"Predicate":"#
        let cases: [(name: String, language: String, text: String, labels: [String])] = [
            ("a.json", "json", activation + #""@status(device.model.f|"}}"#, ["device.model.family"]),
            ("b.json", "json", activation + #""@status(device.model.f|) == 'iPhone'"}}"#, ["device.model.family"]),
            ("c.json", "json", activation + #""@st|"}}"#, ["@status("]),
            ("a.sh", "shellscript", "log show --predicate 'messageType == er|'\n", ["error"]),
            ("b.sh", "shellscript", "log show --predicate 'messageType IN {error, fa|}'\n", ["fault"]),
            (
                "a.swift", "swift", #"import XCTest; app.buttons.matching(NSPredicate(format: "placeh|"))"#,
                ["placeholderValue"]
            ),
        ]
        let client = Client()
        _ = try client.request("initialize", #"{"capabilities":{}}"#)
        for (name, language, marked, labels) in cases {
            let parts = marked.split(separator: "|", maxSplits: 1).map(String.init)
            _ = try open(client, name, language, parts.joined())
            let items = try client.request("textDocument/completion", place(name, 0, parts[0].utf8.count))
            #expect(items[member: "items"]?.jsonList?.compactMap { $0[member: "label"]?.jsonText } == labels, "\(name)")
        }
        _ = client.end()
    }

    @Test func otherInputEndsWithAMessage() {
        let client = Client()
        client.send("{}", length: -1)
        #expect(client.end() == 5)
    }

    /// Runs a server on messages that have all arrived before it reads the first one.
    private func run(_ messages: [String]) throws -> (server: LanguageServer, methods: [String]) {
        var rest = messages.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined()
        var answers = ""
        let invocation = try PredicateCommand.predicate.invocation(
            of: .lsp, [],
            CommandInput(isTerminal: false) {
                defer { rest = "" }
                return Array(rest.utf8)
            },
            CommandOutput(write: { answers += String(decoding: $0, as: UTF8.self) }, writeError: { _ in }))
        let server = try LanguageServer(invocation)
        #expect(try server.run() == .negative)
        let bodies = answers.split(separator: "\r\n").filter { $0.hasPrefix("{") }
        let methods = try bodies.map { body in
            let message = String(body.split(separator: "Content-Length")[0])
            return try JSON.parse(message)[member: "method"]?.jsonText ?? "answer"
        }
        return (server, methods)
    }

    private static let start = [
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
        #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///none/a.swift","#
            + #""languageId":"swift","version":1,"text":"let p = NSPredicate(format: \"a === 1\")\n"}}}"#,
    ]

    /// Counts the checks of a document, not the time.
    @Test func queuedChangesAreCheckedOnce() throws {
        let change =
            #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///none/a.swift"},"#
            + #""contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":" "}]}}"#
        let (server, methods) = try run(Self.start + Array(repeating: change, count: 20))
        #expect(server.checkCount == 1)
        #expect(methods == ["answer", "textDocument/publishDiagnostics"])
    }

    /// Requests for an unchanged document use the findings that were published.
    @Test func requestsDoNotCheckAgain() throws {
        func request(_ method: String, _ rest: String) -> String {
            #"{"jsonrpc":"2.0","id":2,"method":"textDocument/\#(method)","params":{"textDocument":{"uri":"#
                + #""file:///none/a.swift"},\#(rest)}}"#
        }
        let place = #""position":{"line":0,"character":31}"#
        let all = #""range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}},"context":{}"#
        let (server, methods) = try run(
            Self.start + [
                request("hover", place), request("completion", place), request("codeAction", all),
                request("formatting", #""options":{}"#),
            ])
        #expect(server.checkCount == 1)
        #expect(methods.count { $0 == "answer" } == 5)
    }

    private static func wrongLines(_ count: Int) -> String { String(repeating: "a === 1\n", count: count) }

    /// The first findings are sent, with the version of the text. The last one says that others were left out.
    @Test func theFirstFindingsAreSent() throws {
        let client = Client()
        _ = try client.request("initialize", #"{"capabilities":{}}"#)
        #expect(try open(client, "a.predicate", "predicate", Self.wrongLines(1000)).count == 1000)
        let found = try open(client, "b.predicate", "predicate", Self.wrongLines(1500) + "a == 1\n")
        #expect(found.count == 1001 && range(found[999]) == [999, 2, 999, 5] && range(found[1000])[0] == 1000)
        #expect(found[1000][member: "message"] == .string("more findings were left out; the limit is 1000"))
        #expect(found.map { $0[member: "severity"] } == Array(repeating: .integer(1), count: 1000) + [.integer(2)])
        client.notify(
            "textDocument/didChange",
            #"{"textDocument":{"uri":"file:///none/b.predicate","version":7},"contentChanges":[{"text":"a === 1"}]}"#)
        let sent = try client.receive()[member: "params"]
        #expect(sent?[member: "version"] == .integer(7) && sent?[member: "diagnostics"]?.jsonList?.count == 1)
        client.notify("textDocument/didClose", #"{"textDocument":{"uri":"file:///none/b.predicate"}}"#)
        let closed = try client.receive()[member: "params"]
        #expect(closed?[member: "version"] == nil && closed?[member: "diagnostics"] == .array([]))
        _ = client.end()
    }

    /// A request in a long document is answered before its check is complete, with the findings at its place.
    @Test func requestsDoNotWaitForTheCheck() throws {
        let text = JSON.text(.string(Self.wrongLines(3000)))
        let opening =
            #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///none/a.predicate","#
            + #""languageId":"predicate","version":1,"text":\#(text)}}}"#
        let hover =
            #"{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"#
            + #""file:///none/a.predicate"},"position":{"line":2500,"character":3}}}"#
        let (server, methods) = try run([Self.start[0], opening, hover])
        #expect(server.checkCount == 1)
        #expect(methods == ["answer", "answer", "textDocument/publishDiagnostics"])

        let lines = Array(Self.wrongLines(3000).utf8)
        let check = try FileCheck(Linter(environment: .standard), SourceFile("a.predicate"), lines)
        let place = 2500 * 8 + 3
        #expect(check.diagnostics(in: place...place).map(\.span.start) == [2500 * 8 + 2])
        #expect(check.step() && !check.isDone && check.sent.count == 1)
        #expect(check.diagnostics(in: place...place).map(\.span.start) == [2500 * 8 + 2])
        while !check.isDone { _ = check.step() }
        #expect(check.sent.count == 1001 && check.count == 1001)
        #expect(check.diagnostics(in: place...place).map(\.span.start) == [2500 * 8 + 2])
    }

    /// The cost of a column does not depend on the length of the line.
    @Test func columnsOfALongLineReadOneBlock() {
        let text = String(repeating: "a😀é", count: 20_000)
        let lines = SourceLines(text)
        var (units, scalars, offset) = (0, 0, 0)
        for scalar in text.unicodeScalars {
            if offset % 1000 < 8 {
                #expect(lines.units(before: offset) == units)
                #expect(lines.position(of: offset).column == scalars + 1)
                #expect(lines.uncounted(before: offset).count <= 256)
            }
            offset += UTF8.width(scalar)
            units += UTF16.width(scalar)
            scalars += 1
        }
    }

    /// A carriage return ends a line, alone or in front of a newline.
    @Test func carriageReturnsEndLines() throws {
        let client = Client()
        _ = try client.request("initialize", #"{"capabilities":{}}"#)
        let text = "//\r/* a\r\n */\r\rlet p = NSPredicate(format: \"a === 1\")\r"
        let found = try open(client, "a.swift", "swift", text)
        #expect(range(found.first) == [4, 31, 4, 34])
        #expect(try change(client, (4, 900, 5, 0, ""), (0, 2, 3, 0, #"\r"#)) == [2, 31, 2, 34])
        _ = client.end()
    }

    /// An editor whose texts are UTF-16 may send half of a character, and replace half of one.
    @Test func halvesOfCharactersKeepPositions() throws {
        let client = Client()
        _ = try client.request("initialize", #"{"capabilities":{}}"#)
        _ = try open(client, "a.swift", "swift", "// 😀😀\nlet p = NSPredicate(format: \"a === 1\")\n")
        #expect(try change(client, (0, 3, 0, 3, #"\ud83d\n"#)) == [2, 31, 2, 34])
        // The second line begins with the two emoji now; the edit joins the lines and removes half of the first one.
        #expect(try change(client, (0, 3, 1, 1, ""), (0, 4, 0, 6, #"\nlet q = 1; "#)) == [2, 31, 2, 34])
        _ = client.end()
    }

    /// A change that cannot be read leaves the text unknown, so the document is closed.
    @Test func anUnreadableChangeClosesTheDocument() throws {
        let client = Client()
        _ = try client.request("initialize", #"{"capabilities":{}}"#)
        #expect(try open(client, "a.swift", "swift", "NSPredicate(format: \"a === 1\")").count == 1)
        client.send(#"{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///none/a.swift"},]"#)
        #expect(try client.receive()[member: "error"]?[member: "code"] == .integer(-32700))
        #expect(try client.receive()[member: "method"] == .string("window/showMessage"))
        #expect(try client.receive()[member: "params"]?[member: "diagnostics"] == .array([]))
        #expect(try open(client, "a.swift", "swift", "NSPredicate(format: \"a === 1\")").count == 1)
        _ = client.end()
    }

    /// A message over the limit is skipped; the next one is answered.
    @Test func longMessagesAreSkipped() throws {
        let large = MessageChannel.messageLimit + 1
        var chunks = [Array("Content-Length: \(large)\r\n\r\n".utf8)]
        chunks += Array(repeating: [UInt8](repeating: 32, count: 1 << 20), count: 64)
        chunks.append([32] + Array("Content-Length: 2\r\n\r\n{}".utf8))
        var rest = chunks[...]
        var channel = MessageChannel(
            CommandInput(isTerminal: false) { rest.popFirst() ?? [] },
            CommandOutput(write: { _ in }, writeError: { _ in }))
        guard case .malformed(let code, _, _)? = try channel.read() else {
            Issue.record("the message was read")
            return
        }
        #expect(code == -32600)
        guard case .value? = try channel.read() else {
            Issue.record("the next message was not found")
            return
        }
    }
}
