// Runs a grammar: derives symbols from rules, and generates random sentences. Refers to symbols by position only, so
// the same code works for characters and for tokens. GrammarLanguage.swift combines the two grammars.

import PredicateTestSupport

/// A grammar prepared for running, with numbered elements and resolved references.
///
/// Recognition keeps all possible ends of an element, so it needs no look-ahead and handles ambiguous grammars
/// exactly. A rule is tried once per place. Rules must not be left-recursive.
struct GrammarMachine: Sendable {
    enum Node: Sendable {
        case terminal(Int)
        case sequence([Int])
        case choice([Int])
        case repeated(Int, least: Int, most: Int)
        case rule(Int)
    }

    enum Terminal: Hashable, Sendable {
        case text(String, caseSensitive: Bool)
        case scalars(ClosedRange<UInt32>)
        /// A name that the grammar does not define.
        case kind(String)
    }

    private(set) var nodes: [Node] = []
    private(set) var terminals: [Terminal] = []
    private(set) var names: [String] = []
    private(set) var bodies: [Int] = []
    /// For each node, the terminals that can begin it; nil if it can be empty.
    private(set) var beginnings: [[Bool]?] = []
    /// For each node, the smallest number of rules below it.
    private(set) var heights: [Int] = []

    init(_ grammar: ABNFGrammar) {
        names = grammar.names
        bodies = Array(repeating: -1, count: names.count)
        let rules = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var interned: [Terminal: Int] = [:]
        for (index, name) in names.enumerated() {
            guard let body = grammar.rules[name] else { continue }
            bodies[index] = add(body, rules, &interned)
        }
        measure()
        beginnings = nodes.indices.map { node in
            var found: Set<Int> = []
            var open: Set<Int> = []
            return canBeEmpty(node, &found, &open) ? nil : terminals.indices.map(found.contains)
        }
    }

    func rule(_ name: String) -> Int? { names.firstIndex(of: name) }

    /// All alternatives in the text of a rule.
    func alternatives(of rule: Int) -> [Int] {
        func walk(_ node: Int) -> [Int] {
            switch nodes[node] {
            case .terminal, .rule: []
            case .sequence(let parts): parts.flatMap(walk)
            case .choice(let parts): parts + parts.flatMap(walk)
            case .repeated(let part, _, _): walk(part)
            }
        }
        return walk(bodies[rule])
    }

    private mutating func add(
        _ element: ABNFElement, _ rules: [String: Int], _ interned: inout [Terminal: Int]
    ) -> Int {
        let node: Node
        switch element {
        case .choice(let parts): node = .choice(parts.map { add($0, rules, &interned) })
        case .sequence(let parts): node = .sequence(parts.map { add($0, rules, &interned) })
        case .repeated(let part, let least, let most):
            node = .repeated(add(part, rules, &interned), least: least, most: most ?? .max)
        case .rule(let name):
            node = rules[name].map(Node.rule) ?? .terminal(intern(.kind(name), &interned))
        case .text(let text, let caseSensitive):
            node = .terminal(intern(.text(text, caseSensitive: caseSensitive), &interned))
        case .scalars(let range): node = .terminal(intern(.scalars(range), &interned))
        }
        nodes.append(node)
        return nodes.count - 1
    }

    private mutating func intern(_ terminal: Terminal, _ interned: inout [Terminal: Int]) -> Int {
        if let known = interned[terminal] { return known }
        terminals.append(terminal)
        interned[terminal] = terminals.count - 1
        return terminals.count - 1
    }

    /// Adds the terminals that can begin a node. Returns whether the node can be empty.
    private func canBeEmpty(_ node: Int, _ found: inout Set<Int>, _ open: inout Set<Int>) -> Bool {
        switch nodes[node] {
        case .terminal(let terminal):
            found.insert(terminal)
            return false
        case .sequence(let parts): return parts.allSatisfy { canBeEmpty($0, &found, &open) }
        case .choice(let parts):
            return parts.reduce(false) { empty, part in canBeEmpty(part, &found, &open) || empty }
        case .repeated(let part, let least, _): return canBeEmpty(part, &found, &open) || least == 0
        case .rule(let rule):
            // Visit a rule again on each path, because emptiness matters on each. Stop only at recursion.
            guard open.insert(rule).inserted else { return false }
            defer { open.remove(rule) }
            return canBeEmpty(bodies[rule], &found, &open)
        }
    }

    private mutating func measure() {
        heights = Array(repeating: .max, count: nodes.count)
        var changed = true
        while changed {
            changed = false
            for node in nodes.indices {
                let height = height(of: node)
                if height < heights[node] {
                    heights[node] = height
                    changed = true
                }
            }
        }
    }

    private func height(of node: Int) -> Int {
        switch nodes[node] {
        case .terminal: return 0
        case .sequence(let parts): return parts.map { heights[$0] }.max() ?? 0
        case .choice(let parts): return parts.map { heights[$0] }.min() ?? 0
        case .repeated(let part, let least, _): return least == 0 ? 0 : heights[part]
        case .rule(let rule):
            let below = heights[bodies[rule]]
            return below == .max ? .max : below + 1
        }
    }
}

/// The recognition of one text.
struct GrammarRun {
    let machine: GrammarMachine
    /// The number of symbols of the text.
    let count: Int
    /// For each place, the terminals that may begin there.
    let candidates: (_ place: Int) -> [Int]
    /// The end of a terminal that begins at a place.
    let match: (_ terminal: Int, _ place: Int) -> Int?
    private var known: [Int: [Int]] = [:]

    init(
        _ machine: GrammarMachine, count: Int, candidates: @escaping (Int) -> [Int], match: @escaping (Int, Int) -> Int?
    ) {
        self.machine = machine
        self.count = count
        self.candidates = candidates
        self.match = match
    }

    /// All possible ends of the rule from this place, ascending.
    mutating func ends(rule: Int, from place: Int) -> [Int] {
        let body = machine.bodies[rule]
        if place == count || !canBegin(body, candidates(place)) {
            return machine.beginnings[body] == nil ? [place] : []
        }
        let key = rule * (count + 1) + place
        if let ends = known[key] { return ends }
        known[key] = []
        let ends = ends(body, from: place)
        known[key] = ends
        return ends
    }

    private mutating func ends(_ node: Int, from place: Int) -> [Int] {
        switch machine.nodes[node] {
        case .terminal(let terminal): return match(terminal, place).map { [$0] } ?? []
        case .rule(let rule): return ends(rule: rule, from: place)
        case .choice(let parts):
            let candidates = place < count ? candidates(place) : []
            var found: [Int] = []
            for part in parts {
                if canBegin(part, candidates) { found = union(found, ends(part, from: place)) }
            }
            return found
        case .sequence(let parts):
            var places = [place]
            for part in parts {
                var found: [Int] = []
                for place in places { found = union(found, ends(part, from: place)) }
                places = found
                if places.isEmpty { break }
            }
            return places
        case .repeated(let part, let least, let most):
            var found: Set<Int> = least == 0 ? [place] : []
            var places: Set<Int> = [place]
            var rounds = 0
            while !places.isEmpty, rounds < most {
                var next: Set<Int> = []
                for place in places { next.formUnion(ends(part, from: place)) }
                rounds += 1
                if rounds >= least {
                    next.subtract(found)
                    found.formUnion(next)
                }
                places = next
            }
            return found.sorted()
        }
    }

    /// Whether a node can begin with one of these terminals, or be empty.
    private func canBegin(_ node: Int, _ candidates: [Int]) -> Bool {
        guard let beginnings = machine.beginnings[node] else { return true }
        for candidate in candidates where beginnings[candidate] { return true }
        return false
    }

    private func union(_ left: [Int], _ right: [Int]) -> [Int] {
        if left.isEmpty || left == right { return right }
        return right.isEmpty ? left : Set(left).union(right).sorted()
    }

    /// Records the rules and alternatives of one derivation between two places. Returns false if there is none.
    mutating func derive(rule: Int, from start: Int, to end: Int, into coverage: inout GrammarCoverage) -> Bool {
        guard ends(rule: rule, from: start).contains(end) else { return false }
        coverage.rules.insert(rule)
        return derive(machine.bodies[rule], start, end, &coverage)
    }

    private mutating func derive(_ node: Int, _ start: Int, _ end: Int, _ coverage: inout GrammarCoverage) -> Bool {
        switch machine.nodes[node] {
        case .terminal(let terminal): return match(terminal, start) == end
        case .rule(let rule): return derive(rule: rule, from: start, to: end, into: &coverage)
        case .choice(let parts):
            guard let part = parts.first(where: { ends($0, from: start).contains(end) }) else { return false }
            coverage.alternatives.insert(part)
            return derive(part, start, end, &coverage)
        case .sequence(let parts): return derive(parts[...], start, end, &coverage)
        case .repeated(let part, let least, let most):
            return derive(part, least: least, most: most, start, end, &coverage)
        }
    }

    private mutating func derive(
        _ part: Int, least: Int, most: Int, _ start: Int, _ end: Int, _ coverage: inout GrammarCoverage
    ) -> Bool {
        if start == end, least <= 0 { return true }
        guard most > 0 else { return false }
        for middle in ends(part, from: start) where middle > start && middle <= end {
            var attempt = coverage
            if derive(part, start, middle, &attempt),
                derive(part, least: least - 1, most: most == .max ? .max : most - 1, middle, end, &attempt)
            {
                coverage = attempt
                return true
            }
        }
        return false
    }

    private mutating func derive(
        _ parts: ArraySlice<Int>, _ start: Int, _ end: Int, _ coverage: inout GrammarCoverage
    ) -> Bool {
        guard let first = parts.first else { return start == end }
        for middle in ends(first, from: start) where middle <= end {
            var attempt = coverage
            if derive(parts.dropFirst(), middle, end, &attempt), derive(first, start, middle, &attempt) {
                coverage = attempt
                return true
            }
        }
        return false
    }
}

/// The rules used by derivations, and the nodes used as one of several alternatives.
struct GrammarCoverage: Sendable {
    var rules: Set<Int> = []
    var alternatives: Set<Int> = []
}

/// Generates random sentences.
struct GrammarGenerator {
    let machine: GrammarMachine
    var random: SplitMix

    init(_ machine: GrammarMachine, seed: UInt64) {
        self.machine = machine
        random = SplitMix(seed)
    }

    /// The terminals of a random sentence. After `length` terminals it takes the shortest way to the end.
    mutating func sentence(rule: Int, length: Int, noting coverage: inout GrammarCoverage) -> [Int] {
        var sentence: [Int] = []
        generate(rule: rule, length, &sentence, &coverage)
        return sentence
    }

    private mutating func generate(
        rule: Int, _ length: Int, _ sentence: inout [Int], _ coverage: inout GrammarCoverage
    ) {
        coverage.rules.insert(rule)
        generate(machine.bodies[rule], length, &sentence, &coverage)
    }

    private mutating func generate(
        _ node: Int, _ length: Int, _ sentence: inout [Int], _ coverage: inout GrammarCoverage
    ) {
        switch machine.nodes[node] {
        case .terminal(let terminal): sentence.append(terminal)
        case .rule(let rule): generate(rule: rule, length, &sentence, &coverage)
        case .sequence(let parts): for part in parts { generate(part, length, &sentence, &coverage) }
        case .choice(let parts):
            let part = choose(parts, ending: sentence.count >= length)
            coverage.alternatives.insert(part)
            generate(part, length, &sentence, &coverage)
        case .repeated(let part, let least, let most):
            var rounds = 0
            // Rarely more than the minimum, because the levels of precedence multiply the length.
            while rounds < least || (rounds < most && sentence.count < length && random.below(100) < 15) {
                generate(part, length, &sentence, &coverage)
                rounds += 1
            }
        }
    }

    /// Chooses an alternative: near the end one of the shortest, otherwise any one, but short ones more often.
    private mutating func choose(_ parts: [Int], ending: Bool) -> Int {
        let least = parts.map { machine.heights[$0] }.min() ?? 0
        let near = parts.filter { machine.heights[$0] <= least + 1 }
        let far = parts.filter { machine.heights[$0] > least + 1 }
        let possible = ending || far.isEmpty || random.below(4) == 0 ? near : far
        return possible[random.below(possible.count)]
    }
}
