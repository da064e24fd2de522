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
        static func infer(_: Expression, _: Comparison, _: Kind)
    }

    /// An implementation detail; see `ObjectFactory.NSExpression`. The compiler infers the associated types, so no name here is
    /// deprecated, and an app can extend them.
    public enum _FoundationClasses: _FoundationNames {
        @available(*, deprecated)
        public static func infer(
            _: Foundation.NSExpression, _: Foundation.NSComparisonPredicate, _: Foundation.NSExpression.ExpressionType
        ) {}
    }

    extension ObjectFactory {
        /// Foundation's class without the warning that it is deprecated. In a file that imports Foundation, an app may
        /// write `typealias NSExpression = NSPredicate.NSExpression`.
        public typealias NSExpression = _FoundationClasses.Expression
        /// Foundation's class without the warning that it is deprecated.
        public typealias NSComparisonPredicate = _FoundationClasses.Comparison
    }

    typealias ExpressionClass = _FoundationClasses.Expression
    typealias ComparisonClass = _FoundationClasses.Comparison
    typealias ExpressionKind = _FoundationClasses.Kind
#endif

typealias ComparisonKind = ComparisonClass.Operator
typealias ComparisonScope = ComparisonClass.Modifier
typealias ComparisonFlags = ComparisonClass.Options
