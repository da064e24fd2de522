// Reads only the entries of a dictionary whose keys a predicate reads, each by one look-up. Without it, each evaluation
// would convert the whole dictionary.
#if !canImport(ObjectiveC)
    import Foundation
    import PredicateSyntax

    /// Returns the values of some keys in the dictionary at an address, `.null` for missing ones. nil if the whole
    /// dictionary must be converted.
    typealias EntryReader = @Sendable (UnsafeRawPointer) throws(PredicateFailure) -> [PredicateValue]?

    /// A dictionary of any type.
    protocol EntryBox {
        /// The reader for keys; nil if no key of the dictionary is a text.
        static func entries(_ keys: [String], published: Bool) -> EntryReader?
    }

    extension Dictionary: EntryBox {
        static func entries(_ names: [String], published: Bool) -> EntryReader? {
            // A key is a text, or an AnyHashable with a text: that is how Foundation bridges an NSDictionary.
            nonisolated(unsafe) let keys = names.compactMap { $0 as? Key }
            guard keys.count == names.count else { return nil }
            return { (address) throws(PredicateFailure) in
                let row = address.assumingMemoryBound(to: Self.self)
                var values: [PredicateValue] = []
                values.reserveCapacity(keys.count)
                for key in keys {
                    if let entry = row.pointee[key] {
                        values.append(try HostValue.value(entry, published: published))
                    } else if Key.self == String.self || row.pointee.keys.allSatisfy({ isText($0) }) {
                        values.append(.null)
                    } else {
                        return nil
                    }
                }
                return values
            }
        }

        /// Other keys are named by their descriptions: a number can be the key `1`.
        private static func isText(_ key: Key) -> Bool { (key as AnyHashable).base is String }
    }

    extension NSDictionary: EntryBox {
        static func entries(_ names: [String], published: Bool) -> EntryReader? {
            // A subclass may compute its entries.
            guard self == NSDictionary.self || self == NSMutableDictionary.self else { return nil }
            return { (address) throws(PredicateFailure) in
                let row = address.assumingMemoryBound(to: NSDictionary.self).pointee
                var values: [PredicateValue] = []
                for name in names {
                    guard let entry = row.object(forKey: name) else { return nil }
                    values.append(try HostValue.value(entry, published: published))
                }
                return values
            }
        }
    }
#endif
