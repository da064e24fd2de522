// Writes to a file descriptor (SystemFile.swift). If writing a record fails, the bytes already in the buffer are still
// written.

/// The reason why output cannot be written.
package enum OutputProblem: Error, Hashable, Sendable {
    /// The other end of the pipe was closed. The program ends without a message.
    case closed
    /// The system's error message, such as "No space left on device".
    case failed(String)
}

/// Buffers bytes for a descriptor or a closure.
struct OutputBuffer {
    private static let usualThreshold = 64 << 10
    /// The number of bytes at which the buffer is written.
    private(set) var threshold = usualThreshold
    /// The number of writes so far.
    private(set) var writes = 0
    private let sink: ([UInt8]) throws(OutputProblem) -> Void
    var bytes: [UInt8] = []

    init(_ sink: @escaping ([UInt8]) throws(OutputProblem) -> Void) { self.sink = sink }

    mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Holds more bytes than usual until the next write.
    mutating func hold(_ count: Int) {
        threshold = max(threshold, count)
        bytes.reserveCapacity(threshold)
    }

    mutating func flushIfFull() throws(OutputProblem) {
        if bytes.count >= threshold { try flush() }
    }

    mutating func flush() throws(OutputProblem) {
        threshold = Self.usualThreshold
        guard !bytes.isEmpty else { return }
        writes += 1
        defer { bytes.removeAll(keepingCapacity: true) }
        try sink(bytes)
    }
}

/// Writes to file descriptors.
package enum OutputFile {
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(OutputProblem) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                SystemFile.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
            }
            guard count >= 0 else { throw SystemFile.isClosedPipe ? .closed : .failed(SystemFile.problem) }
            written += count
        }
    }
}
