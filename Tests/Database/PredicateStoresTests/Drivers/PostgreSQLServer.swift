// A private PostgreSQL server for the tests, started by Tests/House/Engines/postgresql_engine.py. It ends with this process.

import Foundation
import Testing

final class PostgreSQLServer: Sendable {
    /// The server, or nil if the engine is not installed or not chosen.
    static let shared = try? PostgreSQLServer()

    /// The address for `PostgreSQLConnection`.
    let address: String
    private let input = Pipe()

    private init() throws {
        struct Missing: Error {}
        let environment = ProcessInfo.processInfo.environment
        let chosen = environment["PREDICATE_ENGINES"].map { $0.split(separator: ",").contains("postgresql") } ?? true
        guard chosen, LibPQ.shared != nil else { throw Missing() }
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
        let process = Process()
        process.executableURL = URL(
            fileURLWithPath: environment["PREDICATE_PYTHON"] ?? "\(root)/.build/engines/bin/python3")
        process.arguments = ["-B", "\(root)/Tests/House/Engines/postgresql_engine.py"]
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let lines = LineReader(output.fileHandleForReading)
        // The first line is printed when the server has started.
        guard lines.next() != nil else { throw Missing() }
        let question = #"{"run": "SHOW unix_socket_directories", "types": [], "values": []}"# + "\n"
        try input.fileHandleForWriting.write(contentsOf: Data(question.utf8))
        struct Answer: Decodable { let rows: [[String]] }
        guard let line = lines.next(),
            let folder = try JSONDecoder().decode(Answer.self, from: line).rows.first?.first
        else { throw Missing() }
        address = "host=\(folder) user=tests dbname=postgres"
    }

    /// Creates a database without tables and returns its address.
    func database() throws -> String {
        let name = "tests\(UUID())".lowercased().filter { $0 != "-" }
        let connection = try PostgreSQLConnection(address)
        _ = try connection.run("CREATE DATABASE \(name)", [], types: [])
        return address.replacing("dbname=postgres", with: "dbname=\(name)")
    }
}

private final class LineReader {
    private let file: FileHandle
    private var buffer = Data()

    init(_ file: FileHandle) { self.file = file }

    func next() -> Data? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                defer { buffer.removeSubrange(...end) }
                return buffer[..<end]
            }
            let more = file.availableData
            if more.isEmpty { return nil }
            buffer += more
        }
    }
}
