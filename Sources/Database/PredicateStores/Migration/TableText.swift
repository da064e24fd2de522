// CREATE TABLE with the changes of a migration. What does not change keeps its text.

/// Something in a database that a migration cannot keep.
struct MigrationLoss: Hashable {
    /// What it is: `index`, `trigger`, `view`, `constraint`.
    let kind: String
    let name: String
    let table: String
    let reason: String

    var shown: String { "the \(kind) '\(name)'" }
    /// With the names that the database has.
    var withOriginalNames: MigrationLoss {
        func original(_ text: String) -> String { text.replacing(MigrationRenames.aside, with: "") }
        return MigrationLoss(kind: kind, name: original(name), table: table, reason: original(reason))
    }
    /// `DatabaseTables.Part.key` of an index, a trigger or a view.
    var key: String { "\(kind) \(name.lowercased())" }
}

struct TableText {
    private let table: String
    /// The text up to the opening parenthesis, from there to the first column, and from the end of the last constraint.
    private let head: String
    private let lead: String
    private let tail: String
    private(set) var items: [TableItem] = []
    private(set) var losses: [MigrationLoss] = []

    /// - Parameter sql: the statement in SQLite's own table; nil is returned for a virtual table.
    init?(_ table: String, _ sql: String) {
        let text = DefinitionText(sql)
        let tokens = text.tokens
        guard let open = tokens.firstIndex(where: { $0.isSymbol("(") }), open > 1, !tokens[1].isWord("VIRTUAL") else {
            return nil
        }
        self.table = table
        guard open + 1 < tokens.count else { return nil }
        head = text.text(0..<(open + 1))
        let first = tokens[open].range.upperBound..<tokens[open + 1].range.lowerBound
        lead = String(decoding: text.bytes[first], as: UTF8.self)
        var depth = 0
        var start = open + 1
        var ends: [Range<Int>] = []
        var index = open + 1
        while index < tokens.count {
            if tokens[index].isSymbol("(") { depth += 1 }
            if depth == 0, tokens[index].isSymbol(")") { break }
            if tokens[index].isSymbol(")") { depth -= 1 }
            // The constraints of a table need no commas between them.
            let mayEnd = depth == 0 && index > start && tokens[start].beginsConstraint
            if depth == 0, tokens[index].isSymbol(",") {
                if start == index { return nil }
                ends.append(start..<index)
                start = index + 1
            } else if mayEnd, tokens[index].beginsConstraint, !Self.isNamed(tokens[start..<index]) {
                ends.append(start..<index)
                start = index
            }
            index += 1
        }
        guard index < tokens.count, start < index else { return nil }
        ends.append(start..<index)
        for (number, range) in ends.enumerated() {
            let next = number + 1 < ends.count ? tokens[ends[number + 1].lowerBound].range.lowerBound : nil
            let gap = next.map { String(decoding: text.bytes[text.end(of: range)..<$0], as: UTF8.self) } ?? ""
            items.append(TableItem(text.text(range), gap: gap, isColumn: !tokens[range.lowerBound].beginsConstraint))
        }
        tail = String(decoding: text.bytes[text.end(of: start..<index)...], as: UTF8.self)
    }

    /// Whether the tokens are CONSTRAINT and a name, so that the constraint follows.
    private static func isNamed(_ tokens: ArraySlice<DefinitionText.Token>) -> Bool {
        tokens.count == 2 && tokens.first?.isWord("CONSTRAINT") ?? false
    }

    /// The columns that can be written.
    var storedColumns: [String] { items.filter { $0.isColumn && !$0.isGenerated }.map(\.name) }

    private var isStrict: Bool { DefinitionText(tail).tokens.contains { $0.isWord("STRICT") } }

    var hasAutoincrement: Bool { items.contains { $0.text.tokens.contains { $0.isWord("AUTOINCREMENT") } } }

    /// CREATE TABLE, under another name if one is given.
    func statement(creating name: String? = nil) -> String {
        var text = (name.map { "CREATE TABLE \(SQLiteNames.quoted($0)) (" } ?? head) + lead
        for (index, item) in items.enumerated() {
            let hasComma = DefinitionText(item.gap).tokens.contains { $0.isSymbol(",") }
            text += item.naming(table, name)
            if index < items.count - 1 { text += hasComma ? item.gap : ", " }
        }
        return text + tail
    }

    // MARK: Changes

    private mutating func lose(_ kind: String, _ name: String, _ reason: String) {
        losses.append(MigrationLoss(kind: kind, name: name, table: table, reason: reason))
    }

    /// Applies the differences between two versions of the table.
    ///
    /// - Parameter gone: the tables that the new version drops.
    mutating func change(from before: TableDefinition, to after: TableDefinition, dropping gone: [String]) {
        for reference in before.references where !after.references.contains(reference) {
            // A foreign key stays if the database can still check it.
            let isOther = after.references.contains { $0.columns == reference.columns }
            if isOther || gone.contains(reference.table) || !reference.columns.allSatisfy(after.has) {
                remove(reference)
            }
        }
        if before.primaryKey != after.primaryKey || before.hasRowNumber != after.hasRowNumber {
            for index in items.indices {
                if items[index].removeAutoincrement() {
                    lose("column option", "AUTOINCREMENT", "the table gets another primary key")
                }
                if items[index].isColumn { items[index].remove { $0 == .primary } }
            }
            items.removeAll { !$0.isColumn && $0.clauses.contains { $0.kind == .primary } }
        }
        let kept = Set(after.columnNames.map { $0.lowercased() })
        let dropped = before.columns.map { $0.name.lowercased() }.filter { !kept.contains($0) }
        drop(Set(dropped))
        for column in after.columns { change(column, before, after) }
        for reference in after.references where !before.references.contains(reference) { add(reference) }
        let isKey = items.contains { $0.clauses.contains { $0.kind == .primary } }
        if !isKey, !after.hasRowNumber, before.primaryKey != after.primaryKey, !after.primaryKey.isEmpty {
            add("PRIMARY KEY (\(SQLiteNames.list(after.primaryKey)))")
        }
    }

    private mutating func add(_ constraint: String) {
        items.append(TableItem(constraint, gap: "", isColumn: false))
    }

    private func column(_ name: String) -> Int? {
        items.firstIndex { $0.isColumn && $0.name.lowercased() == name.lowercased() }
    }

    /// Drops columns, and what depends on them.
    mutating func drop(_ names: Set<String>) {
        var names = names
        items.removeAll { $0.isColumn && names.contains($0.name.lowercased()) }
        func named(_ name: String) -> String { "it names '\(name)', which is dropped" }
        var index = 0
        while index < items.count {
            defer { index += 1 }
            let item = items[index]
            guard let clause = item.clauses.first(where: { clause in item.column(among: names, in: clause) != nil })
            else { continue }
            let name = item.column(among: names, in: clause) ?? ""
            if !item.isColumn {
                lose("constraint", item.shown(clause), named(name))
                items.remove(at: index)
                index -= 1
            } else if item.isGenerated, [.generated, .computed].contains(clause.kind) {
                // Others may depend on this column.
                lose("generated column", item.name, named(name))
                names.insert(item.name.lowercased())
                items.remove(at: index)
                index = -1
            } else {
                lose("constraint", item.shown(clause), named(name))
                items[index].remove { $0 == clause.kind }
                index -= 1
            }
        }
    }

    private mutating func change(
        _ column: TableDefinition.Column, _ before: TableDefinition, _ after: TableDefinition
    ) {
        let declared = isStrict ? column.strictType : column.declared
        guard let index = self.column(column.name) else {
            let isNumber = after.primaryKey == [column.name] && column.declared == "INTEGER"
            let text = after.text(of: column, declared: declared, isNumber: isNumber)
            let place = (items.lastIndex(where: \.isColumn) ?? -1) + 1
            return items.insert(TableItem(text, gap: ", ", isColumn: true), at: place)
        }
        guard let former = before.columns.first(where: { $0.name.lowercased() == column.name.lowercased() }) else {
            return
        }
        if former.declared != column.declared, !column.declared.isEmpty {
            if declared != "INTEGER", items[index].removeAutoincrement() {
                lose("column option", "AUTOINCREMENT", "'\(column.name)' is no integer any more")
            }
            items[index].declare(declared)
        }
        if former.isRequired, !column.isRequired { items[index].remove { $0 == .not } }
        let isRequired = items[index].clauses.contains { $0.kind == .not }
        if column.isRequired, !former.isRequired, !isRequired { items[index].append("NOT NULL") }
        if former.defaultText != column.defaultText, !items[index].isGenerated {
            items[index].remove { $0 == .initial }
            if let text = column.defaultText { items[index].append("DEFAULT " + text) }
        }
        if !before.primaryKey.contains(column.name), after.primaryKey == [column.name], declared == "INTEGER" {
            items[index].append("PRIMARY KEY")
        }
    }

    // MARK: Foreign keys

    private mutating func remove(_ reference: TableDefinition.ForeignKey) {
        let columns = reference.columns.map { $0.lowercased() }
        items.removeAll { $0.isForeignKey && $0.listed.map { $0.lowercased() } == columns }
        if columns.count == 1, let index = column(columns[0]) { items[index].remove { $0 == .references } }
    }

    private mutating func add(_ reference: TableDefinition.ForeignKey) {
        let columns = reference.columns.map { $0.lowercased() }
        let isThere =
            items.contains { $0.isForeignKey && $0.listed.map { $0.lowercased() } == columns }
            || columns.count == 1
                && column(columns[0]).map { items[$0].clauses.contains { $0.kind == .references } } ?? false
        if !isThere, let text = reference.constraint(.sqlite) { add(text) }
    }
}

extension TableItem {
    fileprivate var isForeignKey: Bool { !isColumn && clauses.contains { $0.kind == .foreign } }

    /// The first of some columns that a constraint names. The list after REFERENCES has columns of another table.
    fileprivate func column(
        among names: Set<String>, in clause: (kind: Clause, name: String?, range: Range<Int>)
    ) -> String? {
        switch clause.kind {
        case .references, .collate, .initial: return nil
        case .foreign: return listed.first { names.contains($0.lowercased()) }
        default:
            let start = clause.name == nil ? clause.range.lowerBound : clause.range.lowerBound + 2
            return text.column(among: names, in: start..<clause.range.upperBound)
        }
    }
}

extension DefinitionText.Token {
    /// Whether it begins a constraint of a table. As a name of a column, it would be quoted.
    fileprivate var beginsConstraint: Bool { isWord("CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN") }
}

extension TableDefinition.Column {
    /// The type in a STRICT table, which has only a few. https://www.sqlite.org/stricttables.html
    fileprivate var strictType: String {
        switch declared {
        case "INTEGER", "REAL", "TEXT", "BLOB": declared
        case "BOOLEAN": "INTEGER"
        default: "ANY"
        }
    }
}
