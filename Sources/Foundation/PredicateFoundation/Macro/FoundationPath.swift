// Builds key paths of Foundation's predicates from the names in key tables.
import Foundation

/// Resolves key paths of published types.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
struct FoundationPath {
    let builder: FoundationTreeBuilder

    /// The value at a key path of an object.
    func value(
        _ keys: [String], of object: any StandardPredicateExpression
    ) throws(PredicateConversionError) -> any StandardPredicateExpression {
        var current = object
        for (index, key) in keys.enumerated() {
            if let count = Self.count(key, current) {
                guard index == keys.count - 1 else { throw builder.error("a count has no keys") }
                return count
            }
            let type = FoundationTreeBuilder.output(current)
            if let optional = type as? any OptionalObjectType.Type, let wrapped = optional.published {
                return try wrapped.flatMap(current, Array(keys[index...]), self)
            }
            current = try step(current, key, type)
        }
        return current
    }

    /// The first list on a key path, and the remaining keys of its elements.
    func collection(
        _ keys: [String], of object: any StandardPredicateExpression
    ) throws(PredicateConversionError) -> (any StandardPredicateExpression, [String]) {
        var current = object
        for (index, key) in keys.enumerated() {
            current = try step(current, key, FoundationTreeBuilder.output(current))
            if FoundationTreeBuilder.output(current) is any ListType.Type {
                return (current, Array(keys[(index + 1)...]))
            }
        }
        throw builder.error("\(keys.joined(separator: ".")) is not a list")
    }

    /// Tests an optional object for nil; nil for other values and operators.
    static func compareNil(
        _ object: any StandardPredicateExpression, _ operation: ComparisonOperator
    ) -> BooleanExpression? {
        let type = FoundationTreeBuilder.output(object)
        guard operation == .equal || operation == .notEqual,
            let exists = (type as? any OptionalObjectType.Type)?.published?.exists(object)
        else { return nil }
        return operation == .equal ? FoundationTreeBuilder.negation(exists) : exists
    }

    private func step(
        _ object: any StandardPredicateExpression, _ key: String, _ type: Any.Type
    ) throws(PredicateConversionError) -> any StandardPredicateExpression {
        guard let published = type as? any Queryable.Type else { throw builder.error("\(type) has no keys") }
        guard let path = published.path(key) else { throw builder.error("\(type) has no key '\(key)'") }
        guard path.isSingle else { throw builder.error("'\(key)' refers to several properties, \(path)") }
        func open<Value>(_ value: Value.Type) -> (any StandardPredicateExpression)? {
            published.step(object, path, value)
        }
        guard let next = _openExistential(Swift.type(of: path).valueType, do: open) else {
            throw builder.error("the key table of \(type) has other key paths")
        }
        return next
    }

    /// Tests whether at least one element of a list, or each element, meets a condition.
    func test(
        _ list: any StandardPredicateExpression, _ condition: PredicateNode, isAll: Bool
    ) throws(PredicateConversionError) -> BooleanExpression {
        guard let type = FoundationTreeBuilder.output(list) as? any ListType.Type else {
            throw builder.error("it is not a list")
        }
        func open<Element>(_ element: Element.Type) -> Result<BooleanExpression?, PredicateConversionError> {
            Result { () throws(PredicateConversionError) in
                guard let list = list as? any StandardPredicateExpression<[Element]> else { return nil }
                let build = { (variable: PredicateExpressions.Variable<Element>) throws(PredicateConversionError) in
                    try builder.with(variable).condition(condition)
                }
                // The type of the test is known only after it is built.
                return Self.test(list, try build(PredicateExpressions.Variable<Element>()), build, isAll)
            }
        }
        guard let test = try _openExistential(type.element, do: open).get() else {
            throw builder.error("Foundation has no quantifier for \(type)")
        }
        return test
    }

    private static func test<
        Element, List: StandardPredicateExpression<[Element]>, Test: StandardPredicateExpression<Bool>
    >(
        _ list: List, _ first: Test,
        _ build: (PredicateExpressions.Variable<Element>) throws(PredicateConversionError) -> BooleanExpression,
        _ isAll: Bool
    ) -> BooleanExpression {
        func condition(_ variable: PredicateExpressions.Variable<Element>) -> Test {
            (try? build(variable)) as? Test ?? first
        }
        if isAll { return PredicateExpressions.SequenceAllSatisfy<List, Test>(list, builder: condition) }
        return PredicateExpressions.SequenceContainsWhere<List, Test>(list, builder: condition)
    }

    private static func count(
        _ key: String, _ object: any StandardPredicateExpression
    ) -> (any StandardPredicateExpression)? {
        guard CollectionOperator.all.contains(where: { $0.name == key && $0.kind == .count }),
            let list = FoundationTreeBuilder.output(object) as? any ListType.Type
        else { return nil }
        func open<Element>(_ element: Element.Type) -> (any StandardPredicateExpression)? {
            (object as? any StandardPredicateExpression<[Element]>).map { count(of: $0) }
        }
        return _openExistential(list.element, do: open)
    }

    private static func count<Element>(
        of list: some StandardPredicateExpression<[Element]>
    ) -> any StandardPredicateExpression {
        PredicateExpressions.KeyPath(root: list, keyPath: \.count)
    }
}

extension AnyKeyPath {
    /// Whether the key path has exactly one property. Foundation's predicates trap on other key paths.
    fileprivate var isSingle: Bool {
        let name = "\\\(type(of: self).rootType)."
        let text = "\(self)"
        guard text.hasPrefix(name) else { return false }
        return !text.dropFirst(name.count).contains { ".?!".contains($0) }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension Queryable {
    fileprivate static func path(_ key: String) -> AnyKeyPath? { keys[key]?.path }

    fileprivate static func step<Value>(
        _ object: any StandardPredicateExpression, _ path: AnyKeyPath, _ type: Value.Type
    ) -> (any StandardPredicateExpression)? {
        guard let object = object as? any StandardPredicateExpression<Self>,
            let path = path as? KeyPath<Self, Value>
        else { return nil }
        // Key tables contain only Sendable key paths, but Sendable cannot be checked at run time.
        return step(object, unsafeBitCast(path, to: (any KeyPath<Self, Value> & Sendable).self))
    }

    private static func step<Value>(
        _ object: some StandardPredicateExpression<Self>, _ path: any KeyPath<Self, Value> & Sendable
    ) -> any StandardPredicateExpression {
        PredicateExpressions.KeyPath(root: object, keyPath: path)
    }

    /// Reads keys of an optional object.
    fileprivate static func flatMap(
        _ object: any StandardPredicateExpression, _ keys: [String], _ path: FoundationPath
    ) throws(PredicateConversionError) -> any StandardPredicateExpression {
        guard let object = object as? any StandardPredicateExpression<Self?> else { return object }
        let build = { (variable: PredicateExpressions.Variable<Self>) throws(PredicateConversionError) in
            try path.value(keys, of: variable)
        }
        return flatMap(object, try build(PredicateExpressions.Variable<Self>()), build)
    }

    private static func flatMap<Wrapped: StandardPredicateExpression, Transform: StandardPredicateExpression>(
        _ object: Wrapped, _ first: Transform,
        _ build: (PredicateExpressions.Variable<Self>) throws(PredicateConversionError) ->
            any StandardPredicateExpression
    ) -> any StandardPredicateExpression where Wrapped.Output == Self? {
        func open<Value>(_ value: Value.Type) -> (any StandardPredicateExpression)? {
            (first as? any StandardPredicateExpression<Value?>).map { flattened(object, $0, build) }
        }
        // An optional key of an optional object is one optional.
        if let value = (Transform.Output.self as? any OptionalObjectType.Type)?.wrapped,
            let result = _openExistential(value, do: open)
        {
            return result
        }
        return PredicateExpressions.OptionalFlatMap<Wrapped, Self, Transform, Transform.Output>(object) { variable in
            (try? build(variable)) as? Transform ?? first
        }
    }

    private static func flattened<
        Wrapped: StandardPredicateExpression, Transform: StandardPredicateExpression, Value
    >(
        _ object: Wrapped, _ first: Transform,
        _ build: (PredicateExpressions.Variable<Self>) throws(PredicateConversionError) ->
            any StandardPredicateExpression
    ) -> any StandardPredicateExpression where Wrapped.Output == Self?, Transform.Output == Value? {
        PredicateExpressions.OptionalFlatMap<Wrapped, Self, Transform, Value>(object) { variable in
            (try? build(variable)) as? Transform ?? first
        }
    }

    /// Tests whether an optional object is not nil.
    fileprivate static func exists(_ object: any StandardPredicateExpression) -> BooleanExpression? {
        (object as? any StandardPredicateExpression<Self?>).map { exists(optional: $0) }
    }

    /// Objects need not be Equatable, so they are not compared with nil.
    private static func exists<Object: StandardPredicateExpression>(
        optional object: Object
    ) -> BooleanExpression where Object.Output == Self? {
        typealias Answer = PredicateExpressions.Value<Bool>
        let test = PredicateExpressions.OptionalFlatMap<Object, Self, Answer, Bool>(object) { _ in Answer(true) }
        return PredicateExpressions.NilCoalesce(lhs: test, rhs: Answer(false))
    }
}

/// An optional, and its wrapped type if that is published.
protocol OptionalObjectType {
    static var wrapped: Any.Type { get }
    static var published: (any Queryable.Type)? { get }
}

extension Optional: OptionalObjectType {
    static var wrapped: Any.Type { Wrapped.self }
    static var published: (any Queryable.Type)? { Wrapped.self as? any Queryable.Type }
}
