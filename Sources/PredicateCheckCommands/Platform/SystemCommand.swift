// Runs another program and reads its output.

import PredicateRecords

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

enum SystemCommand {
    /// The standard output of a program. Its messages are dropped.
    /// - Parameter words: the program and its arguments, which are quoted for the shell.
    /// - Returns: nil if the program fails, or if the platform has no shell.
    static func output(of words: [String]) -> [UInt8]? {
        #if os(Windows) || os(WASI)
            return nil
        #else
            let quoted = words.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
            guard let pipe = popen(quoted + " 2>/dev/null", "r") else { return nil }
            var output: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 { output += chunk[..<count] }
            return pclose(pipe) == 0 ? output : nil
        #endif
    }
}
