// Lays out the list of completions: with descriptions if there are any and they fit; otherwise in columns.

package enum ListLayout {
    /// Returns at most `limit` rows. If some items do not fit, the last row shows their number.
    package static func rows(_ items: [PredicateCompletion], columns: Int, limit: Int) -> [StyledText] {
        items.contains { !$0.detail.isEmpty } && items.count <= limit
            ? described(items) : inColumns(items, columns: columns, limit: limit)
    }

    private static func described(_ items: [PredicateCompletion]) -> [StyledText] {
        let width = min(36, items.map { DisplayText.columns($0.text) }.max() ?? 0)
        return items.map { item in
            var row = StyledText("  " + item.text.padded(to: width))
            if !item.detail.isEmpty { row.append("  " + item.detail, .dim) }
            return row
        }
    }

    /// Fills column by column, like `ls`.
    private static func inColumns(_ items: [PredicateCompletion], columns: Int, limit: Int) -> [StyledText] {
        let width = min(max(4, columns - 2), (items.map { DisplayText.columns($0.text) }.max() ?? 0) + 2)
        let across = max(1, (columns - 2) / width)
        let count = (items.count + across - 1) / across
        let shown = count <= limit ? count : max(1, limit - 1)
        var rows: [StyledText] = (0..<shown).map { row in
            let texts = (0..<across).compactMap { column in
                let index = column * count + row
                return index < items.count ? items[index].text.padded(to: width) : nil
            }
            return StyledText("  " + texts.joined())
        }
        if shown < count {
            let rest = (0..<across).reduce(0) { $0 + max(0, min(count, items.count - $1 * count) - shown) }
            rows.append(StyledText("  … \(rest) more", .dim))
        }
        return rows
    }
}

extension String {
    /// The text with spaces up to a width in columns.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - DisplayText.columns(self)))
    }
}
