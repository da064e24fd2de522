// Runs another program and reads its output.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

enum SystemCommand {
    /// The standard output of a program. Its messages are dropped.
    /// - Parameter words: the program's name and its arguments.
    /// - Returns: nil if the program fails, or if the platform runs no programs.
    static func output(of words: [String]) -> [UInt8]? {
        #if canImport(Darwin) || canImport(Glibc) || canImport(Musl)
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { return nil }
            defer { close(ends[0]) }
            // The program inherits its standard output only.
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            #if canImport(Darwin)
                var actions: posix_spawn_file_actions_t?
                let environment = _NSGetEnviron().pointee
            #else
                var actions = posix_spawn_file_actions_t()
                let environment = environ
            #endif
            posix_spawn_file_actions_init(&actions)
            posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
            let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
            var process = pid_t()
            let failure = posix_spawnp(&process, words[0], &actions, nil, arguments, environment)
            posix_spawn_file_actions_destroy(&actions)
            for argument in arguments { free(argument) }
            close(ends[1])
            guard failure == 0 else { return nil }
            var output: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = read(ends[0], &chunk, chunk.count)
                if count > 0 { output += chunk[..<count] } else if count == 0 || errno != EINTR { break }
            }
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 { if errno != EINTR { return nil } }
            return status == 0 ? output : nil
        #else
            return nil
        #endif
    }
}
