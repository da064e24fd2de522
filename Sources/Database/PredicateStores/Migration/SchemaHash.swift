// The hash of a schema, which identifies the version that a database has.

extension PredicateSchema {
    /// A hash of everything in a schema that concerns storage: entities, keys, types, optionality, defaults, tables,
    /// columns and links. It does not depend on the order of entities and keys, on the version's name or on former
    /// names, and is the same on every platform. It has 16 hexadecimal digits (FNV-1a). It distinguishes versions, but
    /// does not protect against forgery.
    ///
    ///     schema.hash    // "8c3d29a8f1b0e577"
    ///
    /// Cost: linear.
    public var hash: String {
        var hash = StableHash()
        for entity in entities.ordered(by: { $0.name < $1.name }) {
            hash.add("entity", entity.name, table(of: entity.name), entity.parent, entity.discriminator)
            hash.add("code", entity.code?.description)
            hash.add(entity.primaryKey)
            for attribute in entity.attributes.ordered(by: { $0.name < $1.name }) { hash.add(attribute) }
            for relationship in entity.relationships.ordered(by: { $0.name < $1.name }) { hash.add(relationship) }
        }
        return String(hash.value, radix: 16).zeroPadded(to: 16)
    }
}

/// FNV-1a over texts and their lengths, so that different lists of texts give different bytes.
private struct StableHash {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ texts: String?...) { for text in texts { add(text) } }

    mutating func add(_ texts: [String]) {
        add(String(texts.count))
        for text in texts { add(text) }
    }

    mutating func add(_ attribute: PredicateSchema.Attribute) {
        // Schemas without JSON keep the hash that databases have recorded.
        add("attribute", attribute.name, attribute.place, attribute.isOptional ? "optional" : nil)
        add(Self.text(attribute.type), attribute.scale.map { String($0) }, attribute.allowsNaN ? "nan" : nil)
        add(attribute.range.map { "\($0.lowerBound) \($0.upperBound)" }, attribute.dateStorage.rawValue)
        add(attribute.folds.ordered { $0.value < $1.value }.flatMap { [$0.value, String($0.key.rawValue)] })
        add(attribute.defaultValue?.description)
    }

    mutating func add(_ relationship: PredicateSchema.Relationship) {
        add("relationship", relationship.name, relationship.target, relationship.isToMany ? "many" : nil)
        add(relationship.isOptional ? "optional" : nil)
        switch relationship.link {
        case .column(let columns): add(["column"] + columns)
        case .foreignKey(let columns): add(["foreignKey"] + columns)
        case .join(let table, let from, let to):
            add(["join", table] + from)
            add(to)
        case nil: add("none")
        }
        // Schemas without rules keep the hash that databases have recorded.
        if let rule = relationship.onDelete { add("onDelete", rule.rawValue) }
    }

    private static func text(_ type: ExpressionType.Kind) -> String {
        if case .collection(_, let element) = type { return "list of " + text(element.kind) }
        return type.nameForMessages
    }

    private mutating func add(_ text: String?) {
        guard let text else { return mix([0xFF]) }
        mix(Array(String(text.utf8.count).utf8) + [0x3A])
        mix(Array(text.utf8))
    }

    private mutating func mix(_ bytes: [UInt8]) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }
}
