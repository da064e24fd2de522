// Finds patterns that a backtracking engine matches without backtracking (SQL.md 3.8): each scalar allows only
// one way to continue.
import PredicateModel

extension RegularPattern {
    /// Whether no scalar can match in two ways, and only sets and fixed texts are repeated.
    var isDeterministic: Bool { isDeterministic(before: .empty) }

    /// - Parameter follow: the scalars that may come after the pattern.
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

    /// Whether it is a sequence of sets.
    private var isFixed: Bool {
        switch self {
        case .set: true
        case .concatenation(let parts): parts.allSatisfy { if case .set = $0 { true } else { false } }
        default: false
        }
    }

    /// An equivalent pattern in which `*x*` matches up to its first `x`: the run before it excludes `x`.
    /// Possible if the run after it matches everything that the first run does.
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
}
