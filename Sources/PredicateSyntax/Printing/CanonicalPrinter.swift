extension PredicateNode: CustomStringConvertible { public var description: String { "" } }
extension ExpressionNode: CustomStringConvertible { public var description: String { "" } }
