// Ctrl-C at the prompt, during work that does not look for it.

import Foundation
import PredicateEvaluation
import PredicateRecords
import PredicateTerminal
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

/// A terminal at which Ctrl-C is pressed all the time.
private final class PressedTerminal: Terminal {
    var text = ""
    let size = TerminalSize(columns: 80, rows: 24)
    func enterRawMode() {}
    func leaveRawMode() {}
    func next(within milliseconds: Int?) -> TerminalEvent { .bytes([0x03]) }
    func write(_ bytes: [UInt8]) { text += String(decoding: bytes, as: UTF8.self) }
    func run(_ command: String, file: String) -> Int32 { 0 }
    func suspend() {}
}

@Suite struct InterruptionTests {
    @Test func workThatDoesNotEndIsLeft() {
        let gate = DispatchSemaphore(value: 0)
        let (result, wasCancelled): (Void?, Bool) = Interruptible.run(isCancelled: { true }) { gate.wait() }
        #expect(result == nil && wasCancelled)
        gate.signal()
    }

    /// Work that ends in spite of Ctrl-C has a result, and the caller learns of Ctrl-C.
    @Test func workMayEndInSpiteOfCtrlC() {
        let gate = DispatchSemaphore(value: 0)
        let (result, wasCancelled) = Interruptible.run(isCancelled: { true }, interrupt: { gate.signal() }) {
            gate.wait()
            return 7
        }
        #expect(result == 7 && wasCancelled)
    }

    /// Commands that read a pipe which has no writer yet.
    @Test(.cases) func commandsStop() {
        forEachCase([".open", ".read"]) { command in
            let pipe = FileManager.default.temporaryDirectory.path + "/pipe-\(UUID().uuidString)"
            #expect(mkfifo(pipe, 0o600) == 0)
            defer { try? FileManager.default.removeItem(atPath: pipe) }
            let terminal = PressedTerminal()
            let session = try ReplSession(
                names: [], input: CommandInput(text: nil), output: CommandOutput(write: { _ in }, writeError: { _ in }),
                terminal: terminal, colored: false, environment: .standard, readerOptions: ReaderOptions(),
                historyFile: nil
            )
            try session.run("\(command) \(pipe)")
            #expect(terminal.text == "stopped\r\n")
            // Ends the work that still waits.
            close(open(pipe, O_WRONLY | O_NONBLOCK))
        }
    }
}
