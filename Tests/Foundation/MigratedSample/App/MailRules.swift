import Foundation
import PredicateFoundation

struct MailRule {
    enum Condition {
        case contains, equals, beginsWith, notEquals
    }

    let field: String
    let condition: Condition
    let text: String

    var predicate: NSPredicate {
        let type: NSComparisonPredicate.Operator
        switch condition {
        case .contains: type = .contains
        case .equals: type = .equalTo
        case .beginsWith: type = .beginsWith
        case .notEquals: type = .notEqualTo
        }
        return NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: field),
            rightExpression: NSExpression(forConstantValue: text),
            modifier: .direct,
            type: type,
            options: [.caseInsensitive, .diacriticInsensitive])
    }
}

final class MailRuleSet {
    var rules: [MailRule] = []
    var matchesAll = true

    var predicate: NSPredicate {
        NSCompoundPredicate(type: matchesAll ? .and : .or, subpredicates: rules.map { $0.predicate })
    }

    func filter(_ messages: [[String: Any]]) -> [[String: Any]] { messages.filter { predicate.evaluate(with: $0) } }
}
