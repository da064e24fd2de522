// Reads the keys of groups and the values of aggregates from records, on one thread. RecordGroups.swift has the groups.

/// Reads the value of a column in many records. It knows the place of a field in the records, which usually have the same
/// keys in the same order.
struct ColumnReader {
    private let name: String
    /// Whether the column is a field of the record, and not an expression or a path.
    private let isField: Bool
    private var run: PlanRun?
    /// The field and the part of a column such as `day.year`, which are read without evaluating it.
    private let part: (field: String, part: DatePart, zone: PredicateTimeZone)?
    private var shape: ValueDictionary.Shape?
    private var position: Int?
    /// The position of the field of `part`.
    private var dated: Int?

    /// - Parameters:
    ///   - name: the field that is the value if a record has it.
    ///   - isField: whether a record without the field has no value.
    ///   - environment: has parts of dates if the column is a path to one.
    init(
        _ name: String, isField: Bool, _ expression: CompiledExpression?, in environment: PredicateEnvironment? = nil
    ) {
        (self.name, self.isField, run) = (name, isField, expression?.run)
        let keys = name.keyPathKeys
        let found = keys.count == 2 ? DatePart(rawValue: keys[1]) : nil
        let zone = environment.flatMap { $0.language.contains(.dates) ? $0.zone : nil }
        part = if let found, let zone { (keys[0], found, zone) } else { nil }
    }

    mutating func value(in record: PredicateValue) throws(PredicateFailure) -> PredicateValue {
        if case .dictionary(let dictionary) = record {
            if shape !== dictionary.shape {
                shape = dictionary.shape
                position = dictionary.shape.keys.firstIndex(of: name)
                dated = part.flatMap { dictionary.shape.keys.firstIndex(of: $0.field) }
            }
            // A record with selected fields has nil for the other fields.
            if let position, !dictionary.values[position].isNil { return dictionary.values[position] }
            if isField { return .null }
            if let part, let dated, case .date(let instant) = dictionary.values[dated] {
                return part.zone.part(part.part, of: instant).map(PredicateValue.integer) ?? .null
            }
        }
        return try run?.value(of: record).withoutObjects ?? .null
    }
}

/// Reads records for groups.
struct GroupReader {
    /// What is added to an aggregate. The readers are in a list of their own: one in an optional would be copied.
    private enum Source { case nothing, record, value(Int) }

    private var keys: [ColumnReader]
    private var values: [ColumnReader]
    private let sources: [Source]
    private var key: [PredicateValue]
    private var found: GroupKeys

    init(_ keys: [OutputKey], _ aggregates: [RecordGroups.GroupAggregate]) {
        self.keys = keys.map(\.reader)
        key = keys.map { _ in .null }
        found = GroupKeys(width: keys.count)
        var (values, sources): ([ColumnReader], [Source]) = ([], [])
        for aggregate in aggregates {
            guard let expression = aggregate.values else {
                sources.append(aggregate.operation == nil ? .record : .nothing)
                continue
            }
            sources.append(.value(values.count))
            let isField = aggregate.path.count == 2 && aggregate.path[1] != "self"
            values.append(ColumnReader(isField ? aggregate.path[1] : "", isField: isField, expression))
        }
        (self.values, self.sources) = (values, sources)
    }

    /// Adds a record to a batch; an empty one becomes a batch of this reader.
    /// - Parameters:
    ///   - known: the values of the keys, if they are known.
    ///   - number: records with the same number have the same values of the keys.
    /// - Throws: the failure of a key; then the record is not added.
    mutating func add(
        _ record: PredicateValue, key known: [PredicateValue]? = nil, number: Int? = nil, to batch: inout GroupBatch
    ) throws(PredicateFailure) {
        if batch.count == 0 { batch = found.batch(aggregates: sources.count) }
        if number.map({ found.add(number: $0, to: &batch) }) != true {
            if known == nil { for index in keys.indices { key[index] = try keys[index].value(in: record) } }
            found.add(known ?? key, number: number, to: &batch)
        }
        for index in sources.indices {
            do throws(PredicateFailure) {
                switch sources[index] {
                case .nothing: break
                case .record: batch.add(record, for: index)
                case .value(let reader): batch.add(try values[reader].value(in: record), for: index)
                }
            } catch {
                batch.failures = (batch.failures.count + 1, batch.failures.first ?? error)
                // No aggregate counts NSNull.
                batch.add(.nsNull, for: index)
            }
        }
    }
}
