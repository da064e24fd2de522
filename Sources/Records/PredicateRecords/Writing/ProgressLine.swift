// Shows the progress of a long run in one line on the terminal.

/// Shows progress on standard error, if that is a terminal and the run takes longer than two seconds.
package struct ProgressLine {
    private static let recordsBetweenLooks = 1024
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var lastShown: ContinuousClock.Instant?
    private var records = 0

    package init() { isShown = SystemFile.isTerminal(2) }

    /// Call this after one or more records. It reads the clock only every 1024 records.
    package mutating func advance(_ reader: RecordReader, by count: Int = 1) {
        let looks = records / Self.recordsBetweenLooks
        records += count
        guard isShown, records / Self.recordsBetweenLooks != looks else { return }
        let now = ContinuousClock.now
        guard now - start > .seconds(2), lastShown.map({ now - $0 > .milliseconds(250) }) ?? true else { return }
        lastShown = now
        show("\r\(Self.text(reader.source.name, records, reader.bytesRead, reader.totalBytes))\u{1B}[K")
    }

    /// Removes the line. Call this before writing anything else to the terminal.
    package mutating func clear() {
        guard lastShown != nil else { return }
        lastShown = nil
        show("\r\u{1B}[K")
    }

    /// Example: `orders.jsonl: 120000 records, 45 % of 1024 MB`
    static func text(_ name: String, _ records: Int, _ bytes: Int, _ total: Int?) -> String {
        let size =
            if let total, total > 0 {
                "\(min(100, Int(Double(bytes) * 100 / Double(total)))) % of \(total >> 20) MB"
            } else {
                "\(bytes >> 20) MB"
            }
        return "\(name): \(records) records, \(size)"
    }

    private func show(_ text: String) {
        // If the terminal has been closed, the run continues.
        try? OutputFile.write(Array(text.utf8), to: 2)
    }
}
