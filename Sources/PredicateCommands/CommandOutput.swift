// What a command writes: results on standard output, everything else on standard error.

import PredicateRecords

/// Where a command writes to.
public final class CommandOutput {
    /// Whether a person reads standard error.
    public let errorIsTerminal: Bool
    /// Columns of the terminal.
    public let width: Int
    private let write: ([UInt8]) throws -> Void
    private let writeError: ([UInt8]) throws -> Void
    private var buffer: [UInt8] = []

    /// - Parameters write, writeError: take bytes for standard output and standard error. They throw where nobody reads them
    ///   any more, which ends a command quietly; `OutputProblem.failed` is a failure.
    public init(
        errorIsTerminal: Bool = false, width: Int = 100,
        write: @escaping ([UInt8]) throws -> Void, writeError: @escaping ([UInt8]) throws -> Void
    ) {
        self.errorIsTerminal = errorIsTerminal
        self.width = width
        self.write = write
        self.writeError = writeError
    }

    /// Adds to standard output; what was added reaches it at `flush()`, or when there is much.
    func put(_ text: String) throws {
        buffer += text.utf8
        if buffer.count >= 1 << 16 { try flush() }
    }

    func line(_ text: String) throws {
        buffer += text.utf8
        try put("\n")
    }

    /// Standard output reached at once, and without a copy: for those who buffer by themselves.
    func send(_ bytes: [UInt8]) throws {
        try flush()
        try hand(bytes)
    }

    /// A writer of records to standard output.
    func recordWriter(_ options: WriterOptions) -> RecordWriter {
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

    func flush() throws {
        guard !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try hand(buffer)
    }

    private func hand(_ bytes: [UInt8]) throws {
        do {
            try write(bytes)
        } catch OutputProblem.failed(let reason) {
            throw CommandEnd.failure(.failed, "cannot write: \(reason)")
        } catch {
            throw CommandEnd.outputClosed
        }
    }

    /// Says a line on standard error, after all that standard output was given. Where nobody listens it is lost.
    func note(_ text: String) throws {
        try flush()
        try? writeError(Array((text + "\n").utf8))
    }
}
