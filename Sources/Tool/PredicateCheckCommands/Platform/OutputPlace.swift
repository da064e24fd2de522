// In: the name of a file to write, as the user gave it, and what the command reads. Out: the file with new content, or an
// error that leaves every file as it was. All commands write files here, so that no input is lost. For
// `import items.json --into t.sqlite --losses NAME`:
//
//     lost.jsonl    does not exist: a temporary file in its folder gets this name when it is complete
//                   exists and begins as --losses writes: is replaced so, with its mode, owner and attributes; it is
//                   written in place if it has several links
//     items.json    'items.json' is a file that is read
//     t.sqlite-wal  't.sqlite-wal' belongs to the database
//     notes.txt     'notes.txt' exists and is not a file that --losses wrote
//     /dev/stdout   is written to, wherever it leads
//
// On Windows and WASI the file is written beside and renamed; inputs and kinds are not checked.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import CFileAttributes
    import Glibc
#elseif canImport(Musl)
    import CFileAttributes
    import Musl
#elseif canImport(Android)
    import Android
    import CFileAttributes
#elseif canImport(WASILibc)
    import WASILibc
#elseif os(Windows)
    import CRT
#endif

/// A file that is written as a whole, or a device, a pipe or a descriptor that is written to.
package struct OutputPlace {
    /// Recognises by its first bytes whether a file that exists may be replaced.
    package struct Kind: Sendable {
        /// What the file has to be, for messages.
        package let name: String
        package let fits: @Sendable ([UInt8]) -> Bool
        /// The number of bytes that `fits` receives.
        static let head = 4096
    }

    package let name: String
    private let path: String
    private let kind: Kind?
    private let hint: String
    private let isPrivate: Bool
    #if !os(Windows) && !os(WASI)
        private let inputs: [FileStatus]
        private let database: DatabaseFiles?
    #endif

    /// - Parameters:
    ///   - inputs: the files that the command reads, which are never replaced.
    ///   - store: the database of the command, which is never replaced, nor are its log and its journal.
    ///   - kind: what a file that exists must be, if it is not empty; nil for any file.
    ///   - hint: what to do if the place is an input.
    ///   - isPrivate: whether only the user may read a new file. It is so in any case if an input or the database
    ///     cannot be read by others.
    package init(
        _ name: String, _ input: CommandInput, inputs: [String] = [], store: String? = nil, kind: Kind? = nil,
        hint: String = "name another file", isPrivate: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.hint = hint
        self.isPrivate = isPrivate
        path = input.path(name)
        #if !os(Windows) && !os(WASI)
            self.inputs = inputs.compactMap { name in
                name == "-" ? input.descriptor.flatMap { FileStatus(descriptor: $0) } : FileStatus(input.path(name))
            }
            database = store.map { DatabaseFiles(input.path($0)) }
        #endif
    }

    private func failure(_ reason: String) -> CommandEnd { .failure(.failed, "cannot write '\(name)': \(reason)") }
}

#if os(Windows) || os(WASI)
    extension OutputPlace {
        static func isOutput(_ path: String) -> Bool { false }

        package func check() throws {}

        package func write(_ bytes: [UInt8]) throws {
            let temporary = path + ".predicate"
            guard let file = fopen(temporary, "wb") else { throw failure(SystemFile.problem) }
            let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
            guard fclose(file) == 0, isWritten else { throw failure(SystemFile.problem) }
            // Windows renames no file to a name that exists.
            _ = remove(path)
            guard rename(temporary, path) == 0 else { throw failure(SystemFile.problem) }
        }

        package func update(_ change: (inout [UInt8]) -> Void) throws {}

        package func sharedBytes() throws -> [UInt8] { [] }
    }
#else
    extension OutputPlace {
        /// Throws if the place cannot be written or must not be. Call it before work whose result would be lost.
        package func check() throws {
            switch try destination() {
            case .file(let path, _):
                guard access(path, R_OK | W_OK) == 0 else { throw failure(SystemFile.problem) }
                // The new content is written beside it first.
                guard access(Self.folder(of: path), W_OK | X_OK) == 0 else { throw cannotCreate() }
            case .new(let path): guard access(Self.folder(of: path), W_OK | X_OK) == 0 else { throw cannotCreate() }
            case .descriptor, .device: break
            }
        }

        /// Writes the file.
        ///
        /// - Throws: `usage` if the place is an input, the database, or a file of another kind; `failure` with the
        ///   system's reason. A file that existed then has its old content.
        package func write(_ bytes: [UInt8]) throws {
            switch try destination() {
            case .descriptor(let descriptor): try put(bytes, descriptor)
            case .device(let path):
                let device = open(path, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC)
                guard device >= 0 else { throw failure(SystemFile.problem) }
                defer { close(device) }
                try put(bytes, device)
            case .new(let path): _ = try replace(path, nil, bytes)
            case .file(let path, let status):
                let file = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
                guard file >= 0 else { throw failure(SystemFile.problem) }
                defer { close(file) }
                guard FileStatus(descriptor: file)?.identity == status.identity else {
                    throw failure("another program has replaced it")
                }
                if try status.links == 1 && replace(path, status, bytes) { return }
                try overwrite(file, path, bytes)
            }
        }

        // MARK: Shared files

        /// The maximum number of bytes that are read of a shared file.
        private static let sharedLimit = 4 << 20
        /// How often a lock is tried, and the microseconds between two attempts: together one second.
        private static let lockAttempts = 200
        private static let lockPause: UInt32 = 5_000

        /// Changes a file that several processes share, while it is locked. Bytes that are added are appended, and any
        /// other content is written in place, so that the file keeps its mode and its links. A new file and its folders
        /// are private.
        ///
        /// - Throws: `failure` if the place is no regular file, or if another process keeps it locked.
        package func update(_ change: (inout [UInt8]) -> Void) throws {
            for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
            let file = try openShared(O_RDWR | O_APPEND | O_CREAT)
            defer { close(file) }
            guard Self.lock(file, LOCK_EX) else { throw failure("another program uses it") }
            let old = try bytes(file, limit: Self.sharedLimit)
            var new = old
            change(&new)
            if new.starts(with: old) { return try put(Array(new[old.count...]), file) }
            guard ftruncate(file, 0) == 0 else { throw failure(SystemFile.problem) }
            try put(new, file)
        }

        /// The content of a shared file.
        ///
        /// - Throws: `failure` if the place is no regular file, or cannot be read.
        package func sharedBytes() throws -> [UInt8] {
            let file = try openShared(O_RDONLY)
            defer { close(file) }
            _ = Self.lock(file, LOCK_SH)
            return try bytes(file, limit: Self.sharedLimit)
        }

        /// Opens a regular file. Opening or reading a pipe could wait without end.
        private func openShared(_ flags: Int32) throws -> Int32 {
            let file = open(path, flags | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw failure(SystemFile.problem) }
            if FileStatus(descriptor: file)?.isRegular ?? false { return file }
            close(file)
            throw failure("it is not a regular file")
        }

        /// Returns false if another process keeps the file locked for longer than a short change takes.
        private static func lock(_ file: Int32, _ kind: Int32) -> Bool {
            for _ in 0..<lockAttempts {
                if flock(file, kind | LOCK_NB) == 0 { return true }
                usleep(lockPause)
            }
            return false
        }

        private func bytes(_ file: Int32, limit: Int = .max) throws -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < limit {
                guard let part = SystemFile.bytes(file, upTo: min(limit - bytes.count, 1 << 16)) else {
                    throw failure(SystemFile.problem)
                }
                if part.isEmpty { break }
                bytes += part
            }
            return bytes
        }

        // MARK: Where

        private enum Destination {
            /// A descriptor of this process.
            case descriptor(Int32)
            /// A device, a pipe, or a descriptor of another process.
            case device(String)
            case file(String, FileStatus)
            case new(String)
        }

        /// The maximum number of symbolic links that are followed.
        private static let linkLimit = 40

        /// Follows symbolic links, but not those of descriptors: they name an open file, which may be a pipe, or a file
        /// that another program also writes to.
        private func destination() throws -> Destination {
            var path = path
            for _ in 0..<Self.linkLimit {
                let name = Self.lastName(of: path)
                guard !name.isEmpty, name != ".", name != ".." else { throw failure(SystemFile.text(EISDIR)) }
                if let number = Int32(name), let found = try descriptor(number, at: path) { return found }
                guard let link = Self.linkTarget(of: path) else { return try file(at: path) }
                path = link.hasPrefix("/") ? link : Self.folder(of: path) + link
            }
            throw failure(SystemFile.text(ELOOP))
        }

        /// The destination of `/dev/fd/1` and `/proc/self/fd/1`; nil for a path in another folder.
        private func descriptor(_ number: Int32, at path: String) throws -> Destination? {
            guard let folder = SystemFile.realPath(Self.folder(of: path)) else { return nil }
            let words = folder.split(separator: "/")
            let isProcess = words.first == "proc" && words.last == "fd" && words.count > 2
            if folder == "/dev/fd" || isProcess && words[1] == "\(getpid())" {
                guard let status = FileStatus(descriptor: number) else { throw failure(SystemFile.text(EBADF)) }
                try refuseProtected(status)
                return .descriptor(number)
            }
            guard isProcess else { return nil }
            if let status = FileStatus(path) { try refuseProtected(status) }
            return .device(path)
        }

        private func file(at path: String) throws -> Destination {
            guard let status = FileStatus(path) else {
                guard errno == ENOENT else { throw failure(SystemFile.problem) }
                if database?.contains(path) ?? false { throw belongsToDatabase }
                return .new(path)
            }
            if status.isFolder { throw failure(SystemFile.text(EISDIR)) }
            try refuseProtected(status)
            guard status.isRegular else { return .device(path) }
            guard let kind, status.size > 0 else { return .file(path, status) }
            guard let file = OpenFile(path), let head = file.read(upTo: Kind.head) else {
                throw failure(SystemFile.problem)
            }
            guard kind.fits(head) else {
                throw CommandEnd.usage(
                    "'\(name)' exists and is not \(kind.name)", hint: "name another file, or remove it")
            }
            return .file(path, status)
        }

        /// Throws if the file is an input or belongs to the database. A terminal may be both input and output.
        private func refuseProtected(_ status: FileStatus) throws {
            guard !status.isCharacterDevice else { return }
            if database?.contains(status) ?? false { throw belongsToDatabase }
            if inputs.contains(where: { $0.identity == status.identity }) {
                throw CommandEnd.usage("'\(name)' is a file that is read", hint: hint)
            }
        }

        private var belongsToDatabase: CommandEnd {
            .usage("'\(name)' belongs to the database", hint: "name another file")
        }

        // MARK: Writing

        private func put(_ bytes: [UInt8], _ descriptor: Int32) throws {
            do throws(OutputProblem) {
                try OutputFile.write(bytes, to: descriptor)
            } catch {
                if case .failed(let reason) = error { throw failure(reason) }
                throw failure(SystemFile.text(EPIPE))
            }
        }

        /// Writes and waits until the disk has the bytes.
        private func sync(_ bytes: [UInt8], _ file: Int32) throws {
            try put(bytes, file)
            guard fsync(file) == 0 else { throw failure(SystemFile.problem) }
        }

        private func cannotCreate() -> CommandEnd { failure("its folder takes no new file: \(SystemFile.problem)") }

        private func temporaryFile(beside path: String, mode: mode_t) throws -> (path: String, descriptor: Int32) {
            let temporary = Self.folder(of: path) + ".predicate-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw cannotCreate() }
            return (temporary, descriptor)
        }

        /// The mode of a new file, without the permissions that an input or the database does not give. The system also
        /// applies the user's mask.
        private var newMode: mode_t {
            (inputs + (database?.statuses ?? [])).filter(\.isRegular).reduce(0o666) { mode, input in
                let others = input.mode & 0o7
                // The group of the new file may be another than that of the input.
                let group = input.group == getegid() ? input.mode >> 3 & 0o7 : others
                return mode & mode_t(0o600 | group << 3 | others)
            }
        }

        /// Writes a new file, and gives it the name when its content is complete. Returns false if it cannot have the
        /// mode, owner and attributes of the old one.
        private func replace(_ path: String, _ old: FileStatus?, _ bytes: [UInt8]) throws -> Bool {
            let new = try temporaryFile(beside: path, mode: isPrivate || old != nil ? 0o600 : newMode)
            defer {
                close(new.descriptor)
                unlink(new.path)
            }
            if let old {
                guard let status = FileStatus(descriptor: new.descriptor) else { throw failure(SystemFile.problem) }
                if status.owner != old.owner || status.group != old.group {
                    guard fchown(new.descriptor, old.owner, old.group) == 0 else { return false }
                }
                guard Self.copyAttributes(path, to: new.path),
                    fchmod(new.descriptor, mode_t(old.mode & 0o7777)) == 0
                else { return false }
            }
            try sync(bytes, new.descriptor)
            // `rename` would replace a file that exists by now, but some file systems have no links.
            if old == nil, link(new.path, path) == 0 { return true }
            guard old != nil || errno != EEXIST, rename(new.path, path) == 0 else { throw failure(SystemFile.problem) }
            let folder = open(Self.folder(of: path), O_RDONLY | O_CLOEXEC)
            if folder >= 0 {
                fsync(folder)
                close(folder)
            }
            return true
        }

        /// Copies extended attributes, of which access control lists are a part on Linux.
        private static func copyAttributes(_ path: String, to new: String) -> Bool {
            #if canImport(Darwin)
                return copyfile(path, new, nil, copyfile_flags_t(COPYFILE_ACL | COPYFILE_XATTR)) == 0
            #else
                /// Asks for the size of something, then for its bytes.
                func bytes(_ read: (UnsafeMutableRawPointer?, Int) -> Int) -> [UInt8]? {
                    var bytes = [UInt8](repeating: 0, count: max(0, read(nil, 0)))
                    let count = bytes.withUnsafeMutableBytes { read($0.baseAddress, $0.count) }
                    return count == bytes.count ? bytes : nil
                }
                func value(_ path: String, _ name: String) -> [UInt8]? { bytes { getxattr(path, name, $0, $1) } }
                let names = bytes { listxattr(path, $0?.assumingMemoryBound(to: CChar.self), $1) }
                guard let names else { return errno == ENOTSUP }
                return names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.allSatisfy { name in
                    guard let old = value(path, name) else { return false }
                    return setxattr(new, name, old, old.count, 0) == 0 && value(new, name) == old
                }
            #endif
        }

        /// Writes into a file that has other links, or whose owner or attributes a new file cannot have. A copy of the
        /// old content stands beside it until the end.
        private func overwrite(_ file: Int32, _ path: String, _ bytes: [UInt8]) throws {
            let old = try self.bytes(file)
            let copy = try temporaryFile(beside: path, mode: 0o600)
            var keepsCopy = false
            defer {
                close(copy.descriptor)
                if !keepsCopy { unlink(copy.path) }
            }
            try sync(old, copy.descriptor)
            func rewrite(_ bytes: [UInt8]) throws {
                guard lseek(file, 0, SEEK_SET) == 0 else { throw failure(SystemFile.problem) }
                try put(bytes, file)
                guard ftruncate(file, off_t(bytes.count)) == 0, fsync(file) == 0 else {
                    throw failure(SystemFile.problem)
                }
            }
            do { try rewrite(bytes) } catch {
                do { try rewrite(old) } catch {
                    keepsCopy = true
                    throw failure("the disk failed, and its old content is in '\(copy.path)'")
                }
                throw error
            }
        }

        // MARK: Names

        /// The folder of a path, with a slash at its end.
        fileprivate static func folder(of path: String) -> String {
            path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
        }

        fileprivate static func lastName(of path: String) -> Substring {
            path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        }

        /// What a symbolic link refers to; nil for anything else.
        private static func linkTarget(of path: String) -> String? {
            let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
                count = buffer.withMemoryRebound(to: CChar.self) { text in
                    max(0, text.baseAddress.map { readlink(path, $0, text.count) } ?? 0)
                }
            }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
    }

    extension OutputPlace {
        /// Whether a file is the standard output of the process. Reading what is written could go on for ever.
        static func isOutput(_ path: String) -> Bool {
            guard let output = FileStatus(descriptor: 1), output.isRegular else { return false }
            return FileStatus(path)?.identity == output.identity
        }
    }

    /// What the system knows about a file.
    private struct FileStatus {
        /// The device and the number of the file on it: equal for all names of one file.
        let identity: [UInt64]
        let mode: UInt32
        let owner: uid_t
        let group: gid_t
        let links: Int
        let size: Int

        /// Follows symbolic links; nil with `errno` if there is no such file.
        init?(_ path: String) { self.init { stat(path, &$0) } }

        init?(descriptor: Int32) { self.init { fstat(descriptor, &$0) } }

        private init?(_ read: (inout stat) -> Int32) {
            var status = stat()
            guard read(&status) == 0 else { return nil }
            identity = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
            mode = UInt32(status.st_mode)
            (owner, group) = (status.st_uid, status.st_gid)
            (links, size) = (Int(status.st_nlink), Int(status.st_size))
        }

        // POSIX mode bits. Their names are macros that Swift cannot import on all platforms.
        var isRegular: Bool { mode & 0o170000 == 0o100000 }
        var isFolder: Bool { mode & 0o170000 == 0o040000 }
        var isCharacterDevice: Bool { mode & 0o170000 == 0o020000 }
    }

    /// The file of a SQLite database, and those that SQLite makes beside it.
    private struct DatabaseFiles {
        private static let suffixes = ["", "-wal", "-shm", "-journal"]
        private let path: String
        let statuses: [FileStatus]

        init(_ path: String) {
            self.path = SystemFile.realPath(path) ?? path
            statuses = Self.suffixes.compactMap { [path = self.path] in FileStatus(path + $0) }
        }

        func contains(_ status: FileStatus) -> Bool { statuses.contains { $0.identity == status.identity } }

        /// Whether a file that does not exist has one of the names. Some file systems ignore the case of letters.
        func contains(_ missing: String) -> Bool {
            let name = OutputPlace.lastName(of: missing).lowercased()
            let own = OutputPlace.lastName(of: path).lowercased()
            return Self.suffixes.contains { own + $0 == name }
                && FileStatus(OutputPlace.folder(of: missing))?.identity
                    == FileStatus(OutputPlace.folder(of: path))?.identity
        }
    }
#endif

extension OutputPlace.Kind {
    package static let losses = Self(name: "a file that --losses wrote") { $0.starts(with: #"{"at":"#.utf8) }
    static let baseline = Self(name: "a file that --write-baseline wrote") { bytes in
        bytes.filter { $0 > 0x20 }.starts(with: #"{"findings":["#.utf8)
    }

    /// The file whose date a build system compares with those of the sources.
    static let stamp = Self(name: "a file that --stamp wrote") { $0.starts(with: stampText) }
    /// A comment, so that the file may be a source.
    static let stampText = Array("// no errors\n".utf8)

    /// Records of a format; JSON and JSON Lines may replace each other.
    package static func records(_ format: RecordFormat) -> Self {
        Self(name: format == .csv ? "CSV" : format == .plist ? "a property list" : "JSON") { bytes in
            let found = bytes.withUnsafeBufferPointer(RecordFormat.sniff)
            let isText = found == .plist || !bytes.contains(0)
            return ForeignFormat(bytes) == nil && isText
                && (found == .jsonl ? .json : found) == (format == .jsonl ? .json : format)
        }
    }
}
