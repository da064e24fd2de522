// The initialiser and the properties of NSComparisonPredicate.
#if !canImport(ObjectiveC)
    import Foundation
    import PredicateModel
    import PredicateSyntax

    extension ObjectFactory where Self == Resolved<DeprecatedNames>.Comparison {
        /// A comparison of two expressions. BETWEEN has no options.
        public init(
            leftExpression left: Resolved<DeprecatedNames>.Expression,
            rightExpression right: Resolved<DeprecatedNames>.Expression,
            modifier: Resolved<DeprecatedNames>.ComparisonScope,
            type: Resolved<DeprecatedNames>.ComparisonKind,
            options: Resolved<DeprecatedNames>.ComparisonFlags = []
        ) {
            self.init(left, ComparisonOperator(type), right, ComparisonModifier(modifier), ComparisonOptions(options))
        }

        /// A comparison by a method of the left operand, which takes the right one and returns a Boolean. It can be
        /// converted, printed and compared; evaluation refuses it, because methods cannot be called by name.
        public init(
            leftExpression left: Resolved<DeprecatedNames>.Expression,
            rightExpression right: Resolved<DeprecatedNames>.Expression, customSelector selector: Selector
        ) {
            self.init(left, .custom(selector.description), right, .direct, [])
        }

        private init(
            _ left: Resolved<DeprecatedNames>.Expression, _ operation: ComparisonOperator,
            _ right: Resolved<DeprecatedNames>.Expression, _ modifier: ComparisonModifier, _ options: ComparisonOptions
        ) {
            let (one, other) = (Formula.expression(left), Formula.expression(right))
            var blocks = one.blocks
            blocks.add(other.blocks)
            let comparison = FormatPredicate.comparison(
                one.root, operation, other.root, modifier: modifier, options: options)
            self = Self.made(PredicateObjects.make(Formula(comparison, blocks)), by: "NSComparisonPredicate")
        }

        private var formula: Formula<FormatPredicate> { .predicate(self) }

        private var comparison: ComparisonNode {
            if case .comparison(let comparison) = formula.root.root.kind { return comparison }
            Trap.stop("this NSComparisonPredicate has no comparison")
        }

        private func object(_ node: ExpressionNode) -> Resolved<DeprecatedNames>.Expression {
            ExpressionObjects.make(node, formula.blocks)
        }

        /// The left operand.
        public var leftExpression: Resolved<DeprecatedNames>.Expression { object(comparison.left) }

        /// The right operand.
        public var rightExpression: Resolved<DeprecatedNames>.Expression { object(comparison.right) }

        /// The operator. Foundation's type has no case `customSelector`: for an operator with a `customSelector`, ends
        /// the process.
        public var predicateOperatorType: Resolved<DeprecatedNames>.ComparisonKind {
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
        public var comparisonPredicateModifier: Resolved<DeprecatedNames>.ComparisonScope {
            comparison.modifier.scope
        }

        /// The options `[c]`, `[d]`, `[n]`.
        public var options: Resolved<DeprecatedNames>.ComparisonFlags {
            Resolved<DeprecatedNames>.ComparisonFlags(rawValue: UInt(comparison.options.rawValue))
        }
    }
#endif
