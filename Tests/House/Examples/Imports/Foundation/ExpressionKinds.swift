// A row of an editor for each kind of expression: extensions and conformances of NSExpression and its nested type.
import Foundation

protocol EditorRow { static var title: String { get } }

extension NSExpression: EditorRow {
    typealias Kind = NSExpression.ExpressionType
    static var title: String { "expression" }
    static func titles(_ kinds: [Kind]) -> [String] { kinds.map(\.title) }
}

extension NSComparisonPredicate: EditorRow {
    typealias Kind = NSComparisonPredicate.Operator
    static var title: String { "comparison" }
    static func isOrder(_ kind: Kind) -> Bool { [.lessThan, .greaterThan].contains(kind) }
}

extension NSExpression.ExpressionType: @retroactive CustomStringConvertible {
    public var description: String { title }

    var title: String {
        switch self {
        case .constantValue: "constant"
        case .keyPath: "key"
        case .function, .block: "call"
        case .unionSet, .intersectSet, .minusSet: "set"
        default: "other"
        }
    }
}

func expressionKinds() -> [String] {
    let rows: [any EditorRow.Type] = [NSExpression.self, NSComparisonPredicate.self]
    let kinds: [NSExpression.Kind] = [.constantValue, .keyPath, .block, .minusSet, .anyKey]
    let orders = "\(NSComparisonPredicate.isOrder(.lessThan)) \(NSComparisonPredicate.isOrder(.like))"
    return rows.map { $0.title } + NSExpression.titles(kinds) + [kinds.description, orders]
}
