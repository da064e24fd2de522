// Finds the predicates of a Swift file: the first arguments of `NSPredicate(format:)`, `FormatPredicate(_:)`
// and similar calls, and of `.init(format:)` where a predicate is expected.

struct SwiftScanner {
    /// A file that contains none of these words, and no call pattern of the user, has no predicates.
    static let words = ["redicate", "NSExpression", "FormatExpression", "Realm"].map { Array($0.utf8) }

    private let bytes: [UInt8]
    private var reader: FormatReader
    private let calls: [String: [CallPattern]]
    private let usesRealm: Bool
    /// The call sites of the tokens being scanned; nil inside interpolations.
    private var sites: CallSites?
    private var found = FoundPredicates()

    /// All predicates in the order of the file. Cost: linear.
    static func predicates(in bytes: [UInt8], calls: [CallPattern] = []) -> [FoundPredicate] {
        guard bytes.containsAny(of: words + calls.map { Array($0.name.utf8) }) else { return [] }
        let tokens = SwiftLexer.tokens(bytes, 0..<bytes.count)
        let sites = CallSites(bytes, tokens, isSwift: true)
        var scanner = SwiftScanner(
            bytes: bytes, reader: FormatReader(names: Declarations(bytes, tokens, .swift, sites)),
            calls: Dictionary(grouping: calls) { $0.name },
            usesRealm: bytes.containsAny(of: [Array("import Realm".utf8)]), sites: sites)
        var pending = [tokens]
        while let tokens = pending.popLast() {
            scanner.scan(tokens)
            scanner.sites = nil
            scanner.reader.isInScope = false
            // Interpolations contain Swift code, too.
            for token in tokens {
                guard case .literal(let literal) = token.kind else { continue }
                for range in literal.interpolations where range.count > 13 {
                    pending.append(SwiftLexer.tokens(bytes, range))
                }
            }
        }
        return scanner.found.sorted
    }

    private mutating func scan(_ tokens: [SourceToken]) {
        for index in tokens.indices where tokens[index].kind == .word {
            let isInit = bytes.word(tokens[index], is: "init")
            var next = index + 1
            if next + 1 < tokens.count, tokens[next].isSign("."), bytes.word(tokens[next + 1], is: "init") { next += 2 }
            guard next < tokens.count, tokens[next].isSign("(") else { continue }
            if let type = isInit ? impliedType(before: tokens[..<index]) : Self.type(bytes, tokens[index]) {
                let call = CallArguments(tokens[...], openedAt: next, from: next + 1)
                read(call: call, type: type, site: sites?.site(of: isInit ? index - 1 : index))
            } else if !calls.isEmpty || usesRealm {
                readCustom(tokens, index, open: next)
            }
        }
    }

    // MARK: Other calls

    /// Reads a call that a pattern of the user describes, or Realm's `.filter("…")`.
    private mutating func readCustom(_ tokens: [SourceToken], _ index: Int, open: Int) {
        let isRealm = usesRealm && index > 0 && tokens[index - 1].isSign(".") && bytes.word(tokens[index], is: "filter")
        let patterns = calls[bytes.text(tokens[index])] ?? []
        guard isRealm || !patterns.isEmpty else { return }
        let call = CallArguments(tokens[...], openedAt: open, from: open + 1)
        if isRealm, case .literal? = call.arguments.first?.first?.kind, let first = call.arguments.first {
            read(
                format: first, owner: "filter(_:)", kind: .predicate,
                arguments: arguments(of: call, isOurs: true, skipping: 1))
        }
        for pattern in patterns where !pattern.isSelector {
            guard let label = pattern.labels.last,
                let position = call.arguments.indices.first(where: { position in
                    let found = labelled(call.arguments[position]).label
                    return label == nil ? position == pattern.labels.count - 1 && found == nil : found == label
                })
            else { continue }
            let rest = call.arguments[(position + 1)...]
            let isFormat = rest.allSatisfy { labelled($0).label == nil }
            read(
                format: labelled(call.arguments[position]).value, owner: pattern.spelling, kind: .predicate,
                arguments: isFormat ? arguments(of: call, isOurs: false, skipping: position + 1) : .hidden)
        }
    }

    private static func type(_ bytes: [UInt8], _ token: SourceToken?) -> String? {
        ["NSPredicate", "FormatPredicate", "NSExpression", "FormatExpression"].first { bytes.word(token, is: $0) }
    }

    /// The type of a leading-dot `.init`: the declared type in `let a: NSPredicate = .init`, and NSPredicate if
    /// the assigned property or the argument label has "predicate" in its name, as in
    /// `request.predicate = .init`.
    private func impliedType(before tokens: ArraySlice<SourceToken>) -> String? {
        var rest = tokens
        guard rest.popLast()?.isSign(".") == true, let sign = rest.popLast(), sign.isSign("=") || sign.isSign(":")
        else {
            return nil
        }
        while let last = rest.last, last.isSign("?") || last.isSign("!") { rest.removeLast() }
        guard let name = rest.last, name.kind == .word else { return nil }
        if let type = Self.type(bytes, name) { return type }
        return bytes.text(name).hasSuffix("redicate") ? "NSPredicate" : nil
    }

    private mutating func read(call: CallArguments, type: String, site: CallSite?) {
        guard let first = call.arguments.first else { return }
        let isOurs = type.hasPrefix("Format")
        let (label, value) = labelled(first)
        guard isOurs ? label == nil || label == "text" : label == "format" else { return }
        read(
            format: value, owner: "\(type)(\(label.map { $0 + ":" } ?? "_:"))",
            kind: type.hasSuffix("Expression") ? .expression : .predicate,
            arguments: label == "text" ? .none : arguments(of: call, isOurs: isOurs, skipping: 1), site: site)
    }

    private mutating func read(
        format value: ArraySlice<SourceToken>, owner: String, kind: TextReader.Kind,
        arguments: FoundPredicate.Arguments, site: CallSite? = nil
    ) {
        for format in CallArguments.choices(value) {
            guard let read = reader.format(format), let text = read.text, found.isNew(text) else { continue }
            found.append(
                FoundPredicate(
                    text: text, kind: kind, arguments: arguments, holes: read.holes,
                    isPartial: read.isPartial, owner: owner, site: site ?? CallSite(),
                    spelling: .swiftLiteral(hashes: read.hashes.count > 1 ? nil : read.hashes.first ?? 0)))
        }
    }

    private func labelled(_ argument: ArraySlice<SourceToken>) -> (label: String?, value: ArraySlice<SourceToken>) {
        guard let first = argument.first, first.kind == .word, argument.count > 1,
            argument[argument.startIndex + 1].isSign(":")
        else { return (nil, argument) }
        return (bytes.text(first), argument.dropFirst(2))
    }

    private func arguments(of call: CallArguments, isOurs: Bool, skipping count: Int) -> FoundPredicate.Arguments {
        guard call.isWhole else { return .hidden }
        var shown: [FoundPredicate.Argument] = []
        for argument in call.arguments.dropFirst(count) where !argument.isEmpty {
            let (label, value) = labelled(argument)
            switch label {
            case nil: shown.append(reader.argument(argument))
            case "argumentArray", "arguments":
                // Only an array literal shows its elements; `arguments:` of NSPredicate takes a
                // `CVaListPointer`.
                return label == "argumentArray" || isOurs ? reader.elements(of: value) : .hidden
            default: break
            }
        }
        return .shown(shown, areObjects: isOurs)
    }
}
