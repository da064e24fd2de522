// Random tables of another program, with constraints, indexes, triggers and views, and the same after a migration. The
// texts are templates: `{a}` is the name of a column or table, which may change.
import PredicateStores
import PredicateTestSupport

struct SchemaWorld {
    struct Column {
        /// What `{id}` stands for, with the number of the table: `{1id}`.
        let id: String
        var type: String
        let rest: String
        /// nil if no version names the column.
        var attribute: PredicateSchema.Attribute?
    }

    struct Table {
        let number: Int
        var columns: [Column]
        let constraints: [String]
        let options: String
        /// The kind of separator between constraints.
        let separator: String

        var isStrict: Bool { options.contains("STRICT") }
    }

    /// An index, a trigger or a view.
    struct Part {
        let name: String
        let text: String
    }

    var tables: [Table] = []
    var parts: [Part] = []
    /// The names, by their placeholders in templates.
    var names: [String: String] = [:]
    /// The names in the previous version.
    var formerly: [String: String] = [:]
    /// The names of what a migration loses.
    private(set) var lost: Set<String> = []

    /// - Parameter hasStrict: whether SQLite has STRICT tables.
    init(_ random: inout SplitMix, hasStrict: Bool) {
        for number in 0..<2 { addTable(number, hasStrict, &random) }
        names["log"] = "log"
        for (name, text) in [
            ("older", "CREATE VIEW older AS SELECT {0id} AS k, {0b} AS x FROM {0t} WHERE {0a} > 2"),
            ("oldest", "CREATE VIEW oldest AS SELECT max(x) AS y FROM older"),
            ("both", "CREATE VIEW both AS SELECT one.{0b}, {1t}.{1a} FROM {0t} AS one JOIN {1t} ON {1p} = one.{0id}"),
            (
                "logs",
                "CREATE TRIGGER logs AFTER UPDATE OF {0b}, {0a} ON {0t} WHEN new.{0a} > 1 BEGIN INSERT INTO log (line) VALUES (old.{0b}); END"
            ),
            (
                "touches",
                "CREATE TRIGGER touches BEFORE DELETE ON {1t} BEGIN UPDATE {0t} SET {0a} = {0a} + 1 WHERE {0id} = old.{1p}; END"
            ),
            (
                "writes",
                "CREATE TRIGGER writes INSTEAD OF INSERT ON older BEGIN INSERT INTO {0t} ({0id}, {0b}, {0a}) VALUES (new.k, new.x, 3); END"
            ),
        ] where random.chance(70) {
            if name == "oldest" || name == "writes", !parts.contains(where: { $0.name == "older" }) { continue }
            parts.append(Part(name: name, text: text))
        }
    }

    private mutating func addTable(_ number: Int, _ hasStrict: Bool, _ random: inout SplitMix) {
        let n = "\(number)"
        for id in ["id", "a", "b", "g", "f", "n", "u", "p"] { names[n + id] = "\(id)_\(number)" }
        names[n + "t"] = number == 0 ? "parent" : "child"
        func attribute(_ id: String, _ type: ExpressionType.Kind, isOptional: Bool = true) -> PredicateSchema.Attribute
        {
            PredicateSchema.Attribute(names[n + id] ?? "", type, isOptional: isOptional)
        }
        let key = random.pick(["INTEGER PRIMARY KEY AUTOINCREMENT", "INTEGER PRIMARY KEY", "INTEGER NOT NULL"])
        let isNumber = key != "INTEGER NOT NULL"
        var columns = [
            Column(
                id: "id", type: "INTEGER", rest: String(key.dropFirst("INTEGER ".count)),
                attribute: attribute("id", .integer, isOptional: false)),
            Column(
                id: "a", type: "INTEGER", rest: random.pick(["NOT NULL CHECK ({#a} > 0) DEFAULT 7", "NOT NULL"]),
                attribute: attribute("a", .integer, isOptional: false)),
            Column(
                id: "b", type: "TEXT",
                rest: random.pick(["COLLATE NOCASE DEFAULT 'it''s {'", "UNIQUE", "DEFAULT ('a' || \"lower\"('B'))", ""]
                ),
                attribute: attribute("b", .string)),
        ]
        let generated = random.pick(["GENERATED ALWAYS AS ({#a} * 2) STORED", "AS (({#a} + 1)) VIRTUAL NOT NULL", ""])
        if !generated.isEmpty {
            columns.append(Column(id: "g", type: "INTEGER", rest: generated, attribute: attribute("g", .integer)))
        }
        columns += [
            Column(
                id: "f", type: "INTEGER", rest: random.pick(["", "DEFAULT -1"]), attribute: attribute("f", .integer)),
            Column(id: "n", type: "TEXT", rest: "", attribute: attribute("n", .string)),
            Column(id: "u", type: "TEXT", rest: random.pick(["DEFAULT 'u'", "COLLATE RTRIM"]), attribute: nil),
        ]
        var constraints: [String] = []
        if number == 1 {
            let isInline = random.chance(50)
            let reference = "REFERENCES {0t}({0id}) ON DELETE SET NULL ON UPDATE CASCADE"
            columns.append(Column(id: "p", type: "INTEGER", rest: isInline ? reference : "", attribute: nil))
            if !isInline { constraints.append("FOREIGN KEY ({1p}) \(reference) DEFERRABLE INITIALLY DEFERRED") }
        }
        if !isNumber { constraints.append("PRIMARY KEY ({#id})") }
        for constraint in [
            "UNIQUE ({#b}, {#a}) ON CONFLICT IGNORE", "CONSTRAINT small\(n) CHECK ({#t}.{#a} < 100000)",
            "CHECK (length({#b}) < 100 AND {#b} NOT LIKE '%}{%')", "UNIQUE ({#u}, {#b})",
        ] where random.chance(50) { constraints.append(constraint) }
        if random.chance(30) { constraints.append("CONSTRAINT noted\(n) CHECK ({#n} <> 'none')") }
        for (name, text) in [
            ("part", "INDEX part\(n) ON {#t} ({#b} COLLATE NOCASE DESC) WHERE {#a} > 1"),
            ("sum", "INDEX sum\(n) ON {#t} ({#a} + 1, lower({#b}))"),
            ("pair", "UNIQUE INDEX pair\(n) ON {#t} ({#id}, {#f})"), ("note", "INDEX note\(n) ON {#t} ({#n})"),
        ] where random.chance(50) {
            parts.append(Part(name: name + n, text: "CREATE " + text.replacing("#", with: n)))
        }
        if random.chance(30) {
            parts.append(Part(name: "notes\(n)", text: "CREATE VIEW notes\(n) AS SELECT {\(n)n} AS x FROM {\(n)t}"))
            parts.append(Part(name: "all\(n)", text: "CREATE VIEW all\(n) AS SELECT x FROM notes\(n)"))
        }
        if random.chance(30) {
            parts.append(
                Part(
                    name: "reads\(n)",
                    text:
                        "CREATE TRIGGER reads\(n) AFTER INSERT ON {\(n)t} BEGIN UPDATE {\(n)t} SET {\(n)n} = 'x' WHERE {\(n)id} = 0; END"
                ))
        }
        let options = [isNumber ? "" : "WITHOUT ROWID", hasStrict && random.chance(30) ? "STRICT" : ""]
        tables.append(
            Table(
                number: number, columns: columns, constraints: constraints.map { $0.replacing("#", with: n) },
                options: options.filter { !$0.isEmpty }.joined(separator: ", "),
                separator: random.pick([", ", " ", ",\n    -- a comment, (with a parenthesis\n    "])))
    }

    // MARK: Changes

    /// The same after a migration that renames, adds, drops and retypes.
    func changed(_ random: inout SplitMix) -> SchemaWorld {
        var new = self
        new.formerly = [:]
        for table in new.tables {
            let n = "\(table.number)"
            if random.chance(40) { new.rename(n + "t") }
            for column in table.columns where column.attribute != nil && random.chance(25) { new.rename(n + column.id) }
        }
        for index in new.tables.indices {
            if random.chance(40) { new.drop(random.pick(["f", "n"]), of: index) }
            if random.chance(40), let place = new.tables[index].columns.firstIndex(where: { $0.id == "f" }) {
                new.tables[index].columns[place].type = "REAL"
                new.tables[index].columns[place].attribute?.type = .double
            }
            if random.chance(40) {
                var added = PredicateSchema.Attribute("x_\(index)", .boolean)
                added.defaultValue = .bool(true)
                new.names["\(index)x"] = "x_\(index)"
                let type = new.tables[index].isStrict ? "INTEGER" : "BOOLEAN"
                new.tables[index].columns.append(
                    Column(id: "x", type: type, rest: "NOT NULL DEFAULT 1", attribute: added))
            }
        }
        return new
    }

    private mutating func rename(_ id: String) {
        let name = names[id] ?? ""
        names[id] = "new_" + name
        formerly[id] = name
    }

    private mutating func drop(_ id: String, of index: Int) {
        let wanted = "{\(tables[index].number)\(id)}"
        tables[index].columns.removeAll { $0.id == id }
        var reading = Set(parts.filter { $0.text.contains(wanted) }.map(\.name))
        if reading.contains("notes\(index)") { reading.insert("all\(index)") }
        lost.formUnion(reading)
        parts.removeAll { reading.contains($0.name) }
        guard tables[index].constraints.contains(where: { $0.contains(wanted) }) else { return }
        lost.insert("noted\(index)")
        tables[index] = Table(
            number: tables[index].number, columns: tables[index].columns,
            constraints: tables[index].constraints.filter { !$0.contains(wanted) }, options: tables[index].options,
            separator: tables[index].separator)
    }

    // MARK: Texts

    /// A template with the names, quoted in one of SQLite's ways.
    private func text(_ template: String, quotes: [(String, String)] = [("", "")], _ random: inout SplitMix) -> String {
        var text = template
        for (id, name) in names.sorted(by: { $0.key < $1.key }) where text.contains("{\(id)}") {
            let (open, close) = random.pick(quotes)
            text = text.replacing("{\(id)}", with: open + name + close)
        }
        return text
    }

    /// The statements that make the database.
    func statements(_ random: inout SplitMix) -> [(name: String, sql: String)] {
        let quotes = [("", ""), ("\"", "\""), ("[", "]"), ("`", "`")]
        var found = tables.map { table -> (String, String) in
            let n = "\(table.number)"
            let columns = table.columns.map { column in
                "{\(n)\(column.id)} /* , */ \(column.type) \(column.rest.replacing("#", with: n))"
            }
            let body = ([columns.joined(separator: ", ")] + table.constraints).enumerated().map { index, text in
                (index == 0 ? "" : index == 1 ? ", " : table.separator) + text
            }
            let sql = "CREATE TABLE {\(n)t} (\(body.joined())) \(table.options)"
            return (names[n + "t"] ?? "", text(sql, quotes: quotes, &random))
        }
        found.append(("log", "CREATE TABLE log (line)"))
        // Tables and relationships that no version names.
        found.append(("side", text("CREATE TABLE side (k REFERENCES {0t}({0id}), v)", quotes: quotes, &random)))
        return found + parts.map { ($0.name, text($0.text, quotes: quotes, &random)) }
    }

    /// The schema of this version.
    func schema(_ version: String) throws -> PredicateSchema {
        try PredicateSchema(
            tables.map { table in
                let n = "\(table.number)"
                var entity = PredicateSchema.Entity("E" + n, table: names[n + "t"], primaryKey: [names[n + "id"] ?? ""])
                entity.attributes = table.columns.compactMap { column in
                    guard var attribute = column.attribute, let name = names[n + column.id] else { return nil }
                    (attribute.name, attribute.column) = (name, name)
                    attribute.formerly = formerly[n + column.id]
                    return attribute
                }
                if table.number == 1 {
                    entity.relationships = [PredicateSchema.Relationship("up", to: "E0", link: .column("p_1"))]
                }
                return entity
            }, version: version)
    }
}
