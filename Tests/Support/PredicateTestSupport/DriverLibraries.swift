// The ADBC drivers that Tests/House/Engines/install installs.

import Foundation

/// The paths of the installed shared libraries.
package struct DriverLibraries: Decodable, Sendable {
    package var postgresql: String?
    package var duckdb: String?
    package var spark: String?
    /// The shared library of Python. DuckDB's library needs it.
    package var python: String?

    package static let environment = ProcessInfo.processInfo.environment
    package static let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        .dropFirst()
    package static let interpreter = environment["PREDICATE_PYTHON"] ?? "\(root)/.build/engines/bin/python3"

    /// Whether `PREDICATE_ENGINES` contains the engine, or is not set.
    package static func isChosen(_ engine: String) -> Bool {
        environment["PREDICATE_ENGINES"].map { $0.split(separator: ",").contains { $0 == engine } } ?? true
    }

    package static let shared = (try? found()) ?? DriverLibraries()

    private static func found() throws -> DriverLibraries {
        #if os(macOS) || os(Linux) || os(Windows)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: interpreter)
            process.arguments = ["-B", "\(root)/Tests/House/Engines/drivers.py"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return try JSONDecoder().decode(DriverLibraries.self, from: data)
        #else
            return DriverLibraries()
        #endif
    }
}
