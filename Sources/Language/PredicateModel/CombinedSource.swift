// The source text of a predicate that is combined in code from parsed parts. Each part keeps its text, so that
// diagnostics about the combined predicate can show it.

/// Collects the texts of the parts, each on its own line, and moves the spans of each part to its line.
///
///     var source = CombinedSource()
///     let left = source.add(adult)      // age >= 21
///     let right = source.add(named)     // name BEGINSWITH "A"
///     source.text                       // both lines
///
/// A part built in code has no text and no spans. A part with the same text as the previous parts shares that text.
struct CombinedSource {
    private(set) var text: String
    private(set) var warnings: [PredicateDiagnostic]
    /// The joined environment of the parts; nil without parts.
    private(set) var environment: PredicateEnvironment?

    /// - Parameter first: the first part; its spans do not move.
    init(_ first: FormatPredicate? = nil) {
        text = first?.source ?? ""
        warnings = first?.warnings ?? []
        environment = first?.environment
    }

    mutating func add(_ part: FormatPredicate) -> PredicateNode {
        let offset = add(part.source, part.warnings)
        let isPlain = if case .constant = part.root.kind { true } else { false }
        join(part.environment, isPlain: isPlain)
        return offset == 0 ? part.root : part.root.movingSpans { $0.moved(by: offset) }
    }

    mutating func add(_ part: FormatExpression) -> ExpressionNode {
        let offset = add(part.source, part.warnings)
        join(part.environment, isPlain: part.root.kind.isLeaf)
        return offset == 0 ? part.root : part.root.movingSpans { $0.moved(by: offset) }
    }

    /// - Parameter isPlain: whether the part is a key or a constant, as made in code without an environment.
    private mutating func join(_ other: PredicateEnvironment, isPlain: Bool) {
        if isPlain, other === PredicateEnvironment.standard { return }
        environment = environment?.joined(with: other) ?? other
    }

    /// - Returns: the offset of the part's text.
    private mutating func add(_ source: String, _ found: [PredicateDiagnostic]) -> Int {
        var offset = 0
        if text.isEmpty {
            text = source
        } else if !source.isEmpty, source != text {
            text += "\n"
            offset = text.utf8.count
            text += source
        }
        warnings += found.map { $0.moved(by: offset) }
        return offset
    }
}

extension SourceSpan {
    fileprivate func moved(by offset: Int) -> SourceSpan {
        self == .none ? self : SourceSpan(start + offset, end + offset)
    }
}

extension PredicateDiagnostic {
    fileprivate func moved(by offset: Int) -> PredicateDiagnostic {
        guard offset != 0 else { return self }
        return PredicateDiagnostic(
            id, at: span.moved(by: offset), details: details, severity: severity, suggestion: suggestion,
            fixIts: fixIts.map { FixIt($0.span.moved(by: offset), $0.replacement) })
    }
}

extension PredicateFailure {
    /// The diagnostics about one part of a combined predicate, with their positions in the text of that part.
    ///
    ///     let typed = try FormatPredicate(text: "nmae == 'Ada'")
    ///     let joined = try FormatPredicate("age > 18") && typed
    ///     do { _ = try joined.sql(.sqlite, entity: "Person", in: schema) } catch {
    ///         print(error.located(in: typed))   // Person has no key 'nmae'
    ///     }
    ///
    /// Those about other parts are left out, so that a client sees no text but its own. If several parts have the same
    /// text, the last one is meant. Cost: reads the text.
    public func located(in part: FormatPredicate) -> [PredicateDiagnostic.Located] {
        let (all, text) = (Array((source + "\n").utf8), Array((part.source + "\n").utf8))
        let starts = all.indices.filter { $0 == 0 || all[$0 - 1] == UInt8(ascii: "\n") }
        guard let start = starts.last(where: { all[$0...].starts(with: text) }) else { return [] }
        let isInside = { (span: SourceSpan) in start <= span.start && span.end < start + text.count }
        return diagnostics.filter { $0.span == .none || isInside($0.span) }
            .map { $0.moved(by: -start).located(in: part.source) }
    }
}
