// The types of a table's columns, as a schema with an entity for its rows and one for each column of dictionaries.
// Binding.swift checks predicates against it.

/// The types of a table's rows.
struct TableTypes: Sendable {
    private static let rows = "the table"

    let schema: PredicateSchema
    /// The type of a row. It is `any` if only some rows are dictionaries.
    let row: ExpressionType

    init(of rows: Column, hasOthers: Bool) {
        var entities: [PredicateSchema.Entity] = []
        let row = hasOthers ? .any : Self.type(of: rows, at: "", &entities)
        let schema = try? PredicateSchema(entities)
        self.schema = schema ?? .empty
        self.row = schema == nil ? .any : row
    }

    private static func type(of column: Column, at path: String, _ entities: inout [PredicateSchema.Entity])
        -> ExpressionType
    {
        let kind: ExpressionType.Kind =
            switch column.storage {
            case .none: .any
            case .integers: .integer
            case .doubles: .double
            case .booleans: .boolean
            case .dates: .date
            case .texts, .codes: .string
            case .lists(let lists): .collection(.list, of: type(of: lists.elements, at: path, &entities))
            case .records(let records): .collection(.record(add(records, at: path, &entities)), of: .any)
            case .values: column.valueKind
            }
        return ExpressionType(kind, isOptional: column.hasNil)
    }

    /// Adds the entity of a column of dictionaries. Returns its name.
    private static func add(_ records: RecordColumns, at path: String, _ entities: inout [PredicateSchema.Entity])
        -> String
    {
        var entity = PredicateSchema.Entity(path.isEmpty ? rows : "'\(path)'")
        for (key, index) in records.positions.ordered(by: { $0.value < $1.value }) {
            // Keys that no key path can contain are skipped.
            guard !key.isEmpty, !key.contains("."), !key.hasPrefix("@") else { continue }
            let type = type(of: records.columns[index], at: path.isEmpty ? key : path + "." + key, &entities)
            entity.attributes.append(PredicateSchema.Attribute(key, type.kind, isOptional: type.isOptional))
        }
        entities.append(entity)
        return entity.name
    }
}
