// For files that import this module in place of Foundation: Foundation with its names of NSPredicate's classes, each for
// the complete class. A declaration of a module hides one of a module that it exports, unless the file imports that
// module in another way. So the names are not in PredicateFoundation, which files import next to Foundation.
@_exported public import Foundation
@_exported public import PredicateFoundation

#if !canImport(ObjectiveC)
    /// Foundation's class with the text, equality and copies of its parts.
    public typealias NSCompoundPredicate = CompoundPredicate
    /// Foundation's class without the warning that it is deprecated.
    public typealias NSExpression = _FoundationClasses.Expression
    /// Foundation's class without the warning that it is deprecated.
    public typealias NSComparisonPredicate = _FoundationClasses.Comparison
#endif
