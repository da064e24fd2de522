// Compares texts: by code points without options, otherwise with the evaluator's folding. It never uses LIKE or
// functions of an engine that depend on case or accents (SQL of each construct: Texts; SQL of each construct: MATCHES).
import PredicateModel
import PredicateSyntax

extension Lowering {
    /// Compares a text column with a constant.
    func compareTexts(
        _ order: Order, _ relation: Relation, _ column: Operand, _ text: Constant
    ) throws(Unsupported) -> Condition {
        if let (plain, sides) = try unfolded(relation, [column, .constant(text, .text)]),
            let folded = sides[1].constant
        {
            return try compareTexts(order, plain, sides[0], folded)
        }
        if !relation.options.isEmpty {
            return try folded(
                order == .equal ? .equal : .compare, order: order == .equal ? nil : order, relation, column,
                .constant(text, .text))
        }
        if !dialect.storesNUL, text.satisfies(.holdsNUL) {
            if order == .equal { return .constant(false) }
            // No stored text has U+0000, so compare with the part before it.
            let head = String((text.text ?? "").unicodeScalars.prefix { $0.value != 0 })
            let isBelow = order == .less || order == .lessOrEqual
            return .compare(isBelow ? .lessOrEqual : .greater, column, .constant(.string(head), .text))
        }
        return .compare(order, column, .constant(text, .text))
    }

    /// Compares `uppercase:(name) == 'ADA'` by a pattern of all texts that convert to the constant; nil if the engine
    /// converts texts itself.
    func caseMapped(
        _ operand: Operand, _ order: Order, _ relation: Relation, _ constant: Constant
    ) throws(Unsupported) -> Condition? {
        guard order == .equal, constant.isText else { return nil }
        return try caseMapped(operand, relation, constant) { $0.equal }
    }

    private func caseMapped(
        _ operand: Operand, _ relation: Relation, _ constant: Constant, _ pattern: (FoldedNeedle) -> RegularPattern?
    ) throws(Unsupported) -> Condition? {
        guard case .call(let scalar, let arguments) = operand.kind, dialect.template(scalar) == nil,
            scalar == .uppercase || scalar == .lowercase, case .column = arguments[0].kind, let text = constant.text
        else { return nil }
        guard relation.options.isEmpty else {
            throw Unsupported("upper- and lower-case texts are folded in memory", column: arguments[0].name)
        }
        guard text.utf8.count <= 4096 else {
            throw Unsupported("its pattern is too large", column: arguments[0].name)
        }
        let scalars = text.unicodeScalars.map { $0.value }
        // A final sigma depends on its neighbours.
        if scalar == .lowercase, scalars.contains(0x3C2) || scalars.contains(0x3C3) {
            throw Unsupported("the capital sigma has two lower-case forms", column: arguments[0].name)
        }
        let needle = FoldedNeedle(scalar == .uppercase ? .uppercase : .lowercase, folded: scalars)
        guard let pattern = pattern(needle) else {
            throw Unsupported("too many texts are converted to '\(text)'", column: arguments[0].name)
        }
        return try regex(pattern, arguments[0])
    }

    /// A test with `[c]` or `[d]`: uses a registered function, or else a pattern of all texts that fold alike.
    func folded(
        _ function: SQLFunction, order: Order?, _ relation: Relation, _ left: Operand, _ right: Operand
    ) throws(Unsupported) -> Condition {
        try relation.refuseLocale()
        if dialect.hasRegisteredFunctions {
            return .leaf(.function(function, left, right, options: relation.letters, order: order))
        }
        if let constant = left.constant, let place = function.place, let table = FoldTable.table(relation.options),
            let text = constant.text
        {
            // The texts that fold like a part of the constant.
            var choices: [RegularPattern] = []
            for part in try parts(of: text, place, table) {
                guard let equal = table.preimage(of: part) else {
                    throw Unsupported("too many texts fold like a part of '\(text)'", column: right.name)
                }
                choices.append(equal)
            }
            return choices.isEmpty ? .constant(false) : try indexed(.either(choices), right)
        }
        guard let table = FoldTable.table(relation.options), let text = right.constant?.text else {
            throw Unsupported("a folded comparison needs a constant", column: left.name)
        }
        guard text.utf8.count <= 4096 else { throw Unsupported("its pattern is too large", column: left.name) }
        let needle = FoldedNeedle(table, text)
        let pattern: RegularPattern?
        switch function {
        case .equal: pattern = needle.equal
        case .beginsWith: pattern = needle.pattern(.prefix)
        case .endsWith: pattern = needle.pattern(.suffix)
        case .contains: pattern = needle.pattern(.anywhere)
        case .compare:
            // "Less" is "not null and not greater or equal".
            let isBelow = order == .less || order == .lessOrEqual
            let bound = order == .less || order == .greaterOrEqual ? needle.greaterOrEqual : needle.greater
            guard let bound else { throw Unsupported("SQL cannot order folded texts", column: left.name) }
            let reaches = try regex(bound, left)
            return isBelow ? .every([.isNotNull(left), .not(reaches)]) : reaches
        default: throw Unsupported("SQL has no equivalent of this test of folded texts", column: left.name)
        }
        guard let pattern else { throw Unsupported("too many texts are equal to '\(text)'", column: left.name) }
        return try indexed(pattern, left)
    }

    /// The folded parts of a text that consist of whole letters and are at the given position, without duplicates.
    private func parts(
        of text: String, _ place: TextPlace, _ table: FoldTable
    ) throws(Unsupported) -> [[UInt32]] {
        guard text.utf8.count <= 256 else { throw Unsupported("a long text has too many parts") }
        var letters: [[UInt32]] = []
        for scalar in table.fold(text.unicodeScalars.lazy.map({ $0.value })) {
            if letters.isEmpty || !table.extends(scalar) { letters.append([]) }
            letters[letters.count - 1].append(scalar)
        }
        guard letters.count <= 32 else { throw Unsupported("a long text has too many parts") }
        var found: [[UInt32]] = []
        var seen: Set<[UInt32]> = []
        for start in letters.indices where start == 0 || place != .prefix {
            for end in start..<letters.count where end == letters.count - 1 || place != .suffix {
                let part = Array(letters[start...end].joined())
                if seen.insert(part).inserted, dialect.storesNUL || !part.contains(0) { found.append(part) }
            }
        }
        return found
    }

    /// A pattern whose matches are a few texts, or begin with one of a few texts, so that an index can find them.
    private func indexed(_ pattern: RegularPattern, _ text: Operand) throws(Unsupported) -> Condition {
        guard dialect.hasIndexes, case .column(let alias, _) = text.kind, tables[alias] != nil else {
            return try spelled(pattern, text)
        }
        if let all = pattern.texts(atMost: 128)?.compactMap(String.init(codePoints:)), !all.isEmpty,
            dialect.storesNUL || !all.contains(where: { $0.utf8.contains(0) })
        {
            return .leaf(.list(text, all.map { Constant(.string($0)) }))
        }
        let heads = pattern.heads(atMost: 8).compactMap(String.init(codePoints:))
        let isUsable = !heads.contains("") && (dialect.storesNUL || !heads.contains { $0.utf8.contains(0) })
        guard isUsable else { return try spelled(pattern, text) }
        let glob = dialect.caselessGlob?.written(caseless: pattern)
        return try regex(text, heads: heads, shortcut: glob.map { .ascii(glob: $0) }) { $0.write(pattern) }
    }

    /// A pattern of folded texts. If the engine's patterns are slow and the letters have no other forms, a glob that
    /// ignores case is tested first. Otherwise ASCII texts are compared by a glob alone, or texts that are too short
    /// are excluded.
    private func spelled(_ pattern: RegularPattern, _ text: Operand) throws(Unsupported) -> Condition {
        let test = try regex(pattern, text)
        guard case .column = text.kind, let caseless = dialect.caselessGlob else { return test }
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

    /// The same test without options on columns with folded texts; nil if there are no options or no such columns.
    func unfolded(
        _ relation: Relation, _ sides: [Operand]
    ) throws(Unsupported) -> (Relation, [Operand])? {
        if relation.options.isEmpty { return nil }
        var plain: [Operand] = []
        for side in sides {
            switch side.kind {
            case .constant(let constant):
                guard let folded = constant.deriving(.folded(relation.options)) else { return nil }
                plain.append(.constant(folded, .text))
            case .column(let alias, let name):
                guard let column = side.folds[relation.options] else {
                    advise(relation, alias, name)
                    return nil
                }
                let kind = Operand.Kind.column(alias: alias, name: column)
                plain.append(Operand(kind: kind, type: .text, isNullable: side.isNullable))
            default: return nil
            }
        }
        return (Relation(relation.operator, [], nilsMatch: relation.nilsMatch), plain)
    }

    // MARK: BEGINSWITH, ENDSWITH, CONTAINS

    func find(
        _ place: TextPlace, _ relation: Relation, in text: Target, _ needle: Target
    ) throws(Unsupported) -> Condition {
        for side in [text, needle] {
            if case .constant(let value) = side, value.isNil { return .constant(false) }
        }
        let container = try operand(text)
        let sought = try operand(needle)
        if let (_, sides) = try unfolded(relation, [container, sought]) {
            return try findLetters(place, relation, in: sides[0], sides[1])
        }
        if let constant = sought.constant {
            // An empty needle never matches, nor does one whose folded form is empty (LANGUAGE C 10).
            if constant.satisfies(.vanishes(relation.options)) {
                return .constant(false)
            }
            if let mapped = try caseMapped(container, relation, constant, { $0.pattern(place) }) { return mapped }
            try requireSupport(container)
            if relation.options.isEmpty { return find(place, container, constant) }
        }
        try requireSupport(container)
        try requireSupport(sought)
        guard relation.options.isEmpty else {
            return try folded(place.function, order: nil, relation, container, sought)
        }
        if !dialect.storesNUL, let constant = container.constant, constant.satisfies(.holdsNUL) {
            throw Unsupported("the database does not allow U+0000 in texts")
        }
        let isEmpty = Condition.compare(.different, sought, .constant(.string(""), .text))
        return .every([isEmpty, .leaf(.find(place, in: container, sought))])
    }

    /// Finds whole letters in a column of folded texts. The plain search can use an index, but it also finds parts of
    /// letters.
    private func findLetters(
        _ place: TextPlace, _ relation: Relation, in text: Operand, _ sought: Operand
    ) throws(Unsupported) -> Condition {
        try relation.refuseLocale()
        try requireSupport(text)
        try requireSupport(sought)
        if let folded = text.constant?.text, let table = FoldTable.table(relation.options),
            let all = try? parts(of: folded, place, table)
        {
            return try list(sought, all.compactMap(String.init(codePoints:)).map { Constant(.string($0)) })
        }
        guard let needle = sought.constant?.text, let table = FoldTable.table(relation.options) else {
            let over = try find(place, Relation(relation.operator, []), in: .value(text), .value(sought))
            if dialect.hasRegisteredFunctions {
                return .every([over, try folded(place.function, order: nil, relation, text, sought)])
            }
            let reason = "only a constant shows where its letters end"
            return bounded(over: over, Unsupported(reason, column: text.name))
        }
        if needle.isEmpty || !dialect.storesNUL && needle.utf8.contains(0) { return .constant(false) }
        let shape = FoldedNeedle(table, needle).folded(place)
        let (parts, opens, closes) = shape.withoutOpenEnds(table)
        guard opens || closes else { return .compare(.equal, text, .constant(.string(needle), .text)) }
        let isInside = opens && closes
        let over = isInside ? contains(text, needle) : find(opens ? .suffix : .prefix, text, Constant(.string(needle)))
        if !closes || parts.isEmpty { return over }
        if dialect.hasRegisteredFunctions {
            return .every([over, .leaf(.function(place.function, text, sought, options: relation.letters, order: nil))])
        }
        do throws(Unsupported) {
            // The plain search is much faster, so only rows that it finds are tested by the pattern. A scalar before
            // the first extending scalar always begins a letter, so it ends the previous one.
            let mark = table.extending.ranges.first.flatMap { String(codePoints: [$0.lowerBound]) }
            let isQuick = !opens && dialect.regex?.isSlow ?? false
            let end = isQuick ? mark.map { RegexShortcut.below(needle + $0) } : nil
            return .every([over, try regex(text, shortcut: end) { $0.write(shape) }])
        } catch {
            return bounded(over: over, error)
        }
    }

    private func operand(_ target: Target) throws(Unsupported) -> Operand {
        switch target {
        case .value(let column) where column.type == .text: return column
        case .constant(let constant) where constant.isText: return .constant(constant, .text)
        case .extreme(let many, let isGreatest):
            let operand = try extreme(many, isGreatest)
            guard operand.type == .text else { throw Unsupported("the schema does not say that it is a text") }
            return operand
        default: throw Unsupported("the schema does not say that it is a text")
        }
    }

    /// A search without options for a constant that is not empty.
    private func find(_ place: TextPlace, _ text: Operand, _ needle: Constant) -> Condition {
        if !dialect.storesNUL, needle.satisfies(.holdsNUL) { return .constant(false) }
        let bound = Operand.constant(needle, .text)
        return place == .prefix
            ? .every(Self.range(text, needle, dialect).map { .leaf($0) }) : .leaf(.find(place, in: text, bound))
    }

    /// Matches texts that contain a constant. If the engine's patterns are slow it uses LIKE: the optimizer evaluates
    /// the cheaper test first, and it counts the comparison of a function's result as two operations.
    private func contains(_ text: Operand, _ needle: String) -> Condition {
        guard dialect.regex?.isSlow ?? false, dialect.storesNUL || !needle.utf8.contains(0),
            let glob = dialect.glob?.written(containing: needle)
        else { return find(.anywhere, text, Constant(.string(needle))) }
        return .leaf(.glob(text, glob))
    }

    /// The texts with a prefix, as a range that can use an index. Without an upper bound if no text sorts after all of
    /// them.
    static func range(_ text: Operand, _ start: Constant, _ dialect: SQLDialect) -> [Leaf] {
        if !dialect.storesNUL, start.satisfies(.holdsNUL) { return [] }
        let first = Leaf.compare(.greaterOrEqual, text, .constant(start, .text))
        guard let end = start.deriving(.successor) else { return [first] }
        return [first, .compare(.less, text, .constant(end, .text))]
    }

    // MARK: LIKE and MATCHES

    func pattern(_ relation: Relation, _ left: Target, _ right: Target) throws(Unsupported) -> Condition {
        for side in [left, right] {
            if case .constant(let value) = side, value.isNil { return .constant(false) }
        }
        try relation.refuseLocale()
        let text = try operand(left)
        try requireSupport(text)
        guard case .constant(let constant) = right, let pattern = constant.text else {
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
            let (found, missed) = (
                registered(.matches, relation, text, pattern), registered(.matches, relation, text, pattern, .equal)
            )
            return .partial(whenTrue: found, whenFalse: .some([missed, .isNull(text)]))
        case .core(let core):
            if core == .never { return .constant(false) }
            if let simple = try simple(core, relation, text) { return simple }
            if let (_, sides) = try unfolded(relation, [text]), !dialect.hasRegisteredFunctions {
                return try bounded(core, sides[0], FoldTable.table(relation.options)?.extending ?? .empty)
            }
            if dialect.hasRegisteredFunctions {
                let test = registered(isLike ? .like : .matches, relation, text, pattern)
                return relation.options.isEmpty ? .every(beginning(core, text) + [test]) : test
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
        guard let regex = dialect.regex, regex.backtracks else { return try spelled(preimage, text) }
        if regex.hasAtomicGroups, pattern.isGlob(table.extending),
            let glob = LetterGlob(preimage, inside: table.continuingLetters, vanishing: table.vanishing)
        {
            return try self.regex(text) { glob.isSearch ? $0.write(preimage) : $0.write(glob) }
        }
        let leftmost = preimage.leftmost
        if leftmost.isDeterministic { return try self.regex(leftmost, text) }
        throw Unsupported(
            "the database may stop at its limit for a pattern with several ways to match", column: text.name)
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
        if !dialect.storesNUL, needle.utf8.contains(0) { return .constant(false) }
        return .compare(.equal, text, .constant(.string(needle), .text))
    }

    /// The pattern in the engine's syntax; if that is impossible, the upper bound of all texts that contain its
    /// literals.
    private func bounded(
        _ pattern: RegularPattern, _ text: Operand, _ inside: CodePointSet = .empty
    ) throws(Unsupported) -> Condition {
        do throws(Unsupported) {
            let test = try match(pattern, text, inside)
            guard dialect.regex?.isSlow ?? false, !inside.isEmpty, case .leaf(.regex, _) = test else {
                return .every(beginning(pattern, text) + [test])
            }
            guard dialect.template(.byteCount) != nil, let glob = pattern.spread(inside),
                let coarse = try condition(glob, text)
            else {
                return .every([factors(pattern, text), test])
            }
            // An ASCII text has no scalar that could extend a letter.
            return .every([coarse, .some([Self.bytes(.equal, text), test])])
        } catch {
            return bounded(over: factors(pattern, text), error)
        }
    }

    private func match(
        _ pattern: RegularPattern, _ text: Operand, _ inside: CodePointSet
    ) throws(Unsupported) -> Condition {
        let glob = dialect.matchesGlobs ? Glob(pattern) : nil
        if let glob, glob.alphabet == .all, let condition = try condition(glob, text) { return condition }
        guard let regex = dialect.regex, regex.backtracks else { return try self.regex(pattern, text) }
        if regex.hasAtomicGroups, !inside.isEmpty, pattern.isGlob(inside),
            let glob = LetterGlob(pattern, inside: inside, vanishing: .empty)
        {
            return try self.regex(text) { glob.isSearch ? $0.write(pattern) : $0.write(glob) }
        }
        let leftmost = pattern.leftmost
        if leftmost.isDeterministic { return try self.regex(leftmost, text) }
        if let glob, let condition = try condition(glob, text) { return condition }
        if let glob, regex.hasAtomicGroups {
            return try self.regex(text) { $0.write(glob) }
        }
        throw Unsupported(
            "the database may stop at its limit for a pattern with several ways to match", column: text.name)
    }

    /// nil if the engine cannot express the glob.
    private func condition(_ glob: Glob, _ text: Operand) throws(Unsupported) -> Condition? {
        guard let written = dialect.glob?.written(glob), dialect.storesNUL || !written.utf8.contains(0) else {
            return nil
        }
        let letters = glob.alphabet
        let others = letters == .all ? [] : [try regex(.repetition(.set(letters), minimum: 0, maximum: nil), text)]
        return .every([.leaf(.glob(text, written))] + others)
    }

    /// A range for the literal prefix of all matches, which can use an index.
    private func beginning(_ pattern: RegularPattern, _ text: Operand) -> [Condition] {
        let head = String(codePoints: pattern.head) ?? ""
        return head.isEmpty ? [] : Self.range(text, Constant(.string(head)), dialect).map { .leaf($0) }
    }

    /// An upper bound: the literal prefix of all matches, and texts that every match contains.
    private func factors(_ pattern: RegularPattern, _ text: Operand) -> Condition {
        let start = String(codePoints: pattern.head) ?? ""
        let others = pattern.factors.compactMap(String.init(codePoints:)).filter { !start.hasPrefix($0) }
        return .every(beginning(pattern, text) + others.prefix(4).map { contains(text, $0) })
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

    private func regex(_ pattern: RegularPattern, _ text: Operand) throws(Unsupported) -> Condition {
        try regex(text) { $0.write(pattern) }
    }

    private func regex(
        _ text: Operand, heads: [String] = [], shortcut: RegexShortcut? = nil,
        _ write: (inout RegexWriter) -> String?
    ) throws(Unsupported) -> Condition {
        guard let regex = dialect.regex else {
            throw Unsupported("the database has no regular expressions", column: text.name)
        }
        var writer = RegexWriter(regex, storesNUL: dialect.storesNUL)
        guard let written = write(&writer) else {
            throw Unsupported("the pattern is too large for the database", column: text.name)
        }
        // Count the cost of compiling the pattern: about as much as 16 times its length of other SQL.
        try reserve(written.utf8.count * 16)
        return .leaf(.regex(text, written, heads: heads, shortcut: shortcut))
    }
}

extension TextPlace {
    fileprivate var function: SQLFunction {
        switch self {
        case .prefix: .beginsWith
        case .suffix: .endsWith
        case .anywhere: .contains
        }
    }
}

extension SQLFunction {
    fileprivate var place: TextPlace? {
        switch self {
        case .beginsWith: .prefix
        case .endsWith: .suffix
        case .contains: .anywhere
        default: nil
        }
    }
}

extension Operand {
    /// The column's name; nil for other operands.
    var name: String? {
        if case .column(_, let name) = kind { name } else { nil }
    }
}

extension String {
    /// nil if a code point is not a scalar.
    init?(codePoints: [UInt32]) {
        var scalars = String.UnicodeScalarView()
        for point in codePoints {
            guard let scalar = Unicode.Scalar(point) else { return nil }
            scalars.append(scalar)
        }
        self.init(scalars)
    }
}
