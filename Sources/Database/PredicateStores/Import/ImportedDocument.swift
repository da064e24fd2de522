// Collects the rows of one record (with the objects nested in it) or of one archive, and the links between them.
// Importer.swift writes them.
import PredicateRecords

/// Collects the rows of one record or archive.
struct ImportedDocument {
    typealias Fields = [(name: String, value: Result<PredicateValue, DocumentProblem>)]

    /// The object or key that a value refers to.
    private enum Target {
        case row(ImportedRow)
        case key([PredicateValue])
    }

    /// The keys of an entry in a file of losses, as an earlier import wrote it.
    static let lossKeys: Set<String> = ["at", "entity", "reason", "record"]

    let layouts: SchemaLayout
    let options: ImportOptions
    let place: String
    let texts: FieldTexts
    var archive: ArchivedObjects?
    /// Makes the key of an object that has none.
    let makeKey: (EntityLayout) throws(StoreFailure) -> [PredicateValue]?

    private(set) var rows: [ImportedRow] = []
    private(set) var links: [ImportedLink] = []
    private(set) var losses: [ImportLoss] = []
    private var byReference: [Int64: ImportedRow] = [:]
    private var byKey: [RowIdentity: ImportedRow] = [:]
    private var waiting: [(ImportedRow, Fields)] = []

    init(
        _ layouts: SchemaLayout, _ options: ImportOptions, _ place: String, _ texts: FieldTexts,
        archive: ArchivedObjects?,
        makeKey: @escaping (EntityLayout) throws(StoreFailure) -> [PredicateValue]?
    ) {
        self.layouts = layouts
        self.options = options
        self.place = place
        self.texts = texts
        self.archive = archive
        self.makeKey = makeKey
    }

    /// Adds an object, or each of a list, with all objects to which it refers. Not recursive: a chain may be long.
    mutating func add(_ value: PredicateValue, _ layout: EntityLayout) {
        if let elements = value.elements, archive != nil {
            for element in elements { add(element, layout) }
            return
        }
        do throws(ImportProblem) {
            guard case .row? = try target(of: value, layout, isRoot: true) else {
                throw ImportProblem(reason: "a record is expected, not \(value.typeDescription)")
            }
        } catch {
            lose(layout, error.reason, typed(value, layout))
        }
        while let (row, fields) = waiting.popLast() { fill(row, fields) }
    }

    /// Adds the references that rows have in columns. Call it after the last `add`.
    mutating func finish() {
        for row in rows {
            do throws(ImportProblem) {
                try refer(row)
            } catch {
                row.problem = row.problem ?? error.reason
            }
        }
    }

    private mutating func lose(_ layout: EntityLayout, _ reason: String, _ record: ValueDictionary? = nil) {
        losses.append(ImportLoss(place: place, entity: layout.entity, reason: reason, record: record))
    }

    /// Adds the references that a row gives in the columns of a relationship, as in `employer_id` of CSV.
    private mutating func refer(_ row: ImportedRow) throws(ImportProblem) {
        for (relationship, columns, attributes) in row.layout.references {
            let parts = attributes.map { row.value($0) ?? .null }
            guard !parts.contains(where: \.isNil) else { continue }
            let known = row.value(relationship.name) ?? .null
            if !known.isNil {
                let other = known.key(of: columns.count) ?? []
                if zip(other, parts).contains(where: { !$0.isSameKey(as: $1) }) {
                    throw ImportProblem(
                        reason: "'\(relationship.name)' of \(row.name) is \(JSON.text(known)), and "
                            + "'\(attributes.joined(separator: ", "))' is \(ImportedRow.text(parts))")
                }
                continue
            }
            let target = try layouts.known(relationship.target)
            let key = try converted(parts, target)
            links.append(
                ImportedLink(row: row, relationship: relationship, kind: .own(columns), target: target, key: key))
        }
    }

    // MARK: Values

    /// A record that cannot be read, for the file of losses: of a CSV file, with the values that can be converted.
    private func typed(_ value: PredicateValue, _ layout: EntityLayout) -> ValueDictionary? {
        guard archive == nil, case .dictionary(let record) = value else { return nil }
        if texts == .none { return record }
        return ValueDictionary(
            zip(record.keys, record.values).map { name, value in (name, (try? converted(value, name, layout)) ?? value)
            })
    }

    /// Converts a value of the file to the type of its attribute.
    private func converted(
        _ value: PredicateValue, _ name: String, _ layout: EntityLayout
    ) throws(ImportProblem) -> PredicateValue {
        guard case .attribute(let attribute)? = layouts.schema.key(name, of: layout.entity) else { return value }
        if let loss = value.loss(in: SQLColumn(table: layout.table, column: attribute.column), layouts.rounding) {
            throw ImportProblem(reason: "the field '\(name)': \(loss)")
        }
        if texts == .quoted, value == "", attribute.type != .string { return .null }
        let reason: String
        do throws(FieldTypeProblem) {
            let typed = texts != .none ? try attribute.type.converted(value, field: name) : value
            if let assigned = attribute.assigned(typed) { return assigned }
            if let type = attribute.swiftType(refusing: typed) {
                reason = "the field '\(name)' is \(typed), which \(type) cannot represent"
            } else if let cases = attribute.cases(refusing: typed) {
                reason = "the field '\(name)' is \(typed), which is none of \(cases)"
            } else {
                throw attribute.type.problem(value, field: name)
            }
        } catch {
            reason = error.message
        }
        throw ImportProblem(reason: reason)
    }

    private func converted(
        _ key: [PredicateValue], _ layout: EntityLayout
    ) throws(ImportProblem) -> [PredicateValue] {
        try zip(layout.keyNames, key).map { (name, part) throws(ImportProblem) in try converted(part, name, layout) }
    }

    // MARK: Objects

    /// Returns the object that a value contains, or the key that it gives; nil for nil.
    private mutating func target(
        of value: PredicateValue, _ layout: EntityLayout, isRoot: Bool = false
    ) throws(ImportProblem) -> Target? {
        if value.isNil { return nil }
        if archive != nil, let uid = KeyedArchive.uid(value) {
            if let known = byReference[uid] { return .row(known) }
            let fields: Fields
            do throws(DocumentProblem) {
                fields = try archive?.fields(uid) ?? []
            } catch {
                throw ImportProblem(reason: error.message)
            }
            let row = try row(fields, try layouts.special(archive?.className(uid), of: layout), isRoot: isRoot)
            byReference[uid] = row
            return .row(row)
        }
        if case .dictionary(let dictionary) = value {
            let fields: Fields = zip(dictionary.keys, dictionary.values).map { ($0, .success($1)) }
            // A nested object that has only its key refers to an existing row.
            if !isRoot, dictionary.keys.allSatisfy(layout.keyNames.contains), let key = try key(in: fields, layout),
                !key.contains(where: \.isNil)
            {
                return .key(key)
            }
            return .row(try row(fields, layout, isRoot: isRoot, dictionary))
        }
        if isRoot { return nil }
        guard let parts = value.key(of: layout.primaryKey.count), !layout.primaryKey.isEmpty else {
            throw ImportProblem(reason: "\(JSON.text(value)) is not a key of \(layout.entity)")
        }
        return .key(try converted(parts, layout))
    }

    private mutating func row(
        _ fields: Fields, _ layout: EntityLayout, isRoot: Bool, _ original: ValueDictionary? = nil
    ) throws(ImportProblem) -> ImportedRow {
        let stored = try key(in: fields, layout)
        // A key with NULL is stored, and names no row.
        let given = stored?.contains(where: \.isNil) ?? false ? [] : stored
        let identity = given.flatMap { $0.isEmpty ? nil : RowIdentity(table: layout.table, key: $0) }
        if let identity, let known = byKey[identity] {
            waiting.append((known, fields))
            return known
        }
        let made = try ImportProblem.catching { () throws(StoreFailure) -> [PredicateValue]? in
            if let given { given } else { try makeKey(layout) }
        }
        let row = ImportedRow(
            layout, place, made ?? [], hasMadeKey: given == nil && made != nil, isShared: given != nil && !isRoot,
            original, texts)
        if let stored, row.key.isEmpty {
            for (name, part) in zip(layout.keyNames, stored) { try row.set(name, part, replaces: false) }
        }
        if let identity { byKey[identity] = row }
        rows.append(row)
        waiting.append((row, fields))
        return row
    }

    /// The primary key in the fields of an object; nil if it has none.
    private func key(in fields: Fields, _ layout: EntityLayout) throws(ImportProblem) -> [PredicateValue]? {
        var key: [PredicateValue] = []
        for name in layout.keyNames {
            guard case .success(let value)? = fields.last(where: { $0.name == name })?.value else { return nil }
            if value.isNil {
                // An app's object that is not stored yet has no key.
                if archive != nil { return nil }
                guard !options.updates, case .attribute(let part)? = layouts.schema.key(name, of: layout.entity),
                    part.isOptional
                else {
                    throw ImportProblem(
                        reason: "'\(name)' is null in a record of \(layout.entity): give a key, or leave '\(name)' out")
                }
            }
            key.append(try converted(value, name, layout))
        }
        return key.isEmpty ? nil : key
    }

    // MARK: Fields

    private mutating func fill(_ row: ImportedRow, _ fields: Fields) {
        for (name, value) in fields where !options.ignoredKeys.contains(name) {
            switch value {
            case .success(let value):
                do throws(ImportProblem) {
                    try set(name, value, of: row)
                } catch {
                    row.problem = row.problem ?? error.reason
                    row.record.append((name, value))
                }
            case .failure(let problem):
                let reason = "'\(name)' of \(row.name): \(problem.message)"
                if options.keepsGoing { lose(row.layout, reason) } else { row.problem = row.problem ?? reason }
            }
        }
    }

    private mutating func set(_ name: String, _ value: PredicateValue, of row: ImportedRow) throws(ImportProblem) {
        let layout = row.layout
        switch layouts.schema.key(name, of: layout.entity) {
        case .attribute:
            if archive != nil, let uid = KeyedArchive.uid(value) {
                let type = archive?.className(uid).map { "an object of class \($0)" } ?? "a dictionary"
                throw ImportProblem(reason: "'\(name)' is \(type), and in the schema an attribute")
            }
            row.record.append((name, value))
            if layout.keyNames.contains(name) { return }
            try row.set(name, try converted(value, name, layout), replaces: options.updates)
        case .relationship(let relationship):
            try set(relationship, value, of: row)
        case nil where layout.keyNames.contains(name): row.record.append((name, value))
        case nil:
            let nearest = Suggestions.nearest(to: name, in: layout.keys).map { ": did you mean '\($0)'?" }
            throw ImportProblem(reason: "\(layout.entity) has no key '\(name)'\(nearest ?? "")")
        }
    }

    private mutating func set(
        _ relationship: PredicateSchema.Relationship, _ value: PredicateValue, of row: ImportedRow
    ) throws(ImportProblem) {
        let target = try layouts.known(relationship.target)
        guard let link = layouts.schema.link(of: relationship) else {
            throw ImportProblem(reason: "the schema has no column or table for '\(relationship.name)'")
        }
        if case .column(let columns) = link, value.isNil { try row.refer(relationship, columns, to: nil) }
        var keys: [PredicateValue] = []
        for element in relationship.isToMany ? value.elements ?? [value] : [value] {
            guard let other = try self.target(of: element, target) else { continue }
            let (otherRow, key): (ImportedRow?, [PredicateValue]) =
                switch other {
                case .row(let row): (row, row.key)
                case .key(let key): (nil, key)
                }
            let owner = relationship.isToMany ? row.layout : target
            if key.isEmpty || row.key.isEmpty && relationship.isToMany {
                throw ImportProblem(reason: "'\(relationship.name)' needs a primary key of \(owner.entity)")
            }
            keys.append(key.asKey)
            func add(_ kind: ImportedLink.Kind) {
                links.append(
                    ImportedLink(
                        row: row, relationship: relationship, kind: kind, target: otherRow?.layout ?? target, key: key,
                        object: otherRow))
            }
            switch link {
            case .column(let columns):
                try row.refer(relationship, columns, to: key)
                add(.own(columns))
            case .foreignKey(let columns):
                guard let otherRow else {
                    add(.other(columns))
                    continue
                }
                let inverse = try otherRow.belong(to: row, columns)
                links.append(
                    ImportedLink(
                        row: otherRow, relationship: inverse ?? relationship, kind: .own(columns), target: row.layout,
                        key: row.key, object: row))
            case .join(let table, let from, let to): add(.pair(table: table, from: from, to: to))
            }
        }
        row.record.append((relationship.name, relationship.isToMany ? .array(keys) : keys.first ?? .null))
    }
}

extension PredicateValue {
    /// The elements of a list or a set; nil for other values.
    var elements: [PredicateValue]? {
        switch self {
        case .array(let elements), .set(let elements): elements
        default: nil
        }
    }
}

extension StoreFailure {
    /// One line about a record.
    package var shortDescription: String {
        if case .request(let failure) = self, let first = failure.diagnostics.first { return first.message }
        return description
    }
}

extension SchemaLayout {
    func known(_ entity: String) throws(ImportProblem) -> EntityLayout {
        try ImportProblem.catching { () throws(StoreFailure) in try layout(entity) }
    }

    /// Returns the entity with the name of a class if it inherits from the layout's entity, else the layout's entity.
    func special(_ className: String?, of layout: EntityLayout) throws(ImportProblem) -> EntityLayout {
        guard let className, schema.lineage(of: className).contains(where: { $0.name == layout.entity }) else {
            return layout
        }
        return try known(className)
    }
}

extension PredicateSchema {
    /// Returns where a relationship is stored. If it has no columns of its own, the result is the inverse's place, seen
    /// from this side.
    func link(of relationship: Relationship) -> Relationship.Link? {
        if let link = relationship.link { return link }
        guard let inverse = relationship.inverse,
            case .relationship(let other)? = key(inverse, of: relationship.target)
        else { return nil }
        switch other.link {
        case .column(let columns)?: return relationship.isToMany ? .foreignKey(columns) : nil
        case .foreignKey(let columns)?: return .column(columns)
        case .join(let table, let from, let to)?: return .join(table: table, from: to, to: from)
        case nil: return nil
        }
    }
}
