// Reads a JSON array element by element. A scanner that recognises only strings and brackets finds the end of an
// element; then the strict parser reads the element. So an invalid element does not affect the others, and memory holds
// one element at a time.

/// Finds the end of one JSON value without parsing it. It resumes when more bytes have been read.
struct JSONScanner {
    private var depth = 0
    private var inString = false
    private var escaped = false
    /// Whether to stop after the bracket or quotation mark that closes the value; otherwise it stops before the `,` or
    /// `]` after an element.
    let endsAfterValue: Bool

    init(endsAfterValue: Bool) { self.endsAfterValue = endsAfterValue }

    /// Whether every opened bracket and string is closed.
    var isBalanced: Bool { depth == 0 && !inString }

    /// Returns the offset of the value's end, or nil if the value continues after these bytes.
    mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var at = start
        let count = bytes.count
        while at < count {
            if inString {
                if !escaped { at = Self.stop(base, count, from: at) }
                guard at < count else { return nil }
                let byte = base[at]
                // A JSON string cannot hold a newline, so a missing quotation mark affects one line at most.
                inString = escaped || byte == UInt8(ascii: "\\")
                escaped = !escaped && byte == UInt8(ascii: "\\")
                if depth == 0, endsAfterValue, !inString { return at + 1 }
            } else {
                switch base[at] {
                case UInt8(ascii: "\""): inString = true
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    if depth == 0 { return at }
                    depth -= 1
                    if depth == 0, endsAfterValue { return at + 1 }
                case UInt8(ascii: ","):
                    if depth == 0, !endsAfterValue { return at }
                default: break
                }
            }
            at += 1
        }
        return nil
    }

    /// The offset of the next quotation mark, backslash or newline.
    private static func stop(_ base: UnsafePointer<UInt8>, _ count: Int, from start: Int) -> Int {
        var (at, seen) = (start, UInt64(0))
        let (quotes, escapes, newlines) = (ByteWord.repeating(0x22), ByteWord.repeating(0x5C), ByteWord.repeating(0x0A))
        ByteWord.pass(base, count, &at, &seen) {
            ByteWord.find(quotes, in: $0) | ByteWord.find(escapes, in: $0) | ByteWord.find(newlines, in: $0)
        } orIn: {
            ByteWord.find(quotes, in: $0) | ByteWord.find(escapes, in: $0) | ByteWord.find(newlines, in: $0)
        }
        return at
    }
}

struct JSONFramer: RecordFramer {
    /// `end` has the message for text after the value, `broken` the message that is reported next.
    private enum State {
        case start, element, elementAfterComma
        case end(String)
        case broken(String)
    }

    let input: InputBuffer
    private let recordLimit: Int
    var position: TextPosition
    private var state = State.start
    private var parser: JSONParser
    /// Whether the value is a part of a document; the text after it is then not read.
    private let isPart: Bool

    /// - Parameters:
    ///   - insideArray: the bytes begin after a comma of an array.
    ///   - isPart: the value is a part of a document.
    init(
        _ input: InputBuffer, _ position: TextPosition, _ options: ReaderOptions, insideArray: Bool = false,
        isPart: Bool = false
    ) {
        parser = JSONParser(keepsDecimals: options.keepsDecimals)
        if insideArray { state = .elementAfterComma }
        self.isPart = isPart
        self.input = input
        self.position = position
        recordLimit = options.recordLimit
    }

    mutating func next() throws(FrameFault) -> RecordFrame? {
        while true {
            if case .broken(let message) = state { throw fault(message) }
            if isPart, case .end = state { return nil }
            guard let first = try input.skipSpace(&position) else {
                switch state {
                case .start: throw fault("the input holds no JSON value")
                case .element, .elementAfterComma: throw fault("the array is not closed")
                case .end, .broken: return nil
                }
            }
            switch state {
            case .end where first == UInt8(ascii: "{") || first == UInt8(ascii: "["):
                // Several documents in a row, as written by programs that append to a file.
                state = .start
            case .end(let message), .broken(let message): throw fault(message)
            case .start:
                guard first == UInt8(ascii: "[") else { return try single(first) }
                take()
                state = .element
            case .element where first == UInt8(ascii: "]"):
                take()
                state = .end("text after the array")
            case .elementAfterComma where first == UInt8(ascii: "]"):
                let place = position
                take()
                state = .end("text after the array")
                let message = "nothing comes after the comma before this ']': remove the comma"
                throw FrameFault(position: place, message: message, endsInput: false)
            case .element, .elementAfterComma:
                return try element()
            }
        }
    }

    /// The number of bytes up to the last comma between two elements.
    mutating func wholeRecords() throws(FrameFault) -> Int {
        if case .start = state {
            guard try input.skipSpace(&position) == UInt8(ascii: "[") else { return 0 }
            take()
            state = .element
        }
        switch state {
        case .element, .elementAfterComma: break
        case .start, .end, .broken: return 0
        }
        var scanner = JSONScanner(endsAfterValue: false)
        var count = 0
        while let end = scanner.scan(input.bytes, from: count), input.bytes[end] == UInt8(ascii: ",") {
            count = end + 1
        }
        if count > 0 { state = .elementAfterComma }
        return count
    }

    private mutating func take() { input.consume(1, &position) }

    private func fault(_ message: String) -> FrameFault { FrameFault(message, endsAt: position) }

    /// Reads an input that is a single value and not an array.
    private mutating func single(_ first: UInt8) throws(FrameFault) -> RecordFrame {
        state = .end("text after the JSON value; one value a line is JSON Lines (jsonl)")
        let isContainer = first == UInt8(ascii: "{")
        var scanner = JSONScanner(endsAfterValue: true)
        var scanned = 0
        while true {
            if isContainer, let end = scanner.scan(input.bytes, from: scanned) { return try parse(end, next: end) }
            scanned = input.count
            if scanned > recordLimit { throw fault(recordTooLong(recordLimit)) }
            if try !input.fill(at: position) { return try parse(scanned, next: scanned) }
        }
    }

    private mutating func element() throws(FrameFault) -> RecordFrame {
        var scanner = JSONScanner(endsAfterValue: false)
        var scanned = 0
        var tooLong: TextPosition?
        while true {
            if let end = scanner.scan(input.bytes, from: scanned) {
                switch input.bytes[end] {
                case UInt8(ascii: ","): state = .elementAfterComma
                case UInt8(ascii: "]"): state = .end("text after the array")
                default: state = .broken("'}' where the array goes on")
                }
                if let tooLong {
                    input.consume(end + 1, &position)
                    throw FrameFault(position: tooLong, message: recordTooLong(recordLimit), endsInput: false)
                }
                return try parse(end, next: end + 1)
            }
            scanned = input.count
            if scanned > recordLimit || tooLong != nil {
                tooLong = tooLong ?? position
                input.consume(scanned, &position)
                scanned = 0
            }
            if try !input.fill(at: position) {
                if tooLong != nil || !scanner.isBalanced { throw fault("the array is not closed") }
                // The last element is complete: return it now and report the missing bracket at the next call.
                state = .element
                return try parse(input.count, next: input.count)
            }
        }
    }

    /// Parses the bytes before `end`. Moves to `next` even if parsing fails.
    private mutating func parse(_ end: Int, next: Int) throws(FrameFault) -> RecordFrame {
        let start = position
        let raw = trimmed(input.slice(0..<end))
        input.consume(next, &position)
        do throws(DocumentProblem) {
            return RecordFrame(value: try parser.parse(raw), raw: raw, line: start.line)
        } catch {
            throw FrameFault(
                position: start.advanced(over: raw.prefix(error.offset)), message: error.message, endsInput: false)
        }
    }
}
