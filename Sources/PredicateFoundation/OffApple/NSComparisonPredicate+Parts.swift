// The initialiser and the properties of NSComparisonPredicate.
#if !canImport(ObjectiveC)
    import Foundation
    import PredicateModel
    import PredicateSyntax

    extension ObjectFactory where Self == Resolved<DeprecatedNames>.Comparison {
        /// A comparison of two expressions.
        public init(
            leftExpression left: Resolved<DeprecatedNames>.Expression,
            rightExpression right: Resolved<DeprecatedNames>.Expression,
            modifier: Resolved<DeprecatedNames>.ComparisonScope,
            type: Resolved<DeprecatedNames>.ComparisonKind,
            options: Resolved<DeprecatedNames>.ComparisonFlags = []
        ) {
            let (one, other) = (Formula.expression(left), Formula.expression(right))
            var blocks = one.blocks
            blocks.add(other.blocks)
            let comparison = FormatPredicate.comparison(
                one.root, ComparisonOperator(type), other.root, modifier: ComparisonModifier(modifier),
                options: ComparisonOptions(options))
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

        /// The operator.
        public var predicateOperatorType: Resolved<DeprecatedNames>.ComparisonKind {
            comparison.operator.kind ?? { Trap.stop("'\(comparison.operator.spelling)' has no operator type") }()
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
