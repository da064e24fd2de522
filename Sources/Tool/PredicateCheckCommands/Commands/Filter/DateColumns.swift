// CSV has no dates. A column that the command uses only as a date, as in `due.year`, `due > now()` or
// `due > '2026-01-01'`, is read as one if all of its values are ISO 8601 dates, as `--types due=date` does.

extension Invocation {
    /// The invocation with `--types` for such columns. Prints which they are. A pipe is read once, so it has none.
    func readingDates() throws -> Invocation {
        guard !has(.example), self[.file] != "-", let names = try? inputNames(),
            let text = try? text(otherOperands: true),
            names.allSatisfy({ input.isFile($0) && (self[.from] ?? RecordFormat(path: $0)?.rawValue) == "csv" })
        else { return self }
        var options = try readerOptions(keepsText: false)
        var columns = datesUsed(try textReader(unbound: false).read(text)).subtracting(options.types.names)
        var isAny: Set<String> = []
        for name in names where !columns.isEmpty {
            options.fields = columns.sorted()
            guard let reader = try? open(name, options) else { return self }
            try? reader.eachValue { record in
                for column in columns {
                    let value = record[member: column] ?? .null
                    if value.isNil { continue }
                    isAny.insert(column)
                    guard case .string(let text) = value, CalendarDate.seconds(iso8601: text) != nil else {
                        columns.remove(column)
                        continue
                    }
                }
                if columns.isEmpty { throw CommandEnd.exit(.success) }
            }
        }
        let dates = columns.intersection(isAny).sorted()
        guard let first = dates.first, !dates.contains(where: { $0.contains { ",=\"".contains($0) } })
        else { return self }
        let list = dates.joined(separator: ", ")
        let note = "\(list): read as dates, because all values are; --types \(first)=string reads texts"
        try output.note(DisplayText.visible(note))
        var values = values
        let types = [self[.types]].compactMap { $0 } + dates.map { $0 + "=date" }
        values[OptionDescription.types.name] = [types.joined(separator: ",")]
        return reading(input, values)
    }

    /// The keys that the predicate, or the keys of sorting and grouping, use only as dates.
    private func datesUsed(_ text: PredicateText) -> Set<String> {
        var (used, dates): ([String: Int], [String: Int]) = ([:], [:])
        let functions = text.environment.functions
        if case .predicate(let predicate) = text.tree {
            PredicateWalker(
                predicate: { node in
                    guard case .comparison(let comparison) = node.kind, comparison.operator.ordersDates else { return }
                    for (side, other) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
                        guard case .keyPath(let keys) = side.kind, keys.count == 1, other.isDate(functions) else {
                            continue
                        }
                        dates[keys[0], default: 0] += 1
                    }
                },
                expression: { node in
                    guard case .keyPath(let keys) = node.kind else { return }
                    used[keys[0], default: 0] += 1
                    if keys.count == 2, DatePart(rawValue: keys[1]) != nil { dates[keys[0], default: 0] += 1 }
                }
            ).walk(predicate.root)
        }
        for text in [self[.sort], self[.group], self[.keys]].compactMap({ $0 }) {
            for key in text.split(separator: ",") {
                let keys = key.trimmingPrefix { " -".contains($0) }.split(separator: ".").map(String.init)
                guard keys.count == 2, DatePart(rawValue: keys[1]) != nil else { continue }
                used[keys[0], default: 0] += 1
                dates[keys[0], default: 0] += 1
            }
        }
        return Set(dates.filter { used[$0.key] == $0.value }.keys)
    }
}

extension ComparisonOperator {
    fileprivate var ordersDates: Bool {
        switch self {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual, .between, .in: true
        default: false
        }
    }
}

extension ExpressionNode {
    /// Whether this is surely a date, or a text in the form of one.
    fileprivate func isDate(_ functions: FunctionCatalog) -> Bool {
        switch kind {
        case .value(.date): true
        case .value(.string(let text)): CalendarDate.seconds(iso8601: text) != nil
        case .call(let name, _) where functions.function(named: name)?.intrinsic?.asksClock ?? false: true
        case .cast(_, let type): type == CastType.date.rawValue
        case .binary(_, let left, let right): left.isDate(functions) || right.isDate(functions)
        case .call(_, let arguments), .aggregate(let arguments): arguments.contains { $0.isDate(functions) }
        default: false
        }
    }
}
