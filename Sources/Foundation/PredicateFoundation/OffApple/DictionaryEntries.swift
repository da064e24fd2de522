// Reads only the entries of a dictionary whose keys a predicate reads. Without it, each evaluation would convert the
// whole dictionary.
#if !canImport(ObjectiveC)
    import Foundation
    import PredicateSyntax

    /// Returns the values of some keys of the object at an address, `.null` for keys that a dictionary does not have.
    /// nil if the object must be converted as a whole.
    typealias EntryReader = @Sendable (UnsafeRawPointer) throws(PredicateFailure) -> [PredicateValue]?

    enum DictionaryEntries {
        /// The reader for the dictionaries of a type; nil for other types.
        static func reader(of type: Any.Type, _ names: [String], published: Bool) -> EntryReader? {
            if type == [String: Any].self {
                return { (row) throws(PredicateFailure) in
                    let row = row.assumingMemoryBound(to: [String: Any].self)
                    return try values(of: names, published, ifMissing: .null) { row.pointee[$0] }
                }
            }
            if type == [AnyHashable: Any].self {
                return { (row) throws(PredicateFailure) in
                    try scan(row.assumingMemoryBound(to: [AnyHashable: Any].self).pointee, names, published)
                }
            }
            // A subclass may compute its entries. A missing key may be one that is not a text.
            guard type == NSDictionary.self || type == NSMutableDictionary.self else { return nil }
            return { (row) throws(PredicateFailure) in
                let row = row.assumingMemoryBound(to: NSDictionary.self).pointee
                return try values(of: names, published, ifMissing: nil) { row.object(forKey: $0) }
            }
        }

        @inline(__always) private static func values(
            of names: [String], _ published: Bool, ifMissing: PredicateValue?, _ entry: (String) -> Any?
        ) throws(PredicateFailure) -> [PredicateValue]? {
            func value(_ entry: Any) throws(PredicateFailure) -> PredicateValue {
                try HostValue.value(entry, published: published)
            }
            var values: [PredicateValue] = []
            values.reserveCapacity(names.count)
            for name in names {
                guard let value = try entry(name).map(value) ?? ifMissing else { return nil }
                values.append(value)
            }
            return values
        }

        /// Foundation converts each NSDictionary to this type. Comparing two AnyHashables takes longer than reading ten
        /// keys, so nothing is looked up. nil if a key is not a text: such keys are named by their descriptions.
        private static func scan(
            _ row: [AnyHashable: Any], _ names: [String], _ published: Bool
        ) throws(PredicateFailure) -> [PredicateValue]? {
            func text<Key>(_ key: Key) -> String? {
                Key.self == String.self ? unsafeBitCast(key, to: String.self) : nil
            }
            var values = [PredicateValue](repeating: .null, count: names.count)
            for index in row.indices {
                guard let key = _openExistential(row.keys[index].base, do: text) else { return nil }
                guard let place = names.firstIndex(of: key) else { continue }
                values[place] = try HostValue.value(row.values[index], published: published)
            }
            return values
        }
    }
#endif
