// `predicate fetch --group`: groups of rows, computed by the database if all is exact in SQL, else of the rows that
// match.

extension FetchRun {
    /// Writes a row for each group.
    func writeGroups(_ groups: RecordGroups) throws -> ExitCode {
        var groups = groups
        var skipped = SkippedRecords()
        try checkKeys()
        var isGood = true
        if let plan = plan(of: groups) {
            let slow = slowNotice(plan.fetch)
            let counter = CollectionOperator.first(of: .count).name
            for record in try slow.wait({ () throws(StoreFailure) in try store.records(plan) }) {
                let count = groups.keys.count
                guard case .integer(let number)? = record[counter] else { continue }
                try groups.add(
                    group: Array(record.values.prefix(count)), count: Int(number),
                    results: groups.properties?.aggregates.map { record[$0] ?? .null } ?? [])
            }
            // The nil values of a mean are told.
            for (index, path) in groups.means {
                if case .attribute(let found)? = store.schema.key(path, of: self.request.entity), !found.isOptional {
                    continue
                }
                var rows = self.request
                rows.predicate = rows.predicate && .comparison(.key(path), .equal, .null)
                let nilCount = try slow.wait { () throws(StoreFailure) in try store.count(rows) }
                groups.add(nilCount: nilCount, ofMean: index)
            }
        } else {
            isGood = try collect(&groups, &skipped)
        }
        try showWarnings()
        let count = try write(groups: &groups)
        isGood = try invocation.tellNotes(of: groups) && isGood
        for line in skipped.summary("row") { try invocation.output.note(line) }
        return !isGood ? .failed : count > 0 ? .success : .negative
    }

    /// The plan by which the database computes the groups; nil if some part is not exact in SQL.
    private func plan(of groups: RecordGroups) -> RecordPlan? {
        guard let (keys, aggregates) = groups.properties else { return nil }
        var grouped = request
        grouped.groupBy = keys
        let counter = CollectionOperator.first(of: .count).name
        grouped.properties = keys + [counter] + aggregates.filter { $0 != counter }
        return try? store.plan(records: grouped)
    }

    /// Adds the rows that match. Returns false if one cannot be tested.
    private func collect(_ groups: inout RecordGroups, _ skipped: inout SkippedRecords) throws -> Bool {
        let plan = try store.plan(request)
        let slow = slowNotice(plan)
        let cursor = try slow.wait { () throws(StoreFailure) in try store.cursor(plan) }
        while canGoOn(cursor), let object = try slow.wait({ () throws(StoreFailure) in try cursor.next() }) {
            let record = PredicateValue.object(ObjectReference(object))
            do {
                try groups.add(record)
            } catch let error as PredicateFailure {
                if let failure = error.storeFailure { throw failure }
                if skipsErrors, !skipped.add(error) { continue }
                try invocation.output.note("a key of --group cannot be evaluated for a row")
                try report.show(error.diagnostics, source: error.source)
                if !skipsErrors { return false }
            }
            try object.checkFaults()
        }
        return try tell(cursor.failures, &skipped)
    }

    /// Writes the rows. Returns their number.
    private func write(groups: inout RecordGroups) throws -> Int {
        var options = WriterOptions(format: invocation[.rowsTo].flatMap(RecordFormat.init(rawValue:)) ?? .json)
        options.keys = groups.columns.map { FieldPath($0) }
        let writer = invocation.output.recordWriter(options)
        var table = invocation.outputMode(.rowsTo, isFinite: true).map { RowTable($0, invocation.output) }
        let count = try groups.forEachRow(offset: invocation.count(.offset) ?? 0, limit: invocation.count(.limit)) {
            row in
            if table == nil { try writer.write(row) } else { try table?.add(row) }
        }
        if table == nil { try writer.finish() } else { try table?.flush() }
        return count
    }
}
