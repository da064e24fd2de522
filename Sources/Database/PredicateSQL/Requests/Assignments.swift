// The assignments of UPDATE: finds columns in the schema and converts values to their stored form.

extension PredicateSchema {
    /// The SET clause: columns and values.
    func assignments(
        _ assignments: [KeyAssignment], of entity: String, _ dialect: SQLDialect
    ) throws(PredicateFailure) -> SQLFragment {
        var parts: [SQLFragment] = []
        for assignment in assignments {
            if assignment.constant == nil {
                parts.append(try computed(assignment, of: entity, dialect))
            } else {
                parts += try storedColumns([assignment], of: entity, dialect).map { $0.equation(dialect) }
            }
        }
        return .joined(parts, ", ")
    }

    /// The columns that assignments set.
    package func columnNames(_ assignments: [KeyAssignment], of entity: String) -> [String] {
        assignments.flatMap { assignment in
            switch key(assignment.key, of: entity) {
            case .attribute(let attribute): [attribute.place]
            case .relationship(let relationship): relationship.link.map { $0.foreignKey ?? [] } ?? []
            case nil: [String]()
            }
        }
    }

    /// The columns, with their values in stored form. All assignments are constant.
    package func storedColumns(
        _ assignments: [KeyAssignment], of entity: String, _ dialect: SQLDialect
    ) throws(PredicateFailure) -> [StoredColumn] {
        var found: [StoredColumn] = []
        for assignment in assignments {
            let columns = try columns(assignment, of: entity)
            guard case .attribute(let attribute)? = key(assignment.key, of: entity) else {
                found += columns.map { StoredColumn($0.column, $0.value, $0.type) }
                continue
            }
            if attribute.json != nil {
                throw Self.refused(
                    assignment,
                    "it is inside the JSON column '\(attribute.column)', whose document is written as a whole")
            }
            if !dialect.stored.rounding.isEmpty,
                let loss = assignment.value.loss(
                    in: SQLColumn(table: table(of: entity), column: attribute.column), dialect.stored.rounding)
            {
                throw Self.refused(assignment, loss)
            }
            for (column, value, type) in columns {
                let encoding = Encoding(attribute)
                let stored = encoding?.stored(value)
                if encoding != nil, stored == nil, !value.isNil {
                    throw Self.refused(assignment, "its column cannot store \(ExpressionNode(.value(value)))")
                }
                if let encoding, let type = encoding.type(dialect) {
                    let bound = stored.map { encoding.binding($0, zone: dialect.zoneOfMoments) }
                    found.append(StoredColumn(column, bound ?? .null, type))
                } else if case .collection(_, let element) = attribute.type {
                    found.append(StoredColumn(column, list: value.elements, of: element.kind, dialect))
                } else {
                    found.append(StoredColumn(column, value, type))
                }
            }
            let text = attribute.assigned(assignment.value)?.stringValue
            for (options, column) in attribute.folds.ordered(by: { $0.value < $1.value }) {
                let folded = text.map { PredicateValue.string(StringFold.fold($0, options)) }
                found.append(StoredColumn(column, folded ?? .null, .text))
            }
        }
        return found
    }

    /// The columns and values of constant assignments, for a store that does not use SQL.
    package func columns(
        _ assignments: [KeyAssignment], of entity: String
    ) throws(PredicateFailure) -> [(column: String, value: PredicateValue)] {
        var found: [(column: String, value: PredicateValue)] = []
        for assignment in assignments {
            found += try columns(assignment, of: entity).map { ($0.column, $0.value) }
        }
        return found
    }

    /// The value converted to the attribute's type.
    package func assigned(
        _ assignment: KeyAssignment, to attribute: Attribute
    ) throws(PredicateFailure) -> PredicateValue {
        let value = assignment.value
        if value.isNil {
            if attribute.isOptional { return value }
            throw Self.refused(assignment, "it is not optional")
        }
        if let assigned = attribute.assigned(value) { return assigned }
        // YES prints as 1, which may be a value of the key.
        let text = if case .bool(let flag) = value { flag ? "YES" : "NO" } else { "\(ExpressionNode(.value(value)))" }
        let shown = text.count > 40 ? text.prefix(39) + "…" : text
        if attribute.type == .any { throw Self.refused(assignment, "its column holds single values, not \(shown)") }
        if value.isNaN { throw Self.refused(assignment, "it cannot be NaN, which the schema does not allow") }
        if let type = attribute.swiftType(refusing: value) {
            throw Self.refused(assignment, "\(type) cannot represent \(shown)")
        }
        if let cases = attribute.cases(refusing: value) {
            throw Self.refused(assignment, "\(shown) is none of \(cases)")
        }
        let range = attribute.range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? ""
        let type = ExpressionType(attribute.type).inWords
        throw Self.refused(assignment, "it is \(type)\(range), so it cannot be \(shown)")
    }

    private static func refused(_ assignment: KeyAssignment, _ sentence: String) -> PredicateFailure {
        PredicateFailure(.cannotAssign, assignment.key, sentence)
    }

    /// The columns of an assignment with their values. Throws if the assignment is not allowed.
    fileprivate func columns(
        _ assignment: KeyAssignment, of entity: String
    ) throws(PredicateFailure) -> [(column: String, value: PredicateValue, type: SQLType)] {
        func refused(_ sentence: String) -> PredicateFailure { Self.refused(assignment, sentence) }
        switch key(assignment.key, of: entity) {
        case .attribute(let attribute):
            let value = try assigned(assignment, to: attribute)
            switch attribute.type {
            case .any: return [(attribute.place, value, SQLType(value) ?? .text)]
            // The value is the list.
            case .collection: return [(attribute.place, value, .text)]
            default:
                guard let type = SQLType(attribute.type) else {
                    throw refused("the schema gives the type \(attribute.type.nameForMessages), which no column has")
                }
                return [(attribute.place, value, type)]
            }
        case .relationship(let relationship):
            guard case .column(let columns)? = relationship.link else {
                throw refused("only attributes and to-one relationships are columns of the row")
            }
            if assignment.value.isNil, !relationship.isOptional { throw refused("it is not optional") }
            if assignment.value.isNil { return columns.map { ($0, .null, .integer) } }
            guard let key = assignment.value.key(of: columns.count) else {
                throw refused("it needs the key of a row, with \(columns.count) values")
            }
            return try zip(columns, key).map { (column, value) throws(PredicateFailure) in
                switch value {
                case .integer: return (column, value, .integer)
                case .string: return (column, value, .text)
                case .uuid: return (column, value, .uuid)
                default: throw refused("it needs the key of a row, not \(value.typeDescription)")
                }
            }
        case nil:
            let nearest = Suggestions.nearest(to: assignment.key, in: keys(of: entity))
            throw PredicateFailure(.unknownKey, entity, assignment.key, suggestion: nearest)
        }
    }
}

extension PredicateValue {
    /// The values of a key with `count` columns: the value itself, or the elements of a list.
    package func key(of count: Int) -> [PredicateValue]? {
        if count == 1 { return [self] }
        guard case .array(let values) = self, values.count == count else { return nil }
        return values
    }
}

extension SQLType {
    /// Whether a column of this type stores the value without conversion.
    package func holds(_ value: PredicateValue) -> Bool {
        switch (self, value) {
        case (.boolean, .bool), (.integer, .integer), (.decimal, .decimal), (.decimal, .integer), (.text, .string),
            (.data, .data), (.uuid, .uuid), (.url, .url):
            true
        case (.double, .integer(let number)): Double(exactly: number) != nil
        case (.double, .double(let number)), (.date, .date(let number)): !number.isNaN
        default: false
        }
    }
}

extension PredicateValue {
    /// Why a column cannot store a number, or a text that is one, with all its digits; nil if it can.
    ///
    /// - Parameter rounding: the columns that store decimals as doubles.
    package func loss(in column: SQLColumn, _ rounding: Set<SQLColumn>) -> String? {
        let text: String
        switch self {
        case .decimal(let number): text = number.description
        case .string(let string): text = string
        default: return nil
        }
        guard rounding.contains(column), Int64(text) == nil, let nearest = Double(text),
            text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) })
        else { return nil }
        if nearest.isFinite, let exact = DecimalNumber(text), DecimalNumber(nearest) == exact { return nil }
        return "its column keeps a number as a double, which loses digits of \(text)"
    }
}
