// Completion in the REPL. Completer.swift completes predicates; this file completes commands and their
// arguments.

extension ReplSession {
    var completer: Completer {
        var completer = Completer()
        if checker != nil { completer.schema = source.schema }
        completer.entity = entity
        completer.environment = environment
        completer.variables = Array(variables.keys)
        completer.domain = { [unowned self] in source.domain(of: $0, in: entity) }
        return completer
    }

    func completions(of text: String, cursor: Int) -> PredicateCompletions {
        guard let line = CommandLine(text) else { return completer.candidates(for: text, at: cursor) }
        let nameEnd = line.start + line.name.utf8.count
        guard cursor > nameEnd, let command = DotCommand.named(line.name) else {
            guard cursor <= nameEnd else { return PredicateCompletions(range: cursor..<cursor, items: []) }
            let names = DotCommand.all.map {
                PredicateCompletion($0.name, .keyword, $0.summary, suffix: $0.usage.isEmpty ? "" : " ")
            }
            let word = String(decoding: Array(text.utf8)[line.start..<max(line.start, cursor)], as: UTF8.self)
            return PredicateCompletions(range: line.start..<nameEnd, items: names).matching(word)
        }
        return arguments(of: command, text, cursor, line)
    }

    private func arguments(of command: DotCommand, _ text: String, _ cursor: Int, _ line: CommandLine)
        -> PredicateCompletions
    {
        let start = min(line.argumentStart, cursor)
        let bytes = Array(text.utf8)
        // The word before the cursor.
        var wordStart = cursor
        while wordStart > start, bytes[wordStart - 1] != 0x20 { wordStart -= 1 }
        let word = String(decoding: bytes[wordStart..<cursor], as: UTF8.self)
        func among(_ items: [PredicateCompletion]) -> PredicateCompletions {
            PredicateCompletions(range: wordStart..<cursor, items: items).matching(word)
        }
        switch command.argument {
        case .none: return among([])
        case .words(let words): return among(words.map { PredicateCompletion($0, .keyword) })
        case .command:
            return among(
                HelpTopic.all.map { PredicateCompletion($0.name, .keyword, $0.summary) }
                    + DotCommand.all.map { PredicateCompletion($0.name, .keyword, $0.summary) })
        case .entity: return among(source.schema.entityNames.map { PredicateCompletion($0, .key) })
        case .files: return among(FileNames.candidates(word, input))
        case .key: return predicate(bytes, wordStart, cursor)
        case .keys(let words):
            let part = bytes[start..<cursor].lastIndex { $0 == UInt8(ascii: ",") || $0 == 0x20 }.map { $0 + 1 } ?? start
            let sign = part < cursor && bytes[part] == UInt8(ascii: "-") ? 1 : 0
            let found = predicate(bytes, part + sign, cursor)
            let choices = part == start ? among(words.map { PredicateCompletion($0, .keyword) }).items : []
            return PredicateCompletions(range: found.range, items: found.items + choices)
        case .predicate: return predicate(bytes, start, cursor)
        case .expression:
            let equals = bytes[start..<cursor].firstIndex(of: UInt8(ascii: "="))
            return equals.map { predicate(bytes, $0 + 1, cursor) }
                ?? among(variables.keys.sorted().map { PredicateCompletion($0, .variable) })
        case .dialect:
            if wordStart == start {
                let dialects = among(
                    SQLDialect.all.map { PredicateCompletion($0.name, .keyword, "a dialect", suffix: " ") })
                if !dialects.items.isEmpty, !word.isEmpty { return dialects }
                let inPredicate = predicate(bytes, start, cursor)
                return PredicateCompletions(range: wordStart..<cursor, items: dialects.items + inPredicate.items)
            }
            let first = String(decoding: bytes[start..<wordStart].prefix { $0 != 0x20 }, as: UTF8.self)
            return predicate(bytes, SQLDialect.named(first) == nil ? start : start + first.utf8.count, cursor)
        }
    }

    private func predicate(_ bytes: [UInt8], _ start: Int, _ cursor: Int) -> PredicateCompletions {
        var found = completer.candidates(for: String(decoding: bytes[start...], as: UTF8.self), at: cursor - start)
        found.span = SourceSpan(found.span.start + start, found.span.end + start)
        return found
    }
}

/// File names with a given prefix.
enum FileNames {
    /// The maximum number of names read per folder.
    private static let limit = 2_000

    static func candidates(_ word: String, _ input: CommandInput) -> [PredicateCompletion] {
        let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
        guard let names = try? input.entries(folder.isEmpty ? "." : folder) else { return [] }
        let wanted = word.dropFirst(folder.count)
        return names.prefix(limit).filter { !$0.hasPrefix(".") || wanted.hasPrefix(".") }.map { name in
            let isFolder = input.entryKind(folder + name, followsLinks: true) == .folder
            return PredicateCompletion(folder + name + (isFolder ? "/" : ""), .value)
        }
    }
}
