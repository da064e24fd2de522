// A regular pattern compiled to an automaton over classes of code points. Shared by all threads;
// PatternMatcher.swift runs it.

/// A Thompson automaton. The code points are divided into classes that behave alike in all sets of the pattern.
struct PatternProgram: Sendable {
    /// A pseudo code point for U+000D before U+000A, needed for `(?s).`.
    static let returnBeforeNewline: UInt32 = 0x110000

    enum Node: Sendable {
        /// Accepts a code point whose class is in the given set, and continues at `next`.
        case take(set: Int, next: Int)
        case split(Int, Int)
        case accept
    }

    private(set) var nodes: [Node] = []
    private(set) var start = 0
    /// The fold applied to texts.
    let table: FoldTable?
    /// Whether U+000D before U+000A becomes `returnBeforeNewline`.
    private(set) var joinsLines = false
    private(set) var classes = CodePointClasses()
    private var sets: [CodePointSet: Int] = [:]

    init(_ pattern: RegularPattern, _ table: FoldTable?, _ limits: PredicateLimits) throws(PatternError) {
        self.table = table
        let size = Self.size(pattern)
        if size > limits.patternStates {
            throw PatternError("it needs more than \(limits.patternStates) states", at: 0, exceedsLimit: true)
        }
        joinsLines = Self.joinsLines(pattern)
        nodes.reserveCapacity(size + 1)
        nodes.append(.accept)
        start = compile(pattern, next: 0)
        let ordered = sets.ordered { $0.value < $1.value }.map { $0.key }
        guard let classes = CodePointClasses(ordered) else {
            throw PatternError("it has too many different sets", at: 0, exceedsLimit: true)
        }
        self.classes = classes
    }

    /// The number of nodes that a pattern needs. Stops counting at the limit of integers.
    private static func size(_ pattern: RegularPattern) -> Int {
        switch pattern {
        case .empty: return 0
        case .set: return 1
        case .anyLine: return 6
        case .concatenation(let parts), .alternation(let parts):
            var sum = 0
            for part in parts { sum = min(sum + size(part) + 1, Int(Int32.max)) }
            return sum
        case .repetition(let inner, let minimum, let maximum):
            let times = max(maximum ?? minimum + 1, 1)
            let (product, overflow) = (size(inner) + 1).multipliedReportingOverflow(by: times)
            return overflow ? Int(Int32.max) : min(product, Int(Int32.max))
        }
    }

    private static func joinsLines(_ pattern: RegularPattern) -> Bool {
        switch pattern {
        case .anyLine: return true
        case .empty, .set: return false
        case .concatenation(let parts), .alternation(let parts):
            for part in parts where joinsLines(part) { return true }
            return false
        case .repetition(let inner, _, _): return joinsLines(inner)
        }
    }

    private mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func number(_ set: CodePointSet) -> Int {
        if let known = sets[set] { return known }
        sets[set] = sets.count
        return sets.count - 1
    }

    private mutating func take(_ set: CodePointSet, _ next: Int) -> Int {
        var set = set
        if joinsLines, set.contains(0xD) { set.insert(Self.returnBeforeNewline...Self.returnBeforeNewline) }
        return add(.take(set: number(set), next: next))
    }

    private mutating func compile(_ pattern: RegularPattern, next: Int) -> Int {
        switch pattern {
        case .empty: return next
        case .set(let set): return take(set, next)
        case .anyLine(let single):
            let newline = take(CodePointSet(0xA), next)
            let pair = CodePointSet(Self.returnBeforeNewline)
            let both = add(.take(set: number(pair), next: newline))
            return add(.split(both, add(.take(set: number(single), next: next))))
        case .concatenation(let parts):
            var entry = next
            for part in parts.reversed() { entry = compile(part, next: entry) }
            return entry
        case .alternation(let parts):
            var entry: Int?
            for part in parts.reversed() {
                let start = compile(part, next: next)
                entry = entry.map { add(.split(start, $0)) } ?? start
            }
            return entry ?? next
        case .repetition(let inner, let minimum, let maximum):
            return repetition(inner, minimum, maximum, next)
        }
    }

    private mutating func repetition(_ inner: RegularPattern, _ minimum: Int, _ maximum: Int?, _ next: Int) -> Int {
        // Repeating the empty text gives the empty text.
        if inner == .empty { return next }
        var entry = next
        if let maximum {
            for _ in 0..<max(maximum - minimum, 0) { entry = add(.split(compile(inner, next: entry), next)) }
        } else {
            let loop = add(.split(next, next))
            nodes[loop] = .split(compile(inner, next: loop), next)
            entry = loop
        }
        for _ in 0..<minimum { entry = compile(inner, next: entry) }
        return entry
    }
}

/// The code points divided at the bounds of all sets. Code points in the same sets have the same class.
struct CodePointClasses: Sendable {
    private(set) var count = 1
    /// The start and the class of each interval.
    private var starts: [UInt32] = [0]
    private var values: [UInt16] = [0]
    /// The classes of code points below 0x800, which take at most two bytes.
    private(set) var direct: [UInt16] = []
    /// Whether a class is in a set: `members[set * count + class]`.
    private var members: [Bool] = []

    init() {}

    /// nil if computing the classes would take too long.
    init?(_ sets: [CodePointSet]) {
        var bounds: [UInt32] = []
        for range in sets.lazy.map({ $0.ranges }).joined() {
            bounds.append(range.lowerBound)
            bounds.append(range.upperBound + 1)
        }
        bounds.sort()
        for bound in bounds where bound != starts[starts.count - 1] { starts.append(bound) }
        guard let classes = self.classes(sets) else { return nil }
        count = (classes.max() ?? 0) + 1
        guard count <= 0xFFFF, count * max(sets.count, 1) <= 50_000_000 else { return nil }
        values = classes.map { UInt16(truncatingIfNeeded: $0) }
        var members = [Bool](repeating: false, count: count * sets.count)
        for (number, set) in sets.enumerated() {
            let first = number * count
            forEachInterval(of: set) { members[first + classes[$0]] = true }
        }
        self.members = members
        direct = [UInt16](repeating: 0, count: 0x800)
        for (index, start) in starts.enumerated() where start < 0x800 {
            let end = index + 1 < starts.count ? min(starts[index + 1], 0x800) : 0x800
            for scalar in start..<end { direct[Int(scalar)] = values[index] }
        }
    }

    /// The class of each interval. Starts with one class of all intervals, and each set divides the classes of which it
    /// has only a part. nil if that would take too long.
    private func classes(_ sets: [CodePointSet]) -> [Int]? {
        var classes = [Int](repeating: 0, count: starts.count)
        var sizes = [starts.count]
        // For each class, how many of its intervals the set has, and the class that these get.
        var (hits, targets) = ([0], [0])
        var work = 0
        for set in sets {
            var touched: [Int] = []
            forEachInterval(of: set) { interval in
                let old = classes[interval]
                if hits[old] == 0 { touched.append(old) }
                hits[old] += 1
                work += 1
            }
            if work > 20_000_000 { return nil }
            for old in touched {
                targets[old] = old
                if hits[old] < sizes[old] {
                    targets[old] = sizes.count
                    sizes[old] -= hits[old]
                    sizes.append(hits[old])
                    hits.append(0)
                    targets.append(0)
                }
                hits[old] = 0
            }
            forEachInterval(of: set) { classes[$0] = targets[classes[$0]] }
        }
        return classes
    }

    /// Calls `body` with the number of each interval inside a set whose bounds are starts of intervals.
    private func forEachInterval(of set: CodePointSet, _ body: (Int) -> Void) {
        var interval = 0
        for range in set.ranges {
            interval = (interval..<starts.count).first(fromWhich: { starts[$0] >= range.lowerBound })
            while interval < starts.count, starts[interval] <= range.upperBound {
                body(interval)
                interval += 1
            }
        }
    }

    func contains(set: Int, _ classNumber: Int) -> Bool { members[set * count + classNumber] }

    @inline(__always)
    func classOf(_ scalar: UInt32) -> Int { scalar < 0x800 ? Int(direct[Int(scalar)]) : search(scalar) }

    private func search(_ scalar: UInt32) -> Int {
        Int(values[starts.indices.first(fromWhich: { starts[$0] > scalar }) - 1])
    }
}
