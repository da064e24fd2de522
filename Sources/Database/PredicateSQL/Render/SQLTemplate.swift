// The dialects' SQL with operands. A template is read once, where the dialect is defined: its outermost operator decides
// about parentheses, and the entries on the stack of a parser decide whether SQL is nested too deeply. A sign that `SQLReader`
// does not know counts as a call, so SQL with it stands in parentheses: `(@ {0})`.

/// How tightly the outermost operator of SQL binds. Engines order the operators of values differently, so these are one
/// step.
enum SQLPrecedence: Int, Comparable {
    case or = 1, and, not, comparison
    /// An operator with a value, such as `+`.
    case value
    /// A column, a call, something in brackets.
    case whole

    static func < (left: SQLPrecedence, right: SQLPrecedence) -> Bool { left.rawValue < right.rawValue }
}

/// SQL text with numbered operands: `instr({0}, {1}) > 0`.
struct SQLTemplate: Sendable, ExpressibleByStringInterpolation {
    private enum Segment: Sendable {
        case sql(String)
        case operand(Int)
    }
    private var segments: [Segment] = []
    let precedence: SQLPrecedence
    /// The most entries on the stack of a parser, if each operand is one.
    let height: Int
    /// For each operand: how often it occurs, and the most entries below it.
    private(set) var uses: [(count: Int, below: Int)] = []
    let length: Int

    init(stringLiteral text: String) {
        var reader = SQLReader(text)
        var start = 0
        while let (operand, place) = reader.nextOperand() {
            segments += [.sql(reader.text(start..<place)), .operand(operand)]
            start = place + 3
            while uses.count <= operand { uses.append((0, 0)) }
            uses[operand] = (uses[operand].count + 1, max(uses[operand].below, reader.height))
        }
        segments.append(.sql(reader.text(start..<text.utf8.count)))
        (precedence, height, length) = (reader.precedence, reader.most, text.utf8.count)
    }

    /// Whether an operand occurs more than once.
    func repeats(_ operand: Int) -> Bool { operand < uses.count && uses[operand].count > 1 }

    /// Inserts the operands. An operand that occurs twice is bound twice.
    func callAsFunction(_ operands: SQLFragment...) -> SQLFragment { self(operands) }

    func callAsFunction(_ operands: [SQLFragment]) -> SQLFragment {
        var fragment = SQLFragment(capacity: segments.count + operands.count)
        for segment in segments {
            switch segment {
            case .sql(let sql): if !sql.isEmpty { fragment.append(sql: sql) }
            case .operand(let index): if index < operands.count { fragment += operands[index] }
            }
        }
        return fragment
    }
}

/// Counts the entries on the stack of an LALR parser, as SQLite has (parse.y): each operator whose right side is open has
/// two, a bracket and the words of CASE and SELECT as many as they need at most.
private struct SQLReader {
    /// What is open inside of a bracket or a CASE.
    private struct Frame {
        let below: Int
        var own: Int
        /// The order of the operators whose right side is open.
        var operators: [Int] = []
    }

    private let bytes: [UInt8]
    private var index = 0
    private var quote: UInt8?
    private var frames = [Frame(below: 0, own: 0)]
    /// Whether an operand is before this place, and whether it may be the name of a function.
    private var (hasOperand, isName) = (false, false)
    private(set) var most = 1
    private(set) var precedence = SQLPrecedence.whole

    init(_ text: String) { bytes = Array(text.utf8) }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The entries below the next one.
    var height: Int {
        let frame = frames[frames.count - 1]
        return frame.below + frame.own + 2 * frame.operators.count
    }

    /// The number of the next operand and its place; nil at the end. An operand is `{`, one digit, `}`.
    mutating func nextOperand() -> (Int, Int)? {
        while index < bytes.count {
            let (start, byte) = (index, bytes[index])
            index += 1
            if byte == UInt8(ascii: "{"), index + 1 < bytes.count, bytes[index].isDigit, bytes[index + 1] == 0x7D {
                index += 2
                operand()
                return (Int(bytes[start + 1] - 0x30), start)
            }
            if byte == quote { quote = nil } else if quote == nil { read(byte, start) }
        }
        return nil
    }

    private mutating func read(_ byte: UInt8, _ start: Int) {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            quote = byte
            operand()
        case UInt8(ascii: "("): open(isName ? 3 : 1)
        case UInt8(ascii: ")"): close()
        case UInt8(ascii: ","): separate(after: 5)
        case _ where byte.isOfWord:
            while index < bytes.count, bytes[index].isOfWord || bytes[index] == UInt8(ascii: ".") { index += 1 }
            word(text(start..<index))
        case _ where "+-*/%|&#^<>=~:".utf8.contains(byte):
            while index < bytes.count, "/|<>=:".utf8.contains(bytes[index]) { index += 1 }
            symbol(text(start..<index))
        default: break
        }
    }

    private mutating func operand(isName: Bool = false) {
        (hasOperand, self.isName) = (true, isName)
        most = max(most, height + 1)
    }

    private mutating func open(_ entries: Int) {
        frames.append(Frame(below: height, own: entries))
        (hasOperand, isName) = (false, false)
    }

    private mutating func close() {
        if frames.count > 1 { frames.removeLast() }
        operand()
    }

    /// Begins another part of the frame.
    private mutating func separate(after entries: Int) {
        frames[frames.count - 1].operators = []
        frames[frames.count - 1].own = max(frames[frames.count - 1].own, entries)
        (hasOperand, isName) = (false, false)
    }

    private mutating func word(_ word: String) {
        switch word {
        case "CASE": open(2)
        case "WHEN", "ELSE": separate(after: 4)
        case "THEN": separate(after: 6)
        case "END": close()
        case "SELECT": separate(after: 4)
        case "AS": separate(after: 4)
        case "FROM", "WHERE", "ON", "BY": separate(after: 6)
        case "DISTINCT": break
        case "OR": operate(1, .or)
        case "AND": operate(2, .and)
        case "NOT": operate(3, .not)
        case "DIV": operate(7, .value)
        case "COLLATE", "AT": operate(9, .value)
        case _ where hasOperand: operate(4, .comparison)
        default: operand(isName: true)
        }
    }

    private mutating func symbol(_ symbol: String) {
        switch symbol {
        case "+", "-": hasOperand ? operate(6, .value) : operate(9, .value)
        case "*" where !hasOperand: operand()
        case "*", "/", "//", "%", "^": operate(7, .value)
        case "||", "::": operate(8, .value)
        case "~" where !hasOperand: operate(9, .value)
        case "&", "|", "#", "<<", ">>": operate(5, .value)
        default: operate(4, .comparison)
        }
    }

    /// An operator in front of its operand has one entry, here counted as two.
    private mutating func operate(_ order: Int, _ precedence: SQLPrecedence) {
        if frames.count == 1 { self.precedence = min(self.precedence, precedence) }
        if hasOperand { frames[frames.count - 1].operators.removeAll { $0 >= order } }
        frames[frames.count - 1].operators.append(order)
        (hasOperand, isName) = (false, false)
    }
}
