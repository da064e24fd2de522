// The fast plan for one object: closures that test stored values, composed in the structure of the predicate. Its
// results equal those of DynamicPlan. DynamicPlan decides single leaves that the row plan does not support, and the
// whole predicate if a leaf throws.

/// Converts the object at an address to a value.
typealias ObjectLoader = @Sendable (UnsafeRawPointer) throws(EvaluationFault) -> PredicateValue

/// A test of the object or value stored at an address.
typealias StoredTest = @Sendable (UnsafeRawPointer, inout RowRun) -> Bool

/// The state shared by the tests of one object.
@usableFromInline struct RowRun {
    /// The evaluation state, if some leaf needs one (RowNode.needsState). The caller of the tests retains it, because
    /// reference counting here would take longer than most tests.
    private let held: Unmanaged<EvaluationState>?
    /// Whether some leaf could not decide, so that the dynamic plan must.
    var isDoubtful = false
    /// The number that the last number-reading test has read.
    var lane: UInt64 = 0

    init(state: EvaluationState?) { held = state.map(Unmanaged.passUnretained) }

    var state: EvaluationState? { held?.takeUnretainedValue() }

    /// Records that a leaf cannot decide, and returns its provisional result.
    mutating func doubt() -> Bool {
        isDoubtful = true
        return false
    }
}

/// A compiled part of the predicate.
struct RowNode: Sendable {
    let test: StoredTest
    /// Approximate nanoseconds; cheaper terms are evaluated first.
    var cost = 1
    /// Whether evaluation may throw.
    var mayRaise = false
    /// Whether it needs an evaluation state, for the dynamic plan or for a pattern's matcher.
    var needsState = false
    /// Whether evaluation calls host code, a property getter.
    var runsCode = false

    /// Always lets the dynamic plan decide.
    static let undecided = RowNode(test: { _, run in run.doubt() }, cost: 200, mayRaise: true, needsState: true)

    static func constant(_ answer: Bool) -> RowNode { RowNode(test: { _, _ in answer }, cost: 0) }

    var negated: RowNode { behind { test in { object, run in !test(object, &run) } } }

    /// The node with another test wrapped around its own test.
    func behind(runsCode: Bool = false, _ outer: (@escaping StoredTest) -> StoredTest) -> RowNode {
        RowNode(
            test: outer(test), cost: cost, mayRaise: mayRaise, needsState: needsState,
            runsCode: self.runsCode || runsCode)
    }

    /// Compiles AND and OR of many terms to a balanced tree of pairs, so that evaluation does not loop over lists.
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

extension RowNode {
    /// A term that the dynamic plan evaluates. The object is converted to a value at most once.
    /// - Parameter steps: the limit on the steps of an object.
    static func dynamic(_ plan: any PredicatePlan, steps: Int) -> RowNode {
        let half = steps / 2
        let test: StoredTest = { object, run in
            guard let state = run.state else { return run.doubt() }
            do throws(EvaluationFault) {
                if !state.isLoaded {
                    // Half of the time, because a doubtful object is evaluated again.
                    state.context.begin(try state.load(object), share: 2)
                    state.isLoaded = true
                }
                let answer = try plan.test(&state.context)
                // Other terms, which are not evaluated here, could use up the remaining steps.
                if state.context.stepsTaken > half { run.isDoubtful = true }
                return answer
            } catch {
                return run.doubt()
            }
        }
        return RowNode(test: test, cost: 200, mayRaise: true, needsState: true)
    }
}

extension BlockNode {
    /// The node of a leaf for a single object, if it has one.
    var row: RowNode? { row(mayReorder: false) { _ in nil } }

    /// The node for a single object; nil if some part has none.
    /// - Parameters:
    ///   - mayReorder: whether all enclosing nodes are ANDs.
    ///   - dynamic: makes the node of a term that the dynamic plan evaluates.
    func row(mayReorder: Bool, _ dynamic: (any PredicatePlan) -> RowNode?) -> RowNode? {
        func compound(_ nodes: [BlockNode], mayReorder: Bool, isAnd: Bool) -> RowNode? {
            let rows = nodes.compactMap { $0.row(mayReorder: mayReorder, dynamic) }
            return rows.count == nodes.count
                ? .compound(RowNode.ordered(rows, mayReorder: mayReorder)[...], isAnd: isAnd) : nil
        }
        return switch self {
        case .constant(let answer): .constant(answer)
        case .test(_, _, _, _, let row): row
        case .rows(let plan): dynamic(plan)
        case .and(let nodes): compound(nodes, mayReorder: mayReorder, isAnd: true)
        case .or(let nodes): compound(nodes, mayReorder: false, isAnd: false)
        case .not(let node): node.row(mayReorder: false, dynamic)?.negated
        }
    }
}
