// Finds the predicates of an Objective-C file: the formats of `predicateWithFormat:` and
// `expressionWithFormat:`.

import PredicateRecords
import PredicateSyntax

struct ObjectiveCScanner {
    /// A file without any of these words has no predicate.
    static let words = ["predicateWithFormat", "expressionWithFormat"].map { Array($0.utf8) }

    private let bytes: [UInt8]
    private let names: NamedTexts
    private var found = FoundPredicates()

    /// All predicates in the order of the file. Cost: linear, except for nested calls.
    static func predicates(in bytes: [UInt8]) -> [FoundPredicate] {
        guard bytes.containsAny(of: words) else { return [] }
        let tokens = ObjectiveCLexer.tokens(bytes)
        var scanner = ObjectiveCScanner(bytes: bytes, names: NamedTexts(objectiveC: bytes, tokens))
        for index in tokens.indices.dropLast() where tokens[index + 1].isSign(":") {
            let isPredicate = bytes.word(tokens[index], is: "predicateWithFormat")
            guard isPredicate || bytes.word(tokens[index], is: "expressionWithFormat") else { continue }
            scanner.read(CallArguments(tokens[(index + 2)...]), isPredicate ? .predicate : .expression)
        }
        return scanner.found.sorted
    }

    private init(bytes: [UInt8], names: NamedTexts) {
        self.bytes = bytes
        self.names = names
    }

    private mutating func read(_ call: CallArguments, _ kind: TextReader.Kind) {
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
                    owner: kind == .predicate ? "predicateWithFormat:" : "expressionWithFormat:", spelling: .cLiteral))
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
        if rest.isEmpty {
            var spans = call.arguments.dropFirst().map(\.span)
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
        return .shown(elements.arguments.map(\.span), areObjects: true)
    }
}
