// Runs the golden cases that need neither Foundation nor the Swift types of the tests. In a build without the trait
// Foundation, CI also checks that this program does not link Foundation:
//
//     for file in Tests/Golden/*/*.golden Tests/Golden/Schemas/*.json; do echo "@@ $file"; cat $file; done |
//         swift run --disable-default-traits golden-client

import GoldenCases
import PredicateSQL

/// The files of standard input by name. Each begins with a line `@@ NAME`.
func files() -> [(name: String, text: String)] {
    var files: [(name: String, lines: [String])] = []
    while let line = readLine() {
        if line.hasPrefix("@@ ") {
            files.append((String(line.dropFirst(3)), []))
        } else if !files.isEmpty {
            files[files.count - 1].lines.append(line)
        }
    }
    return files.map { ($0.name, $0.lines.joined(separator: "\n")) }
}

/// The outputs of a case that differ; nil if the case needs Foundation, which this build lacks.
func differences(_ golden: GoldenCase, _ world: GoldenWorld?) throws -> [String]? {
    let subject = try GoldenSubject(golden)
    var dialect: SQLDialect?
    var found: [String] = []
    for output in golden.outputs where !output.label.hasPrefix("bound ") {
        let word = String(output.label.prefix { $0 != " " })
        if word == "sql" { dialect = SQLDialect.named(String(output.label.dropFirst(4))) }
        let text = subject.output(word, world, dialect) ?? "nothing"
        if text.isEmpty ? output.lines == ["(none)"] : text.textLines == output.lines { continue }
        found.append("\(output.label) is\n\(text)")
    }
    return !found.isEmpty && subject.needsFoundation ? nil : found
}

let input = files()
var schemas: [String: GoldenWorld] = [:]
var (count, skipped, failures) = (0, 0, 0)
for (name, text) in input where name.hasSuffix(".golden") {
    let file = try GoldenFile(text)
    if let schema = file.schema, schemas[schema] == nil {
        let json = input.first { $0.name.hasSuffix("/\(schema).json") }?.text ?? ""
        schemas[schema] = try GoldenWorld(schema, json: json, mayLackSQLite: true)
    }
    for golden in file.cases {
        count += 1
        guard let found = try differences(golden, file.schema.flatMap { schemas[$0] }) else {
            skipped += 1
            continue
        }
        for difference in found {
            failures += 1
            print("\(name): \(golden.title): \(difference)")
        }
    }
}
print("\(count) cases, \(skipped) skipped because they need Foundation, \(failures) failures")
if count - skipped < 1000 || failures > 0 { throw GoldenFile.Malformed(description: "see above") }
