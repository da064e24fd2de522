// How findings are shown, by the options of the command line.

import PredicateSyntax

/// Shows diagnostics and answers in the form that was asked for.
struct Report {
    enum Form: String { case text, json, github }

    let form: Form
    let colored: Bool
    let output: CommandOutput

    init(_ invocation: Invocation) {
        form = invocation[.output].flatMap(Form.init) ?? .text
        let environment = invocation.input.environment
        colored =
            invocation.output.errorIsTerminal && !invocation.has(.noColor)
            && environment["NO_COLOR"]?.isEmpty ?? true && environment["TERM"] != "dumb"
        output = invocation.output
    }

    /// Diagnostics by themselves, on standard error in every form: standard output belongs to results.
    func show(_ diagnostics: [Diagnostic], source: String, file: String? = nil, line: Int = 1) throws {
        guard !diagnostics.isEmpty else { return }
        switch form {
        case .text:
            let renderer = TextRenderer(width: output.width, colored: colored, file: file, firstLine: line)
            try output.note(renderer.render(diagnostics, source: source))
        case .json: try output.note(JSONRenderer(firstLine: line).render(diagnostics, source: source))
        case .github: try output.note(GitHubRenderer(file: file, firstLine: line).render(diagnostics, source: source))
        }
    }
}

extension [Diagnostic] {
    /// These and those that came later; a warning that has become an error is said once.
    func merged(with later: [Diagnostic]) -> [Diagnostic] {
        filter { earlier in !later.contains { $0.id == earlier.id && $0.span == earlier.span } } + later
    }
}
