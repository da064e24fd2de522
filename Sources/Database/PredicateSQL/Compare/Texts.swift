// Compares and searches texts: by code points without options, otherwise with the evaluator's folding. It never uses
// functions of an engine that depend on case or accents (SQL of each construct: Texts). TextPatterns.swift tests
// patterns.

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
            return try folded(order, relation, column, .constant(text, .text))
        }
        if !dialect.texts.storesNUL, text.satisfies(.holdsNUL) {
            if order == .equal { return .constant(false) }
            // No stored text has U+0000, so compare with the part before it.
            let head = String((text.fixedText() ?? "").unicodeScalars.prefix { $0.value != 0 })
            return .compare(order.isUpper ? .lessOrEqual : .greater, column, .constant(.string(head), .text))
        }
        return .compare(order, column, .constant(text, .text))
    }

    /// Tests `uppercase:(name) == 'ADA'` by a pattern of all texts that convert to the constant; nil if the engine converts
    /// texts itself.
    func caseMapped(
        _ operand: Operand, _ relation: Relation, _ constant: Constant, _ pattern: (FoldedNeedle) -> RegularPattern?
    ) throws(Unsupported) -> Condition? {
        guard case .call(let scalar, let arguments) = operand.kind, dialect.template(scalar) == nil,
            scalar == .uppercase || scalar == .lowercase, case .column = arguments[0].kind,
            let text = constant.fixedText()
        else { return nil }
        guard relation.options.isEmpty else {
            throw Unsupported("upper- and lower-case texts are folded in memory", column: arguments[0].name)
        }
        try requireShort(text, arguments[0])
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

    private func requireShort(_ text: String, _ column: Operand) throws(Unsupported) {
        if text.utf8.count > 4096 { throw Unsupported("its pattern is too large", column: column.name) }
    }

    /// Compares with `[c]` or `[d]`.
    func folded(
        _ order: Order, _ relation: Relation, _ left: Operand, _ right: Operand
    ) throws(Unsupported) -> Condition {
        if order == .equal { return try folded(.equal, order: nil, relation, left, right) }
        return try folded(.compare, order: order, relation, left, right)
    }

    /// A test with `[c]` or `[d]`: uses a registered function, or else a pattern of all texts that fold alike.
    private func folded(
        _ function: SQLFunction, order: Order?, _ relation: Relation, _ left: Operand, _ right: Operand
    ) throws(Unsupported) -> Condition {
        try relation.refuseLocale()
        if dialect.hasRegisteredFunctions {
            return .leaf(.function(function, left, right, options: relation.letters, order: order))
        }
        let table = FoldTable.table(relation.options)
        if let table, let place = function.place, let text = left.constant?.fixedText() {
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
        guard let table, let text = right.constant?.fixedText() else {
            throw Unsupported("a folded comparison needs a constant", column: left.name)
        }
        try requireShort(text, left)
        let needle = FoldedNeedle(table, text)
        if let order {
            // "Less" is "not null and not greater or equal".
            let bound = order == .less || order == .greaterOrEqual ? needle.greaterOrEqual : needle.greater
            guard let bound else { throw Unsupported("SQL cannot order folded texts", column: left.name) }
            let reaches = try regex(bound, left)
            return order.isUpper ? .every([.isNotNull(left), .not(reaches)]) : reaches
        }
        guard let pattern = function.place.map({ needle.pattern($0) }) ?? needle.equal else {
            throw Unsupported("too many texts are equal to '\(text)'", column: left.name)
        }
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
        for start in letters.indices where start == 0 || place != .prefix {
            for end in start..<letters.count where end == letters.count - 1 || place != .suffix {
                let part = Array(letters[start...end].joined())
                if dialect.texts.storesNUL || !part.contains(0) { found.append(part) }
            }
        }
        return found.distinct()
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
                plain.append(.column(column, of: alias, .text, isNullable: side.isNullable))
            default: return nil
            }
        }
        return (Relation(relation.operator, [], nilsMatch: relation.nilsMatch), plain)
    }

    // MARK: BEGINSWITH, ENDSWITH, CONTAINS

    func find(
        _ place: TextPlace, _ relation: Relation, in text: Target, _ needle: Target
    ) throws(Unsupported) -> Condition {
        if text.isNil || needle.isNil { return .constant(false) }
        let container = try operand(text)
        let sought = try operand(needle)
        if let (_, sides) = try unfolded(relation, [container, sought]) {
            return try findLetters(place, relation, in: sides[0], sides[1])
        }
        if let constant = sought.constant {
            // An empty needle never matches, nor does one whose folded form is empty (LANGUAGE C 10).
            if constant.satisfies(.vanishes(relation.options)) { return .constant(false) }
            if let mapped = try caseMapped(container, relation, constant, { $0.pattern(place) }) { return mapped }
            try requireSupport(container)
            if relation.options.isEmpty { return find(place, container, constant) }
        }
        try requireSupport(container)
        try requireSupport(sought)
        guard relation.options.isEmpty else {
            return try folded(place.function, order: nil, relation, container, sought)
        }
        if !dialect.texts.storesNUL, let constant = container.constant, constant.satisfies(.holdsNUL) {
            throw Unsupported("the database does not allow U+0000 in texts")
        }
        let isEmpty = Condition.compare(.different, sought, .constant(.string(""), .text))
        return .every([isEmpty, .leaf(.find(place, in: container, sought))])
    }

    /// Finds whole letters in a column of folded texts. The plain search can use an index, but it also finds parts of
    /// letters.
    func findLetters(
        _ place: TextPlace, _ relation: Relation, in text: Operand, _ sought: Operand
    ) throws(Unsupported) -> Condition {
        try relation.refuseLocale()
        try requireSupport(text)
        try requireSupport(sought)
        if let folded = text.constant?.fixedText(), let table = FoldTable.table(relation.options),
            let all = try? parts(of: folded, place, table)
        {
            return try list(sought, all.compactMap(String.init(codePoints:)).map { Constant(.string($0)) })
        }
        guard let needle = sought.constant?.fixedText(), let table = FoldTable.table(relation.options) else {
            let over = try find(place, Relation(relation.operator, []), in: .value(text), .value(sought))
            if dialect.hasRegisteredFunctions {
                return .every([over, try folded(place.function, order: nil, relation, text, sought)])
            }
            let reason = "only a constant shows where its letters end"
            return bounded(over: over, Unsupported(reason, column: text.name))
        }
        if needle.isEmpty || !dialect.stores(needle) { return .constant(false) }
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
            let isQuick = !opens && dialect.texts.regex?.isSlow ?? false
            let end = isQuick ? mark.map { RegexShortcut.below(needle + $0) } : nil
            return .every([over, try regex(text, shortcut: end) { $0.write(shape) }])
        } catch {
            return bounded(over: over, error)
        }
    }

    func operand(_ target: Target) throws(Unsupported) -> Operand {
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
    func find(_ place: TextPlace, _ text: Operand, _ needle: Constant) -> Condition {
        if !dialect.texts.storesNUL, needle.satisfies(.holdsNUL) { return .constant(false) }
        return place == .prefix
            ? Self.range(text, needle, dialect) : .leaf(.find(place, in: text, .constant(needle, .text)))
    }

    /// Matches texts that contain a constant. If the engine's patterns are slow it uses LIKE: the optimizer evaluates
    /// the cheaper test first, and it counts the comparison of a function's result as two operations.
    func contains(_ text: Operand, _ needle: String) -> Condition {
        guard dialect.texts.regex?.isSlow ?? false, dialect.stores(needle),
            let glob = dialect.texts.glob?.written(containing: needle)
        else { return find(.anywhere, text, Constant(.string(needle))) }
        return .leaf(.glob(text, glob))
    }

    /// The texts with a prefix, as a range that can use an index. Without an upper bound if no text sorts after all of
    /// them.
    static func range(_ text: Operand, _ start: Constant, _ dialect: SQLDialect) -> Condition {
        if !dialect.texts.storesNUL, start.satisfies(.holdsNUL) { return .constant(true) }
        let first = Condition.compare(.greaterOrEqual, text, .constant(start, .text))
        guard let end = start.deriving(.successor) else { return first }
        return .every([first, .compare(.less, text, .constant(end, .text))])
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
    fileprivate var place: TextPlace? { [.prefix, .suffix, .anywhere].first { $0.function == self } }
}

extension Operand {
    /// The column's name; nil for other operands.
    var name: String? { if case .column(_, let name) = kind { name } else { nil } }
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
