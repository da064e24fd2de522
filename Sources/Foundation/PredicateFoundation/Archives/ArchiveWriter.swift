// Writes predicates in the format of Apple's NSKeyedArchiver, so that NSKeyedUnarchiver on Apple's platforms can read
// them. ArchivedPredicate.swift reads the same format.
public import Foundation
import PredicateRecords

extension FormatPredicate {
    /// Returns the archive of an NSPredicate, in the format of `NSKeyedArchiver` on Apple's platforms.
    ///
    ///     let data = try FormatPredicate("age > 21").archived()
    ///     // on Apple's platforms: NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
    ///
    /// - Throws: `PredicateConversionError`, with the position, for a part that NSPredicate does not have, and for a
    ///   constant that is an object.
    /// - Complexity: linear in the predicate.
    public func archived() throws(PredicateConversionError) -> Data {
        var writer = ArchiveWriter()
        return try writer.data(root)
    }
}

/// The objects of a keyed archive. They refer to each other by number.
private struct ArchiveWriter: PartConverter {
    typealias Fields = KeyValuePairs<String, PredicateValue>

    private var objects: [PredicateValue] = [.string("$null")]
    private var classes: [String: PredicateValue] = [:]
    var path: [String] = []

    mutating func data(_ root: PredicateNode) throws(PredicateConversionError) -> Data {
        let root = try write(root)
        let archive: Fields = [
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$top": record(["root": root]),
            "$objects": .array(objects),
        ]
        return Data(PropertyList.binary(record(archive)))
    }

    // MARK: Objects

    private func record(_ fields: Fields) -> PredicateValue {
        .dictionary(ValueDictionary(fields.map { ($0.key, $0.value) }))
    }

    private func reference(_ number: Int) -> PredicateValue { record([PropertyList.uidKey: .integer(Int64(number))]) }

    /// Adds an object and returns a reference to it.
    private mutating func add(_ object: PredicateValue) -> PredicateValue {
        objects.append(object)
        return reference(objects.count - 1)
    }

    private mutating func add(_ text: String) -> PredicateValue { add(.string(text)) }

    /// Adds an object of a class and returns a reference to it.
    private mutating func add(
        _ name: String, _ fields: [(String, PredicateValue)], under superclasses: [String] = []
    ) -> PredicateValue {
        let names = ([name] + superclasses + ["NSObject"]).map(PredicateValue.string)
        let known = classes[name] ?? add(record(["$classname": .string(name), "$classes": .array(names)]))
        classes[name] = known
        return add(.dictionary(ValueDictionary(fields + [("$class", known)])))
    }

    private mutating func add(_ name: String, _ fields: Fields, under superclasses: [String] = []) -> PredicateValue {
        add(name, fields.map { ($0.key, $0.value) }, under: superclasses)
    }

    private mutating func list(_ elements: [PredicateValue]) -> PredicateValue {
        add("NSArray", ["NS.objects": .array(elements)])
    }

    private mutating func predicate(_ name: String, _ fields: Fields) -> PredicateValue {
        add(name, fields, under: ["NSPredicate"])
    }

    private mutating func expression(
        _ name: String, _ type: Int64, _ fields: Fields = [:], under superclasses: [String] = []
    ) -> PredicateValue {
        let fields = fields.map { ($0.key, $0.value) } + [("NSExpressionType", .integer(type))]
        return add(name, fields, under: superclasses + ["NSExpression"])
    }

    // MARK: Predicates

    private mutating func write(_ node: PredicateNode) throws(PredicateConversionError) -> PredicateValue {
        guard path.count < 200 else { throw error("it is nested too deep") }
        switch node.kind {
        case .constant(let value): return predicate(value ? "NSTruePredicate" : "NSFalsePredicate", [:])
        case .not(let part): return try compound(0, "NOT", [part])
        case .and(let parts): return try compound(1, "AND", parts)
        case .or(let parts): return try compound(2, "OR", parts)
        case .comparison(let comparison): return try write(comparison)
        case .error: throw error("it has an error")
        }
    }

    private mutating func compound(
        _ type: Int64, _ name: String, _ parts: [PredicateNode]
    ) throws(PredicateConversionError) -> PredicateValue {
        var written: [PredicateValue] = []
        for (index, part) in parts.enumerated() { written.append(try condition("\(name), part \(index + 1)", part)) }
        return predicate(
            "NSCompoundPredicate", ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": list(written)])
    }

    private mutating func condition(
        _ step: String, _ node: PredicateNode
    ) throws(PredicateConversionError) -> PredicateValue {
        path.append(step)
        defer { path.removeLast() }
        return try write(node)
    }

    private mutating func write(_ comparison: ComparisonNode) throws(PredicateConversionError) -> PredicateValue {
        guard let operation = ArchivedOperator(comparison.operator) else {
            throw error("an archive has no operator '\(comparison.operator.spelling)'")
        }
        var fields = operation.fields
        fields.append(("NSModifier", .integer(Int64(comparison.modifier.rawValue))))
        if let key = operation.optionsKey { fields.append((key, .integer(Int64(comparison.options.rawValue)))) }
        return predicate(
            "NSComparisonPredicate",
            [
                "NSLeftExpression": try operand("the left operand", comparison.left),
                "NSRightExpression": try operand("the right operand", comparison.right),
                "NSPredicateOperator": add(operation.className, fields, under: operation.superclasses),
            ])
    }

    // MARK: Expressions

    private mutating func operand(
        _ step: String, _ node: ExpressionNode
    ) throws(PredicateConversionError) -> PredicateValue {
        path.append(step)
        defer { path.removeLast() }
        return try write(node)
    }

    private mutating func write(_ node: ExpressionNode) throws(PredicateConversionError) -> PredicateValue {
        guard path.count < 200 else { throw error("it is nested too deep") }
        switch node.kind {
        case .value(.type(let name)):
            return expression("NSConstantValueExpression", 0, ["NSConstantValueClassName": add(name)])
        case .value(let value): return expression("NSConstantValueExpression", 0, ["NSConstantValue": try write(value)])
        case .selfObject: return expression("NSSelfExpression", 1)
        case .variable(let name): return expression("NSVariableExpression", 2, ["NSVariable": add(name)])
        case .keyPath(let keys): return keyPath(keys)
        case .binary(.union, let left, let right): return try set(5, left, right)
        case .binary(.intersect, let left, let right): return try set(6, left, right)
        case .binary(.minus, let left, let right): return try set(7, left, right)
        case .subquery(let collection, let variable, let condition):
            let fields: Fields = [
                "NSExpression": try operand("SUBQUERY, collection", collection), "NSVariable": add(variable),
                "NSSubpredicate": try self.condition("SUBQUERY", condition),
            ]
            return expression("NSSubqueryExpression", 13, fields)
        case .aggregate(let elements):
            return expression("NSAggregateExpression", 14, ["NSCollection": try write(elements)])
        case .anyKey: return expression("NSAnyKeyExpression", 15)
        case .ternary(let condition, let yes, let no):
            let fields: Fields = [
                "NSPredicate": try self.condition("TERNARY", condition),
                "NSTrueExpression": try operand("TERNARY, true", yes),
                "NSFalseExpression": try operand("TERNARY, false", no),
            ]
            return expression("NSTernaryExpression", 20, fields)
        default:
            guard let call = node.call else { throw error("an archive has no '\(node)'") }
            return try write(call)
        }
    }

    private mutating func write(_ nodes: [ExpressionNode]) throws(PredicateConversionError) -> PredicateValue {
        var written: [PredicateValue] = []
        for (index, node) in nodes.enumerated() { written.append(try operand("element \(index + 1)", node)) }
        return list(written)
    }

    private mutating func write(_ call: ExpressionNode.Call) throws(PredicateConversionError) -> PredicateValue {
        let target = try operand(call.selector, call.target)
        var arguments = call.arguments
        // A step after an expression is stored as a name, not as a key of the object.
        var steps: [PredicateValue] = []
        if call.selector == ExpressionNode.stepSelector, case .keyPath(let keys)? = arguments.first?.kind {
            steps = [specifier(keys)]
            arguments = []
        }
        let list = steps.isEmpty ? try write(arguments) : list(steps)
        return expression(
            "NSFunctionExpression", 4,
            ["NSOperand": target, "NSSelectorName": add(call.selector), "NSArguments": list])
    }

    private mutating func specifier(_ keys: [String]) -> PredicateValue {
        expression("NSKeyPathSpecifierExpression", 10, ["NSKeyPath": add(keys.joined(separator: "."))])
    }

    private mutating func keyPath(_ keys: [String]) -> PredicateValue {
        let fields: Fields = [
            "NSOperand": expression("NSSelfExpression", 1),
            "NSSelectorName": add(keys.count == 1 ? "valueForKey:" : "valueForKeyPath:"),
            "NSArguments": list([specifier(keys)]),
        ]
        return expression("NSKeyPathExpression", 3, fields, under: ["NSFunctionExpression"])
    }

    private mutating func set(
        _ type: Int64, _ left: ExpressionNode, _ right: ExpressionNode
    ) throws(PredicateConversionError) -> PredicateValue {
        let fields: Fields = [
            "NSLeftExpression": try operand("left", left), "NSRightExpression": try operand("right", right),
        ]
        return expression("NSSetExpression", type, fields)
    }

    // MARK: Constants

    private mutating func write(_ value: PredicateValue) throws(PredicateConversionError) -> PredicateValue {
        switch value {
        case .null: return reference(0)
        case .nsNull: return add("NSNull", [:])
        // An archive represents nil by the plain string `$null`. So a text with these letters must be stored as an
        // NSString object.
        case .string("$null"): return add("NSString", ["NS.string": value])
        case .bool, .integer, .double, .string, .data: return add(value)
        case .float(let number): return add(.double(Double(number)))
        case .decimal(let number): return try write(number)
        case .date(let seconds): return add("NSDate", ["NS.time": .double(seconds)])
        case .uuid(let id):
            let bytes = withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { Array($0) }
            return add("NSUUID", ["NS.uuidbytes": .data(bytes)])
        case .url(let text): return add("NSURL", ["NS.base": reference(0), "NS.relative": add(text)])
        case .array(let values): return list(try write(values))
        case .set(let values): return add("NSSet", ["NS.objects": .array(try write(values))])
        case .dictionary(let record):
            let keys = record.keys.map { add($0) }
            return add("NSDictionary", ["NS.keys": .array(keys), "NS.objects": .array(try write(record.values))])
        case .type, .object: throw error("an archive has no constant that is \(value.typeDescription)")
        }
    }

    private mutating func write(_ values: [PredicateValue]) throws(PredicateConversionError) -> [PredicateValue] {
        var written: [PredicateValue] = []
        for value in values { written.append(try write(value)) }
        return written
    }

    /// NSDecimalNumber: a mantissa of 16-bit words and an exponent of 8 bits.
    private mutating func write(_ number: DecimalNumber) throws(PredicateConversionError) -> PredicateValue {
        guard let exponent = Int8(exactly: number.exponent) else { throw error("NSDecimalNumber has no \(number)") }
        let words = number.coefficient.magnitude.words
        let mantissa = words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let count = words.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        let fields: Fields = [
            "NS.mantissa": .data(mantissa), "NS.mantissa.bo": .integer(1), "NS.exponent": .integer(Int64(exponent)),
            "NS.length": .integer(Int64(count)), "NS.negative": .bool(number.coefficient < 0),
            "NS.compact": .bool(true),
        ]
        return add("NSDecimalNumber", fields, under: ["NSNumber", "NSValue"])
    }
}
