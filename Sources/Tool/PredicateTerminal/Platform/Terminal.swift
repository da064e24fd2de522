// The interface between the line editor and a terminal. SystemTerminal.swift implements it for the process;
// tests use a list of keys and a simulated screen.

/// Columns and rows.
package struct TerminalSize: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    /// Raises small values to a usable size. Some terminals report 0 for an unknown size; it becomes 80 × 24.
    package init(columns: Int, rows: Int) {
        self.columns = columns > 0 ? max(8, columns) : 80
        self.rows = rows > 0 ? max(2, rows) : 24
    }
}

package enum TerminalEvent: Sendable, Equatable {
    case bytes([UInt8])
    case resized
    /// The timeout has expired.
    case timeout
    /// The terminal has been closed.
    case ended
}

/// An interactive terminal.
package protocol Terminal: AnyObject {
    var size: TerminalSize { get }
    /// Turns echo and line buffering off.
    func enterRawMode()
    /// Restores the original mode.
    func leaveRawMode()
    /// Waits for the next event.
    /// - Parameter milliseconds: the timeout; nil waits without limit.
    func next(within milliseconds: Int?) -> TerminalEvent
    func write(_ bytes: [UInt8])
    /// Runs a program that uses the terminal, and waits for it.
    /// - Parameters:
    ///   - command: a command for the shell, such as `code --wait`.
    ///   - file: an argument that is appended to the command.
    /// - Returns: the exit status; nonzero if the program could not be run.
    func run(_ command: String, file: String) -> Int32
    /// Ctrl-Z: suspends the process until the shell resumes it.
    func suspend()
}

extension Terminal {
    package func write(_ text: String) { write(Array(text.utf8)) }
}
