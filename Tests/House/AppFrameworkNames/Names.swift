// Names that SwiftUI, SwiftData, RealityKit, SQLite libraries and others publish, as an app sees them when it imports
// such a module beside this package. `ClashingNames.swift` uses them without a module's name.

public struct Table { public init() {} }
public struct Schema { public init() {} }
public struct Entity { public init() {} }
public struct Attribute { public init() {} }
public struct Relationship { public init() {} }
public struct Key { public init() {} }
public struct Value { public init() {} }
public struct Token { public init() {} }
public struct Lexer { public init() {} }
public struct Parser { public init() {} }
public struct Function { public init() {} }
public struct Store { public init() {} }
public struct Dialect { public init() {} }
public struct Limits { public init() {} }
public struct Walker { public init() {} }
public struct Rewriter { public init() {} }
public struct Comparison { public init() {} }
public struct Keyword { public init() {} }
public struct Predicate { public init() {} }
public struct PredicateError { public init() {} }
public struct Expression { public init() {} }
public struct SortDescriptor { public init() {} }
public struct Column { public init() {} }
public struct Row { public init() {} }
public struct Query { public init() {} }
public struct Statement { public init() {} }
public struct Field { public init() {} }
public struct Index { public init() {} }
public struct Context { public init() {} }
