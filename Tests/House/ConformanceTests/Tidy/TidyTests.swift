// The rules for our sources that a program can check.

import Foundation
import PredicateTestSupport
import Testing

@Suite struct TidyTests {
    static let sources = Project.files(under: "Sources", suffix: ".swift")

    /// The targets that each target may import, as in the design.
    static let imports: [String: Set<String>] = [
        "PredicateSyntax": [],
        "PredicateModel": ["PredicateSyntax"],
        "PredicateEvaluation": ["CAtomics", "PredicateSyntax", "PredicateModel"],
        "PredicateRules": ["PredicateSyntax", "PredicateModel", "PredicateEvaluation"],
        "PredicateEditor": ["PredicateSyntax", "PredicateModel", "PredicateEvaluation"],
        "PredicateSQL": ["PredicateSyntax", "PredicateModel"],
        "PredicateRecords": ["PredicateSyntax", "PredicateModel", "PredicateEvaluation"],
        "PredicateStores": [
            "CArrow", "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateRules", "PredicateSQL",
            "PredicateRecords",
        ],
        "Predicates": ["PredicateSyntax", "PredicateModel", "PredicateEvaluation"],
        "PredicateFoundation": ["PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateRecords"],
        "PredicateCompatibility": ["PredicateFoundation"],
        "PredicateTerminal": ["PredicateSyntax"],
        "PredicateRequests": [
            "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateRules", "PredicateSQL",
            "PredicateRecords",
        ],
        "PredicateCheckCommands": [
            "CFileAttributes", "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateRules",
            "PredicateSQL", "PredicateRecords", "PredicateRequests", "PredicateTerminal",
        ],
        "PredicateCommands": [
            "PredicateSyntax", "PredicateModel", "PredicateEvaluation", "PredicateEditor", "PredicateRules",
            "PredicateSQL", "PredicateStores", "PredicateRecords", "PredicateRequests", "PredicateTerminal",
            "PredicateCheckCommands",
        ],
        "predicate": ["PredicateRecords", "PredicateCheckCommands", "PredicateCommands"],
        "predicate-check": ["PredicateRecords", "PredicateCheckCommands"],
        // Programs of SwiftPM, which link nothing of the package.
        "Plugins": ["Foundation", "PackagePlugin", "XcodeProjectPlugin"],
        // No target: `.ci/wasm` compiles it. Its files replace files of other modules.
        "PredicateWasm": ["PredicateSyntax", "PredicateModel", "PredicateRequests"],
    ]

    /// The C libraries of systems like Unix.
    private static let unix: Set = ["Darwin", "Glibc", "Musl", "Android"]

    /// The platform's modules, by the files that import them. A file with system modules lists one for every platform,
    /// so that it never uses the library of another system.
    static let platformModules: [String: Set<String>] = [
        "Sources/Language/PredicateModel/Operators/CLibrary.swift": unix.union(["WASILibc", "ucrt"]),
        "Sources/Records/PredicateRecords/Platform/SystemFile.swift": unix.union(["WASILibc", "CRT"]),
        // Wasm has no threads.
        "Sources/Tool/PredicateCheckCommands/Platform/OrderedThreads.swift": ["Dispatch"],
        "Sources/Tool/PredicateCheckCommands/Platform/OutputPlace.swift": unix.union(["WASILibc", "CRT"]),
        // The commands are not compiled for Android.
        "Sources/Tool/PredicateCheckCommands/Platform/SystemCommand.swift": unix.subtracting(["Android"]),
        "Sources/Database/PredicateStores/Async/StoreThreads.swift": ["Dispatch"],
        "Sources/Database/PredicateStores/SQL/EngineTime.swift": ["Dispatch"],
        // The texts of alerts, with the trait.
        "Sources/Database/PredicateStores/StoreFailure+Localized.swift": ["Foundation"],
        // Wasm cannot load dynamic libraries.
        "Sources/Database/PredicateStores/SQLite/DynamicLibrary.swift": unix.union(["WinSDK"]),
        "Sources/Language/PredicateSyntax/Threads/Mutex.swift": unix.union(["WinSDK"]),
        "Sources/Language/PredicateSyntax/Threads/ThreadIdentity.swift": unix.union(["WinSDK"]),
        // Windows and Wasm have no POSIX terminal.
        "Sources/Tool/PredicateTerminal/Platform/SystemTerminal.swift": unix,
    ]

    /// The folder where library targets use Foundation, and only with the trait.
    static let bridges = "Sources/Language/PredicateEvaluation/Bridges/"
    static let foundationFolders = [
        bridges, "Sources/Tool/PredicateCommands/", "Sources/Foundation/PredicateCompatibility/",
        "Sources/Foundation/PredicateFoundation/",
    ]

    @Test func sourcesAreFound() { #expect(Self.sources.count > 30) }

    /// Library code has no calls that can end the process. `@unchecked Sendable` and `nonisolated(unsafe)` need a
    /// comment with the reason on the line before.
    @Test(.cases) func sourcesHaveNoTraps() {
        forEachCase(Self.sources) { path in
            let forbidden = [
                "try!", "fatalError(", "preconditionFailure(", "assertionFailure(", " as! ", "@unchecked Sendable",
                "nonisolated(unsafe)",
            ]
            let lines = try Project.text(path).components(separatedBy: "\n")
            for (index, line) in lines.enumerated() where !Self.isComment(line) {
                for word in forbidden where line.contains(word) {
                    // NSPredicate(format:) cannot throw: this is the only place that ends the process.
                    if word == "fatalError(", path == "Sources/Foundation/PredicateFoundation/OffApple/Trap.swift" {
                        continue
                    }
                    let isReasoned = word == "@unchecked Sendable" || word == "nonisolated(unsafe)"
                    if isReasoned, index > 0, Self.isComment(lines[index - 1]) { continue }
                    Issue.record("\(path):\(index + 1): \(word)")
                }
            }
        }
    }

    private static func isComment(_ line: String) -> Bool {
        line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
    }

    @Test(.cases) func importsFollowTheLayers() {
        forEachCase(Self.sources) { path in
            let target = path.components(separatedBy: "/")[2]
            let allowed = try #require(Self.imports[target], "\(target) is no target of the design")
            var platform: Set<String> = []
            for module in try Self.importedModules(path) where !allowed.contains(module) {
                let isFoundation = module == "Foundation" || module == "FoundationEssentials"
                if isFoundation, Self.foundationFolders.contains(where: path.hasPrefix) { continue }
                platform.insert(module)
            }
            #expect(platform == Self.platformModules[path] ?? [], "the system modules of \(path)")
        }
    }

    /// The modules that a file imports on any platform.
    private static func importedModules(_ path: String) throws -> [String] {
        let modifiers: Set = ["public", "package", "internal", "private", "@_exported", "@preconcurrency"]
        return try Project.text(path).components(separatedBy: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard let index = words.firstIndex(of: "import"), index + 1 < words.count,
                words[..<index].allSatisfy(modifiers.contains)
            else { return nil }
            return words[index + 1].components(separatedBy: ".")[0]
        }
    }

    /// Embedded Swift has no key paths as functions: `map { $0.name }`, not `map(\.name)`.
    @Test(.cases) func keyPathsAreNotFunctions() {
        let names = ["Syntax", "Model", "Evaluation", "Rules", "SQL", "Records", "Requests"]
        let modules = names.map { "/Predicate\($0)/" }
        let sources = Self.sources.filter { path in modules.contains(where: path.contains) }
        #expect(sources.count > 300)
        forEachCase(sources) { path in
            for line in try Project.text(path).components(separatedBy: "\n") where !Self.isComment(line) {
                #expect(!line.contains(/\\\.[a-z0-9]/), "\(path): \(line)")
            }
        }
    }

    /// Bridges import Foundation inside `#if Foundation`, because the trait can be off.
    @Test(.cases) func bridgesNeedTheTrait() {
        let bridges = Self.sources.filter { $0.hasPrefix(Self.bridges) }
        #expect(bridges.count > 3)
        forEachCase(bridges) { path in
            guard try Self.importedModules(path).contains("Foundation") else { return }
            let lines = try Project.text(path).components(separatedBy: "\n")
            let condition = lines.firstIndex { $0 == "#if Foundation" || $0 == "#if !Foundation" }
            let first = lines.firstIndex { $0.contains("import Foundation") }
            #expect(condition ?? .max < first ?? 0, "\(path)")
        }
    }

    /// Only the catalogue has the names of functions. Other files refer to a function by its `Intrinsic` or `Kind`.
    @Test(.cases) func functionsAreNamedInTheCatalogueOnly() {
        let catalog = FunctionCatalog.standard
        let operators = CollectionOperator.all.map(\.name)
        // `self` is also a word of key paths, `path` an option of databases, and `today` an operator of rows.
        let names = Set(catalog.functionNames + catalog.methodNames + operators + catalog.castTypes)
            .subtracting(["self", "path", "today"])
        // Archives also contain names of classes, and the sources that lint reads.
        let catalogue = [
            "Sources/Tool/PredicateRequests/Lint/Calls/",
            "Sources/Language/PredicateModel/Functions/", "Sources/Language/PredicateSyntax/Tree/Operators.swift",
            "Sources/Records/PredicateRecords/PropertyLists/KeyedArchive.swift",
        ]
        forEachCase(Self.sources.filter { path in !catalogue.contains(where: path.hasPrefix) }) { path in
            for (index, line) in try Project.text(path).components(separatedBy: "\n").enumerated()
            where !Self.isComment(line) {
                // Messages contain examples of CAST.
                let quoted = line.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().dropLast()
                for name in quoted where names.contains(String(name)) && !line.contains("CAST(") {
                    Issue.record("\(path):\(index + 1) names the function \(name)")
                }
            }
        }
    }

    /// A longer file needs a comment with the reason that begins with `// Long:`.
    @Test(.cases) func filesAreShort() {
        forEachCase(Self.sources + Project.files(under: "Tests", suffix: ".swift")) { path in
            let text = try Project.text(path)
            let count = text.components(separatedBy: "\n").count - 1
            #expect(count <= 600 || text.contains("\n// Long:"), "\(path) has \(count) lines")
        }
    }

    /// Only one file writes files. All others use `OutputPlace`, which never replaces an input, a device or a link.
    @Test(.cases) func filesAreWrittenInOnePlace() {
        let writer = "Sources/Tool/PredicateCheckCommands/Platform/OutputPlace.swift"
        let words = ["write(to: ", "write(toFile", "createFile(", ".moveItem(", "replaceItem", "O_CREAT", "fopen("]
        forEachCase(Self.sources.filter { $0 != writer }) { path in
            let text = try Project.text(path)
            #expect(words.filter(text.contains) == [])
        }
    }

    @Test func topLevelHasOnlyKnownEntries() throws {
        let allowed: Set = ["Package.swift", "README.md", "LICENSE", "Sources", "Tests", "Grammar", "Benchmarks"]
        // Package.resolved belongs to SwiftPM and is ignored.
        let found = try FileManager.default.contentsOfDirectory(atPath: Project.root.path)
        #expect(found.filter { !$0.hasPrefix(".") && $0 != "Package.resolved" && !allowed.contains($0) } == [])
    }

    @Test func theManifestHasNoDependencies() throws {
        let manifest = try Project.text("Package.swift")
        #expect(!manifest.contains(".package("))
        #expect(!manifest.contains("binaryTarget"))
    }

    /// The manifest, the workflows, the container and the documents name the same version of Swift.
    @Test func oneVersionOfSwift() throws {
        let tools = try #require(try Project.text("Package.swift").firstMatch(of: /swift-tools-version: (\d+\.\d+)/)).1
        let workflows = try FileManager.default.contentsOfDirectory(atPath: Project.file(".github/workflows").path)
        let documents = [
            "README.md", "Benchmarks/README.md", ".github/CONTRIBUTING.md", ".ci/Containerfile", ".ci/run",
            "Sources/Language/Predicates/Predicates.docc/Platforms.md",
        ]
        for path in documents + workflows.sorted().map({ ".github/workflows/" + $0 }) {
            let named = try Project.text(path).matches(of: /(?i)\bswift(?:-version)?[-:]? ?"?(\d+\.\d+)/)
            #expect(!named.isEmpty && named.allSatisfy { $0.1 == tools }, "\(path): \(named.map(\.0))")
        }
    }
}

/// Every diagnostic has a message, an explanation and a test case.
@Suite struct DiagnosticCatalogueTests {
    @Test(.cases) func everyDiagnosticHasAMessageAndAnExplanation() {
        forEachCase(DiagnosticID.allCases) { id in
            #expect(!id.texts.message.isEmpty)
            #expect(id.texts.explanation.count > 20)
            #expect(!id.texts.message.hasSuffix("."), "a message is a phrase")
            #expect(id.rawValue.allSatisfy { $0 == "-" || ("a"..."z").contains($0) })
            #expect("\(id)" == id.rawValue)
        }
    }

    @Test func diagnosticsAreAlphabetical() throws {
        let names = DiagnosticID.allCases.map(\.rawValue)
        #expect(names == names.sorted())
        var found: [String] = []
        for file in ["Messages.swift", "Messages+Dates.swift", "Messages+Profiles.swift", "Messages+Rules.swift"] {
            let catalogue = try Project.text("Sources/Language/PredicateSyntax/Diagnostics/" + file)
            let lines = catalogue.components(separatedBy: "\n")
            let entries = zip(lines, lines.dropFirst()).filter { $0.0.contains(" static let ") }
            let ordered = entries.map { String($0.1.split(separator: "\"")[1]) }
            #expect(ordered == ordered.sorted())
            found += ordered
        }
        #expect(found.sorted() == names)
    }

    /// A golden file has a case for each diagnostic; for diagnostics of requests and command lines, a session has it.
    @Test func everyDiagnosticHasACase() throws {
        let golden = try GoldenTests.files.map(Project.text).joined()
        let sessions = try SessionTests.files.map(Project.text).joined()
        // Two environments are needed for the other one: EnvironmentTests.
        let missing = DiagnosticID.allCases.filter { $0 != .conflictingDefinition }.filter { id in
            Self.aboutRequests.contains(id)
                ? !sessions.contains("\"id\":\"\(id.rawValue)\"") && !sessions.contains("[\(id.rawValue)]: ")
                : !golden.contains("[\(id.rawValue)]: ")
        }
        #expect(missing.map(\.rawValue) == [], "these have no golden case")
    }

    private static let aboutRequests: Set<DiagnosticID> = [
        .cannotAssign, .interpolatedText, .knownKey, .malformedRequest, .modelVersion, .notCanonical,
        .profileConstruct, .profileDoubt, .profileKey, .profileTerm, .profileValue, .ruleAdded, .ruleAlways,
        .ruleChanged, .ruleDuplicate, .ruleLooser, .ruleNever, .ruleRemoved, .ruleShadowed, .ruleUndecided, .sqlInexact,
        .transientKey, .unknownEntity, .versionOrder,
    ]
}
