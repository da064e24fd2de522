// Where the objects of a type store their properties. Reading a property at its offset takes a tenth of the time that
// Mirror takes. The offsets are those that the runtime gives to Mirror; on Apple's platforms, they are not in the SDK.
#if !canImport(ObjectiveC)
    import PredicateEvaluation
    import PredicateSyntax
    @_spi(Reflection) import Swift

    enum StoredPlaces {
        /// The readers of the stored properties of a struct or class. A property without a reader is read with Mirror.
        static func readers(of type: Any.Type) -> [String: AddressReader] {
            var readers: [String: AddressReader] = [:]
            // Inherited properties come first, so that a property hides an inherited one with the same name.
            _forEachField(of: type, options: .init(rawValue: type is AnyClass ? 1 : 0)) { name, offset, type, kind in
                func open<Value>(_ type: Value.Type) -> AddressReader? { reader(type, at: offset) }
                let isRead = mayNotBeWeak(type, kind)
                readers[String(cString: name)] = isRead ? _openExistential(type, do: open) : nil
                return true
            }
            return readers
        }

        /// A weak or unowned property has another layout than its type. Only references can be weak or unowned.
        private static func mayNotBeWeak(_ type: Any.Type, _ kind: _MetadataKind) -> Bool {
            guard kind == .optional, let wrapped = (type as? any ValueBox.Type)?.contentType else {
                return kind == .struct || kind == .enum || type == Any.self
            }
            return wrapped == Any.self || wrapped is any QueryableValue.Type && !(wrapped is AnyClass)
        }

        private static func reader<Value>(_ type: Value.Type, at offset: Int) -> AddressReader? {
            func queryable<Known: QueryableValue>(_: Known.Type) -> AddressReader? {
                if TypeReader.holdsAny(Known.self) { return nil }
                return { ($0 + offset).assumingMemoryBound(to: Known.self).pointee.queryValue }
            }
            if let known = type as? any QueryableValue.Type, let reader = queryable(known) { return reader }
            return { try? HostValue.value(($0 + offset).assumingMemoryBound(to: Value.self).pointee as Any) }
        }
    }
#endif
