// Which patterns an engine that matches by trying can be given (SQL.md 3.8): those where each scalar leaves one way to go on, so
// that nothing is ever tried twice.
import PredicateModel

extension RegularPattern {
    /// Whether no scalar can be read in two ways, and only sets and fixed texts are repeated.
    var isDeterministic: Bool { isDeterministic(before: .empty) }

    /// `follow`: what may come behind it.
    private func isDeterministic(before follow: CodePointSet) -> Bool {
        switch self {
        case .empty, .set: return true
        case .anyLine: return false
        case .concatenation(let parts):
            var follow = follow
            for part in parts.reversed() {
                guard part.isDeterministic(before: follow) else { return false }
                follow = part.isNullable ? part.first.union(follow) : part.first
            }
            return true
        case .alternation(let choices):
            var seen = CodePointSet.empty
            for choice in choices {
                let first = choice.isNullable ? choice.first.union(follow) : choice.first
                guard seen.isDisjoint(with: first), choice.isDeterministic(before: follow) else { return false }
                seen = seen.union(first)
            }
            return true
        case .repetition(let inner, let minimum, let maximum):
            guard inner.isFixed, minimum == maximum || inner.first.isDisjoint(with: follow) else { return false }
            return inner.isDeterministic(before: inner.first.union(follow))
        }
    }

    /// Sets one behind another.
    private var isFixed: Bool {
        switch self {
        case .set: true
        case .concatenation(let parts): parts.allSatisfy { if case .set = $0 { true } else { false } }
        default: false
        }
    }

    /// The same texts: `*x*` finds its first `x`, and what stands before that is no `x`. The run behind goes over all that the
    /// run before does.
    var leftmost: RegularPattern {
        guard case .concatenation(var parts) = self else { return self }
        for index in parts.indices.dropLast(2) {
            guard case .repetition(.set(let before), 0, nil) = parts[index], case .set(let set) = parts[index + 1],
                case .repetition(.set(let behind), _, nil) = parts[index + 2], behind.isSuperset(of: before.union(set))
            else { continue }
            let others = before.subtracting(set)
            if !others.isEmpty { parts[index] = .repetition(.set(others), minimum: 0, maximum: nil) }
        }
        return .concatenation(parts)
    }

    /// What a run goes over, of scalars or of letters; nil for what is no run.
    ///
    /// - Parameter inside: what no letter begins with.
    func scalarsOfRun(_ inside: CodePointSet) -> CodePointSet? {
        switch self {
        case .repetition(.set(let set), 0, nil) where !inside.isSuperset(of: set): set
        case .repetition(.concatenation(let parts), 0, 1): parts.count == 2 ? parts[1].scalarsOfRun(inside) : nil
        default: nil
        }
    }

    /// Whether it is single letters and runs of them, one after the other.
    ///
    /// - Parameter extending: what extends a letter, in a pattern of folded texts.
    func isGlob(_ extending: CodePointSet) -> Bool {
        parts.allSatisfy { part in
            switch part {
            case .set: true
            case .repetition(.set(let set), _, nil) where extending.isSuperset(of: set): true
            default: part.scalarsOfRun(extending) != nil
            }
        }
    }

    /// Whether it has a run, or holds one.
    func holdsRun(_ inside: CodePointSet) -> Bool {
        switch self {
        case .empty, .set, .anyLine: false
        case .concatenation(let parts), .alternation(let parts): parts.contains { $0.holdsRun(inside) }
        case .repetition(let inner, _, _): scalarsOfRun(inside) != nil || inner.holdsRun(inside)
        }
    }
}
