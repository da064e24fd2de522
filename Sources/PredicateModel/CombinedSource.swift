// The text of a predicate that is put together in code out of parts that were read: each part keeps its own text, so that
// a finding about the whole shows the words that it is about.
import PredicateSyntax

/// Collects the texts of parts, one after another on lines of their own, and moves the spans of each part to its place.
///
///     var source = CombinedSource()
///     let left = source.add(adult)      // age >= 21
///     let right = source.add(named)     // name BEGINSWITH "A"
///     source.text                       // both lines
///
/// A part that was built in code has no text and no spans. A text that equals the one so far is shared.
struct CombinedSource {
    private(set) var text: String
    private(set) var warnings: [Diagnostic]

    /// - Parameter first: a part whose spans stay as they are.
    init(_ first: FormatPredicate? = nil) {
        text = first?.source ?? ""
        warnings = first?.warnings ?? []
    }

    mutating func add(_ part: FormatPredicate) -> PredicateNode {
        let offset = add(part.source, part.warnings)
        return offset == 0 ? part.root : part.root.movingSpans { $0.moved(by: offset) }
    }

    mutating func add(_ part: FormatExpression) -> ExpressionNode {
        let offset = add(part.source, part.warnings)
        return offset == 0 ? part.root : part.root.movingSpans { $0.moved(by: offset) }
    }

    /// - Returns: where the part's text begins.
    private mutating func add(_ source: String, _ found: [Diagnostic]) -> Int {
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

extension Diagnostic {
    fileprivate func moved(by offset: Int) -> Diagnostic {
        guard offset != 0 else { return self }
        return Diagnostic(
            id, at: span.moved(by: offset), details: details, severity: severity, suggestion: suggestion,
            fixIts: fixIts.map { FixIt($0.span.moved(by: offset), $0.replacement) })
    }
}
