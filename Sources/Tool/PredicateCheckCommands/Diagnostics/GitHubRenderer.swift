// Writes diagnostics in the format that GitHub Actions shows next to the source line.

/// Writes diagnostics as workflow commands, one per line:
/// `::error file=rules.txt,line=3,col=6,title=unknown-operator::'BEGINWITH' is not an operator; did you mean BEGINSWITH?`
package struct GitHubRenderer: Sendable {
    /// The name of the file that contains the text.
    package var file: String?
    /// The number of the text's first line, if the text is a part of a file.
    package var firstLine: Int

    package init(file: String? = nil, firstLine: Int = 1) {
        self.file = file
        self.firstLine = firstLine
    }

    package func render(_ diagnostics: [PredicateDiagnostic], source: String) -> String {
        let lines = SourceLines(source)
        return diagnostics.map { diagnostic in
            let place = lines.position(of: diagnostic.span.start)
            let command = diagnostic.severity == .note ? "notice" : diagnostic.severity.rawValue
            return Self.annotation(
                command, file: file, line: place.line + firstLine - 1, column: place.column,
                title: diagnostic.id.rawValue, diagnostic.sentence(lines))
        }.joined(separator: "\n")
    }

    /// One annotation. `%0A` in the message begins a new line of it.
    static func annotation(
        _ command: String, file: String?, line: Int, column: Int? = nil, title: String, _ message: String
    ) -> String {
        var properties = file.map { ["file=" + escaped($0, property: true)] } ?? []
        properties.append("line=\(line)")
        if let column { properties.append("col=\(column)") }
        properties.append("title=" + escaped(title, property: true))
        return "::\(command) \(properties.joined(separator: ","))::" + escaped(message, property: false)
    }

    /// Escapes text for workflow commands, in which a line break ends the command and a comma ends a property. Makes other
    /// control characters visible, because a log is shown on terminals.
    private static func escaped(_ text: String, property: Bool) -> String {
        let escaped = text.replacingScalars { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            case ":" where property: "%3A"
            case "," where property: "%2C"
            default: nil
            }
        }
        return DisplayText.visible(escaped, limit: 1 << 20)
    }
}
