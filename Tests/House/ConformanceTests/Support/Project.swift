// The paths of the project's own files, for tests that read them.

import Foundation
import Testing

enum Project {
    /// The folder of Package.swift.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func file(_ path: String) -> URL { root.appendingPathComponent(path) }

    static func text(_ path: String) throws -> String { try String(contentsOf: file(path), encoding: .utf8) }

    /// Makes the project's folder the current folder, because the examples of the documents use paths from there.
    static func enter() { #expect(FileManager.default.changeCurrentDirectoryPath(root.path)) }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: file(path).path) }

    /// The files below a folder with a suffix, as sorted paths from the root.
    static func files(under folder: String, suffix: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: file(folder).path)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".build") }.map { folder + "/" + $0 }.sorted()
    }
}

/// Compares the text of a file with the expected text. With UPDATE_GOLDEN=1 it rewrites the file and the test fails
/// once.
enum Expectation {
    static var isUpdating: Bool { ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" }

    /// Writes the new text if it is different. Refused in CI.
    static func update(_ path: String, from old: String, to new: String) throws {
        guard old != new else { return }
        if ProcessInfo.processInfo.environment["CI"] != nil {
            Issue.record("UPDATE_GOLDEN is refused in CI; \(path) would change:\n\(difference(old, new))")
            return
        }
        try new.write(to: Project.file(path), atomically: true, encoding: .utf8)
        Issue.record("\(path) was rewritten; read the difference and run again:\n\(difference(old, new))")
    }

    /// The removed (`-`) and added (`+`) lines with one line of context.
    static func difference(_ old: String, _ new: String) -> String {
        let before = old.components(separatedBy: "\n")
        let after = new.components(separatedBy: "\n")
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in after.difference(from: before) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var lines: [String] = []
        var left = 0
        var right = 0
        while left < before.count || right < after.count {
            if removed.contains(left) {
                lines.append("- " + before[left])
                left += 1
            } else if inserted.contains(right) {
                lines.append("+ " + after[right])
                right += 1
            } else {
                let near = [left - 1, left + 1].contains(where: removed.contains)
                if near || [right - 1, right + 1].contains(where: inserted.contains), left < before.count {
                    lines.append("  " + before[left])
                }
                left += 1
                right += 1
            }
        }
        return lines.joined(separator: "\n")
    }
}
