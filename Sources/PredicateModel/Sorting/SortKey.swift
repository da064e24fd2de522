// What rows are sorted by: the one description that files, stores and ORDER BY share.
public import PredicateSyntax

/// One key to sort by.
///
///     SortKey("name", options: [.caseInsensitive])          // as `[c]` compares
///     SortKey("name", options: [.localeSensitive])          // as `[l]` compares, in the locale of a request or run
///     SortKey("employer.title", descending: true)           // nil last
///     SortKey.list("name[cd],-age:nils-first")
public struct SortKey: Sendable, Hashable, CustomStringConvertible {
    public enum NilPlacement: String, Sendable, Hashable {
        case first, last
    }

    /// A dotted key path.
    public var path: String
    public var isDescending: Bool
    /// How texts compare: `[c]`, `[d]`, `[l]` in a locale, several of them, or by code points. Only memory compares in a
    /// locale.
    public var options: ComparisonOptions
    public var nils: NilPlacement

    /// - Parameter nils: nil is the least value, unless told: first, and last where descending.
    public init(
        _ path: String, descending: Bool = false, options: ComparisonOptions = [], nils: NilPlacement? = nil
    ) {
        self.path = path
        isDescending = descending
        self.options = options
        self.nils = nils ?? (descending ? .last : .first)
    }

    /// Reads `name,-age`: a minus means descending; options behind a name, as `[cd]` or `[l]`, are those of comparisons;
    /// `:nils-first` and `:nils-last` place nil. Nil if a name, or a part of one, is empty.
    public static func list(_ text: String) -> [SortKey]? {
        var keys: [SortKey] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let isDescending = part.hasPrefix("-")
            var name = isDescending ? part.dropFirst() : part
            var key = SortKey("", descending: isDescending)
            for placement in [NilPlacement.first, .last] where name.hasSuffix(":nils-" + placement.rawValue) {
                name = name.dropLast(":nils-".count + placement.rawValue.count)
                key.nils = placement
            }
            if let (path, options) = splitOptions(name) { (name, key.options) = (path, options) }
            key.path = String(name)
            if name.split(separator: ".", omittingEmptySubsequences: false).contains("") { return nil }
            keys.append(key)
        }
        return keys
    }

    /// `name[cd]` in its parts; nil where no letters of options stand at the end.
    private static func splitOptions(_ name: Substring) -> (Substring, ComparisonOptions)? {
        guard name.last == "]", let bracket = name.lastIndex(of: "[") else { return nil }
        var options: ComparisonOptions = []
        for letter in name[bracket...].dropFirst().dropLast() {
            guard let known = ComparisonOptions.letters.first(where: { $0.letter == letter }) else { return nil }
            options.insert(known.option)
        }
        return options.isEmpty ? nil : (name[..<bracket], options)
    }

    /// As `list` reads it.
    public var description: String {
        let placement = nils == (isDescending ? .last : .first) ? "" : ":nils-" + nils.rawValue
        return (isDescending ? "-" : "") + path + options.spelling + placement
    }

    /// Negative, zero or positive, as the left value sorts before, level with or behind the right one.
    ///
    /// - Parameter rules: have the locale of `[l]`; without one, texts compare as without `[l]`.
    public func compare(_ left: Value, _ right: Value, rules: OperatorRules = .standard) -> Int {
        switch (left.isNil, right.isNil) {
        case (true, true): return 0
        case (true, false): return nils == .first ? -1 : 1
        case (false, true): return nils == .first ? 1 : -1
        case (false, false): break
        }
        let order: Int
        if !options.isEmpty, case .string(let a) = left, case .string(let b) = right {
            order = rules.compare(a, b, options)
        } else {
            order = ValueOrder.compare(left, right)
        }
        return isDescending ? -order.signum() : order
    }
}

/// Collects elements and sorts them; those that are level stay in the order in which they came. With a limit it holds
/// little more than twice as many, whatever comes.
public struct Sorter<Element> {
    private struct Entry {
        let fields: [Value]
        let element: Element
        let number: Int
    }

    private let keys: [SortKey]
    private let limit: Int?
    private let rules: OperatorRules
    private var entries: [Entry] = []
    private var count = 0

    /// - Parameters:
    ///   - limit: how many of the first are wanted (an offset included); nil is all.
    ///   - rules: have the locale of `[l]`; without one, texts compare as without `[l]`.
    public init(keys: [SortKey], limit: Int? = nil, rules: OperatorRules = .standard) {
        self.keys = keys
        self.limit = limit.map { max(0, $0) }
        self.rules = rules
    }

    /// - Parameter fields: the element's value for each key.
    public mutating func add(_ element: Element, fields: [Value]) {
        entries.append(Entry(fields: fields, element: element, number: count))
        count += 1
        if let limit, limit < 1 << 40, entries.count >= 2 * limit + 1024 {
            entries.sort(by: precedes)
            entries.removeLast(entries.count - limit)
        }
    }

    /// The elements in order.
    public mutating func finish() -> [Element] {
        entries.sort(by: precedes)
        defer { entries = [] }
        return entries.prefix(limit ?? .max).map(\.element)
    }

    private func precedes(_ left: Entry, _ right: Entry) -> Bool {
        for (index, key) in keys.enumerated() {
            let order = key.compare(left.fields[index], right.fields[index], rules: rules)
            if order != 0 { return order < 0 }
        }
        return left.number < right.number
    }
}
