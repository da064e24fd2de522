// What tests of commands share: folders that are removed afterwards, and the command as a process.

import Foundation

/// Calls `body` with a new folder that is removed afterwards.
func inTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("commands-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}

/// Writes a file whose name ends with `name`. Returns its path.
func temporaryFile(_ text: String, _ name: String) throws -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)-\(name)").path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
}

#if os(Linux)
    /// The path of the command that was built with the tests.
    let builtCommand = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent("predicate").path

    /// A process that runs a script of bash in a folder; `$P` is the command that was built with the tests.
    func bash(_ script: String, in folder: URL) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", script]
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(["P": builtCommand]) { $1 }
        return process
    }
#endif
