// Text output for stores: objects as records, plans as lines.

extension StoredObject: ObjectWithAttributes {}

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
