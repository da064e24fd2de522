// Finds patterns that a backtracking engine matches without backtracking (SQL of each construct: MATCHES): for each
// scalar there is only one way to continue.

extension RegularPattern {
    /// Whether no scalar can be matched in two ways, and only sets and fixed texts are repeated often.
    var isDeterministic: Bool { isDeterministic(before: .empty) }

    /// - Parameter follow: the scalars that may follow the pattern.
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
            let isShort = (maximum ?? .max) <= Self.mostGroups && !inner.isNullable
            guard inner.isFixed || isShort, minimum == maximum || inner.first.isDisjoint(with: follow) else {
                return false
            }
            return inner.isDeterministic(before: maximum == 1 ? follow : inner.first.union(follow))
        }
    }

    /// The maximum number of repeated groups. Engines recurse when they repeat a group of varying length, such as a
    /// letter of several scalars.
    private static let mostGroups = 8

    /// Whether it is a sequence of sets.
    private var isFixed: Bool {
        switch self {
        case .set: true
        case .concatenation(let parts): parts.allSatisfy { if case .set = $0 { true } else { false } }
        default: false
        }
    }

    /// An equivalent pattern in which `*x*` matches up to its first `x`: the run before it excludes `x`. This is
    /// possible if the run after it matches everything that the first run matches.
    var leftmost: RegularPattern {
        guard case .concatenation(var parts) = self else { return self }
        for index in parts.indices.dropLast(2) {
            guard case .repetition(.set(let before), 0, nil) = parts[index], case .set(let set) = parts[index + 1],
                case .repetition(.set(let after), _, nil) = parts[index + 2], after.isSuperset(of: before.union(set))
            else { continue }
            let others = before.subtracting(set)
            if !others.isEmpty { parts[index] = .repetition(.set(others), minimum: 0, maximum: nil) }
        }
        return .concatenation(parts)
    }

    /// The scalars of a run of scalars or letters; nil if the pattern is not a run.
    ///
    /// - Parameter marks: scalars that do not begin a letter.
    func scalarsOfRun(_ marks: CodePointSet) -> CodePointSet? {
        switch self {
        case .repetition(.set(let set), 0, nil) where !marks.isSuperset(of: set): set
        case .repetition(.concatenation(let parts), 0, 1): parts.count == 2 ? parts[1].scalarsOfRun(marks) : nil
        default: nil
        }
    }

    /// The pattern with "any text" in place of "any letters", if it consists only of these and of scalars; else nil.
    func spread(_ extending: CodePointSet) -> Glob? {
        var spread: [RegularPattern] = []
        let letters = RegularPattern.repetition(
            .concatenation([.set(extending.complement), .anything]), minimum: 0, maximum: 1)
        for part in parts {
            if part == .anything || part == letters {
                spread.append(.anything)
            } else if case .set(let set) = part, set.single != nil {
                spread.append(part)
            } else {
                return nil
            }
        }
        return Glob(.joined(spread))
    }

    var isPlainRun: Bool { if case .repetition(.set, _, nil) = self { true } else { false } }

    /// Whether the pattern is a sequence of single letters and runs of letters.
    ///
    /// - Parameter extending: scalars that extend a letter of a folded text.
    func isGlob(_ extending: CodePointSet) -> Bool {
        parts.allSatisfy { part in
            switch part {
            case .set: true
            case .repetition(.set(let set), _, nil) where extending.isSuperset(of: set): true
            default: part.scalarsOfRun(extending) != nil
            }
        }
    }

    /// Whether the pattern is a run or contains one.
    func holdsRun(_ marks: CodePointSet) -> Bool {
        switch self {
        case .empty, .set, .anyLine: false
        case .concatenation(let parts), .alternation(let parts): parts.contains { $0.holdsRun(marks) }
        case .repetition(let inner, _, _): scalarsOfRun(marks) != nil || inner.holdsRun(marks)
        }
    }
}
