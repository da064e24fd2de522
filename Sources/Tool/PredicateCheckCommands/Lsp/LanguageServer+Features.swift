// Completion, hover, formatting, code actions, symbols and names.

extension LanguageServer {
    /// The predicate at a position, and the corresponding offset in its text.
    fileprivate func place(
        _ parameters: PredicateValue
    ) throws -> (document: LspDocument, linter: Linter, found: FoundPredicate, offset: Int)? {
        guard let document = document(parameters),
            let offset = document.offset(parameters[member: "position"], encoding)
        else { return nil }
        let found = check(document)?.predicates
            .first { $0.text.span.start <= offset && offset <= $0.text.span.end }
        guard let found else { return nil }
        return (document, try linter(document), found, found.text.offset(ofSource: offset))
    }

    // MARK: Completion

    func completion(_ parameters: PredicateValue) throws -> PredicateValue {
        guard let (document, linter, found, offset) = try place(parameters) else { return .null }
        let candidates = linter.completer(for: found).candidates(for: found.text.text, at: offset)
        let span = found.text.source(candidates.span)
        let range = document.range(span, encoding)
        let items = candidates.items.compactMap { candidate -> PredicateValue? in
            guard let text = found.spelling.spell(candidate.text) else { return nil }
            var fields: [(String, PredicateValue)] = [
                ("label", .string(candidate.text)), ("kind", .integer(candidate.kind.completionKind)),
                ("textEdit", .object([("range", range), ("newText", .string(text))])),
            ]
            if !candidate.detail.isEmpty { fields.append(("detail", .string(candidate.detail))) }
            return .object(fields)
        }
        return .object([("isIncomplete", .bool(true)), ("items", .array(items))])
    }

    // MARK: Hover

    func hover(_ parameters: PredicateValue) throws -> PredicateValue {
        guard let (document, linter, found, offset) = try place(parameters),
            let position = document.offset(parameters[member: "position"], encoding)
        else { return .null }
        var parts: [String] = []
        var span = found.text.span
        for diagnostic in check(document)?.diagnostics(in: position...position) ?? [] {
            if parts.isEmpty { span = diagnostic.span }
            let advice = diagnostic.label.map { " (\($0))" } ?? ""
            parts.append("**\(diagnostic.id.rawValue)**: \(diagnostic.message)\(advice)\n\n\(diagnostic.explanation)")
        }
        let text = found.text.text
        let tokens = Lexer.tokens(of: text, options: linter.environment.language)
        if let token = tokens.first(where: { $0.span.start <= offset && offset < $0.span.end }) {
            let word = String(decoding: text.utf8.dropFirst(token.span.start).prefix(token.span.count), as: UTF8.self)
            let known = linter.completer(for: found).candidates(for: text, at: token.span.end).items
                .first { $0.text.lowercased().hasPrefix(word.lowercased()) && $0.text.count - word.count < 2 }
            if let known, !known.detail.isEmpty {
                if parts.isEmpty { span = found.text.source(token.span) }
                parts.append("`\(word)`: \(known.detail)")
            }
        }
        let read = linter.reader(for: found).read(text)
        if found.holes.isEmpty, !read.hasErrors { parts.append("```\n\(read.pretty(width: 72))\n```") }
        guard !parts.isEmpty else { return .null }
        let markdown = parts.joined(separator: "\n\n")
        let contents = PredicateValue.object([("kind", .string("markdown")), ("value", .string(markdown))])
        return .object([("contents", contents), ("range", document.range(span, encoding))])
    }

    // MARK: Formatting

    /// The edits that convert each predicate to its canonical form. A predicate with errors, on several lines or with
    /// inserted text is not changed.
    func formatting(_ parameters: PredicateValue) throws -> PredicateValue {
        guard let document = document(parameters) else { return .null }
        let linter = try linter(document)
        let edits = (check(document)?.predicates ?? []).compactMap { found -> PredicateValue? in
            let text = found.text.text
            guard found.holes.isEmpty, !text.contains("\n"), found.text.isContiguous(SourceSpan(0, text.utf8.count))
            else { return nil }
            let read = linter.reader(for: found).read(text)
            guard !read.hasErrors else { return nil }
            let canonical = found.spelling.prefersApostrophes ? read.canonical.withApostrophes : read.canonical
            guard canonical != text, let spelled = found.spelling.spell(canonical) else { return nil }
            return edit(found.text.span, spelled, document)
        }
        return .array(edits)
    }

    fileprivate func edit(_ span: SourceSpan, _ text: String, _ document: LspDocument) -> PredicateValue {
        .object([("range", document.range(span, encoding)), ("newText", .string(text))])
    }

    // MARK: Code actions

    func codeActions(_ parameters: PredicateValue) throws -> PredicateValue {
        guard let document = document(parameters),
            let start = document.offset(parameters[member: "range"]?[member: "start"], encoding),
            let end = document.offset(parameters[member: "range"]?[member: "end"], encoding), start <= end,
            let check = check(document)
        else { return .null }
        let lines = SourceLines(check.result.source)
        var actions: [PredicateValue] = []
        var ignoring: (line: Int, place: IgnorePlace?)?
        for diagnostic in check.diagnostics(in: start...end) {
            if let title = diagnostic.fixTitle(lines) {
                let edits = diagnostic.fixIts.map { edit($0.span, $0.replacement, document) }
                let isVerb = ["write ", "remove ", "insert "].contains(where: title.hasPrefix)
                actions.append(
                    action(isVerb ? title : "write \(title)", edits, diagnostic, document, isPreferred: true))
            }
            let line = document.line(at: diagnostic.span.start)
            if ignoring?.line != line { ignoring = (line, document.ignorePlace(ofLine: line)) }
            if let place = ignoring?.place, place.mark <= diagnostic.span.start {
                actions.append(
                    action(
                        "ignore \(diagnostic.id.rawValue) here",
                        [edit(SourceSpan(place.line, place.line), place.comment(diagnostic.id), document)], diagnostic,
                        document, isPreferred: false))
            }
        }
        return .array(actions)
    }

    private func action(
        _ title: String, _ edits: [PredicateValue], _ diagnostic: PredicateDiagnostic, _ document: LspDocument,
        isPreferred: Bool
    ) -> PredicateValue {
        .object([
            ("title", .string(title)), ("kind", .string("quickfix")),
            ("diagnostics", .array([self.diagnostic(diagnostic, document)])), ("isPreferred", .bool(isPreferred)),
            ("edit", .object([("changes", .object([(document.uri, .array(edits))]))])),
        ])
    }
}

// MARK: Symbols and names

extension LanguageServer {
    /// The predicates of a document, each with its text and the call or key that holds it.
    func symbols(_ parameters: PredicateValue) -> PredicateValue {
        guard let document = document(parameters) else { return .null }
        let symbols = (check(document)?.predicates ?? []).map { found -> PredicateValue in
            let range = document.range(found.text.span, encoding)
            let text = DisplayText.visible(found.text.text, limit: 80)
            return .object([
                ("name", .string(text.isEmpty ? found.owner : text)), ("detail", .string(found.owner)),
                // A constant.
                ("kind", .integer(14)), ("range", range), ("selectionRange", range),
            ])
        }
        return .array(symbols)
    }

    /// A key or a variable at a position: its token, and whether it is a variable that a SUBQUERY of the predicate binds.
    private func name(
        _ parameters: PredicateValue
    ) throws -> (document: LspDocument, found: FoundPredicate, token: Token, text: String, isBound: Bool)? {
        guard let (document, linter, found, offset) = try place(parameters) else { return nil }
        let text = found.text.text
        let tokens = Self.names(in: text, linter)
        guard let token = tokens.first(where: { $0.span.start <= offset && offset <= $0.span.end }) else { return nil }
        let name = Self.text(of: token, in: text)
        return (document, found, token, name, Self.binds(name, found, linter))
    }

    /// Whether a SUBQUERY of a predicate binds a variable.
    private static func binds(_ name: String, _ found: FoundPredicate, _ linter: Linter) -> Bool {
        guard name.hasPrefix("$"), case .predicate(let predicate) = linter.reader(for: found).read(found.text.text).tree
        else { return false }
        var isBound = false
        PredicateWalker(expression: { node in
            if case .subquery(_, let variable, _) = node.kind, "$" + variable == name { isBound = true }
        }).walk(predicate.root)
        return isBound
    }

    /// The keys and variables of a text.
    private static func names(in text: String, _ linter: Linter) -> [Token] {
        let tokens = Lexer.tokens(of: text, options: linter.environment.language)
        return zip(tokens, tokens.dropFirst()).compactMap { token, next in
            let isName = token.kind == .variable || token.kind == .identifier && next.kind != .leftParenthesis
            return isName ? token : nil
        }
    }

    private static func text(of token: Token, in text: String) -> String {
        String(decoding: text.utf8.dropFirst(token.span.start).prefix(token.span.count), as: UTF8.self)
    }

    /// The range of a name that can be changed; nil where none is.
    func renamed(_ parameters: PredicateValue) throws -> PredicateValue? {
        guard let (document, found, token, _, _) = try name(parameters) else { return nil }
        return document.range(found.text.source(token.span), encoding)
    }

    /// The edits that change a key, or a variable, wherever the predicates of the document have it. A variable of a SUBQUERY
    /// is changed in its predicate only.
    func rename(_ parameters: PredicateValue, to new: String) throws -> PredicateValue {
        guard let (document, place, _, old, isBound) = try name(parameters) else { return .null }
        let linter = try linter(document)
        let sign = old.hasPrefix("$") ? "$" : ""
        var edits: [PredicateValue] = []
        for found in check(document)?.predicates ?? [] where !isBound || found.text.span == place.text.span {
            let text = found.text.text
            if !isBound, Self.binds(old, found, linter) { continue }
            for token in Self.names(in: text, linter) where Self.text(of: token, in: text) == old {
                guard found.text.isContiguous(token.span), let spelled = found.spelling.spell(sign + new) else {
                    continue
                }
                edits.append(edit(found.text.source(token.span), spelled, document))
            }
        }
        return .object([("changes", .object([(document.uri, .array(edits))]))])
    }
}

/// Where a comment line that hides findings of a line can be inserted.
private struct IgnorePlace {
    /// The offset of the line, and of the first finding that the comment can hide.
    let line: Int
    let mark: Int
    let indentation: String
    let opening: String

    func comment(_ id: DiagnosticID) -> String {
        "\(indentation)\(opening) predicate:ignore \(id.rawValue)\(opening == "<!--" ? " -->" : "")\n"
    }
}

extension LspDocument {
    /// nil where the comment could become part of a string literal.
    fileprivate func ignorePlace(ofLine line: Int) -> IgnorePlace? {
        let text = text(ofLine: line)
        // The literal begins after the sign, on this line, so the line above is outside of it.
        var sign: (text: String, mayContinue: Bool)?
        let opening: String
        switch file.kind(of: bytes) {
        case .swift, .objectiveC: (sign, opening) = (("\"", false), "//")
        case .shell: (sign, opening) = (("--predicate", false), "#")
        case .python: (sign, opening) = (("_(", false), "#")
        case .yaml: (sign, opening) = ((":", true), "#")
        case .predicates: opening = "//"
        case .propertyList, .dataModel:
            guard text.drop(while: \.isWhitespace).first == "<" else { return nil }
            opening = "<!--"
        case .json, .unknown: return nil
        }
        let start = start(ofLine: line)
        var mark = start
        if let sign {
            guard let end = text.firstRange(of: sign.text)?.upperBound,
                sign.mayContinue || !self.text(ofLine: line - 1).hasSuffix("\\")
            else { return nil }
            mark += text.utf8.distance(from: text.startIndex, to: end)
        }
        let indentation = text.prefix { $0 == " " || $0 == "\t" }
        return IgnorePlace(line: start, mark: mark, indentation: String(indentation), opening: opening)
    }
}

extension SourcedText {
    /// The offset in the predicate's text for an offset in the file.
    fileprivate func offset(ofSource offset: Int) -> Int {
        (0..<bytes.count).first(fromWhich: { source(SourceSpan($0, $0)).start >= offset })
    }
}

extension FoundPredicate.Spelling {
    /// Whether a quotation mark in this literal would need a backslash.
    fileprivate var prefersApostrophes: Bool {
        switch self {
        case .cLiteral, .json, .swiftLiteral(hashes: 0), .swiftLiteral(hashes: nil), .markup, .yaml,
            .shell(quote: UInt8(ascii: "\"")):
            true
        case .verbatim, .swiftLiteral, .shell, .pythonLiteral: false
        }
    }
}

extension String {
    /// The predicate with `'a'` instead of `"a"` where the text needs no escapes.
    fileprivate var withApostrophes: String {
        var result = Array(utf8)
        for token in Lexer.tokens(of: self) where token.kind == .string {
            let text = result[token.span.range]
            guard text.first == UInt8(ascii: "\""), !text.contains(UInt8(ascii: "'")),
                !text.contains(UInt8(ascii: "\\"))
            else { continue }
            result[token.span.start] = UInt8(ascii: "'")
            result[token.span.end - 1] = UInt8(ascii: "'")
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension PredicateCompletion.Kind {
    /// The kind's number in the Language Server Protocol.
    fileprivate var completionKind: Int64 {
        switch self {
        case .key: 5
        case .relationship: 18
        case .operator: 24
        case .option: 20
        case .function, .collectionOperator: 3
        case .value: 12
        case .keyword: 14
        case .variable: 6
        }
    }
}
