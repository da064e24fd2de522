// Reads predicates that Apple's NSKeyedArchiver has written. The archive is parsed as data: unlike NSKeyedUnarchiver,
// it never looks up, creates or runs a class.
public import Foundation
import PredicateRecords

extension FormatPredicate {
    /// Reads the archive of an NSPredicate, in the format of `NSKeyedArchiver` on Apple's platforms.
    ///
    ///     let predicate = try FormatPredicate(archive: data)
    ///
    /// Every predicate and expression that has a format is supported.
    /// - Throws: `PredicateConversionError` if the data is not an archive of a predicate, and for expressions without a
    ///   format.
    /// - Complexity: linear in the data.
    public init(archive data: Data) throws(PredicateConversionError) {
        self.init(try ArchivedPredicate(Array(data)).root())
    }
}

/// A keyed archive: a list of objects that refer to each other by number.
private struct ArchivedPredicate: PartConverter {
    private let list: ValueDictionary
    private let objects: [PredicateValue]
    var path: [String] = []
    private let budget = Budget()

    /// Limits the number of objects. A shared object counts once for each reference, so that a small archive cannot
    /// expand to a huge predicate.
    private final class Budget {
        var objects = 100_000
    }

    init(_ bytes: [UInt8]) throws(PredicateConversionError) {
        guard let list = try? PropertyList.parse(bytes), case .dictionary(let fields) = list,
            case .array(let objects)? = fields["$objects"]
        else { throw PredicateConversionError([], "the data is not a keyed archive") }
        self.list = fields
        self.objects = objects
    }

    func root() throws(PredicateConversionError) -> PredicateNode {
        guard case .dictionary(let top)? = list["$top"], let root = top["root"] ?? top.values.first else {
            throw error("the archive has no root")
        }
        return try predicate(root)
    }

    // MARK: Objects

    /// Returns the object that a value refers to, or the value itself.
    private func object(_ value: PredicateValue?) -> PredicateValue? {
        guard let number = value.flatMap(KeyedArchive.uid).flatMap({ Int(exactly: $0) }) else { return value }
        return objects.indices.contains(number) ? objects[number] : nil
    }

    /// The name of an object's class.
    private func className(_ fields: ValueDictionary) -> String {
        guard case .dictionary(let description)? = object(fields["$class"]),
            case .string(let name)? = description["$classname"]
        else { return "" }
        return name
    }

    private func fields(_ value: PredicateValue?, _ what: String) throws(PredicateConversionError) -> ValueDictionary {
        budget.objects -= 1
        guard path.count < 200, budget.objects > 0 else { throw error("it is nested too deep, or too large") }
        guard case .dictionary(let fields)? = object(value) else { throw error("\(what) is missing") }
        return fields
    }

    private func integer(_ value: PredicateValue?) -> Int? {
        switch object(value) {
        case .integer(let number): Int(exactly: number)
        case .bool(let answer): answer ? 1 : 0
        default: nil
        }
    }

    private func text(_ value: PredicateValue?) -> String? {
        guard let value, case .string(let text)? = try? KeyedArchive.value(value, in: list) else { return nil }
        return text
    }

    private func elements(_ value: PredicateValue?) throws(PredicateConversionError) -> [PredicateValue] {
        guard case .array(let elements)? = try fields(value, "a list")["NS.objects"] else {
            throw error("a list has no elements")
        }
        return elements
    }

    // MARK: Predicates

    private func predicate(_ value: PredicateValue?) throws(PredicateConversionError) -> PredicateNode {
        let fields = try fields(value, "a predicate")
        switch className(fields) {
        case "NSTruePredicate": return PredicateNode(.constant(true))
        case "NSFalsePredicate": return PredicateNode(.constant(false))
        case "NSCompoundPredicate": return try compound(fields)
        case "NSComparisonPredicate": return try comparison(fields)
        case let name: throw error(name.isEmpty ? "it is not a predicate" : "an archived \(name) has no format")
        }
    }

    private func compound(_ fields: ValueDictionary) throws(PredicateConversionError) -> PredicateNode {
        guard let type = integer(fields["NSCompoundPredicateType"]), (0...2).contains(type) else {
            throw error("a compound of an unknown type")
        }
        let name = ["NOT", "AND", "OR"][type]
        var parts: [PredicateNode] = []
        for (index, part) in try elements(fields["NSSubpredicates"]).enumerated() {
            parts.append(try at("\(name), part \(index + 1)").predicate(part))
        }
        if type == 0 {
            guard parts.count == 1 else { throw error("NOT of \(parts.count) parts") }
            return PredicateNode(.not(parts[0]))
        }
        let predicates = parts.map { FormatPredicate($0) }
        return (type == 1 ? FormatPredicate.and(predicates) : .or(predicates)).root
    }

    private func comparison(_ fields: ValueDictionary) throws(PredicateConversionError) -> PredicateNode {
        let operation = try self.fields(fields["NSPredicateOperator"], "the operator")
        let type = integer(operation["NSOperatorType"])
        guard let type, let known = ArchivedOperator.known(type) else {
            throw error("an operator of the type \(type.map(String.init) ?? "unknown") has no format")
        }
        // The field name of the options differs between families of operators.
        let options = integer(operation["NSOptions"]) ?? integer(operation["NSFlags"]) ?? 0
        let modifier = integer(operation["NSModifier"]).flatMap { ComparisonModifier(rawValue: UInt8(clamping: $0)) }
        return PredicateNode(
            .comparison(
                ComparisonNode(
                    try at("the left operand").expression(fields["NSLeftExpression"]), known,
                    try at("the right operand").expression(fields["NSRightExpression"]),
                    modifier: modifier ?? .direct,
                    options: ComparisonOptions(rawValue: UInt8(truncatingIfNeeded: options)))))
    }

    // MARK: Expressions

    private func expression(_ value: PredicateValue?) throws(PredicateConversionError) -> ExpressionNode {
        let fields = try fields(value, "an expression")
        guard let type = integer(fields["NSExpressionType"]) else { throw error("an expression without a type") }
        switch type {
        case 0: return try constant(fields)
        case 1: return ExpressionNode(.selfObject)
        case 2:
            guard let name = text(fields["NSVariable"]) else { throw error("a variable without a name") }
            return ExpressionNode(.variable(name))
        case 3 where fields["NSKeyPath"] == nil, 4: return try function(fields)
        case 3, 10:
            guard let path = text(fields["NSKeyPath"]) else { throw error("a key path without a text") }
            return FormatExpression.key(path).root
        case 5, 6, 7:
            return ExpressionNode(
                .binary(
                    [.union, .intersect, .minus][type - 5],
                    try at("left").expression(fields["NSLeftExpression"]),
                    try at("right").expression(fields["NSRightExpression"])))
        case 13:
            guard let variable = text(fields["NSVariable"]) else { throw error("SUBQUERY without a variable") }
            return ExpressionNode(
                .subquery(
                    try at("SUBQUERY, collection").expression(fields["NSExpression"]), variable: variable,
                    try at("SUBQUERY").predicate(fields["NSSubpredicate"])))
        case 14: return ExpressionNode(.aggregate(try expressions(fields["NSCollection"])))
        case 15: return ExpressionNode(.anyKey)
        case 20:
            return ExpressionNode(
                .ternary(
                    try at("TERNARY").predicate(fields["NSPredicate"]),
                    try at("TERNARY, true").expression(fields["NSTrueExpression"]),
                    try at("TERNARY, false").expression(fields["NSFalseExpression"])))
        default: throw error("an archived \(className(fields)) is not supported")
        }
    }

    private func expressions(_ value: PredicateValue?) throws(PredicateConversionError) -> [ExpressionNode] {
        guard object(value) != nil else { return [] }
        var nodes: [ExpressionNode] = []
        for (index, element) in try elements(value).enumerated() {
            nodes.append(try at("element \(index + 1)").expression(element))
        }
        return nodes
    }

    private func constant(_ fields: ValueDictionary) throws(PredicateConversionError) -> ExpressionNode {
        if let name = text(fields["NSConstantValueClassName"]) { return ExpressionNode(.value(.type(name))) }
        guard let value = try? fields["NSConstantValue"].map({ try KeyedArchive.value($0, in: list) }) else {
            throw error("a constant that cannot be read")
        }
        return ExpressionNode(.value(value))
    }

    /// A function call. A key path after an expression is archived as a call of `valueForKey:`.
    private func function(_ fields: ValueDictionary) throws(PredicateConversionError) -> ExpressionNode {
        guard let selector = text(fields["NSSelectorName"]) else { throw error("a function without a selector") }
        let target = try at(selector).expression(fields["NSOperand"])
        let arguments = try at(selector).expressions(fields["NSArguments"])
        if selector.hasPrefix("valueForKey"), arguments.count == 1 {
            guard target.kind == .selfObject else { return ExpressionNode(.member(target, step: arguments[0])) }
            return arguments[0]
        }
        if target == ExpressionNode.utilities { return ExpressionNode(function: selector, arguments) }
        return ExpressionNode(method: selector, of: target, arguments)
    }
}
