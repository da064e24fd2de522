// The output of a command: results on standard output, everything else on standard error.

package final class CommandOutput {
    /// Whether standard output is a terminal. If it is, control characters in results are replaced, because they could
    /// change terminal settings or the clipboard.
    package let isTerminal: Bool
    /// Whether standard error is a terminal.
    package let errorIsTerminal: Bool
    /// The width of the terminal in columns.
    package let width: Int
    private let write: ([UInt8]) throws -> Void
    private let writeError: ([UInt8]) throws -> Void
    private var buffer: [UInt8] = []
    /// Whether the last byte written to standard output is a newline.
    package var endsLine = true

    /// - Parameters write, writeError: write bytes to standard output and standard error. If they throw, the command
    ///   ends without a message; only `OutputProblem.failed` is reported as an error.
    package init(
        isTerminal: Bool = false, errorIsTerminal: Bool = false, width: Int = 100,
        write: @escaping ([UInt8]) throws -> Void, writeError: @escaping ([UInt8]) throws -> Void
    ) {
        self.isTerminal = isTerminal
        self.errorIsTerminal = errorIsTerminal
        self.width = width
        self.write = write
        self.writeError = writeError
    }

    /// Appends to standard output, through a buffer. See `flush()`.
    package func put(_ text: String) throws {
        buffer += text.utf8
        if buffer.count >= 1 << 16 { try flush() }
    }

    package func line(_ text: String) throws {
        buffer += text.utf8
        try put("\n")
    }

    /// Writes to standard output without the buffer, for callers with their own buffer.
    func send(_ bytes: [UInt8]) throws {
        try flush()
        try hand(bytes)
    }

    /// Writes text whose only control characters are those of colours.
    func rendered(_ text: String) throws {
        try flush()
        try hand(Array((text + "\n").utf8), isSafe: true)
    }

    /// A writer of records to standard output.
    package func recordWriter(_ options: WriterOptions) -> RecordWriter {
        RecordWriter(options: options) { [self] bytes throws(OutputProblem) in
            do {
                try send(bytes)
            } catch CommandEnd.failure(_, let reason) {
                throw .failed(reason)
            } catch {
                throw .closed
            }
        }
    }

    package func flush() throws {
        guard !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try hand(buffer)
    }

    private func hand(_ bytes: [UInt8], isSafe: Bool = false) throws {
        if let last = bytes.last { endsLine = last == UInt8(ascii: "\n") }
        do {
            try write(isTerminal && !isSafe ? TerminalText.safe(bytes) : bytes)
        } catch OutputProblem.failed(let reason) {
            throw CommandEnd.failure(.failed, "cannot write: \(reason)")
        } catch {
            throw CommandEnd.outputClosed
        }
    }

    /// Writes a line to standard error, after flushing standard output. Errors are ignored. On a terminal it starts on
    /// a new line.
    package func note(_ text: String) throws {
        try flush()
        let isInLine = !endsLine && isTerminal && errorIsTerminal
        endsLine = endsLine || isInLine
        try? writeError(Array(((isInLine ? "\n" : "") + text + "\n").utf8))
    }
}
