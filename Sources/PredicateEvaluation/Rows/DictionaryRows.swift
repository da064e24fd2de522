// The row plan of Swift's dictionaries. An entry is converted where a comparison reads it; what the dynamic plan must
// evaluate gets a dictionary of the keys that the predicate names.
public import PredicateModel
public import PredicateSyntax

/// A type of dictionary, and how its entries become values.
protocol DictionaryRow: Sendable {
    associatedtype Entry
    static func value(_ entry: Entry, forKey key: String) throws(EvaluationFault) -> Value
    /// The tests of entries of some types where they are, besides the general one.
    associatedtype InPlace: Sendable
    static func inPlace(_ prepared: PreparedComparison) -> InPlace
    /// nil for an entry of another type.
    static func test(_ entry: Entry, _ tests: InPlace, _ run: inout RowRun) -> Bool?
}

extension DictionaryRow where InPlace == Void {
    static func inPlace(_ prepared: PreparedComparison) {}
    @inline(__always) static func test(_ entry: Entry, _ tests: Void, _ run: inout RowRun) -> Bool? { nil }
}

enum AnyEntries: DictionaryRow {
    @inline(__always) static func value(_ entry: Any, forKey key: String) throws(EvaluationFault) -> Value {
        try .convert(entry, forKey: key)
    }

    /// The blocks' tests of the types that are most frequent.
    struct InPlace: Sendable {
        var text: StoredTest?
        var integer: StoredTest?
        var double: StoredTest?
    }

    static func inPlace(_ prepared: PreparedComparison) -> InPlace {
        guard holdsSmallValues else { return InPlace() }
        func test(_ type: Any.Type) -> StoredTest? {
            guard let field = Field.find([], in: type), let node = FieldComparison(field, prepared)?.node()?.row,
                !node.mayRaise, !node.needsState
            else { return nil }
            return node.test
        }
        switch prepared.right {
        case .string: return InPlace(text: test(String.self))
        case .integer, .double: return InPlace(integer: test(Int.self), double: test(Double.self))
        default: return InPlace(text: test(String.self), integer: test(Int.self), double: test(Double.self))
        }
    }

    @inline(__always) static func test(_ entry: Any, _ tests: InPlace, _ run: inout RowRun) -> Bool? {
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

    /// Whether an `Any` begins with the value that it holds, if that is a text or a number: found out, not assumed. Else
    /// entries are cast.
    private static let holdsSmallValues: Bool = {
        func holds<T>(_ value: T) -> Bool {
            withUnsafeBytes(of: value) { bytes in
                withUnsafeBytes(of: value as Any) {
                    $0.count >= bytes.count && $0.prefix(bytes.count).elementsEqual(bytes)
                }
            }
        }
        return holds("small") && holds("a text that is not stored in itself") && holds(0x1234_5678) && holds(-1.5)
    }()
}

enum ValueEntries: DictionaryRow {
    typealias InPlace = Void
    @inline(__always) static func value(_ entry: Value, forKey key: String) -> Value { entry }
}

extension DictionaryRow {
    /// Where nothing but keys is asked for, those: in one shape for all dictionaries, so that a key's place is looked up
    /// once. Else all entries.
    static func load(_ plan: DynamicPlan) -> RowPlan.Load {
        guard let keys = plan.rootKeys?.sorted() else {
            return { (object) throws(EvaluationFault) in
                let row = object.assumingMemoryBound(to: [String: Entry].self).pointee
                var pairs: [(String, Value)] = []
                pairs.reserveCapacity(row.count)
                for (key, entry) in row { pairs.append((key, try value(entry, forKey: key))) }
                pairs.sort { $0.0 < $1.0 }
                return .dictionary(ValueDictionary(pairs))
            }
        }
        let shape = ValueDictionary.Shape(keys)
        return { (object) throws(EvaluationFault) in
            let row = object.assumingMemoryBound(to: [String: Entry].self)
            var values: [Value] = []
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

    /// The comparison of an entry with a constant.
    static func leaf(_ plan: any PredicatePlan) -> RowNode? {
        guard let plan = plan as? PreparedPredicate, let key = (plan.left as? RootKeyExpression)?.key else {
            return nil
        }
        let prepared = plan.prepared
        if prepared.isPattern { return pattern(key, prepared) }
        let ifNil = try? prepared.test(.null)
        let tests = inPlace(prepared)
        let test: StoredTest = { object, run in
            do throws(EvaluationFault) {
                let row = object.assumingMemoryBound(to: [String: Entry].self)
                if let entry = row.pointee[key] {
                    if let answer = Self.test(entry, tests, &run) { return answer }
                    return try prepared.test(try value(entry, forKey: key))
                }
                if let ifNil { return ifNil }
            } catch {}
            return run.doubt()
        }
        return RowNode(test: test, cost: 50, mayRaise: true)
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
    /// Compiles the predicate for dictionaries, as JSONSerialization and property lists give them. An absent key is nil.
    ///
    ///     let matcher = try FormatPredicate("age >= 21").compiled(for: [String: Any].self)
    ///     rows.filter(matcher)
    ///
    /// An entry is converted where the predicate reads it. One of a type that the language does not know raises there:
    /// such a dictionary is not selected, and `test` names the key.
    /// - Throws: every unbound variable and every refused construct, all at once.
    /// - Complexity: a row costs a look into the dictionary for each comparison, about what `row["age"] as? Int` does.
    public func compiled(
        for type: [String: Any].Type, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Matcher<[String: Any]> {
        try Matcher(self, variables: variables, options: options, AnyEntries.self)
    }

    /// Compiles the predicate for dictionaries of values; see `compiled(for:)` of `[String: Any]`. A `ValueDictionary` is
    /// faster.
    public func compiled(
        for type: [String: Value].Type, variables: PredicateVariables = [:],
        options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> Matcher<[String: Value]> {
        try Matcher(self, variables: variables, options: options, ValueEntries.self)
    }
}
