// The diagnostics of a check.
import PredicateSyntax

/// A position where a variable is used or gets its value.
struct VariablePlace {
    enum Role {
        case use, subquery, assignment
    }

    let name: String
    let role: Role
    let span: SourceSpan
}

/// The diagnostics so far. If there are too many, warnings are dropped first, so that they cannot hide an error.
struct Findings {
    let limit: Int
    private(set) var errors: [Diagnostic] = []
    private(set) var warnings: [Diagnostic] = []
    /// Whether the parser found errors. Then the parsed conditions may differ from the intended ones.
    private(set) var areBesideErrors = false
    /// Where variables are used, and the SUBQUERYs and assignments that give them values.
    var variables: [VariablePlace] = []

    init(_ given: [Diagnostic] = [], limit: Int) {
        self.limit = limit
        for diagnostic in given { append(diagnostic) }
        areBesideErrors = !errors.isEmpty
    }

    var isFull: Bool { errors.count >= limit }

    mutating func append(_ diagnostic: Diagnostic) {
        if diagnostic.severity == .error {
            errors.append(diagnostic)
        } else if warnings.count < limit {
            warnings.append(diagnostic)
        }
    }

    var inOrder: [Diagnostic] {
        if errors.isEmpty, warnings.isEmpty { return [] }
        return (errors + warnings).prefix(limit).ordered { $0.span.start < $1.span.start }
    }
}
