// Messages of the Language Server Protocol: a header with Content-Length, a blank line, and JSON.

/// Reads and writes messages. A message that is too large is skipped, so that reading can continue with the next one.
struct MessageChannel {
    /// The maximum size of a message, and of a header.
    static let messageLimit = 64 << 20
    private static let headerLimit = 4096

    enum Message {
        case value(ValueDictionary)
        /// A message that cannot be read, with the error code and text of the response. `isChange`: it is the change of a
        /// document, by its first bytes.
        case malformed(code: Int64, reason: String, isChange: Bool)
    }

    private let output: CommandOutput
    private let next: () throws -> [UInt8]
    private let descriptor: Int32?
    private var buffer: [UInt8] = []
    private var position = 0

    init(_ input: CommandInput, _ output: CommandOutput) {
        next = input.read
        descriptor = input.descriptor
        self.output = output
    }

    /// Whether more input has arrived.
    var hasInput: Bool { position < buffer.count || descriptor.map { !SystemFile.mayWait($0) } ?? false }

    /// The next message; nil at the end of the input. Throws if the header is not valid, because then the start of the
    /// next message is unknown.
    mutating func read() throws -> Message? {
        var length: Int?
        var header = 0
        while let line = try line() {
            header += line.count
            guard header <= Self.headerLimit else { break }
            if line.isEmpty {
                guard let length else { break }
                return try content(length)
            }
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "content-length" {
                length = Int(parts[1].trimmingSpaces)
                if length.map({ $0 < 0 }) == true { break }
            }
        }
        guard header == 0 else {
            throw CommandEnd.failure(.failed, "the input is not the language server protocol: no Content-Length")
        }
        return nil
    }

    func write(_ fields: [(String, PredicateValue)]) throws {
        let text = JSON.text(.object([("jsonrpc", .string("2.0"))] + fields))
        try output.put("Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
        try output.flush()
    }

    private mutating func content(_ length: Int) throws -> Message? {
        guard length <= Self.messageLimit else {
            var rest = length
            _ = try fill(Self.headLength)
            let isChange = isChange(length)
            while rest > 0, try fill(1) {
                let skipped = min(rest, buffer.count - position)
                position += skipped
                rest -= skipped
            }
            return .malformed(
                code: -32600, reason: "a message has more than \(Self.messageLimit >> 20) MB", isChange: isChange)
        }
        guard try fill(length) else { return nil }
        defer { position += length }
        do throws(JSONProblem) {
            // An editor whose texts are UTF-16 may send half of a character, for example while one is deleted.
            let message = try JSON.parse(Array(buffer[position..<position + length]), replacesHalves: true)
            guard case .dictionary(let fields) = message else {
                return .malformed(code: -32600, reason: "a message must be a JSON object", isChange: false)
            }
            return .value(fields)
        } catch {
            return .malformed(code: -32700, reason: error.description, isChange: isChange(length))
        }
    }

    /// The length of the part of a message that names its method.
    private static let headLength = 1024

    private func isChange(_ length: Int) -> Bool {
        let head = buffer[position...].prefix(min(length, Self.headLength))
        return String(decoding: head, as: UTF8.self).contains("textDocument/didChange")
    }

    /// The next line of a header; nil at the end of the input.
    private mutating func line() throws -> String? {
        var at = position
        while true {
            while at < buffer.count, buffer[at] != UInt8(ascii: "\n") { at += 1 }
            if at < buffer.count { break }
            let known = at - position
            guard known <= Self.headerLimit, try fill(known + 1) else { return nil }
            at = position + known
        }
        defer { position = at + 1 }
        let line = buffer[position..<at]
        return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }

    /// Reads until `count` bytes are buffered; returns false at the end of the input.
    private mutating func fill(_ count: Int) throws -> Bool {
        if position > 0, buffer.count - position < count {
            buffer.removeFirst(position)
            position = 0
        }
        while buffer.count - position < count {
            let chunk = try next()
            guard !chunk.isEmpty else { return false }
            buffer += chunk
        }
        return true
    }
}

extension PredicateValue {
    /// A member of a JSON object; nil for any other value.
    package subscript(member key: String) -> PredicateValue? {
        if case .dictionary(let fields) = self { fields[key] } else { nil }
    }

    var jsonText: String? { if case .string(let text) = self { text } else { nil } }
    var jsonList: [PredicateValue]? { if case .array(let values) = self { values } else { nil } }
    var jsonNumber: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
}
