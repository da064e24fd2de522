// Diagnostics with their positions in a text, as JSON for editors, web clients and programs. The command's
// `--output json` writes the same fields.

extension PredicateDiagnostic {
    /// A diagnostic with its position in a text. The names of the fields are API.
    ///
    ///     let json = try JSONEncoder().encode(diagnostic.located(in: text))
    ///     // {"id":"unknown-operator","severity":"error","message":…,"start":5,"end":14,"utf16Start":5,…}
    ///
    /// `start` and `end` are UTF-8 offsets, `utf16Start` and `utf16End` those of strings in JavaScript and NSString;
    /// `line` and `column` count from 1, columns in Unicode scalars. `hint` is the text under the caret.
    public struct Located: Encodable, Sendable, Equatable {
        /// A correction: apply all of its edits or none.
        public struct FixIt: Encodable, Sendable, Equatable {
            public let title: String
            public let edits: [Edit]
        }

        /// The replacement of a part of the text.
        public struct Edit: Encodable, Sendable, Equatable {
            public let start, end, utf16Start, utf16End: Int
            public let replacement: String
        }

        public let id, severity, message: String
        public let start, end, line, column, utf16Start, utf16End: Int
        public let hint: String?
        public let suggestions: [String]?
        public let fixits: [FixIt]?

        package init(_ diagnostic: PredicateDiagnostic, _ lines: SourceLines, firstLine: Int = 1) {
            func units(_ offset: Int) -> Int { lines.units(upTo: lines.clamped(offset)) }
            let (span, place) = (diagnostic.span, lines.position(of: diagnostic.span.start))
            (id, severity, message) = (diagnostic.id.rawValue, diagnostic.severity.rawValue, diagnostic.message)
            (start, end, line, column) = (span.start, span.end, place.line + firstLine - 1, place.column)
            (utf16Start, utf16End) = (units(span.start), units(span.end))
            hint = diagnostic.label
            suggestions = diagnostic.suggestion.map { [$0] }
            fixits = diagnostic.fixTitle(lines).map { title in
                let edits = diagnostic.fixIts.map {
                    Edit(
                        start: $0.span.start, end: $0.span.end, utf16Start: units($0.span.start),
                        utf16End: units($0.span.end), replacement: $0.replacement)
                }
                return [FixIt(title: title, edits: edits)]
            }
        }
    }

    /// The diagnostic with its position in the text that it is about.
    ///
    ///     let found = failure.diagnostics.map { $0.located(in: text) }
    ///
    /// Cost: reads the text.
    public func located(in source: String) -> Located { Located(self, SourceLines(source)) }
}

extension DiagnosedError {
    /// The diagnostics with their positions in the text.
    public var located: [PredicateDiagnostic.Located] {
        let lines = SourceLines(source)
        return diagnostics.map { PredicateDiagnostic.Located($0, lines) }
    }
}
