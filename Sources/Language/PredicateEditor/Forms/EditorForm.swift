// Filters in the form of react-querybuilder: https://react-querybuilder.js.org/docs/typescript. A web admin and an app
// can share one stored filter. A part that was read and not changed is written as it was read, so members that are not
// known here, such as `disabled`, are kept.

extension EditorGroup: Codable {
    /// - Throws: `DecodingError` for what is no group of rules: another type, more than 50 nested groups, more than
    ///   10,000 rules. Unknown fields and operators are no errors: `problems(_:)` reports their rows.
    public init(from decoder: any Decoder) throws {
        try self.init(form: PlainValue(from: decoder).value, at: decoder.codingPath)
    }

    public func encode(to encoder: any Encoder) throws { try PlainValue(form).encode(to: encoder) }

    /// Reads a filter from its JSON as a value.
    package init(form: PredicateValue, at codingPath: [any CodingKey] = []) throws(DecodingError) {
        var reader = EditorFormReader(codingPath: codingPath)
        self = try reader.group(form, path: "", depth: 1)
    }

    /// The JSON of the filter as a value.
    package var form: PredicateValue {
        var form = identity.origin ?? [:]
        let read = Self.header(form)
        if read?.match != match || read?.isMuted != isMuted {
            form["combinator"] = .string(match.isAnd ? "and" : "or")
            form["not"] = match.isNegated ? true : nil
            form["muted"] = isMuted ? true : nil
        }
        form["rules"] = .array(
            items.map { item in
                switch item {
                case .row(let row): row.form
                case .group(let group): group.form
                }
            })
        return .dictionary(form)
    }

    /// nil for an unknown combinator.
    fileprivate static func header(_ form: ValueDictionary) -> (match: Match, isMuted: Bool)? {
        let isAnd = ["and": true, "or": false][form["combinator"]?.stringValue?.lowercased() ?? ""]
        return isAnd.map { (Match(isAnd: $0, isNegated: form["not"] == true), form["muted"] == true) }
    }
}

extension EditorRow: Codable {
    public init(from decoder: any Decoder) throws {
        guard case .dictionary(let rule) = try PlainValue(from: decoder).value else {
            throw EditorFormReader(codingPath: decoder.codingPath).error("a rule is an object")
        }
        self.init(rule: rule)
    }

    public func encode(to encoder: any Encoder) throws { try PlainValue(form).encode(to: encoder) }

    /// Reads a rule. What is no rule of this form becomes a row without a field, which keeps it.
    init(rule: ValueDictionary) {
        if case .string(let field)? = rule["field"], case .string(let name)? = rule["operator"] {
            self.init(field, EditorOperator(rawValue: name), rule["value"] ?? .null)
        } else {
            self.init("", "", .dictionary(rule))
        }
        comparesFields = rule["valueSource"] == "field"
        if let match = rule["match"] { read(match) }
        isMuted = rule["muted"] == true
        if case .string(let text)? = rule["id"], !text.isEmpty { identity.id = text }
        identity.origin = rule
    }

    /// Reads the quantifier of a rule on a list. Its value is a group with one rule for the elements, whose field is
    /// empty for elements that are no objects. Any other group stays the value, and the row has a problem.
    private mutating func read(_ match: PredicateValue) {
        guard case .dictionary(let match) = match, case .string(let mode)? = match["mode"] else { return }
        var threshold: Int?
        if case .integer(let count)? = match["threshold"], count >= 0 { threshold = Int(clamping: count) }
        guard let quantifier = EditorQuantifier(name: mode, threshold: threshold),
            case .dictionary(let group) = value, case .array(let rules)? = group["rules"], rules.count == 1,
            case .dictionary(let rule) = rules[0], rule["rules"] == nil, group["not"] != true, group["muted"] != true,
            rule["muted"] != true
        else { return }
        let element = EditorRow(rule: rule)
        field = element.field.isEmpty ? field : field + "." + element.field
        (self.operator, value, comparesFields) = (element.operator, element.value, element.comparesFields)
        self.quantifier = quantifier
    }

    /// The JSON of the row as a value.
    var form: PredicateValue {
        var form = identity.origin ?? [:]
        if EditorRow(rule: form) == self { return .dictionary(form) }
        form["field"] = .string(field)
        form["operator"] = .string(`operator`.rawValue)
        form["value"] = value
        form["valueSource"] = comparesFields ? "field" : nil
        form["match"] = nil
        form["muted"] = isMuted ? true : nil
        if let (mode, threshold, _) = quantifier?.form {
            var match: ValueDictionary = ["mode": mode]
            match["threshold"] = threshold.map { .integer(Int64($0)) }
            var element: ValueDictionary = ["field": "", "operator": `operator`.rawValue, "value": value]
            element["valueSource"] = form["valueSource"]
            form["operator"] = "="
            form["value"] = .dictionary(["combinator": "and", "rules": PredicateValue.array([.dictionary(element)])])
            form["valueSource"] = nil
            form["match"] = .dictionary(match)
        }
        return .dictionary(form)
    }
}

private struct EditorFormReader {
    let codingPath: [any CodingKey]
    var ids: Set<String> = []
    var count = 0

    /// - Parameter path: the place in the filter, `rules[2].rules[0]`.
    func error(_ message: String, path: String = "") -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: path.isEmpty ? message : "\(path): \(message)"))
    }

    mutating func group(_ value: PredicateValue, path: String, depth: Int) throws(DecodingError) -> EditorGroup {
        guard case .dictionary(var members) = value else { throw error("a group is an object", path: path) }
        guard case .array(var rules)? = members["rules"] else {
            throw error("a group has a list of \"rules\"", path: path)
        }
        if depth > EditorGroup.depthLimit {
            throw error("more than \(EditorGroup.depthLimit) nested groups", path: path)
        }
        if members["combinator"] == nil {
            let (combinator, parts) = try combined(rules, path: path)
            (members["combinator"], rules) = (.string(combinator), parts)
        }
        guard let (match, isMuted) = EditorGroup.header(members) else {
            throw error("the combinator is not \"and\" or \"or\"", path: path)
        }
        var group = EditorGroup(match, isMuted: isMuted)
        for (index, rule) in rules.enumerated() {
            let path = "\(path)rules[\(index)]"
            count += 1
            if count > EditorGroup.itemLimit { throw error("more than \(EditorGroup.itemLimit) rules", path: path) }
            guard case .dictionary(let members) = rule else { throw error("a rule is an object", path: path) }
            if members["rules"] != nil {
                group.append(try self.group(rule, path: path + ".", depth: depth + 1))
            } else {
                var row = EditorRow(rule: members)
                row.identity.id = unique(row.id)
                group.append(row)
            }
        }
        if case .string(let id)? = members["id"] { group.identity.id = unique(id) }
        members["rules"] = .null
        group.identity.origin = members
        return group
    }

    /// Rules with "and" and "or" between them, as those of one group: AND binds tighter, as in react-querybuilder.
    private func combined(
        _ rules: [PredicateValue], path: String
    ) throws(DecodingError) -> (combinator: String, rules: [PredicateValue]) {
        var runs: [[PredicateValue]] = [[]]
        for (index, rule) in rules.enumerated() {
            switch (index % 2, rule.stringValue?.lowercased()) {
            case (0, _): runs[runs.count - 1].append(rule)
            case (_, "or"): runs.append([])
            case (_, "and"): break
            default: throw error("expected \"and\" or \"or\"", path: "\(path)rules[\(index)]")
            }
        }
        if runs.count == 1 { return ("and", runs[0]) }
        let parts = runs.filter { !$0.isEmpty }.map { run in
            run.count == 1 ? run[0] : .dictionary(["combinator": "and", "rules": PredicateValue.array(run)])
        }
        return ("or", parts)
    }

    /// Lists on screens need different ids.
    private mutating func unique(_ id: String) -> String {
        !id.isEmpty && ids.insert(id).inserted ? id : EditorIdentity().id
    }
}
