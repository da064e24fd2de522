// `predicate answer`: answers the requests of other programs, one JSON text a line.

extension CommandDescription {
    package static let answer = CommandDescription(
        name: "answer", summary: "answers the requests of other programs, in JSON", operands: "[FILE]",
        operandCount: 0...1, options: [.help],
        details: """
            Reads one request a line, by default from standard input, and writes one answer a line, in order. The
            requests and answers are those of the WebAssembly module; Grammar/requests.schema.json describes them.
            The exit code is 0 if every line was answered, even with errors in the answers.
            """,
        examples: [
            #"echo '{"command": "check", "format": "age >"}' | predicate answer"#,
            #"echo '{"command": "eval", "format": "age > 21", "input": {"age": 30}}' | predicate answer"#,
        ]
    ) { invocation in
        var service = RequestService()
        try invocation.forEachRequest(of: invocation.operands.first ?? "-") { service.answer($0) }
        return .success
    }
}

extension Invocation {
    /// Answers each line of a file or of standard input as it arrives.
    func forEachRequest(of name: String, _ answer: (ArraySlice<UInt8>) throws -> Answer) throws {
        let source = try input.source(name)
        // Flush before waiting for input, because the sender of the next request may wait for this answer.
        var lines = LineReader {
            try output.flush()
            return try source()
        }
        while let line = try lines.line() { try output.line(answer(line).json) }
    }
}
