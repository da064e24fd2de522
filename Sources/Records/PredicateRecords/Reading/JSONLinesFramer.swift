// Reads JSON Lines, the simplest format and the best one for large input. An invalid line does not affect the
// others.

struct JSONLinesFramer: RecordFramer {
    let input: InputBuffer
    private let recordLimit: Int
    var position: TextPosition
    private var parser: JSONParser

    init(_ input: InputBuffer, _ position: TextPosition, _ options: ReaderOptions) {
        parser = JSONParser(keepsDecimals: options.keepsDecimals)
        self.input = input
        self.position = position
        recordLimit = options.recordLimit
    }

    func wholeRecords() -> Int { input.bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0 }

    mutating func next() throws(FrameFault) -> RecordFrame? {
        while let count = try lineCount() {
            let start = position
            let line = trimmed(input.slice(0..<count))
            let consumed = count < input.count ? count + 1 : count
            let raw = input.slice(0..<count)
            input.consume(consumed)
            position.line += 1
            position.column = 1
            position.offset += consumed
            if line.isEmpty { continue }
            do throws(DocumentProblem) {
                return RecordFrame(value: try parser.parse(line), raw: raw, line: start.line)
            } catch {
                let blank = raw.firstIndex { !$0.isSpace } ?? 0
                let position = start.advanced(over: raw.prefix(blank + error.offset))
                throw FrameFault(position: position, message: error.message, endsInput: false)
            }
        }
        return nil
    }

    /// The length of the next line without its newline; nil at the end.
    private mutating func lineCount() throws(FrameFault) -> Int? {
        var scanned = 0
        while true {
            if let end = input.offset(of: UInt8(ascii: "\n"), from: scanned) { return end }
            scanned = input.count
            if scanned > recordLimit { try skipLine() }
            if try !input.fill(at: position) { return input.count == 0 ? nil : input.count }
        }
    }

    private mutating func skipLine() throws(FrameFault) {
        let start = position
        while true {
            let end = input.offset(of: UInt8(ascii: "\n"), from: 0)
            let consumed = end.map { $0 + 1 } ?? input.count
            input.consume(consumed)
            position.offset += consumed
            if end != nil { break }
            if try !input.fill(at: position) { break }
        }
        position.line += 1
        position.column = 1
        throw FrameFault(position: start, message: recordTooLong(recordLimit), endsInput: false)
    }
}
