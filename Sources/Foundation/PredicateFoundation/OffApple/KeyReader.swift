// Reads only the keys of an object that a predicate reads: entries of dictionaries, and stored properties at their
// offsets, which takes a tenth of the time of Mirror. The runtime gives Mirror the same offsets.
#if !canImport(ObjectiveC)
    import Foundation
    @_spi(Reflection) import Swift

    /// Returns the values of some keys of the object at an address; nil if it must be converted as a whole.
    typealias KeyReader = @Sendable (UnsafeRawPointer) throws(PredicateFailure) -> [PredicateValue]?

    extension TypeReader {
        /// The loaders of single keys of the objects of a type; nil for keys that are not simply stored.
        func keyLoaders(of type: Any.Type, published: Bool) -> (String) -> HostKeyLoader? {
            if type == [String: Any].self {
                return { name in
                    { row in
                        let row = row.assumingMemoryBound(to: [String: Any].self)
                        return try? HostValue.value(row.pointee[name], published: published)
                    }
                }
            }
            let loaders = published ? [:] : stored(of: type)
            return { loaders[$0] }
        }

        /// The reader of some keys of the objects of a type; nil if some are not simply stored.
        func keyReader(_ names: [String], of type: Any.Type, published: Bool) -> KeyReader? {
            if type == [AnyHashable: Any].self {
                return { (row) throws(PredicateFailure) in
                    try Self.scan(row.assumingMemoryBound(to: [AnyHashable: Any].self).pointee, names, published)
                }
            }
            guard type == [String: Any].self else {
                let loaders = names.compactMap(keyLoaders(of: type, published: published))
                guard loaders.count == names.count else { return nil }
                return { object in
                    let values = loaders.compactMap { $0(object) }
                    return values.count == loaders.count ? values : nil
                }
            }
            return { (row) throws(PredicateFailure) in
                let row = row.assumingMemoryBound(to: [String: Any].self)
                return try names.map { (name) throws(PredicateFailure) in
                    try HostValue.value(row.pointee[name], published: published)
                }
            }
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

        private func stored(of type: Any.Type) -> [String: HostKeyLoader] {
            guard let keys else { return [:] }
            let isClass = type is AnyClass
            var loaders: [String: HostKeyLoader] = [:]
            // Inherited properties come first: a property hides an inherited one with the same name.
            _forEachField(of: type, options: .init(rawValue: isClass ? 1 : 0)) { name, offset, type, kind in
                func open<Value>(_: Value.Type) -> HostKeyLoader {
                    // The type is known here, so that no object is asked for it.
                    switch Value.self {
                    case is String.Type: { .string($0.load(fromByteOffset: offset, as: String.self)) }
                    case is Int.Type: { .integer(Int64($0.load(fromByteOffset: offset, as: Int.self))) }
                    case is Double.Type: { .double($0.load(fromByteOffset: offset, as: Double.self)) }
                    case is Bool.Type: { .bool($0.load(fromByteOffset: offset, as: Bool.self)) }
                    default: { try? HostValue.value(($0 + offset).assumingMemoryBound(to: Value.self).pointee as Any) }
                    }
                }
                // A weak or unowned property has another layout than its type. Only references can be weak or unowned.
                let content = (type as? any OptionalObjectType.Type)?.wrapped ?? type
                let isValue = content is any QueryableValue.Type && !(content is AnyClass) || content == Any.self
                let isRead = kind == .struct || kind == .enum || isValue
                let load: HostKeyLoader? = isRead ? _openExistential(type, do: open) : nil
                loaders[String(cString: name)] = isClass ? load.map(Self.behindReference) : load
                return true
            }
            return loaders.filter { keys.isPlain($0.key) }
        }

        private static func behindReference(_ load: @escaping HostKeyLoader) -> HostKeyLoader {
            { load($0.load(as: UnsafeRawPointer.self)) }
        }
    }
#endif
