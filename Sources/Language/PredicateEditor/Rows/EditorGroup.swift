// A group of rows and groups. RowConditions.swift makes its predicate, RowReader.swift reads one, EditorForm.swift has
// its JSON.

/// A filter that a person builds: rows and groups of which all, any or none must match.
///
///     var filter = EditorGroup(.any, [.row(EditorRow("title", .containsCD, "swift"))])
///     filter.append(EditorRow("rating", .greaterOrEqual, 4))
///     filter.predicate(fields).description    // title CONTAINS[cd] "swift" OR rating >= 4
///
/// Equal groups are the same filter, whatever their ids are. Codable in the form of react-querybuilder.
public struct EditorGroup: Sendable, Hashable, Identifiable {
    public enum Match: String, Sendable, Hashable, CaseIterable {
        case all, any, none
        /// At least one does not match. Stored filters and predicates may have it; menus can leave it out.
        case notAll
    }

    public var match: Match
    public var items: [EditorItem]
    /// Whether the group is switched off: it stays in the filter, and predicates are made without it.
    public var isMuted: Bool
    var identity = EditorIdentity()

    public var id: String { identity.id }

    public init(_ match: Match = .all, _ items: [EditorItem] = [], isMuted: Bool = false) {
        self.match = match
        self.items = items
        self.isMuted = isMuted
    }

    /// How deep groups may be nested in a stored filter, and how many rows and groups it may have. A predicate with
    /// more becomes rows that show their texts.
    static let (depthLimit, itemLimit) = (50, 10_000)
}

/// A row or a group.
public enum EditorItem: Sendable, Hashable, Identifiable {
    case row(EditorRow)
    case group(EditorGroup)

    public var id: String {
        switch self {
        case .row(let row): row.id
        case .group(let group): group.id
        }
    }

    /// The row; nil for a group. Setting nil changes nothing.
    public var row: EditorRow? {
        get { if case .row(let row) = self { row } else { nil } }
        set { if let newValue { self = .row(newValue) } }
    }

    /// The group; nil for a row. Setting nil changes nothing.
    public var group: EditorGroup? {
        get { if case .group(let group) = self { group } else { nil } }
        set { if let newValue { self = .group(newValue) } }
    }
}

/// What does not count for the equality of rows and groups: two are equal whatever their identities are.
struct EditorIdentity: Sendable, Hashable {
    /// Random by default, because rows of several filters may meet.
    var id = UniversalID(high: .random(in: .min ... .max), low: .random(in: .min ... .max)).description
    /// The object from which it was read, for a group without its rules; see EditorForm.swift.
    var origin: ValueDictionary?

    static func == (left: EditorIdentity, right: EditorIdentity) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

extension EditorGroup.Match {
    init(isAnd: Bool, isNegated: Bool) { self = isAnd ? (isNegated ? .notAll : .all) : (isNegated ? .none : .any) }
    var isAnd: Bool { self == .all || self == .notAll }
    var isNegated: Bool { self == .none || self == .notAll }
}

extension EditorGroup {
    /// What a function gives for the rows, combined for each group. Muted rows and groups are left out, and groups in
    /// which nothing is left; nil if nothing is left at all.
    func combined<Part>(_ part: (EditorRow) -> Part?, _ combine: (Match, [Part]) -> Part) -> Part? {
        if isMuted { return nil }
        let parts = items.compactMap { (item) -> Part? in
            switch item {
            case .row(let row): row.isMuted ? nil : part(row)
            case .group(let group): group.combined(part, combine)
            }
        }
        return parts.isEmpty ? nil : combine(match, parts)
    }
}

// MARK: - Editing

extension EditorGroup {
    public mutating func append(_ row: EditorRow) { items.append(.row(row)) }
    public mutating func append(_ group: EditorGroup) { items.append(.group(group)) }

    /// The row or group with an id, at any depth; nil if there is none. Setting nil removes it. Setting an id that does
    /// not exist changes nothing.
    ///
    /// - Complexity: linear in the rows.
    public subscript(id: String) -> EditorItem? {
        get {
            for item in items {
                if item.id == id { return item }
                if case .group(let group) = item, let found = group[id] { return found }
            }
            return nil
        }
        set { _ = replace(id, newValue.map { [$0] } ?? []) }
    }

    /// Moves a row or group into this group or another one in it, to a place counted before the move. Changes nothing
    /// if one of them does not exist, or if a group would be moved into itself.
    ///
    ///     filter.move(filter.items[1].id, to: 0, in: filter.id)    // up
    public mutating func move(_ id: String, to index: Int, in target: String) {
        guard let item = self[id], id != target, item.group?[target] == nil,
            target == self.id || self[target]?.group != nil
        else { return }
        // An empty group takes the old place until the end, so that places do not change.
        let mark = EditorGroup()
        self[id] = .group(mark)
        if target == self.id {
            items.insert(item, at: min(max(0, index), items.count))
        } else if var group = self[target]?.group {
            group.items.insert(item, at: min(max(0, index), group.items.count))
            self[target] = .group(group)
        }
        self[mark.id] = nil
    }

    private mutating func replace(_ id: String, _ new: [EditorItem]) -> Bool {
        for index in items.indices {
            if items[index].id == id {
                items.replaceSubrange(index...index, with: new)
                return true
            }
            if case .group(var group) = items[index], group.replace(id, new) {
                items[index] = .group(group)
                return true
            }
        }
        return false
    }
}
