// The built-in profiles: each file is valid, each fact has a source, and each construct is accepted or refused as the
// profile states.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands
@testable import PredicateRequests

@Suite struct ProfileTests {
    private func findings(_ text: String, _ name: String) throws -> [String] {
        let profile = try #require(try ProfileLibrary.profile(named: name))
        var reader = TextReader()
        reader.profile = ProfileChecker(profile: profile).textProfile
        return reader.read(text).diagnostics.map(\.id.rawValue)
    }

    /// Conditions with a mistake have a finding, those without one have none.
    @Test func plantedMistakesAreFound() throws {
        let file = URL(fileURLWithPath: "\(DriverLibraries.root)/Tests/House/Data/planted-mistakes.txt")
        var planted = 0
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: ":", maxSplits: 1).map { String($0.drop { $0 == " " || $0 == "+" }) }
            let isRight = line.hasPrefix("+")
            #expect(try findings(parts[1], parts[0]).isEmpty == isRight, "\(line)")
            planted += isRight ? 0 : 1
        }
        #expect(planted >= 54)
    }

    @Test(.cases) func profileIsComplete() {
        forEachCase(ProfileLibrary.names) { name in
            let profile = try #require(try ProfileLibrary.profile(named: name))
            #expect(profile.name == name && profile.lineage == [name])
            #expect(!profile.summary.isEmpty && !profile.sources.isEmpty)
            #expect(profile.sources.values.allSatisfy { $0.url?.hasPrefix("https://") == true && !$0.title.isEmpty })
            #expect(profile.schema?.defaultEntity == (profile.schema == nil ? nil : name))
        }
    }

    /// A name that is not a construct would have no effect.
    @Test(.cases) func ruleNamesAreConstructs() {
        forEachCase(ProfileLibrary.names) { name in
            let profile = try #require(try ProfileLibrary.profile(named: name))
            let operators = ["==", "!=", "<", "<=", ">", ">="] + Keywords.operatorWords
            let known: [Profile.Section: Set<String>] = [
                .operators: Set(operators),
                .options: Set(
                    ["c", "d", "n", "l"].flatMap { letter in [letter] + operators.map { "\($0)[\(letter)]" } }),
                .quantifiers: ["ANY", "ALL"],
                .compounds: ["AND", "OR", "NOT"],
                // A function of CloudKit's own.
                .functions: Set(FunctionCatalog.standard.functionNames + ["tokenize:"]),
                .forms: [
                    "TRUEPREDICATE", "FALSEPREDICATE", "set operators", "arithmetic", "FUNCTION", "CAST", "lists",
                    "TERNARY", "SUBQUERY", "a right side that is no constant", "an index", "FETCH", "an assignment",
                    "a variable", "ANYKEY", "SELF", "an argument", "a key path",
                ],
            ]
            for (section, rule) in profile.rules {
                guard let known = known[section] else { continue }
                let names = (rule.only ?? []).union(rule.not.keys).union(rule.doubtful.keys)
                #expect(names.subtracting(known) == [], "\(section)")
            }
        }
    }

    /// A predicate with a refused construct is reported, one with an allowed construct is not.
    @Test(.cases) func rulesAreReported() {
        forEachCase(ProfileLibrary.names) { name in
            let profile = try #require(try ProfileLibrary.profile(named: name))
            let samples: [(Profile.Section, String, String)] =
                (["==", "!=", "<", "<=", ">", ">="] + Keywords.operatorWords).map { (.operators, $0, "k \($0) %@") }
                + ["c", "d", "n", "l"].map { (.options, $0, "k BEGINSWITH[\($0)] %@") }
                + ["ANY", "ALL"].map { (.quantifiers, $0, "\($0) k == %@") }
                + [
                    (.compounds, "AND", "k == %@ AND k == %@"), (.compounds, "OR", "k == %@ OR k == %@"),
                    (.compounds, "NOT", "NOT k == %@"),
                ]
                + [
                    (.forms, "TRUEPREDICATE", "TRUEPREDICATE"), (.forms, "FALSEPREDICATE", "FALSEPREDICATE"),
                    (.forms, "set operators", "k UNION k == %@"), (.forms, "arithmetic", "k + 1 == %@"),
                    (.forms, "FUNCTION", "FUNCTION(k, 'length') == %@"), (.forms, "CAST", "CAST(k, 'NSNumber') == %@"),
                    (.forms, "lists", "k IN {1, 2}"), (.forms, "TERNARY", "TERNARY(k == 1, 1, 2) == %@"),
                    (.forms, "SUBQUERY", "SUBQUERY(k, $x, $x == 1).@count == %@"), (.forms, "an index", "k[0] == %@"),
                    (.forms, "FETCH", "FETCH(k, k, NO) == %@"), (.forms, "a variable", "k == $x"),
                    (.forms, "ANYKEY", "ANYKEY == %@"), (.forms, "SELF", "SELF == %@"),
                    (.forms, "an argument", "k == %@"), (.forms, "a key path", "k.l == %@"),
                ]
                + FunctionCatalog.standard.functionNames.filter { !Self.operators.contains($0) }.map {
                    (.functions, $0, "\(Self.call($0)) == 1")
                }
            for (section, construct, text) in samples {
                var reader = TextReader()
                reader.profile = ProfileChecker(profile: profile, checksKeys: false).textProfile
                let title = section.title(construct)
                let found = reader.read(text).diagnostics
                let rule = profile.rules[section]
                let isRefused = rule?.not[construct] != nil || rule?.only.map { !$0.contains(construct) } == true
                #expect(
                    found.contains { $0.id == .profileConstruct && $0.details[1] == title } == isRefused,
                    "\(name): \(text)"
                )
                let isDoubtful = !isRefused && rule?.doubtful[construct] != nil
                #expect(
                    found.contains { $0.id == .profileDoubt && $0.details[1] == title } == isDoubtful,
                    "\(name): \(text)")
            }
        }
    }

    /// A call with one of these names is parsed as the operator.
    private static let operators = Set(BinaryOperator.allCases.compactMap(\.selector) + ["objectFrom:withIndex:"])

    private static func call(_ name: String) -> String {
        let count = name.count { $0 == ":" }
        return count == 0 ? name + "()" : "\(name)(\(Array(repeating: "k", count: count).joined(separator: ", ")))"
    }

    @Test func profilesExtend() throws {
        let child = #"""
            {"name": "ours", "extends": "cloudkit", "operators": {"only": ["LIKE"], "not": {"IN": "no"}},
             "keys": {"entity": "ours", "entities": {"ours": {"attributes": {"age": "integer"}}}}}
            """#
        let profile = try ProfileLibrary.read(Array(child.utf8), name: "x", file: "x", depth: 0) { _ in nil }
        #expect(profile.lineage == ["ours", "cloudkit"])
        #expect(profile.rules[.operators]?.only?.contains("LIKE") == true)
        #expect(profile.rules[.operators]?.not["LIKE"] == nil)
        #expect(profile.rules[.operators]?.only?.contains("IN") == false)
        #expect(profile.rules[.operators]?.not["IN"] == "no")
        #expect(profile.schema?.keys(of: "ours") == ["age"])
        #expect(throws: ProfileFailure.self) {
            _ = try ProfileLibrary.read(Array(#"{"extends": "a"}"#.utf8), name: "a", file: "a", depth: 0) { _ in
                Array(#"{"extends": "a"}"#.utf8)
            }
        }
    }

    @Test(.cases) func wrongFiles() {
        let cases: [(String, Int)] = [
            ("[1]", 1), (#"{"nam": "x"}"#, 1), (#"{"operators": {"only": [1], "not": {"a": 1}, "source": "x"}}"#, 3),
            (#"{"keys": {"entities": {"a": {"attributes": {"b": "int"}}}, "open": 1}}"#, 2),
            (#"{"terms": {"status": {"names": "a"}}}"#, 1),
            (#"{"language": ["ddn"], "sources": {"a": 1}, "name": ""}"#, 3),
        ]
        forEachCase(cases) { file, count in
            var reader = ProfileReader()
            _ = reader.read(try JSON.parse(file), name: "x")
            #expect(reader.problems.count == count, "\(reader.problems)")
        }
    }
}
