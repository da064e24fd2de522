// Reads the values of sort keys. Sequence+Sorting.swift sorts by them.

/// Reads the value of a sort key from objects of one type.
package struct SortReader<Root>: Sendable {
    /// Reads from the object at an address.
    let read: @Sendable (UnsafeRawPointer) throws(PredicateFailure) -> PredicateValue

    package func value(of object: Root) throws(PredicateFailure) -> PredicateValue {
        try withUnsafePointer(to: object) { (object) throws(PredicateFailure) in try read(UnsafeRawPointer(object)) }
    }
}

extension PredicateSortKey {
    /// The reader for a published type, or for values such as texts, numbers and dates.
    /// - Throws: `PredicateFailure` for a key that the type does not publish, and for an expression that does not fit.
    package func reader<Root: QueryableValue>(
        of type: Root.Type, _ run: PredicateRun
    ) throws(PredicateFailure) -> SortReader<Root> {
        let expression = try expression()
        let plan = try Binding.of(type, run).plan(expression)
        let keys: [String]? =
            switch expression.root.kind {
            case .selfObject: []
            case .keyPath(let keys): keys
            default: nil
            }
        if keys == [], let stored = type as? any StoredType.Type {
            return SortReader(read: stored.reader(at: 0, isOptional: false))
        }
        if let keys, let field = Field.find(keys[...], in: type), field.steps.isEmpty, let stored = field.type {
            let read = stored.reader(at: field.offset, isOptional: field.isOptional)
            return SortReader { read($0) }
        }
        if let keys, keys.count == 1, let read = (type as? any Queryable.Type)?.reader(of: keys[0]) {
            return SortReader(read: read)
        }
        let source = path
        return SortReader { (object) throws(PredicateFailure) in
            try plan.value(of: object.assumingMemoryBound(to: Root.self).pointee.queryValue, source: source)
        }
    }

    fileprivate func dictionaryReader(
        _ run: PredicateRun
    ) throws(PredicateFailure) -> SortReader<[String: Any]> {
        let plan = try Binding(variables: [:], run: run).plan(expression())
        let (source, load) = (path, AnyEntries.load(plan))
        return SortReader { (object) throws(PredicateFailure) in
            let value: PredicateValue
            do throws(EvaluationFault) { value = try load(object) } catch {
                throw error.failure(source: source)
            }
            return try plan.value(of: value, source: source)
        }
    }
}

extension Queryable {
    /// Reads a published key from the object at an address.
    fileprivate static func reader(of key: String) -> (@Sendable (UnsafeRawPointer) -> PredicateValue)? {
        // `Keyed` is `Self` or its superclass, so a reference to it has the same layout.
        guard let read = keys[key]?.read else { return nil }
        return { read($0.assumingMemoryBound(to: Keyed.self).pointee) }
    }
}

extension Binding {
    /// The reader for any type of values.
    fileprivate static func of<Value: QueryableValue>(
        _ type: Value.Type, _ run: PredicateRun
    ) throws(PredicateFailure) -> Binding {
        if let type = type as? any Queryable.Type { return try Binding(type, variables: [:], run: run) }
        return Value.self == PredicateValue.self
            ? Binding(variables: [:], run: run) : Binding(values: type, variables: [:], run: run)
    }
}

extension DynamicPlan {
    fileprivate func value(of object: PredicateValue, source: String) throws(PredicateFailure) -> PredicateValue {
        var run = PlanRun(self, source)
        return try run.value(of: object)
    }
}

extension [PredicateSortKey] {
    /// The indices of objects, sorted by the keys.
    private func order<Root>(
        of objects: [Root], _ run: PredicateRun,
        _ reader: (PredicateSortKey) throws(PredicateFailure) -> SortReader<Root>
    ) throws(PredicateFailure) -> [Int] {
        guard !isEmpty else { return Array<Int>(objects.indices) }
        let unread = [PredicateValue](repeating: .null, count: objects.count * count)
        var columns = SortColumns(self, rules: rules, values: unread)
        for (index, key) in enumerated() {
            let read = try reader(key).read
            // Objects are passed by address, because copying a struct counts a reference for each of its texts.
            try objects.withUnsafeBufferPointer { (objects) throws(PredicateFailure) in
                guard let base = objects.baseAddress else { return }
                try columns.read(forKey: index) { (place) throws(PredicateFailure) in
                    try read(UnsafeRawPointer(base + place))
                }
            }
        }
        return columns.order()
    }

    /// The indices of objects, sorted by the keys.
    @usableFromInline func order<Root: QueryableValue>(
        of objects: [Root], _ run: PredicateRun
    ) throws(PredicateFailure) -> [Int] {
        try order(of: objects, run) { (key) throws(PredicateFailure) in try key.reader(of: Root.self, run) }
    }

    func sorted(_ rows: [[String: Any]], _ run: PredicateRun) throws(PredicateFailure) -> [[String: Any]] {
        let order = try order(of: rows, run) { (key) throws(PredicateFailure) in try key.dictionaryReader(run) }
        return order.map { rows[$0] }
    }

    func sorted(_ table: PredicateTable, _ run: PredicateRun) throws(PredicateFailure) -> [PredicateValue] {
        var known: Set<String>? = []
        for key in self {
            let read = try key.expression().root.keysOfRecord()
            known = read.flatMap { known?.union($0) }
        }
        let rows = known.map(table.projection) ?? table
        let order = try order(of: (0..<table.count).map { rows[$0] }, run) { (key) throws(PredicateFailure) in
            try key.reader(of: PredicateValue.self, run)
        }
        return order.map { table[$0] }
    }
}
