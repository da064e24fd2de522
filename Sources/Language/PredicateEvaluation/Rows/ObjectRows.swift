// Converts an object of a published type to a value for the dynamic plan.

enum ObjectRows {
    /// If the predicate reads only stored numbers, texts and dates of a struct, loads these as a dictionary with one
    /// shape, because copying the whole struct and looking up keys by name costs more than most functions. Otherwise
    /// loads the object itself, so that computed properties run only when the predicate reads them.
    static func load<Root: Queryable>(_ plan: DynamicPlan, _ type: Root.Type) -> ObjectLoader {
        let whole: ObjectLoader = { $0.assumingMemoryBound(to: Root.self).pointee.queryValue }
        guard let keys = plan.rootKeys?.ordered(), !keys.isEmpty else { return whole }
        let readers = keys.compactMap { key in
            // Only fields of the object itself, not of another object or optional in it.
            Root.field([key]).flatMap { $0.steps.isEmpty ? $0 : nil }
                .flatMap { $0.type?.reader(at: $0.offset, isOptional: $0.isOptional) }
        }
        guard readers.count == keys.count else { return whole }
        let shape = ValueDictionary.Shape(keys)
        return { object in .dictionary(ValueDictionary(shape: shape, values: readers.map { $0(object) })) }
    }
}
