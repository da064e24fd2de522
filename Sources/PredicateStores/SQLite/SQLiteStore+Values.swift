// The values that occur in a column, for who offers them as choices.
public import PredicateSyntax

extension SQLiteStore {
    /// The values of an attribute among the first rows, each once, in order and without nil.
    ///
    ///     try store.values(of: "city", in: "person", most: 64)   // London, New York
    ///
    /// - Parameters:
    ///   - key: the attribute.
    ///   - entity: the entity that has it.
    ///   - most: more values than this are no choices.
    ///   - rows: rows that are looked at, so that a large table keeps nobody waiting.
    /// - Returns: nil where there are more values than wanted.
    /// - Throws: what the engine says; `unknown-entity`. A key that is no attribute has no values.
    public func values(
        of key: String, in entity: String, most: Int, rows: Int = 20_000
    ) throws(StoreFailure) -> [Value]? {
        let layout = try layouts.layout(entity)
        guard let position = layout.position(ofAttribute: key) else { return [] }
        let column = SQLiteNames.quoted(layout.columns[position])
        let kind = layout.kinds[position]
        // Under a collation of its own a column would take other spellings for one.
        let sql = """
            SELECT DISTINCT \(column) COLLATE BINARY FROM (SELECT \(column) FROM \(SQLiteNames.quoted(layout.table)) \
            LIMIT \(max(0, rows))) WHERE \(column) IS NOT NULL ORDER BY 1 LIMIT \(max(0, most)) + 1
            """
        let found = try withConnection { (connection) throws(StoreFailure) in
            var found: [Value] = []
            try connection.run(sql) { row in
                if let value = row.value(0, kind) { found.append(value) }
            }
            return found
        }
        return found.count > most ? nil : found
    }
}
