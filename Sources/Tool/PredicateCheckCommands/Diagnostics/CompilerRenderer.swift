// Writes diagnostics as compilers write them, so that Xcode, VS Code and other editors show them beside the line.

/// `App/Search.swift:3:6: error: 'BEGINWITH' is not an operator; did you mean BEGINSWITH? [unknown-operator]`
struct CompilerRenderer {
    let file: String?
    /// The number of the text's first line, if the text is a part of a file.
    let firstLine: Int
    /// Whether warnings are errors, because they fail the run.
    let isStrict: Bool

    func render(_ diagnostics: [PredicateDiagnostic], source: String) -> String {
        let lines = SourceLines(source)
        return diagnostics.map { diagnostic in
            let place = lines.position(of: diagnostic.span.start)
            let severity = isStrict ? .error : diagnostic.severity
            let start = "\(file ?? "<stdin>"):\(place.line + firstLine - 1):\(place.column): \(severity.rawValue): "
            let sentence = "\(diagnostic.sentence(lines)) [\(diagnostic.id.rawValue)]"
            return DisplayText.visible(start + sentence, limit: 1 << 20)
        }.joined(separator: "\n")
    }
}
