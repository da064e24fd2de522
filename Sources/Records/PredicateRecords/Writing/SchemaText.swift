// Writes a schema file. PredicateSQL/Schema/SchemaReader.swift reads it.

/// The text of a schema file (SchemaReader reads it). One key a line.
package enum SchemaText {
    /// - Parameters:
    ///   - schema: the schema to write.
    ///   - isDatabase: whether to write the names of tables.
    package static func text(_ schema: PredicateSchema, isDatabase: Bool) -> String {
        let entities = schema.entityNames.compactMap { schema.entity($0) }.map { entity in
            var fields: [String] = []
            if let parent = entity.parent { fields.append("\"parent\": \(quoted(parent))") }
            if let name = entity.formerly { fields.append("\"formerly\": \(quoted(name))") }
            if isDatabase { fields.append("\"table\": \(quoted(entity.table))") }
            if !entity.primaryKey.isEmpty { fields.append("\"primaryKey\": \(columns(entity.primaryKey))") }
            if let column = entity.discriminator { fields.append("\"discriminator\": \(quoted(column))") }
            if let code = entity.code { fields.append("\"code\": \(JSON.text(code))") }
            fields.append(object("attributes", entity.attributes.map { "\(quoted($0.name)): \(value(of: $0))" }))
            if !entity.relationships.isEmpty {
                fields.append(
                    object("relationships", entity.relationships.map { "\(quoted($0.name)): \(value(of: $0))" }))
            }
            return "    \(quoted(entity.name)): {\n      " + fields.joined(separator: ",\n      ") + "\n    }"
        }
        let version = schema.version.map { "  \"version\": \(quoted($0)),\n" } ?? ""
        let first = schema.defaultEntity.map { "  \"entity\": \(quoted($0)),\n" } ?? ""
        return "{\n\(version)\(first)  \"entities\": {\n" + entities.joined(separator: ",\n") + "\n  }\n}"
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
            if element.kind != .any { fields.append(("of", quoted(element.kind.nameForMessages))) }
        } else {
            fields.append(("type", quoted(attribute.type.nameForMessages)))
        }
        if attribute.isOptional, attribute.json == nil { fields.append(("optional", "true")) }
        if attribute.column != attribute.name { fields.append(("column", quoted(attribute.column))) }
        if let path = attribute.json { fields.append(("json", quoted(path))) }
        if let scale = attribute.scale { fields.append(("scale", String(scale))) }
        if let range = attribute.range, range.lowerBound > .min { fields.append(("minimum", "\(range.lowerBound)")) }
        if let range = attribute.range, range.upperBound < .max { fields.append(("maximum", "\(range.upperBound)")) }
        if attribute.allowsNaN { fields.append(("nan", "true")) }
        if attribute.type == .date, attribute.dateStorage != .referenceSeconds {
            fields.append(("stored", quoted(attribute.dateStorage.rawValue)))
        }
        if let collation = attribute.collation { fields.append(("collation", quoted(collation.rawValue))) }
        if !attribute.folds.isEmpty {
            let letters: [(ComparisonOptions, String)] = [
                (.caseInsensitive, "c"), (.diacriticInsensitive, "d"),
                ([.caseInsensitive, .diacriticInsensitive], "cd"),
            ]
            let columns = letters.compactMap { options, name in attribute.folds[options].map { (name, quoted($0)) } }
            fields.append(("folded", inline(columns)))
        }
        if !attribute.cases.isEmpty {
            fields.append(("cases", JSON.text(PredicateValue.array(attribute.cases).plainForJSON)))
        }
        if let value = attribute.defaultValue { fields.append(("default", JSON.text(value.plainForJSON))) }
        if let name = attribute.formerly { fields.append(("formerly", quoted(name))) }
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
            fields.append(("join", inline([("table", quoted(table)), ("from", columns(from)), ("to", columns(to))])))
        case nil: break
        }
        if let inverse = relationship.inverse { fields.append(("inverse", quoted(inverse))) }
        if let rule = relationship.onDelete { fields.append(("onDelete", quoted(rule.rawValue))) }
        if let name = relationship.formerly { fields.append(("formerly", quoted(name))) }
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

extension PredicateValue {
    /// The value in the form of a default in a schema file. SchemaReader converts it back by the attribute's type.
    fileprivate var plainForJSON: PredicateValue {
        switch self {
        case .date(let seconds): .double(seconds)
        case .decimal(let number): .string("\(number)")
        case .uuid(let id): .string(id.description)
        case .url(let text): .string(text)
        case .array(let elements): .array(elements.map { $0.plainForJSON })
        default: self
        }
    }
}
