// The answer of a function in MistakeTable.swift.

/// What was meant at an error: the diagnostic, and how the pass continues.
struct Mistake {
    enum Next {
        /// Parse the text again with these replacements. They need not be certain.
        case read([PredicateDiagnostic.FixIt])
        /// Continue with the next error of the same text.
        case skip
        /// Report nothing after this mistake, because its end is unknown, as after a missing quote.
        case stop
    }

    let id: DiagnosticID
    var span: SourceSpan
    var details: [String] = []
    var suggestion: String?
    /// Replacements that certainly correct the text; empty if that is not certain.
    var fixIts: [PredicateDiagnostic.FixIt] = []
    var severity: PredicateDiagnostic.Severity?
    var next: Next

    @inline(never)
    init(
        _ id: DiagnosticID, at span: SourceSpan, _ details: String..., suggestion: String? = nil,
        fixIts: [PredicateDiagnostic.FixIt] = []
    ) {
        self.id = id
        self.span = span
        self.details = details
        self.suggestion = suggestion
        self.fixIts = fixIts
        next = fixIts.isEmpty ? .skip : .read(fixIts)
    }

    /// An error whose message is complete.
    init(_ diagnostic: PredicateDiagnostic) {
        (id, span, details) = (diagnostic.id, diagnostic.span, diagnostic.details)
        (suggestion, fixIts, severity) = (diagnostic.suggestion, diagnostic.fixIts, diagnostic.severity)
        next = .skip
    }

    /// A word or sign in place of an operator.
    @inline(never)
    static func operatorMeant(_ context: ErrorContext, _ span: SourceSpan, _ meant: String) -> Mistake {
        Mistake(.unknownOperator, at: span, context.text(span), suggestion: meant, fixIts: .fix(span, meant))
    }

    /// The same mistake, with a replacement for parsing only, which is no fix-it.
    func reading(_ span: SourceSpan, as text: String) -> Mistake { followed(by: .read(.fix(span, text))) }

    /// The same mistake, with an unknown value in place of the span.
    func reading(asValue span: SourceSpan) -> Mistake { reading(span, as: ErrorContext.hole) }

    var stopping: Mistake { followed(by: .stop) }
    var skipping: Mistake { followed(by: .skip) }

    @inline(never)
    private func followed(by next: Next) -> Mistake {
        var copy = self
        copy.next = next
        return copy
    }
}

extension [PredicateDiagnostic.FixIt] {
    /// One replacement.
    @inline(never)
    static func fix(_ span: SourceSpan, _ text: String) -> Self { [PredicateDiagnostic.FixIt(span, text)] }
}
