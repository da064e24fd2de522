// How sets of predicates (PredicateRules) read key paths of the object at an address: from memory where possible,
// otherwise by key-value coding. This file declares no types, so that the linker drops it from an app without sets.

/// Reads a value of the object at an address; nil if the language cannot represent the value.
package typealias AddressReader = @Sendable (UnsafeRawPointer) -> PredicateValue?

/// Returns the reader of the first keys of a path, the number of keys that it reads, and the place of the value if an
/// object stores it.
package typealias PathReader = @Sendable (_ keys: [String]) -> (read: AddressReader, count: Int, place: StoredPlace?)

extension QueryableValue {
    /// For objects that are values of the language themselves.
    package static var wholeReader: PathReader {
        { _ in ({ $0.assumingMemoryBound(to: Self.self).pointee.queryValue }, 0, nil) }
    }
}

extension Queryable {
    package static var pathReader: PathReader {
        { keys in
            if !keys.isEmpty, let field = Self.field(keys), let read = field.reader {
                return (read, keys.count, field.place)
            }
            // For an object of a subclass, the table belongs to its class.
            guard let key = keys.first.flatMap({ Self.keys[$0] }) else { return wholeReader(keys) }
            if let stored = key.stored {
                return (stored, 1, keys.count == 1 ? Self.field(keys)?.place : nil)
            }
            return ({ key.read($0.assumingMemoryBound(to: Keyed.self).pointee) }, 1, nil)
        }
    }
}

extension [String: Any] {
    package static var pathReader: PathReader {
        { keys in
            guard let key = keys.first, !key.hasPrefix("@") else {
                return ({ try? AnyEntries.whole($0.assumingMemoryBound(to: Self.self).pointee) }, 0, nil)
            }
            return (
                { object in
                    guard let entry = object.assumingMemoryBound(to: Self.self).pointee[key] else { return .null }
                    return try? AnyEntries.value(entry, forKey: key)
                }, 1, nil
            )
        }
    }
}

extension PublishedKey {
    /// Reads a stored property of a struct in place, because a key path would first copy the struct. nil for other
    /// properties.
    fileprivate var stored: AddressReader? {
        guard loader != nil, let path, let offset = MemoryLayout<Root>.offset(of: path),
            let type = valueType as? any QueryableValue.Type
        else { return nil }
        func reader<Value: QueryableValue>(of _: Value.Type) -> AddressReader {
            { ($0 + offset).assumingMemoryBound(to: Value.self).pointee.queryValue }
        }
        return reader(of: type)
    }
}

extension Field {
    /// Reads the value of an object at an address; nil if the field cannot be read for single objects.
    fileprivate var reader: AddressReader? {
        guard let last = type?.reader(at: offset, isOptional: isOptional) else { return nil }
        var read: @Sendable (UnsafeRawPointer) -> PredicateValue = last
        for step in steps.reversed() {
            let next = read
            switch step {
            case .unwrap(let offset, let type):
                read = { object in type.isNil(object + offset) ? .null : next(object + offset) }
            case .load(let offset, let loader):
                read = { object in
                    var value = PredicateValue.null
                    var run = RowRun(state: nil)
                    _ = loader.reach(
                        object + offset,
                        { property, _ in
                            value = next(property)
                            return true
                        }, &run)
                    return value
                }
            case .count, .column, .listCount: return nil
            }
        }
        let whole = read
        return { whole($0) }
    }
}
