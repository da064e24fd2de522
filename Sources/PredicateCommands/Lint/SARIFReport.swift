// The findings of a run as SARIF 2.1.0, which code scanners read: one document for all files.

import PredicateRecords
import PredicateSyntax

struct SARIFReport {
    private var rules: [DiagnosticID] = []
    private var results: [String] = []

    mutating func add(_ diagnostics: [Diagnostic], source: String, file: String) {
        let lines = SourceLines(source)
        for diagnostic in diagnostics {
            if !rules.contains(diagnostic.id) { rules.append(diagnostic.id) }
            let start = lines.position(of: diagnostic.span.start)
            let end = lines.position(of: diagnostic.span.end)
            let level =
                switch diagnostic.severity {
                case .error: "error"
                case .warning: "warning"
                case .note: "note"
                }
            let message = diagnostic.message + (diagnostic.label.map { "; " + $0 } ?? "")
            let region = """
                {"startLine":\(start.line),"startColumn":\(start.column),"endLine":\(end.line),"endColumn":\(end.column)}
                """
            results.append(
                """
                {"ruleId":"\(diagnostic.id.rawValue)","level":"\(level)","message":{"text":\(Self.quoted(message))},\
                "locations":[{"physicalLocation":{"artifactLocation":{"uri":\(Self.quoted(file))},"region":\(region)}}]}
                """)
        }
    }

    /// The document.
    var text: String {
        let rules = self.rules.map {
            "{\"id\":\"\($0.rawValue)\",\"fullDescription\":{\"text\":\(Self.quoted($0.entry.explanation))}}"
        }
        return """
            {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":\
            {"name":"predicate","version":"\(PredicateCommand.version)","rules":[\(rules.joined(separator: ","))]}},\
            "columnKind":"unicodeCodePoints","results":[\(results.joined(separator: ",\n"))]}]}
            """
    }

    private static func quoted(_ text: String) -> String { JSON.text(.string(text)) }
}
