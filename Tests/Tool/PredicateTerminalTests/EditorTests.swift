// Tests of the effect of keys on a text, one row each. `|` is the cursor.

import PredicateTerminal
import PredicateTestSupport
import Testing

@Suite struct EditorTests {
    /// The text with the cursor before the keys, the keys, and the text with the cursor after them.
    static let cases: [(before: String, keys: [Key], after: String)] = [
        ("|", [.text("a"), .text("é"), .text("陳")], "aé陳|"),
        ("e|", [.text("\u{301}")], "e\u{301}|"),
        ("ae\u{301}👩‍👧|", [.left, .backspace], "a|👩‍👧"),
        ("a|b", [.delete, .delete], "a|"),
        ("|ab", [.backspace, .left], "|ab"),
        ("ab|", [.right, .delete], "ab|"),
        ("one two|", [.control("a")], "|one two"),
        ("|one two", [.control("e")], "one two|"),
        ("one.two three|", [.alt("b"), .alt("b")], "one.|two three"),
        ("|one.two", [.alt("f"), .wordRight], "one.two|"),
        ("a == 'x y'|", [.control("w")], "a == 'x |"),
        ("a == 'x y'|", [.altBackspace], "a == 'x |"),
        ("one |two three", [.alt("d")], "one | three"),
        ("one |two", [.control("k")], "one |"),
        ("one |two", [.control("u")], "|two"),
        ("one|\ntwo", [.control("k")], "one|two"),
        ("one\n|two", [.control("u")], "one|two"),
        ("one\ntw|o", [.control("a")], "one\n|two"),
        ("a b c|", [.control("w"), .control("w"), .control("y")], "a b c|"),
        ("a b|", [.control("w"), .left, .control("w"), .control("y"), .alt("y")], "b| "),
        ("ab|", [.control("t")], "ba|"),
        ("a|b", [.control("t")], "ba|"),
        ("|ab", [.control("t")], "|ab"),
        ("|", [.control("t"), .control("y"), .control("_"), .alt("y")], "|"),
        ("one|", [.text("x"), .text("y"), .control("_")], "one|"),
        ("one |", [.paste("two\nthree"), .control("_")], "one |"),
        ("abc\nd|e", [.up], "a|bc\nde"),
        ("ab|c\nd", [.down], "abc\nd|"),
        ("one|", [.home, .end, .altEnter, .text("x")], "one\nx|"),
        ("one|", [.unknown, .escape, .backTab, .pageUp], "one|"),
    ]

    @Test(.cases) func keysEditTheText() {
        forEachCase(Self.cases.indices) { index in
            let (before, keys, after) = Self.cases[index]
            var editor = Self.editor(before)
            for key in keys { _ = editor.handle(key) }
            #expect(Self.shown(editor) == after)
        }
    }

    /// An editor with the text, and the cursor at the mark.
    private static func editor(_ marked: String) -> LineEditor {
        let parts = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var editor = LineEditor()
        _ = editor.handle(.paste(parts[0] + parts[1]))
        for _ in parts[1] { _ = editor.handle(.left) }
        return editor
    }

    private static func shown(_ editor: LineEditor) -> String {
        let text = editor.buffer.text
        let cursor = text.utf8.index(text.startIndex, offsetBy: editor.buffer.cursor)
        return text[..<cursor] + "|" + text[cursor...]
    }

    /// No sequence of keys moves the cursor outside the text or into a character.
    @Test func anyKeysKeepTheCursorValid() {
        let keys: [Key] =
            [
                .text("a"), .text(" "), .text("陳"), .text("\u{301}"), .text("👩"), .text("\u{200D}"), .paste("b\nc d"),
                .tab,
            ]
            + "abefghkntuwyp_".map(Key.control) + "bdfy".map(Key.alt)
            + [.backspace, .altBackspace, .delete, .altDelete, .up, .down, .left, .right, .home, .end, .altEnter]
        var random = SplitMix(1)
        for _ in 0..<300 {
            var editor = LineEditor(history: History(["x", "y\nz"]))
            for _ in 0..<60 {
                guard let key = keys.randomElement(using: &random) else { continue }
                _ = editor.handle(key)
                let text = editor.buffer.text
                #expect(editor.buffer.cursor <= text.utf8.count)
                let index = text.utf8.index(text.startIndex, offsetBy: editor.buffer.cursor)
                #expect((text.indices + [text.endIndex]).contains(index), "\(key) in \(text)")
            }
        }
    }

    @Test func completionInsertsTheCommonPrefix() {
        func list(_ texts: [String], suffix: String = " ") -> PredicateCompletions {
            PredicateCompletions(range: 0..<2, items: texts.map { PredicateCompletion($0, .key, suffix: suffix) })
        }
        for (texts, after) in [
            (["name"], "name |"), (["name", "named"], "name|"), (["na", "nb"], "na|"), ([], "na|"),
            (["NAme", "NAMe"], "NAme|"),
        ] {
            var editor = Self.editor("na|")
            #expect(editor.handle(.tab) == .complete(isRepeated: false))
            editor.complete(list(texts), isRepeated: false)
            #expect(Self.shown(editor) == after)
            #expect(editor.listed == nil)
        }
        var editor = Self.editor("na|")
        _ = editor.handle(.tab)
        #expect(editor.handle(.tab) == .complete(isRepeated: true))
        editor.complete(list(["na", "nab"]), isRepeated: true)
        #expect(editor.listed?.items.count == 2)
        _ = editor.handle(.left)
        #expect(editor.listed == nil)
        // A suffix that is already after the cursor is not inserted again.
        var quoted = Self.editor("na|\"")
        quoted.complete(list(["name"], suffix: "\""), isRepeated: false)
        #expect(Self.shown(quoted) == "name\"|\"" || Self.shown(quoted) == "name|\"")
    }
}
