// Codable and SortComparator for sort keys. PredicateEvaluation sorts by them in memory.
public import Foundation

/// Encoded as the key path and the properties that differ from the default: `{"path": "name", "options": "cd"}`.
extension PredicateSortKey: Codable {
    private enum CodingKeys: String, CodingKey { case path, descending, options, nils }
    private static let standard = "standard"

    /// - Throws: `DecodingError`, also for an unknown option.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let path = try container.decode(String.self, forKey: .path)
        let isDescending = try container.decodeIfPresent(Bool.self, forKey: .descending) ?? false
        let nils = try container.decodeIfPresent(NilPlacement.self, forKey: .nils)
        let letters = try container.decodeIfPresent(String.self, forKey: .options) ?? ""
        if letters == Self.standard {
            self = .localizedStandard(path, descending: isDescending, nils: nils)
            return
        }
        var options: ComparisonOptions = []
        for letter in letters {
            guard let known = ComparisonOptions.letters.first(where: { $0.letter == letter }) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .options, in: container, debugDescription: "'\(letter)' is not an option of comparisons")
            }
            options.insert(known.option)
        }
        self.init(path, descending: isDescending, options: options, nils: nils)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(path, forKey: .path)
        if isDescending { try container.encode(true, forKey: .descending) }
        if isStandard {
            try container.encode(Self.standard, forKey: .options)
        } else if !options.isEmpty {
            let letters = ComparisonOptions.letters.filter { options.contains($0.option) }.map { String($0.letter) }
            try container.encode(letters.joined(), forKey: .options)
        }
        if nils != (isDescending ? .last : .first) { try container.encode(nils, forKey: .nils) }
    }
}

extension PredicateSortKey.NilPlacement: Codable {}

extension PredicateSortKey {
    /// The key of a sort descriptor.
    ///
    ///     let key = try PredicateSortKey(NSSortDescriptor(key: "name", ascending: false))
    ///
    /// `compare:` compares by value; the other methods of NSString become the options `[c]` and `[l]`, or
    /// `localizedStandard`. Those with `localized` sort in memory.
    ///
    /// - Throws: `PredicateConversionError` for a descriptor without a key, with a comparator, or with another selector.
    public init(_ descriptor: NSSortDescriptor) throws(PredicateConversionError) {
        func refused(_ reason: String) -> PredicateConversionError {
            PredicateConversionError(["the sort descriptor of \(descriptor.key ?? "no key")"], reason)
        }
        #if canImport(ObjectiveC)
            let method = descriptor.selector.map { NSStringFromSelector($0) }
        #else
            let method = descriptor.method
        #endif
        guard let method else { throw refused("its comparator is code; use a key and a comparison method") }
        guard let key = descriptor.key, !key.isEmpty else { throw refused("it has no key; use 'self'") }
        let (path, descending) = (key == "self" ? "SELF" : key, !descriptor.ascending)
        switch method {
        case "compare:": self.init(path, descending: descending)
        case "caseInsensitiveCompare:": self.init(path, descending: descending, options: [.caseInsensitive])
        case "localizedCompare:": self.init(path, descending: descending, options: [.localeSensitive])
        case "localizedCaseInsensitiveCompare:":
            self.init(path, descending: descending, options: [.caseInsensitive, .localeSensitive])
        case "localizedStandardCompare:": self = .localizedStandard(path, descending: descending)
        default: throw refused("'\(method)' is a method of the app; use a key and a method of NSString")
        }
    }

    /// A sort key for Foundation's sorting: `sorted(using:)`, or tables in SwiftUI.
    ///
    ///     let byName = try PredicateSortKey.Comparator(PredicateSortKey("name"), for: Person.self)
    ///     people.sorted(using: [byName])
    ///
    /// It reads the key for each comparison, while `sorted(by: [PredicateSortKey])` reads it once for each element.
    public struct Comparator<Compared: QueryableValue>: SortComparator, Sendable {
        /// The sort key.
        public private(set) var key: PredicateSortKey
        private let reader: SortReader<Compared>
        private let rules: OperatorRules

        /// - Throws: `PredicateFailure` for a key that the type does not publish.
        public init(
            _ key: PredicateSortKey, for type: Compared.Type = Compared.self
        ) throws(PredicateFailure) {
            self.key = key
            rules = key.environment.rules
            reader = try key.reader(of: type, PredicateRun())
        }

        public var order: Foundation.SortOrder {
            get { key.isDescending ? .reverse : .forward }
            set { key.isDescending = newValue == .reverse }
        }

        /// Compares two objects. A value that cannot be read counts as nil.
        public func compare(_ lhs: Compared, _ rhs: Compared) -> ComparisonResult {
            let (left, right) = (try? reader.value(of: lhs), try? reader.value(of: rhs))
            let order = key.compare(left ?? .null, right ?? .null, rules: rules)
            return order < 0 ? .orderedAscending : order > 0 ? .orderedDescending : .orderedSame
        }

        public static func == (left: Self, right: Self) -> Bool { left.key == right.key }
        public func hash(into hasher: inout Hasher) { hasher.combine(key) }
    }
}
