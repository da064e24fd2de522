// Parses `[…]`, `\p{…}` and `\w` of an ICU pattern directly to code-point sets.

/// A class of a pattern: the scalars of the set, or all others.
struct PatternClass {
    var set: CodePointSet
    var isNegated = false

    /// The members of the class without options.
    var scalars: CodePointSet { isNegated ? set.complement : set }
}

extension PatternParser {
    /// The class of a class escape; nil if the letter is not one.
    mutating func classEscape(_ letter: Unicode.Scalar, _ start: Int) throws(PatternError) -> PatternClass? {
        switch letter {
        case "w": PatternClass(set: closed(UnicodeProperties.word))
        case "W": PatternClass(set: closed(UnicodeProperties.word), isNegated: true)
        case "d": PatternClass(set: closed(UnicodeProperties.digit))
        case "D": PatternClass(set: closed(UnicodeProperties.digit), isNegated: true)
        case "s": PatternClass(set: closed(UnicodeProperties.space))
        case "S": PatternClass(set: closed(UnicodeProperties.space), isNegated: true)
        case "h": PatternClass(set: closed(UnicodeProperties.horizontalSpace))
        case "H": PatternClass(set: closed(UnicodeProperties.horizontalSpace), isNegated: true)
        case "v": PatternClass(set: closed(UnicodeProperties.lineTerminator))
        case "V": PatternClass(set: closed(UnicodeProperties.lineTerminator), isNegated: true)
        case "p", "P": try property(letter == "P", start)
        default: nil
        }
    }

    /// The set with all scalars that fold like its members, under `[c]` and `[d]`.
    private func closed(_ set: CodePointSet) -> CodePointSet { table?.closure(of: set) ?? set }

    /// The set closed under the options and the flag `i`.
    private func closedUnderFlags(_ set: CodePointSet) -> CodePointSet {
        closed(flags.ignoresCase ? FoldTable.caseOnly.closure(of: set) : set)
    }

    private mutating func property(_ isNegated: Bool, _ start: Int) throws(PatternError) -> PatternClass {
        let name = try propertyName(start)
        return named(name, isNegated)
    }

    private mutating func named(_ name: String, _ isNegated: Bool) -> PatternClass {
        guard let set = UnicodeProperties.named(name) else {
            leavesCore(inSet: "the property '\(name)'")
            return PatternClass(set: .empty)
        }
        return PatternClass(set: closedUnderFlags(set), isNegated: isNegated)
    }

    private static func isClass(_ letter: UInt32) -> Bool {
        "dDsSwW".unicodeScalars.contains { $0.value == letter }
    }

    /// Reads `{name}`.
    mutating func propertyName(_ start: Int) throws(PatternError) -> String {
        let letter = reader.text(start..<start + 2)
        var next = reader.raw()
        guard next.isSyntax("{") else { throw error("\(letter) needs a name in braces", at: start) }
        var name: [UInt32] = []
        while true {
            next = reader.raw()
            guard let scalar = next.scalar else { throw error("\(letter) needs a name in braces", at: start) }
            if next.isSyntax("}") { break }
            name.append(scalar)
        }
        if name.isEmpty { throw error("\(letter) needs a name in braces", at: start) }
        return String(scalars: name)
    }

    // MARK: Brackets

    /// The state of parsing one pair of brackets.
    private struct Level {
        var isNegated = false
        /// The set on the left of `&&` or `--`. `intersects` distinguishes the two.
        var left: CodePointSet?
        var intersects = false
        var set = CodePointSet.empty
        /// The last member, if it can start a range.
        var literal: UInt32?
        /// Whether a set came last, so that `-[` and `&[` are operators.
        var endsInSet = false
        /// Whether a literal `&` or `-` came last. ICU then lets a range start with an earlier member.
        var endsInOperator = false

        mutating func insert(_ scalar: UInt32) {
            set.insert(scalar...scalar)
            literal = scalar
            endsInSet = false
            endsInOperator = false
        }

        mutating func insert(_ other: CodePointSet) {
            set = set.union(other)
            literal = nil
            endsInSet = true
            endsInOperator = false
        }

        mutating func settle() {
            if let left { set = intersects ? left.intersection(set) : left.subtracting(set) }
            left = nil
        }
    }

    /// Reads the class that begins here. Leaves its closing bracket as the current character.
    mutating func bracket(depth: Int) throws(PatternError) -> PatternClass {
        let start = symbol.position
        if depth > nesting {
            throw PatternError(
                "sets are nested more than \(nesting) deep", at: reader.offset(of: start), exceedsLimit: true)
        }
        try advance()
        if symbol.isSyntax(":"), let set = try posix() { return set }
        var level = Level()
        if symbol.isSyntax("^") {
            level.isNegated = true
            try advance()
        }
        if symbol.isSyntax("]") {
            level.insert(0x5D)
            try advance()
        } else if symbol.isSyntax("-") || symbol.isSyntax("&") {
            try leadingOperator(&level)
        }
        while !symbol.isSyntax("]") {
            guard let scalar = symbol.scalar else { throw error("the set is never closed", at: start) }
            try member(scalar, &level, depth)
        }
        level.settle()
        return PatternClass(set: closedUnderFlags(level.set), isNegated: level.isNegated)
    }

    /// A single leading `-` or `&` represents itself.
    private mutating func leadingOperator(_ level: inout Level) throws(PatternError) {
        let first = symbol
        try advance()
        guard let scalar = first.scalar, symbol.isQuoted || symbol.scalar != scalar else {
            throw error("the operator has nothing on its left", at: first.position)
        }
        level.insert(scalar)
        level.endsInOperator = true
    }

    private mutating func member(_ scalar: UInt32, _ level: inout Level, _ depth: Int) throws(PatternError) {
        guard !symbol.isQuoted else {
            level.insert(scalar)
            return try advance()
        }
        switch Unicode.Scalar(scalar) {
        case "["?:
            level.insert(try bracket(depth: depth + 1).scalars)
            try advance()
        case "\\"?: try setEscape(&level)
        case "-"?, "&"?: try setOperator(scalar, &level, depth)
        default:
            level.insert(scalar)
            try advance()
        }
    }

    private mutating func setEscape(_ level: inout Level) throws(PatternError) {
        let start = symbol.position
        symbol = reader.raw()
        guard let scalar = symbol.scalar, let letter = Unicode.Scalar(scalar) else {
            throw error("a backslash at the end escapes nothing", at: start)
        }
        if letter == "N" {
            _ = try propertyName(start)
            leavesCore(inSet: "a character by name")
            level.insert(CodePointSet.empty)
        } else if let members = try classEscape(letter, start) {
            level.insert(members.scalars)
            level.endsInSet = letter == "p" || letter == "P"
        } else {
            level.insert(scalar)
        }
        try advance()
    }

    private mutating func setOperator(_ scalar: UInt32, _ level: inout Level, _ depth: Int) throws(PatternError) {
        let intersects = scalar == UInt32(UInt8(ascii: "&"))
        let start = symbol.position
        try advance()
        if !symbol.isQuoted, symbol.scalar == scalar {
            level.settle()
            level = Level(isNegated: level.isNegated, left: level.set, intersects: intersects)
            try advance()
            if symbol.isSyntax("]") { throw error("the operator has nothing on its right", at: start) }
            return
        }
        if level.endsInSet, symbol.isSyntax("[") {
            let other = try bracket(depth: depth + 1).scalars
            let set = intersects ? level.set.intersection(other) : level.set.subtracting(other)
            level.set = set
            return try advance()
        }
        if !intersects, level.endsInOperator, !symbol.isSyntax("["), !symbol.isSyntax("]") {
            leavesCore(inSet: "a range that begins with & or - by itself")
        }
        if !intersects, let first = level.literal, !symbol.isSyntax("["), !symbol.isSyntax("]") {
            return try range(from: first, start, &level)
        }
        level.insert(scalar)
        level.endsInOperator = true
    }

    /// Reads a range whose last member is the current character.
    private mutating func range(from first: UInt32, _ dash: Int, _ level: inout Level) throws(PatternError) {
        guard var last = symbol.scalar else { return }
        if symbol.isSyntax("\\") {
            symbol = reader.raw()
            guard let scalar = symbol.scalar else {
                throw error("a backslash at the end escapes nothing", at: dash + 1)
            }
            if Self.isClass(scalar) { throw error("a range cannot end in a set", at: dash) }
            last = scalar
        }
        guard first <= last else {
            let shown = String(scalars: [first, 0x2D, last])
            throw error("the range '\(shown)' runs backwards", at: dash)
        }
        level.set.insert(first...last)
        level.literal = nil
        try advance()
    }

    /// Reads `[:name:]`. Returns nil and reads nothing if there is none. The colon is the current character.
    private mutating func posix() throws(PatternError) -> PatternClass? {
        let saved = (reader, symbol)
        var name: [UInt32] = []
        while true {
            try advance()
            guard let scalar = symbol.scalar else { break }
            name.append(scalar)
            guard symbol.isSyntax(":") else { continue }
            var ahead = reader
            if ahead.raw().isSyntax("]") {
                try advance()
                name.removeLast()
                let isNegated = name.first == 0x5E
                return named(String(scalars: isNegated ? Array(name.dropFirst()) : name), isNegated)
            }
        }
        (reader, symbol) = saved
        return nil
    }
}
