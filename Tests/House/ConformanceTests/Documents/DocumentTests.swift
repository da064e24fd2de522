// Runs the sessions, shell lines and workflow steps of README and of the articles. `.ci/examples` compiles and runs their
// Swift. The articles of databases show code of other tests: it is there between `// NAME {` and `// } NAME`, where NAME
// is the name of the article. `console` blocks run as sessions in the project's folder; `UPDATE_GOLDEN=1` rewrites their
// outputs.

import Foundation
import PredicateCommands
import PredicateRecords
import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct DocumentTests {
    @Test func documentsAreFound() {
        #expect(Document.all.map(\.path).contains("README.md"))
        #expect(Document.all.count > 10)
    }

    @Test(.cases) func everySessionAnswersAsShown() {
        forEachCase(Document.all) { document in
            var now = document.text
            for block in document.blocks("console") {
                let session = Session(block)
                #expect(!session.steps.isEmpty)
                let actual = try session.run(
                    document.path, directory: Project.root.path, isUpdating: Expectation.isUpdating)
                now = now.replacingOccurrences(of: "```console\n\(block)\n```", with: "```console\n\(actual.text)\n```")
            }
            if Expectation.isUpdating { try Expectation.update(document.path, from: document.text, to: now) }
        }
    }

    /// Every block that `.ci/examples` does not run is in a test, and the reverse.
    @Test(.cases) func everySwiftBlockIsCompiledAndRun() {
        forEachCase(Document.all) { document in
            if document.path == "README.md" || Project.exists("Tests/House/Examples/Articles/\(document.name).swift") {
                return
            }
            let examples = try Self.examples(of: document)
            let blocks = document.blocks("swift").map(Self.unindented)
            for block in blocks where !examples.contains(block) {
                Issue.record("\(document): no test has this between // \(document.name) { and }:\n\(block)")
            }
            for example in examples where !blocks.contains(example) {
                Issue.record("\(document) has no such block:\n\(example)")
            }
        }
    }

    /// Every shell command is run here or in .ci/run.
    @Test(.cases) func everyShellLineIsRun() {
        forEachCase(Document.all) { document in
            let script = try Project.text(".ci/run")
            for line in document.blocks("sh").flatMap({ $0.components(separatedBy: "\n") }) {
                if line.isEmpty || line.hasPrefix("#") || Self.settings.contains(line) { continue }
                let isSmall = line.hasPrefix("swift run predicate-check ")
                if line.hasPrefix("predicate ") || isSmall {
                    var shell = SessionShell(directory: Project.root.path, program: isSmall ? .check : .predicate)
                    let shown = try shell.run(line)
                    #expect(shown.last?.hasPrefix("exit ") != true, "\(document): \(line)")
                } else {
                    #expect(script.contains(line), "\(document): .ci/run does not run '\(line)'")
                }
            }
        }
    }

    /// The commands of workflows run here. They may fail only because of mistakes in the files that they check.
    @Test(.cases) func everyWorkflowStepIsRun() {
        forEachCase(Document.all) { document in
            for line in document.blocks("yaml").flatMap({ $0.components(separatedBy: "\n") }) {
                guard let step = line.range(of: "- run: ") else { continue }
                var shell = SessionShell(directory: Project.root.path)
                let shown = try shell.run(String(line[step.upperBound...]))
                #expect(
                    shown.last?.hasPrefix("exit ") != true, "\(document): \(line)\n\(shown.joined(separator: "\n"))")
            }
        }
    }

    /// Lines that change the reader's shell or repository. They are not run here.
    private static let settings: Set = [
        // CI builds this product in release, together with the tests.
        "swift build -c release --product predicate",
        "export PATH=\"$PWD/.build/release:$PATH\"",
        "git diff --cached --name-only --diff-filter=ACM -z | xargs -0 -r predicate lint",
    ]

    @Test(.cases) func everySchemaIsRead() {
        forEachCase(Document.all) { document in
            for block in document.blocks("json") {
                let value = try JSON.parse(block)
                #expect(throws: Never.self, "\(document)") { try PredicateSchema(value: value) }
            }
        }
    }

    /// A block with another language would not be run.
    @Test(.cases) func everyBlockHasAKnownLanguage() {
        forEachCase(Document.all) { document in
            for block in document.blocks {
                #expect(["swift", "console", "sh", "json", "yaml", "text"].contains(block.language), "\(document)")
            }
        }
    }

    /// Every link leads to a file, and to a heading in it. In an article a link has two destinations, because GitHub does
    /// not follow `doc:`, and DocC does not follow paths: `[<a href="Keys.md#structs">Keys</a>](doc:Keys#Structs)`. A link
    /// to a file that DocC does not have is the `<a>` alone.
    @Test(.cases) func everyLinkIsFollowed() { forEachCase(Document.all + Document.others) { everyLinkIsFollowed($0) } }

    private func everyLinkIsFollowed(_ document: Document) {
        let text = document.withoutCode
        #expect(!text.contains("<doc:"), "\(document): GitHub does not follow <doc:…>")
        let links = text.matches(of: /(\[[^\[\]]*\])\(([^)]*)\)/)
        let anchors = text.matches(of: /<a href="([^"]*)">/)
        for target in links.map(\.2) + anchors.map(\.1) where !target.hasPrefix("doc:") && !target.contains("://") {
            #expect(document.leads(to: String(target)), "\(document): \(target)")
            // DocC finds pictures by name, and shows a relative link as it is.
            let isPicture = target.hasSuffix(".svg") || target.hasSuffix(".png")
            #expect(!document.isArticle || isPicture || anchors.map(\.1).contains(target), "\(document): \(target)")
        }
        for link in links where link.2.hasPrefix("doc:") {
            guard let href = link.1.firstMatch(of: /^\[<a href="([^"]*)">[^<]+<\/a>\]$/)?.1 else {
                Issue.record("\(document): \(link.0) needs an <a href> for GitHub")
                continue
            }
            let page = link.2.dropFirst(4).split(separator: "#").map(String.init)
            let expected = "\(page[0]).md" + (page.count > 1 ? "#\(page[1].lowercased())" : "")
            #expect(href == expected, "\(document): \(link.0)")
        }
    }

    /// Paths in backquotes exist, in the project's folder or in a folder of Sources.
    @Test(.cases) func everyPathIsAFile() {
        forEachCase(Document.all + Document.others) { document in
            let rooms = try FileManager.default.contentsOfDirectory(atPath: Project.file("Sources").path)
            let pieces = document.text.components(separatedBy: "`")
            for index in stride(from: 1, to: pieces.count, by: 2) {
                let path = pieces[index]
                if !path.contains("/") || path.contains("NAME") || path.contains(" ") { continue }
                guard [".swift", ".py", ".json", ".md", ".txt"].contains(where: path.hasSuffix) else { continue }
                let folder = document.path.split(separator: "/").dropLast().map { $0 + "/" }.joined()
                let places = ["", folder] + rooms.map { "Sources/\($0)/" }
                #expect(places.contains { Project.exists($0 + path) }, "\(document): \(path)")
            }
        }
    }

    /// Every type and function of a product is in an article, or used by a client. The articles for maintainers do not
    /// count.
    @Test func everyPublicNameIsExplained() throws {
        let articles = Document.all.filter { !["Changes", "Architecture"].contains($0.name) }.map(\.text)
        let clients = try Project.files(under: "Tests/House/ConformanceTests/Clients", suffix: ".swift").map(
            Project.text)
        let words = Set((articles + clients).flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
        var (count, missing) = (0, [String]())
        for line in try Project.text(".ci/api.txt").split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields[1].isEmpty,
                let name = fields[2].firstMatch(of: /^(?:\w+ )*?(?:class|enum|func|protocol|struct|typealias) (\w+)/)?.1
            else { continue }
            count += 1
            if !words.contains(name) { missing.append(String(name)) }
        }
        #expect(missing.isEmpty, "no article or client has these")
        #expect(count > 80)
    }

    /// The blocks of a document that these tests compile and run.
    private static func examples(of document: Document) throws -> Set<String> {
        var examples: Set<String> = []
        let stores = "Tests/Database/PredicateStoresTests"
        let folders = ["Tests/House/ConformanceTests/Clients", stores + "/Drivers", stores + "/Services"]
        for path in folders.flatMap({ Project.files(under: $0, suffix: ".swift") }) {
            for part in try Project.text(path).components(separatedBy: "// \(document.name) {\n").dropFirst() {
                examples.insert(unindented(part.components(separatedBy: "// } \(document.name)\n")[0]))
            }
        }
        return examples
    }

    private static func unindented(_ text: String) -> String {
        var lines = text.components(separatedBy: "\n")
        while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
        let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
    }
}

/// The version and the figures in README are equal to those in the sources and in Benchmarks/README.md.
@Suite struct ReadmeFactTests {
    private func readme() throws -> Document { Document(path: "README.md", text: try Project.text("README.md")) }

    /// `.ci/address` has the address, and `PredicateCommand` the version. Wherever others take the package, both are these.
    @Test func addressAndVersionAreTheSameEverywhere() throws {
        let address = try Project.text(".ci/address").split(separator: "\n")[0]
        let version = PredicateCommand.version
        #expect(try readme().text.contains(#".package(url: "\#(address)", from: "\#(version)")"#))
        let files = [".ci/Containerfile", ".github/actions/lint/action.yml", ".pre-commit-hooks.yaml"]
        var count = 0
        for text in try Document.all.map(\.text) + files.map(Project.text) {
            for found in text.matches(of: /[\w.-]+\/swift-predicates/) {
                count += 1
                #expect(address.hasSuffix("/\(found.0)"))
            }
            for found in text.matches(of: /(?:rev: |lint@)(\S+)/) { #expect(found.1 == version) }
        }
        #expect(count >= 4)
    }

    /// For the first minute. What does not fit is in the articles.
    @Test func readmeIsShort() throws { #expect(try readme().text.split(whereSeparator: \.isWhitespace).count <= 1200) }

    /// The table of limits has a row for each limit, with its default.
    @Test func theTableHasEveryLimit() throws {
        let text = try Project.text("Sources/Language/Predicates/Predicates.docc/What-is-promised.md")
        for (name, value) in Mirror(reflecting: PredicateLimits.standard).children {
            let row = text.split(separator: "\n").first { $0.hasPrefix("| `\(name ?? "")` |") }
            let cell = try #require(row, "\(name ?? "")").split(separator: "|")[1]
            guard let number = value as? Int else { continue }
            #expect(cell.filter(\.isNumber) == "\(number)", "\(name ?? "")")
        }
    }

    @Test func everyFigureIsMeasured() throws {
        let measured = Self.numbers(try Project.text("Benchmarks/README.md"))
        let rows = try readme().table("| measured | swift-predicates | others |")
        #expect(rows.count >= 5)
        for row in rows {
            for number in Self.numbers(row.joined(separator: " ")) {
                #expect(measured.contains(number), "Benchmarks/README.md has no \(number), of \(row)")
            }
        }
    }

    private static func numbers(_ text: String) -> Set<Double> {
        let plain = text.replacingOccurrences(of: ",", with: "")
        let words = plain.split { !($0.isNumber || $0 == "." || $0 == "e" || $0 == "+") }
        return Set(words.compactMap { word in Double(word.drop { !$0.isNumber }.trimmed(".")) })
    }
}

extension Substring {
    fileprivate func trimmed(_ character: Character) -> Substring {
        var text = self
        while text.last == character { text.removeLast() }
        return text
    }
}
