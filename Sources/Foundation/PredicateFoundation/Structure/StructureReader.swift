// Converts NSPredicate objects to a tree, through their public properties only. So the same code works on Apple's
// platforms and with this module's objects on other platforms, where it is tested.
public import Foundation

extension FormatPredicate {
    /// Converts an NSPredicate object.
    ///
    ///     try FormatPredicate(NSPredicate(format: "age > 21")).description    // age > 21
    ///
    /// - Throws: `PredicateConversionError`, with the position, for a block, for an operator or expression without a
    ///   format, and for a constant of a type that predicates do not support.
    /// - Complexity: linear in the predicate.
    public init(_ predicate: NSPredicate) throws(PredicateConversionError) {
        let root = try StructureReader().read(predicate)
        #if canImport(ObjectiveC)
            self.init(root)
        #else
            self.init(root, in: BlockFormula.predicate(predicate).blocks.environment)
        #endif
    }
}

extension FormatExpression {
    /// Converts an NSExpression object; see `FormatPredicate.init(_:)`.
    #if !canImport(ObjectiveC)
        public init(_ expression: NSPredicate.NSExpression) throws(PredicateConversionError) {
            let root = try StructureReader().read(expression)
            self.init(root, in: BlockFormula.expression(expression).blocks.environment)
        }
    #else
        public init(_ expression: NSExpression) throws(PredicateConversionError) {
            self.init(try StructureReader().read(expression))
        }
    #endif
}

/// Converts objects, and records the path to the current one.
struct StructureReader: PartConverter {
    var path: [String] = []

    // MARK: Predicates

    func read(_ object: NSPredicate) throws(PredicateConversionError) -> PredicateNode {
        guard path.count < 200 else { throw error("it is nested too deep") }
        if let compound = object as? NSCompoundPredicate { return try read(compound: compound) }
        if let comparison = object as? ComparisonClass { return try read(comparison: comparison) }
        #if !canImport(ObjectiveC)
            if let format = SubclassObjects.runtime(of: object)?.formula.root { return format.root }
        #endif
        for value in [true, false] where object.isEqual(NSPredicate(value: value)) {
            return PredicateNode(.constant(value))
        }
        throw error("a block has no format")
    }

    private func read(compound: NSCompoundPredicate) throws(PredicateConversionError) -> PredicateNode {
        let name =
            switch compound.compoundPredicateType {
            case .and: "AND"
            case .or: "OR"
            case .not: "NOT"
            #if canImport(ObjectiveC)
                @unknown default: "a compound"
            #endif
            }
        var parts: [PredicateNode] = []
        // Apple's property has no element type.
        for (index, part) in (compound.subpredicates as [Any]).enumerated() {
            guard let part = part as? NSPredicate else { throw error("part \(index + 1) is not a predicate") }
            parts.append(try at("\(name), part \(index + 1)").read(part))
        }
        switch (name, parts.count) {
        case ("NOT", 1...): return PredicateNode(.not(parts[0]))
        case ("AND", 0): return PredicateNode(.constant(true))
        case ("OR", 0): return PredicateNode(.constant(false))
        case ("AND", 1), ("OR", 1): return parts[0]
        case ("AND", _): return PredicateNode(.and(parts))
        case ("OR", _): return PredicateNode(.or(parts))
        default: throw error("\(name) of \(parts.count) parts has no format")
        }
    }

    private func read(comparison: ComparisonClass) throws(PredicateConversionError) -> PredicateNode {
        #if canImport(ObjectiveC)
            let type = comparison.predicateOperatorType
            var operation = ComparisonOperator(type)
            if type == .customSelector, let selector = comparison.customSelector {
                operation = .custom(NSStringFromSelector(selector))
            }
        #else
            // Some operators have no type in Foundation.
            guard case .comparison(let node) = BlockFormula.predicate(comparison).root.root.kind else {
                throw error("a comparison without operands")
            }
            let operation = node.operator
        #endif
        if operation == .custom("") { throw error("an operator without a format") }
        return PredicateNode(
            .comparison(
                ComparisonNode(
                    try at("the left operand").read(comparison.leftExpression), operation,
                    try at("the right operand").read(comparison.rightExpression),
                    modifier: ComparisonModifier(comparison.comparisonPredicateModifier),
                    options: ComparisonOptions(comparison.options))))
    }

    // MARK: Expressions

    func read(_ object: ExpressionClass) throws(PredicateConversionError) -> ExpressionNode {
        guard path.count < 200 else { throw error("it is nested too deep") }
        switch object.expressionType {
        case .constantValue: return try read(constant: object)
        case .evaluatedObject: return ExpressionNode(.selfObject)
        case .anyKey: return ExpressionNode(.anyKey)
        case .variable: return ExpressionNode(.variable(object.variable))
        case .keyPath: return FormatExpression.key(object.keyPath).root
        case .function: return try read(function: object)
        case .unionSet: return try read(.union, object)
        case .intersectSet: return try read(.intersect, object)
        case .minusSet: return try read(.minus, object)
        case .aggregate: return ExpressionNode(.aggregate(try read(elements: object.collection)))
        case .subquery: return try read(subquery: object)
        case .conditional:
            return ExpressionNode(
                .ternary(
                    try at("TERNARY").read(object.predicate), try at("TERNARY, true").read(object.true),
                    try at("TERNARY, false").read(object.false)))
        case .block: throw error("a block has no format")
        #if canImport(ObjectiveC)
            @unknown default: throw error("an expression of an unknown type")
        #endif
        }
    }

    private func read(constant object: ExpressionClass) throws(PredicateConversionError) -> ExpressionNode {
        // The constants FIRST, LAST and SIZE print as these words; a text would print in quotes.
        if let symbol = IndexSymbol(rawValue: "\(object)") { return ExpressionNode(.indexSymbol(symbol)) }
        // Apple's parser may put expressions into a constant list.
        if let list = object.constantValue as? [Any], list.contains(where: { $0 is ExpressionClass }) {
            return ExpressionNode(.aggregate(try read(elements: list)))
        }
        do throws(PredicateFailure) {
            return ExpressionNode(.value(try HostValue.value(object.constantValue)))
        } catch {
            throw self.error(error.diagnostics.first?.message ?? "a constant of an unknown type")
        }
    }

    private func read(elements object: Any?) throws(PredicateConversionError) -> [ExpressionNode] {
        guard let elements = object as? [Any] else { throw error("an aggregate without a list") }
        var nodes: [ExpressionNode] = []
        for (index, element) in elements.enumerated() {
            guard let element = element as? ExpressionClass else {
                throw error("element \(index + 1) is not an expression")
            }
            nodes.append(try at("{…}, element \(index + 1)").read(element))
        }
        return nodes
    }

    private func read(
        _ operation: BinaryOperator, _ object: ExpressionClass
    ) throws(PredicateConversionError) -> ExpressionNode {
        ExpressionNode(
            .binary(
                operation, try at("\(operation.spelling), left").read(object.left),
                try at("\(operation.spelling), right").read(object.right)))
    }

    private func read(subquery object: ExpressionClass) throws(PredicateConversionError) -> ExpressionNode {
        // On Apple's platforms `collection` has the type Any?.
        let collection: Any? = object.collection
        guard let collection = collection as? ExpressionClass else { throw error("SUBQUERY without a collection") }
        return ExpressionNode(
            .subquery(
                try at("SUBQUERY, collection").read(collection), variable: object.variable,
                try at("SUBQUERY").read(object.predicate)))
    }

    private func read(function object: ExpressionClass) throws(PredicateConversionError) -> ExpressionNode {
        let selector = object.function
        var arguments: [ExpressionNode] = []
        for (index, argument) in (object.arguments ?? []).enumerated() {
            arguments.append(try at("\(selector), argument \(index + 1)").read(argument))
        }
        let target = object.operand
        // Functions of the language are called on the class that implements them.
        if target.expressionType == .constantValue, "\(target.constantValue ?? "")" == ExpressionNode.utilitiesClass {
            return ExpressionNode(function: selector, arguments)
        }
        return ExpressionNode(method: selector, of: try at("\(selector), target").read(target), arguments)
    }
}
