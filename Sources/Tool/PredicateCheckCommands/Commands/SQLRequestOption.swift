// The options of `predicate sql` for the kind of statement: `--sort`, `--limit`, `--offset`, `--count`,
// `--bounds`, `--delete`, `--update`.

extension Invocation {
    /// nil for a simple selection.
    func sqlRequest() throws -> SQLQuery.Request? {
        let wanted = [OptionDescription.countRows, .boundRows, .deleteRows, .updateRows].filter(has)
        let sort = try sortKeys()
        let limit = try count(.limit)
        let offset = try count(.offset)
        let selects = sort != nil || limit != nil || offset != nil
        if wanted.count + (selects ? 1 : 0) > 1 {
            throw CommandEnd.usage(
                "--count, --bounds, --delete, --update and the options of a selection exclude each other")
        }
        switch wanted.first {
        case .countRows?: return .count
        case .boundRows?: return .bounds
        case .deleteRows?: return .delete
        case .updateRows?: return .update(try (values[OptionDescription.updateRows.name] ?? []).map(assignment))
        default: return selects ? .select(sort: sort ?? [], limit: limit, offset: offset ?? 0) : nil
        }
    }

    /// The clock of `now()`: `--clock`, by default the system's.
    package func clock() throws -> PredicateClock {
        switch self[.clock] {
        case nil: return .now
        case "memory": return .memory
        case let text?:
            guard let seconds = CalendarDate.seconds(iso8601: text) else {
                throw CommandEnd.usage(
                    "--clock takes a date or memory, not '\(text)'", hint: "--clock 2026-03-01T12:00:00Z")
            }
            return .at(seconds)
        }
    }

    /// Parses `doNotAlert=YES`, `name="x"`, `born=CAST("2026-03-01", "NSDate")`, `total=total * 2`, `flag=age > 21`. An
    /// expression without keys is computed here.
    private func assignment(_ text: String) throws -> KeyAssignment {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw CommandEnd.usage("--update takes KEY=VALUE, not '\(text)'", hint: "--update 'doNotAlert=YES'")
        }
        let environment = try environment()
        let key = parts[0].trimmingSpaces
        if let predicate = try? FormatPredicate(text: parts[1], in: environment) {
            return KeyAssignment(key, predicate)
        }
        guard let expression = try? FormatExpression(parts[1], formatArguments: [], in: environment) else {
            throw CommandEnd.usage("'\(parts[1])' is not a value", hint: "put a text in quotes: --update 'name=\"x\"'")
        }
        var readsKeys = false
        PredicateWalker(
            predicate: { _ in readsKeys = true }, expression: { if case .keyPath = $0.kind { readsKeys = true } }
        ).walk(expression.root)
        let value = readsKeys ? nil : try? expression.evaluate(PredicateValue.null)
        return value.map { KeyAssignment(key, $0) } ?? KeyAssignment(key, expression)
    }
}
