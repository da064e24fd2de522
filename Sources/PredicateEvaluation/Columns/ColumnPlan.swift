// The plan for tables: a predicate narrows a mask of 2048 rows at a time by testing columns. Its answers equal
// those of DynamicPlan, to which it passes every row that it cannot decide, as a dictionary of the keys that
// the predicate reads. ColumnCompiler.swift makes it.
import PredicateModel
import PredicateSyntax

/// Removes the rows of the span that do not pass from the mask.
typealias ColumnTest = @Sendable (_ span: RowSpan, _ mask: BlockMask, _ run: ColumnRun) -> Void

indirect enum ColumnNode: Sendable {
    case constant(Bool)
    /// A test of columns. `cost` decides the order of terms. A test that takes steps may exceed their limit.
    case test(ColumnTest, cost: Int, takesSteps: Bool = false)
    /// Any other predicate, evaluated row by row by the dynamic plan.
    case rows(any PredicatePlan)
    case and([ColumnNode])
    case or([ColumnNode])
    case not(ColumnNode)

    func narrow(_ span: RowSpan, _ mask: BlockMask, _ run: ColumnRun) {
        switch self {
        case .constant(let answer): if !answer { mask.clear() }
        case .test(let test, _, _): test(span, mask, run)
        case .rows(let plan): run.narrow(span, mask, plan)
        case .and(let children):
            for child in children {
                if mask.isEmpty { return }
                child.narrow(span, mask, run)
            }
        case .or(let children):
            run.withMask { undecided in
                undecided.copy(mask)
                run.withMask { accepted in
                    for child in children where !undecided.isEmpty {
                        accepted.copy(undecided)
                        child.narrow(span, accepted, run)
                        undecided.subtract(accepted)
                    }
                }
                mask.subtract(undecided)
            }
        case .not(let child):
            run.withMask { refused in
                refused.copy(mask)
                child.narrow(span, refused, run)
                mask.subtract(refused)
            }
        }
    }
}

extension ColumnNode: OrderedTerm {
    /// A table holds only values, no host code.
    var runsCode: Bool { false }

    var cost: Int {
        switch self {
        case .constant: 0
        case .test(_, let cost, _): cost
        case .rows: 1000
        case .and(let children), .or(let children): children.reduce(0) { $0 + $1.cost }
        case .not(let child): child.cost
        }
    }

    var mayRaise: Bool {
        switch self {
        case .constant: false
        case .test(_, _, let takesSteps): takesSteps
        case .rows: true
        case .and(let children), .or(let children): children.contains(where: \.mayRaise)
        case .not(let child): child.mayRaise
        }
    }
}

struct ColumnPlan: Sendable {
    /// Selects nothing if the result depends on the order of evaluation; then the dynamic plan decides every
    /// row.
    let root: ColumnNode
    let plan: DynamicPlan
    let table: PredicateTable
    /// The number of comparisons in the predicate.
    let leaves: Int
    /// The columns that the dynamic plan needs.
    let needed: PredicateTable

    /// - Parameter isFree: whether a term that may throw may be moved after a term that follows it in the
    ///   predicate.
    init(_ plan: DynamicPlan, _ table: PredicateTable, isFree: Bool = true) {
        self.plan = plan
        self.table = table
        needed = plan.rootKeys.map(table.projection) ?? table
        guard case .predicate(let root) = plan.root, !plan.dependsOnOrder else {
            self.root = .constant(false)
            leaves = 1
            return
        }
        var compiler = ColumnCompiler(table: table, plan: plan)
        self.root = compiler.node(root, isFree: isFree)
        leaves = compiler.leaves
    }

    /// A plan that throws for exactly the rows for which the dynamic plan throws.
    var inOrder: ColumnPlan { root.mayRaise ? ColumnPlan(plan, table, isFree: false) : self }
}

/// The state of one run over a table, on one thread.
final class ColumnRun {
    let plan: ColumnPlan
    var context: EvaluationContext
    /// How many steps one comparison may take before its row is doubtful.
    let stepShare: Int
    /// Rows of this block that the dynamic plan must decide: a comparison threw for them, or took so many
    /// steps that all comparisons together may exceed the limit.
    private var hasDoubts = false
    private let doubtful: BlockMask
    /// Rows of this block whose evaluation throws. `firstFault` is the first fault of the run.
    let faulty: BlockMask
    private var hasFaults = false
    private(set) var firstFault: (row: Int, fault: EvaluationFault)?
    private var free: [BlockMask] = []
    private var all: [BlockMask] = []
    /// The elements of a block's lists that match (ListTests.swift).
    var hits: [UInt64] = []

    init(_ plan: ColumnPlan) {
        self.plan = plan
        context = EvaluationContext(object: .null, plan: plan.plan)
        stepShare = plan.plan.rules.limits.steps / max(1, plan.leaves)
        doubtful = Self.makeMask()
        faulty = Self.makeMask()
        all = [doubtful, faulty]
    }

    deinit {
        for mask in all { mask.words.deallocate() }
    }

    private static func makeMask() -> BlockMask {
        let words = UnsafeMutablePointer<UInt64>.allocate(capacity: BlockMask.wordCount)
        words.initialize(repeating: 0, count: BlockMask.wordCount)
        return BlockMask(words: words)
    }

    /// Lends a mask with undefined contents. After the first block no memory is allocated.
    func withMask(_ body: (BlockMask) -> Void) {
        let mask: BlockMask
        if let used = free.popLast() {
            mask = used
        } else {
            mask = Self.makeMask()
            all.append(mask)
        }
        body(mask)
        free.append(mask)
    }

    /// Lets the dynamic plan decide a row of the block.
    func doubt(_ row: Int) {
        hasDoubts = true
        doubtful.insert(row)
    }

    /// Evaluates a dynamic-plan node for each selected row.
    func narrow(_ span: RowSpan, _ mask: BlockMask, _ node: any PredicatePlan) {
        mask.forEachRow { row in
            context.begin(plan.needed[span.start + row])
            let answer = try? node.test(&context)
            if answer != true { mask.remove(row) }
            if answer == nil || context.stepsTaken > stepShare { doubt(row) }
        }
    }

    /// Selects the rows of a block that match the whole predicate, and marks the faulty rows.
    func select(_ span: RowSpan, _ mask: BlockMask) {
        mask.fill(span.count)
        if plan.plan.dependsOnOrder {
            doubtful.copy(mask)
            hasDoubts = true
        } else if !plan.table.others.isEmpty {
            for row in 0..<span.count where plan.table.others[span.start + row] != nil { doubt(row) }
        }
        if hasDoubts { mask.subtract(doubtful) }
        plan.root.narrow(span, mask, self)
        if hasFaults {
            faulty.clear()
            hasFaults = false
        }
        guard hasDoubts else { return }
        doubtful.forEachRow { row in
            context.begin(plan.needed[span.start + row])
            do throws(EvaluationFault) {
                if try plan.plan.test(&context) { mask.insert(row) } else { mask.remove(row) }
            } catch {
                mask.remove(row)
                faulty.insert(row)
                hasFaults = true
                if firstFault == nil { firstFault = (span.start + row, error) }
            }
        }
        hasDoubts = false
        doubtful.clear()
    }
}
