// Collects the diagnostics of a check.

/// The diagnostics so far. If there are too many, warnings are dropped first, so that they cannot hide an error.
package struct Findings {
    private let limit: Int
    private(set) var errors: [PredicateDiagnostic] = []
    private var warnings: [PredicateDiagnostic] = []

    /// - Parameter found: the first diagnostics.
    package init(_ found: [PredicateDiagnostic] = [], limit: Int) {
        self.limit = limit
        for diagnostic in found { append(diagnostic) }
    }

    /// Adds a diagnostic. The nodes of an argument have one span, so equal mistakes in them are one diagnostic.
    package mutating func append(_ diagnostic: PredicateDiagnostic) {
        func isSame(_ other: PredicateDiagnostic) -> Bool {
            other.id == diagnostic.id && other.span == diagnostic.span && other.details == diagnostic.details
        }
        if diagnostic.severity == .error {
            if errors.count < limit, !errors.contains(where: isSame) { errors.append(diagnostic) }
        } else if warnings.count < limit, !warnings.contains(where: isSame) {
            warnings.append(diagnostic)
        }
    }

    package var inOrder: [PredicateDiagnostic] {
        if errors.isEmpty, warnings.isEmpty { return [] }
        return (errors + warnings).prefix(limit).ordered { $0.span.start < $1.span.start }
    }
}
