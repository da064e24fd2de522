// The module reads JSON, JSON Lines and CSV.

struct PropertyListFramer: RecordFramer {
    var position = TextPosition()

    init(_ input: InputBuffer, _ options: ReaderOptions) throws(FrameFault) {
        throw FrameFault("property lists are not read here", endsAt: TextPosition())
    }

    mutating func next() throws(FrameFault) -> RecordFrame? { nil }
}
