// The check of a file, predicate by predicate. Linter.lint checks a whole file; the language server answers in between.

package final class FileCheck {
    /// The predicates in the order of the file.
    package let predicates: [FoundPredicate]
    /// What was found so far.
    package private(set) var result: LintedFile
    /// The number of predicates that were checked.
    package private(set) var count = 0
    private let isBinary: Bool
    private let linter: Linter
    private let model: ModelVersion?
    private let bytes: [UInt8]
    private let comments: IgnoreComments
    private let places: SourceLines

    /// Finds the predicates of a file.
    package init(_ linter: Linter, _ file: SourceFile, _ raw: [UInt8]) throws(DocumentProblem) {
        self.linter = linter
        isBinary = PropertyList.isBinary(raw)
        bytes = isBinary ? raw : SourceFile.decoded(raw)
        (predicates, model) = try linter.find(file.kind(of: bytes), bytes)
        let isShown = !isBinary && !predicates.isEmpty
        result = LintedFile(path: file.path, source: isShown ? String(decoding: bytes, as: UTF8.self) : "")
        comments = IgnoreComments(isShown ? bytes : [])
        places = SourceLines(comments.isEmpty ? [] : bytes)
    }

    /// Checks the next predicate. Returns false at the end.
    package func step() -> Bool {
        guard count < predicates.count else { return false }
        let (found, (read, diagnostics)) = (predicates[count], check(count))
        count += 1
        let isWrong = diagnostics.contains { $0.severity == .error }
        result.predicates.append((found, found.text.span, isWrong))
        if isWrong { result.code = result.code.combined(with: read.code == .success ? .refused : read.code) }
        if isBinary {
            if !diagnostics.isEmpty { result.hidden.append((read.source, found.owner, diagnostics)) }
        } else {
            result.diagnostics += diagnostics
        }
        return true
    }

    /// The text of a predicate, and its findings that are reported.
    package func check(_ index: Int) -> (read: PredicateText, diagnostics: [PredicateDiagnostic]) {
        let (read, all) = linter.check(predicates[index], model, bytes)
        let diagnostics = all.filter {
            linter.filter.reports($0)
                && (comments.isEmpty || !comments.ignores($0, line: places.position(of: $0.span.start).line))
        }
        return (read, diagnostics)
    }
}
