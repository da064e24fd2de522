// The initialiser and the properties of NSComparisonPredicate.
#if !canImport(ObjectiveC)
    public import Foundation

    extension ObjectFactory where Self == _FoundationClasses.Comparison {
        /// A comparison of two expressions. BETWEEN has no options.
        public init(
            leftExpression left: NSExpression,
            rightExpression right: NSExpression,
            modifier: NSComparisonPredicate.Modifier,
            type: NSComparisonPredicate.Operator,
            options: NSComparisonPredicate.Options = []
        ) {
            self.init(left, ComparisonOperator(type), right, ComparisonModifier(modifier), ComparisonOptions(options))
        }

        /// A comparison by a method of the left operand, which takes the right one and returns a Boolean. It can be
        /// converted, printed and compared; evaluation refuses it, because methods cannot be called by name.
        public init(
            leftExpression left: NSExpression,
            rightExpression right: NSExpression, customSelector selector: Selector
        ) {
            self.init(left, .custom(selector.description), right, .direct, [])
        }

        private init(
            _ left: NSExpression, _ operation: ComparisonOperator,
            _ right: NSExpression, _ modifier: ComparisonModifier, _ options: ComparisonOptions
        ) {
            let (one, other) = (BlockFormula.expression(left), BlockFormula.expression(right))
            let comparison = FormatPredicate.comparison(
                one.root, operation, other.root, modifier: modifier, options: options)
            self = Self.made(
                PredicateObjects.make(BlockFormula(comparison, one.blocks + other.blocks)), by: "NSComparisonPredicate")
        }

        private var formula: BlockFormula<FormatPredicate> { .predicate(self) }

        private var comparison: ComparisonNode {
            if case .comparison(let comparison) = formula.root.root.kind { return comparison }
            Trap.stop("this NSComparisonPredicate has no comparison")
        }

        private func object(_ node: ExpressionNode) -> NSExpression {
            ExpressionObjects.make(node, formula.blocks)
        }

        /// The left operand.
        public var leftExpression: NSExpression { object(comparison.left) }

        /// The right operand.
        public var rightExpression: NSExpression { object(comparison.right) }

        /// The operator. Foundation's type has no case `customSelector`: for an operator with a `customSelector`, ends
        /// the process.
        public var predicateOperatorType: NSComparisonPredicate.Operator {
            if let kind = comparison.operator.kind { return kind }
            Trap.stop("'\(comparison.operator.spelling)' has no operator type; test whether customSelector is nil")
        }

        /// The selector of an operator that has no `predicateOperatorType`: the method of a custom operator, or the name
        /// of `UTI-CONFORMS-TO`, `UTI-EQUALS` and `TOKENMATCHES`. nil for other operators.
        public var customSelector: Selector? {
            let operation = comparison.operator
            return operation.kind == nil ? Selector(operation.spelling) : nil
        }

        /// ANY, ALL or neither.
        public var comparisonPredicateModifier: NSComparisonPredicate.Modifier {
            comparison.modifier.scope
        }

        /// The options `[c]`, `[d]`, `[n]`.
        public var options: NSComparisonPredicate.Options {
            NSComparisonPredicate.Options(rawValue: UInt(comparison.options.rawValue))
        }
    }
#endif
