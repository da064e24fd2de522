// The implementation of NSExpression objects: the tree of an expression, and closures, which a tree cannot hold.
#if !canImport(ObjectiveC)
    import Foundation

    final class ExpressionContent {
        /// The closure and the arguments of a block expression.
        typealias Block = (body: (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [ExpressionClass])

        let formula: BlockFormula<FormatExpression>
        let block: Block?

        init(_ formula: BlockFormula<FormatExpression>, block: Block? = nil) {
            (self.formula, self.block) = (formula, block)
        }
    }

    /// An expression object of this module.
    protocol ExpressionObject: NSObject {
        var content: ExpressionContent? { get }
    }

    /// Creates expression objects.
    enum ExpressionObjects {
        static func make(_ content: ExpressionContent) -> NSObject {
            let object = ExpressionBody(content)
            let maker: any ClassSource = ExpressionInstances()
            reclassify(object, as: maker.type)
            return object
        }

        static func make(_ node: ExpressionNode, _ blocks: Blocks) -> ExpressionClass {
            let object = make(ExpressionContent(BlockFormula(FormatExpression(node), blocks)))
            if let expression = object as? ExpressionClass { return expression }
            Trap.stop("an expression is not an NSExpression")
        }
    }

    extension BlockFormula<FormatExpression> {
        static func expression(_ object: ExpressionClass) -> BlockFormula {
            (object as? any ExpressionObject)?.content?.formula ?? .init(FormatExpression(ExpressionNode(.error)))
        }

        /// Parses a format with any objects as arguments.
        static func parse(_ format: String, _ objects: [Any?]) throws(PredicateFailure) -> BlockFormula {
            let arguments = try Arguments(objects)
            let expression = try FormatExpression(format, formatArguments: arguments.values)
            return try BlockFormula(expression, arguments.blocks).checked()
        }

        /// Evaluates the expression for an object and returns the result as an object.
        func value(_ object: Any?, _ variables: [String: Any]) throws(PredicateFailure) -> Any? {
            let variables = try HostValue.variables(variables)
            let object = try HostValue.value(object, published: blocks.isPublishedOnly)
            return try root.evaluate(object, variables: variables).anyValue
        }
    }

    /// An expression object before its class is set.
    private final class ExpressionBody: NSObject {
        var content: ExpressionContent?
        init(_ content: ExpressionContent) { self.content = content }
    }

    private struct ExpressionInstances: ClassSource {
        @available(*, deprecated) var type: AnyClass { ExpressionInstance.self }
    }

    /// An expression. Its stored properties are the same as those of `ExpressionBody`.
    @available(*, deprecated)
    private final class ExpressionInstance: NSExpression, ExpressionObject {
        var content: ExpressionContent?

        override var description: String { content?.formula.text ?? "" }
        override var hash: Int { content?.formula.root.hashValue ?? 0 }
        override func isEqual(_ object: Any?) -> Bool {
            guard let other = HostValue.reference(object, as: ExpressionInstance.self) else { return false }
            return content?.formula.root == other.content?.formula.root
        }
        override func copy(with zone: NSZone? = nil) -> Any { self }
    }
#endif
