// Checks the assumptions of queries (SQL of each construct: Requirements) in the live database: tables and columns
// exist, and each key refers to one row. StoredValueCheck.swift checks the values. NaN is not checked because SQLite
// cannot store it, and U+0000 is not checked because our functions read it correctly.

extension SQLStore where Connection == SQLiteConnection {
    /// Returns the differences between the database and the schema. Affected rows may be selected wrongly, or reading
    /// them may fail.
    ///
    ///     for violation in try store.violations(sample: nil) { print(violation) }
    ///     // person.age has text, but the schema says integer (3 rows, the first with rowid 7)
    ///
    /// A collation other than BINARY is reported but changes no result: the store adds `COLLATE BINARY`, so the
    /// column's index serves only equality and lists. UTF-16 is reported because our functions must convert each text.
    ///
    /// - Parameter sample: the number of rows to check per table; nil checks all rows.
    /// - Throws: `StoreFailure.engine`; `request` for a negative number. Cost: reads each of these rows once and looks up each of its foreign keys.
    public func violations(sample: Int? = 1000) throws(StoreFailure) -> [StoreViolation] {
        try StoreFailure.ofRequest { () throws(PredicateFailure) in try PredicateFailure.require("sample", sample) }
        return try reading { (connection) throws(StoreFailure) in
            var check = SQLitePreconditions(connection, schema, dialect, sample)
            try check.run()
            // Foreign keys that the schema does not have, or has in another form.
            let rest = sample == nil ? try connection.foreignKeyViolations() : []
            return check.found
                + rest.filter { one in !check.found.contains { $0.table == one.table && $0.column == one.column } }
        }
    }
}

private struct SQLitePreconditions {
    private let connection: SQLiteConnection
    private let schema: PredicateSchema
    private let dialect: SQLDialect
    private let limit: String
    /// The tables, each with the name of its row number, which is `NULL` if it has none.
    private var tables: [String: Table] = [:]
    private(set) var found: [StoreViolation] = []

    private typealias Table = (described: DatabaseTable, rowid: String)

    init(_ connection: SQLiteConnection, _ schema: PredicateSchema, _ dialect: SQLDialect, _ sample: Int?) {
        self.connection = connection
        self.schema = schema
        self.dialect = dialect
        limit = sample.map { " LIMIT \($0)" } ?? ""
    }

    mutating func run() throws(StoreFailure) {
        let encoding = try connection.value("PRAGMA encoding") { $0.text(0) } ?? ""
        if encoding != "UTF-8" { report(.encoding, "the database", nil, "stores texts as \(encoding)") }
        let keys = schema.references
        for entity in schema.entities {
            try check(entity)
            for key in keys where key.entity == entity.name { try check(key) }
        }
        for key in keys where key.entity == nil { try check(key) }
        for place in dialect.stored.collated.sorted(by: { ($0.table, $0.column) < ($1.table, $1.column) }) {
            report(.collation, place.table, place.column, "has a collation other than BINARY")
        }
    }

    private mutating func report(
        _ kind: StoreViolation.Kind, _ table: String, _ column: String?, _ sentence: String, rows: Int? = nil,
        firstRow: Int64? = nil
    ) {
        let violation = StoreViolation(
            kind: kind, table: table, column: column, sentence: sentence, rows: rows, firstRow: firstRow)
        // Relationships may share columns and entities may share tables, so skip duplicates.
        if !found.contains(violation) { found.append(violation) }
    }

    private func quoted(_ name: String) -> String { SQLiteNames.quoted(name) }

    // MARK: Tables and columns

    /// Returns the table. If it is missing, reports a violation and returns nil.
    private mutating func table(_ name: String) throws(StoreFailure) -> Table? {
        if let known = tables[name] { return known }
        let columns = try connection.columns(of: name)
        if columns.isEmpty {
            report(.missingTable, name, nil, "does not exist")
            return nil
        }
        let rowid = try connection.rowNumber(of: name, besides: columns) ?? "NULL"
        tables[name] = (DatabaseTable(name: name, columns: columns), rowid)
        return tables[name]
    }

    /// Whether the table has all columns. Reports the missing ones.
    private mutating func holds(_ name: String, _ columns: [String]) throws(StoreFailure) -> Bool {
        guard let table = try table(name) else { return false }
        let missing = columns.filter { table.described.column($0) == nil && table.rowid != $0.lowercased() }
        for column in missing { report(.missingColumn, name, column, "does not exist") }
        return missing.isEmpty
    }

    private mutating func check(_ entity: PredicateSchema.Entity) throws(StoreFailure) {
        let name = schema.table(of: entity.name)
        guard let table = try table(name) else { return }
        let keys = schema.primaryKey(of: entity.name)
        _ = try holds(name, schema.columns(of: entity.name).map { schema.documents[$0]?.column ?? $0 })
        if let discriminator = entity.discriminator { _ = try holds(name, [discriminator]) }
        for attribute in entity.attributes where attribute.json == nil {
            for column in attribute.folds.values.sorted() { _ = try holds(name, [column]) }
            checkAffinity(attribute, name, table)
        }
        try checkValues(entity, name, table)
        if !keys.isEmpty, keys != [table.rowid], try holds(name, keys) { try checkKey(keys, name, table) }
        try checkCodes(entity, name, table)
    }

    /// Checks that the column's affinity fits its type.
    private mutating func checkAffinity(_ attribute: PredicateSchema.Attribute, _ name: String, _ table: Table) {
        guard let declared = table.described.column(attribute.column)?.declared else { return }
        let affinity = SQLiteAffinity(declared)
        switch attribute.type {
        case .string where affinity.convertsTexts:
            report(.affinity, name, attribute.column, "is \(declared), which converts numeric texts to numbers")
        case .date where Encoding(attribute)?.isText ?? false: break
        case .boolean, .integer, .double, .date:
            if affinity == .text {
                report(.affinity, name, attribute.column, "is \(declared), which converts numbers to texts")
            }
        default: break
        }
    }

    // MARK: Values

    private mutating func checkValues(_ entity: PredicateSchema.Entity, _ name: String, _ table: Table)
        throws(StoreFailure)
    {
        let checks = entity.attributes.filter {
            $0.json == nil && table.described.column($0.column) != nil
        }.map(StoredValueCheck.init)
        guard !checks.isEmpty else { return }
        // The selected columns: the row number, then each column followed by its folded columns.
        var columns = [table.rowid]
        var places: [(column: Int32, folds: [(ComparisonOptions, String, Int32)])] = []
        for check in checks {
            let column = Int32(columns.count)
            columns.append(quoted(check.attribute.column))
            var folds: [(ComparisonOptions, String, Int32)] = []
            for (options, fold) in check.attribute.folds.sorted(by: { $0.value < $1.value })
            where table.described.column(fold) != nil {
                folds.append((options, fold, Int32(columns.count)))
                columns.append(quoted(fold))
            }
            places.append((column, folds))
        }
        var faults = Faults()
        var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(quoted(name))"
        let kind = schema.codes(of: entity.name)
        if let kind {
            guard table.described.column(kind.column) != nil else { return }
            sql += " WHERE \(quoted(kind.column)) IN (\(kind.codes.map { _ in "?" }.joined(separator: ", ")))"
        }
        try connection.run(sql + limit, kind?.codes ?? []) { row in
            let rowid = row.isNull(0) ? nil : row.integer(0)
            for (check, place) in zip(checks, places) {
                if let fault = check.fault(row, place.column) {
                    faults.add(fault.kind, check.attribute.column, fault.sentence, rowid)
                    continue
                }
                for (options, column, position) in place.folds where !check.folds(row, place.column, options, position)
                {
                    faults.add(.foldedText, column, "is not the folded text of \(check.attribute.column)", rowid)
                }
            }
        }
        for fault in faults.all {
            report(fault.kind, name, fault.column, fault.sentence, rows: fault.rows, firstRow: fault.firstRow)
        }
    }

    /// Collects violations by stored values: one for each kind and column, with the number of rows.
    private struct Faults {
        var all: [(kind: StoreViolation.Kind, column: String, sentence: String, rows: Int, firstRow: Int64?)] = []

        mutating func add(_ kind: StoreViolation.Kind, _ column: String, _ sentence: String, _ rowid: Int64?) {
            if let index = all.firstIndex(where: { $0.column == column && $0.sentence == sentence }) {
                all[index].rows += 1
            } else {
                all.append((kind, column, sentence, 1, rowid))
            }
        }
    }

    // MARK: Keys

    /// Reports the rows of a table for which a condition holds. In the condition, `s` is the row.
    private mutating func check(
        _ kind: StoreViolation.Kind, _ name: String, _ column: String, _ sentence: String, _ table: Table,
        where condition: String, _ bindings: [PredicateValue] = []
    ) throws(StoreFailure) {
        let rows = "SELECT \(table.rowid) AS predicate_rowid, * FROM \(quoted(name))\(limit)"
        let sql = "SELECT count(*), min(predicate_rowid) FROM (\(rows)) AS s WHERE \(condition)"
        let found = try connection.value(sql, bindings) { row -> (Int64, Int64?) in
            (row.integer(0), row.isNull(1) ? nil : row.integer(1))
        }
        guard let (count, first) = found, count > 0 else { return }
        report(kind, name, column, sentence, rows: Int(count), firstRow: first)
    }

    /// Checks that each primary key is present and unique.
    private mutating func checkKey(_ keys: [String], _ name: String, _ table: Table) throws(StoreFailure) {
        let columns = keys.joined(separator: ", ")
        let isNull = keys.map { "s.\(quoted($0)) IS NULL" }.joined(separator: " OR ")
        try check(.repeatedKey, name, columns, "is NULL, but it is the primary key", table, where: isNull)
        let names = keys.map { "\(quoted($0)) COLLATE BINARY" }.joined(separator: ", ")
        let isSame = keys.map { "s.\(quoted($0)) = d.\(quoted($0)) COLLATE BINARY" }.joined(separator: " AND ")
        let repeated = "SELECT * FROM \(quoted(name)) GROUP BY \(names) HAVING count(*) > 1"
        try check(
            .repeatedKey, name, columns, "is the primary key of several rows", table,
            where: "EXISTS (SELECT 1 FROM (\(repeated)) AS d WHERE \(isSame))")
    }

    /// If the table's first entity has a code, checks that each row has a known code.
    private mutating func checkCodes(_ entity: PredicateSchema.Entity, _ name: String, _ table: Table)
        throws(StoreFailure)
    {
        guard entity.code != nil, let discriminator = entity.discriminator,
            table.described.column(discriminator) != nil
        else { return }
        let codes = schema.entities.filter { schema.table(of: $0.name) == name }.compactMap(\.code)
        let column = "s.\(quoted(discriminator))"
        let places = codes.map { _ in "?" }.joined(separator: ", ")
        try check(
            .unknownCode, name, discriminator, "is not the code of an entity", table,
            where: "\(column) IS NULL OR \(column) NOT IN (\(places))", codes)
    }

    /// Checks that each foreign key without NULL parts refers to a row.
    private mutating func check(_ reference: PredicateSchema.Reference) throws(StoreFailure) {
        let (name, columns, target) = (reference.table, reference.columns, reference.target)
        let key = schema.primaryKey(ofTable: target)
        guard try holds(name, columns), try holds(target, key), columns.count == key.count,
            let table = try table(name)
        else { return }
        let isThere = columns.map { "s.\(quoted($0)) IS NOT NULL" }.joined(separator: " AND ")
        let isSame = zip(key, columns).map { "t.\(quoted($0)) = s.\(quoted($1))" }.joined(separator: " AND ")
        try check(
            .danglingKey, name, columns.joined(separator: ", "), "refers to rows of \(target) that do not exist", table,
            where: "\(isThere) AND NOT EXISTS (SELECT 1 FROM \(quoted(target)) AS t WHERE \(isSame))")
    }
}
