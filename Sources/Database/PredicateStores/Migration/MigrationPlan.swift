// In: two versions of a schema, a mapping, and a database with the old version. Out: what MigrationRun.swift executes, or
// the obstacles to it, before a row is read. For Tests/Tool/Sessions/fixtures/migrate/todo.sqlite and its mapping:
//
//     renames   ALTER TABLE "item" RENAME COLUMN "name" TO "title"
//     rebuilt   item, because `isUrgent` is a new column
//     mappings  Item from Item, where done == NO OR lastAlert != nil: title from the key name, isUrgent from the mapping
//
// The row (1, 'Apples', NULL, 0) becomes (1, 'Apples', NULL, 0, 1).

struct MigrationPlan {
    /// The source of the value of a new key.
    enum Origin {
        /// A key of the old object.
        case key(String)
        /// The key that the columns of a to-one relationship hold.
        case storedKey(String)
        /// A column of the old object's primary key.
        case primaryKey(Int)
        case expression(CompiledExpression)
        case predicate(PredicateMatcher<PredicateValue>)
        case none
    }

    /// Makes the objects of an entity from those of another one.
    struct EntityMapping {
        let entity: String
        let source: String
        let predicate: FormatPredicate
        /// The code in the old discriminator column, if only objects of exactly the source entity are taken.
        let code: PredicateValue?
        let origins: [(key: String, origin: Origin)]
        /// The keys with a mapped value; numbers among these values may become texts.
        let mapped: Set<String>
        /// The to-many relationships that are written.
        let links: [PredicateSchema.Relationship]
        /// Whether its table is made again; false if only links are written.
        let writesRows: Bool
        let policy: MigrationMapping.Policy?
        /// The relationships that the origins read, for many objects together.
        let prefetch: [String]
    }

    /// The name of the attribute that carries over a column without a key: one that no schema names, or
    /// the discriminator.
    static func carrier(_ column: String) -> String { "column:" + column.replacing(".", with: "_") }

    /// The old version after `renames`: its keys have their old names, its tables and columns the new ones.
    let old: PredicateSchema
    let new: PredicateSchema
    let differences: [SchemaDifference]
    /// The statements that rename tables and columns.
    let renames: [String]
    /// The changes of the schema on a copy.
    private(set) var trial: SchemaTrial
    private(set) var mappings: [EntityMapping] = []
    /// The new definitions of the tables that are created again and filled by the mappings.
    private(set) var rebuilt: [String: TableDefinition] = [:]
    /// The tables of the old version that are dropped.
    private(set) var dropped: [String] = []
    private(set) var notes: [String] = []
    private(set) var obstacles: [MigrationObstacle] = []
    /// The entities that are not made because of an obstacle.
    private(set) var unmade: Set<String> = []
    /// The views whose rows are read. They may change before that.
    var views: Set<String> {
        Set(mappings.map { old.table(of: $0.source) }.filter { trial.original[$0]?.isView ?? false })
    }
    /// Whether the rows can be read and written, so that they may be tried although there are obstacles.
    private(set) var canFill = true

    /// - Parameter allowed: the names of what may be lost.
    init(
        from version: PredicateSchema, to wanted: PredicateSchema, _ mapping: MigrationMapping, _ store: SQLiteStore,
        allowingLossOf allowed: Set<String>
    ) throws(StoreFailure) {
        differences = SchemaPairs(old: version, new: wanted).differences
        trial = try SchemaTrial(store)
        let (carried, new) = try Self.carrying(version, wanted, mapping, trial.tables)
        let changes = MigrationRenames(SchemaPairs(old: carried, new: new), mapping, trial.tables)
        old = try changes.applied(to: carried)
        self.new = new
        renames = changes.statements
        try trial.rename(renames)
        let before = TableDefinition.tables(of: old)
        let after = TableDefinition.tables(of: new)
        findMissingColumns(before)
        findRebuilt(before, after, mappedTables(mapping))
        findDropped(before, after)
        for name in mapping.sources.keys.sorted() where new.entity(name) == nil {
            let nearest = Suggestions.question(name, in: new.entityNames)
            obstacles.add(name, nil, "the mapping names an entity that the new version lacks" + nearest)
        }
        for entity in new.entities { try addMappings(entity, mapping, version) }
        if !trial.isBlocked { try trial.replace(rebuilt, before, dropping: dropped, changes.tables) }
        obstacles += trial.obstacles
        addLosses(allowed)
        canFill = canFill && !trial.isBlocked
    }

    /// Adds an obstacle for everything that cannot be kept, or a note if its loss is allowed.
    private mutating func addLosses(_ allowed: Set<String>) {
        let allowed = Set(allowed.map { $0.lowercased() })
        for loss in trial.losses.map(\.withOriginalNames) {
            if allowed.contains(loss.name.lowercased()) {
                notes.append("\(loss.shown) is lost: \(loss.reason)")
            } else {
                obstacles.add(
                    loss.table, nil,
                    "\(loss.shown) cannot be kept: \(loss.reason); change it first, or allow losing '\(loss.name)'")
            }
        }
        for part in trial.tables.parts where trial.obsolete.contains(part.key) {
            notes.append("the index '\(part.name)' is dropped with the relationship that it serves")
        }
        let known = Set(trial.losses.map { $0.withOriginalNames.name.lowercased() })
        for name in allowed.subtracting(known).sorted() { notes.append("nothing named '\(name)' would be lost") }
        for name in dropped {
            let parts = trial.tables.parts.filter { $0.table.lowercased() == name.lowercased() }
            if parts.isEmpty { continue }
            let list = parts.map { "the \($0.type) '\($0.name)'" }.joined(separator: ", ")
            notes.append("the table '\(name.replacing(MigrationRenames.aside, with: ""))' is dropped with \(list)")
        }
    }

    // MARK: Columns that neither version names

    /// Returns both versions without attributes inside JSON columns, and with attributes for the columns that neither
    /// names, so that these columns are kept. The old version also gets the discriminator columns.
    private static func carrying(
        _ old: PredicateSchema, _ new: PredicateSchema, _ mapping: MigrationMapping, _ tables: DatabaseTables
    ) throws(StoreFailure) -> (PredicateSchema, PredicateSchema) {
        let pairs = SchemaPairs(old: old, new: new)
        let known = TableDefinition.tables(of: old)
        let wanted = TableDefinition.tables(of: new)
        var olds = old.entities.map(\.withoutDocuments)
        var news = new.entities.map(\.withoutDocuments)
        func isRoot(_ name: String, _ schema: PredicateSchema) -> Bool {
            let table = schema.table(of: name)
            return !schema.lineage(of: name).dropFirst().contains { schema.table(of: $0.name) == table }
        }
        func carrier(_ column: String) -> PredicateSchema.Attribute {
            PredicateSchema.Attribute(Self.carrier(column), .any, isOptional: true, column: column)
        }
        var seen: Set<String> = []
        for index in olds.indices where isRoot(olds[index].name, old) {
            if let column = olds[index].discriminator { olds[index].attributes.append(carrier(column)) }
            let table = old.table(of: olds[index].name)
            func isNatural(_ place: Int) -> Bool { pairs.source(of: new.entities[place])?.name == olds[index].name }
            let places = news.indices.filter { place in
                guard let sources = mapping.sources[news[place].name] else { return isNatural(place) }
                return sources.allSatisfy { old.entity($0.entity) != nil && old.table(of: $0.entity) == table }
            }.filter { isRoot(news[$0].name, new) }
            let place = places.first(where: isNatural) ?? places.first
            guard seen.insert(table).inserted, let place else { continue }
            let taken = Set(
                (known[table]?.columnNames ?? []) + (wanted[new.table(of: news[place].name)]?.columnNames ?? []))
            for column in tables[table]?.columns ?? []
            where !column.isGenerated && !taken.contains(where: { $0.lowercased() == column.name.lowercased() }) {
                olds[index].attributes.append(carrier(column.name))
                news[place].attributes.append(carrier(column.name))
            }
        }
        return (try PredicateSchema(stored: olds, like: old), try PredicateSchema(stored: news, like: new))
    }

    // MARK: Tables

    /// Refuses tables and columns that the old version has and the database lacks.
    private mutating func findMissingColumns(_ before: [String: TableDefinition]) {
        for (name, definition) in before.sorted(by: { $0.key < $1.key }) {
            // If a column is renamed, the views that show it change, too.
            let tables = trial.original[name]?.isView ?? false ? trial.original : trial.tables
            let missing = definition.columns.map(\.name).filter { !tables.has([$0], in: name) }
            if missing.isEmpty { continue }
            let what =
                tables[name] == nil
                ? "no table" : "no column '\(missing.joined(separator: "', '"))' in the table"
            obstacles.add(name, nil, "the database has \(what) '\(name)': is it in the version to migrate from?")
            canFill = false
        }
    }

    /// The tables with rows or links that the mapping computes.
    private func mappedTables(_ mapping: MigrationMapping) -> Set<String> {
        var mapped: Set<String> = []
        for entity in new.entities {
            let isMapped = mapping.sources[entity.name] != nil
            if isMapped { mapped.insert(new.table(of: entity.name)) }
            for relationship in new.lineage(of: entity.name).flatMap(\.relationships) {
                switch relationship.link {
                case .foreignKey where isMapped: mapped.insert(new.table(of: relationship.target))
                case .join(let table, _, _) where isMapped || mapping.sources[relationship.target] != nil:
                    mapped.insert(table)
                default: break
                }
            }
        }
        return mapped
    }

    /// Tables are created again if they are mapped or differ. A table or column that the database has
    /// and only the new version names is refused.
    private mutating func findRebuilt(
        _ before: [String: TableDefinition], _ after: [String: TableDefinition], _ mapped: Set<String>
    ) {
        for (name, definition) in after.sorted(by: { $0.key < $1.key }) {
            if let view = trial.tables[name], view.isView {
                checkView(view, definition, isMapped: mapped.contains(name))
                continue
            }
            guard mapped.contains(name) || !(before[name]?.matches(definition) ?? false) else { continue }
            rebuilt[name] = definition
            guard let table = trial.tables[name] else { continue }
            let known = before[name]
            let found = table.columns.map(\.name).filter { definition.has($0) && !(known?.has($0) ?? false) }
            let what = known == nil ? "table '\(name)'" : "column '\(found.joined(separator: "', '"))' in '\(name)'"
            if known == nil || !found.isEmpty {
                obstacles.add(name, nil, "the database has a \(what) that the old version does not name")
            }
        }
    }

    private mutating func findDropped(_ before: [String: TableDefinition], _ after: [String: TableDefinition]) {
        for name in before.keys.sorted() where after[name] == nil {
            guard let table = trial.tables[name] else { continue }
            if table.isView { notes.append("'\(name)' is a view, and stays") } else { dropped.append(name) }
        }
    }

    /// A view has no rows of its own. It stays as it is.
    private mutating func checkView(_ view: DatabaseTable, _ definition: TableDefinition, isMapped: Bool) {
        let missing = definition.columns.map(\.name).filter { view.column($0) == nil }
        let problem =
            isMapped
            ? "leave it out of the mapping"
            : missing.isEmpty ? nil : "it has no column '\(missing.joined(separator: "', '"))': change it yourself"
        guard let problem else { return }
        obstacles.add(view.name, nil, "'\(view.name)' is a view: \(problem)")
    }

    // MARK: Entities

    private mutating func addMappings(
        _ entity: PredicateSchema.Entity, _ mapping: MigrationMapping, _ version: PredicateSchema
    ) throws(StoreFailure) {
        let writesRows = rebuilt[new.table(of: entity.name)] != nil
        if writesRows, new.hasAncestorRowsWithoutCode(entity.name) {
            unmade.insert(entity.name)
            return obstacles.add(
                entity.name, nil, "it shares a table with its parent: give both a discriminator and codes")
        }
        guard let sources = mapping.sources[entity.name] else {
            guard let source = SchemaPairs(old: old, new: new).source(of: entity) else { return }
            let links = links(entity.name, source.name, given: [], mapping)
            if writesRows || !links.isEmpty { addMapping(entity.name, source.name, nil, links, writesRows, version) }
            return
        }
        for source in sources {
            guard old.entity(source.entity) != nil else {
                unmade.insert(entity.name)
                let nearest = Suggestions.question(source.entity, in: old.entityNames)
                obstacles.add(entity.name, nil, "the old version has no entity '\(source.entity)'" + nearest)
                continue
            }
            let links = links(entity.name, source.entity, given: Set(source.values.keys), mapping)
            addMapping(entity.name, source.entity, source, links, writesRows, version)
        }
    }

    /// The to-many relationships that have a source and whose links are stored in tables that are created again.
    private func links(
        _ entity: String, _ source: String, given: Set<String>, _ mapping: MigrationMapping
    ) -> [PredicateSchema.Relationship] {
        let pairs = SchemaPairs(old: old, new: new)
        return new.lineage(of: entity).flatMap(\.relationships).filter { relationship in
            let isGiven = given.contains(relationship.name)
            guard isGiven || pairs.source(of: relationship, entity, from: source) != nil else { return false }
            switch relationship.link {
            case .join(let table, _, _):
                // A join table that is also the table of an entity is filled with the rows of that entity.
                return rebuilt[table] != nil && !new.entityNames.contains { new.table(of: $0) == table }
            case .foreignKey(let columns):
                let table = new.table(of: relationship.target)
                return rebuilt[table] != nil && (isGiven || !isFilled(columns, of: table, mapping))
            case .column, nil: return false
            }
        }
    }

    /// Whether a to-one relationship of the table fills these columns.
    private func isFilled(_ columns: [String], of table: String, _ mapping: MigrationMapping) -> Bool {
        let pairs = SchemaPairs(old: old, new: new)
        return new.entities.contains { entity in
            guard new.table(of: entity.name) == table else { return false }
            let given = mapping.sources[entity.name]
            let sources = given?.map(\.entity) ?? [pairs.source(of: entity)?.name].compactMap(\.self)
            return entity.relationships.contains { relationship in
                guard case .column(columns)? = relationship.link else { return false }
                return given?.contains { $0.values[relationship.name] != nil } ?? false
                    || sources.contains { pairs.source(of: relationship, entity.name, from: $0) != nil }
            }
        }
    }

    private mutating func addMapping(
        _ entity: String, _ source: String, _ given: MigrationMapping.Source?, _ links: [PredicateSchema.Relationship],
        _ writesRows: Bool, _ version: PredicateSchema
    ) {
        var origins: [(String, Origin)] = []
        var reads: Set<String> = []
        let values = given?.values ?? [:]
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            if new.key(key, of: entity) == nil, !new.primaryKey(of: entity).contains(key) {
                let nearest = Suggestions.question(key, in: new.keys(of: entity))
                obstacles.add(entity, key, "the new version has no such key" + nearest)
            } else if isGenerated(key, of: entity) {
                obstacles.add(entity, key, "the database computes it: leave it out of the mapping")
            } else if let origin = compiled(value, entity, key, source, version, &reads) {
                origins.append((key, origin))
            }
        }
        let isValid = given.map { accept($0.predicate, entity, nil, source, version) } ?? true
        for (key, origin) in inferred(entity, source, given) where values[key] == nil {
            let isWanted = writesRows || links.contains { $0.name == key }
            if case .key(let name) = origin, isWanted, case .relationship? = old.key(name, of: source) {
                reads.insert(name)
            }
            if isWanted { origins.append((key, origin)) }
        }
        let isExact = given == nil && old.lineage(of: source).contains { $0.discriminator != nil }
        let mapping = EntityMapping(
            entity: entity, source: source, predicate: given?.predicate ?? .constant(true),
            code: isExact ? old.entity(source)?.code : nil, origins: origins, mapped: Set(values.keys), links: links,
            writesRows: writesRows, policy: given?.policy, prefetch: reads.sorted())
        if isValid { mappings.append(mapping) } else { unmade.insert(entity) }
    }

    private func isGenerated(_ key: String, of entity: String) -> Bool {
        guard case .attribute(let attribute)? = new.key(key, of: entity) else { return false }
        return trial.tables[new.table(of: entity)]?.column(attribute.column)?.isGenerated ?? false
    }

    /// The origins of all keys of an entity, by names and types.
    private mutating func inferred(
        _ entity: String, _ source: String, _ given: MigrationMapping.Source?
    ) -> [(String, Origin)] {
        let pairs = SchemaPairs(old: old, new: new)
        let (key, oldKey) = (new.primaryKey(of: entity), old.primaryKey(of: source))
        /// The column of the old primary key that a column of the new one comes from.
        func part(_ column: String) -> Origin? {
            key.count == oldKey.count ? key.firstIndex(of: column).map { .primaryKey($0) } : nil
        }
        var found: [(String, Origin)] = []
        let attributes = new.lineage(of: entity).flatMap(\.attributes)
        for attribute in attributes {
            if let former = pairs.source(of: attribute, entity, from: source) {
                let isGiven = given.map { $0.values[attribute.name] != nil || $0.policy != nil } ?? false
                if !isGiven, !attribute.type.widens(former.type) {
                    let isText = former.type == .string && attribute.type == .date
                    let example = isText ? ", such as \"CAST(\(former.name), 'NSDate')\"" : ""
                    obstacles.add(
                        entity, attribute.name,
                        "it was \(former.type.shown) and is \(attribute.type.shown): give a mapping for it\(example)")
                }
                found.append((attribute.name, .key(former.name)))
            } else {
                found.append((attribute.name, part(attribute.column) ?? .none))
            }
        }
        for column in key where !attributes.contains(where: { $0.column == column }) {
            if let origin = part(column) { found.append((column, origin)) }
        }
        for relationship in new.lineage(of: entity).flatMap(\.relationships) {
            guard let former = pairs.source(of: relationship, entity, from: source) else { continue }
            if case .column? = relationship.link, case .column? = former.link {
                found.append((relationship.name, .storedKey(former.name)))
            } else if former.link != nil {
                found.append((relationship.name, .key(former.name)))
            }
        }
        return found
    }

    // MARK: Values of the mapping

    private mutating func compiled(
        _ value: MigrationMapping.Value, _ entity: String, _ key: String, _ source: String, _ version: PredicateSchema,
        _ reads: inout Set<String>
    ) -> Origin? {
        do throws(PredicateFailure) {
            switch value {
            case .expression(let expression):
                let checker = try TypeChecker(schema: version, entity: source, in: expression.environment)
                let findings = checker.check(expression.root, source: expression.source, adding: []).diagnostics
                guard accept(findings, entity, key) else { return nil }
                reads.formUnion(relationships(try FormatPredicate("%@ == nil", expression).pathsRead, of: source))
                return .expression(try CompiledExpression(expression))
            case .predicate(let predicate):
                guard accept(predicate, entity, key, source, version) else { return nil }
                reads.formUnion(relationships(predicate.pathsRead, of: source))
                return .predicate(try predicate.compiled())
            }
        } catch {
            _ = accept(error.diagnostics, entity, key)
            return nil
        }
    }

    /// The relationships on some paths, which are read for many objects together.
    private func relationships(_ paths: [[String]], of source: String) -> [String] {
        paths.compactMap { path in
            var found: [String] = []
            var entity = source
            for key in path {
                guard case .relationship(let relationship)? = old.key(key, of: entity) else { break }
                found.append(key)
                entity = relationship.target
            }
            return found.isEmpty ? nil : found.joined(separator: ".")
        }
    }

    /// Adds an obstacle for the first error of a predicate. Returns false if there is one.
    private mutating func accept(
        _ predicate: FormatPredicate, _ entity: String, _ key: String?, _ source: String, _ version: PredicateSchema
    ) -> Bool {
        guard let checker = try? TypeChecker(schema: version, entity: source, in: predicate.environment) else {
            return true
        }
        return accept(checker.check(predicate.root, source: predicate.source, adding: []), entity, key)
    }

    private mutating func accept(_ findings: [PredicateDiagnostic], _ entity: String, _ key: String?) -> Bool {
        guard let error = findings.first(where: { $0.severity == .error }) else { return true }
        let place = key == nil ? "the mapping's 'where'" : "the mapping's value"
        obstacles.add(entity, key, "\(place): \(error.message)")
        return false
    }
}

extension ExpressionType.Kind {
    /// Whether all values of another type are values of this one, or become equal ones where they fit.
    fileprivate func widens(_ old: ExpressionType.Kind) -> Bool {
        switch (self, old) {
        case (.any, _), (.integer, .boolean), (.double, .integer), (.decimal, .integer): true
        case (.collection(.list, let new), .collection(.list, let old)): new.kind.widens(old.kind)
        default: self == old
        }
    }
}

extension PredicateSchema.Entity {
    /// The entity without attributes inside JSON columns, whose documents are copied as a whole.
    fileprivate var withoutDocuments: Self {
        var entity = self
        entity.attributes.removeAll { $0.json != nil }
        return entity
    }
}
