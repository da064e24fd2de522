// Reads the distinct values of a column, for completion.

extension SQLStore where Connection == SQLiteConnection {
    /// Returns the distinct values of an attribute in the first rows, sorted and without nil.
    ///
    ///     try store.values(of: "city", in: "person", most: 64)     // London, New York
    ///
    /// - Parameters:
    ///   - key: the attribute.
    ///   - entity: its entity.
    ///   - most: the maximum number of values.
    ///   - rows: the maximum number of rows to read, which bounds the time for a large table.
    /// - Returns: nil if there are more than `most` values; an empty list if the key is not an attribute.
    /// - Throws: `unknown-entity`; errors of the engine.
    package func values(
        of key: String, in entity: String, most: Int, rows: Int = 20_000
    ) throws(StoreFailure) -> [PredicateValue]? {
        let layout = try layouts.layout(entity)
        guard let position = layout.position(ofAttribute: key) else { return [] }
        let column = SQLiteNames.quoted(layout.columns[position])
        let kind = layout.kinds[position]
        // The column's own collation could merge different spellings.
        let sql = """
            SELECT DISTINCT \(column) COLLATE BINARY FROM (SELECT \(column) FROM \(SQLiteNames.quoted(layout.table)) \
            LIMIT \(max(0, rows))) WHERE \(column) IS NOT NULL ORDER BY 1 LIMIT \(max(0, most)) + 1
            """
        let found = try reading { (connection) throws(StoreFailure) in
            var found: [PredicateValue] = []
            try connection.run(sql) { row in
                if let value = row.value(0, kind) { found.append(value) }
            }
            return found
        }
        return found.count > most ? nil : found
    }
}
