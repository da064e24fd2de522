// Spans of a corrected text as spans of the original text.

/// The replacements that turned the original text into the corrected one, in steps.
struct SpanMap {
    /// A replaced part: its span before and after the step.
    private struct Replacement {
        let old: SourceSpan
        let new: SourceSpan
    }

    let source: [UInt8]
    private var steps: [[Replacement]] = []

    init(_ source: [UInt8]) { self.source = source }

    var count: Int { steps.count }

    mutating func append(_ edits: [PredicateDiagnostic.FixIt]) {
        var shift = 0
        steps.append(
            edits.ordered { $0.span.start < $1.span.start }.map { edit in
                let start = edit.span.start + shift
                shift += edit.replacement.utf8.count - edit.span.count
                return Replacement(old: edit.span, new: SourceSpan(start, start + edit.replacement.utf8.count))
            })
    }

    /// The span in the original text. A span inside of replaced text is that of the replaced text.
    func original(_ span: SourceSpan) -> SourceSpan {
        var (start, end) = (span.start, span.end)
        for parts in steps.reversed() {
            let isEmpty = start == end
            start = Self.start(start, parts)
            end = isEmpty ? start : Self.end(end, parts)
        }
        return SourceSpan(start, max(start, end))
    }

    /// The span before the last repair.
    func undone(_ position: Int) -> Int { steps.last.map { Self.start(position, $0) } ?? position }

    /// Whether a replacement of the span can be written in the original text: it does not cut a replaced part.
    func isWhole(_ span: SourceSpan) -> Bool {
        var (start, end) = (span.start, span.end)
        for parts in steps.reversed() {
            func cuts(_ offset: Int) -> Bool { parts.contains { $0.new.start < offset && offset < $0.new.end } }
            if cuts(start) || cuts(end) { return false }
            let isEmpty = start == end
            start = Self.start(start, parts)
            end = isEmpty ? start : Self.end(end, parts)
        }
        return true
    }

    private static func start(_ offset: Int, _ parts: [Replacement]) -> Int {
        var shift = 0
        for part in parts {
            if offset < part.new.start { break }
            if offset < part.new.end { return part.old.start }
            shift = part.old.end - part.new.end
        }
        return offset + shift
    }

    private static func end(_ offset: Int, _ parts: [Replacement]) -> Int {
        var shift = 0
        for part in parts {
            if offset <= part.new.start { break }
            if offset <= part.new.end { return part.old.end }
            shift = part.old.end - part.new.end
        }
        return offset + shift
    }
}
