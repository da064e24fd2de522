// Function expressions in the form of NSExpression. There, arithmetic, indices, CAST and keys after an expression are
// calls by selector; in our tree they are syntax.

extension ExpressionNode {
    /// A call in the form of NSExpression.
    struct Call {
        var selector: String
        var target: ExpressionNode
        var arguments: [ExpressionNode]
    }

    /// The selector for a key after an expression that is not a key path: `$x.name`.
    static let stepSelector = "valueForKeyPath:"

    /// The object on which the functions of the language are called.
    static let utilities = ExpressionNode(.value(.type(utilitiesClass)))
    static let utilitiesClass = "_NSPredicateUtilities"

    /// The call of a function expression; nil for other expressions.
    var call: Call? {
        func function(_ selector: String, _ arguments: [ExpressionNode]) -> Call {
            Call(selector: selector, target: Self.utilities, arguments: arguments)
        }
        switch kind {
        case .binary(let operation, let left, let right): return operation.selector.map { function($0, [left, right]) }
        case .call(let name, let arguments): return function(name, arguments)
        case .index(let base, let index): return function(SyntaxSelector.element, [base, index])
        case .cast(let base, let type):
            return function(SyntaxSelector.cast, [base, ExpressionNode(.value(.string(type)))])
        case .negation(let operand):
            return function(BinaryOperator.subtract.selector ?? "", [ExpressionNode(.value(.integer(0))), operand])
        case .method(let target, let selector, let arguments):
            return Call(selector: selector, target: target, arguments: arguments)
        case .member(let base, let step): return Call(selector: Self.stepSelector, target: base, arguments: [step])
        default: return nil
        }
    }

    /// The node of a function of the language.
    init(function selector: String, _ arguments: [ExpressionNode]) {
        self.init(Self.kind(function: selector, arguments))
    }

    /// The node of a call on an expression.
    init(method selector: String, of target: ExpressionNode, _ arguments: [ExpressionNode]) {
        if selector == Self.stepSelector, arguments.count == 1 {
            self.init(.member(target, step: arguments[0]))
        } else {
            self.init(.method(target, selector: selector, arguments))
        }
    }

    private static func kind(function selector: String, _ arguments: [ExpressionNode]) -> Kind {
        guard arguments.count == 2 else { return .call(selector, arguments) }
        if let operation = BinaryOperator.allCases.first(where: { $0.selector == selector }) {
            return .binary(operation, arguments[0], arguments[1])
        }
        if selector == SyntaxSelector.element { return .index(arguments[0], arguments[1]) }
        if selector == SyntaxSelector.cast {
            switch arguments[1].kind {
            case .value(.string(let type)), .value(.type(let type)): return .cast(arguments[0], type: type)
            default: break
            }
        }
        return .call(selector, arguments)
    }
}
