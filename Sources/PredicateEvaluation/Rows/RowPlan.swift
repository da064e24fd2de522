// The fast plan for one object: closures that test what is stored, composed as the predicate is. It gives the dynamic
// plan's answers. Whatever it cannot tell about the object, it asks that plan: leaf by leaf, and where a leaf raises,
// for the whole.
import PredicateModel
import PredicateSyntax

/// A test of what is stored at an address: an object or a value of it.
typealias StoredTest = @Sendable (UnsafeRawPointer, inout RowRun) -> Bool

/// What the tests of one object share.
@usableFromInline struct RowRun {
    /// Taken where some leaf needs it (RowNode.needsState). Whoever runs the tests holds it: counting references would
    /// take longer than most tests.
    private let held: Unmanaged<EvaluationState>?
    /// Whether some leaf could not tell: the dynamic plan decides.
    var isDoubtful = false
    /// What a test that reads a number has read.
    var lane: UInt64 = 0

    init(state: EvaluationState?) { held = state.map(Unmanaged.passUnretained) }

    var state: EvaluationState? { held?.takeUnretainedValue() }

    /// The answer of a leaf that cannot tell.
    mutating func doubt() -> Bool {
        isDoubtful = true
        return false
    }
}

/// A part of the predicate, compiled.
struct RowNode: Sendable {
    let test: StoredTest
    /// Nanoseconds, roughly; says what to try first.
    var cost = 1
    /// Whether evaluating it may raise.
    var mayRaise = false
    /// Whether it needs an evaluation's state: for the dynamic plan, or for a pattern's matcher.
    var needsState = false
    /// Whether evaluating it calls what the host wrote, to read a property.
    var runsCode = false

    /// Asks the dynamic plan, always.
    static let undecided = RowNode(test: { _, run in run.doubt() }, cost: 200, mayRaise: true, needsState: true)

    static func constant(_ answer: Bool) -> RowNode { RowNode(test: { _, _ in answer }, cost: 0) }

    var negated: RowNode { behind { test in { object, run in !test(object, &run) } } }

    /// The same with another test around its own.
    func behind(runsCode: Bool = false, _ outer: (@escaping StoredTest) -> StoredTest) -> RowNode {
        RowNode(
            test: outer(test), cost: cost, mayRaise: mayRaise, needsState: needsState,
            runsCode: self.runsCode || runsCode)
    }

    /// AND and OR of many are trees of pairs: no list is walked, and the depth stays small.
    static func compound(_ nodes: ArraySlice<RowNode>, isAnd: Bool) -> RowNode {
        guard let first = nodes.first else { return .constant(isAnd) }
        if nodes.count == 1 { return first }
        let middle = nodes.startIndex + nodes.count / 2
        let left = compound(nodes[..<middle], isAnd: isAnd)
        let right = compound(nodes[middle...], isAnd: isAnd)
        let (one, other) = (left.test, right.test)
        let both: StoredTest = { object, run in one(object, &run) && other(object, &run) }
        let either: StoredTest = { object, run in one(object, &run) || other(object, &run) }
        return RowNode(
            test: isAnd ? both : either,
            cost: left.cost + right.cost, mayRaise: left.mayRaise || right.mayRaise,
            needsState: left.needsState || right.needsState, runsCode: left.runsCode || right.runsCode)
    }
}

extension RowNode: OrderedTerm {}

extension BlockNode {
    /// The same for one object; nil where some part of it has no such form.
    var row: RowNode? {
        switch self {
        case .constant(let answer): return .constant(answer)
        case .test(_, _, _, _, let row): return row
        case .rows: return nil
        case .and(let nodes), .or(let nodes):
            let rows = nodes.compactMap(\.row)
            var isAnd = false
            if case .and = self { isAnd = true }
            return rows.count == nodes.count ? .compound(rows[...], isAnd: isAnd) : nil
        case .not(let node): return node.row?.negated
        }
    }
}

struct RowPlan: Sendable {
    /// What a leaf becomes; nil where only the dynamic plan knows it.
    typealias Leaf = (any PredicatePlan) -> RowNode?
    /// The object at an address as a value.
    typealias Load = @Sendable (UnsafeRawPointer) throws(EvaluationFault) -> Value

    /// Undecided where the order of evaluation shows, or where no leaf has a form of its own.
    let root: RowNode

    init(_ plan: DynamicPlan, load: @escaping Load, leaf: @escaping Leaf) {
        guard !plan.dependsOnOrder, case .predicate(let root) = plan.root else {
            self.root = .undecided
            return
        }
        var compiler = RowCompiler(steps: plan.rules.limits.steps, load: load, leaf: leaf)
        let node = compiler.node(root, isFree: true)
        self.root = compiler.hasOwnLeaves ? node : .undecided
    }
}

/// From the nodes of the dynamic plan, in which constants are folded and patterns prepared.
private struct RowCompiler {
    let steps: Int
    let load: RowPlan.Load
    let leaf: RowPlan.Leaf
    private(set) var hasOwnLeaves = false

    init(steps: Int, load: @escaping RowPlan.Load, leaf: @escaping RowPlan.Leaf) {
        self.steps = steps
        self.load = load
        self.leaf = leaf
    }

    /// - Parameter isFree: whether nothing but ANDs stands above.
    mutating func node(_ plan: any PredicatePlan, isFree: Bool) -> RowNode {
        switch plan {
        case let constant as ConstantPredicate: return .constant(constant.known)
        case let and as AndPredicate:
            let nodes = and.children.map { node($0, isFree: isFree) }
            return .compound(RowNode.ordered(nodes, isFree: isFree)[...], isAnd: true)
        case let or as OrPredicate:
            let nodes = or.children.map { node($0, isFree: false) }
            return .compound(RowNode.ordered(nodes, isFree: false)[...], isAnd: false)
        case let not as NotPredicate: return node(not.child, isFree: false).negated
        default:
            if let own = leaf(plan) {
                hasOwnLeaves = true
                return own
            }
            return dynamic(plan)
        }
    }

    /// A leaf that the dynamic plan evaluates. The object becomes a value at most once.
    private func dynamic(_ plan: any PredicatePlan) -> RowNode {
        let (load, half) = (load, steps / 2)
        let test: StoredTest = { object, run in
            guard let state = run.state else { return run.doubt() }
            do throws(EvaluationFault) {
                if !state.isLoaded {
                    state.context.begin(try load(object))
                    state.isLoaded = true
                }
                let answer = try plan.test(&state.context)
                // Terms that only the dynamic plan would have evaluated might have taken the rest.
                if state.context.stepsTaken > half { run.isDoubtful = true }
                return answer
            } catch {
                return run.doubt()
            }
        }
        return RowNode(test: test, cost: 200, mayRaise: true, needsState: true)
    }
}
