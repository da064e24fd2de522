// The diagnostics of the type checker for predicates about a Person. Each line has a predicate and its diagnostics in
// the order of the text: `id@text of the span`, with `?` for a warning.
import Dispatch
import Foundation
import PredicateRules
import PredicateTestSupport
import Testing

@testable import PredicateModel

struct TypeCheckerTests {
    struct Row: CustomTestStringConvertible {
        let text: String
        let findings: [String]
        init(_ text: String, _ findings: String...) {
            self.text = text
            self.findings = findings
        }
        var testDescription: String { text }
    }

    static func findings(_ text: String, _ diagnostics: [PredicateDiagnostic]) -> [String] {
        diagnostics.map {
            let place = String(decoding: Array(text.utf8)[$0.span.range], as: UTF8.self)
            return "\($0.id.rawValue)\($0.severity == .warning ? "?" : "")@\(place)"
        }
    }

    /// The errors and hints of a text.
    private static func findings(_ parsed: FormatParser.Parsed<PredicateNode>, _ checker: TypeChecker)
        -> [PredicateDiagnostic]
    {
        PredicateTree.predicate(parsed.tree).findings(source: parsed.source, syntax: parsed.diagnostics, by: checker)
    }

    private func check(_ row: Row) throws {
        let checker = try Fixtures.checker()
        let parsed = FormatPredicate.parse(row.text)
        #expect(Self.findings(row.text, Self.findings(parsed, checker)) == row.findings)
        // The tree without its text has the same diagnostics, but their spans may be longer.
        let blind = checker.check(parsed.tree, adding: parsed.diagnostics)
        let all = Set(checker.check(parsed).map(\.id)).subtracting([.unboundVariable])
        #expect(Set(blind.map(\.id)) == all)
        for finding in blind { #expect(!finding.message.contains("{") || row.text.contains("{")) }
    }

    @Test(.cases) func checkKeys() { forEachCase(Self.keys) { row in try check(row) } }

    static let keys = [
        Row("name == 'Ada'"),
        Row("nam == 'Ada'", "unknown-key@nam"),
        Row("Name == 'Ada'", "unknown-key@Name"),
        Row("employer.title == 'X'"),
        Row("employer.titel == 'X'", "unknown-key@titel"),
        Row("emploier.title == 'X'", "unknown-key@emploier"),
        Row("employer . #titel == 'X'", "unknown-key@titel"),
        Row("employer.boss.nmae == 'X'", "unknown-key@nmae"),
        Row("SELF.name == 'Ada'"),
        Row("SELF.nam == 'Ada'", "unknown-key@nam"),
        Row("self.employer.titl == 'X'", "unknown-key@titl"),
        Row("#in == 'x'"),
        Row("note == 'x'"),
        Row("employer.active == YES"),
        Row("name.length > 3"),
        Row("name.lenght > 3", "unknown-key@lenght"),
        Row("age.length > 3", "string-operand@length"),
        Row("name.length.intValue == 3"),
        Row("age.stringValue == '3'"),
        Row("name.self == 'x'"),
        Row("extra.anything.at.all == 5"),
        Row("blob.anything > 5"),
        Row("blob BEGINSWITH 'a'"),
        Row("%K == 5"),
        Row("name == Kyle", "unknown-key@Kyle", "bare-keys-compared?@Kyle"),
        Row("name == nickname"),
        Row("age-bonus > 3"),
        Row("age-bonsu > 3", "hyphenated-key?@age-bonsu", "unknown-key@bonsu"),
        Row("zzz == 1 AND qqq == 2", "unknown-key@zzz", "unknown-key@qqq"),
        Row("NOT (zzz == 1 OR age > 3)", "unknown-key@zzz"),
    ]

    @Test(.cases) func checkOperators() { forEachCase(Self.operators) { row in try check(row) } }

    static let operators = [
        Row("age > 5.5"),
        Row("age > salary AND salary < height AND member <= age"),
        Row("age > 'x'", "type-mismatch@age > 'x'"),
        Row("name < 5", "type-mismatch@name < 5"),
        Row("nickname >= 5", "type-mismatch@nickname >= 5"),
        Row("createdAt > 1000", "type-mismatch@createdAt > 1000"),
        Row("createdAt > CAST(1000, 'NSDate')"),
        Row("createdAt > now()"),
        Row("photo < photo", "type-mismatch@photo < photo"),
        Row("home > home", "type-mismatch@home > home"),
        Row("key < key", "comparison-constant?@key < key"),
        Row("employer > employer", "type-mismatch@employer > employer"),
        Row("SELF > 5", "type-mismatch@SELF > 5"),
        Row("name > %@"),
        Row("name > %d", "type-mismatch@name > %d"),
        Row("age > $x AND $x > name"),
        Row("age == '5'", "comparison-constant?@age == '5'"),
        Row("age != '5'", "comparison-constant?@age != '5'"),
        Row(
            "key == 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'",
            "comparison-constant?@key == 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"),
        Row("nickname == bonus"),
        Row("name == bonus", "comparison-constant?@name == bonus"),
        Row("employer == 5", "comparison-constant?@employer == 5"),
        Row("employer == SELF", "comparison-constant?@employer == SELF"),
        Row("employer.boss == SELF"),
        Row("member == 1"),
        Row("name BEGINSWITH 'a' AND nickname LIKE[c] 'a*' AND name MATCHES 'a.*' AND name ENDSWITH nickname"),
        Row("age BEGINSWITH '1'", "string-operand@age"),
        Row("name LIKE 5", "string-operand@5"),
        Row("age LIKE 5", "string-operand@age", "string-operand@5"),
        Row("createdAt CONTAINS '20'", "not-a-collection@createdAt"),
        Row("name CONTAINS 5", "string-operand@5"),
        Row("home UTI-CONFORMS-TO 'public.data'", "string-operand@home"),
        Row("name UTI-EQUALS 'public.data'"),
        Row("employer MATCHES 'x'", "string-operand@employer"),
        Row("name BEGINSWITH %@"),
        Row("name IN {'a', 'b'}"),
        Row("age IN {'a', 'b'}", "comparison-constant?@age IN {'a', 'b'}"),
        Row("age IN {'a', 1}"),
        Row("age IN {1, 2.5, bonus}"),
        Row("age IN 5", "not-a-collection@5", "list-brackets?@5"),
        Row("age IN member", "not-a-collection@member"),
        Row("name IN 'abc'"),
        Row("age IN 'abc'", "string-operand@age"),
        Row("name IN tags"),
        Row("age IN tags", "comparison-constant?@age IN tags"),
        Row("'x' IN labels AND 3 IN scores"),
        Row("name IN[cd] tags", "in-options?@IN"),
        Row("name IN[c] {'a'}", "in-options?@IN"),
        Row("tags CONTAINS 'x'"),
        Row("tags CONTAINS[c] 'x'", "in-options?@CONTAINS"),
        Row("tags CONTAINS 5", "comparison-constant?@tags CONTAINS 5"),
        Row("extra CONTAINS 'x'"),
        Row("name IN %@"),
        Row("age BETWEEN {1, 5}"),
        Row("age BETWEEN {bonus, 5.5}"),
        Row("age BETWEEN {'a', 5}", "type-mismatch@'a'"),
        Row("age BETWEEN {1, 'b'}", "type-mismatch@'b'"),
        Row("age BETWEEN {1, 2, 3}", "between-operand@{1, 2, 3}"),
        Row("age BETWEEN 5", "between-operand@5"),
        Row("age BETWEEN scores"),
        Row("age BETWEEN tags", "type-mismatch@age BETWEEN tags"),
        Row("age BETWEEN name", "between-operand@name"),
        Row("age BETWEEN %@"),
        Row("age BETWEEN {nil, 'b'}", "comparison-constant?@age BETWEEN {nil, 'b'}"),
        Row("age BETWEEN {1, $x}"),
        Row("name BETWEEN {'a', 'b'}"),
    ]

    @Test(.cases) func checkConstants() { forEachCase(Self.constants) { row in try check(row) } }

    static let constants = [
        Row("age == nil", "comparison-constant?@age == nil"),
        Row("age != nil", "comparison-constant?@age != nil"),
        Row("nil == age", "comparison-constant?@nil == age"),
        Row("nickname == nil AND bonus != nil AND employer == nil"),
        Row("employer.title == nil"),
        Row("employer.boss.name != nil"),
        Row("pets == nil", "comparison-constant?@pets == nil"),
        Row("extra.x == nil AND blob == nil"),
        Row("bonus < nil", "comparison-constant?@bonus < nil"),
        Row("bonus <= nil"),
        Row("age >= nil", "comparison-constant?@age >= nil"),
        Row("nickname BEGINSWITH nil", "comparison-constant?@nickname BEGINSWITH nil"),
        Row("member == 5", "comparison-constant?@member == 5"),
        Row("member != 5", "comparison-constant?@member != 5"),
        Row("member > 1", "comparison-constant?@member > 1"),
        Row("member > 1.0", "comparison-constant?@member > 1.0"),
        Row("age > 9223372036854775806 AND age >= -9223372036854775807"),
        Row("age > 9223372036854775807", "comparison-constant?@age > 9223372036854775807"),
        Row("age < 1e19", "comparison-constant?@age < 1e19"),
        Row("member >= 0", "comparison-constant?@member >= 0"),
        Row("member > 0"),
        Row("2 > member", "comparison-constant?@2 > member"),
        Row("age == 2.5", "comparison-constant?@age == 2.5"),
        Row("height == 2.5 AND age == 2.0"),
        Row("age < 1e30", "comparison-constant?@age < 1e30"),
        Row("bonus < 1e30"),
        Row("bonus > 1e30", "comparison-constant?@bonus > 1e30"),
        Row("pets.@count < 0", "comparison-constant?@pets.@count < 0"),
        Row("pets.@count >= 0", "comparison-constant?@pets.@count >= 0"),
        Row("pets.@count > 0 AND tags[SIZE] == 2"),
        Row("tags[SIZE] == -1", "comparison-constant?@tags[SIZE] == -1"),
        Row("1 == 1", "comparison-constant?@1 == 1"),
        Row("'a' BEGINSWITH 'b'", "comparison-constant?@'a' BEGINSWITH 'b'"),
        Row("1 IN {1, 2}", "comparison-constant?@1 IN {1, 2}"),
        Row("nil == nil", "comparison-constant?@nil == nil"),
        Row("name BEGINSWITH ''", "comparison-constant?@name BEGINSWITH ''"),
        Row("name CONTAINS[cd] ''", "comparison-constant?@name CONTAINS[cd] ''"),
        Row("name == ''"),
        Row("age IN {}", "comparison-constant?@age IN {}"),
        Row("name IN {nil}", "comparison-constant?@name IN {nil}"),
        Row("tags UNION {'b'} == {'a', 'b'}", "comparison-constant?@tags UNION {'b'} == {'a', 'b'}"),
        Row("TRUEPREDICATE"),
        Row("ANY pets.name == 5", "comparison-constant?@ANY pets.name == 5"),
        Row("ALL pets.name == 5", "comparison-constant?@ALL pets.name == 5"),
        Row("ANY pets.name == nil", "comparison-constant?@ANY pets.name == nil"),
        Row("ANY pets.weight == nil"),
    ]

    @Test(.cases) func checkCollections() { forEachCase(Self.collections) { row in try check(row) } }

    static let collections = [
        Row("ANY pets.name == 'Rex' AND ALL pets.weight > 3 AND NONE pets.name BEGINSWITH 'S' AND SOME tags == 'x'"),
        Row("pets.name == 'Rex'", "to-many-key@pets.name"),
        Row("'Rex' == pets.name", "to-many-key@pets.name"),
        Row("pets == 5", "to-many-key@pets"),
        Row("pets > 5", "to-many-key@pets"),
        Row("pets.name BEGINSWITH 'R'", "to-many-key@pets.name"),
        Row("tags == 'x'", "to-many-key@tags"),
        Row("tags == {'x', 'y'}"),
        Row("friends == $others"),
        Row("pets.name IN {'Rex'}", "to-many-key@pets.name"),
        Row("pets.weight BETWEEN {1, 2}", "to-many-key@pets.weight"),
        Row(
            "friends CONTAINS SELF AND pets.name CONTAINS 'Rex' AND SELF IN employer.staff", "contains-element@CONTAINS"
        ),
        Row("friends CONTAINS employer", "comparison-constant?@friends CONTAINS employer"),
        Row("friends.pets.name == 'x'", "to-many-key@friends.pets.name"),
        Row("ANY friends.pets.name == 'x'", "to-many-key@friends.pets.name"),
        Row("ANY friends.pets.@unionOfArrays.name == 'x'"),
        Row("ANY friends.@unionOfArrays.pets.name == 'x'"),
        Row("ANY pets.nam == 'x'", "unknown-key@nam"),
        Row("ANY pets.age > 'x'", "unknown-key@age"),
        Row("ANY pets.weight > 'x'", "type-mismatch@ANY pets.weight > 'x'"),
        Row("ANY name == 'x'", "quantifier-over-single@ANY"),
        Row("any employer == nil", "quantifier-over-single@any"),
        Row("NONE age > 3", "quantifier-over-single@NONE"),
        Row("SOME employer.title == 'x'", "quantifier-over-single@SOME"),
        Row("ALL SELF == 5", "quantifier-over-single@ALL"),
        Row("ALL 5 == age", "quantifier-over-single@ALL"),
        Row("ANY $x == 5 AND ANY %@ == 5 AND ANY blob == 5"),
        Row("ANY {1, 2} == age"),
        Row("ANY extra == 5"),
        Row("pets.@count > 3 AND pets.@max.weight > 3 AND pets.@min.name < 'x' AND scores.@sum.#self > 3"),
        Row("pets.@avg.weight > 3 AND pets.@sum.weight == nil", "comparison-constant?@pets.@sum.weight == nil"),
        Row("pets.@max.weight == nil AND pets.@avg.weight == nil"),
        Row("pets.@cuont > 3", "unknown-collection-operator@@cuont"),
        Row("pets.@sum > 3", "function-arguments@@sum"),
        Row("pets.@sum.name > 3", "operand-type@name"),
        Row("pets.@max.wieght > 3", "unknown-key@wieght"),
        Row("pets.@max.name > 3", "type-mismatch@pets.@max.name > 3"),
        Row("pets.@max.owner == nil", "operand-type@owner"),
        Row("age.@count > 3", "not-a-collection@@count"),
        Row("employer.@count > 3", "not-a-collection@@count"),
        Row("@sum.age > 3", "not-a-collection@@sum"),
        Row("friends.@sum.pets.weight > 3", "operand-type@pets.weight"),
        Row("friends.@distinctUnionOfObjects.age CONTAINS 3"),
        Row("friends.@unionOfArrays.age CONTAINS 3", "not-a-collection@@unionOfArrays"),
        Row("pets.@count.intValue == 3"),
        Row("extra.@count == 3 AND extra.@allKeys CONTAINS 'x'"),
        Row("extra.@allKeys CONTAINS 5", "comparison-constant?@extra.@allKeys CONTAINS 5"),
        Row("SUBQUERY(pets, $p, $p.name == 'Rex' AND $p.weight > age).@count > 0"),
        Row("SUBQUERY(pets, $p, $p.nam == 'Rex').@count > 0", "unknown-key@nam"),
        Row("SUBQUERY(pets, $p, $p.owner.nam == 'Rex').@count > 0", "unknown-key@nam"),
        Row("SUBQUERY(pets, $p, weight > 3).@count > 0", "unknown-key@weight", "unused-variable?@weight > 3"),
        Row("SUBQUERY(pets, $p, $p == 5).@count > 0", "comparison-constant?@$p == 5"),
        Row("SUBQUERY(tags, $t, $t BEGINSWITH 'a')[SIZE] > 0"),
        Row("SUBQUERY(tags, $t, $t > 5)[SIZE] > 0", "type-mismatch@$t > 5"),
        Row("SUBQUERY(age, $t, $t > 5).@count > 0", "not-a-collection@age"),
        Row("SUBQUERY(friends, $f, SUBQUERY($f.pets, $p, $p.name == $f.name).@count > 0).@count > 0"),
        Row(
            "SUBQUERY(friends, $f, SUBQUERY($f.pets, $f, $f.age > 0).@count > 0 AND $f.age > 0).@count > 0",
            "unknown-key@age"),
        Row(
            "SUBQUERY(pets, $p, $p.weight > 1).@max.weight > 'x'",
            "type-mismatch@SUBQUERY(pets, $p, $p.weight > 1).@max.weight > 'x'"),
        Row("$p.anything == 5"),
        Row("tags[0] == 'x' AND pets[FIRST].name == 'Rex' AND extra['k'] == 5 AND (employer.staff)[LAST].age > 3"),
        Row("tags[0] > 5", "type-mismatch@tags[0] > 5"),
        Row("pets[FIRST].nam == 'Rex'", "unknown-key@nam"),
        Row("tags['x'] == 'x'", "operand-type@'x'"),
        Row("labels[0] == 'x'", "operand-type@labels"),
        Row("labels[FIRST] == 'x'"),
        Row("extra[FIRST] == 'x'", "operand-type@extra"),
        Row("name[0] == 'x'", "not-a-collection@name"),
        Row("name[SIZE] == 3", "not-a-collection@name"),
        Row("employer.staff[0] == nil", "index-after-path@employer.staff[0]"),
    ]

    @Test(.cases) func checkExpressions() { forEachCase(Self.expressions) { row in try check(row) } }

    static let expressions = [
        Row("age + bonus * 2 > height / 3 - salary AND age ** 2 == 4 AND -age < 0 AND (age & 1) == 1"),
        Row("name + 1 > 2", "operand-type@name"),
        Row("age * 'x' > 2", "operand-type@'x'"),
        Row("createdAt - 3600 > createdAt", "operand-type@createdAt"),
        Row("name + 'x' == 'yx'", "operand-type@name", "operand-type@'x'"),
        Row("-name == 5", "operand-type@name"),
        Row("pets.weight + 1 > 2", "operand-type@pets.weight"),
        Row("(age | tags) > 2", "operand-type@tags"),
        Row("age / 0 > 1", "division-by-zero@0"),
        Row("height / 0 > 1"),
        Row("age + 1 == 'x'", "comparison-constant?@age + 1 == 'x'"),
        Row("age + 1 == nil", "comparison-constant?@age + 1 == nil"),
        Row("bonus + 1 == nil"),
        Row("age + $x == 'x'", "comparison-constant?@age + $x == 'x'"),
        Row("age UNION tags == {}", "not-a-collection@age"),
        Row(
            "tags MINUS labels == labels AND scores INTERSECT extra == {}",
            "comparison-constant?@scores INTERSECT extra == {}"),
        Row("ANY (tags UNION scores) == 5"),
        Row("sum(scores) > 3 AND count(tags) == 2 AND max(scores) > 3 AND average(pets.weight) > 3"),
        Row("sum(tags) > 3", "operand-type@tags"),
        Row("sum(age) > 3", "not-a-collection@age"),
        Row("count(name) > 3", "not-a-collection@name"),
        Row("max(pets) == 3", "operand-type@pets"),
        Row("max(tags) > 3", "type-mismatch@max(tags) > 3"),
        Row("mode(tags) CONTAINS 'x' AND distinct(tags)[SIZE] > 1 AND median(scores) > 1 AND stddev(scores) < 2"),
        Row("abs(name) > 3", "operand-type@name"),
        Row("sqrt(age) > 'x'", "type-mismatch@sqrt(age) > 'x'"),
        Row("uppercase(name) == 'X' AND length(nickname) > 3"),
        Row("uppercase(age) == 'X'", "string-operand@age"),
        Row("length(name) < 0", "comparison-constant?@length(name) < 0"),
        Row("modulus:by:(age, 2) == 1 AND floor(height) == 2 AND trunc(salary) > 1 AND now() > createdAt"),
        Row("modulus:by:(name, 2) == 1", "operand-type@name"),
        Row("sums(scores) > 3", "unknown-function@sums"),
        Row("add:to:(name, 1) > 3", "operand-type@name"),
        Row("objectFrom:withIndex:(tags, 0) == 5", "comparison-constant?@objectFrom:withIndex:(tags, 0) == 5"),
        Row("castObject:toType:(age, 'NSString') > 5", "type-mismatch@castObject:toType:(age, 'NSString') > 5"),
        Row("CAST(age, 'NSString') BEGINSWITH '1' AND CAST(name, 'NSNumber') > 3 AND CAST(createdAt, 'NSNumber') > 3"),
        Row("CAST(age, 'NSString') > 3", "type-mismatch@CAST(age, 'NSString') > 3"),
        Row("CAST(tags, 'NSString') == 'x'", "cast-failed@tags"),
        Row("CAST(createdAt, 'NSString') == 'x'", "cast-failed@createdAt"),
        Row("CAST('soon', 'NSDate') > createdAt", "cast-failed@'soon'"),
        Row("CAST('2024-01-01', 'NSDate') > createdAt"),
        Row("CAST(name, 'NSDecimalNumber') BETWEEN {1, 2}"),
        Row("CAST(name, 'Class') == nil", "refused-cast@CAST(name, 'Class')"),
        Row("TERNARY(age > 3, 'x', nickname) == 'y' AND TERNARY(member == YES, 1, 2.5) > 2"),
        Row("TERNARY(age > 'x', 1, 2) > 3", "type-mismatch@age > 'x'"),
        Row("TERNARY(age > 3, 'x', 'y') > 3", "type-mismatch@TERNARY(age > 3, 'x', 'y') > 3"),
        Row("TERNARY(age > 3, 'x', 4) > 3"),
        Row("TERNARY(age > 3, nil, 4) == nil"),
        Row("FUNCTION(name, 'uppercaseString') == 'X' AND FUNCTION(name, 'hasPrefix:', 'x') == YES"),
        Row("FUNCTION(age, 'uppercaseString') == 'X'", "string-operand@age"),
        Row("FUNCTION(name, 'hasPrefix:', 5) == YES", "string-operand@5"),
        Row("FUNCTION(name, 'exit') == 'X'", "refused-method@FUNCTION(name, 'exit')"),
        Row("FETCH(1, 2, 3) == 5", "refused-fetch@FETCH(1, 2, 3)"),
        Row("name TOKENMATCHES 'x'", "token-matches@TOKENMATCHES"),
        Row("SELF isKindOfClass: name", "refused-operator@isKindOfClass:"),
        Row("ANYKEY == 5", "value-expected@ANYKEY"),
        Row("$x := age == 5"),
        Row("name == ", "expected-expression@"),
    ]

    @Test func tableHas200DifferentRows() {
        let rows = Self.keys + Self.operators + Self.constants + Self.collections + Self.expressions
        #expect(rows.count >= 200)
        #expect(Set(rows.map(\.text)).count == rows.count)
    }

    /// A part of a predicate has the spans of the whole, but not its text.
    @Test(.cases) func spansMayLieOutsideOfTheText() {
        let rows = Self.keys + Self.operators + Self.constants + Self.collections + Self.expressions
        forEachCase(rows.map(\.text)) { text in
            let tree = FormatPredicate.parse(text).tree
            for source in ["", String(text.prefix(text.count / 2)), String(text.dropLast())] {
                let found = try Fixtures.checker().check(tree, source: source)
                #expect(found.count <= PredicateLimits.standard.diagnostics)
            }
        }
    }

    /// What needs no types is checked in every node, also below a construct that is refused.
    @Test(.cases) func everyNodeIsChecked() {
        let others = [
            "pets.foo(1) == 2", "name.bar(foo(1)) == 2", "a.d[foo(1)] == 2", "FETCH(foo(1), 2, 3) == 2",
            "TERNARY(foo(1) == 2, bar(1), baz(1)) == 2", "SUBQUERY(foo(1), $p, bar($p) == 2).@count > 0",
            "{foo(1), bar(2)} CONTAINS baz(3)", "CAST(foo(1), 'NSNumbr') == 2", "($x := foo(1)) == 2",
            "FUNCTION(foo(1), 'exit', bar(2)) == 2", "-foo(1) + bar(2)[baz(3)] > 4",
            "NOT (foo(1) LIKE '%' OR 1 BETWEEN 2)",
        ]
        let rows = Self.keys + Self.operators + Self.constants + Self.collections + Self.expressions
        forEachCase(rows.map(\.text) + others) { text in
            let tree = FormatPredicate.parse(text).tree
            let found = try Fixtures.checker().check(tree, source: text).filter { $0.id == .unknownFunction }
            var unknown: Set<Int> = []
            PredicateWalker(expression: { node in
                guard case .call(let name, _) = node.kind else { return }
                if FunctionCatalog.standard.arity(ofShown: PredicateFunction.shown(name)) == nil {
                    unknown.insert(node.span.start)
                }
            }).walk(tree)
            #expect(Set(found.map(\.span.start)) == unknown)
        }
    }

    // MARK: Types

    @Test(.cases) func types() {
        let cases: [(String, String)] = [
            ("age", "an integer"), ("bonus", "an integer?"), ("age + height", "a number"), ("age ** 2", "a number"),
            ("age + salary", "a decimal"), ("employer", "a Company?"), ("employer.boss.name", "a text?"),
            ("pets", "many Pet objects"), ("pets.name", "many texts"), ("friends.pets.weight", "many lists"),
            ("pets.@count", "an integer"), ("pets.@sum.weight", "a number"), ("pets.@max.born", "a date?"),
            ("employer.staff.@count", "an integer?"), ("SELF", "a Person"), ("$x", "a value?"), ("nil", "nil?"),
            ("{1, 2}", "a list of integers"), ("{1, 'a'}", "a list of values"), ("tags UNION {'x'}", "a set of texts"),
            ("SUBQUERY(pets, $p, $p.weight > 1)", "many Pet objects"), ("tags[0]", "a text?"),
            ("tags[FIRST]", "a text?"), ("sum(scores)", "an integer"), ("average(scores)", "a number?"),
            ("max(tags)", "a text?"), ("TERNARY(age > 1, age, height)", "a number"),
            ("TERNARY(age > 1, name, nil)", "a text?"), ("CAST(name, 'NSDate')", "a date"),
            ("CAST(bonus, 'NSString')", "a text?"), ("length(nickname)", "an integer?"), ("1 + $x", "a number?"),
            ("friends.pets.@unionOfArrays.owner", "a list of Person objects"), ("age & 1", "an integer"),
            ("mode(tags)", "a list of texts"), ("noindex(name)", "a text"), ("%d", "an integer"), ("now()", "a date"),
            ("labels.length", "a set of integers"), ("employer.salary", "a value?"),
        ]
        forEachCase(cases) { text, words in
            let parsed = FormatExpression.parse(text)
            let result = try Fixtures.checker().check(parsed, declaring: ["x"])
            #expect(result.type.inWords + (result.type.isOptional ? "?" : "") == words)
            #expect(result.diagnostics.map(\.id) == (text == "employer.salary" ? [.unknownKey] : []))
        }
    }

    // MARK: Sentences

    @Test(.cases) func sentences() {
        let cases: [(String, String)] = [
            ("nam == 'x'", "Person has no key 'nam' | did you mean name? | 0-3:name"),
            ("age.x == 'x'", "an integer has no key 'x' | - | "),
            (
                "age BEGINSWITH '1'",
                "BEGINSWITH needs texts, not an integer | write CAST(age, \"NSString\") BEGINSWITH … | "
            ),
            ("age > 'x'", "> cannot compare an integer with a text | - | "),
            (
                "age == '1'",
                "this comparison is always false: an integer never equals a text | write a number: 1, or use the extension typed-texts | "
            ),
            ("age != nil", "this comparison is always true: 'age' is never nil | change it, or remove it | "),
            ("member == 5", "this comparison is always false: a Boolean is 0 or 1 | change it, or remove it | "),
            (
                "ANY pets.name == 5",
                "this comparison is always false: a text never equals an integer | write a text: \"5\" | "
            ),
            (
                "ALL pets.name == 5",
                "this comparison is always false unless the collection is empty: a text never equals an integer | write a text: \"5\" | "
            ),
            ("ANY name == 'x'", "ANY needs a collection, but 'name' is a single attribute | remove ANY | 0-4:"),
            (
                "NONE employer == nil",
                "NONE needs a collection, but 'employer' is a single relationship | write NOT | 0-4:NOT"
            ),
            ("pets.name == 'x'", "'pets.name' has many values | use ANY, ALL, NONE or SUBQUERY | "),
            (
                "ANY friends.pets.name == 'x'",
                "'friends.pets.name' has many values | flatten them: @unionOfArrays, or use SUBQUERY | "
            ),
            ("pets.@cuont > 1", "there is no collection operator '@cuont' | did you mean @count? | 5-11:@count"),
            ("sum(tags) > 1", "sum: cannot take a list of texts | - | "),
            ("createdAt + 1 > nil", "+ cannot take a date | use the extension dates | "),
        ]
        forEachCase(cases) { text, expected in
            let found = try #require(Self.findings(FormatPredicate.parse(text), Fixtures.checker()).first)
            let fixes = found.fixIts.map { "\($0.span.start)-\($0.span.end):\($0.replacement)" }.joined(separator: " ")
            #expect("\(found.message) | \(found.label ?? "-") | \(fixes)" == expected)
        }
    }

    // MARK: The rest

    @Test func unknownEntityThrows() throws {
        let schema = try Fixtures.schema.get()
        let failure = try #require(throws: PredicateFailure.self) { try TypeChecker(schema: schema, entity: "Persn") }
        #expect(failure.diagnostics.map(\.id) == [.unknownEntity])
        #expect(failure.diagnostics.first?.suggestion == "Person")
    }

    /// Arguments are constants too, but in `%@ == nil OR …` the comparison is intended.
    @Test func boundArguments() throws {
        let checker = try Fixtures.checker()
        func ids(_ text: String, _ values: PredicateValue...) -> [DiagnosticID] {
            checker.check(FormatPredicate.parse(text, arguments: .bound(values.map(FormatArgument.value)))).map(\.id)
        }
        #expect(ids("%@ == nil OR name == %@", .string("x"), .string("x")) == [])
        #expect(ids("name == 'x' AND %@ == nil", .null) == [])
        #expect(ids("%@ == '' OR name == %@", .string("x"), .string("x")) == [])
        #expect(ids("name == %@", .integer(5)) == [.comparisonConstant])
        #expect(ids("name BEGINSWITH %@", .integer(5)) == [.stringOperand])
        #expect(ids("%K == %@", .string("nam"), .integer(5)) == [.unknownKey])
        #expect(ids("%K > %@", .string("employer.title"), .integer(5)) == [.typeMismatch])
        #expect(ids("age IN %@", .array([.string("a")])) == [.comparisonConstant])
        #expect(ids("age BETWEEN %@", .array([.integer(1), .integer(2)])) == [])
        #expect(ids("age BETWEEN %@", .array([.integer(1)])) == [.betweenOperand])
        #expect(ids("age BETWEEN %@", .array([.integer(1), .string("x")])) == [.typeMismatch])
    }

    @Test func languageOptionsAndNames() throws {
        var checker = try TypeChecker(
            schema: Fixtures.schema.get(), entity: "Person", in: PredicateEnvironment(language: .stringConcatenation))
        #expect(checker.check(FormatPredicate.parse("name + 'x' == 'yx' AND name + %@ == 'x'")).isEmpty)
        checker.unknownKey = .unknownKey
        #expect(checker.check(FormatPredicate.parse("nam == 'x'")).map(\.id) == [.unknownKey])
    }

    @Test func functionsOfTheAppHaveTypes() throws {
        var catalog = FunctionCatalog.standard
        catalog.add(
            PredicateFunction("area:by:", arity: 2, signature: "area:by:(a, b)", summary: "") {
                (arguments, _) throws(EvaluationFault) in arguments[0]
            })
        catalog.addOperator("near:") { (_, _) throws(EvaluationFault) in true }
        let environment = PredicateEnvironment(functions: catalog)
        let checker = try TypeChecker(schema: Fixtures.schema.get(), entity: "Person", in: environment)
        let text = "area:by:(name, nam) > 5 AND SELF near: age"
        #expect(Self.findings(text, checker.check(FormatPredicate.parse(text))) == ["unknown-key@nam"])
    }

    /// The highest trees on the stack of a secondary thread on Apple platforms.
    @Test(.cases) func highTrees() {
        forEachCase(["negation", "sum", "ternary", "subquery", "list", "not", "index", "member", "call"] as [String]) {
            try highTrees($0)
        }
    }

    private func highTrees(_ shape: String) throws {
        let checker = try Fixtures.checker()
        let leaf = ExpressionNode(.keyPath(["age"]))
        func wrap(_ node: ExpressionNode) -> ExpressionNode {
            switch shape {
            case "negation": ExpressionNode(.negation(node))
            case "sum": ExpressionNode(.binary(.add, node, leaf))
            case "list": ExpressionNode(.aggregate([node]))
            case "index": ExpressionNode(.index(node, ExpressionNode(.value(.integer(0)))))
            case "member": ExpressionNode(.member(node, step: ExpressionNode(.keyPath(["self"]))))
            case "call": ExpressionNode(.call("abs:", [node]))
            case "ternary", "not":
                ExpressionNode(.ternary(PredicateNode(.comparison(ComparisonNode(leaf, .equal, node))), leaf, leaf))
            default:
                ExpressionNode(
                    .subquery(
                        ExpressionNode(.keyPath(["pets"])), variable: "x",
                        PredicateNode(.comparison(ComparisonNode(node, .equal, leaf)))))
            }
        }
        var tree = leaf
        while tree.height < PredicateLimits.standard.nesting - 2 {
            let next = wrap(tree)
            if next.kind == .error { break }
            tree = next
        }
        var predicate = PredicateNode(.comparison(ComparisonNode(tree, .equal, leaf)))
        if shape == "not" {
            predicate = PredicateNode(.comparison(ComparisonNode(leaf, .equal, ExpressionNode(.value(.null)))))
            while predicate.height < PredicateLimits.standard.nesting { predicate = PredicateNode(.not(predicate)) }
        }
        let high = predicate
        #expect(high.height >= PredicateLimits.standard.nesting - 4)
        let found = onSmallStack { checker.check(high) }
        #expect(found.count <= PredicateLimits.standard.diagnostics)
    }

    @Test func longPaths() throws {
        let checker = try Fixtures.checker()
        for key in ["friends", "@max", "boss", "self", "friends.@max"] {
            let keys = Array(repeating: key.split(separator: ".").map(String.init), count: 20_000).flatMap(\.self)
            let path = ExpressionNode(.keyPath(["friends"] + keys))
            let predicate = PredicateNode(.comparison(ComparisonNode(path, .equal, ExpressionNode(.value(.null)))))
            let found = onSmallStack { checker.check(predicate) }
            #expect(found.count <= 2)
        }
    }

    @Test func findingsAreLimited() throws {
        let text = (0..<200).map { "k\($0) == 1" }.joined(separator: " AND ")
        #expect(try Fixtures.checker().check(FormatPredicate.parse(text)).count == PredicateLimits.standard.diagnostics)
        let late = Array(repeating: "age == nil", count: 80).joined(separator: " AND ") + " AND nam == 1"
        #expect(try Fixtures.checker().check(FormatPredicate.parse(late)).last?.id == .unknownKey)
    }
}
