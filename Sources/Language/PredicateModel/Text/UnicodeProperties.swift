// The sets of `\w`, `\p{Lu}`, `[:alpha:]`: general categories, scripts and common binary properties, of the
// same Unicode version as the folds.

/// Code-point sets by their names in ICU patterns.
package enum UnicodeProperties {
    /// `\w`.
    package static let word = union(
        binary("alphabetic"), category("m"), category("nd"), category("pc"), CodePointSet(0x200C...0x200D))
    /// `\d`.
    package static let digit = union(category("nd"))
    /// `\s`.
    package static let space = union(binary("whitespace"))
    /// `\h`.
    package static let horizontalSpace = union(category("zs"), CodePointSet(9))
    /// `\v`, and the scalars that `.` does not match.
    package static let lineTerminator = CodePointSet([0xA...0xD, 0x85...0x85, 0x2028...0x2029])

    private static func union(_ parts: CodePointSet?...) -> CodePointSet {
        CodePointSet(parts.flatMap { $0?.ranges ?? [] })
    }

    /// The set for `\p{name}`, `\p{name=value}` or `[:name:]`; nil for an unknown name, which may still be an ICU
    /// property. Ignores case, spaces, `-` and `_`, like ICU.
    package static func named(_ name: String) -> CodePointSet? {
        let parts = name.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { loose(String($0)) }
        guard parts.count == 2 else { return unqualified(loose(name)) }
        switch parts[0] {
        case "gc", "generalcategory": return category(parts[1])
        case "sc", "script": return script(parts[1])
        default:
            guard let set = binary(parts[0]) else { return nil }
            switch parts[1] {
            case "y", "yes", "t", "true": return set
            case "n", "no", "f", "false": return set.complement
            default: return nil
            }
        }
    }

    private static func unqualified(_ name: String) -> CodePointSet? {
        switch name {
        case "any": return .all
        case "assigned": return category("cn")?.complement
        case "ascii": return CodePointSet(0...0x7F)
        default: return category(name) ?? script(name) ?? binary(name) ?? posix[name]
        }
    }

    /// POSIX classes that differ from the Unicode property of the same name, as UTS 18 defines them.
    private static let posix: [String: CodePointSet] = {
        let control = category("cc") ?? .empty
        let graph = union(binary("whitespace"), control, category("cs"), category("cn")).complement
        let blank = horizontalSpace
        return [
            "alnum": union(binary("alphabetic"), digit),
            "blank": blank,
            "graph": graph,
            "print": graph.union(blank).subtracting(control),
            "xdigit": union(digit, binary("hexdigit")),
            "word": word,
        ]
    }()

    /// A general category or a group of categories by its normalised name: `lu`, `l`, `letter`,
    /// `uppercaseletter`.
    static func category(_ name: String) -> CodePointSet? {
        let members: [String]
        switch name {
        case "lc", "casedletter": members = ["lu", "ll", "lt"]
        case "l", "letter": members = ["lu", "ll", "lt", "lm", "lo"]
        case "m", "mark", "combiningmark": members = ["mn", "mc", "me"]
        case "n", "number": members = ["nd", "nl", "no"]
        case "p", "punctuation", "punct": members = ["pc", "pd", "ps", "pe", "pi", "pf", "po"]
        case "s", "symbol": members = ["sm", "sc", "sk", "so"]
        case "z", "separator": members = ["zs", "zl", "zp"]
        case "c", "other": members = ["cn", "cc", "cf", "cs", "co"]
        default: return categories[name]
        }
        return CodePointSet(members.flatMap { categories[$0]?.ranges ?? [] })
    }

    static func script(_ name: String) -> CodePointSet? { scripts[name] }
    /// A binary property by its normalised name, such as `whitespace`.
    static func binary(_ name: String) -> CodePointSet? { binaries[name] }

    private static let categoryRuns = PackedNumbers(UnicodePropertyData.categories).runs()
    private static let categories = table(categoryRuns, UnicodePropertyData.categoryNames)
    private static let scripts = table(
        PackedNumbers(UnicodePropertyData.scripts).runs(), UnicodePropertyData.scriptNames)
    private static let binaries: [String: CodePointSet] = {
        let sets = PackedNumbers.parts(of: UnicodePropertyData.binary).map { part in
            var part = part
            let bits = part.next() ?? 0
            let base = CodePointSet(categoryRuns.filter { bits >> $0.value & 1 == 1 }.map { $0.range })
            let differing = CodePointSet(part.ranges())
            return base.union(differing).subtracting(base.intersection(differing))
        }
        return byName(sets, UnicodePropertyData.binaryNames)
    }()

    private static func table(
        _ runs: [(range: ClosedRange<UInt32>, value: Int)], _ names: StaticString
    ) -> [String: CodePointSet] {
        var ranges: [[ClosedRange<UInt32>]] = []
        for (range, value) in runs {
            while ranges.count <= value { ranges.append([]) }
            ranges[value].append(range)
        }
        return byName(ranges.map { CodePointSet($0) }, names)
    }

    private static func byName(_ sets: [CodePointSet], _ names: StaticString) -> [String: CodePointSet] {
        var result: [String: CodePointSet] = [:]
        for (set, names) in zip(sets, names.packedNames) {
            for name in names { result[loose(name)] = set }
        }
        return result
    }

    private static func loose(_ name: String) -> String {
        let ignored: [UInt8] = [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x2D, 0x5F]
        let kept = name.utf8.filter { !ignored.contains($0) }.map { $0.lowercase }
        return String(decoding: kept, as: UTF8.self)
    }
}
