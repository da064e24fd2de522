// The input of a command: standard input, environment, files. Commands do all input and output through this and
// CommandOutput, so that tests can run them in the same process.

/// The contents of the pipes that a command has read as a whole, by path. They can be read only once.
private final class Pipes {
    var contents: [String: [UInt8]] = [:]
}

package struct CommandInput {
    /// Whether standard input is a terminal.
    package var isTerminal: Bool
    package var environment: [String: String]
    /// The folder for relative file names; nil uses the current directory of the process.
    package var directory: String?
    /// The descriptor of standard input, for readers that wait for input themselves; nil in tests.
    let descriptor: Int32?
    /// Reads the next bytes of standard input; returns an empty array at its end.
    package let read: () throws -> [UInt8]
    private var isOfRegularFiles = false
    /// Whether records of a pipe are read as a whole, so that they can be read again.
    package var keepsPipes = false
    private let pipes = Pipes()
    /// The terminal for interactive input; nil if there is none.
    package var terminal: () -> (any Terminal)? = { nil }
    /// Reads compressed files; nil in a program that does not.
    var decompressing: CompressedInput.Reading?

    package init(
        isTerminal: Bool, environment: [String: String] = [:], directory: String? = nil, descriptor: Int32? = nil,
        read: @escaping () throws -> [UInt8]
    ) {
        self.isTerminal = isTerminal
        self.environment = environment
        self.directory = directory
        self.descriptor = descriptor
        self.read = read
    }

    /// Standard input with a text; nil simulates a terminal without input.
    package init(text: String?, environment: [String: String] = [:], directory: String? = nil) {
        var rest = text.map { Array($0.utf8) } ?? []
        self.init(isTerminal: text == nil, environment: environment, directory: directory) {
            defer { rest = [] }
            return rest
        }
    }

    /// The path of a file named on the command line.
    package func path(_ name: String) -> String {
        guard let directory, !name.hasPrefix("/") else { return name }
        return directory + "/" + name
    }

    /// The absolute path of a file, without `.` and `..`.
    func absolutePath(_ name: String) -> String { SystemFile.absolutePath(path(name)) }

    /// The path of a file relative to the folder of another one.
    package func path(_ name: String, fromFolderOf other: String) -> String {
        let (file, folder) = (
            absolutePath(name).split(separator: "/"), absolutePath(other).split(separator: "/").dropLast()
        )
        let common = zip(file, folder).prefix { $0 == $1 }.count
        return (repeatElement("..", count: folder.count - common) + file.dropFirst(common)).joined(separator: "/")
    }

    /// Whether a name is that of a regular file, or of a symbolic link to one, so that its start can be read before it
    /// is read as a whole. Of a pipe, these bytes would be lost; in shells `<(…)` may be a symbolic link to a pipe.
    package func isFile(_ name: String) -> Bool {
        if name != "-", case .file? = SystemFile.type(ofPath: path(name)) { true } else { false }
    }

    /// The same input, which refuses to read anything but regular files. For file names that come from a file: reading a
    /// pipe or a terminal may never end, and standard input may belong to another reader.
    var ofRegularFiles: CommandInput {
        var input = self
        input.isOfRegularFiles = true
        return input
    }

    /// Opens a file, or standard input for `-`. Returns a function that reads the next bytes. Throws an error with a
    /// message if the file cannot be opened.
    package func source(_ name: String) throws -> () throws -> [UInt8] {
        if name == "-", !isOfRegularFiles { return read }
        func failure(_ reason: String) -> CommandEnd { .failure(.failed, "cannot read '\(name)': \(reason)") }
        switch SystemFile.type(ofPath: path(name)) {
        case nil where name.contains("\u{FFFD}"): throw failure("its name is not UTF-8: rename it (mv)")
        case nil: throw failure("there is no such file")
        case .folder?: throw failure("it is a directory")
        case .other? where isOfRegularFiles: throw failure("it is not a regular file")
        case .file?, .other?: break
        }
        guard let file = OpenFile(path(name)) else { throw failure("it cannot be opened") }
        return {
            guard let bytes = file.read(upTo: 1 << 16) else {
                throw CommandEnd.failure(.failed, "cannot read '\(name)'")
            }
            return bytes
        }
    }

    /// The maximum size of a file that is read as a whole.
    private static let wholeLimit = 256 << 20

    /// Reads a whole file, or standard input for `-`. A pipe is read once, and has the same content the next time. Throws
    /// for an input of more than 256 MB.
    package func bytes(_ name: String) throws -> [UInt8] {
        let path = path(name)
        if let known = pipes.contents[path] { return known }
        let tooLong = CommandEnd.failure(.failed, "cannot read '\(name)': it has more than \(Self.wholeLimit >> 20) MB")
        let next = try source(name)
        // Only a file has a size; a pipe may still be too long.
        let size: Int? = if name != "-", case .file(let size)? = SystemFile.type(ofPath: path) { size } else { nil }
        if let size, size > Self.wholeLimit { throw tooLong }
        var bytes: [UInt8] = []
        while case let chunk = try next(), !chunk.isEmpty {
            bytes += chunk
            if bytes.count > Self.wholeLimit { throw tooLong }
        }
        if size == nil { pipes.contents[path] = bytes }
        return bytes
    }
}

/// Splits input into lines. Each line is returned as soon as it is complete. A line of more than 8 MB is an error.
package struct LineReader {
    private static let lineLimit = 8 << 20
    private let next: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    private var position = 0
    /// The offset from which to continue the search for the end of the line.
    private var searched = 0
    private var ended = false

    package init(_ next: @escaping () throws -> [UInt8]) { self.next = next }

    /// Reads the next line without its LF or CRLF; nil at the end.
    package mutating func line() throws -> ArraySlice<UInt8>? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer {
                    position = end + 1
                    searched = position
                }
                return trimmed(buffer[position..<end])
            }
            searched = buffer.count
            guard searched - position <= Self.lineLimit else {
                throw CommandEnd.failure(.failed, "a line has more than \(Self.lineLimit >> 20) MB")
            }
            if ended {
                defer { position = buffer.count }
                return position < buffer.count ? trimmed(buffer[position...]) : nil
            }
            buffer.removeFirst(position)
            searched -= position
            position = 0
            let chunk = try next()
            ended = chunk.isEmpty
            buffer += chunk
        }
    }

    /// Calls `body` for each predicate of a file, with the numbers of its lines.
    mutating func forEachPredicate(
        of file: String = "", _ body: (_ text: String, _ lines: ClosedRange<Int>) throws -> Void
    ) throws {
        var lines = PredicateLines()
        var number = 0
        while let bytes = try line() {
            number += 1
            guard let line = String(validUTF8: bytes) else {
                throw CommandEnd.failure(.failed, "\(file):\(number): this line is not UTF-8 text")
            }
            if let (text, lines) = lines.add(line) { try body(text, lines) }
        }
        if let (text, lines) = lines.finish() { try body(text, lines) }
    }

    private func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
}
