// `lint --fix`: the corrected text in each kind of file, and texts that it does not change. Also the git hook of the
// documentation.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands
@testable import PredicateRequests

@Suite struct LintFixTests {
    /// The name of a file, its content, and the content after `--fix`.
    private static let cases: [(String, String, String)] = [
        (
            "a.swift", #"let a = NSPredicate(format: "name BEGINWITH 'x' AND b = 3;")"#,
            #"let a = NSPredicate(format: "name BEGINSWITH 'x' AND b = 3")"#
        ),
        (
            "b.swift", #"let a = NSPredicate(format: "name == “x”" + " AND c === 3")"#,
            #"let a = NSPredicate(format: "name == \"x\"" + " AND c == 3")"#
        ),
        (
            "c.swift", "let a = NSPredicate(format: #\"name == “x” AND b IS NULL\"#)",
            "let a = NSPredicate(format: #\"name == \"x\" AND b == nil\"#)"
        ),
        (
            "d.swift", "let a = NSPredicate(format: \"\"\"\n  a IN (1, 2)\n    AND b = = 2\n  \"\"\")",
            "let a = NSPredicate(format: \"\"\"\n  a IN {1, 2}\n    AND b == 2\n  \"\"\")"
        ),
        (
            "e.m", #"[NSPredicate predicateWithFormat:@"name == “x”" @" AND age => 3 AND b is null"];"#,
            #"[NSPredicate predicateWithFormat:@"name == \"x\"" @" AND age => 3 AND b == nil"];"#
        ),
        (
            "f.plist",
            "<plist><dict><key>NSExtensionActivationRule</key><string>a &amp;amp;&amp;amp; b</string></dict></plist>",
            "<plist><dict><key>NSExtensionActivationRule</key><string>a &amp;amp;&amp;amp; b</string></dict></plist>"
        ),
        (
            "g.json", #"{"installable_condition": "machine_type === \"laptop\" && os_vers_major BETWEN {1, 2}"}"#,
            #"{"installable_condition": "machine_type == \"laptop\" && os_vers_major BETWEEN {1, 2}"}"#
        ),
        (
            "h.yaml", "installable_condition: 'machine_type === \"laptop\"'\n",
            "installable_condition: 'machine_type == \"laptop\"'\n"
        ),
        // A valid text keeps its meaning: the dashes are a negation, `’` is an apostrophe, U+200C is part of a word.
        ("l.predicate", "total == 5 -- 3 AND shop == \"EU\"\n", "total == 5 -- 3 AND shop == \"EU\"\n"),
        ("m.predicate", "age > 5 -- only adults\n", "age > 5 \n"),
        ("n.predicate", "name == “it’s” AND city == ‘D’or’\n", "name == \"it’s\" AND city == \"D’or\"\n"),
        (
            "o.swift", "let a = NSPredicate(format: \"ها\u{200C}ها == 1 AND b === 2\")",
            "let a = NSPredicate(format: \"ها\u{200C}ها == 1 AND b == 2\")"
        ),
        // An argument, and the parts of NOT and ANY, would get lost.
        ("p.predicate", "name LIKE '%@%'\n", "name LIKE '%@%'\n"),
        (
            "q.predicate", "NOT 1 < age < 5\nANY 1 < s < 5\na != 'x' OR 'y'\n",
            "NOT 1 < age < 5\nANY 1 < s < 5\na != 'x' OR 'y'\n"
        ),
        // Nothing is escaped in CDATA.
        (
            "r.plist",
            "<plist><dict><key>installable_condition</key><string><![CDATA[v == 10.15.7 AND b = = 'x']]></string></dict></plist>",
            "<plist><dict><key>installable_condition</key><string><![CDATA[v == \"10.15.7\" AND b == 'x']]></string></dict></plist>"
        ),
        // A key may be correct, and text in a scalar may contain quotation marks.
        (
            "i.yaml", "installable_condition: 'name == Jamf Connect'\n",
            "installable_condition: 'name == Jamf Connect'\n"
        ),
        (
            "j.swift", #"let a = NSPredicate(format: "name == nill AND \(x) === 3")"#,
            #"let a = NSPredicate(format: "name == nill AND \(x) === 3")"#
        ),
        (
            "k.predicate", "age BETWEN {1, 2}\n\n// a comment\nage > 3\n",
            "age BETWEEN {1, 2}\n\n// a comment\nage > 3\n"
        ),
    ]

    @Test(.cases) func correctionsAreWritten() {
        forEachCase(Self.cases) { name, before, after in
            try inTemporaryFolder { folder in
                let file = folder.appendingPathComponent(name)
                try Data(before.utf8).write(to: file)
                _ = Run(["lint", "--fix", file.path])
                #expect(try String(contentsOf: file, encoding: .utf8) == after, "\(name)")
                // A second run finds nothing to correct.
                let again = Run(["lint", "--fix", file.path])
                #expect(!again.out.contains("corrected"), "\(name)")
            }
        }
    }

    @Test func linksPermissionsAndOtherEncodingsStay() throws {
        try inTemporaryFolder { folder in
            let manager = FileManager.default
            let file = folder.appendingPathComponent("a.swift")
            try Data(#"NSPredicate(format: "a === 1")"#.utf8).write(to: file)
            try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
            let link = folder.appendingPathComponent("b.swift")
            try manager.createSymbolicLink(at: link, withDestinationURL: file)
            let run = Run(["lint", "--fix", link.path])
            #expect(run.out == "1 predicate in 1 file, all fine; 1 corrected\n" && run.code == 0)
            #expect(try String(contentsOf: file, encoding: .utf8) == #"NSPredicate(format: "a == 1")"#)
            #expect(try manager.destinationOfSymbolicLink(atPath: link.path) == file.path)
            #expect(try manager.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
            #expect(try manager.contentsOfDirectory(atPath: folder.path).count == 2)

            let latin = Data([0xE9, 0x0A] + Array(#"[NSPredicate predicateWithFormat:@"a === 1"]"#.utf8))
            let other = folder.appendingPathComponent("latin.m")
            try latin.write(to: other)
            #expect(Run(["lint", "--fix", other.path]).code == 3)
            #expect(try Data(contentsOf: other) == latin)
        }
    }

    /// Manifests and pkginfo files of Munki have dots in their names, and none of them is an extension. A path that does
    /// not exist is reported, and the other files are checked.
    @Test func foldersAreReadCompletely() throws {
        try inTemporaryFolder { folder in
            let list =
                "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>installable_condition</key><string>a BEGINWITH 'x'</string></dict></plist>"
            for name in ["mac1.example.com", "Firefox-1.0", "site_default"] {
                try Data(list.utf8).write(to: folder.appendingPathComponent(name))
            }
            try Data("Example: <plist><dict>".utf8).write(to: folder.appendingPathComponent("notes.md"))
            try Data([0x89, 0x50, 0x4E, 0x47]).write(to: folder.appendingPathComponent("icon.png"))
            let run = Run(["lint", "--profile", "munki", folder.path, folder.path + "/gone"])
            #expect(run.out.contains("3 predicates in 3 files"), "\(run.out)")
            #expect(run.err.contains("there is no such file") && run.code != 0, "\(run.err)")
        }
    }

    /// The hook of the documentation passes the staged files to the command, with any file names.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/git"))) func hookOfTheDocumentation()
        throws
    {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let article = root.appendingPathComponent("Sources/Language/Predicates/Predicates.docc/Checking-predicates.md")
        let document = try String(contentsOf: article, encoding: .utf8)
        let hook = try #require(document.split(separator: "\n").first { $0.hasPrefix("git diff --cached") })
        try inTemporaryFolder { folder in
            try Data("#!/bin/sh\nprintf '%s\\n' \"$@\" > told\nexit 3\n".utf8).write(
                to: folder.appendingPathComponent("predicate"))
            try Data("x".utf8).write(to: folder.appendingPathComponent("a b.swift"))
            try Data("x".utf8).write(to: folder.appendingPathComponent("not staged.swift"))
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.currentDirectoryURL = folder
            process.arguments = [
                "-c", "chmod +x predicate; PATH=$PWD:$PATH; git init -q . && git add 'a b.swift' && \(hook)",
            ]
            try process.run()
            process.waitUntilExit()
            // xargs exits with 123 if a command failed, so git refuses the commit.
            #expect(process.terminationStatus == 123)
            let told = try String(contentsOf: folder.appendingPathComponent("told"), encoding: .utf8)
            #expect(told == "lint\na b.swift\n")
        }
    }

    /// Sources without spaces or without ends need a time that is proportional to their size.
    @Test func brokenSourcesTakeLinearTime() {
        let count = 20_000
        let sources = [
            "NSPredicate(format: " + String(repeating: "(", count: count),
            "NSPredicate(format: " + String(repeating: "(a ? \"x == 1\" : ", count: count),
            "NSPredicate " + String(repeating: "#", count: count),
            "NSPredicate " + String(repeating: "(/[", count: 2000),
            String(repeating: "NSPredicate(format: \"a\" + f(", count: 5000) + String(repeating: "))", count: 5000),
        ]
        for source in sources {
            let time = ContinuousClock().measure { _ = SwiftScanner.predicates(in: Array(source.utf8)) }
            // With quadratic time this would take minutes.
            #expect(time < .seconds(60), "\(source.prefix(40))")
        }
    }

    /// A literal of thousands of parts is read completely.
    @Test func longSumsAreReadWhole() throws {
        let pieces = (0..<3000).map { "\"a\($0) == 1 OR \"" }.joined(separator: " + ")
        let whole = SwiftScanner.predicates(in: Array("NSPredicate(format: \(pieces) + \"b == 1\")".utf8))
        #expect(whole.first?.text.text.hasSuffix("OR b == 1") == true)
        // Without its closing bracket the end is unknown, so nothing is reported.
        let cut = "NSPredicate(format: \(pieces)\n" + String(repeating: "x ", count: 500)
        #expect(SwiftScanner.predicates(in: Array(cut.utf8)).isEmpty)
    }
}
