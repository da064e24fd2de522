// The values that an update assigns, computed from each object before the first one is changed.

struct AssignedValues {
    private let assignments: [KeyAssignment]
    private let expressions: [CompiledExpression?]
    private let layout: EntityLayout
    private let schema: PredicateSchema
    /// Whether all values are the same for every object.
    var areConstant: Bool { assignments.allSatisfy { $0.constant != nil } }
    /// The paths of relationships that the expressions read.
    let paths: [[String]]

    /// - Throws: `request`, for an unknown key, an expression with errors, and a constant that does not fit its key.
    init(
        _ assignments: [KeyAssignment], _ layout: EntityLayout, _ schema: PredicateSchema, _ request: StoreRequest
    ) throws(StoreFailure) {
        self.layout = layout
        self.schema = schema
        let fixed = assignments.map { $0.fixed(at: request.clock) }
        self.assignments = fixed
        paths = fixed.flatMap { PredicateTree.expression($0.expression.root).pathsRead }
        expressions = try StoreFailure.ofRequest { () throws(PredicateFailure) in
            _ = try schema.columns(fixed.filter { $0.constant != nil }, of: layout.entity)
            return try fixed.map { (assignment) throws(PredicateFailure) in
                if assignment.constant != nil { return nil }
                try schema.check(assignment, of: layout.entity)
                return try CompiledExpression(assignment.expression.reading(layout.entity, schema))
            }
        }
    }

    /// The columns of an object and their values, as `columns` makes them from constant assignments.
    ///
    /// - Throws: `request`, with the key and the object, for a value that cannot be computed or does not fit its key;
    ///   the failure of reading a relationship.
    func columns<Column>(
        of object: StoredObject, _ columns: ([KeyAssignment]) throws(PredicateFailure) -> [Column]
    ) throws(StoreFailure) -> [Column] {
        var found: [Column] = []
        for (assignment, expression) in zip(assignments, expressions) {
            do throws(PredicateFailure) {
                guard let expression else {
                    found += try columns([assignment])
                    continue
                }
                var value = try expression.value(of: .object(ObjectReference(object)))
                if case .relationship(let relationship)? = schema.key(assignment.key, of: layout.entity) {
                    value = schema.key(of: value, in: relationship)
                }
                found += try columns([KeyAssignment(assignment.key, value)])
            } catch {
                if let failure = error.storeFailure { throw failure }
                let reason = error.diagnostics.first.map { $0.id == .cannotAssign ? $0.details.last ?? "" : $0.message }
                let sentence = "\(reason ?? "")\(object.mark)"
                throw .request(PredicateFailure(.cannotAssign, assignment.key, sentence))
            }
        }
        return found
    }
}

extension StoreFailure {
    /// The failure of a change that computes unique keys, with the reason why it may be none at the end.
    func explainingComputedKeys() -> StoreFailure {
        guard case .constraint(let constraint) = self, constraint.kind == .unique || constraint.kind == .primaryKey
        else { return self }
        return .constraint(
            StoreConstraint(
                constraint.kind, table: constraint.table, columns: constraint.columns,
                message: constraint.message
                    + "; the database tests each row when it is changed, so keys must also be unique in between"))
    }
}
