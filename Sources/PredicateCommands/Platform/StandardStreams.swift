// The standard streams of the process.

import Foundation
import PredicateRecords
import PredicateTerminal

extension CommandInput {
    /// The process's standard input and environment.
    package static var standard: CommandInput {
        let isTerminal = SystemFile.isTerminal(0)
        var input = CommandInput(isTerminal, ProcessInfo.processInfo.environment, nil, descriptor: 0) {
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = SystemFile.read(0, &chunk, chunk.count)
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
        SystemFile.prepareStreams()
        return CommandOutput(
            isTerminal: SystemFile.isTerminal(1), errorIsTerminal: SystemFile.isTerminal(2),
            width: SystemTerminal.columns(2) ?? 100,
            write: { try OutputFile.write($0, to: 1) }, writeError: { try OutputFile.write($0, to: 2) })
    }
}
