// Parses a schema file, given as parsed JSON. Only this file lists its fields.

extension PredicateSchema {
    /// Creates a schema from the contents of a schema file.
    ///
    /// ```json
    /// { "entity": "Person", "entities": { "Person": { "table": "person", "primaryKey": "id",
    ///     "attributes": { "name": "string", "nickname": {"type": "string", "optional": true},
    ///                     "tags": {"type": "list", "of": "string"},
    ///                     "price": {"type": "decimal", "scale": 2} },
    ///     "relationships": { "employer": {"to": "Company", "column": "employer_id"},
    ///                        "pets": {"to": "Pet", "many": true, "foreignKey": "owner_id"} } } } }
    /// ```
    ///
    /// A key of several columns is a list: `"primaryKey": ["tenant", "id"]`,
    /// `"column": ["tenant", "owner_id"]`. So are `foreignKey` and a join's `from` and `to`, in the order of
    /// the primary key that they refer to.
    ///
    /// If entities share a table, the first one has a `discriminator` (the column that distinguishes them), and each
    /// has its `code`.
    ///
    /// Optional properties of a column: `scale` for decimals; `minimum` and `maximum` for integers; `nan` (true) for
    /// doubles; `stored` for dates (`DateStorage`: `"milliseconds-1970"`, `"timestamp"`); `collation` for strings
    /// (`"binary"` or `"other"`); `folded` for strings, the columns that contain them folded: `{"cd": "name_cd"}`;
    /// `default`, the value for new objects (dates as seconds since 2001-01-01 00:00 UTC); `cases`, a list of the only
    /// values.
    ///
    /// `json` of an attribute is the path of its value in the JSON document of its column: `"meta.theme": {"column":
    /// "meta", "json": "$.theme", "type": "string"}`.
    ///
    /// `onDelete` of a relationship is its `PredicateSchema.DeleteRule`: `"nullify"`, `"cascade"` or `"deny"`.
    ///
    /// `version` is the name of this version. `formerly` of an entity, an attribute or a relationship is its name in
    /// the previous version.
    ///
    /// - Throws: `SchemaError` with all errors and their paths: unknown fields and types with the nearest valid
    ///   one, values of the wrong type, inconsistencies.
    public init(value: PredicateValue) throws(SchemaError) {
        var reader = SchemaReader()
        let (entities, defaultEntity, version) = reader.file(value)
        do throws(SchemaError) {
            try self.init(entities, defaultEntity: defaultEntity, version: version)
        } catch {
            throw SchemaError(reader.problems + error.problems)
        }
        if !reader.problems.isEmpty { throw SchemaError(reader.problems) }
    }
}

private struct SchemaReader: FieldReading {
    var problems: [SchemaError.Problem] = []

    mutating func file(
        _ value: PredicateValue
    ) -> (entities: [PredicateSchema.Entity], defaultEntity: String?, version: String?) {
        guard let file = object(value, at: "", ["version", "entity", "entities"]) else { return ([], nil, nil) }
        guard let entities = file["entities"] else {
            report("", "the schema has no \"entities\"")
            return ([], nil, nil)
        }
        let read = members(entities, at: "entities").compactMap { entity($0, $1, at: "entities." + $0) }
        return (read, text(file, "entity", ""), text(file, "version", ""))
    }

    // MARK: Entities

    private mutating func entity(_ name: String, _ value: PredicateValue, at path: String) -> PredicateSchema.Entity? {
        let known = [
            "table", "primaryKey", "attributes", "relationships", "parent", "discriminator", "code", "formerly",
        ]
        guard let fields = object(value, at: path, known) else { return nil }
        var entity = PredicateSchema.Entity(
            name, table: text(fields, "table", path),
            primaryKey: columns(fields, "primaryKey", path) ?? [],
            parent: text(fields, "parent", path), discriminator: text(fields, "discriminator", path),
            code: fields["code"])
        entity.formerly = text(fields, "formerly", path)
        entity.attributes = members(fields["attributes"], at: path + ".attributes").compactMap {
            attribute($0, $1, at: "\(path).attributes.\($0)")
        }
        entity.relationships = members(fields["relationships"], at: path + ".relationships").compactMap {
            relationship($0, $1, at: "\(path).relationships.\($0)")
        }
        return entity
    }

    /// A single column or a list of columns.
    private mutating func columns(_ fields: ValueDictionary, _ field: String, _ path: String) -> [String]? {
        switch fields[field] {
        case nil: return nil
        case .string(let column) where !column.isEmpty: return [column]
        case .array(let values) where !values.isEmpty:
            let columns = values.compactMap { if case .string(let column) = $0 { column } else { nil } }
            if columns.count == values.count, !columns.contains("") { return columns }
        default: break
        }
        report("\(path).\(field)", "expected a column or a list of columns")
        return nil
    }

    // MARK: Attributes

    /// `"integer"`, or an object with more properties.
    private mutating func attribute(_ name: String, _ value: PredicateValue, at path: String) -> PredicateSchema
        .Attribute?
    {
        if case .string(let type) = value {
            return self.type(type, at: path).map { PredicateSchema.Attribute(name, $0) }
        }
        let known = [
            "type", "of", "optional", "column", "scale", "nan", "minimum", "maximum", "stored", "collation", "folded",
            "default", "formerly", "json", "cases",
        ]
        guard let fields = object(value, at: path, known, or: "a type or an object") else { return nil }
        guard fields["type"] != nil else {
            report(path, "the attribute has no \"type\"")
            return nil
        }
        guard let typeName = text(fields, "type", path), var type = type(typeName, at: path + ".type")
        else { return nil }
        if let elementName = text(fields, "of", path), let element = self.type(elementName, at: path + ".of") {
            if case .collection(.list, _) = type {
                type = .list(of: element)
            } else {
                report(path + ".of", "only a list has \"of\"")
            }
        }
        var attribute = PredicateSchema.Attribute(
            name, type, isOptional: flag(fields, "optional", path) ?? false, column: text(fields, "column", path))
        attribute.formerly = text(fields, "formerly", path)
        attribute.cases = cases(fields, attribute, path)
        attribute.defaultValue = fields["default"].map { attribute.converted($0) ?? $0 }
        readColumn(fields, path, &attribute)
        attribute.json = text(fields, "json", path)
        return attribute
    }

    private mutating func cases(
        _ fields: ValueDictionary, _ attribute: PredicateSchema.Attribute, _ path: String
    ) -> [PredicateValue] {
        guard let given = fields["cases"] else { return [] }
        guard case .array(let values) = given, !values.isEmpty else {
            report(path + ".cases", "expected a list of values")
            return []
        }
        let one = PredicateSchema.Attribute("", attribute.caseType)
        return values.map { one.converted($0) ?? $0 }
    }

    /// Reads the properties of the column other than its name.
    private mutating func readColumn(
        _ fields: ValueDictionary, _ path: String, _ attribute: inout PredicateSchema.Attribute
    ) {
        attribute.scale = integer(fields, "scale", path).map { Int(clamping: $0) }
        attribute.allowsNaN = flag(fields, "nan", path) ?? false
        let minimum = integer(fields, "minimum", path)
        let maximum = integer(fields, "maximum", path)
        if minimum ?? .min > maximum ?? .max {
            report(path, "the minimum is greater than the maximum")
        } else if minimum != nil || maximum != nil {
            attribute.range = (minimum ?? .min)...(maximum ?? .max)
        }
        if case .string(let name)? = fields["stored"], let storage = DateStorage.synonyms[name] {
            attribute.dateStorage = storage
        } else if let storage: DateStorage = word(
            fields, "stored", path, "unknown storage of dates", others: DateStorage.synonyms.keys.sorted())
        {
            attribute.dateStorage = storage
        }
        attribute.collation = word(fields, "collation", path, "a collation is 'binary' or 'other', not")
        let options: [String: ComparisonOptions] = [
            "c": .caseInsensitive, "d": .diacriticInsensitive, "cd": [.caseInsensitive, .diacriticInsensitive],
        ]
        guard let folded = fields["folded"] else { return }
        guard let columns = object(folded, at: path + ".folded", ["c", "d", "cd"]) else { return }
        for (letters, option) in options {
            if let column = text(columns, letters, path + ".folded") { attribute.folds[option] = column }
        }
    }

    private mutating func type(_ name: String, at path: String) -> ExpressionType.Kind? {
        if let found = ExpressionType.Kind.named.first(where: { $0.name == name }) { return found.type }
        // Type names of other schema languages.
        let foreign = [
            "int": "integer", "bool": "boolean", "float": "double", "text": "string", "number": "double",
            "datetime": "date", "timestamp": "date", "array": "list", "blob": "data", "json": "any",
        ]
        let nearest =
            foreign[name.lowercased()] ?? Suggestions.nearest(to: name, in: ExpressionType.Kind.named.map { $0.name })
        report(path, "unknown type '\(name)'", suggestion: nearest)
        return nil
    }

    // MARK: Relationships

    private mutating func relationship(_ name: String, _ value: PredicateValue, at path: String) -> PredicateSchema
        .Relationship?
    {
        let known = ["to", "many", "optional", "column", "foreignKey", "join", "inverse", "onDelete", "formerly"]
        guard let fields = object(value, at: path, known) else { return nil }
        guard fields["to"] != nil else {
            report(path, "the relationship has no \"to\"")
            return nil
        }
        guard let target = text(fields, "to", path) else { return nil }
        let isToMany = flag(fields, "many", path) ?? false
        let optional = flag(fields, "optional", path)
        let link = link(fields, path)
        let inverse = text(fields, "inverse", path)
        var relationship =
            isToMany
            ? PredicateSchema.Relationship(
                name, toMany: target, isOptional: optional ?? false, link: link, inverse: inverse)
            : PredicateSchema.Relationship(name, to: target, isOptional: optional ?? true, link: link, inverse: inverse)
        relationship.onDelete = word(fields, "onDelete", path, "a delete rule is 'nullify', 'cascade' or 'deny', not")
        relationship.formerly = text(fields, "formerly", path)
        return relationship
    }

    private mutating func link(_ fields: ValueDictionary, _ path: String) -> PredicateSchema.Relationship.Link? {
        let links = ["column", "foreignKey", "join"].filter { fields[$0] != nil }
        if links.count > 1 {
            report(path, "a relationship has only one of \(links.joined(separator: ", "))")
        }
        switch links.first {
        case "column": return columns(fields, "column", path).map { .column($0) }
        case "foreignKey": return columns(fields, "foreignKey", path).map { .foreignKey($0) }
        case "join":
            let place = path + ".join"
            guard let join = object(fields["join"] ?? .null, at: place, ["table", "from", "to"]) else { return nil }
            for field in ["table", "from", "to"] where join[field] == nil {
                report(place, "the join has no \"\(field)\"")
            }
            guard let table = text(join, "table", place), let from = columns(join, "from", place),
                let to = columns(join, "to", place)
            else { return nil }
            return .join(table: table, from: from, to: to)
        default: return nil
        }
    }
}
