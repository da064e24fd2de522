// The positions of an entity's keys in the rows that a store reads, looked up once for all rows.

final class EntityLayout: Sendable {
    let schema: PredicateSchema
    let entity: String
    let table: String
    /// The discriminator column of a shared table, and the entity's codes; nil if all rows belong to the entity.
    let codes: (column: String, codes: [PredicateValue])?
    /// The columns in the order of selection.
    let columns: [String]
    /// The schema's type of each column; `any` for a column that is only part of a key.
    let types: [ExpressionType.Kind]
    /// The types, prepared for decoding rows.
    let kinds: [ColumnKind]
    let primaryKey: [Int]
    /// The shape of a dictionary of attributes. `attributes` has the column of each.
    let shape: ValueDictionary.Shape
    let attributes: [Int]
    let relationships: [String: PredicateSchema.Relationship]
    /// The to-one relationships whose columns are attributes, too, with the names of these attributes.
    let references: [(relationship: PredicateSchema.Relationship, columns: [String], attributes: [String])]
    let keys: [String]
    /// Whether SQL reads the primary key from the columns that refer to it, without a join.
    let isReadFromReferences: Bool
    private let positions: [String: Int]
    private let columnPositions: [String: Int]
    /// The first attribute of each column by the column's position.
    private let attributeNames: [Int: String]

    /// - Parameter hasDocuments: whether rows have the whole documents of attributes inside JSON columns.
    init(_ schema: PredicateSchema, _ name: String, hasDocuments: Bool = false) throws(StoreFailure) {
        guard schema.entity(name) != nil else { throw .schema("the schema has no entity '\(name)'") }
        (self.schema, self.entity) = (schema, name)
        table = schema.table(of: name)
        codes = schema.codes(of: name)
        let columns = schema.columns(of: name)
        self.columns = columns
        let columnPositions = Dictionary(columns.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        self.columnPositions = columnPositions
        primaryKey = schema.primaryKey(of: name).compactMap { columnPositions[$0] }
        var types = [ExpressionType.Kind](repeating: .any, count: columns.count)
        var encodings = [ColumnKind?](repeating: nil, count: columns.count)
        var positions: [String: Int] = [:]
        var names: [String] = []
        var relationships: [String: PredicateSchema.Relationship] = [:]
        for entity in schema.lineage(of: name) {
            for attribute in entity.attributes {
                guard let position = columnPositions[attribute.place], positions[attribute.name] == nil else {
                    continue
                }
                types[position] = attribute.type
                encodings[position] =
                    Encoding(attribute).map(ColumnKind.encoded) ?? ColumnKind(inside: attribute, whole: hasDocuments)
                positions[attribute.name] = position
                names.append(attribute.name)
            }
            for relationship in entity.relationships { relationships[relationship.name] = relationship }
        }
        self.types = types
        kinds = zip(types, encodings).map { type, encoding in encoding ?? ColumnKind(type) }
        self.positions = positions
        self.relationships = relationships
        let attributeNames = Dictionary(names.map { (positions[$0] ?? 0, $0) }, uniquingKeysWith: { first, _ in first })
        references = relationships.values.sorted { $0.name < $1.name }.compactMap { relationship in
            guard case .column(let names)? = relationship.link else { return nil }
            let attributes = names.compactMap { columnPositions[$0].flatMap { attributeNames[$0] } }
            return attributes.count == names.count ? (relationship, names, attributes) : nil
        }
        self.attributeNames = attributeNames
        shape = ValueDictionary.Shape(names)
        attributes = names.compactMap { positions[$0] }
        keys = schema.keys(of: name)
        isReadFromReferences = schema.referencedAttribute(of: name) != nil
    }

    var keyColumns: [String] { primaryKey.map { columns[$0] } }
    /// The names of the primary key's attributes; for a column without an attribute, the name of the column.
    var keyNames: [String] { primaryKey.map { attributeNames[$0] ?? columns[$0] } }

    /// Throws if the entity has no primary key.
    func requireKey() throws(StoreFailure) {
        if primaryKey.isEmpty { throw .schema("\(entity) has no primary key") }
    }

    /// The primary keys of rows to change, each of which names one row.
    ///
    /// - Throws: `schema`, if the entity has no primary key, or if one of them has NULL, which several rows may have.
    func named(_ keys: [[PredicateValue]]) throws(StoreFailure) -> [[PredicateValue]] {
        try requireKey()
        guard keys.contains(where: { $0.contains(where: \.isNil) }) else { return keys }
        throw .schema(
            "the primary key (\(keyNames.joined(separator: ", "))) of a row of \(entity) is NULL, and the rows are changed "
                + "one by one, by their keys")
    }

    /// The attributes whose names begin with a key and a point, as a dictionary without the key; nil if there are none.
    func group(_ key: String, _ value: (Int) -> PredicateValue) -> PredicateValue? {
        var members: [(String, PredicateValue)] = []
        var inner: Set<String> = []
        for name in shape.keys where name.hasPrefix(key + ".") {
            let parts = name.dropFirst(key.count + 1).split(separator: ".", maxSplits: 1)
            let next = String(parts[0])
            if parts.count == 1, let position = positions[name] {
                members.append((next, value(position)))
            } else if inner.insert(next).inserted, let found = group(key + "." + next, value) {
                members.append((next, found))
            }
        }
        return members.isEmpty ? nil : .dictionary(ValueDictionary(members))
    }

    func position(ofAttribute key: String) -> Int? { positions[key] }
    func position(ofColumn column: String) -> Int? { columnPositions[column] }
    func attribute(ofColumn column: String) -> String? { position(ofColumn: column).flatMap { attributeNames[$0] } }
}

/// A column type without associated element types. It is small because decoding reads it for each value.
enum ColumnKind {
    case boolean, integer, double, decimal, string, date, data, uuid, url, any, json
    /// Lists of doubles, lists of dates.
    case doubles, dates
    /// Integers that encode another type.
    case encoded(Encoding)
    case document(StoredDocument)

    /// nil for an attribute that is not inside a JSON column, and for a value that the engine reads.
    init?(inside attribute: PredicateSchema.Attribute, whole: Bool) {
        guard let document = JSONColumn(attribute), whole || ColumnKind(attribute.type).isList else { return nil }
        self = .document(StoredDocument(whole ? document.path : .root, document.type))
    }

    private var isList: Bool {
        switch self {
        case .json, .doubles, .dates: true
        default: false
        }
    }

    init(_ type: ExpressionType.Kind) {
        switch type {
        case .boolean: self = .boolean
        case .integer: self = .integer
        case .double: self = .double
        case .decimal: self = .decimal
        case .string: self = .string
        case .date: self = .date
        case .data: self = .data
        case .uuid: self = .uuid
        case .url: self = .url
        case .any, .null, .number, .entity: self = .any
        case .collection(.list, let element) where element.kind == .double: self = .doubles
        case .collection(.list, let element) where element.kind == .date: self = .dates
        case .collection: self = .json
        }
    }
}

/// The layouts of a schema's entities.
final class SchemaLayout: Sendable {
    let schema: PredicateSchema
    private let layouts: [String: EntityLayout]
    /// The columns that store decimals as doubles.
    let rounding: Set<SQLColumn>

    init(
        _ schema: PredicateSchema, hasDocuments: Bool = false, rounding: Set<SQLColumn> = []
    ) throws(StoreFailure) {
        (self.schema, self.rounding) = (schema, rounding)
        var layouts: [String: EntityLayout] = [:]
        for name in schema.entityNames {
            layouts[name] = try EntityLayout(schema, name, hasDocuments: hasDocuments)
        }
        self.layouts = layouts
    }

    /// - Throws: `unknown-entity`, with the nearest name.
    func layout(_ entity: String) throws(StoreFailure) -> EntityLayout {
        if let layout = layouts[entity] { return layout }
        let nearest = Suggestions.nearest(to: entity, in: schema.entityNames)
        throw .request(PredicateFailure(.unknownEntity, entity, suggestion: nearest))
    }
}
