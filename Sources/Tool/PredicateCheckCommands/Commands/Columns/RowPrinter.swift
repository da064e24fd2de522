// The output formats of records: `.mode`.

package enum OutputMode: String, CaseIterable {
    case table, json, csv, line, markdown

    /// Formats records as lines.
    /// - Parameters:
    ///   - width: the width of the terminal; nil for no limit.
    ///   - advice: tells the user how to see columns that do not fit.
    package func lines(_ records: [PredicateValue], width: Int?, advice: String) -> [StyledText] {
        switch self {
        case .table: records.isEmpty ? [] : TablePrinter(records).lines(width: width, advice: advice)
        case .json: Self.written(records, .json)
        case .csv: Self.written(records, .csv)
        case .line: Self.fields(records)
        case .markdown: Self.markdown(records)
        }
    }

    private static func written(_ records: [PredicateValue], _ format: RecordFormat) -> [StyledText] {
        // JSON and CSV can hold every text.
        let text = String(decoding: (try? RecordWriter.bytes(of: records, format)) ?? [], as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { StyledText(String($0)) }
    }

    /// One field per line, with a blank line between records.
    private static func fields(_ records: [PredicateValue]) -> [StyledText] {
        let names = Columns.names(of: records)
        let width = names.map { DisplayText.columns(DisplayText.visible($0)) }.max() ?? 0
        var lines: [StyledText] = []
        for (index, record) in records.enumerated() {
            if index > 0 { lines.append(StyledText()) }
            guard case .dictionary(let fields) = record else {
                lines.append(StyledText(ValueText.text(record)))
                continue
            }
            for (key, value) in zip(fields.keys, fields.values) {
                let name = DisplayText.visible(key)
                let space = String(repeating: " ", count: width - DisplayText.columns(name))
                var line = StyledText(space + name, .bold)
                line.append(" = " + ValueText.text(value), value.isNil ? .dim : .plain)
                lines.append(line)
            }
        }
        return lines
    }

    private static func markdown(_ records: [PredicateValue]) -> [StyledText] {
        guard !records.isEmpty else { return [] }
        let found = Columns.names(of: records)
        let names = found.isEmpty ? ["value"] : found
        func row(_ cells: [String]) -> StyledText {
            StyledText("| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |")
        }
        let rule = names.map { name in
            let cells = records.map { ValueText(Columns.value($0, name)) }
            return cells.allSatisfy { $0.isNumber || $0.isNil } && cells.contains(where: \.isNumber) ? "---:" : "---"
        }
        let rows = records.map { record in row(names.map { ValueText.text(Columns.value(record, $0)) }) }
        return [row(names.map { DisplayText.visible($0) }), row(rule)] + rows
    }
}

extension RecordWriter {
    /// The contents of a file with these records. `columns` are the first columns of CSV, even if no record has them.
    package static func bytes(
        of records: [PredicateValue], _ format: RecordFormat, columns first: [String] = []
    ) throws(OutputProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var options = WriterOptions(format: format)
        var columns = Columns.names(of: records)
        if !columns.isEmpty || records.isEmpty { columns = first + columns.filter { !first.contains($0) } }
        // By default the header has the keys of the first record only; other records may have more.
        if format == .csv, !columns.isEmpty { options.keys = columns.map { FieldPath($0) } }
        let writer = RecordWriter(options: options) { (chunk) throws(OutputProblem) in bytes += chunk }
        for record in records { try writer.write(record) }
        try writer.finish()
        return bytes
    }
}
