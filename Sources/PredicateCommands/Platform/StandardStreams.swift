// The standard streams of the process. The only file of this target with platform-specific code.

import Foundation
import PredicateRecords
import PredicateTerminal

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif os(Windows)
    import CRT
#elseif canImport(WASILibc)
    import WASILibc
#endif
extension CommandInput {
    /// The process's standard input and environment.
    package static var standard: CommandInput {
        var input = CommandInput(reachesTerminal(0), ProcessInfo.processInfo.environment, nil, descriptor: 0) {
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = readBytes(0, &chunk)
            guard count >= 0 else { throw CommandEnd.failure(.failed, "cannot read standard input") }
            chunk.removeLast(chunk.count - count)
            return chunk
        }
        input.terminal = SystemTerminal.make
        return input
    }
}

extension CommandOutput {
    /// The process's standard output and standard error.
    ///
    /// Writing to a closed pipe throws an error instead of ending the process.
    package static var standard: CommandOutput {
        ignoreBrokenPipes()
        return CommandOutput(
            errorIsTerminal: reachesTerminal(2), width: terminalWidth(),
            write: { try writeAll(1, $0) }, writeError: { try writeAll(2, $0) })
    }
}

private func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = writeBytes(descriptor, rest)
        guard count > 0 else {
            throw errno == EPIPE ? OutputProblem.closed : .failed(String(cString: strerror(errno)))
        }
        rest = rest.dropFirst(count)
    }
}

#if os(Windows)
    private func reachesTerminal(_ descriptor: Int32) -> Bool { _isatty(descriptor) != 0 }

    private func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        Int(_read(descriptor, &buffer, UInt32(buffer.count)))
    }

    private func writeBytes(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { Int(_write(descriptor, $0.baseAddress, UInt32($0.count))) }
    }

    private func terminalWidth() -> Int { 100 }
#else
    private func reachesTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) != 0 }

    private func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    private func writeBytes(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
        while true {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 || errno != EINTR { return count }
        }
    }

    private func terminalWidth() -> Int {
        #if os(WASI)
            return 100
        #else
            var size = winsize()
            let known = ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
            return known ? Int(size.ws_col) : 100
        #endif
    }
#endif
