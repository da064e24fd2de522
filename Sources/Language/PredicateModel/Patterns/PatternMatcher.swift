// Runs a compiled pattern: fast loops for common LIKE patterns, otherwise a deterministic automaton whose states are
// created on demand. It never backtracks, so time is linear in the text for every pattern.

/// Matches texts with one pattern. Caches automaton states, so use one matcher per thread for many texts.
package final class PatternMatcher {
    /// The plan's case without its payload, because extracting the payload for each text would cost more than matching.
    private enum Algorithm {
        case never, everything, equals, prefix, suffix, contains, pieces, automaton
    }

    private let algorithm: Algorithm
    private let needle: Needle
    private let pieces: TextPieces?
    private let required: RequiredText?
    private var automaton: LazyAutomaton?

    init(_ plan: CompiledPattern.Plan) {
        var (needle, pieces, required) = (Needle("", options: []), TextPieces?.none, RequiredText?.none)
        switch plan {
        case .never, .outside: algorithm = .never
        case .everything: algorithm = .everything
        case .equals(let given): (algorithm, needle) = (.equals, given)
        case .prefix(let given): (algorithm, needle) = (.prefix, given)
        case .suffix(let given): (algorithm, needle) = (.suffix, given)
        case .contains(let given): (algorithm, needle) = (.contains, given)
        case .pieces(let given): (algorithm, pieces) = (.pieces, given)
        case .automaton(let program, let given):
            (algorithm, required) = (.automaton, given)
            automaton = LazyAutomaton(program)
        }
        (self.needle, self.pieces, self.required) = (needle, pieces, required)
    }

    /// A matcher for a pattern that was built in code, on unfolded texts.
    package convenience init(matching pattern: RegularPattern, limits: PredicateLimits = .standard) throws(PatternError)
    {
        self.init(.automaton(try PatternProgram(pattern, nil, limits), nil))
    }

    /// Whether the whole text matches. Linear in the text.
    package func matches(_ text: String) -> Bool { text.withBytes { matches($0) } }

    /// Whether the whole text matches, given as UTF-8.
    package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch algorithm {
        case .never: false
        case .everything: true
        case .equals: needle.equals(text)
        case .prefix: needle.isPrefix(of: text)
        case .suffix: needle.isSuffix(of: text)
        case .contains: needle.isContained(in: text)
        case .pieces: pieces?.matches(text) ?? false
        case .automaton: required?.isIn(text) ?? true && automaton?.matches(text) ?? false
        }
    }
}

/// The subset construction, done on demand. A state's number is the index of its first transition.
private struct LazyAutomaton {
    private let program: PatternProgram
    private let stride: Int
    /// By state and class: the next state, or -1 if it is not computed yet. Row 0 is the dead state.
    private var transitions: [Int32] = []
    private var states: [[Int32]] = []
    private var accepting: [Bool] = []
    private var numbers: [[Int32]: Int32] = [:]
    private var start: Int32 = 0
    /// The class of each folded ASCII byte. All other bytes, and U+000D if it may be special, have a separate
    /// column whose transitions are never cached.
    private let columns: [UInt16]
    // Scratch memory of `close`: the nodes visited in this round.
    private var marks: [UInt32]
    private var round: UInt32 = 0

    /// The maximum number of transitions, a megabyte. Beyond it, the cache is cleared.
    private static let capacity = 1 << 18

    init(_ program: PatternProgram) {
        self.program = program
        stride = program.classes.count + 1
        marks = [UInt32](repeating: 0, count: program.nodes.count)
        columns = (UInt8.min...UInt8.max).map { byte in
            let isSpecial = byte > 0x7F || byte == 0xD && program.joinsLines
            let scalar = UInt32(program.table?.foldASCII(byte) ?? byte)
            return UInt16(truncatingIfNeeded: isSpecial ? program.classes.count : program.classes.classOf(scalar))
        }
        reset()
    }

    private mutating func reset() {
        transitions.removeAll(keepingCapacity: true)
        states.removeAll(keepingCapacity: true)
        accepting.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
        _ = number([], accepts: false)
        for index in 0..<stride { transitions[index] = 0 }
        let (nodes, accepts) = close([Int32(truncatingIfNeeded: program.start)])
        start = number(nodes, accepts: accepts)
    }

    mutating func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var state = start
        var index = 0
        while true {
            run(text, &state, &index)
            guard index < text.count else { return accepting[Int(state) / stride] }
            let byte = text[index]
            if byte > 0x7F {
                state = wide(state, decodeScalar(text, &index))
            } else {
                index &+= 1
                let isPair = byte == 0xD && program.joinsLines && index < text.count && text[index] == 0xA
                let scalar =
                    isPair ? PatternProgram.returnBeforeNewline : UInt32(program.table?.foldASCII(byte) ?? byte)
                state = step(state, program.classes.classOf(scalar))
            }
            if state == 0 { return false }
        }
    }

    /// Continues while transitions are cached and not dead.
    @inline(__always) private func run(_ text: UnsafeBufferPointer<UInt8>, _ state: inout Int32, _ index: inout Int) {
        transitions.withUnsafeBufferPointer { transitions in
            columns.withUnsafeBufferPointer { columns in
                var (current, place) = (state, index)
                while place < text.count {
                    let next = transitions[Int(current) &+ Int(columns[Int(text[place])])]
                    if next <= 0 { break }
                    current = next
                    place &+= 1
                }
                (state, index) = (current, place)
            }
        }
    }

    /// Takes a non-ASCII scalar.
    private mutating func wide(_ state: Int32, _ scalar: UInt32) -> Int32 {
        guard let table = program.table else { return step(state, program.classes.classOf(scalar)) }
        var state = state
        switch table.image(scalar) {
        case .one(let folded): state = step(state, program.classes.classOf(folded))
        case .several(let start, let count):
            for index in start..<start &+ count {
                state = step(state, program.classes.classOf(table.expansion(at: index)))
            }
        case .hangul:
            for folded in Hangul.decomposed(scalar) { state = step(state, program.classes.classOf(folded)) }
        }
        return state
    }

    @inline(__always)
    private mutating func step(_ state: Int32, _ classNumber: Int) -> Int32 {
        let next = transitions[Int(state) &+ classNumber]
        return next >= 0 ? next : learn(state, classNumber)
    }

    private mutating func learn(_ state: Int32, _ classNumber: Int) -> Int32 {
        var targets: [Int32] = []
        for node in states[Int(state) / stride] {
            if case .take(let set, let next) = program.nodes[Int(node)], program.classes.contains(set: set, classNumber)
            {
                targets.append(Int32(truncatingIfNeeded: next))
            }
        }
        let (nodes, accepts) = close(targets)
        if transitions.count > Self.capacity {
            reset()
            return number(nodes, accepts: accepts)
        }
        let next = number(nodes, accepts: accepts)
        transitions[Int(state) &+ classNumber] = next
        return next
    }

    private mutating func number(_ nodes: [Int32], accepts: Bool) -> Int32 {
        // The -1 distinguishes an accepting set from the same set that does not accept.
        let key = accepts ? nodes + [-1] : nodes
        if let known = numbers[key] { return known }
        let next = Int32(truncatingIfNeeded: transitions.count)
        numbers[key] = next
        states.append(nodes)
        accepting.append(accepts)
        transitions.append(contentsOf: repeatElement(-1, count: stride))
        return next
    }

    /// The nodes with transitions that are reachable without input, in order.
    private mutating func close(_ roots: [Int32]) -> (nodes: [Int32], accepts: Bool) {
        round &+= 1
        if round == 0 {
            marks = [UInt32](repeating: 0, count: marks.count)
            round = 1
        }
        var pending = roots
        var nodes: [Int32] = []
        var accepts = false
        while let node = pending.popLast() {
            if marks[Int(node)] == round { continue }
            marks[Int(node)] = round
            switch program.nodes[Int(node)] {
            case .take: nodes.append(node)
            case .accept: accepts = true
            case .split(let left, let right):
                pending.append(Int32(truncatingIfNeeded: right))
                pending.append(Int32(truncatingIfNeeded: left))
            }
        }
        nodes.sort()
        return (nodes, accepts)
    }
}
