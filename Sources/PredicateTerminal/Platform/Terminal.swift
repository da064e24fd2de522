// What a line editor needs of a terminal. The process's own is SystemTerminal.swift; tests bring one that is made of a
// list of keys and a screen.

/// Columns and rows.
package struct TerminalSize: Sendable, Hashable {
    package var columns: Int
    package var rows: Int

    /// At least so large that a prompt fits; a terminal that does not know its size says 0.
    package init(columns: Int, rows: Int) {
        self.columns = columns > 0 ? max(8, columns) : 80
        self.rows = rows > 0 ? max(2, rows) : 24
    }
}

/// What a terminal has to say.
package enum TerminalEvent: Sendable, Equatable {
    case bytes([UInt8])
    case resized
    /// Nothing came in time.
    case timeout
    /// The terminal is gone.
    case ended
}

/// A terminal at which a person types.
package protocol Terminal: AnyObject {
    var size: TerminalSize { get }
    /// Keys come one by one and unechoed from now on.
    func enterRawMode()
    /// As it was before.
    func leaveRawMode()
    /// Waits for something to happen.
    /// - Parameter milliseconds: how long; nil is as long as it takes.
    func next(within milliseconds: Int?) -> TerminalEvent
    func write(_ bytes: [UInt8])
    /// Ctrl-Z: gives the terminal back to the shell until it says to go on.
    func suspend()
}

extension Terminal {
    package func write(_ text: String) { write(Array(text.utf8)) }
}
