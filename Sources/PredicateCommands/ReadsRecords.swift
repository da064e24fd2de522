// Determines whether the value of a predicate or an expression depends on a record.

import PredicateModel
import PredicateSyntax

extension PredicateText.Tree {
    /// Whether the value depends on a record.
    var readsRecords: Bool {
        switch self {
        case .predicate(let predicate): predicate.root.readsRecords
        case .expression(let expression): expression.root.readsRecords
        }
    }
}

extension ExpressionNode {
    /// Whether the value depends on a record.
    var readsRecords: Bool {
        switch kind {
        case .keyPath, .selfObject, .anyKey, .term: return true
        default: break
        }
        var found = false
        kind.forEachChild({ if $0.readsRecords { found = true } }, { if $0.readsRecords { found = true } })
        return found
    }
}

extension PredicateNode {
    fileprivate var readsRecords: Bool {
        var found = false
        kind.forEachChild({ if $0.readsRecords { found = true } }, { if $0.readsRecords { found = true } })
        return found
    }
}
