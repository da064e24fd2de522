// Tests patterns of texts: those of LIKE and MATCHES, and those of all texts that fold like a constant. There are several
// exact tests of a pattern; the cheapest that the dialect supports is used (SQL of each construct: LIKE; SQL of each
// construct: MATCHES).

extension Lowering {
    // MARK: LIKE and MATCHES

    func pattern(_ relation: Relation, _ left: Target, _ right: Target) throws(Unsupported) -> Condition {
        if left.isNil || right.isNil { return .constant(false) }
        try relation.refuseLocale()
        let text = try operand(left)
        try requireSupport(text)
        guard case .constant(let constant) = right, let pattern = constant.fixedText() else {
            throw Unsupported("a pattern must be a constant", column: text.name)
        }
        let isLike = relation.operator == .like
        let compiled: CompiledPattern
        do throws(PatternError) {
            compiled =
                isLike
                ? try TextPattern.like(pattern, options: relation.options)
                : try TextPattern.matches(pattern, options: relation.options)
        } catch {
            throw Unsupported("the evaluation of the pattern fails: \(error.reason)", column: text.name)
        }
        switch compiled.kind {
        case .never: return .constant(false)
        case .needsICU(let reason, let over):
            guard dialect.hasRegisteredFunctions else {
                let error = Unsupported("the pattern has \(reason)", column: text.name)
                guard relation.options.isEmpty else { throw error }
                return bounded(over: factors(over, text), error)
            }
            // NULL where evaluation exceeds its time limit: neither a match nor a mismatch.
            let missed = registered(.matches, relation, text, pattern, .equal)
            return .partial(
                whenTrue: registered(.matches, relation, text, pattern), whenFalse: .some([missed, .isNull(text)]))
        case .core(let core):
            if core == .never { return .constant(false) }
            if let simple = try simple(core, relation, text) { return simple }
            if let (_, sides) = try unfolded(relation, [text]), !dialect.hasRegisteredFunctions {
                return try bounded(core, sides[0], FoldTable.table(relation.options)?.extending ?? .empty)
            }
            if dialect.hasRegisteredFunctions {
                let test = registered(isLike ? .like : .matches, relation, text, pattern)
                return relation.options.isEmpty ? .every([beginning(core, text), test]) : test
            }
            guard let table = FoldTable.table(relation.options) else { return try bounded(core, text) }
            do throws(Unsupported) {
                return try folded(core, table, text)
            } catch {
                return try bounded(over: factors(core, table, text), error)
            }
        }
    }

    private func registered(
        _ function: SQLFunction, _ relation: Relation, _ text: Operand, _ pattern: String, _ order: Order? = nil
    ) -> Condition {
        let operand = Operand.constant(.string(pattern), .text)
        return .leaf(.function(function, text, operand, options: relation.letters, order: order))
    }

    /// A pattern for folded texts, converted to a pattern of all texts whose fold it matches.
    private func folded(
        _ pattern: RegularPattern, _ table: FoldTable, _ text: Operand
    ) throws(Unsupported) -> Condition {
        guard let preimage = table.preimage(of: pattern) else {
            throw Unsupported("the texts that match after folding cannot be computed", column: text.name)
        }
        guard dialect.texts.regex?.backtracks ?? false else { return try spelled(preimage, text) }
        let letters =
            hasAtomicGroups && pattern.isGlob(table.extending)
            ? LetterGlob(preimage, marks: table.continuingLetters, vanishing: table.vanishing) : nil
        return try match(preimage, text, letters: letters)
    }

    /// For a pattern that is equivalent to another operator: `k`, `k*`, `*k`, `*k*`, `*`. With options, on a column of
    /// folded texts.
    private func simple(
        _ pattern: RegularPattern, _ relation: Relation, _ text: Operand
    ) throws(Unsupported) -> Condition? {
        let (parts, opens, closes) = pattern.withoutOpenEnds(FoldTable.table(relation.options))
        if opens, parts.isEmpty { return .isNotNull(text) }
        guard let scalars = RegularPattern.joined(parts).literalScalars, !scalars.isEmpty,
            let needle = String(codePoints: scalars)
        else { return nil }
        let place: TextPlace? = opens ? (closes ? .anywhere : .suffix) : closes ? .prefix : nil
        var text = text
        if !relation.options.isEmpty {
            guard let (_, sides) = try unfolded(relation, [text]) else { return nil }
            text = sides[0]
            if let place { return try findLetters(place, relation, in: text, .constant(.string(needle), .text)) }
        }
        if let place { return find(place, text, Constant(.string(needle))) }
        return dialect.stores(needle) ? .compare(.equal, text, .constant(.string(needle), .text)) : .constant(false)
    }

    /// The pattern in the engine's syntax; if that is impossible, the upper bound of all texts that contain its
    /// literals.
    private func bounded(
        _ pattern: RegularPattern, _ text: Operand, _ marks: CodePointSet = .empty
    ) throws(Unsupported) -> Condition {
        do throws(Unsupported) {
            let letters =
                hasAtomicGroups && !marks.isEmpty && pattern.isGlob(marks)
                ? LetterGlob(pattern, marks: marks, vanishing: .empty) : nil
            let test = try match(
                pattern, text, glob: dialect.texts.matchesGlobs ? Glob(pattern) : nil, letters: letters)
            guard dialect.texts.regex?.isSlow ?? false, !marks.isEmpty, case .leaf(.regex, _) = test else {
                return .every([beginning(pattern, text), test])
            }
            guard dialect.template(.byteCount) != nil, let glob = pattern.spread(marks),
                let coarse = try condition(.glob(glob), text)
            else {
                return .every([factors(pattern, text), test])
            }
            // An ASCII text has no scalar that could extend a letter.
            return .every([coarse, .some([Self.bytes(.equal, text), test])])
        } catch {
            return bounded(over: factors(pattern, text), error)
        }
    }

    /// A way to test a pattern.
    private enum PatternTest {
        /// LIKE or GLOB, and a regular expression for the alphabet if that does not have all scalars.
        case glob(Glob)
        case regex(RegularPattern)
        /// Regular expressions with atomic groups, which try only the first match of each piece.
        case atomicGlob(Glob), atomicLetters(LetterGlob)
    }

    /// Tests a pattern in the cheapest way that is exact in the dialect.
    private func match(
        _ pattern: RegularPattern, _ text: Operand, glob: Glob? = nil, letters: LetterGlob?
    ) throws(Unsupported) -> Condition {
        let whole = glob.flatMap { $0.alphabet == .all ? PatternTest.glob($0) : nil }
        let cheapestFirst: [PatternTest?] = [
            whole, letters.map { .atomicLetters($0) }, .regex(pattern), glob.map { .glob($0) },
            glob.map { .atomicGlob($0) },
        ]
        for case let test? in cheapestFirst {
            if let condition = try condition(test, text) { return condition }
        }
        throw Unsupported(
            "the database may stop at its limit for a pattern with several ways to match", column: text.name)
    }

    /// nil if the test is not exact in the dialect. A backtracking engine may stop at its limit, so it gets only patterns
    /// with one way to match.
    private func condition(_ test: PatternTest, _ text: Operand) throws(Unsupported) -> Condition? {
        switch test {
        case .glob(let glob):
            guard let written = dialect.texts.glob?.written(glob), dialect.stores(written) else { return nil }
            let isWhole = glob.alphabet == .all
            let alphabet = RegularPattern.repetition(.set(glob.alphabet), minimum: 0, maximum: nil)
            return .every([.leaf(.glob(text, written))] + (isWhole ? [] : [try regex(alphabet, text)]))
        case .regex(let pattern):
            guard dialect.texts.regex?.backtracks ?? false else { return try regex(pattern, text) }
            let leftmost = pattern.leftmost
            return leftmost.isDeterministic ? try regex(leftmost, text) : nil
        case .atomicGlob(let glob):
            return hasAtomicGroups ? try regex(text) { $0.write(glob) } : nil
        case .atomicLetters(let glob): return try regex(text) { $0.write(glob) }
        }
    }

    private var hasAtomicGroups: Bool { dialect.texts.regex?.hasAtomicGroups ?? false }

    /// A range for the literal prefix of all matches, which can use an index.
    private func beginning(_ pattern: RegularPattern, _ text: Operand) -> Condition {
        let head = String(codePoints: pattern.head) ?? ""
        return head.isEmpty ? .constant(true) : Self.range(text, Constant(.string(head)), dialect)
    }

    /// An upper bound: the literal prefix of all matches, and texts that every match contains.
    private func factors(_ pattern: RegularPattern, _ text: Operand) -> Condition {
        let start = String(codePoints: pattern.head) ?? ""
        let others = pattern.factors.compactMap(String.init(codePoints:)).filter { !start.hasPrefix($0) }
        return .every([beginning(pattern, text)] + others.prefix(4).map { contains(text, $0) })
    }

    /// The same upper bound on folded texts.
    private func factors(
        _ pattern: RegularPattern, _ table: FoldTable, _ text: Operand
    ) throws(Unsupported) -> Condition {
        let head = pattern.head
        let others = pattern.factors.filter { !head.starts(with: $0) }.prefix(4)
        let shapes =
            (head.isEmpty ? [] : [RegularPattern.joined([.literal(head), .anything])])
            + others.map { .joined([.anything, .literal($0), .anything]) }
        var tests: [Condition] = []
        for shape in shapes {
            if let preimage = table.preimage(of: shape) { tests.append(try regex(preimage, text)) }
        }
        return .every(tests)
    }

    func regex(_ pattern: RegularPattern, _ text: Operand) throws(Unsupported) -> Condition {
        try regex(text) { $0.write(pattern) }
    }

    func regex(
        _ text: Operand, heads: [String] = [], shortcut: RegexShortcut? = nil,
        _ write: (inout RegexWriter) -> String?
    ) throws(Unsupported) -> Condition {
        guard let regex = dialect.texts.regex else {
            throw Unsupported("it needs regular expressions, which the database does not have", column: text.name)
        }
        var writer = RegexWriter(regex, storesNUL: dialect.texts.storesNUL)
        guard let written = write(&writer) else {
            throw Unsupported("the pattern is too large for the database", column: text.name)
        }
        // Count the cost of compiling the pattern: about as much as 16 times its length of other SQL.
        try reserve(written.utf8.count * 16)
        return .leaf(.regex(text, written, heads: heads, shortcut: shortcut))
    }

    // MARK: Faster tests

    /// A pattern whose matches are a few texts, or begin with one of a few texts, so that an index can find them.
    func indexed(_ pattern: RegularPattern, _ text: Operand) throws(Unsupported) -> Condition {
        guard dialect.selection.hasIndexes, case .column(let alias, _) = text.kind, tables[alias] != nil else {
            return try spelled(pattern, text)
        }
        if let all = pattern.texts(atMost: 128)?.compactMap(String.init(codePoints:)), !all.isEmpty,
            all.allSatisfy(dialect.stores)
        {
            return .leaf(.list(text, all.map { Constant(.string($0)) }))
        }
        let heads = pattern.heads(atMost: 8).compactMap(String.init(codePoints:))
        guard !heads.contains(""), heads.allSatisfy(dialect.stores) else { return try spelled(pattern, text) }
        let glob = dialect.texts.caselessGlob?.written(caseless: pattern)
        return try regex(text, heads: heads, shortcut: glob.map { .ascii(glob: $0) }) { $0.write(pattern) }
    }

    /// A pattern of folded texts. If the engine's patterns are slow and the letters have no other forms, a glob that
    /// ignores case is tested first. Otherwise ASCII texts are compared by a glob alone, or texts that are too short
    /// are excluded.
    private func spelled(_ pattern: RegularPattern, _ text: Operand) throws(Unsupported) -> Condition {
        let test = try regex(pattern, text)
        guard case .column = text.kind, let caseless = dialect.texts.caselessGlob else { return test }
        guard pattern.parts.first == .anything else {
            let least = min(pattern.shortest, 64)
            if least < 4 { return test }
            let isLong = String(repeating: caseless.one, count: least) + caseless.run
            return .every([.leaf(.glob(text, isLong)), test])
        }
        let (over, letters) = caseless.written(over: pattern)
        if letters > 2 { return .every([.leaf(.caselessGlob(text, over)), test]) }
        guard let glob = caseless.written(caseless: pattern) else { return test }
        return .some([
            .every([.leaf(.caselessGlob(text, glob)), Self.bytes(.equal, text)]),
            .every([Self.bytes(.greater, text), test]),
        ])
    }

    /// Compares the number of bytes with the number of scalars. They are equal if all scalars are ASCII.
    static func bytes(_ order: Order, _ text: Operand) -> Condition {
        .compare(order, .call(.byteCount, [text], .integer), .call(.scalarCount, [text], .integer))
    }
}
