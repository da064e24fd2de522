// Filters in the form of react-querybuilder: https://react-querybuilder.js.org/docs/typescript. A web admin and an app
// can share one stored filter. A part that was read and not changed is written as it was read, so members that are not
// known here, such as `disabled`, are kept.
import PredicateModel
import PredicateSyntax

/// Why a filter cannot be read.
package struct EditorFormError: Error, Equatable, CustomStringConvertible {
    /// The place: `rules[2].rules[0]`; empty for the whole.
    package let path: String
    package let message: String
    package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

extension EditorGroup: Codable {
    /// - Throws: `DecodingError` for what is no group of rules: another type, more than 50 nested groups, more than
    ///   10,000 rules. Unknown fields and operators are no errors: `problems(_:)` reports their rows.
    public init(from decoder: any Decoder) throws {
        let value = try PlainValue(from: decoder).value
        do throws(EditorFormError) {
            try self.init(form: value)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description))
        }
    }

    public func encode(to encoder: any Encoder) throws { try PlainValue(form).encode(to: encoder) }

    /// Reads a filter from its JSON as a value.
    package init(form: PredicateValue) throws(EditorFormError) {
        var reader = EditorFormReader()
        self = try reader.group(form, path: "", depth: 1)
    }

    /// The JSON of the filter as a value.
    package var form: PredicateValue {
        let rules = PredicateValue.array(
            items.map { item in
                switch item {
                case .row(let row): row.form
                case .group(let group): group.form
                }
            })
        if var origin, Self(header: origin) == Self(match, isMuted: isMuted) {
            origin["rules"] = rules
            return .dictionary(origin)
        }
        var form = ValueDictionary([
            ("combinator", .string(match == .all || match == .notAll ? "and" : "or")), ("rules", rules),
        ])
        if match == .none || match == .notAll { form["not"] = true }
        if isMuted { form["muted"] = true }
        return .dictionary(form.adding(origin, except: ["combinator", "rules", "not", "muted"]))
    }

    /// A group without its rules; nil for an unknown combinator.
    fileprivate init?(header: ValueDictionary) {
        let isNegated = header["not"] == true
        guard case .string(let name)? = header["combinator"] else { return nil }
        switch name.lowercased() {
        case "and": self.init(isNegated ? .notAll : .all)
        case "or": self.init(isNegated ? .none : .any)
        default: return nil
        }
        isMuted = header["muted"] == true
    }
}

extension EditorRow: Codable {
    public init(from decoder: any Decoder) throws {
        guard case .dictionary(let rule) = try PlainValue(from: decoder).value else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a rule is an object"))
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
        if let match = rule["match"] { read(match) }
        comparesFields = rule["valueSource"] == "field"
        isMuted = rule["muted"] == true
        if case .string(let text)? = rule["id"], !text.isEmpty { id = text }
        origin = rule
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
        (self.operator, value, self.quantifier) = (element.operator, element.value, quantifier)
    }

    /// The JSON of the row as a value.
    var form: PredicateValue {
        if let origin, EditorRow(rule: origin) == self { return .dictionary(origin) }
        var form = ValueDictionary([
            ("field", .string(field)), ("operator", .string(`operator`.rawValue)), ("value", value),
        ])
        if comparesFields { form["valueSource"] = "field" }
        if let quantifier {
            var match = ValueDictionary([("mode", .string(quantifier.name))])
            if let count = quantifier.threshold { match["threshold"] = .integer(Int64(count)) }
            var element = form
            element["field"] = ""
            form["operator"] = "="
            form["match"] = .dictionary(match)
            form["value"] = .dictionary(
                ValueDictionary([("combinator", .string("and")), ("rules", .array([.dictionary(element)]))]))
        }
        if isMuted { form["muted"] = true }
        let known = ["field", "operator", "value", "valueSource", "match", "muted"]
        return .dictionary(form.adding(origin, except: known))
    }
}

extension ValueDictionary {
    /// The dictionary with the other members of the origin.
    fileprivate func adding(_ origin: ValueDictionary?, except known: [String]) -> ValueDictionary {
        var whole = self
        for (key, value) in zip(origin?.keys ?? [], origin?.values ?? []) where !known.contains(key) {
            whole[key] = value
        }
        return whole
    }
}

private struct EditorFormReader {
    private var ids: Set<String> = []
    private var count = 0

    mutating func group(
        _ value: PredicateValue, path: String, depth: Int
    ) throws(EditorFormError) -> EditorGroup {
        guard case .dictionary(var members) = value else {
            throw EditorFormError(path: path, message: "a group is an object")
        }
        guard case .array(let rules)? = members["rules"] else {
            throw EditorFormError(path: path, message: "a group has a list of \"rules\"")
        }
        if depth > EditorGroup.depthLimit {
            throw EditorFormError(path: path, message: "more than \(EditorGroup.depthLimit) nested groups")
        }
        var items: [EditorItem] = []
        var runs: [[EditorItem]] = [[]]
        let isIndependent = members["combinator"] == nil
        for (index, rule) in rules.enumerated() {
            if isIndependent, index % 2 == 1 {
                guard case .string(let name) = rule, ["and", "or"].contains(name.lowercased()) else {
                    throw EditorFormError(path: "\(path)rules[\(index)]", message: "expected \"and\" or \"or\"")
                }
                if name.lowercased() == "or" { runs.append([]) }
                continue
            }
            let item = try item(rule, path: "\(path)rules[\(index)]", depth: depth + 1)
            items.append(item)
            runs[runs.count - 1].append(item)
        }
        var group: EditorGroup
        if isIndependent {
            // AND binds tighter, as in react-querybuilder.
            let parts = runs.filter { !$0.isEmpty }.map { run in
                run.count == 1 ? run[0] : EditorItem.group(EditorGroup(.all, run))
            }
            group = runs.count == 1 ? EditorGroup(.all, items) : EditorGroup(.any, parts)
            if members["not"] == true { group.match = group.match == .all ? .notAll : .none }
            group.isMuted = members["muted"] == true
        } else if let known = EditorGroup(header: members) {
            group = known
            group.items = items
        } else {
            throw EditorFormError(path: path, message: "the combinator is not \"and\" or \"or\"")
        }
        if case .string(let id)? = members["id"] { group.id = unique(id) }
        members["rules"] = isIndependent ? nil : .null
        group.origin = members
        return group
    }

    private mutating func item(
        _ value: PredicateValue, path: String, depth: Int
    ) throws(EditorFormError) -> EditorItem {
        count += 1
        if count > EditorGroup.itemLimit {
            throw EditorFormError(path: path, message: "more than \(EditorGroup.itemLimit) rules")
        }
        guard case .dictionary(let members) = value else {
            throw EditorFormError(path: path, message: "a rule is an object")
        }
        if members["rules"] != nil { return .group(try group(value, path: path + ".", depth: depth)) }
        var row = EditorRow(rule: members)
        row.id = unique(row.id)
        return .row(row)
    }

    /// Lists on screens need different ids.
    private mutating func unique(_ id: String) -> String {
        if !id.isEmpty, ids.insert(id).inserted { return id }
        return EditorRow.newID()
    }
}
