// The columns of a request for records: values of objects, or keys and aggregates of groups. They become the attributes
// of an artificial entity, so that HAVING, the order and the window are an ordinary request for that entity.
// PredicateStore+Records.swift computes the records in memory, SQL/SQLStore+Records.swift in SQL.

struct RecordShape: Sendable {
    /// A value of each record.
    struct Column: Sendable {
        /// The property as the request spells it: `employer.title`, `@sum.total`.
        let text: String
        /// The key path from the object to the value; empty for `@count`.
        let path: [String]
        /// nil for a value of the object or a key of the group.
        let aggregate: CollectionOperator?
        /// The attribute for it in the entity of the records.
        var attribute: PredicateSchema.Attribute
    }

    /// All columns: those that the records show, and those that only HAVING and the order read.
    private(set) var columns: [Column] = []
    /// The columns that the records show, in order.
    private(set) var shown: [Int] = []
    let isGrouped: Bool
    /// The schema, extended by the entity of the records.
    let schema: PredicateSchema
    /// The request for that entity: HAVING as its predicate, the order and the window.
    let request: StoreRequest
    let layout: EntityLayout
    let keys: ValueDictionary.Shape

    /// - Throws: `request`, for keys that the entity or the group does not have.
    init(_ request: StoreRequest, _ schema: PredicateSchema) throws(StoreFailure) {
        try schema.check(request, asRecords: true)
        var properties = request.properties
        var groupBy = request.groupBy
        let all = schema.lineage(of: request.entity).flatMap { $0.attributes.map(\.name) }
        if properties.isEmpty { properties = groupBy.isEmpty ? all : groupBy }
        let tested = request.having.aggregatesRead
        let aggregates = (properties + request.sort.map(\.path) + tested).filter(Self.isAggregate)
        if request.isDistinct {
            guard groupBy.isEmpty, aggregates.isEmpty else {
                throw .schema("a request for distinct records cannot have groups: their keys differ anyway")
            }
            groupBy = properties
        }
        isGrouped = !groupBy.isEmpty || !aggregates.isEmpty || request.having != .constant(true)
        keys = ValueDictionary.Shape(properties)
        let paths = isGrouped ? groupBy + aggregates : properties
        var found: [String: Int] = [:]
        for text in paths where found[text] == nil {
            found[text] = columns.count
            var column = try Self.column(text, columns.count, request.entity, schema, isKey: isGrouped)
            while columns.contains(where: { $0.attribute.name == column.attribute.name }) {
                column.attribute.name += "_"
            }
            columns.append(column)
        }
        let entity = PredicateSchema.Entity(
            isGrouped ? "a group of " + request.entity : request.entity + " as a record",
            attributes: columns.map(\.attribute))
        do throws(SchemaError) {
            self.schema = try PredicateSchema(schema.entities + [entity])
        } catch {
            throw .schema("\(error)")
        }
        layout = try EntityLayout(self.schema, entity.name)
        shown = []
        for text in properties {
            guard let index = found[text] else { throw Self.unknown(text, entity.name, paths) }
            shown.append(index)
        }
        var own = StoreRequest(entity.name, limit: request.limit, offset: request.offset, clock: request.clock)
        own.deadline = request.deadline
        if isGrouped {
            let names = found.mapValues { [columns] in columns[$0].attribute.name }
            for key in request.sort {
                guard let name = names[key.path] else { throw Self.unknown(key.path, entity.name, paths) }
                var renamed = key
                renamed.path = name
                own.sort.append(renamed)
            }
            // Groups that are equal by the sort keys are ordered by their keys.
            let isOrdered = !own.sort.isEmpty || own.limit != nil || own.offset > 0
            if isOrdered { own.sort += groupBy.compactMap { names[$0] }.map { PredicateSortKey($0) } }
            own.predicate = request.having.renaming(names).reading(entity.name, self.schema)
        }
        self.request = own
    }

    private static func isAggregate(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "@") }

    private static func unknown(_ text: String, _ entity: String, _ known: [String]) -> StoreFailure {
        let nearest = Suggestions.nearest(to: text, in: known)
        return .request(PredicateFailure(.unknownKey, entity, text, suggestion: nearest))
    }

    private static func column(
        _ text: String, _ index: Int, _ entity: String, _ schema: PredicateSchema, isKey: Bool
    ) throws(StoreFailure) -> Column {
        var path = text.keyPathKeys
        func failure(_ id: DiagnosticID, _ details: String...) -> StoreFailure {
            .request(PredicateFailure(PredicateDiagnostic(id, at: .none, details: details)))
        }
        var aggregate: CollectionOperator?
        if isAggregate(text) {
            let name = path.removeFirst()
            guard let known = CollectionOperator.named(name), known.kind != .union else {
                throw failure(.unknownCollectionOperator, name)
            }
            guard known.takesKey != path.isEmpty else {
                throw failure(.functionArguments, name, "a key after it", "none")
            }
            aggregate = known
        }
        var attribute = PredicateSchema.Attribute("", .integer)
        if !path.isEmpty {
            if let finding = schema.finding(path: path.joined(separator: "."), of: entity) {
                throw .request(PredicateFailure(finding))
            }
            attribute = try schema.attribute(at: path, of: entity, isSingle: isKey)
        }
        if let aggregate, !path.isEmpty {
            let element = ExpressionType(attribute.type, isOptional: attribute.isOptional)
            guard let type = aggregate.type(ofElements: element) else {
                throw failure(.operandType, aggregate.name, element.inWords)
            }
            if type.kind != attribute.type { attribute = PredicateSchema.Attribute("", type.kind) }
            attribute.isOptional = true
            if aggregate.kind != .minimum, aggregate.kind != .maximum {
                // The schema's range applies to single values, not to aggregates.
                attribute.range = nil
            }
        }
        attribute.name = text.replacing("@", with: "").replacing(".", with: "_")
        attribute.column = "c\(index)"
        attribute.json = nil
        attribute.folds = [:]
        return Column(text: text, path: path, aggregate: aggregate, attribute: attribute)
    }

    /// The record for an object of the records' entity.
    func record(_ object: StoredObject) -> ValueDictionary {
        record { object[columns[$0].attribute.name] }
    }

    /// The record with the given value in each column.
    func record(_ value: (Int) -> PredicateValue) -> ValueDictionary {
        ValueDictionary(shape: keys, values: shown.map { isGrouped ? value($0).normal : value($0) })
    }
}

extension PredicateSchema {
    /// The attribute at the end of a path, as an attribute of the first object.
    ///
    /// - Parameter isSingle: whether the path must end at a single value.
    fileprivate func attribute(
        at path: [String], of entity: String, isSingle: Bool
    ) throws(StoreFailure) -> PredicateSchema.Attribute {
        var entity = entity
        var isOptional = false
        let path = joining(path, of: entity)
        for (index, key) in path.enumerated() {
            switch self.key(key, of: entity) {
            // A value of type `any` may be a dictionary that has the remaining keys.
            case .attribute where index < path.count - 1: return PredicateSchema.Attribute("", .any)
            case .attribute(var attribute):
                if isSingle, case .collection = attribute.type { break }
                attribute.isOptional = attribute.isOptional || isOptional
                return attribute
            case .relationship(let relationship) where !relationship.isToMany:
                entity = relationship.target
                // A foreign key may refer to a row that does not exist.
                isOptional = true
                continue
            default: break
            }
            break
        }
        if !isSingle { return PredicateSchema.Attribute("", .any) }
        throw .request(PredicateFailure(.toManyKey, path.joined(separator: "."), "group by a single value"))
    }
}

extension FormatPredicate {
    /// The key paths that begin with an aggregate, such as `@sum.total`.
    fileprivate var aggregatesRead: [String] {
        tree.values { node -> String? in
            guard case .keyPath(let keys) = node.kind, keys.first?.utf8.first == UInt8(ascii: "@") else { return nil }
            return keys.joined(separator: ".")
        }
    }

    /// Returns the predicate with its keys renamed.
    fileprivate func renaming(_ names: [String: String]) -> FormatPredicate {
        let rewriter = PredicateRewriter<Never>(expression: { node in
            guard case .keyPath(let keys) = node.kind, let name = names[keys.joined(separator: ".")] else {
                return node
            }
            return ExpressionNode(.keyPath([name]), span: node.span)
        })
        return replacingRoot(rewriter.rewrite(root))
    }
}

extension PredicateValue {
    /// The representative of equal values in a group: 0 for -0.
    var normal: PredicateValue {
        switch self {
        case .double(let number): .double(number + 0)
        case .float(let number): .double(Double(number) + 0)
        case .date(let seconds): .date(seconds + 0)
        case .nsNull: .null
        default: self
        }
    }
}
