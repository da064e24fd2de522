// Prints records for people: `--to table`, `markdown` and `line` of `filter` and `fetch`.

/// Collects records and prints them. Column widths depend on the contents, so large inputs are printed in blocks.
package struct RowTable {
    /// The names of these forms, for `--to`.
    static let forms = [OutputMode.table, .markdown, .line].map(\.rawValue)
    private static let blockSize = 10_000

    private let mode: OutputMode
    private let output: CommandOutput
    private var rows: [PredicateValue] = []
    private(set) var hasPrinted = false

    package init(_ mode: OutputMode, _ output: CommandOutput) {
        self.mode = mode
        self.output = output
    }

    package mutating func add(_ row: PredicateValue) throws {
        rows.append(row)
        if rows.count == Self.blockSize { try flush() }
    }

    package mutating func flush() throws {
        defer { rows.removeAll() }
        hasPrinted = true
        let width = output.isTerminal ? output.width : nil
        for line in mode.lines(rows, width: width, advice: "--to line shows all") { try output.line(line.plain) }
    }
}

extension Invocation {
    /// The mode for people that `--to` names. Without `--to` it is a table if the output is a terminal and `isFinite`;
    /// else nil.
    package func outputMode(_ option: OptionDescription, isFinite: Bool) -> OutputMode? {
        guard let name = self[option] else { return output.isTerminal && isFinite ? .table : nil }
        return RowTable.forms.contains(name) ? OutputMode(rawValue: name) : nil
    }
}
