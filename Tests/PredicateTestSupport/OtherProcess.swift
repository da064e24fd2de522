// Tests that need a second process: it is the same test program, and runs one test alone.

#if os(Linux)
    import Foundation

    /// A process that runs one test. The test is enabled by an environment variable, and talks to this process by
    /// its standard input and its standard error.
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

        /// Reads until it has written a text, which is searched after those of the calls before. Returns false if it ends.
        @discardableResult package func wait(for expected: String) -> Bool {
            let start = text.count
            while !String(decoding: text[start...], as: UTF8.self).contains(expected) {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return false }
                text += more
            }
            return true
        }

        /// Writes a line to its standard input.
        package func send(_ line: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }

        package func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

        /// Closes its standard input, and reads until it ends. Returns all that it has written.
        package func end() throws -> String {
            try input.fileHandleForWriting.close()
            text += output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: text, as: UTF8.self)
        }

        /// For the test in the other process: a line for this one.
        package static func report(_ line: String) throws {
            try FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
        }
    }
#endif
