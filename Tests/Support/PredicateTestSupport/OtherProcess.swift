// A second process for tests that need one. It is the same test program, and runs a single test.

#if os(Linux)
    import Foundation

    /// A process that runs one test. An environment variable enables this test. It communicates with this process by
    /// standard input and standard error.
    package final class OtherProcess {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()
        private var text = Data()

        /// - Parameter test: the name of the test function.
        package init(test: String, environment: [String: String]) throws {
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["--testing-library", "swift-testing", "--filter", test]
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.standardInput = input
            process.standardOutput = FileHandle.nullDevice
            process.standardError = output
            try process.run()
        }

        /// Reads the output until it contains a text, and begins after the text of the previous call. Returns false if
        /// the process ends before.
        @discardableResult package func wait(for expected: String) -> Bool {
            let start = text.count
            while !String(decoding: text[start...], as: UTF8.self).contains(expected) {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return false }
                text += more
            }
            return true
        }

        /// Writes a line to the process's standard input.
        package func send(_ line: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }

        package func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

        /// Closes the process's standard input, and waits for its end. Returns the whole output.
        package func end() throws -> String {
            try input.fileHandleForWriting.close()
            text += output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: text, as: UTF8.self)
        }

        /// Sends a line from the other process to this one.
        package static func report(_ line: String) throws {
            try FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
        }
    }
#endif
