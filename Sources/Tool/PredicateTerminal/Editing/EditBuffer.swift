// The text being edited, with the editing commands of Emacs. A value that knows nothing about the terminal, the history
// or the screen. LineEditor.swift uses it.

/// A text of one or more lines with a cursor, a kill ring and undo.
package struct EditBuffer: Sendable {
    private static let ringSize = 16
    private static let undoSize = 200

    package private(set) var text = ""
    /// The offset in UTF-8 bytes; always at a character boundary.
    package private(set) var cursor = 0
    private var killRing: [String] = []
    private var undone: [(text: String, cursor: Int)] = []
    private var last = Change.none
    /// The text that Ctrl-Y inserted; Alt-Y replaces it.
    private var yanked: (range: Range<Int>, ring: Int)?

    /// The kind of the last command. Consecutive kills form one entry of the kill ring; consecutive typing is
    /// one undo step.
    private enum Change { case none, typing, kill, yank }

    package init(_ text: String = "") {
        self.text = text
        cursor = text.utf8.count
    }

    package var isEmpty: Bool { text.isEmpty }
    package var isAtEnd: Bool { cursor == text.utf8.count }

    // MARK: Positions

    private func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }
    private func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }

    private func before(_ offset: Int) -> Int { offset == 0 ? 0 : self.offset(text.index(before: index(offset))) }
    private func after(_ offset: Int) -> Int {
        offset == text.utf8.count ? offset : self.offset(text.index(after: index(offset)))
    }

    private func lineStart(_ offset: Int) -> Int {
        self.offset(text[..<index(offset)].lastIndex(of: "\n").map { text.index(after: $0) } ?? text.startIndex)
    }

    private func lineEnd(_ offset: Int) -> Int {
        self.offset(text[index(offset)...].firstIndex(of: "\n") ?? text.endIndex)
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    private func wordStart(_ offset: Int, _ isWord: (Character) -> Bool = isWord) -> Int {
        var at = index(offset)
        while at > text.startIndex, !isWord(text[text.index(before: at)]) { at = text.index(before: at) }
        while at > text.startIndex, isWord(text[text.index(before: at)]) { at = text.index(before: at) }
        return self.offset(at)
    }

    private func wordEnd(_ offset: Int) -> Int {
        var at = index(offset)
        while at < text.endIndex, !Self.isWord(text[at]) { at = text.index(after: at) }
        while at < text.endIndex, Self.isWord(text[at]) { at = text.index(after: at) }
        return self.offset(at)
    }

    // MARK: Changing

    private mutating func replace(_ range: Range<Int>, with new: String, as change: Change) {
        let joins = change == .typing && last == .typing && new != " " && new != "\n"
        if !joins {
            undone.append((text, cursor))
            if undone.count > Self.undoSize { undone.removeFirst() }
        }
        text.replaceSubrange(index(range.lowerBound)..<index(range.upperBound), with: new)
        cursor = range.lowerBound + new.utf8.count
        leaveCharacter()
        last = change
    }

    /// Moves the cursor to the end of the character that contains it, because inserted text may have combined with the
    /// text after it. A line break never combines, so the search starts at the beginning of the line.
    private mutating func leaveCharacter() {
        let bytes = text.utf8[..<index(cursor)]
        var at = bytes.lastIndex(of: 0x0A).map { bytes.index(after: $0) } ?? text.startIndex
        while at < index(cursor) { at = text.index(after: at) }
        cursor = offset(at)
    }

    package mutating func insert(_ new: String) { replace(cursor..<cursor, with: new, as: .typing) }

    /// Inserts pasted or completed text as its own undo step.
    package mutating func put(_ new: String, at range: Range<Int>? = nil) {
        replace(range ?? cursor..<cursor, with: new, as: .none)
    }

    /// Replaces the whole text, for example with an entry of the history.
    package mutating func set(_ new: String, cursor: Int? = nil) {
        if new != text { replace(0..<text.utf8.count, with: new, as: .none) }
        if let cursor {
            self.cursor = min(cursor, text.utf8.count)
            leaveCharacter()
        }
    }

    package mutating func deleteBackward() {
        if cursor > 0 { replace(before(cursor)..<cursor, with: "", as: .none) }
    }

    package mutating func deleteForward() {
        let start = cursor
        if !isAtEnd { replace(start..<after(start), with: "", as: .none) }
    }

    /// Deletes text and stores it for Ctrl-Y. After another kill, extends the stored text.
    private mutating func kill(_ range: Range<Int>, forward: Bool) {
        guard !range.isEmpty else { return }
        let killed = String(text[index(range.lowerBound)..<index(range.upperBound)])
        if last == .kill, let newest = killRing.last {
            killRing[killRing.count - 1] = forward ? newest + killed : killed + newest
        } else {
            killRing.append(killed)
            if killRing.count > Self.ringSize { killRing.removeFirst() }
        }
        replace(range, with: "", as: .kill)
    }

    /// Deletes to the end of the line; at the end, deletes the line break.
    package mutating func killToLineEnd() {
        let end = lineEnd(cursor)
        kill(cursor..<(end == cursor ? after(cursor) : end), forward: true)
    }

    package mutating func killToLineStart() {
        let start = lineStart(cursor)
        kill((start == cursor ? before(cursor) : start)..<cursor, forward: false)
    }

    /// Ctrl-W: deletes back to white space.
    package mutating func killBlankWord() {
        kill(wordStart(cursor) { !$0.isWhitespace }..<cursor, forward: false)
    }

    package mutating func killWordBackward() { kill(wordStart(cursor)..<cursor, forward: false) }
    package mutating func killWordForward() { kill(cursor..<wordEnd(cursor), forward: true) }

    package mutating func yank() {
        guard let newest = killRing.last else { return }
        let start = cursor
        replace(start..<start, with: newest, as: .yank)
        yanked = (start..<cursor, killRing.count - 1)
    }

    /// Alt-Y after Ctrl-Y: replaces the inserted text with the previous entry of the kill ring.
    package mutating func yankOlder() {
        guard last == .yank, let (range, ring) = yanked, !killRing.isEmpty else { return }
        let older = (ring + killRing.count - 1) % killRing.count
        replace(range, with: killRing[older], as: .yank)
        yanked = (range.lowerBound..<cursor, older)
    }

    /// Swaps the characters before and after the cursor; at the end of the text, the last two.
    package mutating func transpose() {
        let middle = isAtEnd ? before(cursor) : cursor
        let (start, end) = (before(middle), after(middle))
        guard start < middle, middle < end else { return }
        let left = text[index(start)..<index(middle)]
        let right = text[index(middle)..<index(end)]
        replace(start..<end, with: String(right + left), as: .none)
    }

    package mutating func undo() {
        guard let earlier = undone.popLast() else { return }
        text = earlier.text
        cursor = earlier.cursor
        last = .none
    }

    // MARK: Moving

    private mutating func move(to offset: Int) {
        cursor = offset
        last = .none
    }

    package mutating func moveLeft() { move(to: before(cursor)) }
    package mutating func moveRight() { move(to: after(cursor)) }
    package mutating func moveWordLeft() { move(to: wordStart(cursor)) }
    package mutating func moveWordRight() { move(to: wordEnd(cursor)) }
    package mutating func moveToLineStart() { move(to: lineStart(cursor)) }
    package mutating func moveToLineEnd() { move(to: lineEnd(cursor)) }
    package mutating func moveToEnd() { move(to: text.utf8.count) }

    /// Moves to the same column of the line above. Returns false on the first line.
    package mutating func moveUp() -> Bool {
        let start = lineStart(cursor)
        guard start > 0 else { return false }
        move(into: lineStart(start - 1)..<(start - 1), as: start)
        return true
    }

    /// Moves to the same column of the line below. Returns false on the last line.
    package mutating func moveDown() -> Bool {
        let end = lineEnd(cursor)
        guard end < text.utf8.count else { return false }
        move(into: (end + 1)..<lineEnd(end + 1), as: lineStart(cursor))
        return true
    }

    private mutating func move(into line: Range<Int>, as start: Int) {
        let column = text[index(start)..<index(cursor)].count
        let target = text[index(line.lowerBound)..<index(line.upperBound)]
        let place = target.index(target.startIndex, offsetBy: column, limitedBy: target.endIndex) ?? target.endIndex
        move(to: offset(place))
    }
}
