import PredicateSyntax
extension CommandDescription {
    static let filter = CommandDescription(name: "filter", summary: "selects the records for which a predicate is true", operands: "PREDICATE [FILE…]", operandCount: 0...1000, options: [], examples: []) { _ in .success }
}
