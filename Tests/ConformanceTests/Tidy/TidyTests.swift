// The house rules that a machine can see, held by reading our own sources.

import Foundation
import PredicateSyntax
import Testing

@Suite struct TidyTests {
    static let sources = Project.files(under: "Sources", suffix: ".swift")

    /// What a target may import, by DESIGN's order: only what stands above it.
    static let imports: [String: Set<String>] = [
        "PredicateSyntax": [],
        "PredicateModel": ["PredicateSyntax"],
        "PredicateEvaluation": ["PredicateSyntax", "PredicateModel"],
        "PredicateSQL": ["PredicateSyntax", "PredicateModel"],
        "PredicateStores": ["PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateSQL"],
        "Predicates": ["PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateSQL"],
        "PredicateFoundation": ["PredicateSyntax", "PredicateModel", "PredicateEvaluation"],
        "PredicateRecords": ["PredicateSyntax", "PredicateModel"],
        "PredicateTerminal": ["PredicateSyntax"],
        "PredicateCommands": [
            "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateSQL", "PredicateStores",
            "PredicateRecords", "PredicateTerminal",
        ],
        "predicate": ["PredicateCommands"],
    ]

    /// The systems' own modules: libm for PredicateModel, files and terminals elsewhere.
    static let systemModules: Set = ["Darwin", "Glibc", "Musl", "Android", "CRT", "ucrt", "WinSDK", "WASILibc"]

    static let foundationFolders = [
        "Sources/PredicateEvaluation/Bridges/", "Sources/PredicateRecords/", "Sources/PredicateCommands/",
        "Sources/PredicateFoundation/", "Sources/PredicateStores/", "Sources/PredicateTerminal/", "Sources/predicate/",
    ]

    @Test func sourcesAreFound() {
        #expect(Self.sources.count > 30)
    }

    /// A word that can end the process; `@unchecked Sendable` may stand below a comment that says why.
    @Test(arguments: sources) func nothingTraps(_ path: String) throws {
        let forbidden = [
            "try!", "fatalError(", "preconditionFailure(", "assertionFailure(", " as! ", "@unchecked Sendable",
            "nonisolated(unsafe)",
        ]
        let lines = try Project.text(path).components(separatedBy: "\n")
        for (index, line) in lines.enumerated() where !Self.isComment(line) {
            for word in forbidden where line.contains(word) {
                if word == "@unchecked Sendable", index > 0, Self.isComment(lines[index - 1]) { continue }
                Issue.record("\(path):\(index + 1): \(word)")
            }
        }
    }

    private static func isComment(_ line: String) -> Bool {
        line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
    }

    @Test(arguments: sources) func importsFollowTheOrder(_ path: String) throws {
        let target = path.components(separatedBy: "/")[1]
        let allowed = try #require(Self.imports[target], "\(target) is no target of the design")
        let modifiers: Set = ["public", "package", "internal", "private", "@_exported", "@preconcurrency"]
        for line in try Project.text(path).components(separatedBy: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
                words[..<index].allSatisfy(modifiers.contains)
            else { continue }
            let module = words[index + 1].components(separatedBy: ".")[0]
            if allowed.contains(module) || Self.systemModules.contains(module) { continue }
            let isFoundation = module == "Foundation" || module == "FoundationEssentials"
            if isFoundation, Self.foundationFolders.contains(where: path.hasPrefix) { continue }
            Issue.record("\(path) imports \(module)")
        }
    }

    /// Longer files say so, and why, in a comment that begins `// Long:`.
    @Test(arguments: sources + Project.files(under: "Tests", suffix: ".swift"))
    func filesAreShort(_ path: String) throws {
        let text = try Project.text(path)
        let count = text.components(separatedBy: "\n").count - 1
        #expect(count <= 600 || text.contains("\n// Long:"), "\(path) has \(count) lines")
    }

    @Test func topLevelIsClosed() throws {
        let allowed: Set = ["Package.swift", "README.md", "LICENSE", "Sources", "Tests", "Grammar", "Benchmarks"]
        // Package.resolved is SwiftPM's, and ignored.
        let found = try FileManager.default.contentsOfDirectory(atPath: Project.root.path)
        #expect(found.filter { !$0.hasPrefix(".") && $0 != "Package.resolved" && !allowed.contains($0) } == [])
    }

    @Test func theManifestHasNoDependencies() throws {
        let manifest = try Project.text("Package.swift")
        #expect(!manifest.contains(".package("))
        #expect(!manifest.contains("binaryTarget"))
    }
}

/// Every diagnostic has its sentence, its explanation and a case.
@Suite struct DiagnosticCatalogueTests {
    /// Those that no golden case shows yet. It may only shrink.
    static let withoutCase = Set(
        """
        adjacent-argument argument-type bare-key between-operand cast-failed cast-literal chained-comparison
        comment comparison-constant device-management-term doubled-quote early-quote empty-parentheses
        expected-closing expected-expression expected-operator expected-predicate function-arguments
        hyphenated-key in-options index-after-path index-out-of-range index-symbol integer-overflow
        key-component limit-exceeded list-brackets logical-operator lost-backslash malformed-escape
        malformed-number malformed-pattern missing-conjunction missing-space missing-variable not-a-collection
        number-overflow operand-type option-misplaced pattern-budget percent-in-text predicate-as-value
        quantifier-over-single refused-cast refused-fetch refused-method refused-operator reserved-word
        schema-key selector-literal single-equals-chain sql-inexact sql-operator sql-wildcard string-operand to-many-key
        token-matches trailing-comma type-mismatch typographic-quote unbound-argument unbound-variable
        unclosed-bracket unexpected-character unexpected-closing unexpected-text unknown-collection-operator
        unknown-conversion unknown-entity unknown-function unknown-key unknown-option unquoted-text
        unsupported-conversion unsupported-function unterminated-string unused-word value-expected xml-entity
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    @Test(arguments: DiagnosticID.allCases) func hasItsSentences(_ id: DiagnosticID) {
        #expect(!id.entry.message.isEmpty)
        #expect(id.entry.explanation.count > 20)
        #expect(!id.entry.message.hasSuffix("."), "a message is a phrase")
        #expect(id.rawValue.allSatisfy { $0 == "-" || ("a"..."z").contains($0) })
    }

    @Test func isAlphabetical() throws {
        let names = DiagnosticID.allCases.map(\.rawValue)
        #expect(names == names.sorted())
        let catalogue = try Project.text("Sources/PredicateSyntax/Diagnostics/Messages.swift")
        let entries = catalogue.components(separatedBy: "\n").filter { $0.hasPrefix("        case .") }
        #expect(entries == entries.sorted())
    }

    /// In a golden file's errors. What is about requests, which no golden case is, in a session.
    @Test func hasACase() throws {
        let golden = try GoldenTests.files.map(Project.text).joined()
        let sessions = try SessionTests.files.map(Project.text).joined()
        let missing = DiagnosticID.allCases.filter { id in
            id == .malformedRequest
                ? !sessions.contains("\"id\":\"\(id.rawValue)\"") : !golden.contains("[\(id.rawValue)]: ")
        }
        let surprising = missing.map(\.rawValue).filter { !Self.withoutCase.contains($0) }
        #expect(surprising == [], "these have no golden case")
    }
}
