// Converts the tree of a #Predicate. MacroExpression.swift describes Foundation's expression types;
// PredicateTreeReader+Operations.swift converts each operation.
public import Foundation

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension FormatPredicate {
    /// Converts a predicate of the macro `#Predicate` for a published type.
    ///
    ///     let cheap = #Predicate<Book> { $0.price < 10 && $0.tags.contains("new") }
    ///     try FormatPredicate(cheap).description    // price < 10 AND "new" IN tags
    ///
    /// Properties get the names of the key tables, so each property in the predicate must be published.
    ///
    /// - Throws: `PredicateConversionError`, with the position, for a property without a key and for operations that
    ///   the language does not have, such as casts.
    /// - Complexity: linear in the predicate.
    public init<Root: Queryable>(_ predicate: Foundation.Predicate<Root>) throws(PredicateConversionError) {
        let reader = PredicateTreeReader(predicate.variable.key)
        self.init(try reader.predicate(predicate.expression))
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension FormatExpression {
    /// Converts an expression of the macro `#Expression` for a published type; see `FormatPredicate.init(_:)`.
    public init<Root: Queryable, Value>(
        _ expression: Foundation.Expression<Root, Value>
    ) throws(PredicateConversionError) {
        let reader = PredicateTreeReader(expression.variable.key)
        self.init(try reader.expression(expression.expression))
    }
}

/// The position of the current expression, and the values of its variables.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
struct PredicateTreeReader: PartConverter {
    var path: [String] = []
    private(set) var variables: [PredicateExpressions.VariableID: ExpressionNode]

    init(_ root: PredicateExpressions.VariableID) { variables = [root: ExpressionNode(.selfObject)] }

    /// Returns a reader for an inner predicate whose variable refers to the given expression.
    func binding(_ variable: PredicateExpressions.VariableID, to node: ExpressionNode) -> PredicateTreeReader {
        var inner = self
        inner.variables[variable] = node
        return inner
    }

    /// An unused name for the variable of a SUBQUERY.
    var freshVariable: String { "x\(variables.count)" }

    func read(_ expression: Any) throws(PredicateConversionError) -> PredicateTree {
        guard path.count < 190 else { throw error("it is nested too deep") }
        if let constant = captured(expression) { return .expression(try value(constant)) }
        guard let operation = (expression as? any MacroExpression)?.operation else {
            let name = "\(type(of: expression))".prefix { $0 != "<" }
            throw error("the language has no \(name)")
        }
        return try convert(operation)
    }

    /// The value of an expression that reads only values from the code around the predicate, such as `filter.tags[0]`; nil
    /// for other expressions, and if it has no value.
    func captured(_ expression: Any) -> Any? {
        guard let expression = expression as? any MacroExpression, isCaptured(expression) else { return nil }
        return try? expression.capturedValue()
    }

    /// Whether an expression reads no variable of the predicate.
    private func isCaptured(_ expression: Any) -> Bool {
        switch (expression as? any MacroExpression)?.operation {
        // A variable that is not known yet belongs to an inner closure, so its value is a part.
        case .variable(let id)?: variables[id] == nil
        case let operation?: operation.capturedParts?.allSatisfy(isCaptured) ?? false
        case nil: false
        }
    }

    /// Converts an expression that is a predicate, or a Boolean value.
    func predicate(_ expression: Any) throws(PredicateConversionError) -> PredicateNode {
        switch try read(expression) {
        case .predicate(let node): return node
        case .expression(let node):
            if case .value(.bool(let value)) = node.kind { return PredicateNode(.constant(value)) }
            return Self.comparison(node, .equal, ExpressionNode(.value(.bool(true))))
        }
    }

    /// Converts an expression that is a value. A predicate becomes a Boolean value.
    func expression(_ expression: Any) throws(PredicateConversionError) -> ExpressionNode {
        switch try read(expression) {
        case .expression(let node): return node
        case .predicate(let node):
            if case .constant(let value) = node.kind { return ExpressionNode(.value(.bool(value))) }
            return ExpressionNode(
                .ternary(node, ExpressionNode(.value(.bool(true))), ExpressionNode(.value(.bool(false)))))
        }
    }

    func value(_ value: Any?) throws(PredicateConversionError) -> ExpressionNode {
        let converted: PredicateValue
        do throws(PredicateFailure) {
            converted = try HostValue.value(value)
        } catch {
            throw self.error(error.diagnostics.first?.message ?? "a constant of an unknown type")
        }
        if case .object(let reference) = converted, reference.object is HostObject {
            throw error("a constant of the type \(type(of: value ?? "nil")): publish it (Queryable)")
        }
        return ExpressionNode(.value(converted))
    }

    static func comparison(
        _ left: ExpressionNode, _ operation: ComparisonOperator, _ right: ExpressionNode
    ) -> PredicateNode {
        PredicateNode(.comparison(ComparisonNode(left, operation, right)))
    }

    /// An expression for keys of a value.
    static func step(_ base: ExpressionNode, _ keys: [String]) -> ExpressionNode {
        switch base.kind {
        case .selfObject: ExpressionNode(.keyPath(keys))
        case .keyPath(let first): ExpressionNode(.keyPath(first + keys))
        default: keys.reduce(base) { ExpressionNode(.member($0, step: ExpressionNode(.keyPath([$1])))) }
        }
    }

    /// An expression for a collection operator, such as `@count`.
    static func aggregate(_ base: ExpressionNode, _ kind: CollectionOperator.Kind) -> ExpressionNode {
        let name = CollectionOperator.all.first { $0.kind == kind }?.name ?? ""
        return step(base, kind == .count ? [name] : [name, "self"])
    }
}
