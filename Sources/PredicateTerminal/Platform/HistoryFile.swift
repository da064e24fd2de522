// Stores the history between sessions, in a file that only the user can read. Sessions that run at the same
// time append under a lock, so that no entry is lost.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A file of earlier inputs. Read and write errors are ignored: the prompt also works without a history.
package struct HistoryFile: Sendable {
    /// The file size in bytes above which the older half is dropped.
    private static let byteLimit = 1 << 20
    /// How often a lock is tried, and the microseconds between two attempts: together one second.
    private static let lockAttempts = 200
    private static let lockPause: UInt32 = 5_000
    package let path: String

    package init(path: String) { self.path = path }

    /// The default file: `$XDG_STATE_HOME/predicate/history` or `~/.local/state/predicate/history`; nil if the
    /// environment has neither variable.
    package static func standard(_ environment: [String: String]) -> HistoryFile? {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return HistoryFile(path: state + "/predicate/history")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return HistoryFile(path: home + "/.local/state/predicate/history")
    }
}

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    extension HistoryFile {
        /// Reads the inputs of earlier sessions, newest last.
        package func load() -> History {
            guard let descriptor = opened(O_RDONLY) else { return History() }
            defer { close(descriptor) }
            _ = Self.lock(descriptor, LOCK_SH)
            return History(HistoryFormat.entries(Self.bytes(descriptor)))
        }

        /// Appends an input. Drops the older half of a file that is too large.
        package func append(_ entry: String) {
            makeFolder()
            guard let descriptor = opened(O_RDWR | O_APPEND | O_CREAT) else { return }
            defer { close(descriptor) }
            guard Self.lock(descriptor, LOCK_EX) else { return }
            Self.write(Array(HistoryFormat.line(entry).utf8), descriptor)
            guard lseek(descriptor, 0, SEEK_END) > Self.byteLimit else { return }
            lseek(descriptor, 0, SEEK_SET)
            let lines = HistoryFormat.entries(Self.bytes(descriptor))
            var kept: [UInt8] = []
            for line in lines.reversed() where kept.count < Self.byteLimit / 2 {
                kept.insert(contentsOf: HistoryFormat.line(line).utf8, at: 0)
            }
            guard ftruncate(descriptor, 0) == 0 else { return }
            Self.write(kept, descriptor)
        }

        package func clear() {
            guard let descriptor = opened(O_WRONLY) else { return }
            defer { close(descriptor) }
            if Self.lock(descriptor, LOCK_EX) { ftruncate(descriptor, 0) }
        }

        /// Opens the file if it is a regular file. Opening or reading a pipe could wait without end.
        private func opened(_ flags: Int32) -> Int32? {
            let descriptor = open(path, flags | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return nil }
            var information = stat()
            // POSIX mode bits. Their names are macros that Swift cannot import on all platforms.
            if fstat(descriptor, &information) == 0, UInt32(information.st_mode) & 0o170000 == 0o100000 {
                return descriptor
            }
            close(descriptor)
            return nil
        }

        /// Locks the file. Returns false if another process keeps it locked for longer than a session needs.
        private static func lock(_ descriptor: Int32, _ kind: Int32) -> Bool {
            for _ in 0..<lockAttempts {
                if flock(descriptor, kind | LOCK_NB) == 0 { return true }
                usleep(lockPause)
            }
            return false
        }

        private func makeFolder() {
            for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
        }

        private static func bytes(_ descriptor: Int32) -> [UInt8] {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while bytes.count <= 4 * byteLimit, case let count = read(descriptor, &chunk, chunk.count), count > 0 {
                bytes += chunk[..<count]
            }
            return bytes
        }

        private static func write(_ bytes: [UInt8], _ descriptor: Int32) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { system(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// The system's `write`, renamed because a method of this type would hide it.
    private func system(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        write(descriptor, bytes, count)
    }
#else
    extension HistoryFile {
        package func load() -> History { History() }
        package func append(_ entry: String) {}
        package func clear() {}
    }
#endif
