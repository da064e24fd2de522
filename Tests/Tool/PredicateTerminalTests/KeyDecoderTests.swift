// Tests of decoding bytes to keys: each sequence complete, split anywhere, and without bytes after it.

import PredicateTerminal
import PredicateTestSupport
import Testing

@Suite struct KeyDecoderTests {
    static let sequences: [(bytes: String, keys: [Key])] = [
        ("aé陳😀", [.text("a"), .text("é"), .text("陳"), .text("😀")]),
        ("e\u{301}", [.text("e"), .text("\u{301}")]),
        ("\r\n\t\u{7F}\u{8}", [.enter, .enter, .tab, .backspace, .backspace]),
        ("\u{1}\u{5}\u{12}\u{1F}\u{0}", [.control("a"), .control("e"), .control("r"), .control("_"), .unknown]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA\u{1B}OH\u{1B}OF", [.up, .home, .end]),
        ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end, .home, .end]),
        ("\u{1B}[3~\u{1B}[3;5~\u{1B}[5~\u{1B}[6~", [.delete, .altDelete, .pageUp, .pageDown]),
        ("\u{1B}[1;5C\u{1B}[1;5D\u{1B}[1;3C\u{1B}[1;2C", [.wordRight, .wordLeft, .wordRight, .right]),
        (
            "\u{1B}\u{1B}[C\u{1B}b\u{1B}F\u{1B}\u{7F}\u{1B}\r",
            [.wordRight, .alt("b"), .alt("f"), .altBackspace, .altEnter]
        ),
        ("\u{1B}[Z\u{1B}[13;2u\u{1B}[99;9u", [.backTab, .altEnter, .unknown]),
        ("\u{1B}[I\u{1B}[<0;1;1M", [.unknown, .enter]),
        ("\u{1B}[200~a\r\nb\rc\u{1B}[31m\td\u{1B}[201~x", [.paste("a\nb\nc[31m\td"), .text("x")]),
        ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
        ("\u{1B}[1\u{1}", [.unknown, .control("a")]),
    ]

    @Test(.cases) func wholeSequencesAreDecoded() {
        forEachCase(Self.sequences.indices) { index in
            var decoder = KeyDecoder()
            #expect(decoder.feed(Array(Self.sequences[index].bytes.utf8)) == Self.sequences[index].keys)
            #expect(!decoder.isWaiting)
        }
    }

    @Test(.cases) func splitSequencesAreDecoded() {
        forEachCase(Self.sequences.indices) { index in
            let bytes = Array(Self.sequences[index].bytes.utf8)
            for cut in bytes.indices {
                var decoder = KeyDecoder()
                let keys = decoder.feed(Array(bytes[..<cut])) + decoder.feed(Array(bytes[cut...]))
                #expect(keys == Self.sequences[index].keys, "cut at \(cut)")
            }
            var decoder = KeyDecoder()
            #expect(bytes.flatMap { decoder.feed([$0]) } == Self.sequences[index].keys)
        }
    }

    @Test func incompleteSequencesEndByTimeout() {
        for (text, key) in [
            ("\u{1B}", Key.escape), ("\u{1B}[", .alt("[")), ("\u{1B}O", .alt("O")), ("\u{1B}[1;", .unknown),
        ] {
            var decoder = KeyDecoder()
            #expect(decoder.feed(Array(text.utf8)).isEmpty)
            #expect(decoder.isWaiting)
            #expect(decoder.timeout() == [key])
            #expect(!decoder.isWaiting)
        }
        var decoder = KeyDecoder()
        #expect(decoder.feed([0xE9]).isEmpty)
        #expect(decoder.timeout() == [.unknown])
        #expect(decoder.timeout().isEmpty)
    }

    /// Any bytes decode to keys, and letters after them decode to letters.
    @Test func anyBytesAreDecoded() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                var decoder = KeyDecoder()
                var keys = decoder.feed([first, second])
                if decoder.isWaiting { keys += decoder.timeout() }
                #expect(!keys.isEmpty)
                #expect(decoder.feed([0x61]) == [.text("a")], "after \(first) \(second)")
            }
        }
        var decoder = KeyDecoder()
        _ = decoder.feed([0x1B, 0x5B] + [UInt8](repeating: 0x30, count: 10_000))
        _ = decoder.timeout()
        #expect(decoder.feed([0x61]) == [.text("a")])
    }
}
