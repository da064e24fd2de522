// Opens a database through an ADBC driver as a store.

extension SQLStore where Connection == ADBCConnection {
    /// Opens a database through an ADBC driver.
    ///
    ///     let driver = try ADBCDriver("libadbc_driver_postgresql.so")
    ///     let store = try SQLStore(driver: driver, options: ["uri": "postgresql://localhost/shop"])
    ///     let adults = try store.fetch(StoreRequest("person", where: FormatPredicate("age >= 21"), sort: [PredicateSortKey("name")]))
    ///
    /// - Parameters:
    ///   - driver: the driver of the database.
    ///   - options: the driver's options; see `ADBCConnection`.
    ///   - schema: the entities of the tables; nil reads the tables of the database's current schema.
    ///   - dialect: the SQL dialect of the engine; nil chooses it by the engine's name, which the driver reports.
    ///   - mode: `.readOnly` refuses changes.
    /// - Throws: `cannotOpen` with the driver's reason; `schema` if the engine or its tables are unknown.
    public convenience init(
        driver: ADBCDriver, options: [String: String], schema: PredicateSchema? = nil, dialect: SQLDialect? = nil,
        mode: Mode = .readWrite
    ) throws(StoreFailure) {
        let connection = try ADBCConnection(driver, options)
        let known = if let dialect { dialect } else { try connection.dialect() }
        let found: PredicateSchema
        if let schema {
            found = schema
        } else {
            guard let catalog = SQLCatalog(known) else {
                throw .schema("the tables of \(known.name) cannot be read over ADBC: give a schema")
            }
            found = try connection.schema(catalog)
        }
        try self.init(schema: found, dialect: known, mode: mode, connection: connection)
    }
}

extension ADBCConnection {
    /// The dialect of the engine.
    fileprivate func dialect() throws(StoreFailure) -> SQLDialect {
        let vendor = try vendor() ?? ""
        // SQLite and Spark are missing: functions can be registered only with SQLite's own library, and Spark's driver
        // binds by position.
        let dialects: [(String, SQLDialect)] = [
            ("postgresql", .postgreSQL), ("duckdb", .duckDB), ("spark", .spark.bindingByPosition),
            ("sqlite", .sqlitePlain), ("clickhouse", .clickHouse),
        ]
        if let known = dialects.first(where: { vendor.lowercased().contains($0.0) }) { return known.1 }
        throw .schema("the driver is for '\(vendor)', whose SQL is not known: give a dialect")
    }
}
