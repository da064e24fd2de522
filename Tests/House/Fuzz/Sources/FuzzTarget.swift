// The fuzzing targets: what each does with an input, its dictionary, and the test data that it starts from.

import Foundation
import PredicateModel
import PredicateSyntax

/// One way to use an input. A target with several variants selects one by the first byte of the input.
enum FuzzTarget: String, CaseIterable {
    /// Format strings: parsed, printed, parsed again, evaluated by all plans, translated to a dialect.
    case language
    /// The first line is a pattern, the other lines are texts: compares our automaton with ICU.
    case patterns
    /// Files of records: read at once and in parts, written and read again.
    case records
    /// Sources and documents with predicates.
    case lint
    /// Schema files and data models.
    case schemas
    /// Format strings: compares the answers of SQLite with those in memory.
    case sql
    /// The bytes of key presses at the prompt.
    case keys

    /// Runs an input. Returns a message if the results are wrong. Most faults crash the process instead.
    func complaint(_ bytes: [UInt8]) -> String? {
        switch self {
        case .language: LanguageFuzzing.complaint(String(decoding: bytes, as: UTF8.self))
        #if LANGUAGE_ONLY
            default: "this program has only the target language"
        #else
            case .patterns: PatternFuzzing.complaint(String(decoding: bytes, as: UTF8.self))
            case .records: RecordFuzzing.complaint(bytes)
            case .lint: CommandFuzzing.lint(bytes)
            case .schemas: SchemaFuzzing.complaint(bytes)
            case .sql: StoreFuzzing.complaint(String(decoding: bytes, as: UTF8.self))
            case .keys: CommandFuzzing.keys(bytes)
        #endif
        }
    }

    // MARK: Dictionaries

    /// The dictionary for libFuzzer, from the tables of the lexer and of the functions.
    var dictionary: String {
        var words = Set(FuzzWords.keywords + FuzzWords.symbols + FuzzWords.functions)
        switch self {
        case .patterns: words = Set(FuzzWords.patterns)
        case .records: words = ["{\"", "\":", "null", "true", "\\u", "\"\"", "\r\n", "<plist", "<dict>", "bplist00"]
        case .schemas: words = Set(FuzzWords.schemas)
        case .keys: words.formUnion(["\u{1B}[A", "\u{1B}[200~", "\u{1B}[201~", "\r", "\t", ".keys", ".let", ".sort"])
        case .lint: words.formUnion(["NSPredicate(format: ", "predicateWithFormat:", "@\"", "\"\"\"", "\\(", "#\""])
        case .language, .sql: words.formUnion(FuzzWords.keys)
        }
        return words.sorted().map { "\"\(FuzzWords.escaped($0))\"" }.joined(separator: "\n")
    }

    // MARK: Corpora

    /// The test data that the target starts from, as paths from the package's folder.
    private var sources: [String] {
        switch self {
        case .language, .sql: ["Tests/House/Robustness"]
        case .patterns: []
        case .records: ["Tests/Tool/Sessions/fixtures"]
        case .lint: ["Tests/Tool/Sessions/fixtures/lint"]
        case .schemas:
            ["Tests/Golden/Schemas", "Tests/Tool/Sessions/fixtures/lint", "Tests/Tool/Sessions/fixtures/migrate"]
        case .keys: ["Tests/Tool/Screens"]
        }
    }

    /// Writes each sample as a file. Leaves out test data of more than 4 KB, because libFuzzer is slow with large
    /// inputs.
    func writeCorpus(root: String, folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var samples: [[UInt8]] = self == .patterns ? FuzzWords.patternSamples.map { Array($0.utf8) } : []
        for source in sources {
            for case let name as String in FileManager.default.enumerator(atPath: "\(root)/\(source)") ?? .init() {
                guard let data = FileManager.default.contents(atPath: "\(root)/\(source)/\(name)") else { continue }
                switch self {
                case .language, .sql: samples += data.split(separator: UInt8(ascii: "\n")).map(Array.init)
                case .keys: samples += data.split(separator: UInt8(ascii: "\n")).map { [1] + Array($0) + [0x0D] }
                default: samples += FuzzWords.choices(of: self, name: name).map { [$0] + Array(data) }
                }
            }
        }
        for (number, sample) in samples.enumerated() where sample.count <= 4096 {
            try Data(sample).write(to: URL(fileURLWithPath: "\(folder)/sample-\(number)"))
        }
    }
}

/// The words of the dictionaries.
enum FuzzWords {
    static let keywords = Keywords.words.map { " \($0) " }

    /// All symbols of one or two characters that the lexer reads as one token.
    static let symbols: [String] = {
        let signs = (33..<127).map { Character(Unicode.Scalar($0)) }.filter { !$0.isLetter && !$0.isNumber }
        let candidates = signs.map { "\($0)" } + signs.flatMap { first in signs.map { "\(first)\($0)" } }
        return candidates.filter { text in
            let tokens = Lexer.tokens(of: text).filter { !$0.span.isEmpty }
            return tokens.count == 1 && tokens[0].span.end == text.utf8.count
        }
    }()

    static let functions: [String] = {
        let catalog = FunctionCatalog.standard
        return catalog.functionNames.map { "\($0)(" } + catalog.methodNames.map { "FUNCTION(name, '\($0)'" }
            + catalog.castTypes.map { "'\($0)'" } + CollectionOperator.all.map(\.name)
            + ComparisonOptions.letters.map { "[\($0.letter)]" }
    }()

    static let keys = People.schema.entities.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }

    static let schemas = [
        "\"entities\"", "\"attributes\"", "\"relationships\"", "\"optional\": true", "\"column\"", "\"foreignKey\"",
        "\"join\"", "<entity name=\"", "<attribute name=\"", "attributeType=\"", "<relationship name=\"",
        "destinationEntity=\"",
    ]

    static let patterns = [
        "(?:", "(?i)", "(?=", "(?!", "(?<=", "(?>", "\\b", "\\p{L}", "\\P{Lu}", "\\w", "\\d", "[^", "&&", "--", "{1,3}",
        "{2}", "\\Q", "\\E", "\\x{", "\\u00", "[:alpha:]", "|", "*?", "++", "\n", "(?<a>", "\\k<a>", "\\1", "\\R",
        "\\X", "\\z",
    ]

    static let patternSamples = [
        "a.*b\naxb\nab\n", "[A-Z][a-z]+( [A-Z]\\.)?\nAda L.\nada\n", "(?i)^a.*z$|[^\\s\\d]{2,5}\nAbz\nabc\n1\n",
        "(a|b)*abb\nabb\naabb\nab\n", "\\w+@\\w+\\.(com|org)\na@b.com\na@b\n", "(?=a)a(?<!b)\na\nb\n",
        "a{0,3}?b++\naab\nb\n",
    ]

    /// The values of the first byte that are useful for a file.
    static func choices(of target: FuzzTarget, name: String) -> [UInt8] {
        let kind = name.split(separator: ".").last.map(String.init) ?? ""
        #if !LANGUAGE_ONLY
            switch target {
            case .records: return (RecordFuzzing.choices[kind] ?? [0]).map(\.self)
            case .lint: return [UInt8(CommandFuzzing.names.firstIndex { $0.hasSuffix("." + kind) } ?? 0)]
            case .schemas: return kind == "json" ? [0] : [1]
            default: return [0]
            }
        #else
            return [0]
        #endif
    }

    /// The text with escapes, as it must be written between quotation marks for libFuzzer.
    static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return "\\" + String(Unicode.Scalar(byte)) }
            if byte >= 32 && byte < 127 { return String(Unicode.Scalar(byte)) }
            return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
