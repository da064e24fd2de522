// A C macro: `#define PRED(format, ...) [NSPredicate predicateWithFormat:format, ##__VA_ARGS__]`.

struct Macro {
    let name: String
    /// nil for a macro without parentheses.
    private(set) var parameters: [String]?
    private(set) var body: [SourceToken]

    /// - Parameter range: the directive, after the word `define`.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        body = ObjectiveCLexer.tokens(bytes, range)
        guard let first = body.first, first.kind == .word else {
            name = ""
            return
        }
        name = bytes.text(first)
        // After a space the bracket would be part of the body.
        if body.count > 1, body[1].isSign("("), body[1].start == first.end, body[1].partner > 0 {
            let close = body[1].partner
            parameters = body[2..<close].filter { $0.kind == .word }.map(bytes.text)
            body.removeFirst(close + 1)
        } else {
            body.removeFirst()
        }
        for index in body.indices { body[index].partner = -1 }
        body.connectBrackets()
    }

    /// The call pattern of a macro that passes a parameter on as a format.
    func pattern(_ bytes: [UInt8]) -> CallPattern? {
        guard let parameters else { return nil }
        for index in body.indices.dropLast(2)
        where body[index + 1].isSign(":") && bytes.word(body[index], is: "predicateWithFormat") {
            let value = body[(index + 2)...].first { !$0.isSign("(") }
            guard let value, value.kind == .word, let position = parameters.firstIndex(of: bytes.text(value)) else {
                continue
            }
            return CallPattern(macro: name, index: position)
        }
        return nil
    }
}

extension SourceToken {
    /// Whether it is a string literal.
    var isText: Bool { if case .literal = kind { true } else { false } }
}
