// The format of Tests/Golden/**/*.golden. A file is split into cases and can be written back unchanged.
//
//     # What the file is about.
//     schema people
//
//     === a title
//     ANY orders.total > %@
//     args 100
//     --- canonical
//     ANY orders.total > 100
//
// The text of a case is everything between the title and the first directive (args, variables, kind, input, extensions,
// order, changes) or output. With `args none` the text takes no arguments, and a % is an error. `--- check` is the output of the
// type checker for the file's schema and its default entity. `--- dialects` is the SQL condition in every dialect.
// `--- corrected` is the text with all certain corrections, and `--- means` its value for `input`. `changes WHY` states that
// a correction changes a word (SuggestionTests.swift).
// `--- bound Visitor` lists the diagnostics of binding to this Swift type (GoldenTypes.swift).

package struct GoldenFile {
    /// Comments and `schema NAME`.
    var preamble: [String] = []
    package var schema: String?
    package var cases: [GoldenCase] = []

    package struct Malformed: Error, CustomStringConvertible {
        package let description: String
        package init(description: String) { self.description = description }
    }

    package static let directives = ["args", "variables", "kind", "input", "extensions", "order", "changes"]

    package init(_ text: String) throws {
        for line in text.textLines {
            if line.hasPrefix("=== ") {
                cases.append(GoldenCase(title: String(line.dropFirst(4))))
            } else if cases.isEmpty {
                preamble.append(line)
                if line.hasPrefix("schema ") { schema = String(line.dropFirst(7)) }
            } else {
                cases[cases.count - 1].add(line)
            }
        }
        for line in preamble where !line.isEmpty && !line.hasPrefix("#") && !line.hasPrefix("schema ") {
            throw Malformed(description: "this line belongs to no case: \(line)")
        }
        let titles = cases.map(\.title)
        for (index, title) in titles.enumerated() where titles[..<index].contains(title) {
            throw Malformed(description: "two cases are called '\(title)'")
        }
        for index in cases.indices { try cases[index].finish() }
    }

    package var text: String {
        var head = preamble
        head.dropBlankEnd()
        return ((head.isEmpty ? [] : [head]) + cases.map(\.lines)).map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n") + "\n"
    }
}

package struct GoldenCase {
    package struct Output {
        package let label: String
        package var lines: [String]
    }

    package let title: String
    private var head: [String] = []
    package private(set) var format = ""
    package private(set) var directives: [String: String] = [:]
    package var outputs: [Output] = []

    init(title: String) { self.title = title }

    mutating func add(_ line: String) {
        if line.hasPrefix("--- ") {
            outputs.append(Output(label: String(line.dropFirst(4)), lines: []))
        } else if outputs.isEmpty {
            head.append(line)
        } else {
            outputs[outputs.count - 1].lines.append(line)
        }
    }

    mutating func finish() throws {
        head.dropBlankEnd()
        for index in outputs.indices { outputs[index].lines.dropBlankEnd() }
        if outputs.isEmpty { throw GoldenFile.Malformed(description: "'\(title)' expects nothing") }
        var text: [String] = []
        for (index, line) in head.enumerated() {
            let word = line.prefix { $0 != " " }
            if index > 0, GoldenFile.directives.contains(String(word)) {
                directives[String(word)] = String(line.dropFirst(word.count + 1))
            } else if directives.isEmpty {
                text.append(line)
            } else {
                throw GoldenFile.Malformed(description: "'\(title)': this line is no directive: \(line)")
            }
        }
        format = text.joined(separator: "\n")
    }

    var lines: [String] {
        let head = head.isEmpty ? [""] : head
        return ["=== \(title)"] + head + outputs.flatMap { ["--- \($0.label)"] + $0.lines }
    }
}

extension [String] {
    /// Removes blank lines at the end, which only separate cases.
    package mutating func dropBlankEnd() { while last == "" { removeLast() } }
}

extension String {
    /// The lines, including empty ones. A carriage return before a line feed stays in its line.
    package var textLines: [String] {
        utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }
}
