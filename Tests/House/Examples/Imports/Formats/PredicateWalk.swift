// A visitor over the parts of a format: conformances of NSPredicate's classes, and casts to them.
import Foundation

protocol Visited { func keys() -> [String] }

extension NSExpression: Visited {
    func keys() -> [String] { expressionType == .keyPath ? [keyPath] : [] }
}

extension NSComparisonPredicate: Visited {
    func keys() -> [String] { leftExpression.keys() + rightExpression.keys() }
    var isExact: Bool { predicateOperatorType == .equalTo && options.isEmpty && comparisonPredicateModifier == .direct }
}

extension NSCompoundPredicate: Visited {
    func keys() -> [String] { subpredicates.flatMap { ($0 as? any Visited)?.keys() ?? [] } }
}

extension NSComparisonPredicate.Operator {
    var isText: Bool { [.beginsWith, .endsWith, .contains, .like, .matches].contains(self) }
}

func predicateWalk() -> [String] {
    let formats = [
        "name == 'Ada' AND (age > 20 OR city.name BEGINSWITH[c] 'p')", "NOT age == other.age", "ANY tags == 'a'",
        "TRUEPREDICATE", "name MATCHES 'a.*'", "age + 1 == 3",
    ]
    var lines: [String] = []
    for predicate in formats.map({ NSPredicate(format: $0) }) {
        var words = (predicate as? any Visited)?.keys() ?? ["no part"]
        if let compound = predicate as? NSCompoundPredicate {
            words.append("\(compound.compoundPredicateType.rawValue)")
        }
        if let comparison = predicate as? NSComparisonPredicate {
            words.append("\(comparison.isExact) \(comparison.predicateOperatorType.isText)")
        }
        lines.append(words.joined(separator: " "))
    }
    return lines
}
