// Tests of rules, as files of `predicate test` have them. TestReader.swift reads the files, CaseRun.swift runs the cases.

/// A rule and its cases.
struct RuleTest {
    let file: String
    let line: Int
    let name: String
    /// The file and the line of the rule, for its errors.
    let rulePlace: (file: String, line: Int)
    let rule: PredicateText
    let types: FieldTypes
    /// The checker by the schema of the test; nil without one.
    let checker: TypeChecker?
    /// The folder of the test file, for the names of data files; ends with a slash unless it is empty.
    let folder: String
    let variables: PredicateVariables
    let clock: Double?
    var cases: [RuleCase]

    /// The rule; nil if it has errors.
    var predicate: FormatPredicate? {
        if case .predicate(let predicate) = rule.tree, !rule.hasErrors { predicate } else { nil }
    }
}

extension RuleTest {
    /// Warnings about keys of the objects in the file that the schema lacks or, without a schema, that no rule of some tests
    /// reads.
    func unreadKeys(ifReadBy tests: [RuleTest]) -> [String] {
        var known: [String] = []
        if let checker {
            known = checker.schema.keys(of: checker.entity)
        } else {
            for test in tests {
                guard let predicate = test.predicate,
                    let keys = try? predicate.compiled(for: PredicateValue.self).rootKeys
                else { return [] }
                known += keys
            }
        }
        var told: Set<String> = []
        var warnings: [String] = []
        for one in cases {
            guard case .values(let objects) = one.objects else { continue }
            var named = Set(known)
            if case .matches(_, let key) = one.expectation { named.insert(key) }
            for case .dictionary(let fields) in objects {
                for key in fields.keys where !named.contains(key) && told.insert(key).inserted {
                    let nearest = Suggestions.nearest(to: key, in: known).map { ", did you mean \($0)?" } ?? ""
                    let problem = checker.map { "\($0.entity) has no key '\(key)'" } ?? "no rule reads the key '\(key)'"
                    warnings.append("\(file):\(one.line): warning: \(problem)\(nearest)")
                }
            }
        }
        return warnings
    }
}

/// Objects and the answers that are expected for them.
struct RuleCase {
    enum Objects {
        case values([PredicateValue])
        /// A file of records.
        case data(String)
    }

    enum Expectation {
        case answer(Bool)
        /// The evaluation fails; with an error of this ID, or with this text in its message.
        case error(String?)
        /// The values of `key` of all objects that match, in any order.
        case matches([PredicateValue], key: String)
    }

    let name: String
    let line: Int
    let objects: Objects
    let expectation: Expectation
    let variables: PredicateVariables
    let clock: Double?
}

extension RuleCase.Expectation {
    /// `true`, `an error with 'division'`, `1, 4`
    var words: String {
        switch self {
        case .answer(let answer): return answer ? "true" : "false"
        case .error(nil): return "an error"
        case .error(let text?): return "an error with '\(text)'"
        case .matches(let ids, _): return ids.isEmpty ? "no match" : "matches " + Self.list(ids)
        }
    }

    /// The first of some values.
    static func list(_ values: [PredicateValue]) -> String {
        let shown = values.prefix(8).map { TaggedJSON.answer($0) }.joined(separator: ", ")
        return values.count > 8 ? shown + " and \(values.count - 8) more" : shown
    }
}

extension CommandInput {
    private static let testEndings = [".test.json", ".test.jsonl", ".test.yaml", ".test.yml"]

    /// The test files that operands stand for: a folder for those in it and below.
    func testFiles(_ operands: [String]) throws -> [String] {
        try operands.flatMap { operand -> [String] in
            guard operand != "-", entryKind(operand, followsLinks: true) == .folder else { return [operand] }
            var files: [String] = []
            // Entries still to visit, in reverse order.
            var pending = [operand]
            while let name = pending.popLast() {
                guard name == operand || entryKind(name, followsLinks: false) == .folder else {
                    if Self.testEndings.contains(where: name.hasSuffix) { files.append(name) }
                    continue
                }
                let prefix = name == "." ? "" : name.hasSuffix("/") ? name : name + "/"
                pending += try entries(name).filter { !Self.skippedFolders.contains($0) }.reversed().map { prefix + $0 }
            }
            guard files.isEmpty else { return files }
            throw CommandEnd.failure(
                .failed, "the folder '\(operand)' has no test files (\(Self.testEndings.joined(separator: ", ")))")
        }
    }

    /// The path of a file that another file names relative to its folder, without superfluous `..`.
    func path(_ name: String, in folder: String) -> String {
        let path = name.hasPrefix("/") ? name : folder + name
        return path.hasPrefix("/") ? absolutePath(path) : self.path(path, fromFolderOf: "-")
    }
}
