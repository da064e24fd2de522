// Runs a compiled pattern: kernels for LIKE's common shapes, else a deterministic automaton whose states are made as
// texts ask for them. No backtracking: time is linear in the text, whatever the pattern.

package import PredicateSyntax

/// Matches texts with one pattern. Keeps what it learned, so make one for each thread and keep it.
package final class PatternMatcher {
    /// The plan's, without what it holds: taking that out of an enum for each text would cost more than matching.
    private enum Kind {
        case never, everything, equals, prefix, suffix, contains, pieces, automaton
    }

    private let kind: Kind
    private let needle: Needle
    private let pieces: TextPieces?
    private let required: RequiredText?
    private var automaton: LazyAutomaton?

    init(_ plan: CompiledPattern.Plan) {
        var (needle, pieces, required) = (Needle("", options: []), TextPieces?.none, RequiredText?.none)
        switch plan {
        case .never, .outside: kind = .never
        case .everything: kind = .everything
        case .equals(let given): (kind, needle) = (.equals, given)
        case .prefix(let given): (kind, needle) = (.prefix, given)
        case .suffix(let given): (kind, needle) = (.suffix, given)
        case .contains(let given): (kind, needle) = (.contains, given)
        case .pieces(let given): (kind, pieces) = (.pieces, given)
        case .automaton(let program, let given):
            (kind, required) = (.automaton, given)
            automaton = LazyAutomaton(program)
        }
        (self.needle, self.pieces, self.required) = (needle, pieces, required)
    }

    /// Matches texts as they are with a pattern that was made rather than read.
    package convenience init(matching pattern: RegularPattern, limits: Limits = .standard) throws(PatternError) {
        self.init(.automaton(try PatternProgram(pattern, nil, limits), nil))
    }

    /// Whether the whole text matches. Linear in the text.
    package func matches(_ text: String) -> Bool { text.withBytes { matches($0) } }

    /// The same of a text's UTF-8.
    package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch kind {
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

/// The subset construction, done as texts ask for it. States are numbered by where their row of transitions begins.
private struct LazyAutomaton {
    private let program: PatternProgram
    private let stride: Int
    /// By state and class: the next state, or -1 where it is not known yet. Row 0 is the state nothing leads out of.
    private var transitions: [Int32] = []
    private var states: [[Int32]] = []
    private var accepting: [Bool] = []
    private var numbers: [[Int32]: Int32] = [:]
    private var start: Int32 = 0
    /// The class of each ASCII byte, folded. Of others, and of U+000D where it may be special, a column of its own in
    /// which nothing is ever known.
    private let columns: [UInt16]
    // Scratch of `close`: which nodes were met in this round.
    private var marks: [UInt32]
    private var round: UInt32 = 0

    /// Rows are dropped once they take a megabyte.
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

    /// Goes as far as the transitions are known and lead somewhere.
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

    /// Takes a scalar that is no ASCII.
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
        // Acceptance is a node of its own kind; -1 keeps a set that accepts apart from one that does not.
        let key = accepts ? nodes + [-1] : nodes
        if let known = numbers[key] { return known }
        let next = Int32(truncatingIfNeeded: transitions.count)
        numbers[key] = next
        states.append(nodes)
        accepting.append(accepts)
        transitions.append(contentsOf: repeatElement(-1, count: stride))
        return next
    }

    /// The nodes that take something and can be reached for nothing, in order.
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
