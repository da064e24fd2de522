// Shell scripts, one a line, and the predicates that are found in them.

import PredicateRecords
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands
@testable import PredicateRequests

@Suite struct ShellScannerTests {
    static let cases: [ScannerTests.Case] = [
        .init("log show --predicate 'a == \"b\"' --last 1h", "a == \"b\""),
        .init("log stream --predicate=\"a == \\\"b\\\" AND c == '\\$d'\"", "a == \"b\" AND c == '$d'"),
        .init("/usr/bin/log show --info \\\n  --predicate \\\n  'a == 1'", "a == 1"),
        .init("x=$(log show --predicate 'a == 1')", "a == 1"),
        .init("echo \"$(log show --predicate 'a == 1')\"", "a == 1"),
        .init("log show --predicate 'a == \"'\"$b\"'\"'", "a == \"_\""),
        .init("log show --predicate \"a == ${b:-c} OR d == '$(e (f))' OR `g`\"", "a == _ OR d == '_' OR _"),
        .init("log show --predicate \"a == '$1$HOME'\"", "a == '__'"),
        .init("log show --predicate 'a == 1' | log show --predicate 'b == 2'", "a == 1", "b == 2"),
        .init("log show --predicate \"$RULES\""), .init("log show --predicate $RULES"), .init("log show --predicate"),
        .init("# log show --predicate 'a == 1'"), .init("echo \"log show --predicate 'a'\""),
        .init("echo 'log show --predicate \"a\"'"), .init("log show; other --predicate 'a'"),
        .init("blog show --predicate 'a'"), .init("log --predicate 'a'"), .init("log show --predicates 'a'"),
        .init("log show --predicate 'a"), .init("log show --predicate \"a${"), .init("log show --predicate \"a`"),
    ]

    @Test(.cases) func shellScriptsAreRead() {
        forEachCase(Self.cases) { test in
            let found = ShellScanner.predicates(in: Array(test.source.utf8))
            #expect(found.map(\.text.text) == test.texts)
        }
    }

    /// With quadratic time this would take minutes at the depth of CI.
    @Test func manyOptionsOnALine() {
        let count = TestDepth.isQuick ? 1_000 : 20_000
        for (piece, found) in [
            ("log show --predicate 'a == 1'; ", count), ("log show --predicate \"$(", 0), ("--predicate 'a' ", 0),
        ] {
            let script = String(repeating: piece, count: count)
            #expect(ShellScanner.predicates(in: Array(script.utf8)).count == found, "\(piece)")
        }
        let options = "log show" + String(repeating: " --predicate 'a == 1'", count: count)
        #expect(ShellScanner.predicates(in: Array(options.utf8)).count == count)
    }

    /// Any part of a script can be read.
    @Test func anyPartOfAScriptIsRead() {
        for test in Self.cases {
            let bytes = Array(test.source.utf8)
            for end in 0...bytes.count { _ = ShellScanner.predicates(in: Array(bytes[..<end])) }
        }
    }

    @Test func correctionsAreQuotedForTheShell() {
        #expect(FoundPredicate.Spelling.shell(quote: UInt8(ascii: "'")).spell("a == \"b\"") == "a == \"b\"")
        #expect(FoundPredicate.Spelling.shell(quote: UInt8(ascii: "'")).spell("a == 'b'") == nil)
        #expect(FoundPredicate.Spelling.shell(quote: UInt8(ascii: "\"")).spell("\"$a\"") == "\\\"\\$a\\\"")
        #expect(FoundPredicate.Spelling.shell(quote: nil).spell("\"") == nil)
    }
}
