// The index that is missing for a request whose plan reads the whole table.

extension SQLStore where Connection == SQLiteConnection {
    /// The index that would serve a comparison of the request; nil if the plan does not read the whole table, or if each
    /// compared column is the first of an index.
    ///
    /// - Parameter steps: the lines of the request's plan.
    package func missingIndex(for request: StoreRequest, steps: [String]) throws(StoreFailure) -> SQLAdvice? {
        guard steps.contains("SCAN t0") else { return nil }
        let table = schema.table(of: request.entity)
        let columns = schema.columns(of: request.entity)
        let signs = ["= ?", "> ?", ">= ?", "< ?", "<= ?", "IN (", "IS NULL"]
        for term in request.terms {
            guard case .comparison = term.kind else { continue }
            // Its SQL alone shows whether the engine compares the column itself.
            let predicate = FormatPredicate(term, in: request.predicate.environment)
            let text = try plan(StoreRequest(request.entity, where: predicate, clock: request.clock)).statement.text
            let served = columns.first { column in
                signs.contains { text.contains(" WHERE \"t0\".\(SQLiteNames.quoted(column)) \($0)") }
            }
            guard let served else { continue }
            let indexes = try reading { (connection) throws(StoreFailure) in try connection.indexes(of: table) }
            if indexes.contains(where: { $0.first == served.lowercased() }) { continue }
            return SQLAdvice(table, served, of: "\(term)", dialect)
        }
        return nil
    }
}
