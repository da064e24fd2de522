// `.explain` and `.sql`: how a predicate is understood, what it becomes, and what is left to memory.

import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateSQL
import PredicateSyntax
import PredicateTerminal

extension ReplSession {
    /// The dialect that was chosen last, else the source's own. What the source knows of its columns, its dialect does too.
    private var dialect: Dialect {
        guard let chosenDialect, chosenDialect.name != source.dialect?.name else { return source.dialect ?? .sqlite }
        return chosenDialect
    }

    func showSQL(_ line: CommandLine) throws {
        var rest = line
        if let word = line.words.first, let named = Dialect.named(word) {
            chosenDialect = named
            rest = CommandLine(line.name + " " + line.argument.dropFirst(word.count)) ?? line
            if rest.argument.isEmpty, lastText == nil { return try show("\(line.name) \(named.name)") }
        }
        let predicate = try predicateSubject(rest)
        let page: String
        do throws(PredicateFailure) {
            page = try query(predicate, dialect).page()
        } catch {
            worsen(.refused)
            return try show(error.diagnostics, source: predicate.source)
        }
        try show(page)
    }

    private func query(_ predicate: FormatPredicate, _ dialect: Dialect) throws(PredicateFailure) -> SQLQuery {
        let bound = try predicate.substituting(predicateVariables)
        return try bound.sql(dialect, entity: entity, in: source.schema, requireExact: false)
    }

    func explain(_ line: CommandLine) throws {
        let read = try subject(line)
        var lines: [StyledText] = []
        func section(_ title: String, _ text: [String]) {
            if !lines.isEmpty { lines.append(StyledText()) }
            lines.append(StyledText(title, .bold))
            lines += text.map { StyledText("  " + DisplayText.visible($0, limit: 1 << 16)) }
        }
        section("canonical", [read.canonical])
        section("tree", read.treeText.split(separator: "\n").map(String.init))
        switch read.tree {
        case .expression(let expression):
            if let checker {
                let type = checker.check(expression.root, source: expression.source).type
                section("type", [type.inWords + (type.isOptional ? ", may be nil" : "")])
            }
        case .predicate(let predicate):
            let types = types(in: predicate)
            if !types.isEmpty { section("types", types) }
            // A database's own SQL stands in its plan.
            if dialect.name != source.dialect?.name {
                section("sql (\(dialect.name))", sqlLines(predicate))
            }
            // What is wrong was told above, and would only be told again.
            if !read.hasErrors { section("plan", try source.plan(of: selection(predicate, limit: limit))) }
        }
        try show(lines)
    }

    private func sqlLines(_ predicate: FormatPredicate) -> [String] {
        do throws(PredicateFailure) {
            return try query(predicate, dialect).page().split(separator: "\n").map(String.init)
        } catch {
            return error.diagnostics.map { $0.message + ($0.label.map { ": " + $0 } ?? "") }
        }
    }

    /// Every key of the predicate, with its type.
    private func types(in predicate: FormatPredicate) -> [String] {
        guard let checker else { return [] }
        var paths: [String] = []
        predicate.root.collectPaths(&paths)
        let width = paths.map { DisplayText.columns($0) }.max() ?? 0
        return paths.map { path in
            let parsed = FormatExpression.parse(path, options: language)
            let type = checker.check(parsed).type
            let space = String(repeating: " ", count: width - DisplayText.columns(path))
            return path + space + "  " + type.inWords + (type.isOptional && type != .any ? ", may be nil" : "")
        }
    }
}

extension PredicateNode {
    fileprivate func collectPaths(_ paths: inout [String]) {
        kind.forEachChild({ $0.collectPaths(&paths) }, { $0.collectPaths(&paths) })
    }
}

extension ExpressionNode {
    fileprivate func collectPaths(_ paths: inout [String]) {
        if case .keyPath = kind, !paths.contains(description) { paths.append(description) }
        // Keys of SUBQUERY's variable are of another object.
        kind.forEachChild({ $0.collectPaths(&paths) }, { $0.collectPaths(&paths) })
    }
}
