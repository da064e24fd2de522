// Completes a predicate at the cursor. A pure function of the text, the cursor, the schema and known values. It tests
// each candidate operator and key with the type checker, so that the typing rules exist only once.

/// Completes predicates about one entity.
///
///     Completer(schema: schema, entity: "Person").candidates(for: "age BET", at: 7)  // BETWEEN
package struct Completer {
    /// nil if the records are unknown; then keys are not offered and types are not checked.
    package var schema: PredicateSchema?
    package var entity = ""
    package var environment = PredicateEnvironment.standard
    /// Variable names without `$`.
    package var variables: [String] = []
    /// Returns the distinct values of a key if there are only a few, else an empty list. The cases of an attribute are
    /// known without it.
    package var domain: (_ path: [String]) -> [PredicateValue] = { _ in [] }
    /// The words that are values of a key, written without quotation marks.
    package var words: [String: [String]] = [:]
    /// The terms such as `@status(…)` by their names, `@status`, each with its known arguments.
    package var terms: [String: [String]] = [:]

    package init() {}

    /// Returns the completions at an offset, best first. Cost: linear in the text, times the number of keys.
    package func candidates(for text: String, at cursor: Int) -> PredicateCompletions {
        let context = CompletionContext(text, cursor: cursor, environment: environment)
        if let arguments = arguments(context) { return arguments }
        var found = PredicateCompletions(range: context.range, items: [])
        switch context.expected {
        case .operand: found.items = operands(context)
        case .behindOperand: found.items = operators(context)
        case .member: found.items = members(context)
        case .options: found.items = Self.options
        case .text(let quote): found.items = texts(context, quote)
        case .nothing: break
        }
        return found.matching(context.word)
    }

    /// The arguments of a term that is open at the cursor: `@status(device.`; nil if there is none.
    private func arguments(_ context: CompletionContext) -> PredicateCompletions? {
        let bytes = context.bytes
        guard !terms.isEmpty, let open = bytes.lastIndex(of: UInt8(ascii: "(")),
            let sign = bytes[..<open].lastIndex(where: { !$0.isOfWord }), bytes[sign] == UInt8(ascii: "@"),
            let names = terms[String(decoding: bytes[sign..<open], as: UTF8.self)]
        else { return nil }
        let word = bytes[(open + 1)...]
        guard word.allSatisfy({ $0.isOfWord || ".-".utf8.contains($0) }) else { return nil }
        let items = names.map { PredicateCompletion($0, .value, suffix: ") ") }
        return PredicateCompletions(range: word.startIndex..<word.endIndex, items: items)
            .matching(String(decoding: word, as: UTF8.self))
    }

    // MARK: Known expressions

    /// An expression before the cursor with its type, and the checker for the entity whose keys it uses.
    private struct Known {
        let node: ExpressionNode
        let type: ExpressionType
        let checker: TypeChecker
        /// The keys from the entity if the expression is a key path; else empty.
        let path: [String]
    }

    private func checker(_ entity: String) -> TypeChecker? {
        guard let schema else { return nil }
        return try? TypeChecker(schema: schema, entity: entity, in: environment)
    }

    /// Parses and types the tokens of an expression. A variable of SUBQUERY has the type of an element.
    private func known(_ range: Range<Int>, _ context: CompletionContext) -> Known? {
        var text = context.text(range)
        var target = entity
        var prefix: [String] = []
        if text.hasPrefix("$") {
            let name = text.dropFirst().prefix { $0 == "_" || $0.isLetter || $0.isNumber }
            guard let scope = scope(of: String(name), context) else { return nil }
            target = scope.entity
            prefix = scope.path
            let rest = text.dropFirst(1 + name.count)
            text = rest.hasPrefix(".") ? String(rest.dropFirst()) : rest.isEmpty ? "SELF" : ""
        }
        guard !text.isEmpty, let checker = checker(target) else { return nil }
        let parsed = FormatExpression.parse(text, in: environment)
        guard !parsed.hasErrors else { return nil }
        let type = checker.check(parsed.tree, source: text).type
        var path: [String] = []
        if case .keyPath(let keys) = parsed.tree.kind { path = keys.filter { !$0.hasPrefix("@") } }
        return Known(node: parsed.tree, type: type, checker: checker, path: prefix + path)
    }

    /// The entity of a variable that a SUBQUERY around the cursor declares.
    private func scope(of name: String, _ context: CompletionContext) -> (entity: String, path: [String])? {
        for subquery in subqueries(context) where subquery.variable == "$" + name {
            if let base = known(subquery.list, context), let entity = base.type.entity { return (entity, base.path) }
        }
        return nil
    }

    /// The SUBQUERYs around the cursor, the innermost first.
    private func subqueries(_ context: CompletionContext) -> [(list: Range<Int>, variable: String)] {
        var found: [(list: Range<Int>, variable: String)] = []
        var end = context.tokens.count
        while let form = context.form(around: end) {
            if form.word.kind == .keyword(.subquery), form.arguments.count == 2 {
                found.append((form.arguments[0], context.text(form.arguments[1])))
            }
            end = form.open
        }
        return found
    }

    /// The variables of SUBQUERYs around the cursor and of the session.
    private func variables(_ context: CompletionContext) -> [PredicateCompletion] {
        let names = subqueries(context).map { $0.variable } + variables.ordered().map { "$" + $0 }
        return names.map { PredicateCompletion($0, .variable) }
    }

    private func fits(_ comparison: ComparisonNode, _ checker: TypeChecker) -> Bool {
        !checker.check(PredicateNode(.comparison(comparison))).contains { $0.severity == .error }
    }

    // MARK: Keys

    /// The keys of an entity; keys of a fitting type come first.
    private func keys(
        of entity: String, isStep: Bool = false, fit: (ExpressionNode) -> Bool = { _ in true }
    ) -> [PredicateCompletion] {
        guard let schema else { return [] }
        return schema.keys(of: entity).compactMap { name -> PredicateCompletion? in
            let isWord = Lexer.tokens(of: name, options: environment.language).map { $0.kind } == [.identifier, .end]
            // A reserved word needs a leading number sign, and any other key quotes.
            guard !name.contains(where: { ".\"\\".contains($0) }), fit(ExpressionNode(.keyPath([name]))) else {
                return nil
            }
            let quoted = isStep ? "\"\(name)\"" : SyntaxSelector.key(name)
            let text = isWord ? name : Keywords.isReserved(name) ? "#" + name : quoted
            switch schema.key(name, of: entity) {
            case .attribute(let attribute):
                let optional = attribute.isOptional ? "?" : ""
                return PredicateCompletion(text, .key, attribute.type.shown + optional, suffix: " ")
            case .relationship(let relationship):
                let many = relationship.isToMany ? "many " : ""
                return PredicateCompletion(
                    text, .relationship, "→ " + many + relationship.target, suffix: relationship.isToMany ? "" : ".")
            case nil: return nil
            }
        }
    }

    private func members(_ context: CompletionContext) -> [PredicateCompletion] {
        let end = context.tokens.count - 1
        guard let base = known(context.operand(before: end), context) else { return [] }
        var found: [PredicateCompletion] = []
        if let entity = base.type.entity { found += keys(of: entity, isStep: true) }
        if let element = base.type.element {
            found += CollectionOperator.all.compactMap { operation in
                guard let summary = operation.summary,
                    operation.kind != .sum || element.isNumber || element.entity != nil
                else { return nil }
                return PredicateCompletion(
                    operation.name, .collectionOperator, summary, suffix: operation.takesKey ? "." : " ")
            }
        } else if base.type.kind == .string {
            found += environment.functions.properties(of: base.type).filter { $0.intrinsic == .length }
                .map { PredicateCompletion($0.name, .key, $0.summary, suffix: " ") }
        }
        return found
    }

    /// The values of a key, if there are only a few.
    private func values(_ path: [String]) -> [PredicateValue] {
        let cases = schema?.attribute(at: path, of: entity)?.attribute.cases ?? []
        return cases.isEmpty ? domain(path) : cases
    }

    // MARK: Operators

    private func operators(_ context: CompletionContext) -> [PredicateCompletion] {
        let range = context.operand(before: context.tokens.count)
        var found: [PredicateCompletion] = []
        let isCondition = context.comparison(at: range.lowerBound) != nil || isCondition(range, context)
        if !isCondition {
            let left = known(range, context)
            let modifier = context.quantifier(before: range.lowerBound)
            for (operation, meaning) in Self.comparisons {
                if let left {
                    let right = ExpressionNode(.variable("value"))
                    guard fits(ComparisonNode(left.node, operation, right, modifier: modifier), left.checker) else {
                        continue
                    }
                }
                found.append(PredicateCompletion(operation.spelling, .operator, meaning, suffix: " "))
            }
            if left?.type.isNumber ?? false {
                found += [("+", "plus"), ("-", "minus"), ("*", "times"), ("/", "divided by")].map {
                    PredicateCompletion($0.0, .operator, $0.1, suffix: " ")
                }
            }
        }
        if isCondition, context.enclosing(context.tokens.count).map({ context.tokens[$0].kind }) != .leftBrace {
            found += [
                PredicateCompletion("AND", .keyword, "both", suffix: " "),
                PredicateCompletion("OR", .keyword, "either", suffix: " "),
            ]
        }
        return found
    }

    /// Whether the tokens form a complete condition: `(age > 3)`, `TRUEPREDICATE`.
    private func isCondition(_ range: Range<Int>, _ context: CompletionContext) -> Bool {
        let text = context.text(range)
        return !text.isEmpty && !FormatParser.predicate(text, options: environment.language).hasErrors
    }

    package static let comparisons: [(ComparisonOperator, String)] = [
        (.equal, "equal"), (.notEqual, "not equal"), (.lessThan, "less"), (.lessThanOrEqual, "less or equal"),
        (.greaterThan, "greater"), (.greaterThanOrEqual, "greater or equal"),
        (.beginsWith, "begins with a text; [cd] ignores case and accents"),
        (.contains, "contains a text or an element"),
        (.endsWith, "ends with a text"), (.like, "matches a pattern with * and ?"),
        (.matches, "matches a regular expression"),
        (.in, "one of a list, or part of a text"), (.between, "between {lower, upper}, both included"),
    ]

    package static let options: [PredicateCompletion] = [
        ("c", "ignore case"), ("d", "ignore accents: é is e"), ("cd", "ignore case and accents"),
        ("n", "compare by code points, fast"), ("l", "compare by the rules of the locale"),
    ].map { PredicateCompletion($0.0, .option, $0.1, suffix: "] ") }

    // MARK: Operands

    private func operands(_ context: CompletionContext) -> [PredicateCompletion] {
        let end = context.tokens.count
        if let comparison = context.comparison(at: end) { return rightSide(comparison, context) }
        if let form = context.form(around: end), form.word.kind == .keyword(.cast), form.arguments.count == 1 {
            return environment.functions.castTypes.map {
                PredicateCompletion("\"\($0)\"", .value, "a type", suffix: ")")
            }
        }
        let isInList = context.enclosing(end).map { context.tokens[$0].kind } == .leftBrace
        var found = variables(context) + keys(of: entity)
        if !isInList { found += Self.beginnings }
        found += terms.keys.ordered().map {
            PredicateCompletion("\($0)(", .function, "a value of the device or the server")
        }
        return found + Self.values + functions(context)
    }

    /// Completions after an operator: known values, comparable keys.
    private func rightSide(
        _ comparison: (left: Range<Int>, operation: ComparisonOperator), _ context: CompletionContext
    ) -> [PredicateCompletion] {
        guard let left = known(comparison.left, context) else {
            return variables(context) + keys(of: entity) + Self.values + functions(context)
        }
        let isInList = context.tokens.last.map { $0.kind == .comma || $0.kind == .leftBrace } ?? false
        let needsList = !isInList && (comparison.operation == .in || comparison.operation == .between)
        var found: [PredicateCompletion] = needsList ? [PredicateCompletion("{", .keyword, "a list")] : []
        if !needsList || comparison.operation == .in {
            found += values(left.path).map { value in
                PredicateCompletion(Self.literal(value), .value, suffix: isInList ? "" : " ")
            }
        }
        if let key = left.path.last, !needsList {
            found += (words[key] ?? []).map { PredicateCompletion($0, .value, suffix: isInList ? "" : " ") }
        }
        if left.type.kind == .boolean, found.allSatisfy({ $0.kind != .value }) {
            let names = ["YES", "NO", "TRUE", "FALSE"].prefix(context.word.isEmpty ? 2 : 4)
            found += names.map { PredicateCompletion($0, .value, suffix: " ") }
        }
        let modifier = context.quantifier(before: comparison.left.lowerBound)
        found += variables(context)
        found += keys(of: entity) { key in
            // Do not offer the left side itself.
            guard key != left.node, left.checker.entity == entity else { return key != left.node }
            return fits(ComparisonNode(left.node, comparison.operation, key, modifier: modifier), left.checker)
        }
        if left.type.kind == .date {
            found.append(PredicateCompletion("CAST(", .function, "CAST(\"2026-03-01\", \"NSDate\")"))
            let moments = environment.functions.functions.filter {
                context.word.isEmpty && $0.arity == 0 && $0.types?.result([]).kind == .date
            }
            found += moments.map { PredicateCompletion("\($0.name)()", .function, $0.summary, suffix: " ") }
        }
        return found + [PredicateCompletion("nil", .value, "no value", suffix: " ")] + functions(context)
    }

    package static func literal(_ value: PredicateValue) -> String {
        if case .bool(let flag) = value { return flag ? "YES" : "NO" }
        return ExpressionNode(.value(value)).description
    }

    private static let values: [PredicateCompletion] = [
        PredicateCompletion("SELF", .keyword, "the record itself", suffix: " "),
        PredicateCompletion("nil", .value, "no value", suffix: " "),
        PredicateCompletion("YES", .value, "true", suffix: " "),
        PredicateCompletion("NO", .value, "false", suffix: " "),
    ]

    private static let beginnings: [PredicateCompletion] = [
        PredicateCompletion("NOT", .keyword, "not so", suffix: " "),
        PredicateCompletion("ANY", .keyword, "at least one of many", suffix: " "),
        PredicateCompletion("ALL", .keyword, "each of many", suffix: " "),
        PredicateCompletion("NONE", .keyword, "not one of many", suffix: " "),
        PredicateCompletion(
            "SUBQUERY(", .function, "those of many for which a condition holds: (many, $x, $x.key == 1)"),
        PredicateCompletion("CAST(", .function, "another type: (value, \"NSDate\")"),
        PredicateCompletion("TERNARY(", .function, "one of two values: (condition, value, value)"),
        PredicateCompletion("TRUEPREDICATE", .keyword, "always", suffix: " "),
        PredicateCompletion("FALSEPREDICATE", .keyword, "never", suffix: " "),
    ]

    /// The functions, offered when a word has begun, except those that operators replace.
    private func functions(_ context: CompletionContext) -> [PredicateCompletion] {
        guard !context.word.isEmpty else { return [] }
        return environment.functions.functions.filter { !$0.hasSyntax }.map { function in
            let shown = PredicateFunction.shown(function.name)
            return PredicateCompletion(shown + (function.arity == 0 ? "()" : "("), .function, function.summary)
        }
    }

    // MARK: In a text

    private func texts(_ context: CompletionContext, _ quote: Character) -> [PredicateCompletion] {
        let end = context.tokens.count
        if let form = context.form(around: end), form.word.kind == .keyword(.cast), form.arguments.count == 1 {
            return environment.functions.castTypes.map {
                PredicateCompletion($0, .value, "a type", suffix: "\(quote))")
            }
        }
        guard let comparison = context.comparison(at: end), let left = known(comparison.left, context) else {
            return []
        }
        return values(left.path).compactMap { value in
            guard case .string(let text) = value else { return nil }
            let escaped = text.reduce(into: "") { $0 += $1 == quote || $1 == "\\" ? "\\\($1)" : String($1) }
            return PredicateCompletion(escaped, .value, suffix: String(quote))
        }
    }
}
