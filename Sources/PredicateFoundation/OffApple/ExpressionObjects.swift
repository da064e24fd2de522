// The objects behind NSExpression: an expression's tree, and what a tree cannot hold.
#if !canImport(ObjectiveC)
    import Foundation
    import PredicateEvaluation
    import PredicateModel
    import PredicateSyntax

    /// What an expression object has.
    final class ExpressionContent {
        let formula: Formula<FormatExpression>
        /// The closure and the arguments of a block expression.
        let block: (body: (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [ExpressionClass])?

        init(
            _ formula: Formula<FormatExpression>,
            block: (body: (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [ExpressionClass])? = nil
        ) {
            self.formula = formula
            self.block = block
        }
    }

    /// An expression object of this module.
    protocol ExpressionObject: NSObject {
        var content: ExpressionContent? { get }
    }

    /// Makes expression objects.
    enum ExpressionObjects {
        static func make(_ content: ExpressionContent) -> NSObject {
            let object = ExpressionBody(content)
            let maker: any ExpressionMaker = ExpressionInstances()
            reclassify(object, as: maker.type)
            return object
        }

        static func make(_ node: ExpressionNode, _ blocks: Blocks) -> ExpressionClass {
            let object = make(ExpressionContent(Formula(FormatExpression(node), blocks)))
            if let expression = object as? ExpressionClass { return expression }
            Trap.stop("an expression is no NSExpression")
        }
    }

    extension Formula<FormatExpression> {
        /// The formula of an expression object.
        static func expression(_ object: ExpressionClass) -> Formula {
            (object as? any ExpressionObject)?.content?.formula ?? Formula(FormatExpression(ExpressionNode(.error)))
        }

        /// Parses a format with any objects as arguments.
        static func parse(_ format: String, _ objects: [Any?]) throws(PredicateFailure) -> Formula {
            let arguments = try Arguments(objects)
            return Formula(try FormatExpression(format, formatArguments: arguments.values), arguments.blocks)
        }

        /// The value for an object, as an object.
        func value(_ object: Any?, _ variables: [String: Any]) throws(PredicateFailure) -> Any? {
            let variables = try HostValue.variables(variables)
            return HostValue.object(
                try root.evaluate(HostValue.value(object), variables: variables, options: options))
        }
    }

    /// An expression before it has its class.
    private final class ExpressionBody: NSObject {
        var content: ExpressionContent?
        init(_ content: ExpressionContent) { self.content = content }
    }

    /// Gives the class of expressions without mentioning it, which would be a warning.
    private protocol ExpressionMaker {
        var type: AnyClass { get }
    }

    private struct ExpressionInstances: ExpressionMaker {
        @available(*, deprecated) var type: AnyClass { ExpressionInstance.self }
    }

    /// An expression. Its stored properties are those of `ExpressionBody`.
    @available(*, deprecated)
    private final class ExpressionInstance: NSExpression, ExpressionObject {
        var content: ExpressionContent?

        override var description: String { content?.formula.root.description ?? "" }
        override var hash: Int { content?.formula.root.hashValue ?? 0 }
        override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? ExpressionInstance else { return false }
            return content?.formula.root == other.content?.formula.root
        }
        override func copy(with zone: NSZone? = nil) -> Any { self }
    }
#endif
