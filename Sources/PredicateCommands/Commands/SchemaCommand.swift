// `predicate schema`: writes the schema of records or of a database, for `--schema`.

import PredicateModel
import PredicateRecords
import PredicateSyntax

extension CommandDescription {
    static let schema = CommandDescription(
        name: "schema", summary: "writes the schema of records or of a database",
        operands: "[FILE…]", operandCount: 0...Int.max,
        options: OptionDescription.databases + [.from, .at, .delimiter, .types, .help],
        details: """
            Reads all records of JSON, JSON Lines, CSV or property lists, or the tables of a database, and prints their
            keys and types as a schema file. check, sql, lint and fetch take it by --schema.
            """,
        examples: [
            "predicate schema people.json > people-schema.json", "predicate schema shop.sqlite",
            "predicate schema postgresql://localhost/shop",
        ]
    ) { invocation in
        let names = invocation.operands + [invocation[.database]].compactMap(\.self)
        guard !names.isEmpty else {
            throw CommandEnd.usage("a file is required", hint: "predicate schema people.json")
        }
        var options = try invocation.readerOptions()
        options.keepsText = false
        let source = try DataSources.open(
            names, invocation.input, options, driver: try invocation.driverOptions())
        if let problem = (source as? MemorySource)?.problems.first {
            throw CommandEnd.failure(.failed, problem.description)
        }
        for warning in (source as? DatabaseSource)?.warnings ?? [] {
            try invocation.output.note(DisplayText.visible(warning))
        }
        try invocation.output.line(SchemaText.text(source.schema, isDatabase: source.dialect != nil))
        return .success
    }
}

/// The text of a schema file (SchemaReader reads it). One key a line.
private enum SchemaText {
    static func text(_ schema: PredicateSchema, isDatabase: Bool) -> String {
        let entities = schema.entityNames.compactMap { schema.entity($0) }.map { entity in
            var fields: [String] = []
            if isDatabase { fields.append("\"table\": \(quoted(entity.table))") }
            if !entity.primaryKey.isEmpty { fields.append("\"primaryKey\": \(columns(entity.primaryKey))") }
            fields.append(object("attributes", entity.attributes.map { "\(quoted($0.name)): \(value(of: $0))" }))
            if !entity.relationships.isEmpty {
                fields.append(
                    object("relationships", entity.relationships.map { "\(quoted($0.name)): \(value(of: $0))" }))
            }
            return "    \(quoted(entity.name)): {\n      " + fields.joined(separator: ",\n      ") + "\n    }"
        }
        let first = schema.defaultEntity.map { "  \"entity\": \(quoted($0)),\n" } ?? ""
        return "{\n\(first)  \"entities\": {\n" + entities.joined(separator: ",\n") + "\n  }\n}"
    }

    private static func object(_ name: String, _ lines: [String]) -> String {
        lines.isEmpty
            ? "\"\(name)\": {}"
            : "\"\(name)\": {\n        " + lines.joined(separator: ",\n        ") + "\n      }"
    }

    private static func value(of attribute: PredicateSchema.Attribute) -> String {
        var fields: [(String, String)] = []
        if case .collection(.list, let element) = attribute.type {
            fields.append(("type", "\"list\""))
            if element.kind != .any { fields.append(("of", quoted(element.kind.shown))) }
        } else {
            fields.append(("type", quoted(attribute.type.shown)))
        }
        if attribute.isOptional { fields.append(("optional", "true")) }
        if attribute.column != attribute.name { fields.append(("column", quoted(attribute.column))) }
        if let scale = attribute.scale { fields.append(("scale", String(scale))) }
        if attribute.allowsNaN { fields.append(("nan", "true")) }
        if attribute.type == .date, attribute.dateStorage != .referenceSeconds {
            fields.append(("stored", quoted(attribute.dateStorage.rawValue)))
        }
        if let collation = attribute.collation { fields.append(("collation", quoted(collation.rawValue))) }
        return fields.count == 1 ? fields[0].1 : inline(fields)
    }

    private static func value(of relationship: PredicateSchema.Relationship) -> String {
        var fields = [("to", quoted(relationship.target))]
        if relationship.isToMany { fields.append(("many", "true")) }
        if relationship.isOptional == relationship.isToMany {
            fields.append(("optional", String(relationship.isOptional)))
        }
        switch relationship.link {
        case .column(let names)?: fields.append(("column", columns(names)))
        case .foreignKey(let names)?: fields.append(("foreignKey", columns(names)))
        case .join(let table, let from, let to)?:
            fields.append(
                ("join", inline([("table", quoted(table)), ("from", columns(from)), ("to", columns(to))])))
        case nil: break
        }
        if let inverse = relationship.inverse { fields.append(("inverse", quoted(inverse))) }
        return inline(fields)
    }

    private static func inline(_ fields: [(String, String)]) -> String {
        "{" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
    }

    private static func columns(_ names: [String]) -> String {
        names.count == 1 ? quoted(names[0]) : "[" + names.map(quoted).joined(separator: ", ") + "]"
    }

    private static func quoted(_ text: String) -> String { JSON.text(.string(text)) }
}
