// Handles each key. A value type: it takes keys and returns the effects that the caller must carry out (Prompt.swift).

/// The editor of one input, which may have several lines.
package struct LineEditor: Sendable {
    /// What the caller must do after a key.
    package enum Effect: Sendable, Equatable {
        case none
        /// Accept the input if it is complete; otherwise continue on a new line.
        case enter
        /// Accept the input as it is.
        case submit
        /// Complete the word; at the second Tab in a row, list all completions.
        case complete(isRepeated: Bool)
        case interrupt, end, clearScreen, suspend
    }

    package private(set) var buffer = EditBuffer()
    package private(set) var search: HistorySearch?
    /// The completions shown below the input until the next key.
    package private(set) var listed: PredicateCompletions?
    private let history: History
    /// The current index in the history, and the text typed before moving through it.
    private var place: Int
    private var draft = ""
    private var tabs = 0

    package init(history: History = History()) {
        self.history = history
        place = history.entries.count
    }

    package mutating func handle(_ key: Key) -> Effect {
        listed = nil
        let tabsBefore = tabs
        tabs = 0
        if search != nil {
            if let effect = handleSearch(key) { return effect }
        }
        switch key {
        case .text(let text): buffer.insert(text)
        case .paste(let text): buffer.put(text)
        case .enter: return .enter
        case .altEnter: buffer.insert("\n")
        case .tab:
            tabs = tabsBefore + 1
            return .complete(isRepeated: tabs > 1)
        case .control(let letter): return control(letter)
        case .alt(let letter): alt(letter)
        case .up: moveUp()
        case .down: moveDown()
        default: edit(key)
        }
        return .none
    }

    private mutating func edit(_ key: Key) {
        switch key {
        case .backspace: buffer.deleteBackward()
        case .delete: buffer.deleteForward()
        case .altBackspace: buffer.killWordBackward()
        case .altDelete: buffer.killWordForward()
        case .left: buffer.moveLeft()
        case .right: buffer.moveRight()
        case .wordLeft: buffer.moveWordLeft()
        case .wordRight: buffer.moveWordRight()
        case .home: buffer.moveToLineStart()
        case .end: buffer.moveToLineEnd()
        case .pageUp: recall(0)
        case .pageDown: recall(history.entries.count)
        default: break
        }
    }

    private mutating func control(_ letter: Character) -> Effect {
        switch letter {
        case "a": buffer.moveToLineStart()
        case "b": buffer.moveLeft()
        case "c": return .interrupt
        case "d":
            if buffer.isEmpty { return .end }
            buffer.deleteForward()
        case "e": buffer.moveToLineEnd()
        case "f": buffer.moveRight()
        case "k": buffer.killToLineEnd()
        case "l": return .clearScreen
        case "n": moveDown()
        case "p": moveUp()
        case "r", "s": search = HistorySearch(origin: buffer, end: history.entries.count)
        case "t": buffer.transpose()
        case "u": buffer.killToLineStart()
        case "w": buffer.killBlankWord()
        case "y": buffer.yank()
        case "z": return .suspend
        case "_": buffer.undo()
        default: break
        }
        return .none
    }

    private mutating func alt(_ letter: Character) {
        switch letter {
        case "b": buffer.moveWordLeft()
        case "d": buffer.killWordForward()
        case "f": buffer.moveWordRight()
        case "y": buffer.yankOlder()
        default: break
        }
    }

    // MARK: Requests of the caller

    /// Continues on a new line at the end of the input.
    package mutating func continueInput() {
        buffer.moveToEnd()
        buffer.insert("\n")
    }

    /// Applies completions: inserts the only one or the common prefix, and lists them at the second Tab.
    package mutating func complete(_ list: PredicateCompletions, isRepeated: Bool) {
        guard let only = list.items.first else { return }
        if list.items.count == 1 {
            let behind = buffer.text.utf8.dropFirst(buffer.cursor).first
            let suffix = only.suffix.utf8.first == behind ? "" : only.suffix
            buffer.put(only.text + suffix, at: list.range)
            tabs = 0
            return
        }
        let prefix = list.commonPrefix
        if prefix.utf8.count > list.range.count {
            buffer.put(prefix, at: list.range)
        } else if isRepeated {
            listed = list
        }
    }

    // MARK: History

    private mutating func moveUp() {
        if !buffer.moveUp() { recall(place - 1) }
    }

    private mutating func moveDown() {
        if !buffer.moveDown() { recall(place + 1) }
    }

    private mutating func recall(_ wanted: Int) {
        guard wanted != place, wanted >= 0, wanted <= history.entries.count else { return }
        if place == history.entries.count { draft = buffer.text }
        place = wanted
        buffer.set(wanted < history.entries.count ? history.entries[wanted] : draft)
    }

    /// Handles a key during a history search. Returns nil if the key ends the search and must be handled as usual.
    private mutating func handleSearch(_ key: Key) -> Effect? {
        guard var current = search else { return nil }
        switch key {
        case .text(let text), .paste(let text): current.extend(text, history)
        case .backspace: current.shorten(history)
        case .control("r"): current.older(history)
        case .control("s"): current.newer(history)
        case .control("g"), .control("c"):
            buffer = current.origin
            search = nil
            return Effect.none
        case .escape:
            search = nil
            return Effect.none
        default:
            search = nil
            return nil
        }
        search = current
        if let found = current.found, found < history.entries.count {
            place = found
            let entry = history.entries[found]
            buffer.set(entry, cursor: entry.utf8.offset(of: current.query))
        }
        return Effect.none
    }
}

/// The state of a history search (Ctrl-R).
package struct HistorySearch: Sendable {
    /// The text before the search, restored on cancel.
    let origin: EditBuffer
    package private(set) var query = ""
    package private(set) var found: Int?
    package private(set) var hasFailed = false
    /// The number of entries when the search began.
    let end: Int

    mutating func extend(_ text: String, _ history: History) {
        query += text.filter { $0 != "\n" }
        look(history.search(query, before: (found ?? end - 1) + 1))
    }

    mutating func shorten(_ history: History) {
        guard !query.isEmpty else { return }
        query.removeLast()
        look(query.isEmpty ? nil : history.search(query, before: end))
        if query.isEmpty { hasFailed = false }
    }

    mutating func older(_ history: History) {
        if !query.isEmpty { look(history.search(query, before: found ?? end)) }
    }

    mutating func newer(_ history: History) {
        if let found { look(history.search(query, from: found + 1)) }
    }

    private mutating func look(_ place: Int?) {
        hasFailed = place == nil
        if let place { found = place }
    }
}
