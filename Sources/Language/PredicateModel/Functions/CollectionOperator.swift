// The collection operators of key paths, such as `items.@count` and `items.@sum.price` (LANGUAGE 5.12): one entry each.
// KeyValue/CollectionOperators.swift in PredicateEvaluation applies them to a path.

/// An operator of a key path. Every operator except `@count` applies to the rest of the path, read from each element.
package struct CollectionOperator: Sendable {
    /// The computation, for plans, columns and SQL, which have their own implementations.
    package enum Kind: Sendable {
        case count, sum, average, minimum, maximum
        /// The values as a list or a set.
        case union
    }

    /// The name in a path, such as `@sum`.
    package let name: String
    package let kind: Kind
    /// A description for completion and help; nil for operators that are not offered there.
    package let summary: String?
    /// Whether the value for each element is a collection, and all of these collections are joined.
    package let flattens: Bool
    /// The type of the list of values, and the type of the result.
    let types: Signature
    private let body: @Sendable ([PredicateValue], OperatorRules) throws(EvaluationFault) -> PredicateValue

    /// Whether the operator is followed by a key.
    package var takesKey: Bool { kind != .count }

    private init(
        _ name: String, _ kind: Kind, _ types: Signature, _ summary: String?, flattens: Bool = false,
        _ body: @escaping @Sendable ([PredicateValue], OperatorRules) throws(EvaluationFault) -> PredicateValue
    ) {
        self.name = name
        self.kind = kind
        self.types = types
        self.summary = summary
        self.flattens = flattens
        self.body = body
    }

    /// Computes the result from the values.
    package func result(_ values: [PredicateValue], in rules: OperatorRules) throws(EvaluationFault) -> PredicateValue {
        try body(values, rules)
    }

    /// The type of the result for elements of a type; nil if the operator does not accept them.
    package func type(ofElements element: ExpressionType) -> ExpressionType? {
        let list = ExpressionType(.collection(.list, of: element))
        return types.parameters.contains { $0.refuses(list) != nil } ? nil : types.result([list])
    }

    /// The operator with a name; nil if there is none.
    package static func named(_ name: String) -> CollectionOperator? { byName[name] }

    /// The operator that another name probably means: `@size`, `@cuont`. nil if none is similar.
    package static func named(meantBy name: String) -> String? {
        synonyms[name.lowercased()] ?? Suggestions.nearest(to: name, in: all.map { $0.name })
    }

    static let synonyms = [
        "@size": "@count", "@cnt": "@count", "@length": "@count", "@len": "@count", "@average": "@avg", "@mean": "@avg",
        "@maximum": "@max", "@minimum": "@min", "@total": "@sum", "@add": "@sum", "@number": "@count",
        "@distinctobjects": "@distinctUnionOfObjects", "@unionofsets": "@distinctUnionOfSets",
    ]

    /// The operator that a key after a collection probably means: `count`, `size`. Only operators without a key are
    /// returned.
    package static func named(meantByKey key: String) -> CollectionOperator? {
        let name = "@" + key
        guard let known = named(synonyms[name] ?? name), !known.takesKey else { return nil }
        return known
    }

    /// What to write instead of an operator that has no equivalent; empty for other names.
    package static func advice(for name: String) -> String {
        switch name.lowercased() {
        case "@first", "@last": "write list[\(name.dropFirst().uppercased())]"
        case "@isempty", "@empty": "write list.@count == 0"
        case "@distinct", "@unique", "@union": "write list.@distinctUnionOfObjects.key"
        case "@status", "@property", "@key": "write \(name)(item), a term of device management"
        case "@any", "@some", "@all", "@none": "write \(name.dropFirst().uppercased()) before the key"
        default: ""
        }
    }

    package static func first(of kind: Kind) -> CollectionOperator { all.first { $0.kind == kind } ?? counter }

    /// Whether a key is `@count`.
    package static func isCount(_ key: String) -> Bool { key == counter.name }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    // MARK: Entries

    package static let counter = CollectionOperator("@count", .count, .count, "the number of elements") {
        (values, _) throws(EvaluationFault) in .integer(Int64(values.count))
    }

    /// All operators, in the order of help texts.
    package static let all = [
        counter,
        CollectionOperator("@sum", .sum, .sum, "the sum of a key") { (values, _) throws(EvaluationFault) in
            try Aggregates.sum(values, for: "@sum")
        },
        CollectionOperator("@avg", .average, .average, "the mean of a key, nil counted as 0") {
            (values, _) throws(EvaluationFault) in
            try Aggregates.average(values, for: "@avg")
        },
        CollectionOperator("@min", .minimum, .extreme, "the minimum of a key") {
            (values, rules) throws(EvaluationFault) in
            try Aggregates.extreme(values, -1, for: "@min", in: rules)
        },
        CollectionOperator("@max", .maximum, .extreme, "the maximum of a key") {
            (values, rules) throws(EvaluationFault) in
            try Aggregates.extreme(values, 1, for: "@max", in: rules)
        },
        union("@unionOfObjects", "the values of a key"),
        union("@distinctUnionOfObjects", "the values of a key, each once", isDistinct: true),
        union("@unionOfArrays", nil, flattens: true),
        union("@distinctUnionOfArrays", nil, isDistinct: true, flattens: true),
        union("@distinctUnionOfSets", nil, .set, isDistinct: true, flattens: true),
    ]

    /// The values except nil.
    private static func union(
        _ name: String, _ summary: String?, _ shape: ExpressionType.Shape = .list, isDistinct: Bool = false,
        flattens: Bool = false
    ) -> CollectionOperator {
        let types = Signature(.collection) {
            ExpressionType(.collection(shape, of: ExpressionType(($0[0].element ?? .any).kind)))
        }
        return CollectionOperator(name, .union, types, summary, flattens: flattens) {
            (values, _) throws(EvaluationFault) in
            let present = values.filter { !$0.isNil }
            let values = isDistinct ? try DistinctValues(present).values : present
            return shape == .set ? .set(values) : .array(values)
        }
    }
}

/// The keys of a dictionary that begin with `@`, in addition to `@count`.
package enum DictionaryKey {
    /// The list of the dictionary's keys, and the list of its values.
    package static let allKeys = "@allKeys", allValues = "@allValues"
    package static let all = [allKeys, allValues]
}
