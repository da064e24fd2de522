// NSExpression's initialisers.
#if !canImport(ObjectiveC)
    public import Foundation

    extension ObjectFactory where Self == _FoundationClasses.Expression {
        /// Parses a format string: `price * %@`. If it is invalid, ends the process with the diagnostic.
        public init(format: String, _ arguments: Any?...) { self.init(format, arguments, countsArguments: false) }

        /// Parses a format string with its arguments in an array.
        public init(format: String, argumentArray: [Any]) { self.init(format, argumentArray, countsArguments: true) }

        /// Parses a format string with C variable arguments.
        public init(format: String, arguments: CVaListPointer) {
            self.init(format, FormatVariables.read(arguments, for: format), countsArguments: false)
        }

        /// Parses a format string that may be invalid, such as one that a user typed.
        ///
        /// - Throws: `PredicateFailure` with every error.
        public init(checking format: String, _ arguments: Any?...) throws(PredicateFailure) {
            try self.init(checking: format, argumentArray: arguments as [Any])
        }

        /// Parses a format string that may be invalid, with its arguments in an array.
        ///
        /// - Throws: the same errors as `init(checking:_:)`.
        public init(checking format: String, argumentArray: [Any]) throws(PredicateFailure) {
            self.init(ExpressionContent(try BlockFormula.parse(format, argumentArray)))
        }

        /// A constant: any value or object.
        public init(forConstantValue value: Any?) {
            self.init(
                Trap.unlessThrown("NSExpression(forConstantValue:)", instead: "PredicateValue(converting:)") {
                    () throws(PredicateFailure) in ExpressionNode(.value(try HostValue.value(value)))
                })
        }

        /// `SELF`
        public static func expressionForEvaluatedObject() -> Self { Self(ExpressionNode(.selfObject)) }

        /// `ANYKEY`
        public static func expressionForAnyKey() -> Self { Self(ExpressionNode(.anyKey)) }

        /// `$name`
        public init(forVariable name: String) { self.init(ExpressionNode(.variable(name))) }

        /// A key path with components separated by dots.
        public init(forKeyPath keyPath: String) { self.init(FormatExpression.key(keyPath).root) }

        /// The keys of a key path: by the key table of a published type, or the names of a struct's stored properties.
        ///
        ///     NSExpression(forKeyPath: \Person.name)
        ///
        /// Ends the process for other properties, as on Apple's platforms for one without `@objc`. Write their names:
        /// `NSExpression(forKeyPath: "name")`.
        public init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
            guard let keys = KeyPathNames.keys(of: keyPath) else { Trap.stop("\(keyPath) has no key") }
            self.init(ExpressionNode(.keyPath(keys)))
        }

        /// Converts an expression of the macro `#Expression` for a published type; nil if it has no format. To get the
        /// reason, use `FormatExpression(_:)`.
        public init?<Root: Queryable, Value>(_ expression: Foundation.Expression<Root, Value>) {
            guard let format = try? FormatExpression(expression) else { return nil }
            self.init(ExpressionContent(BlockFormula(format, .published)))
        }

        /// A call of one of the language's functions by its selector: `sum:`. Arguments that are not expressions are
        /// constants. Ends the process for another name, as on Apple's platforms.
        public init(forFunction name: String, arguments: [Any]) {
            let (nodes, blocks) = Self.nodes(arguments)
            Trap.unlessThrown("NSExpression(forFunction:arguments:)", instead: "NSExpression(checking:)") {
                () throws(PredicateFailure) in try Self.check(function: name)
            }
            self.init(ExpressionNode(function: name, nodes), blocks)
        }

        /// `FUNCTION(target, "selector", …)`
        public init(forFunction target: Self, selectorName: String, arguments: [Any]?) {
            let (nodes, blocks) = Self.nodes(arguments ?? [])
            self.init(
                ExpressionNode(method: selectorName, of: target.formula.root.root, nodes),
                blocks + target.formula.blocks)
        }

        /// `{a, b, 3}`
        public init(forAggregate subexpressions: [Any]) {
            let (nodes, blocks) = Self.nodes(subexpressions)
            self.init(ExpressionNode(.aggregate(nodes)), blocks)
        }

        /// `left UNION right`
        public init(forUnionSet left: Self, with right: Self) { self.init(.union, left, right) }

        /// `left INTERSECT right`
        public init(forIntersectSet left: Self, with right: Self) { self.init(.intersect, left, right) }

        /// `left MINUS right`
        public init(forMinusSet left: Self, with right: Self) { self.init(.minus, left, right) }

        /// `SUBQUERY(collection, $variable, predicate)`
        public init(forSubquery collection: Self, usingIteratorVariable variable: String, predicate: NSPredicate) {
            let (collection, condition) = (collection.formula, BlockFormula.predicate(predicate))
            let kind = ExpressionNode.Kind.subquery(collection.root.root, variable: variable, condition.root.root)
            self.init(ExpressionNode(kind), collection.blocks + condition.blocks)
        }

        /// `TERNARY(predicate, a, b)`
        public init(forConditional predicate: NSPredicate, trueExpression: Self, falseExpression: Self) {
            let condition = BlockFormula.predicate(predicate)
            let (one, other) = (trueExpression.formula, falseExpression.formula)
            let kind = ExpressionNode.Kind.ternary(condition.root.root, one.root.root, other.root.root)
            self.init(ExpressionNode(kind), condition.blocks + one.blocks + other.blocks)
        }

        /// A closure, called with the object and the values of the arguments.
        public init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [Self]?) {
            let operands = arguments ?? []
            var (nodes, blocks) = Self.nodes(operands)
            nodes.insert(ExpressionNode(.selfObject), at: 0)
            let name = blocks.add(arity: nodes.count) { values in
                block(values[0], values.dropFirst().map { $0 ?? NSNull() }, nil)
            }
            let formula = BlockFormula(FormatExpression(ExpressionNode(.call(name, nodes))), blocks)
            self.init(ExpressionContent(formula, block: (block, operands)))
        }

        private static func check(function name: String) throws(PredicateFailure) {
            let syntax = BinaryOperator.allCases.compactMap(\.selector) + [SyntaxSelector.element, SyntaxSelector.cast]
            let names = FunctionCatalog.standard.functionNames + syntax
            guard !names.contains(name) else { return }
            let nearest = Suggestions.nearest(to: name, in: names)
            throw PredicateFailure(.unknownFunction, name, "", suggestion: nearest)
        }

        private init(_ content: ExpressionContent) {
            self = Self.made(ExpressionObjects.make(content), by: "NSExpression")
        }

        private init(_ node: ExpressionNode, _ blocks: Blocks = Blocks()) {
            self.init(ExpressionContent(BlockFormula(FormatExpression(node), blocks)))
        }

        private init(_ operation: BinaryOperator, _ left: Self, _ right: Self) {
            let (left, right) = (left.formula, right.formula)
            self.init(ExpressionNode(.binary(operation, left.root.root, right.root.root)), left.blocks + right.blocks)
        }

        private init(_ format: String, _ arguments: [Any?], countsArguments: Bool) {
            let formula = Trap.unlessThrown(
                "NSExpression(format:)", instead: "NSExpression(checking:)", countsArguments: countsArguments
            ) {
                () throws(PredicateFailure) in try BlockFormula<FormatExpression>.parse(format, arguments)
            }
            self.init(ExpressionContent(formula))
        }

        /// The trees of expressions and constants.
        private static func nodes(_ objects: [Any]) -> ([ExpressionNode], Blocks) {
            let arguments = Trap.unlessThrown("NSExpression", instead: "PredicateValue(converting:)") {
                () throws(PredicateFailure) in try Arguments(objects)
            }
            return (arguments.values.map(\.node), arguments.blocks)
        }
    }

    extension FormatArgument {
        fileprivate var node: ExpressionNode {
            switch self {
            case .value(let value): ExpressionNode(.value(value))
            case .expression(let node): node
            }
        }
    }
#endif
