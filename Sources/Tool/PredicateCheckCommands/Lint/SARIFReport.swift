// The findings of a run as SARIF 2.1.0, the format of code scanning services: one document for all files.

struct SARIFReport {
    private var rules: [DiagnosticID] = []
    private var results: [String] = []
    /// The characters of a path that need no percent encoding.
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~".utf8)

    mutating func add(_ diagnostics: [PredicateDiagnostic], source: String, file: String) {
        let lines = SourceLines(source)
        for diagnostic in diagnostics {
            if !rules.contains(diagnostic.id) { rules.append(diagnostic.id) }
            let place = "\"artifactLocation\":{\"uri\":\(Self.quoted(Self.uri(file)))}"
            results.append(
                """
                {"ruleId":"\(diagnostic.id.rawValue)","level":"\(diagnostic.severity.rawValue)","message":{"text":\
                \(Self.quoted(diagnostic.sentence(lines)))},\
                "locations":[{"physicalLocation":{\(place),"region":\(Self.region(diagnostic.span, lines))}}]\
                \(Self.fixes(diagnostic, place, lines))}
                """)
        }
    }

    /// The path as a URI reference: relative, or with the scheme `file` for an absolute path.
    static func uri(_ path: String) -> String {
        let encoded = path.utf8.reduce(into: "") { text, byte in
            let digits = String(byte, radix: 16, uppercase: true)
            text += plain.contains(byte) ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + digits
        }
        return path.hasPrefix("/") ? "file://" + encoded : encoded
    }

    private static func region(_ span: SourceSpan, _ lines: SourceLines) -> String {
        let start = lines.position(of: span.start)
        let end = lines.position(of: span.end)
        return """
            {"startLine":\(start.line),"startColumn":\(start.column),"endLine":\(end.line),"endColumn":\(end.column)}
            """
    }

    /// The fix-its as one fix, because they belong together.
    private static func fixes(_ diagnostic: PredicateDiagnostic, _ place: String, _ lines: SourceLines) -> String {
        guard let title = diagnostic.fixTitle(lines) else { return "" }
        let replacements = diagnostic.fixIts.map { fix in
            "{\"deletedRegion\":\(region(fix.span, lines)),\"insertedContent\":{\"text\":\(quoted(fix.replacement))}}"
        }
        return ",\"fixes\":[{\"description\":{\"text\":\(quoted(title))},\"artifactChanges\":[{\(place),"
            + "\"replacements\":[\(replacements.joined(separator: ","))]}]}]"
    }

    /// The document.
    var text: String {
        let rules = self.rules.map {
            "{\"id\":\"\($0.rawValue)\",\"fullDescription\":{\"text\":\(Self.quoted($0.texts.explanation))}}"
        }
        return """
            {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":\
            {"name":"predicate","version":"\(PredicateCommand.version)","rules":[\(rules.joined(separator: ","))]}},\
            "columnKind":"unicodeCodePoints","results":[\(results.joined(separator: ",\n"))]}]}
            """
    }

    private static func quoted(_ text: String) -> String { JSON.text(.string(text)) }
}
