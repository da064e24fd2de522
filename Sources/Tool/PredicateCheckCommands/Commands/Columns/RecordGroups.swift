// Groups of records: `--group`, `--having` and `--distinct` of `filter` and `fetch`, and `.group`. GroupReader reads keys
// and values of records, GroupTable holds the groups, and this file makes rows of them.

/// Collects records in groups with equal keys.
package struct RecordGroups {
    /// The maximum memory of the groups in bytes.
    private static let limit = 2 << 30
    /// The number of records that are collected before they are added to the groups.
    private static let batchSize = 1024

    /// What is computed of the records of a group.
    struct GroupAggregate: Sendable {
        /// As it is written: `@sum.price`.
        let path: [String]
        /// nil for an expression that needs all records.
        let operation: CollectionOperator?
        /// The value of one record; nil for `@count`, and without an operator.
        let values: CompiledExpression?
    }

    /// A column or a sort key: a key or an aggregate of the groups, or an expression of the group's row.
    private enum Value {
        case key(Int)
        case aggregate(Int)
        case expression(CompiledExpression)
        /// An expression that is evaluated for all records of a group, which the aggregate with this position keeps.
        case records(OutputKey, Int)
    }

    /// The keys of the groups.
    package let keys: [OutputKey]
    /// The columns, sort keys and values of `--having` that read records.
    package private(set) var readers: [OutputKey]
    private let variables: PredicateVariables
    private let run: PredicateRun
    private var aggregates: [GroupAggregate] = []
    private var shown: [Value] = []
    private let shape: ValueDictionary.Shape
    private let order: [PredicateSortKey]
    private var sorted: [Value] = []
    private var having: PlanRun?
    /// The keys of the row of a group, which expressions and `having` read.
    private var rowShape = ValueDictionary.Shape([])
    private var table = GroupTable(width: 0, [])
    /// The results of all aggregates of the first group, the second and so on, if a database has computed them.
    private var results: [PredicateValue] = []
    /// The nil values that a database has counted.
    private var nilCounts: [Int: Int] = [:]
    private var reader: GroupReader
    /// Records that wait to be added.
    private var pending = GroupBatch()
    /// The number of values that could not be computed, and the first failure.
    package private(set) var failures: (count: Int, first: PredicateFailure?) = (0, nil)

    /// - Parameters:
    ///   - columns: the keys of the groups, and what to compute for each group.
    ///   - shown: the columns of the rows; nil shows the keys, the number of records, and the other columns.
    ///   - having: which groups to show.
    package init(
        _ columns: [OutputKey], showing chosen: [OutputKey]? = nil, having: FormatPredicate? = nil,
        _ order: RecordOrder, _ variables: PredicateVariables, _ run: PredicateRun
    ) throws {
        (keys, self.order) = (columns.filter { !$0.isAboutAll }, order.keys)
        (self.variables, self.run) = (variables, run)
        readers = columns + ((chosen ?? []) + order.readers).filter(\.isAboutAll)
        var shown = chosen ?? []
        let counter = CollectionOperator.first(of: .count).name
        if chosen == nil {
            let others = columns.filter(\.isAboutAll)
            let isCounted = others.contains { $0.path.name == counter }
            shown = keys + (isCounted ? [] : [try OutputKey(counter + " AS count", TextReader(), [:])]) + others
        }
        shape = ValueDictionary.Shape(shown.map(\.heading))
        reader = GroupReader(keys, [])
        self.shown = try shown.map { try value($0, "the column") }
        sorted = try order.readers.map { try value($0, "the sort key") }
        try having.map { try select($0, columns + shown) }
        rowShape = ValueDictionary.Shape(keys.indices.map { "key\($0)" } + aggregates.indices.map { "value\($0)" })
        table = GroupTable(width: keys.count, aggregates.map(\.operation))
        reader = makeReader()
    }

    package var columns: [String] { shape.keys }
    /// The number of groups, also of those that `having` does not select.
    package var count: Int { table.count }

    // MARK: Columns

    private mutating func value(_ column: OutputKey, _ what: String) throws -> Value {
        if let index = keys.firstIndex(where: { $0.path == column.path || $0.heading == column.path.name }) {
            return .key(index)
        }
        guard column.isAboutAll, let root = column.root else {
            let known = keys.map(\.heading) + [CollectionOperator.first(of: .count).name]
            throw CommandEnd.usage(
                "\(what) '\(column.text)' is neither a key of the groups nor a value of several records",
                hint: "write one of \(known.joined(separator: ", ")), or an aggregate such as @max.\(column.path.name)")
        }
        let tree = PredicateTree.expression(root)
        guard tree.isOfAggregates else {
            aggregates.append(GroupAggregate(path: [column.text], operation: nil, values: nil))
            return .records(column, aggregates.count - 1)
        }
        try prepare(tree, "\(what) '\(column.text)'", column.environment)
        if case .keyPath(let path) = root.kind, let index = aggregates.firstIndex(where: { $0.path == path }) {
            return .aggregate(index)
        }
        let expression = FormatExpression(rewriter().rewrite(root), source: column.text, in: column.environment)
        return .expression(try CompiledExpression(expression, variables: variables, run: run))
    }

    /// Sets which groups have rows. The predicate reads keys, aggregates, and columns by their names.
    private mutating func select(_ predicate: FormatPredicate, _ columns: [OutputKey]) throws {
        let named = Dictionary(
            columns.compactMap { column in column.root.map { (column.heading, $0) } }, uniquingKeysWith: { $1 })
        let root = rewriter(replacing: named).rewrite(predicate.root)
        let tree = PredicateTree.predicate(root)
        guard tree.isOfAggregates else {
            throw CommandEnd.usage("--having tests keys of the groups and aggregates such as @sum.price of each group")
        }
        try prepare(tree, "--having", predicate.environment)
        readers += try tree.aggregatePaths.map { try OutputKey($0.joined(separator: "."), TextReader(), [:]) }
        having = try PlanRun(predicate.replacingRoot(rewriter().rewrite(root)), variables: variables, run: run)
    }

    /// Adds the aggregates that a tree reads.
    private mutating func prepare(_ tree: PredicateTree, _ what: String, _ environment: PredicateEnvironment) throws {
        if let other = tree.plainKeys.subtracting(keys.flatMap { [$0.heading, $0.path.name] }).min() {
            throw CommandEnd.usage("\(what) reads '\(other)', which is not a key of the groups")
        }
        for path in tree.aggregatePaths where !aggregates.contains(where: { $0.path == path }) {
            guard let operation = CollectionOperator.named(path[0]) else { continue }
            let values = FormatExpression(
                FormatExpression.key(path.dropFirst().joined(separator: ".")).root, in: environment)
            let isCount = operation.kind == .count
            aggregates.append(
                GroupAggregate(path: path, operation: operation, values: isCount ? nil : try CompiledExpression(values))
            )
        }
    }

    /// Replaces the keys and aggregates of the groups by members of the row of a group.
    /// - Parameter columns: replaces only other names, by the expressions of these columns.
    private func rewriter(replacing columns: [String: ExpressionNode]? = nil) -> PredicateRewriter<Never> {
        var names: [String: String] = [:]
        for (index, key) in keys.enumerated() {
            for name in [key.heading, key.path.name] where names[name] == nil { names[name] = "key\(index)" }
        }
        for (index, aggregate) in aggregates.enumerated() {
            names[aggregate.path.joined(separator: ".")] = "value\(index)"
        }
        return PredicateRewriter<Never>(expression: { [names] node in
            guard case .keyPath(let path) = node.kind else { return node }
            let text = path.joined(separator: ".")
            if let columns { return names[text] == nil ? columns[text] ?? node : node }
            return names[text].map { ExpressionNode(.keyPath([$0]), span: node.span) } ?? node
        })
    }

    // MARK: Collecting

    /// Makes a reader of records, for a thread.
    var makeReader: @Sendable () -> GroupReader { { [keys, aggregates] in GroupReader(keys, aggregates) } }

    /// Adds a record.
    /// - Parameter key: the values of the keys, if they are known.
    package mutating func add(_ record: PredicateValue, key: [PredicateValue]? = nil) throws {
        try reader.add(record, key: key, to: &pending)
        if pending.count >= Self.batchSize { try add(GroupBatch()) }
    }

    /// Adds the records of a batch, after those that wait.
    mutating func add(_ batch: GroupBatch) throws {
        for found in [pending, batch] where found.count > 0 {
            failures = (failures.count + found.failures.count, failures.first ?? found.failures.first)
            table.add(found)
        }
        pending = GroupBatch()
        try checkMemory()
    }

    private func checkMemory() throws {
        if table.bytes <= Self.limit { return }
        throw CommandEnd.failure(
            .failed, "the groups need more than \(Self.limit >> 30) GB of memory: group by fewer keys")
    }

    /// The keys and aggregates of the groups, if a database can compute them: key paths, and one operator with a path.
    package var properties: (keys: [String], aggregates: [String])? {
        if keys.isEmpty || keys.contains(where: \.isExpression) || aggregates.contains(where: { $0.operation == nil }) {
            return nil
        }
        return (keys.map(\.path.name), aggregates.map { $0.path.joined(separator: ".") })
    }

    /// Adds a group that a database has computed.
    package mutating func add(group key: [PredicateValue], count: Int, results: [PredicateValue]) throws {
        let group = table.add(key: key, count: count)
        if group * aggregates.count == self.results.count { self.results += results }
        try checkMemory()
    }

    /// The means for which nil values are counted: the positions of the aggregates, and the paths of their values.
    package var means: [(index: Int, path: String)] {
        aggregates.indices.filter { aggregates[$0].operation?.kind == .average }
            .map { ($0, aggregates[$0].path.dropFirst().joined(separator: ".")) }
    }

    /// Adds the nil values of a mean that a database has counted.
    package mutating func add(nilCount: Int, ofMean index: Int) { nilCounts[index] = nilCount }

    // MARK: Rows

    /// Passes the rows of the groups to `body`: sorted as asked, then by their keys. Returns the number of rows.
    package mutating func forEachRow(
        offset: Int = 0, limit: Int? = nil, _ body: (PredicateValue) throws -> Void
    ) throws -> Int {
        try add(GroupBatch())
        let end = limit.flatMap { limit in
            let (end, overflow) = limit.addingReportingOverflow(offset)
            return overflow ? nil : end
        }
        let sortKeys = order + keys.indices.map { _ in PredicateSortKey("") }
        var sorter = Sorter<Int>(keys: sortKeys, limit: end, rules: sortKeys.rules)
        let isComputed = !results.isEmpty
        for group in 0..<table.count {
            if group & 1023 == 0 { try Task.checkCancellation() }
            if !isComputed { computeResults(of: group) }
            if !isSelected(group) { continue }
            sorter.add(group, fields: sorted.map { value($0, group) } + keys.indices.map { table.key($0, of: group) })
        }
        let found = sorter.finish().dropFirst(offset)
        for group in found {
            try body(.dictionary(ValueDictionary(shape: shape, values: shown.map { value($0, group) })))
        }
        return found.count
    }

    private mutating func computeResults(of group: Int) {
        for (index, aggregate) in aggregates.enumerated() {
            do throws(EvaluationFault) {
                results.append(try table.result(of: index, for: group))
            } catch {
                let text = aggregate.path.joined(separator: ".")
                note(PredicateFailure(PredicateDiagnostic(error.id, at: .none, details: error.details), source: text))
                results.append(.null)
            }
        }
    }

    /// The keys and aggregates of a group, which expressions read.
    private func row(of group: Int) -> PredicateValue {
        let count = aggregates.count
        return .dictionary(
            ValueDictionary(
                shape: rowShape,
                values: keys.indices.map { table.key($0, of: group) } + results[group * count..<(group + 1) * count]))
    }

    private mutating func isSelected(_ group: Int) -> Bool {
        if having == nil { return true }
        let row = row(of: group)
        do throws(PredicateFailure) {
            return try having?.test(row) ?? true
        } catch {
            note(error)
            return false
        }
    }

    private mutating func value(_ value: Value, _ group: Int) -> PredicateValue {
        do throws(PredicateFailure) {
            switch value {
            case .key(let index): return table.key(index, of: group)
            case .aggregate(let index): return results[group * aggregates.count + index]
            case .expression(let expression): return try expression.value(of: row(of: group)).withoutObjects
            case .records(let column, let index):
                return try column.value(in: results[group * aggregates.count + index])
            }
        } catch {
            note(error)
            return .null
        }
    }

    private mutating func note(_ failure: PredicateFailure) {
        failures = (failures.count + 1, failures.first ?? failure)
    }

    // MARK: Notes

    /// What to say beside the rows: values that could not be computed, and nil values in means.
    package var notes: [String] {
        let records = table.counts.reduce(0, +)
        var notes = means.compactMap { index, _ -> String? in
            let nilCount = table.nilCount(of: index) + (nilCounts[index] ?? 0)
            if nilCount == 0 { return nil }
            return "\(aggregates[index].path.joined(separator: ".")) counts nil as 0: \(nilCount) of "
                + "\(DisplayText.count(records, "value")) \(nilCount == 1 ? "is" : "are") nil"
        }
        if failures.count > 0 {
            let verb = failures.count == 1 ? "is" : "are"
            notes.append(
                "\(DisplayText.count(failures.count, "value")) cannot be computed and \(verb) shown as nil; "
                    + "the first failure:")
        }
        return notes
    }
}

extension Invocation {
    /// Whether the rows are groups: with `--group`, and with `--distinct`, whose groups are the distinct rows.
    package var isGrouped: Bool { has(.group) || has(.distinct) }

    /// The columns of `--group`; empty without the option.
    package func groupColumns(_ reader: TextReader, _ variables: PredicateVariables) throws -> [OutputKey] {
        try self[.group].map { try FormatExpression.list($0).map { try OutputKey($0, reader, variables) } } ?? []
    }

    /// The groups of `--group` and `--distinct`; nil without these options.
    ///
    /// - Parameter shown: the columns of `--keys`.
    package func recordGroups(
        showing shown: [OutputKey]?, _ order: RecordOrder, _ reader: TextReader, _ variables: PredicateVariables
    ) throws -> RecordGroups? {
        if has(.having), !has(.group) {
            throw CommandEnd.usage("--having tests groups", hint: "--group city --having '@count > 10'")
        }
        guard isGrouped else { return nil }
        let option = has(.group) ? OptionDescription.group : .distinct
        for other in [OptionDescription.countOnly, .whyNot, .explainPlan, .whyRow, .verify] where has(other) {
            throw CommandEnd.usage("\(option.name) and \(other.name) cannot be used together")
        }
        if has(.distinct), has(.group) || shown?.contains(where: \.isAboutAll) ?? true {
            throw CommandEnd.usage(
                "--distinct prints each row of --keys once; the keys are values of one record",
                hint: "--keys 'city, country' --distinct")
        }
        let columns = has(.group) ? try groupColumns(reader, variables) : shown ?? []
        for key in columns + (shown ?? []) + order.readers where !(key.findings + key.problems).isEmpty {
            try Report(self).show(key.findings + key.problems, source: key.path.name)
            throw CommandEnd.exit(ExitCode(checking: key.findings + key.problems))
        }
        guard !columns.isEmpty else {
            throw CommandEnd.usage(
                "--group takes keys, and what to compute for each group", hint: "--group 'city, @avg.age'")
        }
        return try RecordGroups(
            columns, showing: shown, having: havingPredicate(reader), order, variables,
            PredicateRun(clock: reader.clock?.seconds))
    }

    private func havingPredicate(_ reader: TextReader) throws -> FormatPredicate? {
        guard let text = self[.having] else { return nil }
        var reader = reader
        // The type checker knows the keys of one record.
        reader.declared = (reader.declared ?? reader.checker)?.ofLists
        (reader.kind, reader.checker) = (.predicate, nil)
        let read = reader.read(text)
        guard case .predicate(let predicate) = read.tree, !read.hasErrors else {
            try Report(self).show(read.diagnostics, source: text)
            throw CommandEnd.exit(read.code)
        }
        return predicate
    }

    /// Prints what is said beside the rows of groups. Returns whether all values were computed.
    package func tellNotes(of groups: RecordGroups) throws -> Bool {
        for note in groups.notes { try output.note(DisplayText.visible(note)) }
        guard let first = groups.failures.first else { return true }
        try Report(self).show(first.diagnostics, source: first.source)
        return false
    }
}

extension PredicateTree {
    /// Whether each key of the expression is an aggregate or a key of its own, so that a group needs no records.
    fileprivate var isOfAggregates: Bool {
        var isSimple = true
        PredicateWalker(expression: { node in
            switch node.kind {
            case .member, .subquery, .selfObject, .anyKey, .term, .fetch, .assignment: isSimple = false
            case .keyPath(let path) where path[0].hasPrefix("@"):
                let operation = CollectionOperator.named(path[0])
                if operation == nil || operation?.kind == .union { isSimple = false }
                if operation?.kind == .count, path.count > 1 { isSimple = false }
            default: break
            }
        }).walk(self)
        return isSimple
    }

    /// The key paths that begin with a collection operator.
    fileprivate var aggregatePaths: [[String]] { keyPaths.filter { $0[0].hasPrefix("@") } }

    /// The other key paths.
    fileprivate var plainKeys: Set<String> {
        Set(keyPaths.filter { !$0[0].hasPrefix("@") }.map { $0.joined(separator: ".") })
    }

    private var keyPaths: [[String]] {
        var found: [[String]] = []
        PredicateWalker(expression: { if case .keyPath(let path) = $0.kind { found.append(path) } })
            .walk(self)
        return found
    }
}
