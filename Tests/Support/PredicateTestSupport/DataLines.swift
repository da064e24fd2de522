// Comparing lines with a file of Tests/House/Data.

import Foundation
package import Testing

/// Compares lines with a file in `Tests/House/Data`, ignoring lines that begin with `#`. `UPDATE_GOLDEN=1` rewrites
/// the file and lets the test fail once.
package func expectSame(
    _ lines: [String], asFile name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "House/Data").appending(path: name)
    let environment = ProcessInfo.processInfo.environment
    if environment["UPDATE_GOLDEN"] == "1", environment["CI"] == nil {
        try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
        Issue.record("\(name) is rewritten; read the difference", sourceLocation: sourceLocation)
    }
    let known = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { String($0) }
    let missing = Set(known).subtracting(lines).sorted().prefix(10)
    let added = Set(lines).subtracting(known).sorted().prefix(10)
    #expect(missing.isEmpty && added.isEmpty, "gone: \(missing), new: \(added)", sourceLocation: sourceLocation)
}
