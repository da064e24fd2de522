// The terminal of the process. Only this file contains platform-specific code. On systems without
// termios `make` returns nil, and the caller reads plain lines.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    @preconcurrency import Android  // its `environ` is a variable of C
#endif

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    /// Standard input and output, if both are a terminal.
    package final class SystemTerminal: Terminal {
        private static let input: Int32 = 0
        private static let output: Int32 = 1
        private let original: termios
        private var isRaw = false
        private var lastSize: TerminalSize

        /// Returns nil if standard input or output is not a terminal.
        package static func make() -> (any Terminal)? {
            var attributes = termios()
            guard isatty(input) == 1, isatty(output) == 1, tcgetattr(input, &attributes) == 0 else { return nil }
            return SystemTerminal(attributes)
        }

        private init(_ original: termios) {
            self.original = original
            lastSize = Self.currentSize()
        }

        deinit { leaveRawMode() }

        package var size: TerminalSize { Self.currentSize() }

        private static func currentSize() -> TerminalSize {
            let size = reportedSize(output)
            return TerminalSize(columns: Int(size?.ws_col ?? 0), rows: Int(size?.ws_row ?? 0))
        }

        private static func reportedSize(_ descriptor: Int32) -> winsize? {
            var size = winsize()
            return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 ? size : nil
        }

        /// The width of the terminal that a descriptor refers to; nil if it is not a terminal.
        package static func columns(_ descriptor: Int32) -> Int? {
            reportedSize(descriptor).flatMap { $0.ws_col > 0 ? Int($0.ws_col) : nil }
        }

        package func enterRawMode() {
            guard !isRaw else { return }
            var raw = original
            raw.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INPCK | ISTRIP | IXON)
            raw.c_cflag |= tcflag_t(CS8)
            raw.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
            withUnsafeMutableBytes(of: &raw.c_cc) {
                $0[Int(VMIN)] = 1
                $0[Int(VTIME)] = 0
            }
            TerminalRestorer.begin(original)
            isRaw = tcsetattr(Self.input, TCSADRAIN, &raw) == 0
            // Blocks the window-size signal except while `next` waits for input, so that no change is missed.
            // The handler only ends the wait.
            var change = sigset_t()
            sigemptyset(&change)
            sigaddset(&change, SIGWINCH)
            sigprocmask(SIG_BLOCK, &change, nil)
            signal(SIGWINCH) { _ in }
            write("\u{1B}[?2004h")
        }

        package func leaveRawMode() {
            guard isRaw else { return }
            write("\u{1B}[?2004l")
            var attributes = original
            tcsetattr(Self.input, TCSADRAIN, &attributes)
            isRaw = false
            TerminalRestorer.end()
        }

        package func next(within milliseconds: Int?) -> TerminalEvent {
            while true {
                let size = Self.currentSize()
                if size != lastSize {
                    lastSize = size
                    return .resized
                }
                let ready = wait(milliseconds)
                if ready == 0 { return .timeout }
                if ready < 0 {
                    if errno == EINTR { continue }
                    return .ended
                }
                var chunk = [UInt8](repeating: 0, count: 1 << 12)
                let count = read(Self.input, &chunk, chunk.count)
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else { return .ended }
                chunk.removeLast(chunk.count - count)
                return .bytes(chunk)
            }
        }

        /// Returns a positive number if there is input, 0 after the timeout, a negative number if a signal
        /// ended the wait.
        private func wait(_ milliseconds: Int?) -> Int32 {
            var descriptors = fd_set()
            withUnsafeMutableBytes(of: &descriptors) { $0[Int(Self.input) / 8] |= 1 << UInt8(Self.input % 8) }
            // An empty mask: no signal is blocked during the wait.
            var signals = sigset_t()
            sigemptyset(&signals)
            guard let milliseconds else { return pselect(Self.input + 1, &descriptors, nil, nil, nil, &signals) }
            var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
            return pselect(Self.input + 1, &descriptors, nil, nil, &time, &signals)
        }

        package func write(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { system(Self.output, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }

        package func run(_ command: String, file: String) -> Int32 {
            leaveRawMode()
            #if canImport(Darwin)
                var attributes: posix_spawnattr_t?
                let environment = _NSGetEnviron().pointee
                posix_spawnattr_init(&attributes)
            #elseif canImport(Android)
                var created: posix_spawnattr_t?
                posix_spawnattr_init(&created)
                guard var attributes = created else { return -1 }
                let environment = environ
            #else
                var attributes = posix_spawnattr_t()
                let environment = environ
                posix_spawnattr_init(&attributes)
            #endif
            defer { posix_spawnattr_destroy(&attributes) }
            // Signals must not be blocked in the other program, so that it notices new window sizes and closed pipes.
            var none = sigset_t()
            sigemptyset(&none)
            var usual = sigset_t()
            sigemptyset(&usual)
            sigaddset(&usual, SIGPIPE)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setsigdefault(&attributes, &usual)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
            let line = ["sh", "-c", command + " \"$1\"", "sh", file]
            let words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
            defer { for word in words { free(word) } }
            var process = pid_t()
            let failure = withUnsafeMutablePointer(to: &attributes) {
                posix_spawn(&process, "/bin/sh", nil, reading($0), words, environment)
            }
            guard failure == 0 else { return -1 }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 { if errno != EINTR { return -1 } }
            return status
        }

        package func suspend() {
            leaveRawMode()
            raise(SIGTSTP)
            enterRawMode()
        }
    }

    /// Restores the terminal when a signal ends the process. The handlers call only functions that are safe in handlers.
    private enum TerminalRestorer {
        private struct State {
            var original = termios()
            var previous: [(@convention(c) (Int32) -> Void)?] = []
        }

        private static let signals = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]
        private static let state = Mutex(State())

        static func begin(_ original: termios) {
            state.withLock { $0.original = original }
            let previous = signals.map { signal($0) { TerminalRestorer.restore($0) } }
            state.withLock { $0.previous = previous }
        }

        static func end() {
            let previous = state.withLock { $0.previous }
            for (number, handler) in zip(signals, previous) { signal(number, handler) }
        }

        private static func restore(_ number: Int32) {
            // Ends bracketed paste, shows the cursor, and leaves the pager's screen.
            let text: StaticString = "\u{1B}[?2004l\u{1B}[?25h\u{1B}[?47l"
            _ = system(1, text.utf8Start, text.utf8CodeUnitCount)
            // A handler must not wait for a lock.
            _ = state.withLockIfAvailable { tcsetattr(0, TCSANOW, &$0.original) }
            signal(number, SIG_DFL)
            raise(number)
        }
    }

    /// The pointer, whose content is an optional in the headers of some systems.
    private func reading<Content>(_ pointer: UnsafeMutableRawPointer) -> UnsafePointer<Content> {
        UnsafePointer(pointer.assumingMemoryBound(to: Content.self))
    }

    /// The system's `write`, renamed because a method of this type would hide it.
    private func system(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        write(descriptor, bytes, count)
    }
#else
    package enum SystemTerminal {
        package static func make() -> (any Terminal)? { nil }
        package static func columns(_ descriptor: Int32) -> Int? { nil }
    }
#endif
