// Resolves expressions to targets: looks up keys in the schema, joins to-one relationships, and creates subqueries for
// to-many relationships.

extension Lowering {
    func target(_ node: ExpressionNode) throws(Unsupported) -> Target {
        switch node.kind {
        case .value(.type): throw Unsupported("SQL has no equivalent of a type")
        case .value(let value): return .constant(Constant(value))
        case .selfObject: return .row(root)
        case .keyPath(let keys): return try follow(keys, from: .row(root))
        case .variable(let name):
            guard let target = variables[name] else { throw Unsupported("the variable $\(name) has no value yet") }
            return target
        case .member(let base, let step):
            switch step.kind {
            case .keyPath(let keys): return try follow(keys, from: try target(base))
            case .value(.string(let key)): return try follow([key], from: try target(base))
            case .selfObject: return try target(base)
            default: throw Unsupported("its key is known only when it is evaluated")
            }
        case .subquery(let collection, let variable, let predicate):
            return try subquery(collection, variable, predicate)
        case .aggregate(let nodes):
            let value = try Self.folded { () throws(EvaluationFault) in try rules.constant(node) }
            return value.map { .constant(Constant($0)) } ?? .list(nodes)
        case .index(let base, let index):
            if case .indexSymbol(.size) = index.kind { return try counted(try target(base)) }
            throw Unsupported("rows have no order, so they have no index")
        case .binary(let op, let left, let right): return try binary(op, try target(left), try target(right))
        case .negation(let inner): return try negation(try target(inner))
        case .call(let name, let arguments):
            return try callFunction(functions.function(named: name), name, try targets(arguments))
        case .method(let base, let selector, let arguments) where arguments.isEmpty:
            return try callFunction(functions.method(named: selector), selector, [try target(base)])
        case .method(_, let selector, _): throw Unsupported("the method \(selector) is evaluated in memory")
        case .cast(let inner, let type): return try cast(try target(inner), type)
        case .ternary(let condition, let one, let other):
            guard choices < 3 else { throw Unsupported("TERNARYs are nested too deeply") }
            choices += 1
            defer { choices -= 1 }
            let decision = meaning(condition)
            guard decision.hasSmallTruth else { throw Unsupported("the evaluation of too many of its terms can fail") }
            if case .constant(let value) = decision { return try target(value ? one : other) }
            return .choice(decision, try target(one), try target(other))
        case .assignment: throw Unsupported("an assignment is evaluated in memory")
        default: throw Unsupported("SQL has no equivalent")
        }
    }

    func counted(_ target: Target) throws(Unsupported) -> Target {
        guard case .many(let many) = target else {
            throw Unsupported("SQL counts only the rows of a to-many relationship")
        }
        return .count(many)
    }

    /// A value of a collection; nil if the collection is nil.
    func computed(
        of many: Many, _ value: (Many) throws(Unsupported) -> Target
    ) throws(Unsupported) -> Target {
        if !many.owner.isNullable { return try value(many) }
        var present = many
        present.owner = Operand(kind: many.owner.kind, type: many.owner.type, isNullable: false)
        return .choice(.isNotNull(many.owner), try value(present), .constant(Constant(.null)))
    }

    static func folded<Result>(_ body: () throws(EvaluationFault) -> Result) throws(Unsupported) -> Result {
        do throws(EvaluationFault) {
            return try body()
        } catch {
            throw Unsupported("its evaluation fails: \(error.diagnostic.message)")
        }
    }

    // MARK: Key paths

    private func follow(_ keys: [String], from start: Target) throws(Unsupported) -> Target {
        var target = start
        var keys = keys
        var index = -1
        while index + 1 < keys.count {
            index += 1
            if let entity = target.entity { keys = schema.joining(keys, at: index, of: entity) }
            let key = keys[index]
            if key.utf8.first != UInt8(ascii: "@") {
                if key != "self" { target = try step(key, target) }
                continue
            }
            guard let operation = CollectionOperator.named(key)?.kind, operation != .union,
                case .many(var many) = target, operation == .count ? index == keys.count - 1 : many.isOfMembers
            else { throw Unsupported("\(key) is computed in memory") }
            if operation == .count { return .count(many) }
            many.element = try computingYears(try follow(Array(keys[(index + 1)...]), from: many.element))
            switch operation {
            case .minimum, .maximum: return .extreme(many, isGreatest: operation == .maximum)
            default:
                return try computed(of: many) { (many) throws(Unsupported) in
                    try totalTarget(many, key, isSum: operation == .sum)
                }
            }
        }
        return target
    }

    /// Restricts a table that several entities share to the rows of one entity.
    func kind(of row: Row) -> Condition {
        guard let (column, codes) = schema.codes(of: row.entity), let first = codes.first, let type = SQLType(first)
        else {
            return .constant(true)
        }
        let operand = Operand.column(column, of: row.alias, type, isNullable: false)
        return codes.count == 1
            ? .compare(.equal, operand, .constant(first, type)) : .leaf(.list(operand, codes.map { Constant($0) }))
    }

    private func step(_ key: String, _ target: Target) throws(Unsupported) -> Target {
        switch target {
        case .row(let row): return try readKey(key, row)
        case .toOne(let columns, let row, let entity):
            if let target = try readReference(key, columns, entity) { return target }
            return try readKey(key, joined(columns, row, entity))
        case .many(var many):
            many.element = try step(key, many.element)
            if many.element.isMany { throw Unsupported("a path through two to-many relationships is a list of lists") }
            return .many(many)
        case .constant(let value) where value.isNil: return target
        case .value, .choice: return try callFunction(functions.property(named: key), key, [target])
        default: throw Unsupported("'\(key)' is read from a value, which happens in memory")
        }
    }

    private func readKey(_ key: String, _ row: Row) throws(Unsupported) -> Target {
        switch schema.key(key, of: row.entity) {
        case .attribute(let attribute):
            let nullable = attribute.isOptional || row.isOptional
            let document = JSONColumn(attribute)
            if document != nil, dialect.json == nil {
                throw Unsupported("values inside JSON are read in memory", column: attribute.column)
            }
            let column = Operand.Kind.column(alias: row.alias, name: attribute.place)
            guard let type = SQLType(attribute.type) else {
                // Encoded dates, or a type that SQL does not have.
                guard case .collection(.list, let element) = attribute.type, Encoding(attribute) == nil else {
                    return .opaque(Operand(kind: column, type: .data, isNullable: nullable))
                }
                let mayBeNull = nullable && dialect.lists.mayBeNull
                let list = Operand(kind: column, type: .data, isNullable: mayBeNull)
                return try readElements(list, of: element.kind, row)
            }
            return .value(
                Operand(
                    kind: column, type: type, isNullable: nullable,
                    mayBeNaN: attribute.allowsNaN && type == .double && dialect.numbers.storesNaN,
                    encoding: Encoding(attribute), range: attribute.range, folds: attribute.folds,
                    collation: attribute.collation))
        case .relationship(let relationship): return try readRelationship(relationship, row)
        case nil: throw Unsupported("\(row.entity) has no key '\(key)'")
        }
    }

    /// The elements of a list as rows, if the engine can access them.
    private func readElements(_ list: Operand, of element: ExpressionType.Kind, _ row: Row) throws(Unsupported)
        -> Target
    {
        // If a list is never NULL, the key decides whether there is a row.
        let owner = row.isOptional && !dialect.lists.mayBeNull ? try key(of: row)[0] : list
        guard let type = SQLType(element) else { return .opaque(owner) }
        let document = list.name.flatMap { schema.documents[$0] }
        if document != nil, let json = dialect.json {
            guard (json.elements ?? json.values)[type] != nil else { return .opaque(owner) }
            let alias = newAlias(nil)
            let value = Operand.column(JSONColumn.element(element).place, of: alias, type, isNullable: true)
            let scope = Scope(table: list.name ?? "", alias: alias, link: .elements(of: list, as: type))
            return .many(Many(scope: scope, element: .value(value), owner: owner))
        }
        guard let reached = dialect.lists.elements[type] else { return .opaque(owner) }
        let alias = newAlias(nil)
        let link: Scope.Link
        let value: Operand.Kind
        switch reached {
        case .rows:
            (link, value) = (.elements(of: reread(list, type, .listed), as: type), .column(alias: alias, name: "value"))
        case .lambda: (link, value) = (.lambda(over: list, of: type), .element(alias: alias))
        }
        return .many(
            Many(
                scope: Scope(table: list.name ?? "", alias: alias, link: link),
                element: .value(reread(Operand(kind: value, type: type, isNullable: true), type, .element)),
                owner: owner))
    }

    /// A list in the form from which the engine reads its elements, or an element in the form in which it is compared. The
    /// engine would read wrong doubles from a list's text.
    private func reread(_ operand: Operand, _ type: SQLType, _ scalar: Scalar) -> Operand {
        guard type == .double || type == .date, dialect.template(scalar) != nil else { return operand }
        return .call(scalar, [operand], operand.type)
    }

    private func readRelationship(
        _ relationship: PredicateSchema.Relationship, _ row: Row
    ) throws(Unsupported) -> Target {
        if case .column(let names)? = relationship.link, schema.entity(relationship.target) != nil {
            let columns = names.map { name in
                let isFilled = names.count > 1 && schema.requires(name, of: row.entity)
                return Operand.key(
                    name, of: row.alias, isNullable: relationship.isOptional && !isFilled || row.isOptional)
            }
            return .toOne(columns, from: row, to: relationship.target)
        }
        // Without a link, report that as the reason, not a missing key.
        return try readRows(relationship, of: relationship.link == nil ? [] : key(of: row))
    }

    /// The rows of a to-many relationship of the row with the key.
    private func readRows(
        _ relationship: PredicateSchema.Relationship, of owner: [Operand]
    ) throws(Unsupported) -> Target {
        guard let link = relationship.link else {
            throw Unsupported("the schema has no column or table for '\(relationship.name)'")
        }
        guard let target = schema.entity(relationship.target) else { throw Unsupported("its entity is unknown") }
        func rows(_ table: String, _ columns: [String], filled: [String] = []) -> Row {
            let link = Scope.Link.foreignKey(columns: columns, outer: owner)
            let scope = Scope(table: table, alias: newAlias(table), link: link, filled: filled)
            return Row(scope: scope, alias: scope.alias, entity: target.name, isOptional: false)
        }
        switch link {
        case .foreignKey(let columns):
            let row = rows(schema.table(of: target.name), columns)
            return .many(Many(scope: row.scope, element: .row(row), filter: kind(of: row), owner: owner[0]))
        case .join(let table, let from, let to):
            // The pairs are rows with a to-one relationship, which is not nil.
            let pair = rows(table, from, filled: to)
            let key = to.map { Operand.key($0, of: pair.alias) }
            return .many(Many(scope: pair.scope, element: .toOne(key, from: pair, to: target.name), owner: owner[0]))
        case .column: throw Unsupported("the schema has no column or table for '\(relationship.name)'")
        }
    }

    /// Reads a key of a to-one relationship from its column, without a join: the primary key that the column refers to, and
    /// the rows of a to-many relationship. nil for other keys.
    private func readReference(
        _ key: String, _ columns: [Operand], _ entity: String
    ) throws(Unsupported) -> Target? {
        func reference(_ attribute: PredicateSchema.Attribute) -> Operand? {
            guard schema.isReadFromReferences(attribute, entity), let type = SQLType(attribute.type) else { return nil }
            return Operand(kind: columns[0].kind, type: type, isNullable: columns[0].isNullable, range: attribute.range)
        }
        guard columns.count == 1 else { return nil }
        switch schema.key(key, of: entity) {
        case .attribute(let attribute): return reference(attribute).map(Target.value)
        case .relationship(let relationship) where relationship.isToMany:
            let owner = schema.referencedAttribute(of: entity).flatMap(reference)
            return try owner.map { (owner) throws(Unsupported) in try readRows(relationship, of: [owner]) }
        default: return nil
        }
    }

    /// The row of a to-one relationship. The same path always uses the same join. Its values are nullable even if the key
    /// is not: the key may refer to no row, or to a row of another entity.
    private func joined(_ columns: [Operand], _ row: Row, _ entity: String) throws(Unsupported) -> Row {
        let names = columns.compactMap { $0.name }
        func found(_ alias: Int) -> Row { Row(scope: row.scope, alias: alias, entity: entity, isOptional: true) }
        let known = row.scope.joins.first { $0.base == row.alias && $0.columns == names && $0.entity == entity }
        if let known { return found(known.alias) }
        let table = schema.table(of: entity)
        let target = found(newAlias(table))
        row.scope.joins.append(
            Scope.Join(
                alias: target.alias, entity: entity, table: table, key: try primaryKey(entity), base: row.alias,
                columns: names, kind: kind(of: target), hasKey: !columns.contains { $0.isNullable }))
        return target
    }

    /// The key columns of a row. They are NULL if a join has found no row.
    func key(of row: Row) throws(Unsupported) -> [Operand] {
        try primaryKey(row.entity).map { .key($0, of: row.alias, isNullable: row.isOptional) }
    }

    func primaryKey(_ entity: String) throws(Unsupported) -> [String] {
        let key = schema.primaryKey(of: entity)
        guard !key.isEmpty else { throw Unsupported("\(entity) has no primary key") }
        return key
    }
}

extension Operand {
    /// A key column. It is only compared with other keys.
    static func key(_ column: String, of alias: Int, isNullable: Bool = false) -> Operand {
        .column(column, of: alias, .integer, isNullable: isNullable)
    }

    static func column(_ name: String, of alias: Int, _ type: SQLType, isNullable: Bool) -> Operand {
        Operand(kind: .column(alias: alias, name: name), type: type, isNullable: isNullable)
    }
}

extension PredicateSchema {
    /// Whether the attribute is the primary key of the entity and can be read from a column that refers to it. Not for
    /// texts, because the schema gives the collation of the primary key only.
    fileprivate func isReadFromReferences(_ attribute: Attribute, _ entity: String) -> Bool {
        primaryKey(of: entity) == [attribute.column] && (attribute.type == .integer || attribute.type == .uuid)
            && Encoding(attribute) == nil
    }

    /// The attribute that SQL reads from the column of a to-one relationship, without a join; nil if there is none.
    package func referencedAttribute(of entity: String) -> Attribute? {
        lineage(of: entity).flatMap { $0.attributes }.first { isReadFromReferences($0, entity) }
    }

    /// Whether a column belongs to an attribute that is not optional.
    fileprivate func requires(_ column: String, of entity: String) -> Bool {
        lineage(of: entity).contains { $0.attributes.contains { $0.column == column && !$0.isOptional } }
    }
}

extension SQLType {
    /// The type of a value that can be bound; nil for others.
    package init?(_ value: PredicateValue) {
        if value.elements != nil { return nil }
        self.init(ExpressionType(of: value).kind)
    }

    /// nil for types that SQL cannot compare.
    package init?(_ type: ExpressionType.Kind) {
        switch type {
        case .boolean: self = .boolean
        case .integer: self = .integer
        case .double: self = .double
        case .decimal: self = .decimal
        case .string: self = .text
        case .date: self = .date
        case .data: self = .data
        case .uuid: self = .uuid
        case .url: self = .url
        case .any, .null, .number, .entity, .collection: return nil
        }
    }
}
