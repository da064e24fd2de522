// Sort keys, used for files, stores and ORDER BY.

/// A key to sort by.
///
///     PredicateSortKey("name", options: [.caseInsensitive])    // compares like `[c]`
///     PredicateSortKey("name", options: [.localeSensitive])    // compares like `[l]`, in the locale of the environment
///     PredicateSortKey("employer.title", descending: true)     // nil last
///     PredicateSortKey("orders.@count")                         // an expression, computed in memory
public struct PredicateSortKey: Sendable, Hashable, CustomStringConvertible {
    /// The position of nil in the order.
    public enum NilPlacement: String, Sendable, Hashable {
        case first, last
    }

    /// A dotted key path, `SELF`, or an expression of the language: `name.length`, `price * quantity`. SQL sorts by key
    /// paths; other expressions are computed in memory.
    public var path: String
    public var isDescending: Bool
    /// How texts are compared: with the options `[c]`, `[d]`, `[l]`, else by code points. `[l]` compares by a locale
    /// and works only in memory.
    public var options: ComparisonOptions
    /// The place of nil; by default first, or last if descending.
    public var nils: NilPlacement
    /// The functions and language options of an expression, and the locale for `[l]`. It does not affect equality.
    public var environment: PredicateEnvironment
    /// Whether texts are compared like file names in the Finder; see `localizedStandard`.
    package var isStandard = false

    /// A sort key that compares texts like the Finder, in the locale of the environment: digits by their numeric value,
    /// ignoring case (`localizedStandardCompare`). Works only in memory.
    ///
    ///     PredicateSortKey.localizedStandard("title")    // Part 2, part 10
    public static func localizedStandard(
        _ path: String, descending: Bool = false, nils: NilPlacement? = nil,
        in environment: PredicateEnvironment = .standard
    ) -> PredicateSortKey {
        var key = PredicateSortKey(
            path, descending: descending, options: [.localeSensitive], nils: nils, in: environment)
        key.isStandard = true
        return key
    }

    /// Creates a sort key. `nils` is the position of nil values; by default nil counts as the smallest value: first, or
    /// last if descending.
    public init(
        _ path: String, descending: Bool = false, options: ComparisonOptions = [], nils: NilPlacement? = nil,
        in environment: PredicateEnvironment = .standard
    ) {
        self.path = path
        isDescending = descending
        self.options = options
        self.nils = nils ?? (descending ? .last : .first)
        self.environment = environment
    }

    /// Creates a sort key for an expression in its environment.
    ///
    ///     PredicateSortKey(try FormatExpression("price * %@", rate), descending: true)
    public init(
        _ expression: FormatExpression, descending: Bool = false, options: ComparisonOptions = [],
        nils: NilPlacement? = nil
    ) {
        self.init(
            expression.exactDescription, descending: descending, options: options, nils: nils,
            in: expression.environment)
    }

    /// The key as an expression.
    ///
    /// - Throws: the errors of a text that is neither a key path nor an expression.
    package func expression() throws(PredicateFailure) -> FormatExpression {
        func known(_ expression: FormatExpression) -> FormatExpression {
            FormatExpression(expression.root, in: environment)
        }
        if path == "SELF" || path == "self" { return known(.object) }
        // Words such as `first` are keys here.
        return isKeyPath && !path.hasPrefix("SELF.")
            ? known(.key(path)) : try FormatExpression(path, formatArguments: [], in: environment)
    }

    /// Whether the path has only characters of names, dots and spaces.
    package var isKeyPath: Bool { path.allSatisfy { $0.isLetter || $0.isNumber || "_. ".contains($0) } }

    /// Parses `name,-age`. A minus sign means descending; `[c]`, `[cd]`, `[l]` and so on after a name set the options;
    /// `:nils-first` and `:nils-last` place nil. Returns nil if a name or a part of a name is empty.
    package static func list(_ text: String, in environment: PredicateEnvironment = .standard) -> [PredicateSortKey]? {
        var keys: [PredicateSortKey] = []
        for part in FormatExpression.list(text) {
            let isDescending = part.hasPrefix("-")
            var name = isDescending ? part.dropFirst().drop { $0.isWhitespace } : part[...]
            var key = PredicateSortKey("", descending: isDescending, in: environment)
            for placement in [NilPlacement.first, .last] where name.hasSuffix(":nils-" + placement.rawValue) {
                name = name.dropLast(":nils-".count + placement.rawValue.count)
                key.nils = placement
            }
            if name.hasSuffix(standard) {
                key = localizedStandard("", descending: isDescending, nils: key.nils, in: environment)
                name = name.dropLast(standard.count)
            } else if let (path, options) = splitOptions(name) {
                (name, key.options) = (path, options)
            }
            key.path = String(name)
            if name.isEmpty || key.isKeyPath && name.keyPathKeys.contains("") { return nil }
            keys.append(key)
        }
        return keys
    }

    private static let standard = "[standard]"

    /// Splits `name[cd]`; nil if the name does not end with options.
    private static func splitOptions(_ name: Substring) -> (Substring, ComparisonOptions)? {
        guard name.last == "]", let bracket = name.lastIndex(of: "[") else { return nil }
        var options: ComparisonOptions = []
        for letter in name[bracket...].dropFirst().dropLast() {
            guard let known = ComparisonOptions.letters.first(where: { $0.letter == letter }) else { return nil }
            options.insert(known.option)
        }
        return options.isEmpty ? nil : (name[..<bracket], options)
    }

    /// The text that `list` parses.
    public var description: String {
        let placement = nils == (isDescending ? .last : .first) ? "" : ":nils-" + nils.rawValue
        return (isDescending ? "-" : "") + path + (isStandard ? Self.standard : options.spelling) + placement
    }

    // The environment does not count.
    public static func == (left: Self, right: Self) -> Bool {
        (left.path, left.isDescending, left.options, left.nils, left.isStandard)
            == (right.path, right.isDescending, right.options, right.nils, right.isStandard)
    }
    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(isDescending)
        hasher.combine(options)
    }

    /// Returns a negative number, zero or a positive number if the left value sorts before, equal to or after
    /// the right one.
    ///
    /// - Parameters:
    ///   - left: the value of the key in one object.
    ///   - right: the value of the key in another object.
    ///   - rules: the text rules, with the locale for `[l]`. Without a locale, `[l]` has no effect.
    package func compare(_ left: PredicateValue, _ right: PredicateValue, rules: OperatorRules = .standard) -> Int {
        switch (left.isNil, right.isNil) {
        case (true, true): return 0
        case (true, false): return nils == .first ? -1 : 1
        case (false, true): return nils == .first ? 1 : -1
        case (false, false): break
        }
        let order: Int
        if !options.isEmpty, case .string(let a) = left, case .string(let b) = right {
            order =
                isStandard
                ? rules.locale?.compareStandard(a, b) ?? rules.compare(a, b, options) : rules.compare(a, b, options)
        } else {
            order = ValueOrder.compare(left, right)
        }
        return isDescending ? -order.signum() : order
    }
}
