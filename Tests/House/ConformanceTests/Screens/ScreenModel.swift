// A small terminal emulator: converts bytes to a screen. Supports the sequences that the renderer sends.

struct ScreenModel {
    struct Cell: Equatable {
        var text = " "
        /// The current SGR parameters.
        var style = ""
    }

    private(set) var columns: Int
    private(set) var height: Int
    private var cells: [[Cell]]
    private(set) var row = 0
    private(set) var column = 0
    /// Whether the last column has been written, so that the next character wraps.
    private var wraps = false
    private var style = ""
    private var pending: [UInt8] = []
    private var saved: (cells: [[Cell]], row: Int, column: Int)?
    /// Sequences that the emulator does not support; a test fails if there are any.
    private(set) var unknown: [String] = []
    private var joins = false

    init(columns: Int, rows: Int) {
        self.columns = columns
        height = rows
        cells = Array(repeating: Self.blank(columns), count: rows)
    }

    private static func blank(_ columns: Int) -> [Cell] { Array(repeating: Cell(), count: columns) }

    // MARK: What a test reads

    /// The rows without trailing spaces and without trailing blank rows.
    var lines: [String] {
        var lines = cells.map { row in
            var text = row.map(\.text).joined()
            while text.last == " " { text.removeLast() }
            return text
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    /// A letter for the style of each column, `.` for no style.
    var styles: [String] {
        cells.prefix(lines.count).map { row in
            var text = row.map { $0.text.isEmpty ? "" : String(Self.letter($0.style)) }.joined()
            while text.last == "." || text.last == " " { text.removeLast() }
            return text
        }
    }

    private static func letter(_ style: String) -> Character {
        let codes = style.split(separator: ";")
        if codes.contains("4") { return "_" }
        switch style {
        case "": return "."
        case "1": return "b"
        case "2": return "d"
        case "7": return "i"
        case "31": return "r"
        case "32": return "g"
        case "33": return "y"
        case "34": return "f"
        case "35": return "k"
        case "36": return "o"
        case "1;31": return "!"
        case "1;34": return "p"
        case "1;36": return "v"
        default: return "?"
        }
    }

    // MARK: Bytes

    mutating func write(_ bytes: [UInt8]) {
        pending += bytes
        var position = 0
        while position < pending.count, let length = take(Array(pending[position...])) { position += length }
        pending.removeFirst(position)
    }

    /// Reads one sequence and returns its number of bytes; nil if more bytes are needed.
    private mutating func take(_ bytes: [UInt8]) -> Int? {
        switch bytes[0] {
        case 0x1B:
            guard bytes.count > 1 else { return nil }
            guard bytes[1] == UInt8(ascii: "[") else {
                unknown.append("ESC \(bytes[1])")
                return 2
            }
            guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
            sequence(String(decoding: bytes[2..<end], as: UTF8.self), Character(Unicode.Scalar(bytes[end])))
            return end + 1
        case 0x0D:
            column = 0
            wraps = false
            return 1
        case 0x0A:
            lineFeed()
            return 1
        case 0..<0x20, 0x7F:
            unknown.append("control \(bytes[0])")
            return 1
        default:
            let length = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : bytes[0] >= 0xC0 ? 2 : 1
            guard bytes.count >= length else { return nil }
            for scalar in String(decoding: bytes[..<length], as: UTF8.self).unicodeScalars { put(scalar) }
            return length
        }
    }

    private mutating func lineFeed() {
        wraps = false
        if row + 1 < height {
            row += 1
        } else {
            cells.removeFirst()
            cells.append(Self.blank(columns))
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let isMark = [.nonspacingMark, .enclosingMark, .format].contains(scalar.properties.generalCategory)
        if isMark || joins || (0x1F3FB...0x1F3FF).contains(scalar.value) {
            joins = scalar.value == 0x200D
            var last = column - (wraps ? 0 : 1)
            while last > 0, cells[row][last].text.isEmpty { last -= 1 }
            if last >= 0 { cells[row][last].text.unicodeScalars.append(scalar) }
            return
        }
        let width = Self.isWide(scalar.value) ? 2 : 1
        if wraps || column + width > columns {
            column = 0
            lineFeed()
        }
        cells[row][column] = Cell(text: String(Character(scalar)), style: style)
        if width == 2 { cells[row][column + 1] = Cell(text: "", style: style) }
        column += width
        wraps = column >= columns
        if wraps { column = columns - 1 }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        [0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFF60, 0x1F300...0x1FAFF]
            .contains { $0.contains(value) }
    }

    private mutating func sequence(_ parameters: String, _ final: Character) {
        let number = max(1, Int(parameters) ?? 1)
        if final != "m" { wraps = false }
        switch final {
        case "A": row = max(0, row - number)
        case "B": row = min(height - 1, row + number)
        case "C": column = min(columns - 1, column + number)
        case "H" where parameters.isEmpty: (row, column) = (0, 0)
        case "J": clear(parameters)
        case "K": for place in column..<columns { cells[row][place] = Cell() }
        case "m":
            let codes = parameters.split(separator: ";").map(String.init)
            style = (codes.first == "0" ? Array(codes.dropFirst()) : codes).joined(separator: ";")
        case "h", "l": mode(parameters, isOn: final == "h")
        default: unknown.append("CSI \(parameters)\(final)")
        }
    }

    private mutating func clear(_ parameters: String) {
        let start = parameters == "2" ? 0 : row
        if parameters != "2" { for place in column..<columns { cells[row][place] = Cell() } }
        for index in (parameters == "2" ? start : start + 1)..<max(start + 1, height) where index < height {
            cells[index] = Self.blank(columns)
        }
    }

    private mutating func mode(_ parameters: String, isOn: Bool) {
        switch parameters {
        case "?25", "?2004": break
        case "?1049":
            if isOn {
                saved = (cells, row, column)
            } else if let saved {
                (cells, row, column) = saved
            }
        default: unknown.append("mode \(parameters)")
        }
    }

    // MARK: The window

    /// Rows that are too long are wrapped again, as terminals do.
    mutating func resize(columns newColumns: Int, rows newRows: Int) {
        var wrapped: [[Cell]] = []
        var place = (row: 0, column: 0)
        let last = max(row, cells.lastIndex { $0.contains { $0 != Cell() } } ?? 0)
        for (index, line) in cells[...last].enumerated() {
            var content = line
            while content.last == Cell() { content.removeLast() }
            if index == row {
                place = (wrapped.count + column / newColumns, column % newColumns)
                while content.count <= column { content.append(Cell()) }
            }
            repeat {
                var part = Array(content.prefix(newColumns))
                content.removeFirst(part.count)
                while part.count < newColumns { part.append(Cell()) }
                wrapped.append(part)
            } while !content.isEmpty
        }
        let surplus = max(0, wrapped.count - newRows)
        wrapped.removeFirst(surplus)
        while wrapped.count < newRows { wrapped.append(Self.blank(newColumns)) }
        (cells, columns, height) = (wrapped, newColumns, newRows)
        (row, column) = (max(0, place.row - surplus), place.column)
        wraps = false
    }
}
