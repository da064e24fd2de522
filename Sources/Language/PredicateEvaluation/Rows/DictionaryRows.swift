// The row plan for Swift dictionaries. An entry is converted when a comparison reads it. The dynamic plan gets a
// dictionary that contains only the keys that the predicate reads.

/// A dictionary type, and the conversion of its entries to values.
protocol DictionaryRow: Sendable {
    associatedtype Entry
    static func value(_ entry: Entry, forKey key: String) throws(EvaluationFault) -> PredicateValue
    /// Whether `test` is supported for this type.
    static var areTestedInPlace: Bool { get }
    /// Tests an entry in place; nil if its type is not supported.
    static func test(_ entry: Entry, _ tests: EntryTests, _ run: inout RowRun) -> Bool?
}

extension DictionaryRow {
    static var areTestedInPlace: Bool { false }
    @inline(__always) static func test(_ entry: Entry, _ tests: EntryTests, _ run: inout RowRun) -> Bool? { nil }
}

/// The block tests of a leaf that reads only one entry, for each of the most frequent entry types.
struct EntryTests: Sendable {
    private(set) var key: String?
    private(set) var text: StoredTest?
    private(set) var integer: StoredTest?
    private(set) var double: StoredTest?
    private(set) var ifNil: Bool?

    init(_ plan: any PredicatePlan, _ catalog: FunctionCatalog) {
        text = test(plan, catalog, String.self)
        integer = test(plan, catalog, Int.self)
        double = test(plan, catalog, Double.self)
        ifNil = answer(plan, catalog, String?.none) ?? answer(plan, catalog, Int?.none)
    }

    /// The test for entries of one type; nil if blocks do not support it or it needs a state.
    private mutating func test(
        _ plan: any PredicatePlan, _ catalog: FunctionCatalog, _ type: Any.Type
    ) -> StoredTest? {
        var found = key
        let field: ([String]) -> Field? = { keys in
            guard keys.count == 1, found == nil || found == keys[0] else { return nil }
            found = keys[0]
            return Field.find([], in: type)
        }
        var compiler = BlockCompiler(field: field, catalog: catalog)
        guard let node = compiler.leaf(plan)?.row, !node.needsState, found != nil else { return nil }
        key = found
        return node.test
    }

    private mutating func answer<T>(_ plan: any PredicatePlan, _ catalog: FunctionCatalog, _ none: T?) -> Bool? {
        guard let test = test(plan, catalog, T?.self) else { return nil }
        var run = RowRun(state: nil)
        let answer = withUnsafePointer(to: none) { test(UnsafeRawPointer($0), &run) }
        return run.isDoubtful ? nil : answer
    }
}

enum AnyEntries: DictionaryRow {
    @inline(__always) static func value(_ entry: Any, forKey key: String) throws(EvaluationFault) -> PredicateValue {
        try .convert(entry, forKey: key)
    }

    static var areTestedInPlace: Bool { StorageLayout.anyHoldsSmallValues }

    @inline(__always) static func test(_ entry: Any, _ tests: EntryTests, _ run: inout RowRun) -> Bool? {
        let type = Swift.type(of: entry)
        let test =
            type == String.self
            ? tests.text
            : type == Int.self
                ? tests.integer
                : type == Double.self ? tests.double : nil
        guard let test else { return nil }
        return withUnsafePointer(to: entry) { test(UnsafeRawPointer($0), &run) }
    }
}

enum ValueEntries: DictionaryRow {
    @inline(__always) static func value(_ entry: PredicateValue, forKey key: String) -> PredicateValue { entry }
}

extension DictionaryRow {
    /// Loads the dictionary as a value. If the predicate reads only certain keys, loads these with one common shape, so
    /// that each key is looked up once; otherwise loads all entries.
    static func load(_ plan: DynamicPlan) -> ObjectLoader {
        guard let keys = plan.rootKeys?.ordered() else {
            return { (object) throws(EvaluationFault) in
                try whole(object.assumingMemoryBound(to: [String: Entry].self).pointee)
            }
        }
        let shape = ValueDictionary.Shape(keys)
        return { (object) throws(EvaluationFault) in
            let row = object.assumingMemoryBound(to: [String: Entry].self)
            var values: [PredicateValue] = []
            values.reserveCapacity(shape.keys.count)
            for key in shape.keys {
                guard let entry = row.pointee[key] else {
                    values.append(.null)
                    continue
                }
                values.append(try value(entry, forKey: key))
            }
            return .dictionary(ValueDictionary(shape: shape, values: values))
        }
    }

    /// The dictionary with all entries.
    static func whole(_ row: [String: Entry]) throws(EvaluationFault) -> PredicateValue {
        var pairs: [(String, PredicateValue)] = []
        pairs.reserveCapacity(row.count)
        for (key, entry) in row { pairs.append((key, try value(entry, forKey: key))) }
        return .dictionary(ValueDictionary(sorting: pairs))
    }

    /// A leaf that reads one entry.
    static func leaf(_ plan: any PredicatePlan, _ catalog: FunctionCatalog) -> RowNode? {
        guard let comparison = plan as? PreparedPredicate, let key = (comparison.left as? RootKeyExpression)?.key else {
            return areTestedInPlace ? computed(plan, catalog) : nil
        }
        let prepared = comparison.prepared
        if prepared.isPattern { return pattern(key, prepared) }
        let ifNil = try? prepared.test(.null)
        let tests = areTestedInPlace ? EntryTests(plan, catalog) : nil
        let test: StoredTest = { object, run in
            do throws(EvaluationFault) {
                let row = object.assumingMemoryBound(to: [String: Entry].self)
                if let entry = row.pointee[key] {
                    if let tests, let answer = Self.test(entry, tests, &run) { return answer }
                    return try prepared.test(try value(entry, forKey: key))
                }
                if let ifNil { return ifNil }
            } catch {}
            return run.doubt()
        }
        return RowNode(test: test, cost: 50, mayRaise: true)
    }

    /// A comparison of a value computed from an entry, such as `name.length > 3`. The dynamic plan handles
    /// types that blocks do not support.
    private static func computed(_ plan: any PredicatePlan, _ catalog: FunctionCatalog) -> RowNode? {
        let tests = EntryTests(plan, catalog)
        guard let key = tests.key, let ifNil = tests.ifNil else { return nil }
        let test: StoredTest = { object, run in
            let row = object.assumingMemoryBound(to: [String: Entry].self)
            guard let entry = row.pointee[key] else { return ifNil }
            return Self.test(entry, tests, &run) ?? run.doubt()
        }
        return RowNode(test: test, cost: 60, mayRaise: true)
    }

    private static func pattern(_ key: String, _ prepared: PreparedComparison) -> RowNode {
        let test: StoredTest = { object, run in
            do throws(EvaluationFault) {
                let row = object.assumingMemoryBound(to: [String: Entry].self)
                guard let entry = row.pointee[key] else { return false }
                if let state = run.state { return try prepared.test(try value(entry, forKey: key), &state.context) }
            } catch {}
            return run.doubt()
        }
        return RowNode(test: test, cost: 100, mayRaise: true, needsState: true)
    }
}

extension FormatPredicate {
    /// Compiles the predicate for dictionaries, such as those of JSONSerialization and property lists. A
    /// missing key is nil.
    ///
    ///     let matcher = try FormatPredicate("age >= 21").compiled(for: [String: Any].self)
    ///     rows.filter(matcher)
    ///
    /// An entry is converted when the predicate reads it. An entry of an unsupported type is an error: the dictionary
    /// is not selected, and `test` throws an error with the key.
    /// - Throws: `PredicateFailure` with every unbound variable and every construct that evaluation refuses.
    /// - Complexity: one dictionary lookup per comparison, about the cost of `row["age"] as? Int`.
    public func compiled(
        for type: [String: Any].Type, variables: PredicateVariables = [:],
        run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> PredicateMatcher<[String: Any]> {
        try .sendable(PredicateMatcher(ObjectTest(self, variables: variables, run: run, AnyEntries.self)), variables)
    }
}
