import PredicateCompatibility

/// Explains a predicate to people.
struct PredicateDescriber {
    func describe(_ predicate: NSPredicate) -> String {
        if let compound = predicate as? NSCompoundPredicate {
            return describe(compound)
        } else if let comparison = predicate as? NSComparisonPredicate {
            return describe(comparison)
        }
        return predicate.evaluate(with: nil) ? "always" : "never"
    }

    private func describe(_ compound: NSCompoundPredicate) -> String {
        let parts = compound.subpredicates.compactMap { $0 as? NSPredicate }.map(describe)
        switch compound.compoundPredicateType {
        case .and: return parts.joined(separator: " and ")
        case .or: return "either " + parts.joined(separator: " or ")
        case .not: return "not " + parts.joined()
        }
    }

    private func describe(_ comparison: NSComparisonPredicate) -> String {
        let left = describe(comparison.leftExpression)
        let right = describe(comparison.rightExpression)
        let verb: String
        switch comparison.predicateOperatorType {
        case .equalTo: verb = "is"
        case .notEqualTo: verb = "is not"
        case .greaterThan: verb = "is over"
        case .lessThan: verb = "is under"
        case .contains: verb = "contains"
        case .beginsWith: verb = "starts with"
        default: verb = "matches"
        }
        let ignoring = comparison.options.contains(.caseInsensitive) ? " (any case)" : ""
        let quantifier = comparison.comparisonPredicateModifier == .any ? "one of " : ""
        return quantifier + [left, verb, right].joined(separator: " ") + ignoring
    }

    private func describe(_ expression: NSExpression) -> String {
        switch expression.expressionType {
        case .keyPath: return expression.keyPath
        case .constantValue: return "\(expression.constantValue ?? "nothing")"
        case .variable: return "the " + expression.variable
        case .function:
            return expression.function + "(" + (expression.arguments ?? []).map(describe).joined(separator: ", ") + ")"
        default: return "\(expression)"
        }
    }
}
