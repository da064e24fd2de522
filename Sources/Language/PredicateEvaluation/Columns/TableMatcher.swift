// A predicate compiled for a table, and the results of filtering it.

/// A predicate compiled for one table.
///
///     let matcher = try FormatPredicate("age > 30 AND city == 'Paris'").compiled(for: table)
///     matcher.count()
///     matcher.indices()
///
/// Its methods do not throw: a row whose evaluation throws is not selected, even under NOT. `evaluation` returns these
/// rows; `test` throws their error. Sendable: each call has its own state.
public struct TableMatcher: Sendable {
    /// The compiled predicate.
    package let predicate: FormatPredicate
    /// The warnings of parsing and of the type checker: keys that no row has, and comparisons whose result does not
    /// depend on the row.
    /// - Complexity: checks the predicate at each call, because compiling looks only for errors.
    public var warnings: [PredicateDiagnostic] { binding.warnings(of: predicate) }
    private let binding: Binding

    /// The table for which it was compiled.
    package let table: PredicateTable
    let blocks: BlockPlan
    /// The columns that the dynamic plan needs.
    private let needed: PredicateTable

    init(_ predicate: FormatPredicate, _ binding: Binding, _ table: PredicateTable) throws(PredicateFailure) {
        let plan = try binding.plan(predicate, isStrict: true)
        self.predicate = predicate
        self.binding = binding
        self.table = table
        needed = plan.rootKeys.map(table.projection) ?? table
        blocks = Self.plan(plan, table, mayReorder: true)
    }

    private static func plan(_ plan: DynamicPlan, _ table: PredicateTable, mayReorder: Bool) -> BlockPlan {
        let field: ([String]) -> Field? = { Field.find($0[...], in: table.rows) }
        return BlockPlan(plan, mayReorder: mayReorder, BlockCompiler(field: field, catalog: plan.functions))
    }

    /// Calls `body` with the selection in each block of 256 rows, until `body` returns false.
    private func forEachBlock(
        _ plan: BlockPlan, _ body: (_ block: Int, _ selected: RowMask, inout BlockRun) -> Bool
    ) {
        // Rows of a table have no address, so any valid address is passed.
        let start = PackedValues.none.start
        var run = BlockRun(plan) { [needed] rows, row in needed[rows.first + row] }
        for block in 0..<blockCount {
            let first = block * RowMask.capacity
            let count = min(RowMask.capacity, table.count - first)
            var others = RowMask.none
            if plan.plan.dependsOnOrder {
                others = RowMask(first: count)
            } else if !table.others.isEmpty {
                for row in 0..<count where table.others[first + row] != nil { others.insert(row) }
            }
            let rows = Rows(start: start, stride: 0, count: count, first: first)
            let selected = plan.plan.isOver ? .none : run.select(rows, plan, others: others)
            if !body(block, selected, &run) { return }
        }
    }

    private var blockCount: Int { (table.count + RowMask.capacity - 1) / RowMask.capacity }

    /// Returns the number of rows that match.
    /// - Complexity: reads the named columns once; no allocation per row.
    public func count() -> Int {
        var count = 0
        forEachBlock(blocks) { _, selected, _ in
            count += selected.count
            return true
        }
        return count
    }

    /// Returns the rows that match.
    package func selection() -> RowSelection {
        var words: [UInt64] = []
        words.reserveCapacity(blockCount * 4)
        forEachBlock(blocks) { _, selected, _ in
            words.append(selected)
            return true
        }
        return RowSelection(words: words)
    }

    /// Returns the rows that match and the rows that cannot be tested.
    ///
    ///     let evaluation = matcher.evaluation()
    ///     if let (row, failure) = evaluation.firstFailure { print("row \(row): \(failure)") }
    ///
    /// - Parameter isStopped: polled every 2048 rows. After it returns true, the remaining rows are neither selected
    ///   nor failed.
    /// - Complexity: like `selection()`, but terms that may throw are evaluated in their order in the predicate, not
    ///   after cheaper terms.
    package func evaluation(isStopped: () -> Bool = { false }) -> TableEvaluation {
        // This plan throws for exactly those rows for which the dynamic plan throws.
        let plan = blocks.node.mayRaise ? Self.plan(blocks.plan, table, mayReorder: false) : blocks
        var (selected, failed): ([UInt64], [UInt64]) = ([], [])
        var firstFault: (row: Int, fault: EvaluationFault)?
        var wasStopped = false
        forEachBlock(plan) { block, found, run in
            selected.append(found)
            failed.append(run.faulty)
            firstFault = run.firstFault
            wasStopped = block % 8 == 7 && block + 1 < blockCount && isStopped()
            return !wasStopped
        }
        return TableEvaluation(
            selected: RowSelection(words: selected),
            failed: RowSelection(words: failed),
            firstFailure: firstFault.map { ($0.row, $0.fault.failure(source: predicate.source)) },
            wasStopped: wasStopped)
    }

    /// Throws if a run did not finish before its deadline, or could not read an object.
    func requireCompletion() throws(PredicateFailure) { try blocks.plan.requireCompletion(for: predicate) }

    /// Returns the rows that match, in order.
    public func indices() -> [Int] { Array(selection()) }

    /// Returns the rows that match, as they were loaded.
    public func rows() -> [PredicateValue] { selection().map { table[$0] } }

    /// Returns whether a row matches.
    /// - Throws: the error of its evaluation, such as operands of the wrong kind or division by zero.
    public func test(row: Int) throws(PredicateFailure) -> Bool {
        var run = PlanRun(blocks.plan, predicate.source)
        return try run.test(table[row])
    }
}

/// The result for each row of a table.
package struct TableEvaluation: Sendable {
    /// The rows that match.
    package let selected: RowSelection
    /// The rows whose evaluation throws, for example with operands of the wrong kind or division by zero.
    package let failed: RowSelection
    /// The first failed row and its error.
    package let firstFailure: (row: Int, failure: PredicateFailure)?
    /// Whether evaluation was stopped before the last row.
    package let wasStopped: Bool
}

/// A set of row indices of a table, in ascending order.
package struct RowSelection: Sendable, Sequence {
    private let words: [UInt64]
    /// The number of selected rows.
    package let count: Int

    init(words: [UInt64]) {
        self.words = words
        count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    package var underestimatedCount: Int { count }

    package func makeIterator() -> Iterator { Iterator(words: words) }

    /// Iterates over the selected rows in ascending order.
    package struct Iterator: IteratorProtocol {
        fileprivate let words: [UInt64]
        private var word = -1
        private var bits: UInt64 = 0

        fileprivate init(words: [UInt64]) { self.words = words }

        package mutating func next() -> Int? {
            while bits == 0 {
                word += 1
                if word >= words.count { return nil }
                bits = words[word]
            }
            defer { bits &= bits &- 1 }
            return word * 64 + bits.trailingZeroBitCount
        }
    }
}

extension FormatPredicate {
    /// Compiles the predicate for a table.
    ///
    /// The predicate is checked against the types of the columns, like `TypeChecker` does with a schema. A key that no
    /// row has is nil, as in dictionaries; the matcher's `warnings` list such keys.
    /// - Throws: `PredicateFailure` with every operand whose type does not fit its operator, every unbound variable,
    ///   and every construct that evaluation refuses.
    /// - Complexity: linear in the predicate and in the distinct texts of the columns that it reads.
    public func compiled(
        for table: PredicateTable, variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> TableMatcher {
        try FormatArgument.requireSendable(variables.arguments.values, source: source)
        return try TableMatcher(self, Binding(table, variables: variables, run: run), table)
    }
}
