// Finds the predicates of an Objective-C file: the formats of `predicateWithFormat:` and
// `expressionWithFormat:`.

import PredicateRecords
import PredicateSyntax

struct ObjectiveCScanner {
    /// A file that contains none of these words, and no call pattern of the user, has no predicates.
    static let words = ["predicateWithFormat", "expressionWithFormat", "RLM"].map { Array($0.utf8) }

    private let bytes: [UInt8]
    private let names: NamedTexts
    private let calls: [String: [CallPattern]]
    private var sites: CallSites?
    private let spelling: FoundPredicate.Spelling
    private var found = FoundPredicates()

    /// All predicates in the order of the file, including those in macros. Cost: linear.
    static func predicates(
        in bytes: [UInt8], calls: [CallPattern] = [], isPython: Bool = false
    ) -> [FoundPredicate] {
        guard bytes.containsAny(of: words + calls.map { Array($0.name.utf8) }) else { return [] }
        let source = ObjectiveCLexer.source(bytes, isPython: isPython)
        let macros = source.macros.map { Macro(bytes, $0) }
        var patterns = calls + macros.compactMap { $0.pattern(bytes) }
        if bytes.containsAny(of: [Array("RLM".utf8)]) {
            patterns += ["objectsWhere:", "objectsInRealm:where:"].compactMap { CallPattern($0) }
        }
        // PyObjC writes the selector with underscores.
        if isPython {
            patterns += ["predicateWithFormat_(_:)", "expressionWithFormat_(_:)"].compactMap { CallPattern($0) }
        }
        var scanner = ObjectiveCScanner(
            bytes: bytes, names: NamedTexts(objectiveC: bytes, source.tokens, macros: macros),
            calls: Dictionary(grouping: patterns) {
                $0.isSelector ? $0.labels.last.flatMap { $0 } ?? $0.name : $0.name
            },
            sites: CallSites(bytes, source.tokens, isSwift: false),
            spelling: isPython ? .shell(quote: nil) : .cLiteral)
        scanner.scan(source.tokens)
        scanner.sites = nil
        for macro in macros { scanner.scan(macro.body) }
        return scanner.found.sorted
    }

    private mutating func scan(_ tokens: [SourceToken]) {
        for index in tokens.indices.dropLast() where tokens[index].kind == .word {
            if tokens[index + 1].isSign(":") {
                let isPredicate = bytes.word(tokens[index], is: "predicateWithFormat")
                if isPredicate || bytes.word(tokens[index], is: "expressionWithFormat") {
                    let open = sites?.bracket(around: index) ?? -1
                    read(
                        CallArguments(tokens[...], openedAt: open, from: index + 2),
                        isPredicate ? .predicate : .expression,
                        owner: isPredicate ? "predicateWithFormat:" : "expressionWithFormat:",
                        open >= 0 ? sites?.site(of: open) : nil)
                    continue
                }
            }
            if !calls.isEmpty { readCustom(tokens, index) }
        }
    }

    /// Reads a message or macro that a call pattern of the user describes.
    private mutating func readCustom(_ tokens: [SourceToken], _ index: Int) {
        for pattern in calls[bytes.text(tokens[index])] ?? [] {
            if pattern.isSelector, tokens[index + 1].isSign(":") {
                let open = sites?.bracket(around: index) ?? -1
                let before = tokens[max(0, open)..<index].suffix(64)
                guard pattern.labels.count == 1 || before.contains(where: { bytes.word($0, is: pattern.name) }) else {
                    continue
                }
                read(
                    CallArguments(tokens[...], openedAt: open, from: index + 2), .predicate, owner: pattern.spelling,
                    nil)
            } else if !pattern.isSelector, tokens[index + 1].isSign("(") {
                let call = CallArguments(tokens[...], openedAt: index + 1, from: index + 2)
                guard pattern.labels.count <= call.arguments.count else { continue }
                read(call.dropFirst(pattern.labels.count - 1), .predicate, owner: pattern.spelling, nil)
            }
        }
    }

    private mutating func read(
        _ call: CallArguments, _ kind: TextReader.Kind, owner: String, _ site: CallSite?
    ) {
        guard let first = call.arguments.first else { return }
        let (value, rest) = firstPart(first)
        for format in CallArguments.choices(value) {
            var builder = FormatBuilder()
            let isName = format.count == 1 && format.first?.kind == .word
            add(isName ? format.first.flatMap { names[bytes.text($0)] } ?? format : format, to: &builder)
            guard let text = builder.text, builder.hasLiteral, found.isNew(text) else { continue }
            found.append(
                FoundPredicate(
                    text: text, kind: kind, arguments: arguments(of: call, after: rest), holes: builder.holes,
                    owner: owner, site: site ?? CallSite(), spelling: spelling))
        }
    }

    /// Splits the tokens before the next part of the selector, such as `argumentArray:`.
    private func firstPart(_ tokens: ArraySlice<SourceToken>) -> (ArraySlice<SourceToken>, ArraySlice<SourceToken>) {
        for index in tokens.indices.dropFirst().dropLast() where tokens[index + 1].isSign(":") {
            if bytes.word(tokens[index], is: "argumentArray") || bytes.word(tokens[index], is: "arguments") {
                return (tokens[..<index], tokens[index...])
            }
        }
        return (tokens, [])
    }

    /// Adds adjacent literals, each with or without `@`, or the format of a nested message.
    private func add(_ tokens: ArraySlice<SourceToken>, to builder: inout FormatBuilder) {
        var parts: [SourcedText] = []
        for token in tokens where !token.isSign("@") {
            guard case .literal(let literal) = token.kind, let text = literal.objectiveCText(bytes) else {
                return addMessage(tokens, to: &builder)
            }
            parts.append(text)
        }
        for part in parts { builder.add(part) }
    }

    /// Adds a message that builds a string at run time: `[NSString stringWithFormat:@"name == '%@'", name]` or
    /// `[@"name == " stringByAppendingString:name]`.
    private func addMessage(_ tokens: ArraySlice<SourceToken>, to builder: inout FormatBuilder) {
        let isMade = tokens.contains {
            bytes.word($0, is: "stringWithFormat") || bytes.word($0, is: "stringByAppendingString")
                || bytes.word($0, is: "stringByAppendingFormat")
        }
        guard isMade, tokens.first?.isSign("[") == true else { return }
        for token in tokens {
            guard case .literal(let literal) = token.kind, let text = literal.objectiveCText(bytes) else { continue }
            return builder.add(
                text, [FoundPredicate.Hole(span: SourceSpan(0, text.bytes.count), source: tokens.span)])
        }
    }

    private func arguments(
        of call: CallArguments, after rest: ArraySlice<SourceToken>
    ) -> FoundPredicate.Arguments {
        guard call.isWhole else { return .hidden }
        // In the body of a macro, the arguments are those of the macro.
        if sites == nil { return .hidden }
        if rest.isEmpty {
            var spans = call.arguments.dropFirst().map { $0.span }
            // A trailing nil, as in other Objective-C lists, is allowed.
            if let last = call.arguments.dropFirst().last, last.count == 1, bytes.word(last.first, is: "nil") {
                spans.removeLast()
            }
            return .shown(spans)
        }
        let value = rest.dropFirst(2)
        guard bytes.word(rest.first, is: "argumentArray"), value.first?.isSign("@") == true,
            value.dropFirst().first?.isSign("[") == true, call.arguments.count == 1
        else { return .hidden }
        let elements = CallArguments(value.dropFirst(2))
        guard elements.isWhole, elements.arguments.last?.endIndex ?? value.startIndex + 2 == value.endIndex - 1 else {
            return .hidden
        }
        return .shown(elements.arguments.map { $0.span }, areObjects: true)
    }
}
