// The values of sort keys, read from objects to sort them in memory.

/// Reads the values of sort keys from objects of one entity.
struct SortValues: Sendable {
    private enum Reader: Sendable {
        /// A key of the entity, which needs no evaluation.
        case key(String)
        case expression(CompiledExpression)
    }

    private var readers: [Reader] = []
    /// The relationship paths that the keys read.
    private(set) var paths: [[String]] = []
    /// Whether an expression may read keys that are missing in `paths`.
    private(set) var readsUnknownKeys = false

    /// - Throws: `request`, for a key that is neither a key path nor an expression.
    init(_ sort: [PredicateSortKey], _ layout: EntityLayout) throws(StoreFailure) {
        for key in sort {
            if layout.keys.contains(key.path) {
                readers.append(.key(key.path))
                paths.append([key.path])
                continue
            }
            try StoreFailure.ofRequest { () throws(PredicateFailure) in
                let expression = try key.expression().reading(layout.entity, layout.schema)
                readers.append(.expression(try CompiledExpression(expression)))
                paths += PredicateTree.expression(expression.root).pathsRead
                if PredicateTree.expression(expression.root).readsUnknownKeys { readsUnknownKeys = true }
            }
        }
    }

    /// - Throws: `request`, if an expression cannot be evaluated for the object; the failure of reading a relationship.
    func values(of object: StoredObject) throws(StoreFailure) -> [PredicateValue] {
        try readers.map { (reader) throws(StoreFailure) in
            switch reader {
            case .key(let key): return try object.readValue(forKey: key) ?? .null
            case .expression(let expression):
                do throws(PredicateFailure) {
                    return try expression.value(of: .object(ObjectReference(object)))
                } catch {
                    throw error.storeFailure ?? .request(error)
                }
            }
        }
    }
}
