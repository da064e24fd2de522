// Expressions by name and operator: factories, a computed property and a protocol in extensions of NSExpression.
import Foundation

protocol Term { var formula: String { get } }

extension NSExpression: Term {
    static func key(_ path: String) -> NSExpression { NSExpression(forKeyPath: path) }
    static func value(_ value: Any?) -> NSExpression { NSExpression(forConstantValue: value) }
    static func sum(_ terms: NSExpression...) -> NSExpression {
        NSExpression(forFunction: "sum:", arguments: [NSExpression(forAggregate: terms)])
    }

    var formula: String { description }

    var names: [String] {
        switch expressionType {
        case .keyPath: [keyPath]
        case .function: (arguments ?? []).flatMap(\.names)
        case .aggregate: (collection as? [NSExpression] ?? []).flatMap(\.names)
        default: []
        }
    }

    static func + (left: NSExpression, right: NSExpression) -> NSExpression {
        NSExpression(forFunction: "add:to:", arguments: [left, right])
    }
}

func expressionBuilder() -> [String] {
    let row: [String: Any] = ["price": 3, "tax": 2]
    let next: NSExpression = .key("price") + .value(1)
    var lines: [String] = []
    for term in [.key("price"), .value(5), next, .sum(.key("price"), .key("tax"))] as [NSExpression] {
        let value = term.expressionValue(with: row, context: nil) ?? "nil"
        lines.append("\((term as any Term).formula) \(value) \(term.names)")
    }
    return lines
}
