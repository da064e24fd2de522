// Finds the predicates of an Objective-C file: the formats of `predicateWithFormat:` and
// `expressionWithFormat:`.

struct ObjectiveCScanner {
    /// A file that contains none of these words, and no call pattern of the user, has no predicates.
    static let words = ["predicateWithFormat", "expressionWithFormat", "RLM"].map { Array($0.utf8) }

    private let bytes: [UInt8]
    private var reader: FormatReader
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
            patterns += [
                "predicateWithFormat_(_:)", "predicateWithFormat_argumentArray_(_:)", "expressionWithFormat_(_:)",
            ]
            .compactMap { CallPattern($0) }
        }
        let sites = CallSites(bytes, source.tokens, isSwift: false)
        let names = Declarations(bytes, source.tokens, isPython ? .python : .objectiveC, sites, macros: macros)
        var scanner = ObjectiveCScanner(
            bytes: bytes, reader: FormatReader(names: names),
            calls: Dictionary(grouping: patterns) {
                $0.isSelector ? $0.labels.last.flatMap { $0 } ?? $0.name : $0.name
            },
            sites: sites, spelling: isPython ? .pythonLiteral : .cLiteral)
        scanner.scan(source.tokens)
        scanner.sites = nil
        scanner.reader.isInScope = false
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
            guard let read = reader.format(format), let text = read.text, found.isNew(text) else { continue }
            found.append(
                FoundPredicate(
                    text: text, kind: kind, arguments: arguments(of: call, after: rest, owner), holes: read.holes,
                    isPartial: read.isPartial, owner: owner, site: site ?? CallSite(), spelling: spelling))
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

    private func arguments(
        of call: CallArguments, after rest: ArraySlice<SourceToken>, _ owner: String
    ) -> FoundPredicate.Arguments {
        guard call.isWhole else { return .hidden }
        // In the body of a macro, the arguments are those of the macro.
        if sites == nil { return .hidden }
        let isPython = reader.names.language == .python
        if isPython ? !owner.contains("argumentArray") : rest.isEmpty {
            if isPython, call.arguments.contains(where: { $0.first?.isSign("*") == true }) { return .hidden }
            return .shown(call.arguments.dropFirst().map { reader.argument($0) }, areObjects: isPython)
        }
        // Only a literal shows its elements: `argumentArray:@[a, b]`, in Python `[a, b]`.
        if isPython { return call.arguments.count == 2 ? reader.elements(of: call.arguments[1]) : .hidden }
        let isArray = bytes.word(rest.first, is: "argumentArray") && rest.dropFirst(2).first?.isSign("@") == true
        return isArray && call.arguments.count == 1 ? reader.elements(of: rest.dropFirst(3)) : .hidden
    }
}
