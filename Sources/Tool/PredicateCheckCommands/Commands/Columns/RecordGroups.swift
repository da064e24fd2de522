// Groups of records: `--group` of `filter` and `fetch`, and `.group`. Memory holds the keys of each group and a few
// values for each of its aggregates, not the records.

package import PredicateEvaluation
import PredicateModel
import PredicateRecords
package import PredicateSyntax

/// Collects records in groups with equal keys.
package struct RecordGroups {
    /// The maximum number of groups, which are held in memory.
    private static let maximum = 1_000_000

    /// What is computed of the records of a group.
    private struct GroupAggregate {
        /// As it is written: `@sum.price`.
        let path: [String]
        /// nil for an expression that needs all records.
        let operation: CollectionOperator?
        /// The value of one record; nil for `@count`.
        let values: CompiledExpression?
        /// The number of nil values, which `@avg` counts as 0.
        var nilCount = 0
    }

    /// A column or a sort key: a key of the groups, or an expression of the group's row.
    private enum Value {
        case key(Int)
        case expression(CompiledExpression)
        /// An expression that is evaluated for all records of a group, which the aggregate with this position keeps.
        case records(OutputKey, Int)
    }

    private struct Group {
        var keys: [PredicateValue]
        var count = 0
        /// The values of each aggregate, or sums of them.
        var values: [[PredicateValue]]
        /// The results of the aggregates, if a database has computed them.
        var results: [PredicateValue] = []
    }

    /// The keys of the groups.
    package let keys: [OutputKey]
    /// The columns and sort keys that read records.
    package let readers: [OutputKey]
    private let variables: PredicateVariables
    private let run: PredicateRun
    private var aggregates: [GroupAggregate] = []
    private var shown: [Value] = []
    private let shape: ValueDictionary.Shape
    private let order: [PredicateSortKey]
    private var sorted: [Value] = []
    private var groups: [Group] = []
    private var positions: [[EqualityKey]: Int] = [:]
    /// The number of values that could not be computed, and the first failure.
    package private(set) var failures: (count: Int, first: PredicateFailure?) = (0, nil)

    /// - Parameters:
    ///   - columns: the keys of the groups, and what to compute for each group.
    ///   - shown: the columns of the rows; nil shows the keys, the number of records, and the other columns.
    package init(
        _ columns: [OutputKey], showing chosen: [OutputKey]? = nil, _ order: RecordOrder,
        _ variables: PredicateVariables, _ run: PredicateRun
    ) throws {
        (keys, self.order) = (columns.filter { !$0.isAboutAll }, order.keys)
        (self.variables, self.run) = (variables, run)
        readers = columns + ((chosen ?? []) + order.readers).filter(\.isAboutAll)
        var shown = chosen ?? []
        if chosen == nil {
            let count = try OutputKey(CollectionOperator.first(of: .count).name + " AS count", TextReader(), [:])
            shown = keys + [count] + columns.filter(\.isAboutAll)
        }
        shape = ValueDictionary.Shape(shown.map(\.heading))
        self.shown = try shown.map { try value($0, "the column") }
        sorted = try order.readers.map { try value($0, "the sort key") }
    }

    package var columns: [String] { shape.keys }
    /// The number of groups.
    package var count: Int { groups.count }

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
        guard root.isOfAggregates else {
            aggregates.append(GroupAggregate(path: [column.text], operation: nil, values: nil))
            return .records(column, aggregates.count - 1)
        }
        if let other = root.plainKeys.subtracting(keys.map(\.heading)).min() {
            throw CommandEnd.usage("\(what) '\(column.text)' reads '\(other)', which is not a key of the groups")
        }
        for path in root.aggregatePaths where !aggregates.contains(where: { $0.path == path }) {
            try add(path, column.environment)
        }
        // The keys and aggregates are members of the row of a group.
        let names = Dictionary(
            keys.enumerated().map { ([$1.heading], "key\($0)") }
                + aggregates.enumerated().map { ($1.path, "value\($0)") }, uniquingKeysWith: { first, _ in first })
        let rewriter = PredicateRewriter<Never>(expression: { node in
            guard case .keyPath(let path) = node.kind, let name = names[path] else { return node }
            return ExpressionNode(.keyPath([name]), span: node.span)
        })
        let expression = FormatExpression(rewriter.rewrite(root), source: column.text, in: column.environment)
        return .expression(try CompiledExpression(expression, variables: variables, run: run))
    }

    private mutating func add(_ path: [String], _ environment: PredicateEnvironment) throws {
        guard let operation = CollectionOperator.named(path[0]) else { return }
        let values = FormatExpression(
            FormatExpression.key(path.dropFirst().joined(separator: ".")).root, in: environment)
        let isCount = operation.kind == .count
        aggregates.append(
            GroupAggregate(path: path, operation: operation, values: isCount ? nil : try CompiledExpression(values)))
    }

    // MARK: Collecting

    /// The keys of the group of a record.
    package func keys(of record: PredicateValue) throws(PredicateFailure) -> [PredicateValue] {
        try keys.map { (key) throws(PredicateFailure) in try key.value(in: record) }
    }

    /// Adds a record to the group with the given keys.
    package mutating func add(_ record: PredicateValue, keys: [PredicateValue]) throws {
        let position = try position(of: keys)
        groups[position].count += 1
        for index in aggregates.indices {
            guard aggregates[index].operation != nil else {
                groups[position].values[index].append(record)
                continue
            }
            guard let values = aggregates[index].values else { continue }
            do throws(PredicateFailure) {
                let found = try values.value(of: record)
                if found.isNil {
                    aggregates[index].nilCount += 1
                    continue
                }
                groups[position].values[index].append(found)
                if groups[position].values[index].count >= 64 {
                    Self.reduce(&groups[position].values[index], aggregates[index].operation)
                }
            } catch {
                failures = (failures.count + 1, failures.first ?? error)
            }
        }
    }

    /// The keys and aggregates of the groups, if a database can compute them: key paths, and one operator with a path.
    package var properties: (keys: [String], aggregates: [String])? {
        if keys.isEmpty || keys.contains(where: \.isExpression) || aggregates.contains(where: { $0.operation == nil }) {
            return nil
        }
        return (keys.map(\.path.name), aggregates.map { $0.path.joined(separator: ".") })
    }

    /// Adds a group that a database has computed.
    package mutating func add(group keys: [PredicateValue], count: Int, results: [PredicateValue]) throws {
        let position = try position(of: keys)
        groups[position].count += count
        groups[position].results = results
    }

    private mutating func position(of keys: [PredicateValue]) throws -> Int {
        let key = keys.map { EqualityKey($0.isNaN ? .type("NaN") : $0) }
        if let known = positions[key] { return known }
        if groups.count == Self.maximum {
            throw CommandEnd.failure(.failed, "there are more than \(Self.maximum) groups: group by fewer keys")
        }
        positions[key] = groups.count
        groups.append(Group(keys: keys, values: aggregates.map { _ in [] }))
        return groups.count - 1
    }

    /// Replaces values by their sum or extreme, from which the same result is computed. Values that have none stay, so
    /// that the result is the same failure.
    private static func reduce(_ values: inout [PredicateValue], _ operation: CollectionOperator?) {
        guard let operation else { return }
        let step = operation.kind == .average ? CollectionOperator.first(of: .sum) : operation
        if let one = try? step.result(values, in: .standard) { values = [one] }
    }

    // MARK: Rows

    /// The rows of the groups: sorted as asked, or by their keys.
    package mutating func rows(offset: Int = 0, limit: Int? = nil) throws -> [PredicateValue] {
        let end = limit.flatMap { limit in
            let (end, overflow) = limit.addingReportingOverflow(offset)
            return overflow ? nil : end
        }
        var sorter = Sorter<(Group, PredicateValue)>(keys: order, limit: end, rules: order.rules)
        for group in groups.sorted(by: { Self.precedes($0.keys, $1.keys) }) {
            try Task.checkCancellation()
            let row = row(of: group)
            sorter.add((group, row), fields: sorted.map { value($0, group, row) })
        }
        return sorter.finish().dropFirst(offset).map { group, row in
            .dictionary(ValueDictionary(shape: shape, values: shown.map { value($0, group, row) }))
        }
    }

    /// The keys and aggregates of a group, which expressions read.
    private mutating func row(of group: Group) -> PredicateValue {
        var fields = group.keys.enumerated().map { ("key\($0)", $1) }
        for (index, aggregate) in aggregates.enumerated() {
            guard let operation = aggregate.operation else { continue }
            if !group.results.isEmpty {
                fields.append(("value\(index)", group.results[index]))
                continue
            }
            var result = PredicateValue.null
            do throws(EvaluationFault) {
                let (values, name) = (group.values[index], operation.name)
                switch operation.kind {
                case .count: result = .integer(Int64(group.count))
                case .average: result = try Aggregates.average(values, of: group.count, for: name)
                case .sum, .minimum, .maximum, .union: result = try operation.result(values, in: .standard)
                }
            } catch {
                let text = aggregate.path.joined(separator: ".")
                let failure = PredicateFailure(
                    PredicateDiagnostic(error.id, at: .none, details: error.details), source: text)
                failures = (failures.count + 1, failures.first ?? failure)
            }
            fields.append(("value\(index)", result))
        }
        return .dictionary(ValueDictionary(fields))
    }

    private mutating func value(_ value: Value, _ group: Group, _ row: PredicateValue) -> PredicateValue {
        do throws(PredicateFailure) {
            switch value {
            case .key(let index): return group.keys[index]
            case .expression(let expression): return try expression.value(of: row).withoutObjects
            case .records(let column, let index): return try column.value(in: .array(group.values[index]))
            }
        } catch {
            failures = (failures.count + 1, failures.first ?? error)
            return .null
        }
    }

    private static func precedes(_ left: [PredicateValue], _ right: [PredicateValue]) -> Bool {
        zip(left, right).lazy.map { ValueOrder.compare($0, $1) }.first { $0 != 0 }.map { $0 < 0 } ?? false
    }

    // MARK: Notes

    /// What to say beside the rows: values that could not be computed, and nil values in means.
    package var notes: [String] {
        let records = groups.reduce(0) { $0 + $1.count }
        var notes = aggregates.filter { $0.operation?.kind == .average && $0.nilCount > 0 }.map { aggregate in
            let name = aggregate.path.joined(separator: ".")
            return "\(name) counts nil as 0: \(aggregate.nilCount) of \(DisplayText.count(records, "value")) "
                + (aggregate.nilCount == 1 ? "is nil" : "are nil")
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
    /// The columns of `--group`; empty without the option.
    func groupColumns(_ reader: TextReader, _ variables: PredicateVariables) throws -> [OutputKey] {
        try self[.group].map { try FormatExpression.list($0).map { try OutputKey($0, reader, variables) } } ?? []
    }

    /// The groups of `--group`; nil without the option.
    ///
    /// - Parameter shown: the columns of `--keys`.
    package func recordGroups(
        showing shown: [OutputKey]?, _ order: RecordOrder, _ reader: TextReader, _ variables: PredicateVariables
    ) throws -> RecordGroups? {
        guard let text = self[.group] else { return nil }
        for other in [OptionDescription.countOnly, .whyNot, .explainPlan, .whyRow, .verify] where has(other) {
            throw CommandEnd.usage("--group and \(other.name) cannot be used together")
        }
        let columns = try FormatExpression.list(text).map { try OutputKey($0, reader, variables) }
        for key in columns + (shown ?? []) + order.readers where !(key.findings + key.problems).isEmpty {
            try Report(self).show(key.findings + key.problems, source: key.path.name)
            throw CommandEnd.exit(ExitCode(checking: key.findings + key.problems))
        }
        guard !columns.isEmpty else {
            throw CommandEnd.usage(
                "--group takes keys, and what to compute for each group", hint: "--group 'city, @avg.age'")
        }
        return try RecordGroups(columns, showing: shown, order, variables, PredicateRun(clock: reader.clock?.seconds))
    }

    /// Prints what is said beside the rows of groups. Returns whether all values were computed.
    package func tellNotes(of groups: RecordGroups) throws -> Bool {
        for note in groups.notes { try output.note(DisplayText.visible(note)) }
        guard let first = groups.failures.first else { return true }
        try Report(self).show(first.diagnostics, source: first.source)
        return false
    }
}

extension ExpressionNode {
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
        }).walk(PredicateTree.expression(self))
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
            .walk(PredicateTree.expression(self))
        return found
    }
}
