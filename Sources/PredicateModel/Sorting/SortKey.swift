// What rows are sorted by: the one description that files, stores and ORDER BY share.
public import PredicateSyntax

/// One key to sort by.
///
///     SortKey("name", options: [.caseInsensitive])          // as `[c]` compares
///     SortKey("employer.title", descending: true)           // nil last
///     SortKey.list("name[cd],-age:nils-first")
public struct SortKey: Sendable, Hashable, CustomStringConvertible {
    public enum NilPlacement: String, Sendable, Hashable {
        case first, last
    }

    /// A dotted key path.
    public var path: String
    public var isDescending: Bool
    /// How texts compare: `[c]`, `[d]`, both, or by code points.
    public var options: ComparisonOptions
    public var nils: NilPlacement

    /// A sort key. nil is the least value unless `nils` is given: first, and last where descending.
    public init(
        _ path: String, descending: Bool = false, options: ComparisonOptions = [], nils: NilPlacement? = nil
    ) {
        self.path = path
        isDescending = descending
        self.options = options
        self.nils = nils ?? (descending ? .last : .first)
    }

    /// Reads `name,-age`: a minus means descending; `[c]`, `[d]`, `[cd]` behind a name fold texts; `:nils-first` and
    /// `:nils-last` place nil. Nil if a name, or a part of one, is empty.
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
            for (suffix, options) in folds where name.hasSuffix(suffix) {
                name = name.dropLast(suffix.count)
                key.options = options
                break
            }
            key.path = String(name)
            if name.split(separator: ".", omittingEmptySubsequences: false).contains("") { return nil }
            keys.append(key)
        }
        return keys
    }

    private static let folds: [(suffix: String, options: ComparisonOptions)] = [
        ("[cd]", [.caseInsensitive, .diacriticInsensitive]), ("[dc]", [.caseInsensitive, .diacriticInsensitive]),
        ("[c]", [.caseInsensitive]), ("[d]", [.diacriticInsensitive]),
    ]

    /// As `list` reads it.
    public var description: String {
        let letters = ComparisonOptions.letters.filter { options.contains($0.option) }.map { String($0.letter) }
        let fold = letters.isEmpty ? "" : "[\(letters.joined())]"
        let placement = nils == (isDescending ? .last : .first) ? "" : ":nils-" + nils.rawValue
        return (isDescending ? "-" : "") + path + fold + placement
    }

    /// Negative, zero or positive, as the left value sorts before, level with or behind the right one.
    public func compare(_ left: Value, _ right: Value) -> Int {
        switch (left.isNil, right.isNil) {
        case (true, true): return 0
        case (true, false): return nils == .first ? -1 : 1
        case (false, true): return nils == .first ? 1 : -1
        case (false, false): break
        }
        let order: Int
        if !options.isEmpty, case .string(let a) = left, case .string(let b) = right {
            order = OperatorRules.standard.compare(a, b, options)
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
    private var entries: [Entry] = []
    private var count = 0

    /// A sorter of elements; `limit` is how many of the first are wanted, an offset included; nil is all.
    public init(keys: [SortKey], limit: Int? = nil) {
        self.keys = keys
        self.limit = limit.map { max(0, $0) }
    }

    /// Adds an element; `fields` are its values for the keys.
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
            let order = key.compare(left.fields[index], right.fields[index])
            if order != 0 { return order < 0 }
        }
        return left.number < right.number
    }
}
