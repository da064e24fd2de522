// Which records and columns the prompt shows, in which order, with which types, and in which format: `.sort`,
// `.columns`, `.types`, `.group`, `.tables`.

extension ReplSession {
    // MARK: Settings

    func setSort(_ line: CommandLine) throws {
        switch line.argument {
        case "": return try show(".sort \(sort.text)")
        case "none": sort = ("none", RecordOrder())
        default:
            guard let keys = PredicateSortKey.list(line.argument, in: environment) else {
                throw CommandEnd.usage(".sort takes keys separated by commas", hint: ".sort name[cd], -age")
            }
            sort = (keys.map(\.description).joined(separator: ","), try RecordOrder(keys, outputKey))
        }
        try answer("sort: \(sort.text)")
    }

    func setColumns(_ line: CommandLine) throws {
        func text() -> String { columns?.map(\.text).joined(separator: ", ") ?? "all" }
        switch line.argument {
        case "": return try show(".columns " + text())
        case "all": columns = nil
        default: columns = try outputKeys(line)
        }
        try answer("columns: " + text())
    }

    func setTypes(_ line: CommandLine) throws {
        guard !line.argument.isEmpty else { return try show(".types \(types ?? "none")") }
        guard source.dialect == nil else {
            throw CommandEnd.usage("a database has its own types", hint: ".schema prints them")
        }
        guard !names.contains("-") else {
            throw CommandEnd.usage("standard input cannot be read again", hint: "--types sets the types at the start")
        }
        let text = line.argument == "none" ? nil : line.argument.filter { !$0.isWhitespace }
        var options = readerOptions
        do throws(FieldTypeProblem) {
            options.types = try text.map { (text) throws(FieldTypeProblem) in try FieldTypes(text) } ?? FieldTypes()
        } catch {
            throw CommandEnd.usage(error.message, hint: ".types born=date, price=decimal")
        }
        try check(options.types.names)
        try open(names, options, as: joined)
        types = text
        if let memory = source as? MemorySource, !memory.problems.isEmpty { try greet() }
        try answer("types: \(types ?? "none")")
    }

    /// Throws an error for a path that the records do not have.
    private func check(_ paths: [String]) throws {
        guard checker != nil else { return }
        for path in paths {
            guard let finding = try source.schema.finding(key: PredicateSortKey(path, in: environment), of: entity)
            else {
                continue
            }
            let advice = path.contains(" ") ? "separate keys and expressions by commas" : nil
            throw CommandEnd.usage(finding.message, hint: finding.label ?? advice)
        }
    }

    // MARK: Columns

    /// The keys and expressions of an argument, separated by commas, or by spaces if all are names.
    private func outputKeys(_ line: CommandLine) throws -> [OutputKey] {
        let known = Set(checker == nil ? [] : source.schema.keys(of: entity))
        let texts = FormatExpression.list(line.argument).flatMap { part in
            let words = part.split(separator: " ").map(String.init)
            let areNames = words.allSatisfy { $0.uppercased() != "AS" && $0.allSatisfy(Self.isOfName) }
            return areNames && !known.contains(part) && !words.isEmpty ? words : [part]
        }
        return try texts.map(outputKey)
    }

    func outputKey(_ text: String) throws -> OutputKey {
        let root = FormatExpression(FormatExpression.parse(text, in: environment).tree, source: text).root
        let isAboutAll = root.isAboutAll
        let isName = checker != nil && source.schema.key(text, of: entity) != nil
        let key = try OutputKey(text, expressionReader(overAll: isAboutAll), predicateVariables, isName: isName)
        let unknown = isAboutAll && checker != nil ? root.unknownKeys(of: entity, in: source.schema) : []
        guard key.findings.isEmpty, unknown.isEmpty else {
            try show(key.findings + unknown, source: text)
            throw CommandEnd.exit(.refused)
        }
        if !key.isExpression { try check([key.path.name]) }
        return key
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "_.@#".contains(character)
    }

    /// The chosen columns of records, or all keys.
    func rows(of records: [PredicateValue]) throws -> [PredicateValue] {
        try columns.map { try rows(of: records, $0) } ?? records.map(\.withoutObjects)
    }

    /// Returns a row for each record. A value that cannot be computed is nil, and the first failure is printed.
    func rows(of records: [PredicateValue], _ columns: [OutputKey]) throws -> [PredicateValue] {
        let shape = ValueDictionary.Shape(columns.map(\.heading))
        let (rows, failures) = try interruptible {
            var failures: (count: Int, first: PredicateFailure?) = (0, nil)
            let rows = try records.map { record in
                try Task.checkCancellation()
                let values = columns.map { column in
                    do throws(PredicateFailure) {
                        return try column.value(in: record)
                    } catch {
                        failures = (failures.count + 1, failures.first ?? error)
                        return PredicateValue.null
                    }
                }
                return PredicateValue.dictionary(ValueDictionary(shape: shape, values: values))
            }
            return (rows, failures)
        }
        try source.checkFaults(records)
        if let first = failures.first {
            worsen(.failed)
            let count = DisplayText.count(failures.count, "value")
            let verb = failures.count == 1 ? "is" : "are"
            try note("\(count) cannot be computed and \(verb) shown as nil; the first failure:", .error)
            try show(first.diagnostics, source: first.source)
        }
        return rows
    }

    // MARK: Printing

    func show(records: [PredicateValue]) throws { try show(rows: rows(of: records), as: mode) }

    /// Prints rows. A table that is too wide is printed with one field per line if that fits on the screen, else
    /// without its last columns if its rows fit; otherwise it is scrolled.
    func show(rows: [PredicateValue], as mode: OutputMode) throws {
        guard let terminal, mode == .table, !rows.isEmpty else {
            return try show(PagedText { mode.lines(rows, width: $0, advice: "") })
        }
        let table = try interruptible { TablePrinter(rows) }
        var text = PagedText { table.fits($0) ? table.lines(width: $0) : table.wideLines(screen: $0) }
        text.header = TablePrinter.headerLines
        text.expanded = { OutputMode.line.lines(rows, width: $0, advice: "") }
        text.isWide = !table.fits(terminal.size.columns)
        if text.isWide, let expanded = text.expanded {
            // Scrolling is for many rows. Of a few, the last columns are left out, and named below the table.
            for page in [PagedText(lines: expanded), PagedText { table.lines(width: $0) }] {
                if try !pager(page, terminal).isNeeded { return try show(page) }
            }
        }
        try show(text)
    }

    // MARK: Groups

    /// The command `.group`: counts the matches of the last predicate by keys, and computes collection operators over
    /// each group.
    func group(_ line: CommandLine) throws {
        let columns = try line.argument.isEmpty ? [] : outputKeys(line)
        let keys = columns.filter { !$0.isAboutAll }
        guard !keys.isEmpty else {
            throw CommandEnd.usage(
                ".group takes keys, and what to compute for each group", hint: ".group city, @avg.age")
        }
        var groups = try RecordGroups(columns, sort.order, predicateVariables, run)
        let records = try selected(selection(lastPredicate, limit: nil, isOrdered: false)).records
        let values = try rows(of: records, keys)
        let found = try interruptible { [limit] in
            for case (let record, .dictionary(let row)) in zip(records, values) {
                try groups.add(record, key: Array(row.values))
            }
            var rows: [PredicateValue] = []
            _ = try groups.forEachRow(limit: limit) { rows.append($0) }
            return rows
        }
        try source.checkFaults(records)
        try show(rows: found, as: mode)
        for text in groups.notes { try note(text, groups.failures.count > 0 ? .error : .dim) }
        if let first = groups.failures.first {
            worsen(.failed)
            try show(first.diagnostics, source: first.source)
        }
        let shown = found.count < groups.count ? ", the first \(found.count) shown (.limit 0 shows all)" : ""
        try answer(
            "\(DisplayText.count(groups.count, "group")) of \(DisplayText.count(records.count, "record"))" + shown)
    }

    // MARK: Tables

    /// The command `.tables`: the entities, with the number of their records. Ctrl-C stops counting.
    func showTables(_ line: CommandLine) throws {
        try show(
            source.entities.map { name in
                var text = StyledText(name == entity ? "* " : "  ", .dim)
                text.append(name, .keyword)
                let keys = source.schema.keys(of: name).count
                guard let count = try source.count(of: name, isCancelled: { isCancelled }) else {
                    throw CancellationError()
                }
                text.append("  \(DisplayText.count(keys, "key")), \(DisplayText.count(count, "record"))", .dim)
                return text
            })
    }
}
