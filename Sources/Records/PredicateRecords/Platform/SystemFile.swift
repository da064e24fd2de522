// Reads and writes files, pipes and terminals by descriptor. The only file of this target with platform-specific code.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#elseif os(Windows)
    import CRT
#endif

/// System calls for file descriptors. A negative count means an error; `problem` has its reason.
package enum SystemFile {
    /// SEEK_SET and SEEK_CUR, macros that Swift cannot import on all platforms.
    private static let (fromStart, fromHere): (Int32, Int32) = (0, 1)

    /// Opens a file for reading in binary mode.
    package static func open(_ path: String) -> Int32 {
        #if os(Windows)
            var descriptor: Int32 = -1
            _ = path.withCString(encodedAs: UTF16.self) {
                _wsopen_s(&descriptor, $0, _O_RDONLY | _O_BINARY | _O_NOINHERIT, _SH_DENYNO, 0)
            }
            return descriptor
        #else
            return openFile(path, O_RDONLY | O_CLOEXEC)
        #endif
    }

    package static func close(_ descriptor: Int32) {
        #if os(Windows)
            _ = _close(descriptor)
        #else
            closeFile(descriptor)
        #endif
    }

    /// Reads once. Returns 0 at the end of the input.
    package static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        #if os(Windows)
            return Int(_read(descriptor, bytes, UInt32(clamping: min(count, Int(Int32.max)))))
        #else
            while true {
                let count = readFile(descriptor, bytes, count)
                if count >= 0 || errno != EINTR { return count }
            }
        #endif
    }

    /// The bytes from the next on: `count`, or fewer if the input ends or has no more yet. nil if reading fails.
    package static func bytes(_ descriptor: Int32, upTo count: Int) -> [UInt8]? {
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let found = read(descriptor, buffer.baseAddress, count)
            (isRead, filled) = (found >= 0, max(0, found))
        }
        return isRead ? bytes : nil
    }

    /// The offset of the next byte in a regular file; nil for anything else.
    package static func place(_ descriptor: Int32) -> Int? {
        guard case .file = type(of: descriptor) else { return nil }
        #if os(Windows)
            return Int(_lseeki64(descriptor, 0, fromHere))
        #else
            return Int(lseek(descriptor, 0, fromHere))
        #endif
    }

    /// Moves to an offset of a regular file.
    package static func move(_ descriptor: Int32, to place: Int) {
        #if os(Windows)
            _ = _lseeki64(descriptor, Int64(place), fromStart)
        #else
            _ = lseek(descriptor, off_t(place), fromStart)
        #endif
    }

    /// Writes some of the bytes. Blocks while the descriptor accepts none.
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if os(Windows)
            return Int(_write(descriptor, bytes, UInt32(clamping: min(count, Int(Int32.max)))))
        #else
            while true {
                let count = writeFile(descriptor, bytes, count)
                if count >= 0 { return count }
                if errno == EAGAIN {
                    wait(descriptor, for: POLLOUT, milliseconds: -1)
                } else if errno != EINTR {
                    return count
                }
            }
        #endif
    }

    /// Whether the next read of a pipe or a terminal would block, even after waiting for some milliseconds.
    package static func mayWait(_ descriptor: Int32, milliseconds: Int32 = 0) -> Bool {
        #if os(Windows)
            return true
        #else
            return wait(descriptor, for: POLLIN, milliseconds: milliseconds) == 0
        #endif
    }

    #if !os(Windows)
        @discardableResult
        private static func wait<Event: BinaryInteger>(
            _ descriptor: Int32, for event: Event, milliseconds: Int32
        ) -> Int32 {
            var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            return poll(&request, 1, milliseconds)
        }
    #endif

    package static func isTerminal(_ descriptor: Int32) -> Bool {
        #if os(Windows)
            _isatty(descriptor) != 0
        #else
            isatty(descriptor) == 1
        #endif
    }

    /// The kind of file that a descriptor refers to.
    package enum FileType {
        case file(size: Int)
        case folder
        /// A pipe, a terminal, or an unknown kind.
        case other

        fileprivate init(mode: UInt32, size: Int) {
            // POSIX mode bits. Their names are macros that Swift cannot import on all platforms.
            self =
                switch mode & 0o170000 {
                case 0o100000: .file(size: size)
                case 0o040000: .folder
                default: .other
                }
        }
    }

    package static func type(of descriptor: Int32) -> FileType {
        #if os(Windows)
            var information = _stat64()
            guard _fstat64(descriptor, &information) == 0 else { return .other }
        #else
            var information = stat()
            guard fstat(descriptor, &information) == 0 else { return .other }
        #endif
        return FileType(mode: UInt32(information.st_mode), size: Int(information.st_size))
    }

    /// The kind of the file with a name; nil if there is none.
    package static func type(ofPath path: String, followsLinks: Bool = true) -> FileType? {
        #if os(Windows)
            var information = _stat64()
            guard path.withCString(encodedAs: UTF16.self, { _wstat64($0, &information) }) == 0 else { return nil }
        #else
            var information = stat()
            guard (followsLinks ? stat(path, &information) : lstat(path, &information)) == 0 else { return nil }
        #endif
        return FileType(mode: UInt32(information.st_mode), size: Int(information.st_size))
    }

    /// The size of a regular file; nil for pipes and terminals.
    static func size(_ descriptor: Int32) -> Int? {
        if case .file(let size) = type(of: descriptor) { size } else { nil }
    }

    /// The message for the last error, such as "No space left on device".
    package static var problem: String { text(errno) }

    /// The message for reading a folder as a file.
    static var isFolder: String { text(EISDIR) }

    /// Whether the last error occurred because the other end of the pipe was closed.
    static var isClosedPipe: Bool { errno == EPIPE }

    /// The message for an error.
    package static func text(_ code: Int32) -> String {
        // Not nil on Android, where its type is not an optional.
        let text: UnsafeMutablePointer<CChar>? = strerror(code)
        return text.map { String(cString: $0) } ?? "error \(code)"
    }

    /// The index of the first byte with this value.
    @inline(__always)
    static func find(_ byte: UInt8, _ bytes: UnsafeRawPointer, _ count: Int) -> UnsafeRawPointer? {
        memchr(bytes, Int32(byte), count).map { UnsafeRawPointer($0) }
    }

    /// Makes writing to a closed pipe return an error instead of ending the process, and makes the standard streams
    /// pass bytes unchanged. Call this at the start of the program.
    package static func prepareStreams() {
        #if os(Windows)
            for descriptor in 0...2 { _ = _setmode(Int32(descriptor), _O_BINARY) }
        #elseif !os(WASI)
            signal(SIGPIPE, SIG_IGN)
        #endif
    }
}

// MARK: - The process

extension SystemFile {
    package static func exit(_ code: Int32) -> Never { endProcess(code) }

    /// The values of those variables of the environment that are set.
    package static func environment(_ names: [String]) -> [String: String] {
        var values: [String: String] = [:]
        for name in names { values[name] = getenv(name).map { String(cString: $0) } }
        return values
    }

    /// The names in a folder; nil if it cannot be read.
    package static func entries(_ folder: String) -> [String]? {
        #if os(WASI)
            // Swift does not import a name of this C library's entries: an array without a length.
            return nil
        #else
            var names: [String] = []
            #if os(Windows)
                var entry = _finddata64i32_t()
                let search = _findfirst64i32(folder + "/*", &entry)
                guard search != -1 else { return nil }
                defer { _findclose(search) }
                repeat {
                    names.append(
                        withUnsafeBytes(of: entry.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
                } while _findnext64i32(search, &entry) == 0
            #else
                guard let stream = opendir(folder) else { return nil }
                defer { closedir(stream) }
                while let entry = readdir(stream) {
                    names.append(
                        withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                        })
                }
            #endif
            return names
        #endif
    }

    /// The current folder of the process.
    package static var currentFolder: String { realPath(".") ?? "/" }

    /// The absolute path of a file, without `.` and `..`.
    package static func absolutePath(_ path: String) -> String {
        #if os(Windows)
            return realPath(path) ?? path
        #else
            var parts: [Substring] = []
            let whole = path.hasPrefix("/") ? path : currentFolder + "/" + path
            for part in whole.split(separator: "/") where part != "." {
                if part == ".." { _ = parts.popLast() } else { parts.append(part) }
            }
            return "/" + parts.joined(separator: "/")
        #endif
    }

    /// The path of a file without symbolic links; nil if there is no such file.
    package static func realPath(_ path: String) -> String? {
        #if os(Windows)
            guard let found = _fullpath(nil, path, 0) else { return nil }
            defer { free(found) }
            return String(String(cString: found).map { $0 == "\\" ? "/" : $0 })
        #elseif os(WASI)
            // This C library has no realpath.
            return type(ofPath: path) == nil ? nil : path
        #else
            guard let found = realpath(path, nil) else { return nil }
            defer { free(found) }
            return String(cString: found)
        #endif
    }

    /// The number of processors on which the process may run.
    package static var processors: Int {
        #if canImport(Glibc) || canImport(Musl)
            var set = [UInt8](repeating: 0, count: 1024)
            if readAffinity(0, set.count, &set) >= 0 { return set.reduce(0) { $0 + $1.nonzeroBitCount } }
        #endif
        #if os(Windows)
            return Int(environment(["NUMBER_OF_PROCESSORS"]).values.first ?? "") ?? 1
        #elseif os(WASI)
            return 1
        #else
            return sysconf(Int32(_SC_NPROCESSORS_ONLN))
        #endif
    }
}

#if canImport(Glibc) || canImport(Musl)
    /// The headers declare this function only for GNU sources, and Swift's modules are not built as such.
    @_silgen_name("sched_getaffinity")
    private func readAffinity(_ process: Int32, _ size: Int, _ set: UnsafeMutableRawPointer) -> Int32
#endif

/// An open file, closed with the last reference to it.
package final class OpenFile {
    package let descriptor: Int32

    /// Opens a file for reading; nil if it cannot be opened.
    package init?(_ path: String) {
        descriptor = SystemFile.open(path)
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { SystemFile.close(descriptor) } }

    package func read(upTo count: Int) -> [UInt8]? { SystemFile.bytes(descriptor, upTo: count) }
}

// The system functions, renamed because the methods of this type would hide them.
private func endProcess(_ code: Int32) -> Never { exit(code) }
#if !os(Windows)
    private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
    private func closeFile(_ descriptor: Int32) { close(descriptor) }
    private func readFile(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        read(descriptor, bytes, count)
    }
    private func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        write(descriptor, bytes, count)
    }
#endif
