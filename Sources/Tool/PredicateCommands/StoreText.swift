// Text output for stores: objects as records, plans as lines. `fetch --explain` and the prompt print the same lines.

extension StoredObject: ObjectWithAttributes {}

extension DatabaseStore {
    /// The engine's query plan for a statement.
    func steps(of statement: SQLStatement) throws(StoreFailure) -> [String] {
        if let store = self as? SQLiteStore { return try store.explain(statement) }
        // The last column of each row has the text, one or more lines.
        return try rows("EXPLAIN " + statement.text, statement.bindings).flatMap { (row) -> [String] in
            guard case .string(let text)? = row.last else { return [] }
            return text.split(whereSeparator: \.isNewline).map(String.init)
        }
    }

    /// What would make a request faster: columns and indexes.
    ///
    /// - Parameters:
    ///   - request: the request as it was written, because advice shows its terms.
    ///   - steps: the engine's plan of the statement.
    func advice(of plan: FetchPlan, _ request: StoreRequest, _ steps: [String]) throws(StoreFailure) -> [String] {
        let missing = try (self as? SQLiteStore)?.missingIndex(for: request, steps: steps)
        return plan.advice + [missing].compactMap { $0?.description }
    }

    /// The SQL with its values, the parts tested in memory with reasons, and the engine's plan.
    ///
    /// - Parameter width: the width of the terminal, for laying out the statement; nil prints it on one line.
    func explanation(of request: StoreRequest, width: Int? = nil) throws(StoreFailure) -> [String] {
        let plan = try plan(request)
        let steps = try steps(of: plan.statement)
        let statement = plan.statement.text
        var lines =
            width.map { SQLLayout.text(statement, width: $0).split(separator: "\n").map(String.init) } ?? [statement]
        if !plan.statement.bindings.isEmpty {
            lines.append("bindings: " + plan.statement.bindings.map(TaggedJSON.text).joined(separator: ", "))
        }
        if let residual = plan.residual { lines.append("residual: \(residual)") }
        lines.append(plan.reasons.isEmpty ? "in memory: nothing" : "in memory:")
        lines += plan.reasons.map { "  " + $0 }
        if plan.statement.hasCertain { lines.append("  " + SQLStatement.sureNote) }
        return lines + KnownDatabase.lines(try advice(of: plan, request, steps), steps)
    }

    /// A warning for each table and view that cannot be read; empty for engines other than SQLite.
    func warningsOfUnreadableTables() -> [String] { (self as? SQLiteStore)?.unreadableTables() ?? [] }
}

extension CommandEnd {
    /// Runs `body`, whose failure ends the command with its description.
    static func failed<Value>(_ body: () throws(StoreFailure) -> Value) throws -> Value {
        do throws(StoreFailure) { return try body() } catch { throw failure(.failed, error.description) }
    }
}

extension SQLiteStore {
    /// Opens a database, read-only by default. Throws for a path that is not a file, because opening a pipe would wait.
    /// - Throws: `CommandEnd` with a message.
    convenience init(
        _ name: String, _ input: CommandInput, schema: PredicateSchema? = nil, mode: SQLStoreMode = .readOnly
    ) throws {
        let path = input.path(name)
        if !input.isFile(name), let kind = input.entryKind(name, followsLinks: true) {
            let what = kind == .folder ? "a directory" : "not a file"
            throw CommandEnd.failure(.failed, "cannot open '\(name)': it is \(what)")
        }
        _ = try input.source(name)  // throws the usual error for a missing file
        do throws(StoreFailure) {
            try self.init(path: path, schema: schema, mode: mode)
        } catch {
            if case .cannotOpen(_, let reason) = error {
                throw CommandEnd.failure(.failed, "cannot open '\(name)': \(reason)")
            }
            throw CommandEnd.failure(.failed, error.description)
        }
    }

    /// A warning for each table and view that the schema does not include.
    func unreadableTables() -> [String] {
        let sql = """
            SELECT name FROM sqlite_master
            WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
            """
        let known = Set([PredicateSchema.versionTable] + schema.entities.map { schema.table(of: $0.name) })
        let names = ((try? rows(sql)) ?? []).compactMap { row in
            if case .string(let name)? = row.first, !known.contains(name) { name } else { nil as String? }
        }
        return names.map { name in
            var reason = "it cannot be read"
            do throws(StoreFailure) {
                _ = try rows("SELECT * FROM \(SQLiteNames.quoted(name)) LIMIT 0")
            } catch {
                if case .engine(_, let message, _, _) = error { reason = message }
            }
            return "warning: '\(name)' is left out: \(reason)"
        }
    }
}
