// Names for classes that Foundation marks as deprecated on other platforms than Apple's. This module implements them
// there. Each mention of such a class is a warning, except inside deprecated declarations. So the names are declared
// inside one, and the rest of the module uses them as associated types.
#if canImport(ObjectiveC)
    import Foundation

    typealias ExpressionClass = NSExpression
    typealias ExpressionKind = NSExpression.ExpressionType
    typealias ComparisonClass = NSComparisonPredicate
    typealias ComparisonKind = NSComparisonPredicate.Operator
    typealias ComparisonScope = NSComparisonPredicate.Modifier
    typealias ComparisonFlags = NSComparisonPredicate.Options
#else
    public import Foundation

    /// An implementation detail; see `Resolved`.
    public protocol FoundationNames {
        associatedtype Expression
        associatedtype ExpressionKind
        associatedtype Comparison
        associatedtype ComparisonKind
        associatedtype ComparisonScope
        associatedtype ComparisonFlags
    }

    /// An implementation detail; see `Resolved`.
    public enum DeprecatedNames: FoundationNames {
        @available(*, deprecated) public typealias Expression = NSExpression
        @available(*, deprecated) public typealias ExpressionKind = NSExpression.ExpressionType
        @available(*, deprecated) public typealias Comparison = NSComparisonPredicate
        @available(*, deprecated) public typealias ComparisonKind = NSComparisonPredicate.Operator
        @available(*, deprecated) public typealias ComparisonScope = NSComparisonPredicate.Modifier
        @available(*, deprecated) public typealias ComparisonFlags = NSComparisonPredicate.Options
    }

    /// An implementation detail: the classes of Foundation without their deprecation.
    public enum Resolved<Names: FoundationNames> {
        public typealias Expression = Names.Expression
        public typealias ExpressionKind = Names.ExpressionKind
        public typealias Comparison = Names.Comparison
        public typealias ComparisonKind = Names.ComparisonKind
        public typealias ComparisonScope = Names.ComparisonScope
        public typealias ComparisonFlags = Names.ComparisonFlags
    }

    typealias ExpressionClass = Resolved<DeprecatedNames>.Expression
    typealias ExpressionKind = Resolved<DeprecatedNames>.ExpressionKind
    typealias ComparisonClass = Resolved<DeprecatedNames>.Comparison
    typealias ComparisonKind = Resolved<DeprecatedNames>.ComparisonKind
    typealias ComparisonScope = Resolved<DeprecatedNames>.ComparisonScope
    typealias ComparisonFlags = Resolved<DeprecatedNames>.ComparisonFlags
#endif
