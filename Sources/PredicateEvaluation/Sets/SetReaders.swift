// How a set reads key paths: from memory where possible, otherwise by key-value coding.
import PredicateModel
import PredicateSyntax

/// Returns how to read the first keys of a path: the reader, and the number of keys that it reads.
typealias SetReader = @Sendable (_ keys: [String]) -> (read: ValueReader.Read, count: Int)

enum SetReaders {
    /// For objects that are values of the language themselves.
    static func values<Root: QueryableValue>(_ type: Root.Type) -> SetReader {
        { _ in ({ $0.assumingMemoryBound(to: Root.self).pointee.queryValue }, 0) }
    }

    static func objects<Root: Queryable>(_ type: Root.Type) -> SetReader {
        { keys in
            if !keys.isEmpty, let field = Root.field(keys), let read = field.reader { return (read, keys.count) }
            // For an object of a subclass, the table belongs to its class.
            guard let key = keys.first.flatMap({ Root.keys[$0] }) else { return values(Root.self)(keys) }
            if let stored = key.stored { return (stored, 1) }
            return ({ key.read($0.assumingMemoryBound(to: Root.Keyed.self).pointee) }, 1)
        }
    }

    static func dictionaries<Row: DictionaryRow>(_ row: Row.Type) -> SetReader {
        { keys in
            guard let key = keys.first, !key.hasPrefix("@") else {
                return ({ try? Row.whole($0.assumingMemoryBound(to: [String: Row.Entry].self).pointee) }, 0)
            }
            return (
                { object in
                    guard let entry = object.assumingMemoryBound(to: [String: Row.Entry].self).pointee[key] else {
                        return .null
                    }
                    return try? Row.value(entry, forKey: key)
                }, 1
            )
        }
    }
}

extension PublishedKey {
    /// Reads a stored property of a struct in place, because a key path would first copy the struct. nil for other
    /// properties.
    fileprivate var stored: ValueReader.Read? {
        guard loader != nil, let path, let offset = MemoryLayout<Root>.offset(of: path),
            let type = valueType as? any QueryableValue.Type
        else { return nil }
        func reader<Value: QueryableValue>(of _: Value.Type) -> ValueReader.Read {
            { ($0 + offset).assumingMemoryBound(to: Value.self).pointee.queryValue }
        }
        return reader(of: type)
    }
}

extension Field {
    /// Reads the value of an object at an address; nil if the field cannot be read for single objects.
    fileprivate var reader: ValueReader.Read? {
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
