// The pager for a table: the header stays visible, wide lines scroll, and x switches to the other form.

import PredicateTerminal
import Testing

@Suite struct PagerTests {
    private func rows(_ pager: Pager) -> [String] { pager.frame.rows.map { $0.map(\.text).joined() } }

    private var table: PagedText {
        var text = PagedText { columns in
            let head = ["name      │ city of \(columns)", "──────────┼──────────"]
            return (head + (1...9).map { "person \($0)  │ 陳\($0)" }).map { StyledText($0) }
        }
        text.header = 2
        text.isWide = true
        text.expanded = { _ in (1...9).map { StyledText("name = person \($0)") } }
        return text
    }

    @Test func wideTablesScrollUnderTheirHeader() {
        var pager = Pager(table, size: TerminalSize(columns: 14, rows: 6))
        #expect(pager.isNeeded)
        #expect(
            rows(pager)[..<5] == [
                "name      │ ci", "──────────┼───", "person 1  │ 陳", "person 2  │ 陳", "person 3  │ 陳",
            ])
        _ = pager.handle(.right)
        _ = pager.handle(.text(" "))
        #expect(rows(pager)[..<4] == ["   │ city of 1", "───┼──────────", "4  │ 陳4", "5  │ 陳5"])
        #expect(pager.top == 3 && pager.left == 7)
        _ = pager.handle(.left)
        _ = pager.handle(.left)
        #expect(pager.left == 0)
        #expect(rows(pager)[0] == "name      │ ci" && rows(pager)[2] == "person 4  │ 陳")
    }

    @Test func expandedFormIsToggled() {
        var pager = Pager(table, size: TerminalSize(columns: 14, rows: 6))
        _ = pager.handle(.right)
        _ = pager.handle(.text("x"))
        #expect(rows(pager)[0] == "name = person " && pager.left == 0)
        _ = pager.handle(.text("x"))
        #expect(rows(pager)[0] == "name      │ ci")
    }

    /// The layout follows the width. A table that fits does not scroll.
    @Test func newSizesLayTheTextOutAgain() {
        var pager = Pager(table, size: TerminalSize(columns: 14, rows: 6))
        _ = pager.handle(.right)
        pager.resize(to: TerminalSize(columns: 40, rows: 20))
        #expect(pager.left == 0 && !pager.isNeeded)
        #expect(rows(pager)[0] == "name      │ city of 40")
    }

    @Test func droppedColumnsCountTheWidthOfCharacters() {
        var text = StyledText("a陳b", .bold)
        text.append("cd")
        #expect(text.dropping(columns: 0).plain == "a陳bcd")
        #expect(text.dropping(columns: 1).plain == "陳bcd")
        #expect(text.dropping(columns: 2).plain == " bcd")
        #expect(text.dropping(columns: 4).plain == "cd")
        #expect(text.dropping(columns: 9).plain == "")
    }
}
