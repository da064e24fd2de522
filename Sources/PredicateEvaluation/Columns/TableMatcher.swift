// A predicate bound to a table, and the results of filtering it.
public import PredicateModel
public import PredicateSyntax

/// A predicate compiled for one table.
///
///     let matcher = try FormatPredicate("age > 30 AND city == 'Paris'").compiled(for: table)
///     matcher.count()
///     matcher.indices()
///
/// Its methods do not throw: a row whose evaluation throws is not selected, also under NOT. `evaluation`
/// returns these rows; `test` throws their error. Sendable: each call has its own state.
public struct TableMatcher: Sendable {
    /// The compiled predicate.
    public let predicate: FormatPredicate
    let plan: ColumnPlan
    /// The warnings of parsing and of the type checker: keys that no row has, and comparisons whose result does not depend
    /// on the row.
    public let warnings: [Diagnostic]

    /// The table for which it was compiled.
    public var table: PredicateTable { plan.table }

    /// Returns the number of rows that match.
    /// - Complexity: reads the named columns once; no allocation per row.
    public func count() -> Int {
        var count = 0
        let run = ColumnRun(plan)
        run.withMask { mask in
            for block in 0..<blockCount {
                run.select(span(block), mask)
                count += mask.count
            }
        }
        return count
    }

    /// Returns the first row that matches, or nil.
    public func first() -> Int? {
        var first: Int?
        let run = ColumnRun(plan)
        run.withMask { mask in
            for block in 0..<blockCount where first == nil {
                run.select(span(block), mask)
                guard !mask.isEmpty else { continue }
                mask.forEachRow { if first == nil { first = span(block).start + $0 } }
            }
        }
        return first
    }

    /// Returns the rows that match.
    public func selection() -> RowSelection {
        RowSelection(words: words(of: 0..<blockCount) { false }, count: table.count)
    }

    /// Returns the rows that match, using several threads if the table is large enough.
    ///
    ///     let selected = try await matcher.selection(tasks: 2)
    ///
    /// - Parameter tasks: the number of child tasks that share the work.
    /// - Throws: `CancellationError` soon after the task is cancelled.
    public func selection(tasks: Int) async throws -> RowSelection {
        let parts = plan.plan.dependsOnOrder ? 1 : max(1, min(tasks, blockCount / 8))
        let words = try await withThrowingTaskGroup(of: (Int, [UInt64]).self) { group in
            for part in 0..<parts {
                let blocks = blockCount * part / parts..<blockCount * (part + 1) / parts
                group.addTask {
                    let words = self.words(of: blocks) { Task.isCancelled }
                    try Task.checkCancellation()
                    return (part, words)
                }
            }
            var all = [[UInt64]](repeating: [], count: parts)
            for try await (part, words) in group { all[part] = words }
            return all.flatMap(\.self)
        }
        return RowSelection(words: words, count: table.count)
    }

    /// Returns the rows that match and the rows that cannot be tested.
    ///
    ///     let evaluation = matcher.evaluation()
    ///     if let (row, failure) = evaluation.firstFailure { print("row \(row): \(failure)") }
    ///
    /// - Parameter isStopped: polled every 2048 rows. After true, the remaining rows are neither selected nor
    ///   failed.
    /// - Complexity: like `selection()`, but terms that may throw are evaluated in their order in the
    ///   predicate, not after cheaper terms.
    public func evaluation(isStopped: () -> Bool = { false }) -> TableEvaluation {
        let run = ColumnRun(plan.inOrder)
        var (selected, failed): ([UInt64], [UInt64]) = ([], [])
        var wasStopped = false
        run.withMask { mask in
            for block in 0..<blockCount {
                wasStopped = block > 0 && isStopped()
                if wasStopped { return }
                run.select(span(block), mask)
                selected.append(contentsOf: mask.allWords)
                failed.append(contentsOf: run.faulty.allWords)
            }
        }
        return TableEvaluation(
            selected: RowSelection(words: selected, count: table.count),
            failed: RowSelection(words: failed, count: table.count),
            firstFailure: run.firstFault.map {
                ($0.row, PredicateFailure($0.fault.diagnostic, source: predicate.source))
            },
            wasStopped: wasStopped)
    }

    /// Returns the rows that match, in order.
    public func indices() -> [Int] { Array(selection()) }

    /// Returns the rows that match, as they were loaded.
    public func rows() -> [PredicateValue] { selection().map { table[$0] } }

    /// Returns whether a row matches.
    /// - Throws: the error of its evaluation, such as operands of the wrong kind or division by zero.
    public func test(row: Int) throws(PredicateFailure) -> Bool {
        var context = EvaluationContext(object: table[row], plan: plan.plan)
        do throws(EvaluationFault) {
            return try plan.plan.test(&context)
        } catch {
            throw PredicateFailure(error.diagnostic, source: predicate.source)
        }
    }

    private var blockCount: Int { (table.count + BlockMask.capacity - 1) / BlockMask.capacity }

    private func span(_ block: Int) -> RowSpan {
        let start = block * BlockMask.capacity
        return RowSpan(start: start, count: min(BlockMask.capacity, table.count - start))
    }

    /// The selected rows of some blocks; those before the stop if stopped.
    private func words(of blocks: Range<Int>, isStopped: () -> Bool) -> [UInt64] {
        var words: [UInt64] = []
        words.reserveCapacity(blocks.count * BlockMask.wordCount)
        let run = ColumnRun(plan)
        run.withMask { mask in
            for block in blocks {
                if isStopped() { return }
                run.select(span(block), mask)
                words.append(contentsOf: mask.allWords)
            }
        }
        return words
    }
}

/// The result for each row of a table.
public struct TableEvaluation: Sendable {
    /// The rows that match.
    public let selected: RowSelection
    /// The rows whose evaluation throws, for example with operands of the wrong kind or division by zero.
    public let failed: RowSelection
    /// The first failed row and its error.
    public let firstFailure: (row: Int, failure: PredicateFailure)?
    /// Whether evaluation was stopped before the last row.
    public let wasStopped: Bool
}

/// A set of row indices of a table, in ascending order.
public struct RowSelection: Sendable, Sequence {
    private let words: [UInt64]
    /// The number of selected rows.
    public let count: Int
    /// The number of rows of the table.
    public let rowCount: Int

    init(words: [UInt64], count: Int) {
        self.words = words
        rowCount = count
        self.count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    public var underestimatedCount: Int { count }

    /// Whether a row is selected; false for an index outside the table.
    public func contains(_ row: Int) -> Bool {
        row >= 0 && row < rowCount && row >> 6 < words.count && words[row >> 6] >> UInt64(row & 63) & 1 != 0
    }

    public func makeIterator() -> Iterator { Iterator(words: words) }

    /// Iterates over the selected rows in ascending order.
    public struct Iterator: IteratorProtocol {
        fileprivate let words: [UInt64]
        private var word = -1
        private var bits: UInt64 = 0

        fileprivate init(words: [UInt64]) { self.words = words }

        public mutating func next() -> Int? {
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
    /// Binds the predicate to a table.
    ///
    /// The types of the columns are checked, as `TypeChecker` does with a schema. A key that no row has is nil, as in
    /// dictionaries; the matcher's `warnings` list it.
    /// - Throws: `PredicateFailure` with every operand whose type does not suit its operator, every unbound variable and
    ///   every refused construct.
    /// - Complexity: linear in the predicate and in the distinct texts of the columns that it names.
    public func compiled(
        for table: PredicateTable, variables: PredicateVariables = [:], options: EvaluationOptions = EvaluationOptions()
    ) throws(PredicateFailure) -> TableMatcher {
        let (plan, warnings) = try TypedBinding(table, variables: variables, options: options)
            .plan(self, isStrict: true)
        return TableMatcher(predicate: self, plan: ColumnPlan(plan, table), warnings: warnings)
    }
}
