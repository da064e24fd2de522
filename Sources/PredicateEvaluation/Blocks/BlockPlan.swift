// The fast plan for arrays of structs: a predicate narrows a mask of 256 rows at a time, reading fields from memory
// where they are. It gives the dynamic plan's answers. Whatever it cannot tell about a row, it asks that plan.
import PredicateModel
import PredicateSyntax

/// One test of a block: which of the live rows pass.
typealias BlockTest = @Sendable (_ rows: Rows, _ live: RowMask, _ run: inout BlockRun) -> RowMask

indirect enum BlockNode: Sendable, OrderedTerm {
    case constant(Bool)
    /// A comparison of a field, or of what is computed from fields; the cost says what to try first. One that may
    /// raise, as steps do that exceed their limit, says which rows it doubts. One that runs code of the host, to read a
    /// property, keeps its place: terms before it may guard that code. `row` is the same for one object, where that has
    /// a form of its own.
    case test(BlockTest, cost: Int, mayRaise: Bool = false, runsCode: Bool = false, row: RowNode? = nil)
    /// Anything else: the dynamic plan's node, row by row.
    case rows(any PredicatePlan)
    case and([BlockNode])
    case or([BlockNode])
    case not(BlockNode)

    func select(_ rows: Rows, _ live: RowMask, _ run: inout BlockRun) -> RowMask {
        if live.isEmpty { return live }
        switch self {
        case .constant(let answer): return answer ? live : .none
        case .test(let test, _, _, _, _): return test(rows, live, &run)
        case .rows(let plan): return run.select(rows, live, plan)
        case .and(let children):
            var live = live
            for child in children { live = child.select(rows, live, &run) }
            return live
        case .or(let children):
            var undecided = live
            for child in children { undecided = undecided.subtracting(child.select(rows, undecided, &run)) }
            return live.subtracting(undecided)
        case .not(let child): return live.subtracting(child.select(rows, live, &run))
        }
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

    /// Whether evaluating it for a row may raise.
    var mayRaise: Bool {
        switch self {
        case .constant: false
        case .test(_, _, let mayRaise, _, _): mayRaise
        case .rows: true
        case .and(let children), .or(let children): children.contains(where: \.mayRaise)
        case .not(let child): child.mayRaise
        }
    }

    /// Whether evaluating it for a row calls what the host wrote, which must not be asked more rows than the text says.
    var runsCode: Bool {
        switch self {
        case .constant, .rows: false
        case .test(_, _, _, let runsCode, _): runsCode
        case .and(let children), .or(let children): children.contains(where: \.runsCode)
        case .not(let child): child.runsCode
        }
    }
}

/// The state of a run over many blocks.
struct BlockRun {
    var context: EvaluationContext
    /// The object at an address as a value.
    private let value: (UnsafeRawPointer) -> Value
    /// Rows of this block about which some term raised, or took so many steps that all terms together may exceed the
    /// limit: the dynamic plan decides.
    private var doubtful = RowMask.none
    /// How many steps one term may take without doubt.
    let stepShare: Int
    let scratch: Scratch
    /// Where a node that reads numbers writes them (NumberSources.swift).
    var lanes: UnsafeMutableRawPointer?
    /// What reading ahead came to; kept, so that it is not left out.
    var sum: UInt8 = 0

    init(_ plan: BlockPlan, value: @escaping (UnsafeRawPointer) -> Value) {
        context = EvaluationContext(object: .null, plan: plan.plan)
        self.value = value
        stepShare = plan.plan.rules.limits.steps / max(1, plan.leaves)
        scratch = Scratch(bytes: plan.scratchBytes)
    }

    mutating func doubt(_ row: Int) { doubtful.insert(row) }
    mutating func doubt(_ rows: RowMask) { doubtful = doubtful.union(rows) }

    /// Evaluates a node of the dynamic plan for each live row.
    mutating func select(_ rows: Rows, _ live: RowMask, _ plan: any PredicatePlan) -> RowMask {
        var selected = live
        live.forEach { row in
            context.begin(value(rows.object(row)))
            let answer = try? plan.test(&context)
            if answer != true { selected.remove(row) }
            if answer == nil || context.stepsTaken > stepShare { doubtful.insert(row) }
        }
        return selected
    }

    /// The rows of a block that satisfy the whole predicate.
    mutating func select(_ rows: Rows, _ plan: BlockPlan) -> RowMask {
        doubtful = .none
        var selected = plan.root.select(rows, RowMask(first: rows.count), &self)
        if doubtful.isEmpty { return selected }
        doubtful.forEach { row in
            context.begin(value(rows.object(row)))
            if (try? plan.plan.test(&context)) == true { selected.insert(row) } else { selected.remove(row) }
        }
        return selected
    }
}

/// Pieces of memory of one size, for the values of a block that are not stored in its objects. Made once for a run.
final class Scratch {
    private let bytes: Int
    private var all: [UnsafeMutableRawPointer] = []
    private var free: [UnsafeMutableRawPointer] = []

    init(bytes: Int) { self.bytes = bytes }

    deinit { for piece in all { piece.deallocate() } }

    /// A piece that nobody else has until it is given back.
    func take() -> UnsafeMutableRawPointer {
        if let piece = free.popLast() { return piece }
        let piece = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
        // Numbers are computed for rows between those that are asked for, too.
        piece.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        all.append(piece)
        return piece
    }

    func giveBack(_ piece: UnsafeMutableRawPointer) { free.append(piece) }
}

/// A class, because every block of a run looks into it: copies of a struct would count references each time.
final class BlockPlan: Sendable {
    let root: BlockNode
    let plan: DynamicPlan
    /// The comparisons of the predicate.
    let leaves: Int
    /// What one step of reaching a field needs.
    let scratchBytes: Int

    /// - Parameter field: where a path is stored, if it is.
    /// - Returns: nil where no comparison reads a field, or where the order of evaluation shows.
    init?(_ plan: DynamicPlan, field: @escaping ([String]) -> Field?) {
        guard !plan.dependsOnOrder, case .predicate(let root) = plan.root else { return nil }
        var compiler = BlockCompiler(field: field, catalog: plan.options.functions)
        let node = compiler.node(root, isFree: true)
        if case .rows = node { return nil }
        self.root = node
        self.plan = plan
        leaves = compiler.leaves
        scratchBytes = compiler.scratchBytes
    }

    /// The same nodes over another dynamic plan of the predicate.
    init(_ other: BlockPlan, over plan: DynamicPlan) {
        root = other.root
        self.plan = plan
        leaves = other.leaves
        scratchBytes = other.scratchBytes
    }
}
