// Parses ICU regular expressions and reports the errors that ICU would report. Groups are on an explicit stack, so
// nesting causes no recursion. PatternParser+Sets.swift parses sets.

struct PatternParser {
    var reader: PatternReader
    var symbol = PatternReader.Symbol(position: 0)
    var flags = Flags()
    /// The fold table for the comparison's options. Sets are closed under it.
    let table: FoldTable?
    let nesting: Int
    /// The first construct that only ICU can match.
    private(set) var outside: String?
    /// Whether the current set has members that only ICU supports.
    private var setIsUnknown = false

    private var groups: [Group] = []
    private var current = Group(kind: .plain, position: 0, flags: Flags())
    /// Whether a quantifier is allowed next.
    private var isQuantifiable = false
    /// Whether the next letter joins the last element, a run of letters. A group or a flag ends a run.
    private var runIsOpen = false
    private var captures = 0
    private var names: Set<String> = []
    private var references: [(number: Int?, name: String, position: Int)] = []

    struct Flags {
        var ignoresCase = false
        var crossesLines = false
        var endsLinesOnlyByLineFeeds = false
        var isExtended = false
    }

    private enum GroupKind { case plain, lookahead, lookbehind, atomic }

    private struct Group {
        var kind: GroupKind
        var position: Int
        var flags: Flags
        var choices: [PatternSyntax] = []
        var sequence: [PatternSyntax] = []

        var syntax: PatternSyntax {
            let last = PatternSyntax.joined(sequence)
            return choices.isEmpty ? last : .choice(choices + [last])
        }
    }

    init(_ text: String, table: FoldTable?, limits: PredicateLimits) {
        reader = PatternReader(text)
        self.table = table
        // A group takes up to four levels of the syntax tree.
        nesting = limits.nesting / 4
    }

    mutating func parse() throws(PatternError) -> PatternSyntax {
        try advance()
        while let scalar = symbol.scalar { try term(scalar) }
        if !groups.isEmpty { throw error("the group is never closed", at: current.position) }
        for reference in references {
            if let number = reference.number {
                if number > captures { throw error("there is no group \(number)", at: reference.position) }
            } else if !names.contains(reference.name) {
                throw error("there is no group '\(reference.name)'", at: reference.position)
            }
        }
        return current.syntax
    }

    func error(_ reason: String, at position: Int) -> PatternError {
        PatternError(reason, at: reader.offset(of: position))
    }

    mutating func advance() throws(PatternError) { symbol = try reader.next() }

    mutating func leavesCore(_ construct: String) { outside = outside ?? construct }

    mutating func leavesCore(inSet construct: String) {
        leavesCore(construct)
        setIsUnknown = true
    }

    /// ICU treats a set with one member like a letter, which the flag `i` may fold to several letters.
    private mutating func append(_ members: PatternClass) {
        defer { setIsUnknown = false }
        if setIsUnknown {
            append(.set(.empty, isNegated: true))
        } else if flags.ignoresCase, let scalar = members.scalars.single {
            literal(scalar)
        } else {
            append(.set(members.set, isNegated: members.isNegated))
        }
    }

    private mutating func append(_ syntax: PatternSyntax, isQuantifiable: Bool = true) {
        current.sequence.append(syntax)
        self.isQuantifiable = isQuantifiable
        runIsOpen = false
    }

    private mutating func literal(_ scalar: UInt32) {
        if 0xD800...0xDFFF ~= scalar { leavesCore("half of a surrogate pair") }
        isQuantifiable = true
        if runIsOpen, case .literal(let run, flags.ignoresCase)? = current.sequence.last {
            current.sequence[current.sequence.count - 1] = .literal(run + [scalar], ignoresCase: flags.ignoresCase)
        } else {
            current.sequence.append(.literal([scalar], ignoresCase: flags.ignoresCase))
        }
        runIsOpen = true
    }

    // MARK: Terms

    private mutating func term(_ scalar: UInt32) throws(PatternError) {
        let start = symbol.position
        guard !symbol.isQuoted, let character = Unicode.Scalar(scalar) else {
            literal(scalar)
            return try advance()
        }
        switch character {
        case "\\": return try escape()
        case "(": return try openGroup()
        case "*", "+", "?", "{": return try quantifier(character)
        case "}": throw error("write \\} for a brace", at: start)
        case "[": append(try bracket(depth: 0))
        // With the flag d, line terminators are ambiguous here, so both meanings are allowed.
        case "." where flags.endsLinesOnlyByLineFeeds:
            append(.choice([.any(crossesLines: true), .set(.empty, isNegated: true)]))
        case ".": append(.any(crossesLines: flags.crossesLines))
        case "^": append(.start)
        case "$": append(.end)
        case "|":
            current.choices.append(.joined(current.sequence))
            current.sequence = []
            isQuantifiable = false
            runIsOpen = false
        case ")": try closeGroup()
        default: literal(scalar)
        }
        try advance()
    }

    private mutating func escape() throws(PatternError) {
        let start = symbol.position
        symbol = reader.raw()
        guard let scalar = symbol.scalar, let letter = Unicode.Scalar(scalar) else {
            throw error("a backslash at the end escapes nothing", at: start)
        }
        switch letter {
        case "A": append(.start, isQuantifiable: false)
        case "Z", "z": append(.end, isQuantifiable: false)
        case "b", "B": assert("a word boundary \\\(letter)")
        case "G": assert("\\G")
        case "R": skip("\\R", scalars: 1...2)
        case "X": skip("\\X")
        case "N":
            _ = try propertyName(start)
            // The name is matched without case and marks, so it has zero to three scalars.
            skip("a character by name", scalars: 0...3)
        case "k": try namedReference(start)
        case "1"..."9":
            references.append((Int(scalar - 48), "", start))
            skip("a back-reference")
        default:
            if let set = try classEscape(letter, start) {
                append(set)
            } else {
                literal(scalar)  // a letter without meaning stands for itself
            }
        }
        try advance()
    }

    /// A construct that only ICU can match is replaced by "any text", so that the pattern is an upper bound.
    ///
    /// - Parameter scalars: how many scalars it matches; nil if there is no upper bound.
    private mutating func skip(_ construct: String, scalars: ClosedRange<Int>? = nil) {
        leavesCore(construct)
        append(.repetition(.set(.empty, isNegated: true), scalars?.lowerBound ?? 0, scalars?.upperBound))
    }

    /// An assertion that only ICU can check is left out.
    private mutating func assert(_ construct: String) {
        leavesCore(construct)
        append(.empty, isQuantifiable: false)
    }

    private mutating func namedReference(_ start: Int) throws(PatternError) {
        let open = reader.raw()
        var name = ""
        guard open.isSyntax("<") else { throw error("\\k needs a name in angle brackets", at: start) }
        while true {
            let next = reader.raw()
            guard let scalar = next.scalar, let character = Unicode.Scalar(scalar) else {
                throw error("\\k needs a name in angle brackets", at: start)
            }
            if character == ">" { break }
            name.unicodeScalars.append(character)
        }
        references.append((nil, name, start))
        skip("a back-reference")
    }

    static func isLetter(_ scalar: UInt32) -> Bool { (scalar | 0x20) &- 97 < 26 && scalar < 0x80 }

    // MARK: Groups

    private mutating func open(_ kind: GroupKind, _ position: Int) throws(PatternError) {
        if groups.count >= nesting {
            throw PatternError(
                "groups are nested more than \(nesting) deep", at: reader.offset(of: position), exceedsLimit: true)
        }
        groups.append(current)
        current = Group(kind: kind, position: position, flags: flags)
        isQuantifiable = false
        runIsOpen = false
    }

    private mutating func closeGroup() throws(PatternError) {
        guard let outer = groups.popLast() else { throw error("there is no group to close here", at: symbol.position) }
        let group = current
        (current, flags) = (outer, group.flags)
        reader.isExtended = flags.isExtended
        switch group.kind {
        case .plain: append(group.syntax)
        case .atomic:
            leavesCore("an atomic group")
            append(group.syntax)
        case .lookahead: assert("look-around")
        case .lookbehind:
            if group.syntax.isUnbounded { throw error("a look-behind needs a bounded length", at: group.position) }
            assert("look-around")
        }
    }

    private mutating func openGroup() throws(PatternError) {
        let start = symbol.position
        try advance()
        guard symbol.isSyntax("?") else {
            captures += 1
            return try open(.plain, start)
        }
        symbol = try reader.next(skippingComments: false)
        guard !symbol.isQuoted, let kind = symbol.scalar.flatMap({ Unicode.Scalar($0) }) else {
            throw error("the group is never closed", at: start)
        }
        switch kind {
        case ":": try open(.plain, start)
        case ">": try open(.atomic, start)
        case "=", "!": try open(.lookahead, start)
        case "<": try openAngle(start)
        case "#": return try comment(start)
        case "i", "m", "s", "x", "w", "d", "u", "-": return try openFlags(start)
        default:
            throw error(
                kind == "(" || kind == "{"
                    ? "conditionals and code are no part of ICU's patterns"
                    : "there is no group that begins with (?\(kind)", at: start)
        }
        try advance()
    }

    private mutating func openAngle(_ start: Int) throws(PatternError) {
        try advance()
        if symbol.isSyntax("=") || symbol.isSyntax("!") { return try open(.lookbehind, start) }
        var name = ""
        while !symbol.isSyntax(">") {
            guard let scalar = symbol.scalar, let character = Unicode.Scalar(scalar),
                Self.isLetter(scalar) || (!name.isEmpty && scalar &- 48 < 10)
            else { throw error("the name of a group is ASCII letters and digits", at: start) }
            name.unicodeScalars.append(character)
            try advance()
        }
        if name.isEmpty { throw error("the name of a group is ASCII letters and digits", at: start) }
        guard names.insert(name).inserted else { throw error("the name '\(name)' is taken", at: start) }
        captures += 1
        try open(.plain, start)
    }

    private mutating func comment(_ start: Int) throws(PatternError) {
        repeat { try advance() } while symbol.scalar != nil && !symbol.isSyntax(")")
        if symbol.scalar == nil { throw error("the comment is never closed", at: start) }
        try advance()
    }

    private mutating func openFlags(_ start: Int) throws(PatternError) {
        var new = flags
        var value = true
        while !symbol.isSyntax(")"), !symbol.isSyntax(":") {
            switch symbol.isQuoted ? nil : symbol.scalar.flatMap({ Unicode.Scalar($0) }) {
            case "-"?: value = false
            case "i"?: new.ignoresCase = value
            case "s"?: new.crossesLines = value
            case "x"?: new.isExtended = value
            case "m"?, "u"?: break  // a full match does not depend on m; u is always on
            case "d"?:
                if value { leavesCore("the flag d") }
                new.endsLinesOnlyByLineFeeds = value
            case "w"?: if value { leavesCore("the flag w") }
            case nil where symbol.scalar == nil: throw error("the group is never closed", at: start)
            default:
                throw error("there is no flag '\(reader.text(symbol.position..<reader.position))'", at: symbol.position)
            }
            try advance()
        }
        // The fold of `[c]` already ignores case.
        if table?.lowersASCII == true { new.ignoresCase = false }
        if symbol.isSyntax(":") { try open(.plain, start) }
        flags = new
        reader.isExtended = new.isExtended
        isQuantifiable = false
        runIsOpen = false
        try advance()
    }

    // MARK: Quantifiers

    private mutating func quantifier(_ character: Unicode.Scalar) throws(PatternError) {
        let start = symbol.position
        guard isQuantifiable, let last = current.sequence.popLast() else {
            let advice = character == "{" ? "; write \\{ for a brace" : ""
            throw error("nothing to repeat" + advice, at: start)
        }
        let bounds: (Int, Int?) =
            switch character {
            case "*": (0, nil)
            case "+": (1, nil)
            case "?": (0, 1)
            default: try interval()
            }
        try advance()
        if symbol.isSyntax("+") { leavesCore("a possessive quantifier") }
        if symbol.isSyntax("+") || symbol.isSyntax("?") { try advance() }
        var repeated = last
        if runIsOpen, case .literal(let run, let ignoresCase) = last {
            let start = lastLetter(run)
            if start > 0 { current.sequence.append(.literal(Array(run[..<start]), ignoresCase: ignoresCase)) }
            repeated = .literal(Array(run[start...]), ignoresCase: ignoresCase)
        }
        append(.repetition(repeated, bounds.0, bounds.1), isQuantifiable: false)
    }

    /// The index of the last letter of a run, which a quantifier repeats; without options, the index of the last
    /// scalar.
    private func lastLetter(_ run: [UInt32]) -> Int {
        guard let table else { return run.count - 1 }
        return run.lastIndex { scalar in !table.fold(scalar).allSatisfy(table.extends) } ?? 0
    }

    /// Reads `{m}`, `{m,}`, `{m,n}`. Leaves the closing brace as the current character.
    private mutating func interval() throws(PatternError) -> (Int, Int?) {
        let start = symbol.position
        try advance()
        guard let lower = try number(start) else { throw badInterval(start) }
        if symbol.isSyntax("}") { return (lower, lower) }
        guard symbol.isSyntax(",") else { throw badInterval(start) }
        try advance()
        let upper = try number(start)
        guard symbol.isSyntax("}") else { throw badInterval(start) }
        if let upper, upper < lower {
            throw error("the interval \(reader.text(start..<reader.position)) ends before it begins", at: start)
        }
        return (lower, upper)
    }

    private mutating func number(_ start: Int) throws(PatternError) -> Int? {
        var value: Int?
        while !symbol.isQuoted, let digit = symbol.scalar.map({ Int($0) - 48 }), 0...9 ~= digit {
            let next = (value ?? 0) * 10 + digit
            if next > Int(Int32.max) { throw badInterval(start) }
            value = next
            try advance()
        }
        return value
    }

    /// The error shows the interval up to its brace, or up to the fault.
    private func badInterval(_ start: Int) -> PatternError {
        var rest = reader
        rest.seek(start)
        var shown = ""
        while let scalar = rest.raw().scalar.flatMap({ Unicode.Scalar($0) }), shown.utf8.count < 30 {
            shown.unicodeScalars.append(scalar)
            if scalar == "}" { break }
        }
        return error("bad interval \(shown)", at: start)
    }
}
