// Stores the history between sessions, in a file that only the user can read. Sessions that run at the same time add to
// it under a lock, so that no entry is lost.

/// A file of earlier inputs. Read and write errors are ignored: the prompt also works without a history.
struct HistoryFile {
    /// The file size in bytes above which the older half is dropped.
    private static let byteLimit = 1 << 20
    let place: OutputPlace

    /// The default file: `$XDG_STATE_HOME/predicate/history` or `~/.local/state/predicate/history`; nil if the
    /// environment has neither variable.
    static func standard(_ input: CommandInput) -> HistoryFile? {
        func file(_ variable: String, _ name: String) -> HistoryFile? {
            guard let folder = input.environment[variable], folder.hasPrefix("/") else { return nil }
            return HistoryFile(place: OutputPlace(folder + name, input))
        }
        return file("XDG_STATE_HOME", "/predicate/history") ?? file("HOME", "/.local/state/predicate/history")
    }

    /// Reads the inputs of earlier sessions, newest last.
    func load() -> History { History(HistoryFormat.entries((try? place.sharedBytes()) ?? [])) }

    /// Appends an input. Drops the older half of a file that is too large.
    func append(_ entry: String) {
        try? place.update { bytes in
            bytes += HistoryFormat.line(entry).utf8
            guard bytes.count > Self.byteLimit else { return }
            bytes = Array(bytes.suffix(Self.byteLimit / 2).drop { $0 != UInt8(ascii: "\n") }.dropFirst())
        }
    }

    func clear() { try? place.update { $0 = [] } }
}
