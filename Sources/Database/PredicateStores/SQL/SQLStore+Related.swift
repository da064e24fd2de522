// Reads related objects, those of many objects with one statement.

/// The parameters of a statement that reads related objects.
struct RelatedText: Hashable {
    let entity: String
    let place: ObjectPlace
    let types: [SQLType]
    let count: Int
}

extension SQLStore {
    /// The possible numbers of keys in a statement. There are few, so that prepared statements are reused.
    private static var sizes: [Int] { [1, 8, 64, 500] }

    func objects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ keys: [[PredicateValue]], _ log: FaultLog
    ) throws(StoreFailure) -> [[StoredObject]] {
        var found: [[PredicateValue]: [StoredObject]] = [:]
        let wanted = keys.distinct()
        // Keys that some collation may treat as equal are looked up one by one.
        let spread = Dictionary(grouping: wanted) { $0.map(\.collated) }
        for same in spread.values where same.count > 1 {
            for key in same { found[key] = try read(layout, place, [key], log).map(\.object) }
        }
        var rest = wanted.filter { spread[$0.map(\.collated)]?.count == 1 }[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.sizes.last ?? 1))
            rest = rest.dropFirst(batch.count)
            let byKey = Dictionary(batch.map { ($0.map(\.collated), $0) }, uniquingKeysWith: { first, _ in first })
            for (object, key) in try read(layout, place, batch, log) {
                let key = batch.count == 1 ? batch[0] : byKey[key.map(\.collated)]
                if let key { found[key, default: []].append(object) }
            }
        }
        return keys.map { found[$0] ?? [] }
    }

    /// Reads the objects that have one of the keys, together with that key. A pair of a join table that refers to no row
    /// of the entity has a missing object.
    private func read(
        _ layout: EntityLayout, _ place: ObjectPlace, _ keys: [[PredicateValue]], _ log: FaultLog
    ) throws(StoreFailure) -> [(object: StoredObject, key: [PredicateValue])] {
        guard let first = keys.first else { return [] }
        let count = Self.sizes.first { $0 >= keys.count } ?? keys.count
        let types = first.map { SQLType($0) ?? .text }
        let text = text(layout, RelatedText(entity: layout.entity, place: place, types: types, count: count))
        let padding = Array(repeating: first, count: count - keys.count)
        let codes = layout.codes?.codes ?? []
        let bindings = codes + (keys + padding).flatMap { $0 }
        let bindingTypes = codes.map { SQLType($0) ?? .integer } + (0..<count).flatMap { _ in types }
        let isPair = if case .pairs = place { true } else { false }
        let keyCount = first.count + (isPair ? layout.primaryKey.count : 0)
        var reader = RowReader(layout: layout, maker: ObjectMaker(layout, self, log), keyCount: keyCount)
        return try reading(isNew: false) { (connection) throws(StoreFailure) in
            var objects: [StoredObject] = []
            let rows = try connection.run(text, bindings, types: bindingTypes)
            defer { rows.close() }
            while try reader.read(&objects, 1024, from: rows) {}
            return zip(objects, reader.keys).map { object, key in
                let isMissing = isPair && object.primaryKey.contains(where: \.isNil)
                let other = Array(key.dropFirst(first.count))
                return (
                    object: isMissing ? StoredObject(missing: other, layout, self, log) : object,
                    key: isPair ? Array(key.prefix(first.count)) : key
                )
            }
        }
    }

    private func text(_ layout: EntityLayout, _ wanted: RelatedText) -> String {
        if let known = relatedTexts.withLock({ $0[wanted] }) { return known }
        let text = wanted.place.statement(layout, dialect, wanted, schema.documents)
        relatedTexts.withLock { $0[wanted] = text }
        return text
    }
}

extension ObjectPlace {
    fileprivate func statement(
        _ layout: EntityLayout, _ dialect: SQLDialect, _ wanted: RelatedText, _ documents: [String: JSONColumn]
    ) -> String {
        let keys = layout.keyColumns
        let (columns, pairs): ([String], (table: String, from: [String], to: [String])?) =
            switch self {
            case .columns(let columns): (columns, nil)
            case .pairs(let table, let from, let to): (keys, (table, from, to))
            }
        return dialect.selectRows(
            of: layout.table, layout.columns, where: columns, types: wanted.types, keys: wanted.count, pairs: pairs,
            orderedBy: keys, codes: layout.codes, documents: documents)
    }
}

extension PredicateValue {
    /// A text that is the same for all values that a database may treat as equal keys.
    fileprivate var collated: PredicateValue {
        func number(_ number: Double) -> PredicateValue {
            Int64(exactly: number).map { .integer($0) } ?? .double(number)
        }
        switch self {
        case .bool(let flag): return .integer(flag ? 1 : 0)
        case .float(let value): return number(Double(value))
        case .double(let value), .date(let value): return number(value)
        case .decimal(let decimal): return PredicateValue.string(decimal.description).collated
        case .uuid(let id): return PredicateValue.string(id.description).collated
        case .string(let text), .url(let text):
            if let integer = Int64(text) { return .integer(integer) }
            if let double = Double(text) { return number(double) }
            var folded = StringFold.fold(text, [.caseInsensitive, .diacriticInsensitive])
            while folded.hasSuffix(" ") { folded.removeLast() }
            return .string(folded)
        default: return self
        }
    }
}
