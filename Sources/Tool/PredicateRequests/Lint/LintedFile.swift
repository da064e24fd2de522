// The result of lint for a file.

/// The findings of a file.
package struct LintedFile {
    package let path: String
    /// The file as text, so that its lines can be printed.
    package let source: String
    package var predicates: [(found: FoundPredicate, span: SourceSpan, isWrong: Bool)] = []
    /// Diagnostics in the order of their positions in the file.
    package var diagnostics: [PredicateDiagnostic] = []
    package var code = ExitCode.success
    /// Diagnostics of predicates without a position in the file: those of binary property lists.
    package var hidden: [(source: String, owner: String, diagnostics: [PredicateDiagnostic])] = []

    /// The members of the JSON answer, besides the diagnostics.
    /// - Parameter lists: whether to list the predicates, rather than count them.
    package func members(lists: Bool) -> [(name: String, json: String)] {
        let places = SourceLines(source)
        let rows = predicates.map { found, span, isWrong in
            let place = places.position(of: span.start)
            return "{\"line\":\(place.line),\"column\":\(place.column),\"in\":\(JSON.text(.string(found.owner))),"
                + "\"predicate\":\(JSON.text(.string(found.text.text))),\"ok\":\(!isWrong)}"
        }
        let list = lists ? "[" + rows.joined(separator: ",") + "]" : "\(predicates.count)"
        return [("file", JSON.text(.string(path))), ("predicates", list)]
    }
}
