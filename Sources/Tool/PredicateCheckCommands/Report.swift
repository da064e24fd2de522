// Prints diagnostics and answers in the format chosen on the command line.

/// Prints diagnostics and answers as text, JSON or GitHub annotations.
package struct Report {
    package enum Format: String { case text, json, github, compiler }

    package let format: Format
    let colored: Bool
    package let output: CommandOutput
    /// Whether diagnostics are the result of the command, and go to standard output.
    let isResult: Bool

    package init(_ invocation: Invocation, isResult: Bool = false) {
        self.isResult = isResult
        format = invocation[.output].flatMap(Format.init) ?? .text
        let environment = invocation.input.environment
        colored =
            (isResult ? invocation.output.isTerminal : invocation.output.errorIsTerminal)
            && !invocation.has(.noColor)
            && environment["NO_COLOR"]?.isEmpty ?? true && environment["TERM"] != "dumb"
        output = invocation.output
    }

    /// `2 wrong, 1 warning`, `all fine`
    package static func summary(wrong: Int, warnings: Int) -> String {
        let warned = warnings == 0 ? "" : ", \(DisplayText.count(warnings, "warning"))"
        return wrong > 0 ? "\(wrong) wrong\(warned)" : warnings > 0 ? "none wrong\(warned)" : "all fine"
    }

    /// Prints diagnostics to standard error in every format, or to standard output if they are the result.
    ///
    /// - Parameter isStrict: whether warnings fail the run.
    package func show(
        _ diagnostics: [PredicateDiagnostic], source: String, file: String? = nil, line: Int = 1, isStrict: Bool = false
    ) throws {
        guard !diagnostics.isEmpty else { return }
        let diagnostics = diagnostics.map { $0.namingOption }
        let text =
            switch format {
            case .text:
                DiagnosticRenderer(width: output.width, colored: colored, file: file, firstLine: line)
                    .render(diagnostics, source: source)
            case .json: JSONRenderer(firstLine: line).render(diagnostics, source: source)
            case .github: GitHubRenderer(file: file, firstLine: line).render(diagnostics, source: source)
            case .compiler:
                CompilerRenderer(file: file, firstLine: line, isStrict: isStrict).render(diagnostics, source: source)
            }
        if isResult { try output.rendered(text) } else { try output.note(text) }
    }
}

extension PredicateDiagnostic {
    /// With the option of the command that enables an extension, where the advice names one.
    fileprivate var namingOption: PredicateDiagnostic {
        LanguageOptions.named.reduce(self) { diagnostic, extended in
            let advice = LanguageOptions.advice(extended.name)
            return diagnostic.mappingDetails { $0.replacing(advice, with: "use --extensions \(extended.name)") }
        }
    }
}
