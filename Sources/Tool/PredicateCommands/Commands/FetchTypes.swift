// `fetch --types`: the types of columns for which the database has no type, such as dates that SQLite stores as texts.

extension Invocation {
    /// The schema of a store with the types of `--types` for the keys of an entity; nil without the option.
    func typed(_ store: any DatabaseStore, _ entity: String) throws -> PredicateSchema? {
        guard let text = self[.types] else { return nil }
        var entities = store.schema.entities
        let lineage = store.schema.lineage(of: entity).map(\.name)
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2 else { throw CommandEnd.usage("--types: '\(part)' is not of the form name=type") }
            let owner = entities.firstIndex { owner in
                lineage.contains(owner.name) && owner.attributes.contains { $0.name == pair[0] }
            }
            guard let owner, let index = entities[owner].attributes.firstIndex(where: { $0.name == pair[0] }) else {
                if case .relationship? = store.schema.key(pair[0], of: entity) {
                    throw CommandEnd.usage("--types: '\(pair[0])' is a relationship, which has no type")
                }
                throw CommandEnd.usage(
                    "--types: \(entity) has no key '\(pair[0])'",
                    hint: OptionParser.didYouMean(pair[0], store.schema.keys(of: entity)))
            }
            let old = entities[owner].attributes[index]
            var new = PredicateSchema.Attribute(
                old.name, try Self.type(pair[1]), isOptional: old.isOptional, column: old.column)
            if new.type == .date {
                let table = store.schema.table(of: entities[owner].name)
                new.dateStorage = try DateStorage(named: pair[1]) ?? storage(of: new, in: table, store)
            } else if new.type == .string {
                new.collation = old.collation
            }
            entities[owner].attributes[index] = new
        }
        do throws(SchemaError) {
            return try PredicateSchema(entities, defaultEntity: store.schema.defaultEntity)
        } catch {
            throw CommandEnd.usage("--types: \(error)")
        }
    }

    private static func type(_ name: String) throws -> ExpressionType.Kind {
        if DateStorage(named: name) != nil { return .date }
        if let known = ExpressionType.Kind.ofField(name) { return known }
        let known =
            ExpressionType.Kind.fieldNames + DateStorage.allCases.map(\.rawValue) + DateStorage.synonyms.keys.sorted()
        throw CommandEnd.usage("--types: '\(name)' is not a type; the types are " + known.joined(separator: ", "))
    }

    /// The form of dates in a column, from its first value.
    private func storage(
        of attribute: PredicateSchema.Attribute, in table: String, _ store: any DatabaseStore
    ) throws -> DateStorage {
        let column = SQLiteNames.quoted(attribute.column)
        let rows = try CommandEnd.failed { () throws(StoreFailure) in
            try store.rows("SELECT \(column) FROM \(SQLiteNames.quoted(table)) WHERE \(column) IS NOT NULL LIMIT 1", [])
        }
        switch rows.first?.first {
        case .string(let text)?:
            let found = DateStorage.allCases.first { storage in
                var attribute = attribute
                attribute.dateStorage = storage
                return Encoding(attribute)?.value(ofText: text) != nil
            }
            if let found { return found }
            throw CommandEnd.usage(
                "--types: '\(DisplayText.visible(text, limit: 40))' is in no form of dates that is known")
        case .integer?, .double?:
            let name = attribute.name
            throw CommandEnd.usage(
                "--types: '\(name)' has numbers", hint: "\(name)=unix, =unix-ms, =julian or =seconds-2001")
        default: return .referenceSeconds
        }
    }
}

extension DateStorage {
    /// The storage with a name of schema files.
    fileprivate init?(named name: String) {
        guard let found = Self.synonyms[name] ?? Self(rawValue: name) else { return nil }
        self = found
    }
}
