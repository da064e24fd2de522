// Checks Grammar/constructs.md: its examples have the stated results, and it lists every construct.
import Foundation
import PredicateRules
import PredicateTestSupport
import Testing

/// A row of the page.
struct Construct: Sendable, CustomTestStringConvertible {
    let name: String
    let status: String
    let how: String
    let example: String

    var testDescription: String { name }

    /// The texts between backticks, in order. Unescapes the bars of a table.
    static func code(_ cell: String) -> [String] {
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map {
            $0.element.replacingOccurrences(of: "\\|", with: "|")
        }
    }

    enum Outcome { case `true`, `false`, failure }

    /// The result of the example for an object without keys, if the row states it.
    var outcome: Outcome? {
        example.hasSuffix("` is true")
            ? .true : example.hasSuffix("` is false") ? .false : example.hasSuffix("` fails") ? .failure : nil
    }

    /// The diagnostics named in the row.
    var diagnostics: [DiagnosticID] { Self.code(how).compactMap(DiagnosticID.init(rawValue:)) }

    static let all: Result<[Construct], any Error> = Result {
        try GrammarLanguage.read("constructs.md").split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| ") else { return nil }
            let cells = cells(String(line))
            guard cells.count == 4, cells[0] != "Construct" else { return nil }
            return Construct(name: cells[0], status: cells[1], how: cells[2], example: cells[3])
        }
    }

    private static func cells(_ line: String) -> [String] {
        var cells: [String] = []
        var cell = ""
        var before: Character = " "
        for character in line.dropFirst() {
            if character == "|", before != "\\" {
                cells.append(cell.trimmingCharacters(in: .whitespaces))
                cell = ""
            } else {
                cell.append(character)
            }
            before = character
        }
        return cells
    }
}

@Suite struct ConstructsTests {
    static let rows = (try? Construct.all.get()) ?? []

    @Test func thePageHasRows() throws {
        #expect(try Construct.all.get().count > 100)
        #expect(Set(Self.rows.map(\.status)) == ["supported", "differs", "refused", "extension"])
        for row in Self.rows where row.example.isEmpty {
            #expect(
                ["Block predicate", "`NSNull`"].contains(row.name) || row.status == "differs",
                "\(row.name) has no example")
        }
    }

    @Test(.cases) func example() {
        forEachCase(Self.rows) { row in
            let code = Construct.code(row.example)
            guard let text = code.first ?? (row.example == "``" ? "" : nil) else { return }
            let parsed = FormatPredicate.parse(text, arguments: try arguments(row, code))
            let found = findings(parsed, .standard)
            switch row.status {
            case "supported": expectAccepted(found, row)
            case "extension":
                let environment = PredicateEnvironment(
                    language: [.deviceManagementTerms, .unicodeIdentifiers, .stringConcatenation])
                expectAccepted(findings(FormatPredicate.parse(text, in: environment), environment), row)
                if let id = row.diagnostics.first { #expect(found.contains { $0.id == id }, "\(text): \(found)") }
            default:
                if let id = row.diagnostics.first, id.isOfTheText {
                    #expect(found.contains { $0.id == id && $0.severity == id.texts.severity }, "\(text): \(found)")
                } else {
                    expectAccepted(found, row)
                }
            }
            if let outcome = row.outcome { try expect(outcome, of: FormatPredicate(parsed), row) }
            if row.example.contains("→") {
                #expect(parsed.tree.description == code.last)
                #expect(FormatPredicate.parse(parsed.tree.description).tree == parsed.tree)
            }
        }
    }

    private func findings(_ parsed: FormatParser.Parsed<PredicateNode>, _ environment: PredicateEnvironment)
        -> [PredicateDiagnostic]
    {
        PredicateTree.predicate(parsed.tree)
            .findings(source: parsed.source, syntax: parsed.diagnostics, by: .text(environment))
    }

    private func expect(_ outcome: Construct.Outcome, of predicate: FormatPredicate, _ row: Construct) throws {
        let object = PredicateValue.dictionary(ValueDictionary([]))
        switch outcome {
        case .true: #expect(try predicate.evaluate(object), "\(row.name)")
        case .false: #expect(try !predicate.evaluate(object), "\(row.name)")
        case .failure: #expect(throws: PredicateFailure.self, "\(row.name)") { try predicate.evaluate(object) }
        }
    }

    /// Arguments: `a == 1` given `5` has one argument; `a == %@` as text allows none.
    private func arguments(_ row: Construct, _ code: [String]) throws -> FormatArguments {
        if row.example.hasSuffix(" as text") { return .none }
        guard row.example.contains(" given "), let last = code.last else { return .unbound }
        if let integer = Int64(last) { return .bound([.value(.integer(integer))]) }
        return .bound([.value(.string(last.trimmingCharacters(in: CharacterSet(charactersIn: "'"))))])
    }

    private func expectAccepted(_ diagnostics: [PredicateDiagnostic], _ row: Construct) {
        let bad = diagnostics.filter { $0.severity == .error || Self.refusals.contains($0.id) }
        #expect(bad.isEmpty, "\(row.name): \(bad.map(\.message))")
    }

    private static let refusals: Set<DiagnosticID> = [
        .refusedCast, .refusedFetch, .refusedMethod, .refusedOperator, .tokenMatches, .unsupportedFunction,
    ]

    // MARK: Completeness

    /// The names in the first column.
    private var named: Set<String> { Set(Self.rows.flatMap { Construct.code($0.name) }) }

    @Test func everyKeywordHasARow() { #expect(Set(Keywords.words).subtracting(named) == []) }

    @Test func everyOperatorHasARow() {
        #expect(Set(BinaryOperator.allCases.map(\.spelling)).subtracting(named) == [])
        let symbols = ["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", "&&", "||", "!"]
        #expect(Set(symbols).subtracting(named) == [])
        #expect(Set(ComparisonOptions.letters.map { "[\($0.letter)]" }).subtracting(named) == [])
    }

    @Test func everyFunctionHasARow() {
        let catalog = FunctionCatalog.standard
        let printedAsOperators =
            BinaryOperator.allCases.compactMap(\.selector) + ["objectFrom:withIndex:", "castObject:toType:"]
        #expect(Set(catalog.functionNames + printedAsOperators).subtracting(named) == [])
        #expect(Set(catalog.methodNames).subtracting(named) == [])
        let casts = Self.rows.first { $0.name == "`CAST`" }.map { Construct.code($0.how) } ?? []
        #expect(Set(casts) == Set(catalog.castTypes))
    }

    /// Compares the functions and operator selectors of the grammar with those of the catalogue.
    @Test func grammarContainsTheCatalogue() throws {
        let language = try GrammarLanguage.shared.get()
        let words = ["nullary-function", "unary-function", "binary-function"].flatMap(language.syntaxSource.words(of:))
        let printedAsOperators = BinaryOperator.allCases.compactMap(\.selector) + ["castObject:toType:"]
        let known = Set(FunctionCatalog.standard.functionNames + printedAsOperators)
        let selectors = words.filter {
            $0.hasSuffix(":") || language.syntaxSource.words(of: "nullary-function").contains($0)
        }
        #expect(Set(selectors) == known.subtracting(["objectFrom:withIndex:"]))
        let bare = Set(words).subtracting(selectors)
        #expect(
            bare
                == Set(
                    selectors.filter { $0.dropLast().contains(":") == false && $0.hasSuffix(":") }.map {
                        String($0.dropLast())
                    }))
    }

    @Test func everyCollectionOperatorHasARow() {
        #expect(Set(CollectionOperator.all.map(\.name)).subtracting(named) == [])
    }

    @Test func everyConversionHasARow() {
        #expect(Set(["%@", "%K"] + "diDuUoOxXfFeEgGaAsScC".map { "%\($0)" }).subtracting(named) == [])
    }

    /// B 1 to B 16 and C 1 to C 17.
    @Test func everyRulingHasARow() {
        let cells = Self.rows.map(\.how).joined(separator: " ")
        let cited = Set(cells.matches(of: /\b[BC] \d+\b/).map { String($0.output) })
        #expect(cited == Set((1...16).map { "B \($0)" } + (1...17).map { "C \($0)" }))
    }
}

extension DiagnosticID {
    /// Whether the text alone can cause this diagnostic, without an object or a schema.
    fileprivate var isOfTheText: Bool {
        switch self {
        case .valueExpected, .unboundVariable, .limitExceeded: false
        default: true
        }
    }
}
