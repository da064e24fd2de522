// Converts an object of a published type to a value for the dynamic plan.
import PredicateModel
import PredicateSyntax

enum ObjectRows {
    /// If the predicate reads only stored numbers, texts and dates of a struct, loads these as a dictionary of
    /// one shape: copying the whole struct and looking keys up by name costs more than most functions.
    /// Otherwise loads the object itself, so that computed properties run only when the predicate reads them.
    static func load<Root: Queryable>(_ plan: DynamicPlan, _ type: Root.Type) -> ObjectLoader {
        let whole: ObjectLoader = { $0.assumingMemoryBound(to: Root.self).pointee.queryValue }
        guard let keys = plan.rootKeys?.sorted(), !keys.isEmpty else { return whole }
        let readers = keys.compactMap { Field.find([$0], in: type)?.reader }
        guard readers.count == keys.count else { return whole }
        let shape = ValueDictionary.Shape(keys)
        return { object in .dictionary(ValueDictionary(shape: shape, values: readers.map { $0(object) })) }
    }
}

extension Field {
    fileprivate typealias Reader = @Sendable (UnsafeRawPointer) -> PredicateValue

    /// Reads the field as a value. nil for a field inside another object or optional, and for lists and
    /// objects.
    fileprivate var reader: Reader? {
        guard steps.isEmpty else { return nil }
        return switch kind {
        case .bool: reader(Bool.self)
        case .double: reader(Double.self)
        case .float: reader(Float.self)
        case .date: reader(FoundationFields.date)
        case .string: reader(String.self)
        case .list, .object, .nothing: nil
        case .int: reader(Int.self)
        case .int8: reader(Int8.self)
        case .int16: reader(Int16.self)
        case .int32: reader(Int32.self)
        case .int64: reader(Int64.self)
        case .uint: reader(UInt.self)
        case .uint8: reader(UInt8.self)
        case .uint16: reader(UInt16.self)
        case .uint32: reader(UInt32.self)
        case .uint64: reader(UInt64.self)
        }
    }

    private func reader<T: QueryableValue>(_ type: T.Type) -> Reader {
        let offset = offset
        if isOptional { return { $0.read(offset, as: T?.self)?.queryValue ?? .null } }
        return { $0.read(offset, as: T.self).queryValue }
    }
}
