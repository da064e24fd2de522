// Prints diagnostics and answers in the format chosen on the command line.

import PredicateSyntax

/// Prints diagnostics and answers as text, JSON or GitHub annotations.
struct Report {
    enum Format: String { case text, json, github }

    let format: Format
    let colored: Bool
    let output: CommandOutput

    init(_ invocation: Invocation) {
        format = invocation[.output].flatMap(Format.init) ?? .text
        let environment = invocation.input.environment
        colored =
            invocation.output.errorIsTerminal && !invocation.has(.noColor)
            && environment["NO_COLOR"]?.isEmpty ?? true && environment["TERM"] != "dumb"
        output = invocation.output
    }

    /// Prints diagnostics to standard error in every format, because standard output is for results.
    func show(_ diagnostics: [Diagnostic], source: String, file: String? = nil, line: Int = 1) throws {
        guard !diagnostics.isEmpty else { return }
        switch format {
        case .text:
            let renderer = TextRenderer(width: output.width, colored: colored, file: file, firstLine: line)
            try output.note(renderer.render(diagnostics, source: source))
        case .json: try output.note(JSONRenderer(firstLine: line).render(diagnostics, source: source))
        case .github: try output.note(GitHubRenderer(file: file, firstLine: line).render(diagnostics, source: source))
        }
    }
}
