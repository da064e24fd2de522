// Names for classes that Foundation marks as deprecated on other platforms than Apple's. This module implements them
// there. Each mention of such a class is a warning, except inside deprecated declarations. An associated type is not a
// mention.
#if canImport(ObjectiveC)
    import Foundation

    typealias ExpressionClass = NSExpression
    typealias ComparisonClass = NSComparisonPredicate
    typealias ExpressionKind = NSExpression.ExpressionType
#else
    public import Foundation

    /// An implementation detail; see `ObjectFactory.NSExpression`.
    public protocol _FoundationNames {
        associatedtype Expression
        associatedtype Comparison
        associatedtype Kind
    }

    extension _FoundationNames {
        public typealias NSExpression = Expression
        public typealias NSComparisonPredicate = Comparison
        public typealias ExpressionType = Kind
    }

    /// An implementation detail; see `ObjectFactory.NSExpression`.
    public enum _FoundationClasses: _FoundationNames {
        @available(*, deprecated) public typealias Expression = Foundation.NSExpression
        @available(*, deprecated) public typealias Comparison = Foundation.NSComparisonPredicate
        @available(*, deprecated) public typealias Kind = Foundation.NSExpression.ExpressionType
    }

    extension ObjectFactory {
        /// Foundation's class without the warning that it is deprecated. In a file that imports Foundation, an app may
        /// write `typealias NSExpression = NSPredicate.NSExpression`.
        public typealias NSExpression = _FoundationClasses.NSExpression
        /// Foundation's class without the warning that it is deprecated.
        public typealias NSComparisonPredicate = _FoundationClasses.NSComparisonPredicate
    }

    typealias ExpressionClass = _FoundationClasses.NSExpression
    typealias ComparisonClass = _FoundationClasses.NSComparisonPredicate
    typealias ExpressionKind = _FoundationClasses.ExpressionType
#endif

typealias ComparisonKind = ComparisonClass.Operator
typealias ComparisonScope = ComparisonClass.Modifier
typealias ComparisonFlags = ComparisonClass.Options
