// What UPDATE sets: keys looked up in the schema, values as their columns hold them.
package import PredicateModel
package import PredicateSyntax

extension Schema {
    /// The columns and what they get.
    func assignments(
        _ assignments: [SQLAssignment], of entity: String, _ dialect: Dialect
    ) throws(PredicateFailure) -> SQLFragment {
        var parts: [SQLFragment] = []
        for assignment in assignments {
            let (column, type) = try column(assignment, of: entity)
            let integers = try encoding(assignment, of: entity).flatMap { $0.isUsed(dialect) ? $0 : nil }
            let value = integers?.stored(assignment.value).map(Value.integer)
            parts.append(
                .identifier(column) + SQLFragment(" = ")
                    + .binding(value ?? assignment.value, value == nil ? type : .integer))
        }
        return .joined(parts, ", ")
    }

    /// The same for a store without SQL.
    package func columns(
        _ assignments: [SQLAssignment], of entity: String
    ) throws(PredicateFailure) -> [(column: String, value: Value)] {
        try assignments.map { (assignment) throws(PredicateFailure) in
            (try column(assignment, of: entity).column, assignment.value)
        }
    }

    /// What the integers of a column stand for that holds a value in this way; nil where it does not.
    private func encoding(
        _ assignment: SQLAssignment, of entity: String
    ) throws(PredicateFailure) -> Encoding? {
        guard !assignment.value.isNil, case .attribute(let attribute)? = key(assignment.key, of: entity),
            let encoding = Encoding(attribute)
        else { return nil }
        if encoding.stored(assignment.value) != nil { return encoding }
        let sentence = "no number of its column stands for \(ExpressionNode(.value(assignment.value)))"
        throw PredicateFailure(Diagnostic(.cannotAssign, at: .none, assignment.key, sentence))
    }

    /// Where a value goes, if it may.
    fileprivate func column(
        _ assignment: SQLAssignment, of entity: String
    ) throws(PredicateFailure) -> (column: String, type: SQLType) {
        func refused(_ sentence: String) -> PredicateFailure {
            PredicateFailure(Diagnostic(.cannotAssign, at: .none, assignment.key, sentence))
        }
        switch key(assignment.key, of: entity) {
        case .attribute(let attribute):
            guard let type = SQLType(attribute.type) else { throw refused("the schema does not say how it is stored") }
            if assignment.value.isNil {
                if attribute.isOptional { return (attribute.column, type) }
                throw refused("it is not optional")
            }
            guard type.holds(assignment.value) else {
                throw refused("it holds \(type.rawValue), not \(assignment.value.typeDescription)")
            }
            return (attribute.column, type)
        case .relationship(let relationship):
            guard case .column(let column)? = relationship.link else {
                throw refused("only attributes and to-one relationships are columns of the row")
            }
            if assignment.value.isNil, !relationship.isOptional { throw refused("it is not optional") }
            switch assignment.value {
            case .null, .nsNull, .integer: return (column, .integer)
            case .string: return (column, .text)
            case .uuid: return (column, .uuid)
            default: throw refused("it holds the key of a row, not \(assignment.value.typeDescription)")
            }
        case nil:
            let nearest = Suggestions.nearest(to: assignment.key, in: keys(of: entity))
            throw PredicateFailure(
                Diagnostic(.schemaKey, at: .none, entity, assignment.key, suggestion: nearest), source: "")
        }
    }
}

extension SQLType {
    /// Whether a column of the type stores the value as it is.
    fileprivate func holds(_ value: Value) -> Bool {
        switch (self, value) {
        case (.boolean, .bool), (.integer, .integer), (.double, .integer), (.decimal, .decimal), (.decimal, .integer),
            (.text, .string), (.data, .data), (.uuid, .uuid), (.url, .url):
            true
        case (.double, .double(let number)), (.date, .date(let number)): !number.isNaN
        default: false
        }
    }
}
