// The fast plan for arrays and tables. A predicate narrows a mask of 256 rows at a time, and reads fields or columns
// directly from memory. Its results equal those of DynamicPlan, which tests every row that the block plan cannot
// decide. BlockCompiler.swift creates it.

/// Tests a block: returns the live rows that pass.
typealias BlockTest = @Sendable (_ rows: Rows, _ live: RowMask, _ run: inout BlockRun) -> RowMask

indirect enum BlockNode: Sendable, OrderedTerm {
    case constant(Bool)
    /// A comparison of a field, or of values computed from fields. `cost` determines the order of terms. A test that
    /// may throw marks the rows that it cannot decide as doubtful. A test that runs code of the app (a property getter)
    /// keeps its position, because terms before it may guard that code. `row` is the test for a single object, if there
    /// is one.
    case test(BlockTest, cost: Int, mayRaise: Bool = false, runsCode: Bool = false, row: RowNode? = nil)
    /// Any other predicate, evaluated row by row by the dynamic plan.
    case rows(any PredicatePlan)
    case and([BlockNode])
    case or([BlockNode])
    case not(BlockNode)

    /// The whole tree as one closure. The closures hold their constants, so that testing a block needs no
    /// reference counting.
    var block: BlockTest {
        switch self {
        case .constant(let answer): { _, live, _ in answer ? live : .none }
        case .test(let test, _, _, _, _): test
        case .rows(let plan): { rows, live, run in run.select(rows, live, plan) }
        case .and(let children): Self.all(children.map { $0.block }[...])
        case .or(let children): Self.any(children.map { $0.block }[...])
        case .not(let child): Self.not(child.block)
        }
    }

    // AND and OR of many terms are balanced trees, whose height does not use up the stack.

    private static func all(_ tests: ArraySlice<BlockTest>) -> BlockTest {
        guard let first = tests.first else { return { _, live, _ in live } }
        if tests.count == 1 { return first }
        let middle = tests.startIndex + tests.count / 2
        let (one, other) = (all(tests[..<middle]), all(tests[middle...]))
        return { rows, live, run in
            let live = one(rows, live, &run)
            return live.isEmpty ? live : other(rows, live, &run)
        }
    }

    private static func any(_ tests: ArraySlice<BlockTest>) -> BlockTest {
        guard let first = tests.first else { return { _, _, _ in .none } }
        if tests.count == 1 { return first }
        let middle = tests.startIndex + tests.count / 2
        let (one, other) = (any(tests[..<middle]), any(tests[middle...]))
        return { rows, live, run in
            let selected = one(rows, live, &run)
            let undecided = live.subtracting(selected)
            return undecided.isEmpty ? selected : selected.union(other(rows, undecided, &run))
        }
    }

    private static func not(_ test: @escaping BlockTest) -> BlockTest {
        { rows, live, run in live.subtracting(test(rows, live, &run)) }
    }

    var cost: Int {
        switch self {
        case .constant: 0
        case .test(_, let cost, _, _, _): cost
        case .rows: 200
        case .and(let children), .or(let children): children.reduce(0) { $0 + $1.cost }
        case .not(let child): child.cost
        }
    }

    /// Whether evaluation may throw for some row.
    var mayRaise: Bool {
        switch self {
        case .constant: false
        case .test(_, _, let mayRaise, _, _): mayRaise
        case .rows: true
        case .and(let children), .or(let children): children.contains { $0.mayRaise }
        case .not(let child): child.mayRaise
        }
    }

    /// The node with a test for single objects, unless it has one.
    func with(row: RowNode) -> BlockNode {
        switch self {
        case .test(let test, let cost, let mayRaise, let runsCode, nil):
            .test(test, cost: cost, mayRaise: mayRaise, runsCode: runsCode, row: row)
        case .not(let child): .not(child.with(row: row.negated))
        default: self
        }
    }

    /// Whether evaluation calls code of the app. Such code must not run for more rows than the predicate's text
    /// implies.
    var runsCode: Bool {
        switch self {
        case .constant, .rows: false
        case .test(_, _, _, let runsCode, _): runsCode
        case .and(let children), .or(let children): children.contains { $0.runsCode }
        case .not(let child): child.runsCode
        }
    }
}

/// The state of a run over many blocks.
struct BlockRun: ~Copyable {
    var context: EvaluationContext
    /// Converts a row to a value.
    private let value: (Rows, Int) -> PredicateValue
    /// Rows of this block that the dynamic plan must decide, because a term threw for them, or took so many steps that
    /// all terms together may exceed the limit.
    private var doubtful = RowMask.none
    /// Rows of this block whose evaluation throws, and the first fault of the run.
    private(set) var faulty = RowMask.none
    private(set) var firstFault: (row: Int, fault: EvaluationFault)?
    /// The maximum number of steps of one term; a row that needs more is doubtful.
    let stepShare: Int
    /// The time share of the terms. Together they take at most half of an object's time, because a doubtful row is
    /// evaluated again.
    let timeShare: Int
    let scratch: Scratch
    /// The memory into which a node that reads numbers writes them (NumberSources.swift).
    var lanes: UnsafeMutableRawPointer?
    /// Reusable memory for the passing elements of a column of lists (ColumnFields.swift).
    var hits: [[UInt64]] = []
    /// Sum of prefetched bytes; stops the optimiser removing the prefetch.
    var sum: UInt8 = 0

    init(_ plan: BlockPlan, value: @escaping (Rows, Int) -> PredicateValue) {
        context = EvaluationContext(object: .null, plan: plan.plan)
        self.value = value
        stepShare = plan.stepShare
        timeShare = 2 * max(1, plan.leaves)
        scratch = Scratch(bytes: max(plan.scratchBytes, Lanes.bytes))
    }

    mutating func doubt(_ row: Int) { doubtful.insert(row) }
    mutating func doubt(_ rows: RowMask) { doubtful = doubtful.union(rows) }

    /// Evaluates a dynamic-plan node for each live row. After the deadline, all rows are doubtful.
    mutating func select(_ rows: Rows, _ live: RowMask, _ plan: any PredicatePlan) -> RowMask {
        var selected = live
        live.forEach { row in
            if context.isOver {
                selected.remove(row)
                return doubtful.insert(row)
            }
            context.begin(value(rows, row), share: timeShare)
            let answer = try? plan.test(&context)
            if answer != true { selected.remove(row) }
            if answer == nil || context.stepsTaken > stepShare { doubtful.insert(row) }
        }
        return selected
    }

    /// Returns the rows of a block that match the whole predicate.
    /// - Parameter others: rows that only the dynamic plan can test.
    mutating func select(_ rows: Rows, _ plan: BlockPlan, others: RowMask = .none) -> RowMask {
        (doubtful, faulty) = (others, .none)
        var selected = plan.test(rows, RowMask(first: rows.count).subtracting(others), &self)
        if doubtful.isEmpty { return selected }
        doubtful.forEach { row in
            context.begin(value(rows, row))
            selected.remove(row)
            do throws(EvaluationFault) {
                if try plan.plan.test(&context) { selected.insert(row) }
            } catch {
                faulty.insert(row)
                plan.plan.note(error)
                if firstFault == nil { firstFault = (rows.first + row, error) }
            }
        }
        return selected
    }
}

/// Reusable pieces of memory for the computed values of a block, one pool per run.
final class Scratch {
    private let bytes: Int
    private var all: [UnsafeMutableRawPointer] = []
    private var free: [UnsafeMutableRawPointer] = []

    init(bytes: Int) { self.bytes = bytes }

    deinit { for piece in all { piece.deallocate() } }

    /// Borrows a piece of memory; return it with `giveBack`.
    func take() -> UnsafeMutableRawPointer {
        if let piece = free.popLast() { return piece }
        let piece = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
        // Initialised, because numbers are also computed for rows that are not live.
        piece.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        all.append(piece)
        return piece
    }

    func giveBack(_ piece: UnsafeMutableRawPointer) { free.append(piece) }
}

/// A class, because every block of a run reads it, and copying a struct would count references each time.
final class BlockPlan: Sendable {
    let node: BlockNode
    let test: BlockTest
    let plan: DynamicPlan
    /// The test of one object (RowPlan.swift).
    let row: RowNode
    /// The number of comparisons in the predicate.
    let leaves: Int
    /// The scratch memory that the largest step of a path needs.
    let scratchBytes: Int

    /// The maximum number of steps of one comparison; a row that needs more is doubtful.
    var stepShare: Int { plan.rules.limits.steps / max(1, leaves) }

    /// Whether the plan reads fields. If it does not, or if the result depends on the evaluation order, the dynamic
    /// plan evaluates all rows.
    var isUseful: Bool { if case .rows = node { false } else { !plan.dependsOnOrder } }

    /// - Parameters:
    ///   - mayReorder: whether a term that may throw may be moved after a term that follows it in the predicate.
    ///   - compiler: compiles the nodes.
    init(_ plan: DynamicPlan, mayReorder: Bool = true, _ compiler: consuming BlockCompiler) {
        self.plan = plan
        if case .predicate(let root) = plan.root, !plan.dependsOnOrder {
            node = compiler.node(root, mayReorder: mayReorder)
        } else {
            node = .constant(false)
        }
        test = node.block
        row = plan.dependsOnOrder ? .undecided : compiler.row(node, mayReorder: mayReorder)
        leaves = compiler.leaves
        scratchBytes = compiler.scratchBytes
    }

    /// Uses the nodes of another plan with a different dynamic plan of the same predicate.
    init(_ other: BlockPlan, over plan: DynamicPlan) {
        (node, test, row) = (other.node, other.test, other.row)
        self.plan = plan
        leaves = other.leaves
        scratchBytes = other.scratchBytes
    }
}
